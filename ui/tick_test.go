package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
)

// countingApp counts what is asked to be drawn anew.
type countingApp struct {
	fyne.App
	driver *countingDriver
}

func (a *countingApp) Driver() fyne.Driver { return a.driver }

type countingDriver struct {
	fyne.Driver
	refreshed map[string]int
}

func (d *countingDriver) CanvasForObject(o fyne.CanvasObject) fyne.Canvas {
	c := d.Driver.CanvasForObject(o)
	if c == nil {
		return nil
	}
	return &countingCanvas{c, d}
}

type countingCanvas struct {
	fyne.Canvas
	d *countingDriver
}

func (c *countingCanvas) Refresh(o fyne.CanvasObject) {
	c.d.refreshed["all"]++
	c.Canvas.Refresh(o)
}

// A second that changes no text draws nothing: without a graphics card, drawing costs a fifth of a core. What waits for
// less than ten minutes shows its seconds.
func TestAStepThatChangesNothingDrawsNothing(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", func(in *notify.Interaction) { in.TimeoutSeconds = 7200 })
		d.ask("s", "May I?")
		d.do(notify.SetAside{ID: d.ask("s2", "And I?")})
		d.do(notify.Publish{Connection: "claude", Key: "p", Content: notify.Content{Kind: notify.KindProgress, Title: "Indexing", Progress: &notify.Progress{Text: "so far"}}})
		d.notice("a")
		r := d.show()
		r.openNext() // the detail is open
		count := &countingDriver{Driver: d.app.Driver(), refreshed: map[string]int{}}
		steps := func(n int) int {
			d.wait(100 * time.Millisecond)
			count.refreshed["all"] = 0
			d.wait(time.Duration(n) * time.Second)
			return count.refreshed["all"]
		}
		fyne.SetCurrentApp(&countingApp{d.app, count})
		defer fyne.SetCurrentApp(d.app)
		if n := steps(5); n == 0 {
			t.Error("the first minutes show no seconds")
		}
		d.wait(12 * time.Minute)
		d.wait(time.Until(d.record(q).CreatedAt.Add(15*time.Minute + 2*time.Second)))
		if n := steps(50); n != 0 {
			t.Errorf("%d refreshes in 50 seconds in which no text changes", n)
		}
		if n := steps(20); n == 0 {
			t.Error("a minute later it says the same")
		}
	})
}
