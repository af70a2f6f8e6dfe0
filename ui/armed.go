package ui

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// armedFor is how long a key that takes two presses waits for the second.
const armedFor = 3 * time.Second

// digit presses the button of that number: on the card, or in the detail where that hides the cards. One that lets the
// agent go ahead takes a second press, or Return: a slip of the hand can't be taken back.
func (r *railWindow) digit(i int) {
	if r.formFor != "" {
		return
	}
	if r.onLine() {
		return // what cannot be read there in full is not answered there
	}
	x := r.record(r.selected)
	press := r.pressOf(i)
	if x == nil || press == nil || press.Inert() {
		return
	}
	buttons := vm.ButtonsOf(x)
	if i >= len(buttons) {
		return // what is drawn is of another revision
	}
	b := buttons[i]
	switch {
	case !r.seenWhole(x, b):
	case !b.Twice():
		press.Tapped(nil)
	case r.u.memory.Armed.Of(x) != b.Key:
		r.setArmed(vm.Armed{ID: x.ID, Seen: x.Seen(), Button: b})
	case r.letGoOf: // a key that is held is no second press
		r.goAhead()
	default:
		r.armedKey = r.downKey // the first press may have been of the mouse
	}
}

// pressOf is the button that a digit presses: on the chosen card, or in the detail, where no card of that item is in
// view; nil: there is none.
func (r *railWindow) pressOf(i int) *widgets.Press {
	card := r.feed.Card(r.selected)
	switch {
	case r.layout.railHidden() || card == nil:
		if r.detail.chosen() && i < len(r.detail.pressed) {
			return &r.detail.pressed[i].Press
		}
	case i < len(card.Buttons()):
		return card.Buttons()[i]
	}
	return nil
}

// setArmed shows what a second press would do, for a while. The zero value is nothing.
func (r *railWindow) setArmed(a vm.Armed) {
	r.u.memory.Armed, r.letGoOf, r.armedKey = a, false, r.downKey
	r.armedNo++
	if c := r.win.Canvas(); a.ID != "" && c.Focused() != nil && c.Focused() != fyne.Focusable(r.feed) {
		c.Unfocus() // Return goes ahead, and presses no button that happens to have the keyboard
	}
	r.render()
	r.detail.sayArmed()
	if no := r.armedNo; a.ID != "" {
		wait := armedFor
		if a.Button.Danger {
			wait *= 2 // part of it is inert
		}
		r.u.after(wait, func() {
			if r.armedNo == no {
				r.disarm()
			}
		})
	}
}

// disarm takes back a first press, and reports whether there was one.
func (r *railWindow) disarm() bool {
	if r.u.memory.Armed.ID == "" {
		return false
	}
	r.setArmed(vm.Armed{})
	return true
}

// goAhead does what was armed, if it is still there and asks for the same; it reports whether anything was.
func (r *railWindow) goAhead() bool {
	a := r.u.memory.Armed
	x := r.record(a.ID)
	if x == nil || a.Of(x) == 0 || a.ID != r.selected {
		return r.disarm()
	}
	press := r.pressOf(a.Button.Key - 1)
	if press != nil && press.Inert() && a.Button.Danger {
		return true // it was pressed only just now
	}
	if press != nil {
		press.Tapped(nil) // inert, it came under the pointer meanwhile
	}
	r.disarm()
	return true
}

// sure reports whether a button of x may do what it does: one that is dangerous takes a second press of the mouse too, which a
// double click is not. One without a key is asked about.
func (r *railWindow) sure(x *notify.Record, b vm.Button, do func()) bool {
	if !b.Danger || b.Comments() || b.Key > 0 && r.u.memory.Armed.Of(x) == b.Key {
		return true
	}
	if b.Key == 0 {
		r.u.ask(r.win, b.Label, widgets.NewText(r.u.tr(vm.MA("dialog.of", x.Title)), widgets.LookBody), widgets.NewButton(b.Label, widgets.Danger, nil), do)
		return false
	}
	if r.selected != x.ID {
		r.choose(x.ID) // Return acts on what is chosen
	}
	r.setArmed(vm.Armed{ID: x.ID, Seen: x.Seen(), Button: b})
	if card := r.feed.Card(x.ID); card != nil && b.Key <= len(card.Buttons()) {
		card.Buttons()[b.Key-1].Arm()
	}
	if r.detail.id == x.ID && b.Key <= len(r.detail.pressed) {
		r.detail.pressed[b.Key-1].Arm()
	}
	return false
}

// keyDown notes which key went down last.
func (r *railWindow) keyDown(e *fyne.KeyEvent) {
	r.downKey = e.Name
	if r.form != nil {
		r.form.KeyDown()
	}
}

// keyUp notes that the key of a first press was let go of. Which one that was is not known where a button had the keyboard.
func (r *railWindow) keyUp(e *fyne.KeyEvent) {
	r.letGoOf = r.letGoOf || r.armedKey == "" || e.Name == r.armedKey
	if e.Name == r.downKey {
		r.downKey = ""
	}
}

// followKeys has the window told when keys go down and are let go of. The toolkit tells what has the keyboard, and only
// else the window.
func (r *railWindow) followKeys() {
	if c, ok := r.win.Canvas().(desktop.Canvas); ok {
		c.SetOnKeyDown(r.keyDown)
		c.SetOnKeyUp(r.keyUp)
	}
	r.feed.OnKeyDown, r.feed.OnKeyUp = r.keyDown, r.keyUp
}

// seenWhole reports whether all that is asked of x can be read where b is: no leave is given to what a card had to cut. That is
// opened first, and said.
func (r *railWindow) seenWhole(x *notify.Record, b vm.Button) bool {
	card := r.feed.Card(x.ID)
	if !b.Lets || r.detail.id == x.ID || card == nil || !card.Cut() {
		return true
	}
	r.readAll(x.ID)
	r.say(r.u.t("read.first"), "", nil)
	return false
}
