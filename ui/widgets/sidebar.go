package widgets

import (
	"reflect"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/vm"
)

// Sidebar is the map of the lines: a connection is a line in its colour, its sessions are the stops.
type Sidebar struct {
	widget.BaseWidget
	env  *Env
	rows []vm.SideRow

	// OnChoose gets the row that the owner chose; OnMenu where its menu was asked for: by the dots, by the other mouse
	// button, or by the right arrow or the menu key.
	OnChoose func(vm.SideRow)
	OnMenu   func(vm.SideRow, fyne.Position)

	items   []*sideItem
	tip     *sideTip
	pointed *sideItem // what the tip explains; nil: nothing
	zone    sideZone
	legend  *sideLegend
	body    *fyne.Container
	scroll  *container.Scroll
	cursor  int // the row that has the keyboard; -1: none
	focused bool
	keyAt   time.Time // of the last key
	movedAt time.Time // when the pointer moved last over a row
	active  vm.SideRow
	unseen  bool // the active row is to be brought into view

	drawn    bool
	drawnKey int
}

var _ fyne.Focusable = (*Sidebar)(nil)

// NewSidebar makes an empty sidebar.
func NewSidebar(env *Env) *Sidebar {
	s := &Sidebar{env: env, cursor: -1}
	s.body = container.New(sideLayout{})
	s.scroll = container.NewVScroll(s.body)
	s.tip = newSideTip()
	s.legend = newSideLegend(env)
	s.ExtendBaseWidget(s)
	return s
}

// Set shows rows; those that did not change are left alone. While the pointer is over a row, and for a second after a
// key, none changes its place. The keyboard stays with its row, and a row that becomes the active one is brought into view.
func (s *Sidebar) Set(rows []vm.SideRow) {
	if s.env.Now().Sub(s.movedAt) >= pointerRest {
		s.rest()
	}
	if s.hovered() || s.env.Now().Sub(s.keyAt) < time.Second {
		rows = vm.KeepOrder(rows, s.rows)
	}
	if s.cursor >= 0 && s.cursor < len(s.rows) {
		at := s.rows[s.cursor]
		if i := slices.IndexFunc(rows, func(r vm.SideRow) bool { return r.Kind == at.Kind && r.Ref == at.Ref }); i >= 0 {
			s.cursor = i
		}
		s.cursor = min(s.cursor, len(rows)-1)
	}
	if s.drawn && reflect.DeepEqual(s.rows, rows) && s.drawnKey == s.key() {
		return
	}
	s.rows, s.drawn, s.drawnKey = rows, true, s.key()
	for len(s.items) < len(rows) {
		i := newSideItem(s.env)
		i.onTap = func() { s.choose(i) }
		i.onMenu = func(at fyne.Position) { s.menu(i, at) }
		i.onPoint = s.point
		i.onMove = func() { s.movedAt = s.env.Now() }
		s.items = append(s.items, i)
	}
	n := len(s.body.Objects)
	s.body.Objects = s.body.Objects[:0]
	for i := range rows {
		s.items[i].set(rows[i], s.focused && s.cursor == i)
		s.body.Objects = append(s.body.Objects, s.items[i])
	}
	if n != len(rows) {
		s.scroll.Refresh()
	}
	s.body.Refresh()
	s.legend.set(rows)
	s.follow()
	if s.pointed != nil {
		s.point(s.pointed, s.zone) // its numbers may be others now
	}
}

// hovered reports whether the pointer is over a row.
func (s *Sidebar) hovered() bool {
	return slices.ContainsFunc(s.items[:min(len(s.rows), len(s.items))], func(i *sideItem) bool { return i.hot })
}

// pointerRest is how long a pointer that does not move counts as being there: the toolkit does not tell when it leaves the
// window from over a row.
const pointerRest = 3 * time.Second

// rest takes the pointer for gone.
func (s *Sidebar) rest() {
	for _, i := range s.items {
		if i.hot {
			i.MouseOut()
			i.rested = true
		}
	}
}

// follow brings the active row into view when it became that, as soon as there is room.
func (s *Sidebar) follow() {
	at := slices.IndexFunc(s.rows, func(r vm.SideRow) bool { return r.Active })
	if at < 0 {
		return
	}
	if now := s.rows[at]; now.Kind != s.active.Kind || now.Ref != s.active.Ref {
		s.active, s.unseen = now, true
	}
	if s.unseen && s.scroll.Size().Height > 0 {
		s.unseen = false
		s.reveal(at)
	}
}

// choose does what a row is for.
func (s *Sidebar) choose(i *sideItem) { call(s.OnChoose, i.row) }

func (s *Sidebar) menu(i *sideItem, at fyne.Position) {
	s.point(nil, sideNowhere)
	if s.OnMenu != nil && i.row.Kind != vm.SideAll {
		s.OnMenu(i.row, at)
	}
}

// point says what is under the pointer, beside the row itself.
func (s *Sidebar) point(i *sideItem, z sideZone) {
	s.pointed, s.zone = i, z
	text := ""
	if i != nil {
		text = i.says(z)
	}
	if text == "" {
		s.tip.Hide()
		return
	}
	s.tip.say(text)
	at := i.Position()
	top := at.Y - s.scroll.Offset.Y
	w, h := s.tip.want(s.Size().Width - 16)
	y := top + i.Size().Height - 2
	if y+h > s.Size().Height {
		y = top - h + 2
	}
	place(s.tip, s.Size().Width-w-8, y, w, h)
	s.tip.Show()
	s.tip.Refresh()
}

// key is the row that is drawn as having the keyboard; -1: none.
func (s *Sidebar) key() int {
	if !s.focused {
		return -1
	}
	return s.cursor
}

// FocusGained is the toolkit's.
func (s *Sidebar) FocusGained() {
	s.focused = true
	if s.cursor < 0 {
		s.cursor = 0
		for i, r := range s.rows {
			if r.Active {
				s.cursor = i
			}
		}
	}
	s.Set(s.rows)
	s.point(nil, sideNowhere)
}

// FocusLost is the toolkit's.
func (s *Sidebar) FocusLost() { s.focused = false; s.Set(s.rows); s.point(nil, sideNowhere) }

// TypedRune is the toolkit's.
func (s *Sidebar) TypedRune(r rune) { passOn(s, r) }

// TypedKey is the toolkit's: arrows move, Space and Return choose, the right arrow and the menu key open the menu of a row.
func (s *Sidebar) TypedKey(e *fyne.KeyEvent) {
	if len(s.rows) == 0 {
		return
	}
	s.keyAt = s.env.Now()
	switch e.Name {
	case fyne.KeyDown:
		s.cursor = min(s.cursor+1, len(s.rows)-1)
	case fyne.KeyUp:
		s.cursor = max(s.cursor-1, 0)
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		if s.cursor >= 0 && s.cursor < len(s.rows) {
			s.choose(s.items[s.cursor])
		}
		return
	case fyne.KeyRight, desktop.KeyMenu:
		if s.cursor >= 0 && s.cursor < len(s.rows) {
			s.menu(s.items[s.cursor], s.items[s.cursor].under())
		}
		return
	default:
		return
	}
	s.Set(s.rows)
	s.reveal(s.cursor)
	s.point(nil, sideNowhere)
}

// reveal scrolls so far that a row is seen.
func (s *Sidebar) reveal(row int) {
	if row < 0 || row >= len(s.items) {
		return
	}
	i := s.items[row]
	top, bottom := i.Position().Y, i.Position().Y+i.Size().Height
	switch room := s.scroll.Size().Height; {
	case top < s.scroll.Offset.Y:
		s.scroll.ScrollToOffset(fyne.NewPos(0, top))
	case bottom > s.scroll.Offset.Y+room:
		s.scroll.ScrollToOffset(fyne.NewPos(0, bottom-room))
	}
}

// CreateRenderer is the toolkit's.
func (s *Sidebar) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return &sidebarRenderer{s}
}

type sidebarRenderer struct{ s *Sidebar }

func (r *sidebarRenderer) Destroy() {}
func (r *sidebarRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.s.scroll, r.s.legend, r.s.tip}
}
func (r *sidebarRenderer) MinSize() fyne.Size { return r.s.scroll.MinSize() }
func (r *sidebarRenderer) Layout(size fyne.Size) {
	h := r.s.legend.MinSize().Height
	place(r.s.scroll, 0, 0, size.Width, size.Height-h)
	place(r.s.legend, 0, size.Height-h, size.Width, h)
	r.s.follow()
}
func (r *sidebarRenderer) Refresh() {
	r.s.scroll.Refresh()
	r.s.legend.Refresh()
	r.s.tip.Refresh()
}

// sideLayout stacks rows without gaps.
type sideLayout struct{}

func (sideLayout) MinSize(objs []fyne.CanvasObject) fyne.Size {
	h := float32(8)
	for _, o := range objs {
		h += o.MinSize().Height
	}
	return fyne.NewSize(120, h+8)
}

func (sideLayout) Layout(objs []fyne.CanvasObject, size fyne.Size) {
	y := float32(8)
	for _, o := range objs {
		h := o.MinSize().Height
		place(o, 0, y, size.Width, h)
		y += h
	}
}
