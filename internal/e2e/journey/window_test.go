//go:build linux && e2e

package journey

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/internal/e2e/rig"
)

// The names of the windows.
const (
	railTitle     = "Signalbox"
	historyTitle  = "Signalbox — History"
	settingsTitle = "Signalbox — Settings"
)

// script is a connection made for a test.
type script struct {
	*rig.Bridge
	id string
}

func connect(b *rig.Bridge, label string) script {
	var made wire.ConnectionCreated
	b.JSON("POST", "/v1/connections", map[string]string{"label": label}, &made)
	return script{b.With(made.Token), made.Connection.ID}
}

func (s script) publish(fields map[string]any) wire.Notification {
	var res wire.PublishResult
	s.JSON("POST", "/v1/connections/"+s.id+"/notifications", fields, &res)
	return res.Notification
}

func get(b *rig.Bridge, id string) wire.Notification {
	var n wire.Notification
	b.JSON("GET", "/v1/notifications/"+id, nil, &n)
	return n
}

// aside reports whether what waits is set aside.
func aside(b *rig.Bridge, id string) bool {
	n := get(b, id)
	return n.Interaction != nil && !n.Interaction.SetAsideUntil.IsZero()
}

var permission = map[string]any{
	"title": "Run the database migration?", "kind": "interaction", "tags": []string{"db"},
	"body": "The checkout tests need the new `orders` table.",
	"interaction": map[string]any{"kind": "permission", "prompt": "psql -U shop -f migrations/0042_orders.sql", "options": []any{
		map[string]any{"id": "once", "label": "Allow once", "style": "primary"},
		map[string]any{"id": "session", "label": "Allow for this session"},
		map[string]any{"id": "deny", "label": "Deny", "style": "danger", "comment": "optional"},
	}},
}

// A newcomer sees how to connect an agent, and does it with one more click.
func TestFirstRun(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light"})
	settings := ""
	for _, kv := range r.Env() {
		if home, ok := strings.CutPrefix(kv, "HOME="); ok {
			settings = filepath.Join(home, ".claude", "settings.json")
		}
	}
	// Claude Code is there: it has a folder of settings.
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	app := r.App()
	app.Bridge()
	w := r.Window(railTitle)
	// The list of agents is drawn when the first one's card is: white, right of its name.
	r.Eventually("the list of agents", func() bool {
		return w.Image().NRGBAAt(w.Image().Bounds().Min.X+600, w.Image().Bounds().Min.Y+240) == color.NRGBA{255, 255, 255, 255}
	})
	w.Screenshot("first-run")
	if r.HasWindow(settingsTitle) {
		t.Error("a second window covers the first")
	}
	w.Click(878, 248)
	r.Eventually("Claude Code's settings to name the hook", func() bool {
		b, err := os.ReadFile(settings)
		return err == nil && strings.Contains(string(b), "sigbox")
	})
	w.Screenshot("connected")
	w.Key("Escape")
	w.Screenshot("after-the-welcome")
}

func near(a, b color.NRGBA) bool {
	d := func(x, y uint8) bool { return max(x, y)-min(x, y) <= 12 }
	return d(a.R, b.R) && d(a.G, b.G) && d(a.B, b.B)
}

// A permission is given by keys, not before the card has been there for a moment and not by one press, and the agent
// that waits gets the answer.
func TestAnswerByKeys(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light"})
	app := r.App()
	api := app.Bridge()
	agent := connect(api, "Claude Code")
	w := r.Window(railTitle)
	asked := agent.publish(permission)
	waited := make(chan wire.Notification, 1)
	go func() {
		var n wire.Notification
		agent.JSON("GET", "/v1/notifications/"+asked.ID+"?wait=60&since_revision=1", nil, &n)
		waited <- n
	}()
	r.WaitToastFunc("the question", func(t rig.Toast) bool { return true })
	r.CloseToasts()
	w.Focus()
	w.Screenshot("question")
	w.Key("Down")
	r.Never("an answer nobody gave", time.Second, func() bool { return get(api, asked.ID).Status != "pending" })
	w.Screenshot("question-chosen")
	w.Key("1")
	r.Never("leave given by one press of a key", time.Second, func() bool { return get(api, asked.ID).Status != "pending" })
	w.Screenshot("question-armed")
	var n wire.Notification
	r.Eventually("the answer to reach the agent", func() bool {
		w.Key("1") // again, and once more where a busy machine took longer than a key stays armed
		select {
		case n = <-waited:
			return true
		case <-time.After(time.Second):
			return false
		}
	})
	if n.Outcome == nil || n.Outcome.Answer == nil || n.Outcome.Answer.Option != "once" {
		t.Errorf("the agent got %+v", n.Outcome)
	}
}

// Escape closes one thing a press, then sets aside what is chosen; it never answers and never denies (I7).
//
// Proves: I7
func TestEscapeSetsAside(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "dark"})
	app := r.App()
	api := app.Bridge()
	agent := connect(api, "Codex")
	w := r.Window(railTitle)
	asked := agent.publish(permission)
	r.WaitToastFunc("the question", func(t rig.Toast) bool { return true }) // it stays: closing it would set aside too
	w.Focus()
	w.Screenshot("question")
	w.Key("Down")
	r.Eventually("it to be chosen", func() bool { return get(api, asked.ID).Read })
	w.Key("Return", "Escape")
	r.Never("the detail's Escape setting aside", time.Second, func() bool { return aside(api, asked.ID) })
	w.Key("Escape")
	r.Eventually("it to be set aside", func() bool { return aside(api, asked.ID) })
	at := get(api, asked.ID).UpdatedAt.String()
	w.Key("Down", "Escape", "Escape", "d")
	r.Never("an answer, or another time aside", time.Second, func() bool {
		n := get(api, asked.ID)
		return n.Status != "pending" || n.UpdatedAt.String() != at
	})
	var a wire.Attention
	api.JSON("GET", "/v1/attention", nil, &a)
	if a.Waiting != 1 {
		t.Errorf("%d waiting, want 1", a.Waiting)
	}
	w.Screenshot("set-aside")
}

// Forty failures at once are few toasts, and the question among them is told by name.
//
// Proves: A8
func TestStorm(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "dark"})
	app := r.App()
	api := app.Bridge()
	w := r.Window(railTitle)
	for i := range 8 {
		agent := connect(api, fmt.Sprintf("Agent %d", i))
		for j := range 5 {
			agent.publish(map[string]any{"title": fmt.Sprintf("Turn %d failed", j), "severity": "error",
				"event": map[string]string{"type": "session.turn_failed", "occurrence": fmt.Sprint(j)}})
		}
	}
	agent := connect(api, "Claude Code")
	asked := agent.publish(permission)
	r.WaitToastFunc("the question", func(t rig.Toast) bool {
		return strings.Contains(t.Summary+t.Body, "Claude Code") || strings.Contains(t.Summary+t.Body, asked.Title)
	})
	r.Never("more toasts than a storm may have", 3*time.Second, func() bool { return len(r.Toasts()) > 12 })
	t.Logf("%d toasts for 41 announcements", len(r.Toasts()))
	w.Screenshot("storm")
	if n := len(pending(api)); n != 41 {
		t.Errorf("%d pending, want 41", n)
	}
}

// Quiet time from the tray: nothing is told until it ends, then once.
//
// Proves: A8, A13
func TestQuietFromTheTray(t *testing.T) {
	r := rig.Start(t, rig.Options{})
	app := r.App("--hidden")
	api := app.Bridge()
	agent := connect(api, "Claude Code")
	item := r.TrayItem(app.Pid())
	item.ClickMenu("Do not disturb > 30 minutes")
	item.WaitMenu("Turn do not disturb off")
	before := len(r.Toasts())
	for i := range 3 {
		agent.publish(map[string]any{"title": fmt.Sprintf("Turn %d failed", i), "severity": "error",
			"event": map[string]string{"type": "session.turn_failed", "occurrence": fmt.Sprint(i)}})
	}
	r.Never("a toast in quiet time", 2*time.Second, func() bool { return len(r.Toasts()) > before })
	item.ClickMenu("Turn do not disturb off")
	r.Eventually("the digest", func() bool { return len(r.Toasts()) == before+1 })
	r.Never("a second one", 2*time.Second, func() bool { return len(r.Toasts()) > before+1 })
	toast := r.Toasts()[before]
	t.Logf("the digest: %q, %q", toast.Summary, toast.Body)
	if !strings.Contains(toast.Summary+toast.Body, "3") {
		t.Errorf("the digest %q, %q does not say how many", toast.Summary, toast.Body)
	}
}

// The history is opened and searched by keys.
func TestHistorySearch(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light"})
	app := r.App()
	api := app.Bridge()
	agent := connect(api, "Build robot")
	w := r.Window(railTitle)
	for i := range 30 {
		n := agent.publish(map[string]any{"title": fmt.Sprintf("Build %d is green", i), "severity": "success"})
		api.JSON("POST", "/v1/notifications/"+n.ID+"/dismiss", map[string]int{"expected_revision": 1}, nil)
	}
	agent.publish(map[string]any{"title": "Haystack needle", "body": "the one", "severity": "warning"})
	w.Key("ctrl+h")
	h := r.Window(historyTitle)
	h.Screenshot("history")
	green := color.NRGBA{0x2a, 0x9d, 0x5b, 0xff}
	count := func() int {
		m, n := h.Image(), 0
		for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
			for x := m.Bounds().Min.X; x < min(m.Bounds().Max.X, m.Bounds().Min.X+60); x++ {
				if c := m.NRGBAAt(x, y); near(c, green) {
					n++
				}
			}
		}
		return n
	}
	r.Eventually("the green rows", func() bool { return count() > 50 })
	h.Key("ctrl+f")
	h.Type("needle")
	r.Eventually("only what was searched for", func() bool { return count() == 0 })
	h.Screenshot("history-search")
	h.Key("ctrl+w") // the entry has the keyboard, and the window its shortcuts
	r.WaitNoWindow(historyTitle)
}

// Settings open by keys and take effect at once.
func TestSettings(t *testing.T) {
	r := rig.Start(t, rig.Options{})
	app := r.App()
	api := app.Bridge()
	connect(api, "Claude Code")
	w := r.Window(railTitle)
	w.Key("ctrl+comma")
	s := r.Window(settingsTitle)
	s.Screenshot("settings")
	s.Key("Escape")
	r.WaitNoWindow(settingsTitle)
	if !app.Running() {
		t.Error("closing the settings ended the app")
	}
	// Closing the window leaves the center running; the tray brings it back.
	w.Close()
	r.WaitNoWindow(railTitle)
	item := r.TrayItem(app.Pid())
	item.ClickMenu("Open Signalbox")
	r.Window(railTitle)
	item.ClickMenu("Quit Signalbox")
	if code := app.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
