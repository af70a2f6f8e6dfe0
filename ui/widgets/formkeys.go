package widgets

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/vm"
)

// formKey is the keyboard of an answer form, for each of its parts: Tab goes round in it, Escape closes it. It reports
// whether it took the key.
func (f *AnswerForm) formKey(e *fyne.KeyEvent) bool {
	switch e.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		return f.spent
	case fyne.KeyEscape:
		f.cancel()
	case fyne.KeyTab:
		by := 1
		if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0 {
			by = -1
		}
		f.step(by)
	default:
		return false
	}
	return true
}

// part adds what takes the keyboard, in the order of Tab.
func (f *AnswerForm) part(p fyne.Focusable) {
	f.parts = append(f.parts, p)
	p.(interface{ onKeyDown(func()) }).onKeyDown(f.KeyDown)
}

// KeyDown hears that a key went down: what comes of it is of no key that is held.
func (f *AnswerForm) KeyDown() { f.spent = false }

func (f *AnswerForm) focus(p fyne.Focusable) {
	if c := f.canvas(); c != nil {
		c.Focus(p)
	}
}

// begin gives the keyboard to a part; of choices, to what is chosen.
func (f *AnswerForm) begin(part int) {
	p := f.parts[part]
	if row, ok := p.(*choiceRow); ok {
		p = row.begin()
	}
	f.focus(p)
}

// behind is the part that comes behind a field. chosen: a choice was made there.
func (f *AnswerForm) behind(field string, chosen bool) int {
	if i := vm.NextField(f.in.Fields, field, chosen); i < len(f.in.Fields) {
		return f.from[i]
	}
	return f.fields
}

// goOn goes on to a part if it is one of a field; behind the last field it sends, or leads to what the owner must choose.
func (f *AnswerForm) goOn(part int) {
	switch {
	case part < f.fields:
		f.begin(part)
	case len(f.in.Options) < 2:
		f.submit()
	case f.Comments():
		f.focus(f.comment)
	default:
		f.focus(f.options[0])
	}
}

// submit is Return in a field: with one way to send it sends, else the owner chooses.
func (f *AnswerForm) submit() {
	if f.held() {
		return
	}
	switch len(f.in.Options) {
	case 0:
		call(f.OnSend, f.draft)
	case 1:
		f.press(f.in.Options[0])
	}
}

// Send sends, from whatever part has the keyboard; where there are several ways to, and none is chosen, it leads to them.
func (f *AnswerForm) Send() {
	switch {
	case f.spent:
		return
	case f.chosen() != nil:
		f.again()
	default:
		f.goOn(f.fields)
	}
	f.spent = true
}

// keyDowns is a part of a form that tells it that a key went down.
type keyDowns struct{ down func() }

func (k *keyDowns) onKeyDown(do func()) { k.down = do }

// KeyDown is the toolkit's.
func (k *keyDowns) KeyDown(*fyne.KeyEvent) {
	if k.down != nil {
		k.down()
	}
}

// KeyUp is the toolkit's.
func (k *keyDowns) KeyUp(*fyne.KeyEvent) {}

// step gives the keyboard to the next part, or the one before; after the last comes the first.
func (f *AnswerForm) step(by int) {
	c := f.canvas()
	if c == nil {
		return
	}
	there := slices.DeleteFunc(slices.Clone(f.parts), func(p fyne.Focusable) bool { return !p.(fyne.CanvasObject).Visible() })
	at := slices.Index(there, c.Focused())
	if at < 0 && by < 0 {
		at = 0
	}
	c.Focus(there[(at+by+len(there))%len(there)])
}

// canvas is that of the window it stands in. The toolkit knows it only when the form was drawn once.
func (f *AnswerForm) canvas() fyne.Canvas {
	if f.Canvas != nil {
		return f.Canvas
	}
	return fyne.CurrentApp().Driver().CanvasForObject(f)
}

// fieldEntry is where text is typed.
type fieldEntry struct {
	Entry
	key    func(*fyne.KeyEvent) bool // reports whether it took a key before the entry did
	placed bool                      // the caret was put behind what was there
	down   func()
}

func newFieldEntry(key func(*fyne.KeyEvent) bool) *fieldEntry {
	e := &fieldEntry{key: key}
	e.ExtendBaseWidget(e)
	return e
}

// AcceptsTab is the toolkit's.
func (e *fieldEntry) AcceptsTab() bool { return true }

// FocusGained is the toolkit's: what is there is gone on with.
func (e *fieldEntry) FocusGained() {
	e.Entry.FocusGained()
	if !e.placed {
		e.placed = true
		e.Entry.TypedKey(&fyne.KeyEvent{Name: fyne.KeyPageDown})
	}
}

func (e *fieldEntry) onKeyDown(do func()) { e.down = do }

// KeyDown is the toolkit's.
func (e *fieldEntry) KeyDown(k *fyne.KeyEvent) {
	e.down()
	e.Entry.KeyDown(k)
}

// TypedKey is the toolkit's.
func (e *fieldEntry) TypedKey(k *fyne.KeyEvent) {
	if !e.key(k) {
		e.Entry.TypedKey(k)
	}
}

// fieldSelect is a field of one choice.
type fieldSelect struct {
	Select
	keyDowns
	key func(*fyne.KeyEvent) bool
}

func newFieldSelect(options []string, changed func(string), key func(*fyne.KeyEvent) bool) *fieldSelect {
	s := &fieldSelect{key: key}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// AcceptsTab is the toolkit's.
func (s *fieldSelect) AcceptsTab() bool { return true }

// Tapped is the toolkit's.
func (s *fieldSelect) Tapped(*fyne.PointEvent) { s.tapped(s) }

// TypedKey is the toolkit's.
func (s *fieldSelect) TypedKey(k *fyne.KeyEvent) {
	if !s.key(k) {
		s.typed(s, k)
	}
}

// fieldCheck is a field of yes and no, or one of several choices.
type fieldCheck struct {
	widget.Check
	keyDowns
	key func(*fyne.KeyEvent) bool
}

func newFieldCheck(label string, changed func(bool), key func(*fyne.KeyEvent) bool) *fieldCheck {
	c := &fieldCheck{key: key}
	c.Text, c.OnChanged = label, changed
	c.ExtendBaseWidget(c)
	return c
}

// AcceptsTab is the toolkit's.
func (c *fieldCheck) AcceptsTab() bool { return true }

// TypedKey is the toolkit's.
func (c *fieldCheck) TypedKey(k *fyne.KeyEvent) {
	if !c.key(k) {
		c.Check.TypedKey(k)
	}
}
