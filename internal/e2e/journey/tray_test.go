//go:build linux && e2e

package journey

import (
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"signalbox/internal/e2e/rig"
	"signalbox/tray"
)

// However much waits, the tray's menu is short; the first can be answered in it, the others in a menu of their own each.
//
// Proves: P4
func TestTheTraysMenuIsShort(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light"})
	app := r.App("--hidden")
	api := app.Bridge()
	agent := connect(api, "Claude Code")
	var asked []string
	for i := range 9 {
		asked = append(asked, agent.publish(map[string]any{"title": fmt.Sprintf("Run step %d of the release?", i+1), "kind": "interaction",
			"interaction": map[string]any{"kind": "permission", "prompt": fmt.Sprintf("./release.sh %d", i+1), "options": []any{
				map[string]any{"id": "once", "label": "Allow once", "style": "primary"}, map[string]any{"id": "no", "label": "Deny"}}}}).ID)
	}
	item := r.TrayItem(app.Pid())
	item.WaitMenu("… and 3 more")
	n := 0
	for _, l := range item.Menu() {
		if l.Visible && !l.Separator {
			n++
		}
	}
	if n > 20 {
		t.Errorf("%d lines", n)
	}
	screen := r.Image().Bounds()
	var at image.Point
	r.Eventually("the icon", func() bool {
		found, n := r.FindColour(color.NRGBA{0xff, 0x9f, 0x38, 0xff}, 60, image.Rect(screen.Max.X-160, screen.Max.Y-40, screen.Max.X, screen.Max.Y))
		at = found
		return n > 10
	})
	r.Click(3, at.X, at.Y)
	r.Eventually("the menu", func() bool {
		_, n := r.FindColour(color.NRGBA{0xef, 0xef, 0xef, 0xff}, 4, image.Rect(screen.Max.X-200, screen.Max.Y-300, screen.Max.X, screen.Max.Y-40))
		return n > 1000
	})
	r.Key("Down", "Down", "Down", "Down", "Down", "Down", "Down", "Right")
	r.Screenshot("menu")
	r.Key("Escape", "Escape")

	other := ""
	for _, l := range item.Menu() {
		if strings.Contains(l.Label, "step 4") {
			other = l.Label
		}
	}
	acts(r, tray.Settle)
	item.ClickMenu(other + " > Deny")
	r.Eventually("the answer", func() bool { return get(api, asked[3]).Status != "pending" })
	if n := get(api, asked[3]); n.Outcome == nil || n.Outcome.Answer == nil || n.Outcome.Answer.Option != "no" {
		t.Errorf("outcome %+v", n.Outcome)
	}
}
