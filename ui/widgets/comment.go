package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
)

// commentEntry is an entry of a few lines in which Return sends and Shift+Return begins a line.
type commentEntry struct {
	fieldEntry
	OnSend func()
	// Sends reports whether a letter, typed into the empty entry, was a key that sends. held: since the entry came no key
	// was let go of, so that the letter may be one that led here and is held.
	Sends func(letter rune, held bool) bool

	letGo bool
	lines *container.Scroll // what scrolls in it; nil: it was never drawn
}

func newCommentEntry() *commentEntry {
	e := &commentEntry{}
	e.MultiLine = true
	e.Wrapping = fyne.TextWrapWord
	e.ExtendBaseWidget(e)
	e.SetMinRowsVisible(2)
	return e
}

// CreateRenderer is the toolkit's.
func (e *commentEntry) CreateRenderer() fyne.WidgetRenderer {
	e.ExtendBaseWidget(e)
	r := e.fieldEntry.CreateRenderer()
	for _, o := range r.Objects() {
		if s, ok := o.(*container.Scroll); ok {
			e.lines = s
		}
	}
	return r
}

// scrolled turns the wheel over the entry, and reports whether that moved anything.
func (e *commentEntry) scrolled(ev *fyne.ScrollEvent) bool {
	if e.lines == nil {
		return false
	}
	was := e.lines.Offset
	e.lines.Scrolled(ev)
	return e.lines.Offset != was
}

// TypedRune is the toolkit's.
func (e *commentEntry) TypedRune(r rune) {
	if e.Text == "" && e.Sends != nil && e.Sends(r, !e.letGo) {
		return
	}
	e.Entry.TypedRune(r)
}

// KeyUp is the toolkit's.
func (e *commentEntry) KeyUp(k *fyne.KeyEvent) {
	e.letGo = true
	e.Entry.KeyUp(k)
}

// TypedKey is the toolkit's.
func (e *commentEntry) TypedKey(k *fyne.KeyEvent) {
	if e.key(k) {
		return
	}
	switch k.Name {
	case fyne.KeyReturn, fyne.KeyEnter:
		if d, ok := fyne.CurrentApp().Driver().(desktop.Driver); ok && d.CurrentKeyModifiers()&fyne.KeyModifierShift != 0 {
			e.Entry.TypedKey(k)
			return
		}
		e.OnSend()
	default:
		e.Entry.TypedKey(k)
	}
}
