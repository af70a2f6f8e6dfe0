//go:build linux && e2e

package journey

import (
	"strings"
	"testing"
	"time"

	"signalbox/internal/e2e/rig"
)

// A click on a toast leads to its question, also when the windows have only just begun and another session was looked at
// last: its session is the active one, its card is chosen, and the keys answer it.
func TestAToastLeadsToItsQuestion(t *testing.T) {
	// Proves: P1, A7
	r := rig.Start(t, rig.Options{Theme: "light"})
	app := r.App("--hidden")
	api := app.Bridge()
	held(t, r, "s-infra", "/src/infra", "make infra", "")
	r.WaitToastFunc("the first permission", func(t rig.Toast) bool { return t.Summary == "Run make infra" })
	r.CloseToasts()
	r.Eventually("the toasts to be gone", func() bool { return r.Shown() == 0 })
	api.JSON("PUT", "/v1/focus", map[string]string{"connection": "claude", "session": "s-infra"}, nil)
	answer := held(t, r, "s-web", "/src/web", "make web", "")
	r.WaitToastFunc("the permission of the other session", func(t rig.Toast) bool { return t.Summary == "Run make web" })
	r.Eventually("the window", func() bool { // a toast is inert at first
		r.ActToast()
		return r.HasWindow(railTitle)
	})
	w := r.Window(railTitle)
	w.Focus()
	r.Never("an answer nobody gave", time.Second, func() bool { return len(answer) > 0 })
	w.Screenshot("toast-clicked")
	w.Key("1")
	w.Key("1")
	select {
	case got := <-answer:
		if !strings.Contains(got, `"behavior":"allow"`) {
			t.Errorf("the agent heard %q", got)
		}
	case <-time.After(20 * time.Second):
		w.Screenshot("toast-not-answered")
		t.Fatal("no answer reached the agent that the toast was of")
	}
}
