//go:build linux && e2e

package journey

import (
	"slices"
	"strings"
	"testing"

	"signalbox/bridge/wire"
	"signalbox/internal/e2e/rig"
)

// A permission that nobody answers while its agent is held goes on waiting in the terminal, and its session still needs the
// owner; an answer makes the session work at once.
func TestAHoldThatRunsOut(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light"})
	app := r.App()
	api := app.Bridge()
	window := r.Window("Signalbox")
	s := session{r, "s-held"}
	s.hook("SessionStart", `"source":"startup","model":"m"`)
	s.hook("UserPromptSubmit", `"prompt":"flash the board"`)
	ask := `{"session_id":"s-held","cwd":"/src/kiosk","hook_event_name":"PermissionRequest","prompt_id":"p-9","tool_name":"Bash","tool_input":{"command":"make flash"}}`
	if out := r.SigboxIn(ask, "hook", "claude", "--wait=1s").Want(0).Stdout; out != "" {
		t.Fatalf("decided by itself: %s", out)
	}
	the := func() wire.Session {
		var list wire.Sessions
		api.JSON("GET", "/v1/connections/claude/sessions", nil, &list)
		if len(list.Sessions) != 1 {
			t.Fatalf("sessions: %+v", list.Sessions)
		}
		return list.Sessions[0]
	}
	left := pending(api)
	if len(left) != 1 || !slices.Contains(left[0].Lines, "Answer it in its terminal.") {
		t.Fatalf("pending: %+v", left)
	}
	if got := the(); got.NeedsYou != wire.NeedsConfirm || got.State != "waiting" {
		t.Errorf("the session is %+v", got)
	}
	r.WaitToastFunc("where it is to be answered", func(toast rig.Toast) bool {
		return strings.Contains(toast.Summary+toast.Body, "in its terminal")
	})
	window.Screenshot("in-its-terminal")

	// Asked again, and answered here.
	done := make(chan rig.Result, 1)
	go func() { done <- r.SigboxIn(ask, "hook", "claude", "--wait=1m") }()
	var asked *wire.Notification
	r.Eventually("the permission to be asked again", func() bool {
		asked = find(pending(api), func(n wire.Notification) bool { return n.Kind == wire.KindInteraction })
		return asked != nil
	})
	r.Sigbox("answer", asked.ID, "allow").Want(0)
	if res := <-done; !strings.Contains(res.Stdout, `"behavior":"allow"`) {
		t.Errorf("the agent heard %q", res.Stdout)
	}
	r.Eventually("the session to work", func() bool { got := the(); return got.State == "working" && got.NeedsYou == "" })
	window.Screenshot("works")
}
