package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
)

// commentEntry is an entry of a few lines in which Return sends and Shift+Return begins a line.
type commentEntry struct {
	fieldEntry
	OnSend func()
	// Sends reports whether a letter, typed into the empty entry, was a key that sends.
	Sends func(rune) bool
}

func newCommentEntry() *commentEntry {
	e := &commentEntry{}
	e.MultiLine = true
	e.Wrapping = fyne.TextWrapWord
	e.ExtendBaseWidget(e)
	e.SetMinRowsVisible(2)
	return e
}

// TypedRune is the toolkit's.
func (e *commentEntry) TypedRune(r rune) {
	if e.Text == "" && e.Sends != nil && e.Sends(r) {
		return
	}
	e.Entry.TypedRune(r)
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
