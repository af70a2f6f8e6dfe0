package widgets

import (
	"reflect"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Sidebar is the map of the lines: a connection is a line in its colour, its sessions are the stops.
type Sidebar struct {
	widget.BaseWidget
	env  *Env
	rows []vm.SideRow

	// OnChoose gets the row that the owner chose; OnMenu where a menu was asked for.
	OnChoose func(vm.SideRow)
	OnMenu   func(vm.SideRow, fyne.Position)

	items   []*sideItem
	body    *fyne.Container
	scroll  *container.Scroll
	cursor  int // the row that has the keyboard; -1: none
	focused bool

	drawn    bool
	drawnKey int
}

var _ fyne.Focusable = (*Sidebar)(nil)

// NewSidebar makes an empty sidebar.
func NewSidebar(env *Env) *Sidebar {
	s := &Sidebar{env: env, cursor: -1}
	s.body = container.New(sideLayout{})
	s.scroll = container.NewVScroll(s.body)
	s.ExtendBaseWidget(s)
	return s
}

// Set shows rows; those that did not change are left alone.
func (s *Sidebar) Set(rows []vm.SideRow) {
	if s.drawn && reflect.DeepEqual(s.rows, rows) && s.drawnKey == s.key() {
		return
	}
	s.rows, s.drawn, s.drawnKey = rows, true, s.key()
	for len(s.items) < len(rows) {
		i := newSideItem(s.env)
		i.onTap = func(r vm.SideRow) { call(s.OnChoose, r) }
		i.onMenu = func(r vm.SideRow, at fyne.Position) {
			if s.OnMenu != nil {
				s.OnMenu(r, at)
			}
		}
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
}

// FocusLost is the toolkit's.
func (s *Sidebar) FocusLost() { s.focused = false; s.Set(s.rows) }

// TypedRune is the toolkit's.
func (s *Sidebar) TypedRune(rune) {}

// TypedKey is the toolkit's: arrows move, Space and Return choose.
func (s *Sidebar) TypedKey(e *fyne.KeyEvent) {
	if len(s.rows) == 0 {
		return
	}
	switch e.Name {
	case fyne.KeyDown:
		s.cursor = min(s.cursor+1, len(s.rows)-1)
	case fyne.KeyUp:
		s.cursor = max(s.cursor-1, 0)
	case fyne.KeySpace, fyne.KeyReturn, fyne.KeyEnter:
		if s.cursor >= 0 && s.cursor < len(s.rows) {
			call(s.OnChoose, s.rows[s.cursor])
		}
		return
	default:
		return
	}
	s.Set(s.rows)
}

// CreateRenderer is the toolkit's.
func (s *Sidebar) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return widget.NewSimpleRenderer(s.scroll)
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

type sideItem struct {
	widget.BaseWidget
	env    *Env
	row    vm.SideRow
	has    bool
	key    bool
	hot    bool
	onTap  func(vm.SideRow)
	onMenu func(vm.SideRow, fyne.Position)

	bg       *box
	line     *canvas.Rectangle
	stop     *canvas.Circle
	label    *Text
	sub      *Text
	need     *Text
	presence *Text
	badge    *canvas.Rectangle
	waiting  *Text
	unread   *Text
	icon     *Symbol
	objs     []fyne.CanvasObject
}

var (
	_ fyne.Tappable          = (*sideItem)(nil)
	_ fyne.SecondaryTappable = (*sideItem)(nil)
	_ desktop.Hoverable      = (*sideItem)(nil)
	_ desktop.Cursorable     = (*sideItem)(nil)
)

func newSideItem(env *Env) *sideItem {
	i := &sideItem{env: env, bg: newBox("", 8), line: canvas.NewRectangle(nil), stop: canvas.NewCircle(nil),
		label: NewText("", LookBody), sub: NewText("", LookCaption), need: NewText("", LookCaption), presence: NewText("", LookCaption), badge: canvas.NewRectangle(nil),
		waiting: NewText("", LookCaption), unread: NewText("", LookCaption), icon: NewSymbol("bell", theme.ColorInkSoft, 18)}
	i.ExtendBaseWidget(i)
	return i
}

func (i *sideItem) set(r vm.SideRow, key bool) {
	if i.has && i.key == key && reflect.DeepEqual(i.row, r) {
		return
	}
	i.row, i.has, i.key = r, true, key
	label := Look{Size: theme.SizeBody, Color: theme.ColorInk, Max: 1, Bold: r.Kind != vm.SideSession || r.Active || r.Need != ""}
	if r.Ended || r.Closed {
		label.Color = theme.ColorInkFaint
	}
	text := r.Label
	if !r.Title.IsZero() {
		text = i.env.Tr(r.Title)
	}
	i.label.Set(text, label)
	i.need.Set(i.env.Tr(vm.NeedWord(r.Need)), Look{Size: theme.SizeCaption, Color: theme.Tone(string(vm.NeedTone(r.Need))), Bold: true, Max: 1})
	parts := append([]string{}, r.Chips...)
	if r.State != "" {
		parts = append(parts, r.State)
	}
	if r.Ended {
		parts = append(parts, i.env.T("side.ended"))
	}
	i.sub.Set(strings.Join(parts, " · "), LookCaption)
	presence := ""
	if r.Kind == vm.SideConnection {
		if r.Closed {
			presence = i.env.T("side.closed")
		} else if r.Presence != notify.Online {
			presence = i.env.Tr(vm.PresenceWord(r.Presence))
		}
	}
	i.presence.Set(presence, Look{Size: theme.SizeCaption, Color: theme.ColorInkFaint, Max: 1, End: true})
	i.waiting.Set(strconv.Itoa(r.Waiting), Look{Size: theme.SizeCaption, Color: theme.ColorOnLamp, Bold: true, Max: 1, Center: true})
	i.unread.Set(strconv.Itoa(r.Unread), Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Bold: true, Max: 1, End: true})
	i.Refresh()
}

func (i *sideItem) Tapped(*fyne.PointEvent) { call(i.onTap, i.row) }
func (i *sideItem) TappedSecondary(e *fyne.PointEvent) {
	if i.onMenu != nil {
		i.onMenu(i.row, e.AbsolutePosition)
	}
}
func (i *sideItem) MouseIn(*desktop.MouseEvent)    { i.hot = true; i.Refresh() }
func (i *sideItem) MouseMoved(*desktop.MouseEvent) {}
func (i *sideItem) MouseOut()                      { i.hot = false; i.Refresh() }
func (i *sideItem) Cursor() desktop.Cursor         { return desktop.PointerCursor }

func (i *sideItem) second() bool {
	return i.row.Kind == vm.SideSession && (i.sub.text != "" || i.need.text != "")
}

func (i *sideItem) height() float32 {
	h := i.label.lineHeight() + 14
	if i.row.Kind == vm.SideConnection {
		h += 10
	}
	if i.second() {
		h += i.sub.lineHeight() + 1
	}
	return h
}

func (i *sideItem) CreateRenderer() fyne.WidgetRenderer {
	i.ExtendBaseWidget(i)
	return &sideRenderer{i}
}

type sideRenderer struct{ i *sideItem }

func (r *sideRenderer) Destroy()                     {}
func (r *sideRenderer) Objects() []fyne.CanvasObject { return r.i.objs }
func (r *sideRenderer) MinSize() fyne.Size           { return fyne.NewSize(120, r.i.height()) }

func (r *sideRenderer) Layout(size fyne.Size) {
	i := r.i
	const lx = 22 // where the line runs
	top := float32(0)
	if i.row.Kind == vm.SideConnection {
		top = 10
	}
	lh := i.label.lineHeight()
	y := top + 7
	i.objs = append(i.objs[:0], i.bg.Rectangle)
	i.bg.place(6, top+1, size.Width-12, size.Height-top-2)
	x, right := float32(40), size.Width-16
	switch i.row.Kind {
	case vm.SideAll:
		place(i.icon, lx-9, y+lh/2-9, 18, 18)
		i.objs = append(i.objs, i.icon)
	case vm.SideConnection:
		place(i.line, lx-1.5, y+lh/2, 3, size.Height-y-lh/2)
		place(i.stop, lx-6, y+lh/2-6, 12, 12)
		if !i.row.Last {
			i.objs = append(i.objs, i.line)
		}
		i.objs = append(i.objs, i.stop)
	default:
		end := size.Height
		if i.row.Last {
			end = y + lh/2
		}
		place(i.line, lx-1.5, 0, 3, end)
		place(i.stop, lx-5.5, y+lh/2-5.5, 11, 11)
		i.objs = append(i.objs, i.line, i.stop)
	}
	if i.row.Unread > 0 && !(i.row.Kind == vm.SideConnection && i.row.Waiting > 0) {
		w := i.unread.Width() + 1
		place(i.unread, right-w, y+(lh-i.unread.lineHeight())/2, w, i.unread.lineHeight())
		i.objs = append(i.objs, i.unread)
		right -= w + 8
	}
	if i.row.Waiting > 0 {
		bh := max(i.waiting.lineHeight()+2, 18)
		w := max(i.waiting.Width()+12, bh+2)
		i.badge.CornerRadius = bh / 2
		place(i.badge, right-w+2, y+(lh-bh)/2, w, bh)
		place(i.waiting, right-w+2, y+(lh-i.waiting.lineHeight())/2, w, i.waiting.lineHeight())
		i.objs = append(i.objs, i.badge, i.waiting)
		right -= w + 6
	}
	if i.presence.text != "" && x+i.label.Width()+i.presence.Width()+10 <= right { // the name comes first
		w := i.presence.Width() + 1
		place(i.presence, right-w, y+(lh-i.presence.lineHeight())/2, w, i.presence.lineHeight())
		i.objs = append(i.objs, i.presence)
		right -= w + 8
	}
	place(i.label, x, y, right-x, lh)
	i.objs = append(i.objs, i.label)
	if i.second() {
		y += lh + 1
		ch := i.sub.lineHeight()
		if i.need.text != "" {
			w := i.need.Width() + 1
			place(i.need, x, y, w, ch)
			i.objs = append(i.objs, i.need)
			x += w + 6
		}
		if room := size.Width - 16 - x; room > 30 {
			place(i.sub, x, y, room, ch)
			i.objs = append(i.objs, i.sub)
		}
	}
}

func (r *sideRenderer) Refresh() {
	i := r.i
	line := LineColour(i.row.Color, i.row.Label)
	if i.row.Kind == vm.SideSession {
		line = LineColour(i.row.Color, i.row.Ref.Connection)
	}
	i.line.FillColor = line
	i.stop.StrokeWidth, i.stop.StrokeColor, i.stop.FillColor = 2.5, line, theme.At(theme.ColorSide)
	switch {
	case i.row.Kind == vm.SideConnection && i.row.Presence == notify.Online:
		i.stop.FillColor = line
	case i.row.Kind == vm.SideConnection:
		i.stop.StrokeColor = theme.At(theme.Lamp("quiet"))
	case i.row.Waiting > 0 || i.row.Need == notify.NeedConfirm:
		i.stop.FillColor, i.stop.StrokeWidth = theme.At(theme.Lamp("waiting")), 0
	case i.row.Need == notify.NeedFailed:
		i.stop.FillColor, i.stop.StrokeWidth = theme.At(theme.Lamp("error")), 0
	case i.row.Active:
		i.stop.FillColor = theme.At(theme.ColorInk)
	}
	if i.row.Ended {
		i.line.FillColor = alphaOf(line, 0x66)
	}
	i.badge.FillColor, i.badge.CornerRadius = theme.At(theme.Lamp("waiting")), 9
	i.bg.fill, i.bg.stroke = "", ""
	switch {
	case i.row.Active:
		i.bg.fill = theme.ColorCard
	case i.hot:
		i.bg.fill = base.ColorNameHover
	}
	if i.key {
		i.bg.stroke = theme.ColorFocus
	}
	i.bg.paint()
	r.Layout(i.Size())
	for _, o := range []fyne.CanvasObject{i.line, i.stop, i.badge} {
		o.Refresh()
	}
	canvas.Refresh(i)
}
