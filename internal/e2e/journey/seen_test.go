//go:build linux && e2e

package journey

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"signalbox/internal/e2e/rig"
)

// How long it takes from a publication's answer until its row is on the screen; noted, not judged.
func TestSeenSoon(t *testing.T) {
	r := rig.Start(t, rig.Options{NoDaemon: true, NoPanel: true, Theme: "light"})
	app := r.App()
	api := app.Bridge()
	agent := connect(api, "script")
	w := r.Window(railTitle)
	w.Screenshot("before") // returns once the window has come to rest
	for i := range 5 {
		before := w.Image().Pix
		agent.publish(map[string]any{"title": fmt.Sprintf("Item %d", i)})
		answered := time.Now()
		var looked time.Duration
		r.Eventually("the row", func() bool {
			began := time.Now()
			changed := !bytes.Equal(before, w.Image().Pix)
			looked = time.Since(began)
			return changed
		})
		t.Logf("row %d seen %v after the publication was answered; the look itself takes %v", i, time.Since(answered), looked)
		w.Screenshot(fmt.Sprintf("row-%d", i))
	}
}
