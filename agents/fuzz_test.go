package agents

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"signalbox/bridge/wire"
)

// check holds what is true of every plan, whatever the payload.
func check(t *testing.T, p *Plan, payload []byte) {
	t.Helper()
	items := p.Items
	if p.Ask != nil {
		items = append([]Item{p.Ask.Item}, items...)
	}
	for _, it := range items {
		n := it.Publish
		switch {
		case n.Title == "" || utf8.RuneCountInString(n.Title) > maxTitle || strings.ContainsAny(n.Title, "\n\r\x00\x1b"):
			t.Errorf("title %q", n.Title)
		case len(n.Body) > maxBody || !utf8.ValidString(n.Body):
			t.Errorf("body of %d bytes", len(n.Body))
		case len(n.Lines) > maxLines:
			t.Errorf("%d lines", len(n.Lines))
		case n.Key == "" || len(n.Key) > 512:
			t.Errorf("key %q", n.Key)
		case len(n.Session) > 512:
			t.Errorf("session of %d bytes", len(n.Session))
		case len(n.Data) > 64<<10 || !json.Valid(n.Data):
			t.Errorf("data of %d bytes", len(n.Data))
		case n.Event != nil && (n.Event.Type == "" || n.Event.Occurrence == "" || len(n.Event.Occurrence) > 512):
			t.Errorf("event %+v", n.Event)
		case n.Kind == wire.KindInteraction && len(n.Interaction.Options)+len(n.Interaction.Fields) == 0:
			t.Error("a question without an answer")
		}
		for _, l := range n.Lines {
			if utf8.RuneCountInString(l) > maxLine {
				t.Errorf("line of %d", len(l))
			}
		}
		if i := n.Interaction; i != nil {
			for _, f := range i.Fields {
				if utf8.RuneCountInString(f.Label) > maxLine {
					t.Errorf("label of %d", len(f.Label))
				}
			}
		}
	}
	if p.Output != "" && !json.Valid([]byte(p.Output)) {
		t.Errorf("output %q", p.Output)
	}
	if _, err := json.Marshal(p); err != nil {
		t.Errorf("a plan that cannot be written down: %v", err)
	}
}

// No payload is fatal, and what becomes of it is always fit to be published.
//
// Proves: S1, S6
func FuzzTranslate(f *testing.F) {
	for _, file := range payloads(f) {
		agent, event, payload := load(f, file)
		f.Add(agent, event, payload)
	}
	f.Add("claude", "", []byte(`{"hook_event_name":"Stop","session_id":"`+strings.Repeat("é", 400)+`","last_assistant_message":"`+strings.Repeat("ü", 20000)+`"}`))
	f.Add("claude", "", []byte("{\"hook_event_name\":\"PermissionRequest\",\"tool_name\":\"\\u202e\\n\",\"tool_input\":{\"command\":\"\\u0000\x1b[31m\xff\"}}"))
	f.Add("claude", "", []byte(strings.Repeat(`{"a":`, 20000)))
	f.Add("nobody", "x", []byte(`[1]`))
	f.Fuzz(func(t *testing.T, agent, event string, payload []byte) {
		p := Translate(Input{Agent: agent, Event: event, Payload: payload, At: noon, Wait: time.Minute})
		check(t, p, payload)
		p.Operations(nil, true)
		if p.Ask != nil {
			for id, a := range answers(p.Ask.Item.Publish.Interaction) {
				if out, err := p.Ask.Decide(a); err == nil && out != "" && !json.Valid([]byte(out)) {
					t.Errorf("answer %s: output %q", id, out)
				}
			}
			if _, err := p.Ask.Decide(wire.Answer{}); err == nil {
				t.Error("an empty answer was taken")
			}
		}
		if m := Masked(payload, 4096); len(m) > 4096 || !utf8.ValidString(m) {
			t.Errorf("masked: %d bytes", len(m))
		}
	})
}

// Proves: S2
func TestMaskedKeepsNoContent(t *testing.T) {
	payload, err := os.ReadFile("testdata/claude/FutureEvent.json")
	if err != nil {
		t.Fatal(err)
	}
	m := Masked(append(payload[:len(payload)-2], []byte(`,"by path":{"/home/u/secret.txt":12345}}`)...), 4096)
	for _, secret := range []string{"secret text", "s-77", "kiosk", "12345", "secret.txt"} {
		if strings.Contains(m, secret) {
			t.Errorf("%q is in %s", secret, m)
		}
	}
	for _, kept := range []string{"novel", "hook_event_name", "text of 11", "number"} {
		if !strings.Contains(m, kept) {
			t.Errorf("%q is not in %s", kept, m)
		}
	}
}

// Proves: S1
func TestHugePayload(t *testing.T) {
	big := strings.Repeat("x", MaxPayload)
	p := Translate(Input{Agent: "claude", At: noon, Payload: []byte(cc("PostToolUse", flash+`,"tool_response":"`+big+`"`))})
	if !p.Broken || p.Session != "s" || len(p.Evidence) != 1 {
		t.Fatalf("got %+v", p)
	}
	d := newDesk(t)
	d.call("claude", cc("PermissionRequest", flash))
	if ops, _ := p.Operations(d.items, false); len(ops) != 1 {
		t.Error("what was read of it proves nothing")
	}
}

// Proves: S6
func TestTerminalFrom(t *testing.T) {
	env := map[string]string{
		"TERM_PROGRAM": "tmux", "TMUX": "/tmp/tmux-1000/default,4242,3", "TMUX_PANE": "%5", "WINDOWID": "94371842", "SSH_CONNECTION": "a b c d",
		"VSCODE_IPC_HOOK_CLI": "/run/x.sock", "DISPLAY": ":0", "WEZTERM_PANE": "7",
	}
	got := TerminalFrom(func(k string) string { return env[k] }, "/dev/pts/3\x1b[31m")
	want := Terminal{
		Program: "tmux", TmuxPane: "%5", TmuxSocket: "/tmp/tmux-1000/default", Window: "94371842", Remote: "ssh", Editor: "vscode", Display: ":0",
		Session: "7", TTY: "/dev/pts/3 [31m",
	}
	if got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if got := TerminalFrom(func(string) string { return "" }, ""); got != (Terminal{}) {
		t.Errorf("got %+v", got)
	}
}

// The payloads of every known event have known fields only, and a new one is named without its value.
//
// Proves: S2
func TestUnknownFields(t *testing.T) {
	for _, file := range payloads(t) {
		in := goldenInput(t, file)
		if p := Translate(in); p.Known {
			if u := UnknownFields(in.Agent, in.Payload); len(u) > 0 {
				t.Errorf("%s: unknown %v", file, u)
			}
		}
	}
	got := UnknownFields("claude", []byte(cc("Stop", `"brand_new":"secret","a very private name":1,"BRAND-new":2`)))
	if want := []string{"BRAND-new", "brand_new", "name of 19"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
