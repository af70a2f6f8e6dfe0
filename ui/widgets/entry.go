package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Entry is an entry in a window that has shortcuts: those that are not the entry's reach the window. The toolkit gives
// them to what has the keyboard and to nobody else.
type Entry struct{ widget.Entry }

// NewEntry makes an entry of one line.
func NewEntry() *Entry {
	e := &Entry{}
	e.ExtendBaseWidget(e)
	return e
}

// self is the entry in what was made of it.
func (e *Entry) self() *Entry { return e }

// TypedShortcut is the toolkit's.
func (e *Entry) TypedShortcut(s fyne.Shortcut) {
	e.Entry.TypedShortcut(s)
	for _, w := range fyne.CurrentApp().Driver().AllWindows() {
		if f, ok := w.Canvas().Focused().(interface{ self() *Entry }); ok && f.self() == e {
			if c, ok := w.Canvas().(fyne.Shortcutable); ok {
				c.TypedShortcut(s)
			}
			return
		}
	}
}

// wheel lies over what scrolls, and takes the mouse wheel for it: an entry within takes it also where it has nothing to
// scroll, and what it stands in would stop under the pointer.
type wheel struct {
	widget.BaseWidget
	scroll *container.Scroll
}

var _ fyne.Scrollable = (*wheel)(nil)

func newWheel(scroll *container.Scroll) *wheel {
	w := &wheel{scroll: scroll}
	w.ExtendBaseWidget(w)
	return w
}

// Scrolled is the toolkit's. What is typed into under the pointer goes first, as long as it moves.
func (w *wheel) Scrolled(e *fyne.ScrollEvent) {
	if c := fyne.CurrentApp().Driver().CanvasForObject(w); c != nil {
		if in, ok := c.Focused().(*commentEntry); ok && under(in, e.AbsolutePosition) && in.scrolled(e) {
			return
		}
	}
	w.scroll.Scrolled(e)
}

// under reports whether an object is at a place of its window.
func under(o fyne.CanvasObject, at fyne.Position) bool {
	from, size := fyne.CurrentApp().Driver().AbsolutePositionForObject(o), o.Size()
	return at.X >= from.X && at.Y >= from.Y && at.X < from.X+size.Width && at.Y < from.Y+size.Height
}

// CreateRenderer is the toolkit's.
func (w *wheel) CreateRenderer() fyne.WidgetRenderer {
	w.ExtendBaseWidget(w)
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}
