package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
	"signalbox/client"
)

// A session waits by what waits in it: a notice of what was answered already leaves it at work, one of a new prompt is an item
// of its own, and a tool that runs has it work again, also where that item was dismissed.
//
// Proves: A4, A9
func TestStateAfterANotice(t *testing.T) {
	t.Parallel()
	const (
		prompt = `"hook_event_name":"UserPromptSubmit","prompt":"go"`
		ask    = `"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}`
		ran    = `"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"}`
		other  = `"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/x"}`
		notice = `"hook_event_name":"Notification","notification_type":"permission_prompt","message":"m"`
	)
	home := filepath.Join(t.TempDir(), "home")
	d := startDaemon(t, home)
	owner, err := client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	for _, c := range []struct {
		name, payload, state string
		pending              int
	}{
		{"a prompt", prompt, agents.StateWorking, 0},
		{"a request", ask, agents.StateWaiting, 1},
		{"its tool ran", ran, agents.StateWorking, 0},
		{"its notice comes late", notice, agents.StateWorking, 0},
		{"the next prompt", prompt, agents.StateWorking, 0},
		{"a notice of its own", notice, agents.StateWaiting, 1},
		{"the owner dismisses it", "", agents.StateWaiting, 0},
		{"another tool ran", other, agents.StateWorking, 0},
	} {
		pending := func() []wire.Notification {
			page, err := owner.List(t.Context(), client.Query{Statuses: []string{wire.StatusPending}})
			if err != nil {
				t.Fatal(err)
			}
			return page.Notifications
		}
		if c.payload == "" {
			n := pending()[0]
			if _, err := owner.Dismiss(t.Context(), n.ID, wire.RevisionOf(n)); err != nil {
				t.Fatal(err)
			}
		} else if code := run(t.Context(), surroundings{
			args: []string{"hook", "claude", "--home=" + home}, stdin: strings.NewReader(`{"session_id":"s",` + c.payload + `}`),
			stdout: io.Discard, stderr: io.Discard, env: func(string) string { return "" }, now: time.Now,
		}); code != exitDone {
			t.Fatalf("%s: exit %d", c.name, code)
		}
		sessions, err := owner.Sessions(t.Context(), "claude")
		if err != nil || len(sessions) != 1 {
			t.Fatalf("%s: %+v, %v", c.name, sessions, err)
		}
		if n := pending(); sessions[0].State != c.state || len(n) != c.pending {
			t.Fatalf("%s: it is %s, want %s; pending: %+v, want %d", c.name, sessions[0].State, c.state, n, c.pending)
		}
	}
}
