package widgets

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"
)

// formKey is the keyboard of an answer form, for each of its parts: Tab goes round in it, Escape closes it. It reports
// whether it took the key.
func (f *AnswerForm) formKey(e *fyne.KeyEvent) bool {
	switch e.Name {
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
func (f *AnswerForm) part(p fyne.Focusable) { f.parts = append(f.parts, p) }

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

// TypedKey is the toolkit's.
func (e *fieldEntry) TypedKey(k *fyne.KeyEvent) {
	if !e.key(k) {
		e.Entry.TypedKey(k)
	}
}

// fieldSelect is a field of one choice.
type fieldSelect struct {
	Select
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
