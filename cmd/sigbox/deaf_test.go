package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// An agent that does not read any more does not end its hook, and the owner hears that his answer did not arrive.
//
// Proves: I9, S1
func TestAnswerToADeafAgent(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	d := startDaemon(t, home)
	program, err := exec.LookPath("sigbox")
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "hook", "claude", "--home="+home, "--wait=1m")
	cmd.Env = append(os.Environ(), "SIGNALBOX_URL=", "SIGNALBOX_TOKEN=")
	cmd.Stdin, cmd.Stdout = strings.NewReader(permissionPayload), w
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	c, err := client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for answered := false; !answered; <-time.After(20 * time.Millisecond) {
		page, err := c.List(ctx, client.Query{Kinds: []string{wire.KindInteraction}, Statuses: []string{wire.StatusPending}})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range page.Notifications {
			if _, err := c.Answer(ctx, n.ID, wire.AnswerRequest{ExpectedRevision: wire.RevisionOf(n), Answer: wire.Answer{Option: "allow"}}); err != nil {
				t.Fatal(err)
			}
			answered = true
		}
	}
	if err := cmd.Wait(); err != nil || strings.Count(said.String(), "\n") != 1 {
		t.Errorf("%v, stderr %q", err, said.String())
	}
	page, err := c.List(ctx, client.Query{Connections: []string{"claude"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range page.Notifications {
		if strings.HasPrefix(n.Title, "Your answer did not arrive: ") {
			return
		}
	}
	t.Errorf("the owner does not hear of it; stderr %q", said.String())
}

type deaf struct{}

func (deaf) Write([]byte) (int, error) { return 0, errors.New("gone\x1b[2J\nand away") }

// What is told of a hook is a line, and commands no terminal.
//
// Proves: S1
func TestHookSaysOneCleanLine(t *testing.T) {
	for name, args := range map[string][]string{
		"agent":  {"hook", "no\x1b[2Jbody\x9d"},
		"writer": {"hook", "cursor"},
		"server": {"hook", "opencode", "--server=http://\x1b[2J"},
	} {
		var said strings.Builder
		code := run(t.Context(), surroundings{
			args: append(args, "--home="+filepath.Join(t.TempDir(), "h")), stdin: strings.NewReader("{}"), stdout: deaf{}, stderr: &said,
			env: func(string) string { return "" }, now: time.Now,
		})
		if code != exitDone || strings.Count(said.String(), "\n") != 1 || strings.ContainsFunc(said.String(), misleads) {
			t.Errorf("%s: code %d, stderr %q", name, code, said.String())
		}
	}
}

// Whatever a hook is called with, it ends well.
//
// Proves: S1
func TestWrongHooksEndWell(t *testing.T) {
	for _, c := range []struct {
		args []string
		out  string
	}{
		{[]string{"hook"}, ""},
		{[]string{"hook", "opencode", "--server=nonsense"}, ""},
		{[]string{"hook", "claude", "--server=http://127.0.0.1:1"}, ""},
		{[]string{"hook", "cursor", "--no-such"}, "{}\n"},
		{[]string{"--home", "x", "hook", "cursor", "--no-such"}, "{}\n"},
		{[]string{"--json", "-c", "hook", "hook", "--event", "stop", "cursor", "--no-such"}, "{}\n"},
		{[]string{"--connection=x", "hook", "claude", "--wait=soon"}, ""},
	} {
		l := newLab(t)
		code, out, errs := l.run(strings.NewReader("{}"), c.args...)
		if code != exitDone || out != c.out || errs == "" {
			t.Errorf("%q: code %d, stdout %q, stderr %q", c.args, code, out, errs)
		}
	}
	for _, args := range [][]string{{"notify", "--no-such"}, {"-c", "hook", "nothing"}, {"--home=hook", "nothing"}} {
		if code, _, _ := newLab(t).run(io.LimitReader(nil, 0), args...); code != exitUsage {
			t.Errorf("%q: code %d", args, code)
		}
	}
}
