package widgets

import (
	"fyne.io/fyne/v2"
)

// linkedProse is a paragraph with links: Tab reaches it, the arrows choose a link, Return opens it.
type linkedProse struct {
	Prose
	focused bool
	chosen  int // among the links
}

var _ fyne.Focusable = (*linkedProse)(nil)

func (l *linkedProse) links() []int {
	var out []int
	for i, s := range l.spans {
		if s.Link != "" {
			out = append(out, i)
		}
	}
	return out
}

func (l *linkedProse) chosenSpan() int {
	if !l.focused {
		return -1
	}
	return l.links()[l.chosen]
}

// CreateRenderer is the toolkit's.
func (l *linkedProse) CreateRenderer() fyne.WidgetRenderer {
	l.ExtendBaseWidget(l)
	return newProseRenderer(&l.Prose, l.chosenSpan)
}

// FocusGained is the toolkit's.
func (l *linkedProse) FocusGained() { l.focused, l.chosen = true, 0; l.Refresh() }

// FocusLost is the toolkit's.
func (l *linkedProse) FocusLost() { l.focused = false; l.Refresh() }

// TypedRune is the toolkit's.
func (l *linkedProse) TypedRune(r rune) { passOn(l, r) }

// TypedKey is the toolkit's.
func (l *linkedProse) TypedKey(e *fyne.KeyEvent) {
	n := len(l.links())
	switch e.Name {
	case fyne.KeyRight:
		l.chosen = (l.chosen + 1) % n
	case fyne.KeyLeft:
		l.chosen = (l.chosen + n - 1) % n
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		call(l.onLink, l.spans[l.links()[l.chosen]].Link)
		return
	default:
		letGo(l, e)
		return
	}
	l.Refresh()
}

// passOn gives a letter that a widget has no use for to the window: its shortcuts act whatever has the keyboard, unless
// text is typed there.
func passOn(o fyne.CanvasObject, r rune) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(o); c != nil {
		call(c.OnTypedRune(), r)
	}
}

// letGo gives a key that a widget has no use for back to the window, and with Escape the keyboard too.
func letGo(o fyne.CanvasObject, e *fyne.KeyEvent) {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return
	}
	if e.Name == fyne.KeyEscape {
		c.Unfocus()
	}
	if f := c.OnTypedKey(); f != nil {
		f(e)
	}
}
