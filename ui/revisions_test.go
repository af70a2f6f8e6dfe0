package ui

import (
	"context"
	"testing"

	"signalbox/notify"
)

// What happened to an item is found however long ago it began, and where it is not, more says so.
func TestTheWholeLifeOfAnItemIsFound(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		old := d.notice("old")
		for range 9000 {
			d.notice("other")
		}
		d.do(notify.SetRead{ID: old, Read: true})
		got, more, err := d.u.revisions(context.Background(), d.record(old))
		if err != nil || more || len(got) != 2 || got[0].Name != notify.EvCreated || got[1].Name != notify.EvRead {
			t.Errorf("got %d changes, more %v, %v", len(got), more, err)
		}
		d.f.mu.Lock()
		d.f.log = d.f.log[5000:] // pruned
		d.f.mu.Unlock()
		got, more, err = d.u.revisions(context.Background(), d.record(old))
		if err != nil || len(got) != 1 || !more {
			t.Errorf("pruned: got %d changes, more %v, %v", len(got), more, err)
		}
	})
}
