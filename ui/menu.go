package ui

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/widgets"
)

// popup shows a menu at a place of a window; it stays inside of it. The keyboard has the menu until it is gone,
// and has what it had before afterwards.
func popup(win fyne.Window, at fyne.Position, items ...*fyne.MenuItem) *menuOverlay {
	m := &menuOverlay{canvas: win.Canvas(), at: at, edge: canvas.NewRectangle(nil)}
	m.fill(items)
	m.ExtendBaseWidget(m)
	m.before = m.canvas.Focused()
	m.canvas.Overlays().Add(m)
	m.Resize(m.canvas.Size())
	m.canvas.Focus(m)
	return m
}

// item is a line of a menu.
func item(icon, label string, do func()) *fyne.MenuItem {
	m := fyne.NewMenuItem(label, do)
	if icon != "" {
		m.Icon = theme.Symbol(icon, base.ColorNameForeground)
	}
	return m
}

// note is a line of a menu that says something and does nothing.
func note(icon, label string) *fyne.MenuItem {
	m := item(icon, label, nil)
	m.Disabled = true
	return m
}

// menuOverlay is a menu over a window, with an edge around it: the toolkit's own has none, and is lost on
// cards of its colour.
type menuOverlay struct {
	widget.BaseWidget
	canvas fyne.Canvas
	menu   *widget.Menu
	items  []*fyne.MenuItem
	edge   *canvas.Rectangle
	at     fyne.Position
	before fyne.Focusable
	shield *tapGround // over lines that have only just come: it takes what was meant for what was there; nil: none
}

var (
	_ fyne.Focusable         = (*menuOverlay)(nil)
	_ fyne.Tappable          = (*menuOverlay)(nil)
	_ fyne.SecondaryTappable = (*menuOverlay)(nil)
)

func (m *menuOverlay) hide() {
	m.canvas.Overlays().Remove(m)
	if m.before != nil && m.canvas.Overlays().Top() == nil {
		m.canvas.Focus(m.before)
	}
}

// set replaces the lines of an open menu; what had the keyboard begins anew. For a moment they do nothing: what is
// under the pointer is not what was.
func (m *menuOverlay) set(after func(time.Duration, func()), items ...*fyne.MenuItem) {
	m.fill(items)
	shield := newTapGround(func() {})
	m.shield = shield
	m.Refresh()
	after(widgets.InertFor, func() {
		if m.shield == shield { // nothing came after it
			m.shield = nil
			m.Refresh()
		}
	})
}

func (m *menuOverlay) fill(items []*fyne.MenuItem) {
	m.items = items
	m.menu = widget.NewMenu(fyne.NewMenu("", items...))
	m.menu.OnDismiss = m.hide
}

// shown reports whether the menu is still on the screen.
func (m *menuOverlay) shown() bool {
	return slices.Contains(m.canvas.Overlays().List(), fyne.CanvasObject(m))
}

// Tapped is the toolkit's: a tap beside the menu closes it.
func (m *menuOverlay) Tapped(*fyne.PointEvent) { m.menu.Dismiss() }

// TappedSecondary is the toolkit's.
func (m *menuOverlay) TappedSecondary(*fyne.PointEvent) { m.menu.Dismiss() }

// FocusGained is the toolkit's.
func (m *menuOverlay) FocusGained() {}

// FocusLost is the toolkit's.
func (m *menuOverlay) FocusLost() {}

// TypedRune is the toolkit's.
func (m *menuOverlay) TypedRune(rune) {}

// TypedKey is the toolkit's: arrows move, Return chooses, Escape closes.
func (m *menuOverlay) TypedKey(e *fyne.KeyEvent) {
	switch e.Name {
	case fyne.KeyDown:
		m.menu.ActivateNext()
	case fyne.KeyUp:
		m.menu.ActivatePrevious()
	case fyne.KeyRight:
		m.menu.ActivateLastSubmenu()
	case fyne.KeyLeft:
		m.menu.DeactivateLastSubmenu()
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		if m.shield == nil {
			m.menu.TriggerLast()
		}
	case fyne.KeyEscape:
		if !m.menu.DeactivateLastSubmenu() { // one a press
			m.menu.Dismiss()
		}
	}
}

// CreateRenderer is the toolkit's.
func (m *menuOverlay) CreateRenderer() fyne.WidgetRenderer {
	m.ExtendBaseWidget(m)
	r := &menuRenderer{m}
	r.paint()
	return r
}

type menuRenderer struct{ m *menuOverlay }

func (r *menuRenderer) Destroy()           {}
func (r *menuRenderer) MinSize() fyne.Size { return r.m.menu.MinSize() }
func (r *menuRenderer) Objects() []fyne.CanvasObject {
	if r.m.shield != nil {
		return []fyne.CanvasObject{r.m.menu, r.m.edge, r.m.shield}
	}
	return []fyne.CanvasObject{r.m.menu, r.m.edge}
}

func (r *menuRenderer) Layout(room fyne.Size) {
	size := r.m.menu.MinSize()
	at := fyne.NewPos(max(min(r.m.at.X, room.Width-size.Width-8), 8), max(min(r.m.at.Y, room.Height-size.Height-8), 8))
	r.m.menu.Move(at)
	r.m.menu.Resize(size)
	r.m.edge.Move(at)
	r.m.edge.Resize(size)
	if r.m.shield != nil {
		r.m.shield.Move(at)
		r.m.shield.Resize(size)
	}
}

func (r *menuRenderer) paint() {
	r.m.edge.FillColor, r.m.edge.StrokeColor, r.m.edge.StrokeWidth = nil, theme.At(theme.ColorEdge), 1
}

func (r *menuRenderer) Refresh() {
	r.paint()
	r.m.menu.Refresh()
	r.Layout(r.m.Size())
	r.m.edge.Refresh()
	canvas.Refresh(r.m)
}
