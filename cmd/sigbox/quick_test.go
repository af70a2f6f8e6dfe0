package main

import (
	"slices"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	"pgregory.net/rapid"

	"signalbox/agents"
	"signalbox/agents/setup"
)

// byParser is the command line as the whole parser reads it.
func byParser(t interface{ Fatal(...any) }, args []string) (*cli, error) {
	var c cli
	parser, err := kong.New(&c, kong.Bind(&app{}), kong.Exit(func(int) {}))
	if err != nil {
		t.Fatal(err)
	}
	_, err = parser.Parse(args)
	return &c, err
}

// same compares what a hook is told: the parser also fills in the defaults of the other commands.
func same(a, b *cli) bool {
	return a.Hook == b.Hook && a.Home == b.Home && a.JSON == b.JSON && a.Connection == b.Connection
}

// A hook's command line means the same whoever reads it.
//
// Proves: S1
func TestQuickHookReadsWhatTheParserReads(t *testing.T) {
	t.Parallel()
	word := rapid.SampledFrom([]string{"hook", "claude", "codex", "cursor", "opencode", "{}", `{"type":"x"}`, "notify", "", "a=b", "--", "-", "-c", "-h", "--help",
		"--wait=5m", "--wait=", "--wait=x", "--wait=-1s", "--wait", "5m", "--event=Stop", "--event=", "--event", "--cwd=/a b", "--session=s", "--sub-agents",
		"--sub-agents=true", "--no-sub-agents", "--server=http://127.0.0.1:1", "--tag=signalbox", "--home=/h", "--json", "--json=false", "--connection=c", "-cx",
		"--nonsense", "--session=", "--session==", "--tag=a=b"})
	rapid.Check(t, func(t *rapid.T) {
		args := append([]string{"hook"}, rapid.SliceOfN(word, 0, 6).Draw(t, "args")...)
		got, ok := quickHook(args)
		if !ok {
			return
		}
		want, err := byParser(t, args)
		if err != nil {
			t.Fatalf("the parser refuses %q: %v", args, err)
		}
		if !same(got, want) {
			t.Fatalf("%q: %+v, the parser says %+v", args, got.Hook, want.Hook)
		}
	})
}

// What setup writes is what the quick reader knows: an agent never pays for the whole parser.
func TestQuickHookKnowsWhatSetupWrites(t *testing.T) {
	t.Parallel()
	options := setup.Options{Program: "/bin/sigbox", Wait: time.Minute, Connection: "c", SubAgents: true, DataDir: "/d"}
	for _, agent := range agents.Names() {
		for _, args := range [][]string{options.Arguments(agent, true), options.Arguments(agent, false), append(options.Arguments(agent, false), `{"type":"agent-turn-complete"}`)} {
			c, ok := quickHook(args)
			if !ok || c.Hook.Agent != agent || c.Hook.Tag != setup.Tag || !c.Hook.SubAgents || c.Home != "/d" || c.Connection != "c" {
				t.Errorf("%q: %v, %+v", args, ok, c)
			}
			if want, err := byParser(t, args); err != nil || ok && !same(c, want) {
				t.Errorf("%q: the parser says %v, %+v", args, err, want)
			}
			if slices.Contains(args, "--wait=1m0s") != (ok && c.Hook.Wait == time.Minute) {
				t.Errorf("%q: waits %v", args, c.Hook.Wait)
			}
		}
	}
}
