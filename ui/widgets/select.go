package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Select is the toolkit's choice of one, with a menu of ours: its own has no edge.
type Select struct{ widget.Select }

// NewSelect makes one.
func NewSelect(options []string, changed func(string)) *Select {
	s := &Select{}
	s.Options, s.OnChanged = options, changed
	s.ExtendBaseWidget(s)
	return s
}

// Tapped is the toolkit's.
func (s *Select) Tapped(*fyne.PointEvent) { s.tapped(s) }

// TypedKey is the toolkit's.
func (s *Select) TypedKey(e *fyne.KeyEvent) { s.typed(s, e) }

// tapped and typed do what is done with self, which is the choice or what was made of it.
func (s *Select) tapped(self fyne.Focusable) {
	if s.Disabled() {
		return
	}
	if c := fyne.CurrentApp().Driver().CanvasForObject(self.(fyne.CanvasObject)); c != nil {
		c.Focus(self)
		s.choose(c, self.(fyne.CanvasObject))
	}
}

func (s *Select) typed(self fyne.CanvasObject, e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeySpace, fyne.KeyUp, fyne.KeyDown:
		if c := fyne.CurrentApp().Driver().CanvasForObject(self); c != nil {
			s.choose(c, self)
		}
	case fyne.KeyPageDown, fyne.KeyPageUp, fyne.KeyHome, fyne.KeyEnd, fyne.KeyEscape:
		letGo(self, e) // what is around it scrolls, or closes something
	default:
		s.Select.TypedKey(e)
	}
}

// choose opens the menu under the choice.
func (s *Select) choose(c fyne.Canvas, self fyne.CanvasObject) {
	items := make([]*fyne.MenuItem, len(s.Options))
	for i, o := range s.Options {
		items[i] = fyne.NewMenuItem(o, func() { s.SetSelectedIndex(i) })
		items[i].Checked = o == s.Selected
	}
	OpenMenu(c, fyne.CurrentApp().Driver().AbsolutePositionForObject(self).AddXY(0, s.Size().Height+2), items...)
}
