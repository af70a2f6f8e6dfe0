package widgets

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

// Menu is a menu over a window. It and its submenus have an edge: the toolkit's own have none, and are lost on cards of
// their colour. It stays inside of the window.
type Menu struct {
	widget.BaseWidget
	canvas fyne.Canvas
	menu   *widget.Menu
	items  []*fyne.MenuItem
	at     fyne.Position
	before fyne.Focusable
	shield *TapGround // over lines that have only just come: it takes what was meant for what was there; nil: none
}

var (
	_ fyne.Focusable         = (*Menu)(nil)
	_ fyne.Tappable          = (*Menu)(nil)
	_ fyne.SecondaryTappable = (*Menu)(nil)
)

// OpenMenu shows a menu at a place of a window. The keyboard has the menu until it is gone, and has what it had before
// afterwards.
func OpenMenu(c fyne.Canvas, at fyne.Position, items ...*fyne.MenuItem) *Menu {
	m := &Menu{canvas: c, at: at}
	m.fill(items)
	m.ExtendBaseWidget(m)
	m.before = m.canvas.Focused()
	m.canvas.Overlays().Add(m)
	m.Resize(m.canvas.Size())
	m.canvas.Focus(m)
	return m
}

// Items are the lines that are shown.
func (m *Menu) Items() []*fyne.MenuItem { return m.items }

// Hide closes the menu.
func (m *Menu) Hide() {
	m.canvas.Overlays().Remove(m)
	if m.before != nil && m.canvas.Overlays().Top() == nil {
		m.canvas.Focus(m.before)
	}
}

// Set replaces the lines of an open menu; what had the keyboard begins anew. For a moment they do nothing: what is
// under the pointer is not what was. after runs a function later.
func (m *Menu) Set(after func(time.Duration, func()), items ...*fyne.MenuItem) {
	m.fill(items)
	shield := NewTapGround(func() {})
	m.shield = shield
	m.Refresh()
	after(InertFor, func() {
		if m.shield == shield { // nothing came after it
			m.shield = nil
			m.Refresh()
		}
	})
}

func (m *Menu) fill(items []*fyne.MenuItem) {
	m.items = items
	m.menu = widget.NewMenu(fyne.NewMenu("", items...))
	m.menu.OnDismiss = m.Hide
}

// Shown reports whether the menu is still on the screen.
func (m *Menu) Shown() bool {
	return slices.Contains(m.canvas.Overlays().List(), fyne.CanvasObject(m))
}

// Tapped is the toolkit's: a tap beside the menu closes it.
func (m *Menu) Tapped(*fyne.PointEvent) { m.menu.Dismiss() }

// TappedSecondary is the toolkit's.
func (m *Menu) TappedSecondary(*fyne.PointEvent) { m.menu.Dismiss() }

// FocusGained is the toolkit's.
func (m *Menu) FocusGained() {}

// FocusLost is the toolkit's.
func (m *Menu) FocusLost() {}

// TypedRune is the toolkit's.
func (m *Menu) TypedRune(rune) {}

// TypedKey is the toolkit's: arrows move, Return chooses, Escape closes.
func (m *Menu) TypedKey(e *fyne.KeyEvent) {
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
func (m *Menu) CreateRenderer() fyne.WidgetRenderer {
	m.ExtendBaseWidget(m)
	r := &menuRenderer{m: m}
	r.Layout(m.Size())
	return r
}

type menuRenderer struct {
	m     *Menu
	edges []*canvas.Rectangle // of the menu, and of its submenus that are open
}

func (r *menuRenderer) Destroy()           {}
func (r *menuRenderer) MinSize() fyne.Size { return r.m.menu.MinSize() }

// Objects follows the submenus, which open and close under the pointer without telling: an edge that is not where its
// submenu is is put there when it is drawn.
func (r *menuRenderer) Objects() []fyne.CanvasObject {
	m := r.m
	objs := []fyne.CanvasObject{m.menu, r.edge(0, m.menu.Position(), m.menu.Size())}
	for _, o := range m.menu.Items {
		if i, ok := o.(interface{ Child() *widget.Menu }); ok && i.Child() != nil && i.Child().Visible() {
			objs = append(objs, r.edge(len(objs)-1, m.menu.Position().Add(i.Child().Position()), i.Child().Size()))
		}
	}
	if m.shield != nil {
		objs = append(objs, m.shield)
	}
	return objs
}

func (r *menuRenderer) edge(i int, at fyne.Position, size fyne.Size) fyne.CanvasObject {
	if i == len(r.edges) {
		e := canvas.NewRectangle(nil)
		e.StrokeColor, e.StrokeWidth = theme.At(theme.ColorEdge), 1
		r.edges = append(r.edges, e)
	}
	e := r.edges[i]
	if e.Position() != at || e.Size() != size {
		place(e, at.X, at.Y, size.Width, size.Height)
	}
	return e
}

func (r *menuRenderer) Layout(room fyne.Size) {
	size := r.m.menu.MinSize()
	size.Height = min(size.Height, max(room.Height-16, 0)) // beyond that it scrolls
	at := fyne.NewPos(max(min(r.m.at.X, room.Width-size.Width-8), 8), max(min(r.m.at.Y, room.Height-size.Height-8), 8))
	place(r.m.menu, at.X, at.Y, size.Width, size.Height)
	if r.m.shield != nil {
		place(r.m.shield, at.X, at.Y, size.Width, size.Height)
	}
}

func (r *menuRenderer) Refresh() {
	for _, e := range r.edges {
		e.StrokeColor = theme.At(theme.ColorEdge)
	}
	r.m.menu.Refresh()
	r.Layout(r.m.Size())
	canvas.Refresh(r.m)
}
