package ui

import (
	"bytes"
	"context"
	"errors"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// detailExtra is what has to be fetched beside the record.
type detailExtra struct {
	id         string
	change     int64
	deliveries []notify.Delivery
	changes    []notify.Change
	live       []byte
	liveErr    error
	images     map[string]fyne.Resource
}

// inSnapshot is the record as the last refresh read it; nil when it is not among what is current.
func (d *detailPane) inSnapshot() *notify.Record {
	for _, x := range append(d.u.snap.Active(), d.u.snap.Elsewhere...) {
		if x.ID == d.id {
			return x
		}
	}
	return nil
}

// lookAgain reads a record that left the rail, to show how it ended. Nothing is drawn where nothing changed.
func (d *detailPane) lookAgain() {
	u, id := d.u, d.id
	d.looking = true
	background(u, func(ctx context.Context) (*notify.Record, error) { return u.port.Record(ctx, id) }, func(x *notify.Record, err error) {
		d.looking = false
		if d.id == id && err == nil && d.rec != nil && x.Change != d.rec.Change {
			d.load(id, x)
		}
	})
}

// imageLimit and reportLimit bound what is read of local files.
const (
	imageLimit  = 8 << 20
	reportLimit = notify.MaxReport
)

func (d *detailPane) fetch(x *notify.Record) {
	u := d.u
	if d.extra.id == x.ID && d.extra.change == x.Change {
		return
	}
	background(u, func(ctx context.Context) (detailExtra, error) {
		e := detailExtra{id: x.ID, change: x.Change, images: map[string]fyne.Resource{}}
		var errs []error
		var err error
		if u.o.Deliveries != nil {
			e.deliveries, err = u.o.Deliveries(ctx, x.ID)
			errs = append(errs, err)
		}
		if u.o.Revisions != nil {
			e.changes, err = u.o.Revisions(ctx, x.ID)
		} else {
			e.changes, err = u.revisions(ctx, x)
		}
		errs = append(errs, err)
		if u.o.ReadFile == nil {
			return e, errors.Join(errs...)
		}
		if x.Report != nil && x.Report.Path != "" {
			e.live, e.liveErr = u.o.ReadFile(x.Report.Path, reportLimit)
		}
		for _, a := range x.Attachments {
			if vm.PreviewOf(a) && len(e.images) < 6 {
				if b, err := u.o.ReadFile(a.Path, imageLimit); err == nil && vm.SmallImage(bytes.NewReader(b)) {
					e.images[a.Path] = fyne.NewStaticResource(a.Path, b)
				}
			}
		}
		return e, errors.Join(errs...)
	}, func(e detailExtra, err error) {
		if d.id != e.id {
			return
		}
		if err != nil {
			fyne.LogError("read the trace of an item", err)
		}
		d.extra = e
		d.draw()
	})
}

// revisionsBack is how many changes of the center are looked through for those of one record, and
// revisionsPatience for how long.
const (
	revisionsBack     = 4000
	revisionsPatience = 3 * time.Second
)

// revisions finds the newest changes of a record in the change sequence. What is further back, or pruned, is
// left out.
func (u *UI) revisions(ctx context.Context, x *notify.Record) (out []notify.Change, err error) {
	ctx, cancel := context.WithTimeout(ctx, revisionsPatience)
	defer cancel()
	feed, err := u.o.Subscribe(max(x.Change-revisionsBack, 0))
	if err != nil {
		return nil, err
	}
	defer feed.Close()
	for resets := 0; resets < 2; {
		c, err := feed.Next(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil { // some were pruned: it goes on from the oldest that is kept
			resets++
			continue
		}
		if c.Record != nil && c.Record.ID == x.ID {
			out = append(out, c)
		}
		if c.Seq >= x.Change {
			break
		}
	}
	return out, nil
}
