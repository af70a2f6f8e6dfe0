//go:build linux && e2e

package journey

import (
	"os"
	"testing"
	"time"

	"signalbox/internal/e2e/rig"
)

// A desk at work, for the eye and the README: several agents, one of which needs the owner most.
// With SIGNALBOX_PICTURES=1 the pictures of docs/screenshots are taken anew.
func TestADeskAtWork(t *testing.T) {
	for _, look := range []string{"light", "dark"} {
		t.Run(look, func(t *testing.T) {
			r := rig.Start(t, rig.Options{Theme: look, Size: "1320x940"})
			app := r.App()
			api := app.Bridge()
			// Toasts would lie over the window.
			api.JSON("PUT", "/v1/do-not-disturb", map[string]string{"until": time.Now().Add(time.Hour).UTC().Format(time.RFC3339)}, nil)
			claude, codex, build := connect(api, "Claude Code"), connect(api, "Codex"), connect(api, "Nightly build")
			put := func(s script, session, title, state string) {
				s.JSON("PUT", "/v1/connections/"+s.id+"/sessions/"+session, map[string]string{"title": title, "state": state}, nil)
			}
			put(claude, "checkout", "Finish the checkout flow", "waiting")
			put(claude, "docs", "Docs for the public API", "working")
			put(codex, "client", "Client for the v2 API", "working")
			build.publish(map[string]any{"title": "Nightly build is green", "severity": "success", "lines": []string{"214 tests", "3 min 12 s"}})
			build.publish(map[string]any{"title": "Deploying 4.1.7 to staging", "kind": "progress", "progress": map[string]any{"current": 11, "total": 18, "text": "Rolling eu-west"}})
			codex.publish(map[string]any{"title": "Tests of the importer fail", "severity": "error", "body": "`TestDecimalComma` expects **1.5**, got **15**.", "tags": []string{"importer"}})
			codex.publish(map[string]any{"title": "Which API version should the client target?", "session": "client", "kind": "interaction",
				"interaction": map[string]any{"kind": "question", "prompt": "v2 drops the legacy_id field that three screens still read.", "options": []any{
					map[string]string{"id": "v1", "label": "Stay on v1"}, map[string]string{"id": "v2", "label": "Move to v2"}}}})
			ask := map[string]any{"session": "checkout"}
			for k, v := range permission {
				ask[k] = v
			}
			claude.publish(ask)
			api.JSON("PUT", "/v1/focus", map[string]string{"connection": claude.id, "session": "checkout"}, nil)
			w := r.Window(railTitle)
			w.Move(20, 30)
			w.Resize(1240, 820)
			w.Key("Home")
			r.Eventually("the orange of what waits", func() bool {
				m, n := w.Image(), 0
				for i := 0; i+3 < len(m.Pix); i += 4 {
					if m.Pix[i] > 220 && m.Pix[i+1] > 110 && m.Pix[i+1] < 185 && m.Pix[i+2] < 90 {
						n++
					}
				}
				return n > 500
			})
			taken := w.Screenshot("desk-" + look)
			if n := len(pending(api)); n != 5 {
				t.Errorf("%d pending, want 5", n)
			}
			if os.Getenv("SIGNALBOX_PICTURES") != "" {
				r.CopyArtefact(taken, "docs/screenshots/desk-"+look+".png")
			}
		})
	}
}
