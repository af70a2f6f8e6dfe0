package ui

import (
	"strconv"

	"fyne.io/fyne/v2"

	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// hasForm reports whether the open form stands in the detail: it was asked for here, or the cards are hidden.
func (d *detailPane) hasForm() bool {
	r := d.rail
	return r != nil && r.formFor != "" && r.formFor == d.id && (r.formHere || r.layout.railHidden())
}

// drawFoot follows a form that opened, closed or grew.
func (d *detailPane) drawFoot() {
	if d.rec == nil {
		return
	}
	d.setFoot(vm.ButtonsOf(d.rec))
	d.view.Relayout()
}

// arm makes what decides inert for a moment: it comes under the pointer.
func (d *detailPane) arm() {
	d.drawn = footKey{}
	d.drawFoot()
}

// setFoot puts what can be done under the text: the buttons of the card, or the open form. In the history only
// what is valid there.
func (d *detailPane) setFoot(buttons []vm.Button) {
	defer d.showKeys()
	key := footKey{id: d.id, seen: d.rec.Seen(), status: d.rec.Status, state: d.rec.InteractionState}
	if d.hasForm() {
		key.form = d.rail.form
	}
	key.above = d.rail != nil && d.rail.formFor == d.id && key.form == nil
	if key == d.drawn {
		return
	}
	d.drawn, d.pressed = key, nil
	if key.form != nil {
		d.foot.Set(key.form)
		return
	}
	var objs []fyne.CanvasObject
	for _, b := range buttons {
		if d.rail == nil && b.Kind != vm.ButtonAction {
			continue // the history is read-only (P3)
		}
		label := b.Label
		switch {
		case label == "":
			label = d.u.t("card.answer")
		case b.Comments():
			label += "…"
		}
		btn := widgets.NewButton(label, widgets.Style(b.Style), func() { d.press(b) })
		btn.Env = d.u.env
		if b.URL != "" {
			btn.Icon = "external"
		}
		if b.Decides() {
			btn.Arm()
		}
		d.pressed = append(d.pressed, btn)
		if b.Kind != vm.ButtonAnswer || !key.above { // else it is being answered on its card
			objs = append(objs, btn)
		}
	}
	if len(objs) == 0 {
		d.foot.Set()
		return
	}
	d.foot.Set(widgets.NewRow(8, objs...), d.armed)
	d.sayArmed()
}

// chosen reports whether the keys are those of the item that is read: it is the chosen one of the rail, or no other is in view.
func (d *detailPane) chosen() bool {
	return d.rail != nil && d.open() && (d.id == d.rail.selected || d.rail.layout.railHidden())
}

// showKeys draws the keys of the buttons while they press something.
func (d *detailPane) showKeys() {
	for i, b := range d.pressed {
		key := ""
		if d.chosen() && i < 9 {
			key = strconv.Itoa(i + 1)
		}
		if b.Key != key {
			b.Key = key
			b.Refresh()
			d.view.Relayout()
		}
	}
}

// sayArmed says under the buttons what a second press of a key would do.
func (d *detailPane) sayArmed() {
	text := ""
	if d.rail != nil && d.rec != nil {
		text = d.u.env.Armed(vm.ButtonsOf(d.rec), d.u.memory.Armed.Of(d.rec))
	}
	if d.armed.Content() == text && d.armed.Visible() == (text != "") {
		return
	}
	d.armed.SetText(text)
	if text == "" {
		d.armed.Hide()
	} else {
		d.armed.Show()
	}
	d.view.Relayout()
}

func (d *detailPane) press(b vm.Button) {
	switch {
	case d.rail != nil:
		d.rail.formHere = true
		d.rail.press(d.id, b)
		d.rail.formHere = d.rail.formFor == d.id
		d.drawFoot()
	case b.Kind == vm.ButtonAction:
		d.u.invoke(d.win, d.rec, b)
	}
}

// scrollKey scrolls what is read, if it is open and the key is one that scrolls.
func (d *detailPane) scrollKey(key fyne.KeyName) bool {
	if !d.open() {
		return false
	}
	switch key {
	case fyne.KeyPageDown, fyne.KeySpace:
		d.view.Pane.Scroll(1)
	case fyne.KeyPageUp:
		d.view.Pane.Scroll(-1)
	case fyne.KeyHome:
		d.view.Pane.Scroll(-1e6)
	case fyne.KeyEnd:
		d.view.Pane.Scroll(1e6)
	default:
		return false
	}
	return true
}
