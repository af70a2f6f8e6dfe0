package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// record finds what is shown under an id.
func (r *railWindow) record(id string) *notify.Record {
	if r.u.snap == nil {
		return nil
	}
	if x := r.u.snap.Record(id); x != nil {
		return x
	}
	if r.detail.rec != nil && r.detail.rec.ID == id {
		return r.detail.rec
	}
	return nil
}

// trouble tells of a failure, if there was one.
func (u *UI) trouble(err error) {
	if err != nil {
		u.say(u.tr(vm.Trouble(err)), "", nil)
	}
}

// try sends a command of the owner's, of which only a failure is told.
func (u *UI) try(op notify.Op) { u.do(op, func(_ notify.Result, err error) { u.trouble(err) }) }

// selectItem opens an item: it is read by that, and nothing else happens (A7).
func (r *railWindow) selectItem(id string) {
	if !r.pick(id) {
		return
	}
	r.openDetail(id)
	r.layout.follow()
	r.feed.Reveal(id)
}

// pick selects an item; one with fields gets its form. It reports whether there is one to be opened: a line is opened by
// Return.
func (r *railWindow) pick(id string) bool {
	r.selected, r.want = id, nil
	r.detail.showKeys()
	if isLine(id) {
		r.closeForm()
		return false
	}
	x := r.record(id)
	if x == nil {
		return false
	}
	if !x.Read {
		r.u.do(notify.SetRead{ID: id, Read: true}, nil)
	}
	if r.formFor != id {
		r.closeForm()
		if x.Waiting() && len(x.Interaction.Fields) > 0 {
			r.openForm(x, "", 0)
		}
	}
	return true
}

// dismiss hides the revision that is shown, at once (D3); the request is held for a few seconds, so
// that it can be undone.
func (r *railWindow) dismiss(id string) {
	x := r.record(id)
	if x == nil || !vm.Dismissible(x, r.u.now()) {
		if x != nil && x.Waiting() {
			r.setAside(id)
		}
		return
	}
	r.dismissAll([]*notify.Record{x}, 0, 0)
}

// dismissAll dismisses what can be, and says how many it left waiting (I7) or running.
func (r *railWindow) dismissAll(list []*notify.Record, left, running int) {
	u := r.u
	var ids []string
	for _, x := range list {
		if vm.Dismissible(x, u.now()) {
			u.memory.Dismissals.Hold(x, u.now())
			ids = append(ids, x.ID)
			delete(r.feed.Marked, x.ID)
		}
	}
	var parts []string
	if len(ids) > 0 {
		parts = append(parts, u.tr(vm.MN("dismiss.done", len(ids))))
	}
	if left > 0 {
		parts = append(parts, u.tr(vm.MN("clear.left", left)))
	}
	if running > 0 {
		parts = append(parts, u.tr(vm.MN("clear.running", running)))
	}
	text := strings.Join(parts, " · ")
	if len(ids) == 0 {
		if text != "" {
			r.say(text, "", nil)
		}
		return
	}
	u.saveDismissals()
	was := ""
	if slices.Contains(ids, r.chosen()) {
		was = r.selected
		r.selectNext(ids)
	}
	r.render()
	r.sayUndo(text, func() {
		r.undo(ids)
		if was != "" && r.view.Has(was) {
			r.chooseAgain(was)
		}
	})
	u.after(vm.UndoFor, func() { u.sendDismissals(u.memory.Dismissals.Due(u.now())) })
}

// selectNext moves the selection off items that go away, to the next one below, or above.
func (r *railWindow) selectNext(gone []string) {
	next, passed := "", false
	for _, row := range r.view.Rows {
		switch {
		case row.Kind != vm.RowCard && row.Kind != vm.RowJump && row.Kind != vm.RowFold:
			continue
		case slices.Contains(gone, strings.TrimPrefix(row.ID, linePrefix)):
			passed = passed || row.ID == r.selected
			continue
		}
		next = row.ID
		if passed {
			break
		}
	}
	r.selected, r.feed.Selected = next, next
	switch {
	case r.detail.open() && !isLine(next):
		r.openDetail(next)
	case r.layout.railHidden(): // what went away covers the choice
		r.detail.close()
	}
}

// chooseAgain chooses a row that came back, and opens it where the detail is open.
func (r *railWindow) chooseAgain(row string) {
	r.choose(row)
	if r.detail.open() && !isLine(row) {
		r.openDetail(row)
	}
	r.layout.follow()
}

func (r *railWindow) undo(ids []string) {
	n := 0
	for _, id := range ids {
		if r.u.memory.Dismissals.Undo(id) {
			n++
		}
	}
	r.u.saveDismissals()
	if n < len(ids) {
		r.say(r.u.t("dismiss.too_late"), "", nil)
	}
	r.render()
}

// undoLast undoes what was done last, else what is still held.
func (r *railWindow) undoLast() {
	if r.undoing != nil {
		r.undoing()
		return
	}
	if r.u.snap == nil {
		return
	}
	var ids []string
	for _, x := range slices.Concat(r.u.snap.Active(), r.u.snap.Elsewhere) {
		if r.u.memory.Dismissals.Hides(x) {
			ids = append(ids, x.ID)
		}
	}
	if len(ids) > 0 {
		r.undo(ids)
	}
}

// clear dismisses what the filter shows, but for work that goes on.
func (r *railWindow) clear() {
	list := slices.DeleteFunc(slices.Clone(r.view.Shown), vm.Running)
	r.dismissAll(list, r.view.Left, r.view.Running)
}

// press is a button of a card: by mouse, or by its key.
func (r *railWindow) press(id string, b vm.Button) {
	x := r.record(id)
	if x == nil {
		return
	}
	switch b.Kind {
	case vm.ButtonOption:
		if !r.seenWhole(x, b) {
			return
		}
		if r.formFor == "" && (!r.detail.open() || r.detail.id == id) {
			r.choose(id) // by mouse as by key: the answer goes on from it
		}
		if b.Comments() { // the comment is offered before the answer goes; a second press sends
			key := rune(0)
			if b.Key > 0 {
				key = rune('0' + b.Key)
			}
			r.askForm(x, b.ID, key)
			return
		}
		send := func() { r.answer(x, notify.Answer{Option: b.ID}) }
		if r.sure(x, b, send) {
			send()
		}
	case vm.ButtonAnswer:
		r.askForm(x, "", 0)
	case vm.ButtonAction:
		r.u.invoke(r.win, x, b)
	case vm.ButtonRead:
		r.readAll(id)
	}
}

// readAll opens an item at full height.
func (r *railWindow) readAll(id string) {
	r.detail.whole = id
	r.feed.Choose(id)
	r.selectItem(id)
	r.layout.follow()
}

// answer sends an answer for the revision that is shown; of several sessions that ask the same, each gets it.
func (r *railWindow) answer(x *notify.Record, a notify.Answer) {
	u := r.u
	targets := []*notify.Record{x}
	for _, asked := range vm.AskedBy(u.snap, x) {
		if o := r.record(asked.ID); o != nil && o.ID != x.ID && o.Waiting() {
			targets = append(targets, o)
		}
	}
	for _, t := range targets {
		if r.answered[t.ID] == t.Seen() {
			continue // it is on its way, or was given and the window has not heard of it yet (I4)
		}
		r.answered[t.ID] = t.Seen()
		u.do(notify.AnswerOp{ID: t.ID, Expect: t.Seen(), Answer: a}, func(_ notify.Result, err error) {
			if err != nil && r.answered[t.ID] == t.Seen() {
				delete(r.answered, t.ID)
			}
			if err == nil {
				if t == x {
					if r.formFor == t.ID {
						r.closeForm()
					}
					r.sayAnswered(x, a)
				}
				return
			}
			if r.form != nil && r.formFor == t.ID {
				r.form.Problems(vm.FieldProblems(err))
				return
			}
			u.trouble(err)
		})
	}
}

// sayAnswered says what was answered, and to whom, and goes on to what waits next; where that is elsewhere, it says what it is
// and leads there, else the answered item can be looked at once more.
func (r *railWindow) sayAnswered(x *notify.Record, a notify.Answer) {
	u := r.u
	what, where := vm.Answered(u.snap, x, a)
	said := u.tr(what) + " · " + where + ": " + u.tr(vm.MA("answer.quoted", vm.Short(x.Title)))
	if next := r.goOn(x); next != nil {
		u.say(said+" · "+u.tr(vm.Msg{Key: "next.waits", A: vm.Short(next.Title), B: vm.WhereOf(u.snap, next)}), u.t("next.go"), func() {
			r.snack.Hide()
			r.goToItem(next)
			r.layout.again()
		})
		r.offered = next.ID
		return
	}
	u.say(said, u.t("answer.show"), func() {
		r.snack.Hide()
		r.openDetail(x.ID)
		r.layout.again()
	})
}

// invoke invokes an action, after the question that its producer wants asked; one that is dangerous is asked about anyway.
func (u *UI) invoke(win fyne.Window, x *notify.Record, b vm.Button) {
	run := func() {
		u.do(notify.InvokeAction{ID: x.ID, Action: b.ID, Expect: x.Seen()}, func(_ notify.Result, err error) {
			if err != nil {
				u.sayOn(win, u.tr(vm.Trouble(err)))
				return
			}
			u.sayOn(win, u.tr(vm.MA("action.sent", b.Label)))
		})
		if b.URL != "" {
			u.confirmOpen(win, b.URL)
		}
	}
	if b.Confirm == "" && b.Style != "danger" {
		run()
		return
	}
	ok := widgets.NewButton(b.Label, widgets.Style(b.Style), nil)
	text := widgets.NewColumn(8)
	if b.Confirm != "" {
		text.Add(widgets.NewText(b.Confirm, widgets.LookBody))
	}
	text.Add(caption(u.tr(vm.MA("dialog.of", x.Title+" · "+u.agentName(x.Connection)))))
	u.ask(win, b.Label, text, ok, run)
}

// agentName is what the owner calls a connection.
func (u *UI) agentName(id string) string {
	if u.snap != nil {
		return u.snap.ConnectionLabel(id)
	}
	return id
}

// confirmOpen asks before an address opens that an agent gave; an address of another scheme does not open at all (S4).
func (u *UI) confirmOpen(win fyne.Window, address string) { u.confirmOpenOf(win, "open.text", address) }

// confirmOpenOf asks with words that say whose address it is.
func (u *UI) confirmOpenOf(win fyne.Window, whose, address string) {
	checked, ok := vm.OpenAddress(address, u.o.Schemes)
	if !ok {
		text := widgets.NewColumn(8, widgets.NewText(u.t("open.refused"), widgets.LookBody), widgets.Code(address))
		u.ask(win, u.t("open.title"), text, nil, nil)
		return
	}
	text := widgets.NewColumn(8, widgets.NewText(u.t(whose), widgets.LookBody), widgets.Code(checked))
	u.ask(win, u.t("open.title"), text, widgets.NewButton(u.t("open.yes"), widgets.Primary, nil), func() {
		if err := u.openURL(checked); err != nil {
			u.sayOn(win, u.t("open.failed"))
		}
	})
}
