//go:build linux && e2e

// Package journey walks through the real programs on a real screen, session bus, notification daemon
// and tray host, as the owner would.
package journey

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/internal/e2e/rig"
	"signalbox/tray"
)

// acts waits until what is there acts: what came a moment ago under a hand that was on its way does nothing yet.
func acts(r *rig.Rig, inert time.Duration) {
	seen := time.Now()
	r.Eventually("what is there to act", func() bool { return time.Since(seen) > 2*inert })
}

// session is one Claude Code session as its hooks tell it.
type session struct {
	r  *rig.Rig
	id string
}

// hook hands an event to `sigbox hook claude`, as Claude Code does.
func (s session) hook(event, fields string) rig.Result {
	if fields != "" {
		fields = "," + fields
	}
	payload := fmt.Sprintf(`{"session_id":%q,"transcript_path":"/home/u/.claude/projects/kiosk/%s.jsonl","cwd":"/src/kiosk","hook_event_name":%q,"permission_mode":"default","prompt_id":"p-9"%s}`,
		s.id, s.id, event, fields)
	res := s.r.SigboxIn(payload, "hook", "claude").Want(0)
	if res.Stdout != "" {
		// Anything on stdout is a decision to Claude Code.
		panic("the hook printed " + res.Stdout)
	}
	return res
}

// pending are the pending records.
func pending(b *rig.Bridge) []wire.Notification {
	var page wire.Page
	b.JSON("GET", "/v1/notifications?status=pending&limit=500", nil, &page)
	return page.Notifications
}

func find(list []wire.Notification, match func(wire.Notification) bool) *wire.Notification {
	for i := range list {
		if match(list[i]) {
			return &list[i]
		}
	}
	return nil
}

// The main job, end to end: an agent publishes, the owner sees it, is told by a toast, dismisses it
// from the tray, and finds it in the history, also after a crash.
func TestAClaudeSession(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light"})
	app := r.App()
	api := app.Bridge()
	window := r.Window("Signalbox")

	s := session{r, "s-77"}
	s.hook("SessionStart", `"source":"startup","model":"m"`)
	s.hook("UserPromptSubmit", `"prompt":"flash the board"`)
	s.hook("PermissionRequest", `"tool_name":"Bash","tool_input":{"command":"make flash","description":"Write firmware"}`)
	var asked *wire.Notification
	r.Eventually("the permission to be asked", func() bool {
		asked = find(pending(api), func(n wire.Notification) bool {
			return n.Session == s.id && strings.Contains(n.Title+n.Body, "make flash")
		})
		return asked != nil
	})
	told := r.WaitToastFunc("the permission", func(t rig.Toast) bool {
		return strings.Contains(t.Summary, "Claude") || strings.Contains(t.Summary, asked.Title)
	})

	// It ran: whoever asked was answered in the terminal, so the item and its toast go (A9).
	s.hook("PostToolUse", `"tool_name":"Bash","tool_input":{"command":"make flash","description":"Write firmware"},"tool_use_id":"tu1","tool_response":"ok"`)
	r.Eventually("the permission to be settled by what followed", func() bool {
		var n wire.Notification
		api.JSON("GET", "/v1/notifications/"+asked.ID, nil, &n)
		return n.Status == "resolved"
	})
	r.Eventually("the toast to be taken back", func() bool {
		for _, toast := range r.Toasts() {
			if toast.ID == told.ID && toast.Closed != 0 {
				return true
			}
		}
		return false
	})

	// The turn fails: told, on the rail, in the tray.
	s.hook("StopFailure", `"error":"rate_limit","error_details":"Try again at 15:00"`)
	var failed *wire.Notification
	r.Eventually("the failure to be published", func() bool {
		failed = find(pending(api), func(n wire.Notification) bool { return n.Event != nil && n.Event.Type == "session.turn_failed" })
		return failed != nil
	})
	r.WaitToastFunc("the failure", func(t rig.Toast) bool { return t.At.After(told.At) })
	api.JSON("PUT", "/v1/focus", map[string]string{"connection": failed.Connection, "session": s.id}, nil)
	var rail wire.Rail
	r.Eventually("the failure on the rail of its session", func() bool {
		api.JSON("GET", "/v1/rail", nil, &rail)
		return len(rail.Session) == 1 && rail.Session[0].ID == failed.ID
	})
	window.Screenshot("failure-in-window")

	item := r.TrayItem(app.Pid())
	line := ""
	r.Eventually("its line in the tray", func() bool {
		for _, l := range item.Labels() {
			if strings.Contains(l, failed.Title) {
				line = l
				return true
			}
		}
		return false
	})
	if line == "" {
		t.Fatal("no line")
	}
	dismiss := ""
	for _, l := range item.Labels() {
		if strings.Contains(l, "Dismiss (revision") || strings.TrimSpace(l) == "Dismiss" {
			dismiss = l
			break
		}
	}
	acts(r, tray.Settle)
	item.ClickMenu(dismiss)
	r.Eventually("the dismissal", func() bool {
		var n wire.Notification
		api.JSON("GET", "/v1/notifications/"+failed.ID, nil, &n)
		return n.Status == "dismissed"
	})
	r.Eventually("an empty rail", func() bool {
		api.JSON("GET", "/v1/rail", nil, &rail)
		return len(rail.Session)+len(rail.Application) == 0
	})
	window.Screenshot("after-the-dismissal")

	// The history has both, and has them after a crash as they were.
	history := func(b *rig.Bridge) map[string]string {
		var page wire.Page
		b.JSON("GET", "/v1/notifications?limit=500&include_silent=true&session="+url.QueryEscape(s.id), nil, &page)
		got := map[string]string{}
		for _, n := range page.Notifications {
			got[n.ID] = fmt.Sprint(n.Status, n.Revision, n.UpdatedAt)
		}
		return got
	}
	before := history(api)
	if len(before) < 2 {
		t.Fatalf("history %v", before)
	}
	app.Kill()
	app = r.App()
	api = app.Bridge()
	after := history(api)
	for id, was := range before {
		if after[id] != was {
			t.Errorf("%s was %s, is %s after the crash", id, was, after[id])
		}
	}
	r.Window("Signalbox")
	if code := app.Stop(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// What is missing on the machine is said, and the center runs without it.
func TestWithoutPartsOfADesktop(t *testing.T) {
	for _, tc := range []struct {
		name string
		o    rig.Options
		says string
	}{
		{"no session bus", rig.Options{NoBus: true, NoPanel: true, NoDaemon: true}, "session bus"},
		{"no tray host", rig.Options{NoPanel: true}, "tray"},
		{"no notification daemon", rig.Options{NoDaemon: true}, "notification"},
		{"no OpenGL", rig.Options{NoGL: true}, "OpenGL"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := rig.Start(t, tc.o)
			app := r.App()
			api := app.Bridge()
			var made wire.ConnectionCreated
			api.JSON("POST", "/v1/connections", map[string]string{"label": "script"}, &made)
			api.With(made.Token).JSON("POST", "/v1/connections/"+made.Connection.ID+"/notifications",
				map[string]any{"title": "It failed", "severity": "error"}, nil)
			r.Eventually("the log to say what is missing", func() bool {
				return strings.Contains(strings.ToLower(app.Log()), strings.ToLower(tc.says))
			})
			if n := len(pending(api)); n != 1 {
				t.Errorf("%d pending, want 1", n)
			}
			if !tc.o.NoGL {
				r.Window("Signalbox").Screenshot("window")
			}
			if code := app.Stop(); code != 0 {
				t.Errorf("exit code %d:\n%s", code, app.Log())
			}
		})
	}
}

// A second start shows the first one's window and ends well.
func TestSecondStartShowsTheFirst(t *testing.T) {
	r := rig.Start(t, rig.Options{})
	app := r.App("--hidden")
	app.Bridge()
	r.TrayItem(app.Pid())
	if r.HasWindow("Signalbox") {
		t.Fatal("a window though --hidden was asked for")
	}
	second := r.App()
	if code := second.Wait(); code != 0 {
		t.Errorf("the second start ended with %d:\n%s", code, second.Log())
	}
	r.Window("Signalbox")
	if !app.Running() {
		t.Error("the first one is gone")
	}
}

// How long the parts take, from a publication's answer to the toast's arrival; noted, not judged.
func TestToldSoon(t *testing.T) {
	r := rig.Start(t, rig.Options{})
	app := r.App("--hidden")
	api := app.Bridge()
	var made wire.ConnectionCreated
	api.JSON("POST", "/v1/connections", map[string]string{"label": "script"}, &made)
	r.TrayItem(app.Pid())
	var worst time.Duration
	for i := range 5 {
		title := fmt.Sprintf("Question %d", i)
		api.With(made.Token).JSON("POST", "/v1/connections/"+made.Connection.ID+"/notifications", map[string]any{
			"title": title, "severity": "error", "event": map[string]string{"type": "session.turn_failed", "occurrence": title}}, nil)
		answered := time.Now()
		toast := r.WaitToastFunc(title, func(t rig.Toast) bool { return strings.Contains(t.Summary+t.Body, title) })
		worst = max(worst, toast.At.Sub(answered))
		t.Logf("toast %d at the daemon %v after the publication was answered", i, toast.At.Sub(answered))
		// A storm is told as one: the next one is to stand alone.
		r.Never("a second toast", 1100*time.Millisecond, func() bool { return false })
	}
	t.Logf("the slowest of five: %v", worst)
}
