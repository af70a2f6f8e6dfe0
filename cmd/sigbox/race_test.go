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

// atOnce delivers payloads of hooks of one session to a center.
type atOnce struct {
	t     *testing.T
	home  string
	agent string
	id    string // of the turn, as members of the payload
	at    time.Time
	owner *client.Client
}

func newAtOnce(t *testing.T, agent, id string) *atOnce {
	home := filepath.Join(t.TempDir(), "home")
	d := startDaemon(t, home)
	owner, err := client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(owner.Close)
	return &atOnce{t: t, home: home, agent: agent, id: id, at: time.Now(), owner: owner}
}

// deliver carries a payload out, whose %s is the turn.
func (l *atOnce) deliver(payload string, transport http.RoundTripper) {
	l.t.Helper()
	a := &app{
		surroundings: surroundings{env: func(string) string { return "" }, now: time.Now, transport: transport},
		ctx:          l.t.Context(), cli: &cli{Home: l.home},
	}
	l.at = l.at.Add(time.Millisecond)
	p := agents.Translate(agents.Input{Agent: l.agent, Payload: []byte(strings.ReplaceAll(payload, "%s", l.id)), At: l.at, Wait: time.Minute})
	h := &hooker{app: a, who: hookConnection(a, l.agent)}
	defer h.close()
	if _, err := h.deliver(l.t.Context(), p, true); err != nil {
		l.t.Errorf("%s: %v", p.Event, err)
	}
}

// both delivers a payload, and when it has been decided what to do, and before it is done, another one.
func (l *atOnce) both(first, second string) {
	l.t.Helper()
	between := false
	l.deliver(first, answers(func(r *http.Request) (*http.Response, error) {
		if !between && strings.HasSuffix(r.URL.Path, "/batch") {
			between = true
			l.deliver(second, nil)
		}
		return http.DefaultTransport.RoundTrip(r)
	}))
	if !between {
		l.t.Error("nothing was decided")
	}
}

// session is the only one.
func (l *atOnce) session() wire.Session {
	l.t.Helper()
	list, err := l.owner.Sessions(l.t.Context(), l.agent)
	if err != nil || len(list) != 1 {
		l.t.Fatalf("%+v, %v", list, err)
	}
	return list[0]
}

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
				lab := newAtOnce(t, c.agent, id)
				lab.both(c.first, c.second)
				page, err := lab.owner.List(t.Context(), client.Query{Statuses: []string{wire.StatusPending}})
				if err != nil {
					t.Fatal(err)
				}
				if n := page.Notifications; len(n) != 1 || string(agents.ClassOf(n[0].Key)) != c.want {
					t.Errorf("pending: %+v", n)
				}
				if got := lab.session(); got.Sequence != 1 {
					t.Errorf("told of otherwise than once: %+v", got)
				}
			})
		}
	}
}

// Whichever of two hooks decides first, the session is in the end what the later event says.
//
// Proves: A9
func TestStateOfHooksThatDecideAtOnce(t *testing.T) {
	t.Parallel()
	const (
		request = `{"session_id":"s","prompt_id":"p","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`
		ran     = `{"session_id":"s","prompt_id":"p","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t"}`
		stop    = `{"session_id":"s","prompt_id":"p","hook_event_name":"Stop"}`
	)
	for name, c := range map[string]struct{ first, second string }{
		"the tool ran, and the turn ended": {ran, stop}, "the turn ended, and the tool ran": {stop, ran},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := newAtOnce(t, "claude", "")
			lab.deliver(request, nil)
			lab.both(c.first, c.second)
			if got := lab.session(); got.State != agents.StateIdle {
				t.Errorf("the session is %s", got.State)
			}
		})
	}
}
