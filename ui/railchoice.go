package ui

import (
	"context"
	"slices"
	"strings"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// view is what a picture of the rail is of: another one begins at the top.
type view struct {
	focus  notify.SessionRef
	filter vm.RailFilter
}

// want is what is to be chosen on the rail as soon as the rail of its session is there.
type want struct {
	ref notify.SessionRef
	id  string // empty: what comes first of the session
	// place is the tab that it is in.
	place notify.Place
	// Of an item that was asked for from elsewhere:
	shown    bool
	looking  bool  // it is being read, and ref is not known yet
	anywhere bool  // it belongs to no session, and is on the rail of any
	after    int64 // a reading with a higher number has it, if it is on the rail at all
}

// focus makes a session the active one, and has it seen (A4); the bridge hears of it. What waits longest in it is
// chosen, so that its keys act; where nothing waits, what it told last.
func (r *railWindow) focus(ref notify.SessionRef) { r.goTo(want{ref: ref}) }

// goTo makes the session of what is wanted the active one.
func (r *railWindow) goTo(w want) {
	u, ref := r.u, w.ref
	r.layout.drawer = false
	r.filter = vm.RailFilter{Text: r.filter.Text, Place: w.place}
	r.want = &w
	u.try(notify.SetFocus{Focus: ref})
	r.render()
	r.layout.again()
}

// showItem shows an item that was asked for from elsewhere, such as a toast, as its line on the rail would: its session
// becomes the active one, and its card is chosen. The item is read first: a window that has only just begun knows of none.
func (r *railWindow) showItem(id string) {
	u := r.u
	r.layout.drawer = false
	r.endSearch() // what is looked for there is not what is shown here
	r.filter = vm.RailFilter{}
	w := &want{id: id, shown: true, looking: true}
	r.want = w
	background(u, func(ctx context.Context) (*notify.Record, error) {
		x, err := u.port.Record(ctx, id)
		if err == nil && x.Session != "" {
			_, err = u.port.Do(ctx, notify.Owner, notify.SetFocus{Focus: x.Ref()})
		}
		w.after = u.readings.Load()
		return x, err
	}, func(x *notify.Record, err error) {
		if r.want != w {
			return // another one was wanted meanwhile
		}
		if err != nil {
			r.want = nil
			r.openDetail(id) // which says what there is to say
			return
		}
		w.ref, w.anywhere, w.looking = x.Ref(), x.Session == "", false
		if !x.Read {
			u.do(notify.SetRead{ID: id, Read: true}, nil) // it is read by being opened, from wherever (A7)
		}
		u.loop.touch()
	})
}

// see has a session seen, up to what is shown of it (A4).
func (r *railWindow) see(ref notify.SessionRef) {
	for _, v := range r.u.snap.Sessions[ref.Connection] {
		if v.ID == ref.Session && v.Sequence > v.Seen {
			r.u.do(notify.SeeSession{Connection: ref.Connection, Session: ref.Session, Sequence: v.Sequence}, nil)
		}
	}
}

// chooseConnection narrows the rail to one agent. No session is looked at then, and no other one is said to be.
func (r *railWindow) chooseConnection(id string) {
	u := r.u
	r.layout.drawer = false
	r.filter = vm.RailFilter{Text: r.filter.Text, Connection: id}
	r.want = nil
	if u.snap != nil && u.snap.Focus.Session != "" {
		u.try(notify.SetFocus{})
	}
	r.choose("")
	r.render()
	r.layout.again()
}

// followFocus lets go of a chosen connection when a session became the active one elsewhere, or the connection is gone.
func (r *railWindow) followFocus() {
	s := r.u.snap
	if s.Focus != r.focused && s.Focus.Session != "" ||
		!slices.ContainsFunc(s.Connections, func(c notify.ConnectionView) bool { return c.ID == r.filter.Connection }) {
		r.filter.Connection = ""
	}
	r.focused = s.Focus
}

// jump goes to the session of a line, and chooses its item there.
func (r *railWindow) jump(j vm.Jump) { r.goTo(want{ref: j.Ref, id: j.ID}) }

// chooseWanted chooses what was wanted, as soon as the rail of its session is there.
func (r *railWindow) chooseWanted() {
	w, s := r.want, r.u.snap
	if w == nil || w.looking {
		return
	}
	there := func(id string) bool {
		return slices.ContainsFunc(r.view.Shown, func(x *notify.Record) bool { return x.ID == id })
	}
	if w.shown && s.Reading > w.after && !there(w.id) { // it ended, or is kept elsewhere
		r.want = nil
		r.choose("")
		r.openDetail(w.id)
		return
	}
	if !w.anywhere && s.Focus != w.ref || w.shown && !there(w.id) {
		return
	}
	r.see(s.Focus)
	id := r.view.Own
	if w.id != "" && there(w.id) {
		id = w.id
	}
	if x := r.record(id); x != nil && !x.Read {
		r.u.do(notify.SetRead{ID: id, Read: true}, nil) // the owner chose it, or the session that it is of (A7)
	}
	r.want = nil
	if x := r.record(id); x != nil {
		r.unfoldFor(x)
	}
	r.choose(id)
	switch {
	case !r.detail.open() && !(w.shown && r.layout.beside()):
	case id != "":
		r.openDetail(id)
	case !there(r.detail.id):
		r.detail.close()
	}
}

// choose selects an item without opening it. Empty: none.
func (r *railWindow) choose(id string) {
	if r.formFor != id {
		r.closeForm()
	}
	r.selected = id
	r.feed.Choose(id)
	r.reveal = id
	r.detail.showKeys()
}

// chooseCovering chooses what is shown in the place of the list, whose choice nobody sees: the keys are those of that.
func (r *railWindow) chooseCovering() {
	if r.layout.railHidden() && r.detail.rec != nil && r.selected != r.detail.id {
		r.choose(r.detail.id)
	}
}

// move moves the choice by steps down the list; where that is not seen, it scrolls what covers it.
func (r *railWindow) move(by int) {
	if r.layout.railHidden() {
		r.detail.view.Pane.Scroll(float32(by) * someLines)
		return
	}
	r.feed.MoveSelection(by)
}

// someLines is the part of a page that one step scrolls.
const someLines = 0.1

// chooseArrived chooses a question that came while its session is looked at, where nothing is chosen, so that its keys act
// once it is inert no more. Nothing scrolls, and nothing takes the keyboard (P2).
func (r *railWindow) chooseArrived() {
	s := r.u.snap
	known, there := r.asked, r.askedIn == s.Focus
	r.asked, r.askedIn = map[string]bool{}, s.Focus
	for _, x := range s.Rail.Session {
		if x.Waiting() {
			r.asked[x.ID] = true
		}
	}
	if !there || r.want != nil || r.record(r.selected) != nil || r.line() != nil {
		return
	}
	for _, x := range r.view.Shown {
		if r.asked[x.ID] && !known[x.ID] && !x.SetAsideAt(s.At) {
			r.selected = x.ID
			r.feed.Choose(x.ID)
			r.detail.showKeys()
			return
		}
	}
}

// line is the selected line of another session; nil: none is selected.
func (r *railWindow) line() *vm.Jump {
	for i := range r.view.Rows {
		if row := &r.view.Rows[i]; row.Kind == vm.RowJump && row.ID == r.selected {
			return row.Jump
		}
	}
	return nil
}

// chosen is the id of the selected item, of a card or of a line; empty: none is selected, or a line that stands for a session.
func (r *railWindow) chosen() string {
	if j := r.line(); j != nil {
		return j.ID
	}
	if isLine(r.selected) {
		return ""
	}
	return r.selected
}

// onLine says of a line what only a card can do; it reports whether the selection is one.
func (r *railWindow) onLine() bool {
	if r.line() == nil {
		return false
	}
	r.say(r.u.t("line.open_first"), "", nil)
	return true
}

// isLine reports whether an id is that of a line.
func isLine(id string) bool { return strings.HasPrefix(id, linePrefix) || isFold(id) }

// linePrefix is what the id of a row begins with that is a line.
const linePrefix = "jump:"

// searchFor narrows the rail, and has the other sessions looked through.
func (r *railWindow) searchFor(text string) {
	r.filter.Text = text
	r.u.searching.Store(&text)
	r.u.loop.touch()
	r.render()
}

func (r *railWindow) startSearch() {
	r.layout.searching = true
	r.layout.again()
	r.win.Canvas().Focus(r.search)
}

// endSearch shows again what was there before the search.
func (r *railWindow) endSearch() {
	r.search.SetText("")
	r.win.Canvas().Unfocus()
	r.layout.searching = false
	r.layout.again()
}
