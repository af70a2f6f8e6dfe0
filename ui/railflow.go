package ui

import (
	"slices"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// moveTo chooses an item as the keys do: it is read by that, and opened only where the detail is open already.
func (r *railWindow) moveTo(id string) {
	if r.detail.open() && !isLine(id) {
		r.selectItem(id)
		return
	}
	r.pick(id)
	r.layout.follow()
	r.feed.Reveal(id)
}

// sent reports whether x was answered here, and the window has not heard of it yet.
func (r *railWindow) sent(x *notify.Record) bool {
	seen, ok := r.answered[x.ID]
	return ok && seen == x.Seen()
}

// next goes to what waits next, wherever it is: after what is chosen, else to what waits longest; what is set aside comes last. A
// line is gone to itself.
func (r *railWindow) next() {
	if r.u.snap == nil {
		return
	}
	q, here := vm.Round(r.u.snap, &r.u.memory), r.chosen()
	at := slices.IndexFunc(q, func(x *notify.Record) bool { return x.ID == here })
	if at >= 0 && r.line() != nil {
		r.goToItem(q[at])
		return
	}
	for i := range q {
		if x := q[(at+1+i)%len(q)]; x.ID != here && !r.sent(x) {
			r.goToItem(x)
			return
		}
	}
	r.say(r.u.t("next.none"), "", nil)
}

// goToItem chooses the card of an item, in its session where it is of another one. The tab stays if the item is in it.
func (r *railWindow) goToItem(x *notify.Record) {
	here := func() bool {
		return slices.ContainsFunc(r.view.Shown, func(o *notify.Record) bool { return o.ID == x.ID })
	}
	if !here() {
		r.endSearch()
		place := r.filter.Place
		if place != notify.PlaceOf(x, r.u.snap.At) {
			place = notify.Place{}
		}
		r.filter = vm.RailFilter{Place: place}
		r.render()
	}
	if !here() {
		r.goTo(want{ref: x.Ref(), id: x.ID, place: r.filter.Place})
		return
	}
	r.moveTo(x.ID)
	if c := r.feed.Card(x.ID); c != nil {
		c.Arm() // its keys act now, and the owner has not read it yet
	}
}

// goOn moves the choice off an item that was answered, to what waits next in view. Where nothing does, nothing is chosen
// or open, and what waits longest elsewhere is returned; nil: nothing waits.
func (r *railWindow) goOn(x *notify.Record) *notify.Record {
	if r.u.snap == nil || r.selected != x.ID && r.detail.id != x.ID {
		return nil // the owner went on already
	}
	q := slices.DeleteFunc(vm.Queue(r.u.snap, &r.u.memory), r.sent)
	for _, o := range r.view.Shown {
		if o.ID != x.ID && slices.ContainsFunc(q, func(w *notify.Record) bool { return w.ID == o.ID }) {
			r.goToItem(o)
			return nil
		}
	}
	r.choose("")
	if r.detail.open() {
		r.detail.close()
	}
	if len(q) == 0 {
		return nil
	}
	return q[0]
}
