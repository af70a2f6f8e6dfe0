package main

import (
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
	"signalbox/client"
)

// Two hooks of a session decide at the same time, each on what it saw before the other was there: what both tell is told once.
//
// Proves: A2, A10, L5
func TestHooksThatDecideAtOnce(t *testing.T) {
	t.Parallel()
	const (
		request = `{"session_id":"s","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}%s}`
		notice  = `{"session_id":"s","hook_event_name":"Notification","notification_type":"permission_prompt","message":"m"%s}`
		idle    = `{"session_id":"s","hook_event_name":"Notification","notification_type":"idle_prompt","message":"m"%s}`
		stop    = `{"session_id":"s","hook_event_name":"Stop","last_assistant_message":"m"%s}`
	)
	for name, c := range map[string]struct {
		agent, first, second string
		want                 string // class of what is pending then
	}{
		"the notice and the request":       {"claude", notice, request, "permission"},
		"the request and the notice":       {"claude", request, notice, "permission"},
		"a request, hooked twice":          {"claude", request, request, "permission"},
		"idle and the turn's end":          {"claude", idle, stop, "turn"},
		"the end of a turn, hooked twice":  {"claude", stop, stop, "turn"},
		"the end of a turn without an id":  {"vscode", stop, stop, "turn"},
		"a request that repeats the owner": {"codex", request, request, "permission"},
	} {
		for turn, id := range map[string]string{"": "", " of a turn": `,"prompt_id":"p","turn_id":"p"`} {
			t.Run(name+turn, func(t *testing.T) {
				t.Parallel()
				home := filepath.Join(t.TempDir(), "home")
				d := startDaemon(t, home)
				at := time.Now()
				deliver := func(payload string, transport http.RoundTripper) {
					a := &app{
						surroundings: surroundings{env: func(string) string { return "" }, now: time.Now, transport: transport},
						ctx:          t.Context(), cli: &cli{Home: home},
					}
					at = at.Add(time.Millisecond)
					p := agents.Translate(agents.Input{Agent: c.agent, Payload: []byte(strings.ReplaceAll(payload, "%s", id)), At: at, Wait: time.Minute})
					h := &hooker{app: a, who: hookConnection(a, c.agent)}
					defer h.close()
					if _, err := h.deliver(t.Context(), p, true); err != nil {
						t.Errorf("%s: %v", p.Event, err)
					}
				}
				between := false
				deliver(c.first, answers(func(r *http.Request) (*http.Response, error) {
					if !between && strings.HasSuffix(r.URL.Path, "/batch") { // it has decided
						between = true
						deliver(c.second, nil)
					}
					return http.DefaultTransport.RoundTrip(r)
				}))
				owner, err := client.New(d.URL(), d.OwnerToken(), nil)
				if err != nil {
					t.Fatal(err)
				}
				defer owner.Close()
				page, err := owner.List(t.Context(), client.Query{Statuses: []string{wire.StatusPending}})
				if err != nil {
					t.Fatal(err)
				}
				if n := page.Notifications; !between || len(n) != 1 || string(agents.ClassOf(n[0].Key)) != c.want {
					t.Errorf("pending: %+v", n)
				}
				sessions, err := owner.Sessions(t.Context(), c.agent)
				if err != nil || len(sessions) != 1 || sessions[0].Sequence != 1 {
					t.Errorf("told of otherwise than once: %+v, %v", sessions, err)
				}
			})
		}
	}
}
