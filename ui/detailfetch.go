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
	more       bool // there may be older ones
	live       []byte
	liveErr    error
	images     map[string]fyne.Resource
}

// lookAgain reads a record that left the rail, to show how it ended. Nothing is drawn where nothing changed.
func (d *detailPane) lookAgain() {
	u, id := d.u, d.id
	d.looking, d.looked = true, u.snap.Reading
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
	u.after(fetchAfter, func() {
		if d.rec == x { // not one that only flew past
			d.fetchNow(x)
		}
	})
}

func (d *detailPane) fetchNow(x *notify.Record) {
	u := d.u
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
			e.changes, e.more, err = u.revisions(ctx, x)
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

// revisionsStep is how many changes of the center are first looked through for those of one record; each further
// look goes twice as far back, until its first revision is found or revisionsPatience is over.
const (
	revisionsStep     = 256
	revisionsPatience = 3 * time.Second
)

// revisions finds the changes of a record in the change sequence, newest looks first. more says that there may be
// older ones than those found: the time was over, or they were pruned.
func (u *UI) revisions(ctx context.Context, x *notify.Record) (out []notify.Change, more bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, revisionsPatience)
	defer cancel()
	to := x.Change
	for step := int64(revisionsStep); to > 0 && ctx.Err() == nil; step *= 2 {
		from := max(to-step, 0)
		part, pruned, err := u.changesOf(ctx, x.ID, from, to)
		if err != nil {
			return out, true, err
		}
		out = append(part, out...)
		if len(out) > 0 && out[0].Name == notify.EvCreated {
			return out, false, nil
		}
		if pruned || ctx.Err() != nil {
			return out, true, nil
		}
		to = from
	}
	return out, true, nil
}

// changesOf are the changes of a record after one sequence number, up to another. pruned says that the first of
// them are no longer kept.
func (u *UI) changesOf(ctx context.Context, id string, from, to int64) (out []notify.Change, pruned bool, err error) {
	feed, err := u.o.Subscribe(from)
	if err != nil {
		return nil, false, err
	}
	defer feed.Close()
	for resets := 0; resets < 2; {
		c, err := feed.Next(ctx)
		if ctx.Err() != nil {
			break
		}
		if err != nil { // some were pruned: it goes on from the oldest that is kept
			resets++
			pruned = true
			continue
		}
		if c.Seq > to {
			break
		}
		if c.Record != nil && c.Record.ID == id {
			out = append(out, c)
		}
		if c.Seq == to {
			break
		}
	}
	return out, pruned, nil
}
