package ui

import (
	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// openForm opens the answer form of x where it is looked at, with an option chosen. What was typed before is still
// there. key is the key that asked for it; 0: none.
func (r *railWindow) openForm(x *notify.Record, option string, key rune) {
	u := r.u
	d, ok := r.drafts[x.ID]
	if !ok {
		d = vm.NewDraft(x.Interaction)
	}
	if option != "" {
		d.Option = option
	}
	r.drafts[x.ID] = d
	f := widgets.NewAnswerForm(u.env, x.Interaction, d, vm.FormTextOf(x))
	f.Key, f.Canvas = key, r.win.Canvas()
	f.OnChange = func(d vm.Draft) { r.drafts[x.ID] = d }
	f.OnResize = func() {
		r.feed.Redraw(x.ID)
		if r.detail.hasForm() {
			r.detail.view.Relayout()
			r.layout.follow()
		}
	}
	f.OnCancel = r.closeForm
	f.OnSend = func(d vm.Draft) {
		now := r.record(x.ID)
		if now == nil || !now.Waiting() {
			r.closeForm()
			u.say(u.t("trouble.over"), "", nil)
			return
		}
		a, problems := vm.AnswerOf(now, d, u.now())
		f.Problems(problems)
		if len(problems) == 0 {
			r.answer(now, a)
		}
	}
	was := r.formFor
	r.formFor, r.form, r.formRev = x.ID, f, x.Revision
	r.selected, r.feed.Selected = x.ID, x.ID
	r.drawForm(was, x.ID)
	r.feed.Reveal(x.ID)
}

// askForm opens the form because the owner pressed what asks for it, so that it gets the keyboard.
func (r *railWindow) askForm(x *notify.Record, option string, key rune) {
	r.openForm(x, option, key)
	r.form.Focus()
}

// letGo gives the keyboard back to the window when what had it is gone: keys must not vanish into what is not there
// any more.
func (r *railWindow) letGo() {
	c := r.win.Canvas()
	o, ok := c.Focused().(fyne.CanvasObject)
	if !ok {
		return
	}
	if _, ok := o.(*widgets.Menu); ok {
		return // it lies over the whole window, and is there
	}
	if r.form != nil && r.form.Focused() && r.u.app.Driver().CanvasForObject(o) != c {
		return // it has only just come, and was not drawn yet
	}
	// What is not in the tree has no place; nothing that takes the keyboard stands in the very corner.
	if at := r.u.app.Driver().AbsolutePositionForObject(o); at.X <= 0 && at.Y <= 0 {
		c.Unfocus()
	}
}

// drawForm draws the places anew in which the forms of items stand, or stood.
func (r *railWindow) drawForm(ids ...string) {
	r.feed.Redraw(ids...)
	if r.detail.open() {
		r.detail.drawFoot()
	}
	r.layout.follow()
	r.letGo()
}

func (r *railWindow) closeForm() {
	id := r.formFor
	if id == "" {
		return
	}
	r.formFor, r.form, r.formHere = "", nil, false
	r.drawForm(id)
	if d, ok := r.drafts[id]; ok && d.Comment == "" && len(d.Values) == 0 {
		delete(r.drafts, id) // nothing was said: the next press asks afresh
	}
}

// formOf gives the feed the form of a card.
func (r *railWindow) formOf(id string) fyne.CanvasObject {
	if id == r.formFor && r.form != nil && !r.detail.hasForm() {
		return r.form
	}
	return nil
}

// checkForm follows what became of the item whose form is open: gone, it closes; asked anew, the form is made
// anew with what was typed.
func (r *railWindow) checkForm() {
	if r.formFor == "" {
		return
	}
	x := r.record(r.formFor)
	switch {
	case x == nil || !x.Waiting():
		r.formFor, r.form, r.formHere = "", nil, false
	case x.Revision != r.formRev:
		id, key, focused := r.formFor, r.form.Key, r.form.Focused()
		r.formFor = ""
		r.openForm(r.record(id), r.drafts[id].Option, key)
		r.form.Arm()
		if focused {
			r.form.Focus()
		}
	}
}

// mark adds an item to the marked ones, or takes it out.
func (r *railWindow) mark(id string) {
	if r.feed.Marked[id] {
		delete(r.feed.Marked, id)
	} else {
		r.feed.Marked[id] = true
	}
	r.feed.Redraw(id)
	r.markBar()
	r.layout.follow()
}

// marked are the marked records, in the order shown.
func (r *railWindow) marked() []*notify.Record {
	var out []*notify.Record
	for _, x := range r.view.Shown {
		if r.feed.Marked[x.ID] {
			out = append(out, x)
		}
	}
	return out
}

// waiting counts what waits for an answer, which dismissing leaves (I7).
func waiting(list []*notify.Record) (n int) {
	for _, x := range list {
		if x.Waiting() {
			n++
		}
	}
	return n
}

func (r *railWindow) dropMarks() {
	there := map[string]bool{}
	for _, x := range r.view.Shown {
		there[x.ID] = true
	}
	for id := range r.feed.Marked {
		if !there[id] {
			delete(r.feed.Marked, id)
		}
	}
}

func (r *railWindow) unmark() {
	clear(r.feed.Marked)
	r.render()
	r.layout.follow()
}

// markBar shows what can be done with the marked items.
func (r *railWindow) markBar() {
	u := r.u
	list := r.marked()
	if len(list) == 0 {
		r.bar.Hide()
		return
	}
	left := waiting(list)
	look := widgets.LookTitle
	look.Max = 1
	objs := []fyne.CanvasObject{widgets.NewText(u.tr(vm.MN("marked.count", len(list))), look),
		widgets.NewButton(u.t("marked.dismiss"), widgets.Plain, func() { r.dismissAll(list, left, 0); r.unmark() })}
	if left > 0 {
		objs = append(objs, widgets.NewButton(u.t("marked.aside"), widgets.Plain, func() {
			var ids []string
			for _, x := range list {
				ids = append(ids, x.ID)
			}
			r.setAside(ids...)
			r.unmark()
		}))
	}
	snooze := widgets.NewButton(u.t("marked.snooze"), widgets.Plain, nil)
	snooze.OnTap = func() {
		r.snoozeMarked(list, u.app.Driver().AbsolutePositionForObject(snooze).AddXY(0, snooze.Size().Height))
	}
	objs = append(objs, snooze,
		widgets.NewButton(u.t("marked.mute"), widgets.Plain, func() {
			for _, x := range list {
				u.try(notify.SetMuted{ID: x.ID, Muted: true})
			}
			r.unmark()
		}),
		widgets.NewButton(u.t("marked.read"), widgets.Plain, func() {
			for _, x := range list {
				u.do(notify.SetRead{ID: x.ID, Read: true}, nil)
			}
			r.unmark()
		}),
		widgets.NewButton(u.t("marked.none"), widgets.Quiet, r.unmark))
	r.bar.Set(objs...)
	r.bar.Show()
}

// snoozeMarked offers the times until when all the marked ones can be put off.
func (r *railWindow) snoozeMarked(list []*notify.Record, at fyne.Position) {
	popup(r.win, at, r.snoozesOf(list, func(s vm.Snooze) {
		r.snooze(list, s)
		r.unmark()
	})...)
}
