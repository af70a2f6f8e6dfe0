package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
)

// After the end nothing is handed to the main goroutine, which is gone, and nothing begins.
func TestNothingRunsAfterTheEnd(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.show()
		ran := 0
		background(d.u, func(ctx context.Context) (int, error) { <-ctx.Done(); return 0, ctx.Err() }, func(int, error) { ran++ })
		d.u.do(notify.SetFocus{}, func(notify.Result, error) { ran++ })
		d.u.dispatch(func() { ran++ }) // it waits in the queue
		d.u.Close()
		background(d.u, func(context.Context) (int, error) { ran++; return 0, nil }, func(int, error) { ran++ })
		d.u.after(0, func() { ran++ })
		d.u.Show()
		d.settle()
		if ran != 0 {
			t.Errorf("%d ran", ran)
		}
	})
}

// A burst is one drawing of the history, with the newest of each.
//
// Proves: D5
func TestTheHistoryDrawsABurstOnce(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("n")
		h := d.showHistory()
		h.win.Resize(fyne.NewSize(1000, 700))
		d.wait(time.Second)
		rows := 0
		update := h.list.UpdateItem
		h.list.UpdateItem = func(i int, o fyne.CanvasObject) { rows++; update(i, o) }
		for i := range 500 {
			d.do(notify.Publish{Connection: "claude", Key: "n", Content: notify.Content{Title: fmt.Sprint("n", i)}})
		}
		d.wait(2 * RefreshEvery)
		if rows > 10 {
			t.Errorf("500 changes drew %d rows", rows)
		}
		if got := h.paging.Records[0].Title; got != "n499" {
			t.Errorf("the list shows %q", got)
		}
	})
}
