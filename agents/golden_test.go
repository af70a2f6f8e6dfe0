package agents

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
)

var update = flag.Bool("update", false, "write the golden files anew")

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// place is where the golden calls come from.
func place(agent string) Place {
	return Place{Cwd: "/src/" + agent + "-work", Project: agent + "-work", Branch: "main"}
}

// golden is what a payload means: the plan, and where it asks, each answer and what the agent then hears.
type golden struct {
	Plan *Plan `json:"plan"`
	// Unheld are the operations where nobody waits and nothing is there yet.
	Unheld []wire.Operation `json:"unheld"`
	// Asked is the question when the agent is held, and Outputs what each way to answer prints.
	Asked     *wire.Publish     `json:"asked,omitzero"`
	Outputs   map[string]string `json:"outputs,omitzero"`
	Undecided string            `json:"undecided"`
}

func load(t testing.TB, file string) (agent, event string, payload []byte) {
	t.Helper()
	payload, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	agent = filepath.Base(filepath.Dir(file))
	event, _, _ = strings.Cut(strings.TrimSuffix(filepath.Base(file), ".json"), ".")
	return agent, event, payload
}

func goldenInput(t testing.TB, file string) Input {
	agent, event, payload := load(t, file)
	return Input{
		Agent: agent, Event: event, Payload: payload, At: noon, Wait: time.Minute, Place: place(agent),
		Terminal: Terminal{Program: "tmux", TmuxPane: "%5", TmuxSocket: "/tmp/tmux-1000/default"},
	}
}

func payloads(t testing.TB) []string {
	t.Helper()
	all, err := filepath.Glob("testdata/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, f := range all {
		if !strings.HasSuffix(f, ".golden.json") && !strings.HasPrefix(f, "testdata/fuzz") {
			files = append(files, f)
		}
	}
	if len(files) < 150 {
		t.Fatalf("only %d payloads", len(files))
	}
	return files
}

// answers are answers to try: each option once, with a comment where it takes one, and a value for each field.
func answers(it *wire.Interaction) map[string]wire.Answer {
	out := map[string]wire.Answer{}
	values := map[string]any{}
	for _, f := range it.Fields {
		switch f.Type {
		case wire.FieldChoice:
			values[f.ID] = f.Choices[0]
		case wire.FieldChoices:
			var all []any
			for _, c := range f.Choices {
				all = append(all, c)
			}
			values[f.ID] = all
		case wire.FieldInteger, wire.FieldNumber:
			values[f.ID] = 12.0
		case wire.FieldBoolean:
			values[f.ID] = true
		case wire.FieldDate:
			values[f.ID] = "2026-06-01"
		default:
			if f.Required || len(it.Fields) > 4 {
				values[f.ID] = "my own words"
			}
		}
	}
	for _, o := range it.Options {
		a := wire.Answer{Option: o.ID, Fields: values}
		if o.Comment == wire.CommentOptional || o.Comment == wire.CommentRequired {
			a.Comment = "Board is in use, ask again after 15:00"
		}
		out[o.ID] = a
	}
	return out
}

// Every event of every agent has a payload and what it means in a golden file; go test -update writes them anew.
//
// Proves: A1, A2, A10, S1
func TestGolden(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range payloads(t) {
		in := goldenInput(t, file)
		p := Translate(in)
		seen[p.Agent+" "+p.Event] = true
		t.Run(in.Agent+"/"+strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			g := golden{Plan: p, Undecided: p.Output}
			g.Unheld, _ = p.Operations(nil, false)
			if p.Ask != nil {
				ops, asked := p.Operations(nil, true)
				g.Asked = ops[asked].Notification
				if p.Ask.Undecided != "" {
					g.Undecided = p.Ask.Undecided
				}
				g.Outputs = map[string]string{}
				for id, a := range answers(g.Asked.Interaction) {
					out, err := p.Ask.Decide(a)
					if err != nil {
						t.Errorf("answer %s: %v", id, err)
					}
					if out != "" && !json.Valid([]byte(out)) {
						t.Errorf("answer %s: output is no JSON: %s", id, out)
					}
					g.Outputs[id] = out
				}
				if _, err := p.Ask.Decide(wire.Answer{Option: "no such option"}); err == nil {
					t.Error("an unknown option was taken")
				}
			}
			var got bytes.Buffer
			e := json.NewEncoder(&got)
			e.SetEscapeHTML(false)
			e.SetIndent("", " ")
			if err := e.Encode(g); err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(file, ".json") + ".golden.json"
			if *update {
				if err := os.WriteFile(name, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got.Bytes(), want) {
				t.Errorf("%s differs; got:\n%s", name, got.Bytes())
			}
		})
	}
	for _, a := range Agents {
		for _, e := range a.Events {
			if !seen[a.Name+" "+e] {
				t.Errorf("%s has no payload of %s", a.Name, e)
			}
		}
	}
}
