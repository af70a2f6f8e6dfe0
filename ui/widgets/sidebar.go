package widgets

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

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
// key, none changes its place. The keyboard stays with its row.
func (s *Sidebar) Set(rows []vm.SideRow) {
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
	if s.pointed != nil {
		s.point(s.pointed, s.zone) // its numbers may be others now
	}
}

// hovered reports whether the pointer is over a row.
func (s *Sidebar) hovered() bool {
	return slices.ContainsFunc(s.items[:min(len(s.rows), len(s.items))], func(i *sideItem) bool { return i.hot })
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
	s.reveal()
	s.point(nil, sideNowhere)
}

// reveal scrolls so far that the row with the keyboard is seen.
func (s *Sidebar) reveal() {
	if s.cursor < 0 || s.cursor >= len(s.items) {
		return
	}
	i := s.items[s.cursor]
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

type sideItem struct {
	widget.BaseWidget
	env    *Env
	row    vm.SideRow
	has    bool
	key    bool
	hot    bool
	zone   sideZone
	onTap  func()
	onMenu func(fyne.Position)
	// onPoint hears what is under the pointer; nil: nothing of this row.
	onPoint func(*sideItem, sideZone)
	numbers float32 // where the numbers begin
	name    string  // the whole text of the label

	bg       *box
	line     *canvas.Rectangle
	stop     *canvas.Circle
	label    *Text
	sub      *Text
	need     *Text
	presence *Text
	there    []string // what is said of its presence, the longest first
	badge    *canvas.Rectangle
	waiting  *Text
	unread   *Text
	icon     *Symbol
	more     *Symbol
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
		waiting: NewText("", LookCaption), unread: NewText("", LookCaption), icon: NewSymbol("bell", theme.ColorInkSoft, 18), more: NewSymbol("more", theme.ColorInkSoft, 16)}
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
	i.name = text
	i.label.Set(text, label)
	i.need.Set(i.env.Tr(vm.NeedWord(r.Need)), Look{Size: theme.SizeCaption, Color: theme.Tone(string(vm.NeedTone(r.Need))), Bold: true, Max: 1})
	parts := append([]string{}, r.Chips...)
	if !r.State.IsZero() {
		parts = append(parts, i.env.Tr(r.State))
	}
	if r.Ended {
		parts = append(parts, i.env.T("side.ended"))
	}
	sub := LookCaption
	if !r.Old.IsZero() {
		parts = append(parts, i.env.Tr(r.Old))
		sub.Color = theme.Tone(string(vm.ToneWarning))
	}
	i.sub.Set(strings.Join(parts, " · "), sub)
	i.there = nil
	switch {
	case r.Kind != vm.SideConnection:
	case r.Closed:
		i.there = []string{i.env.T("side.closed")}
	case r.Presence != notify.Online:
		i.there = []string{i.env.Presence(r.Presence, r.Heard)}
		if !r.Heard.IsZero() {
			i.there = append(i.there, i.env.Tr(r.Heard))
		}
	}
	i.presence.Set("", Look{Size: theme.SizeCaption, Color: theme.ColorInkFaint, Max: 1, End: true})
	i.waiting.Set(strconv.Itoa(r.Waiting), Look{Size: theme.SizeCaption, Color: theme.ColorOnLamp, Bold: true, Max: 1, Center: true})
	i.unread.Set(strconv.Itoa(r.Unread), Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Bold: true, Max: 1, End: true})
	i.Refresh()
}

// Tapped is the toolkit's: on the dots it opens the menu, elsewhere it chooses the row.
func (i *sideItem) Tapped(e *fyne.PointEvent) {
	if e != nil && i.zoneAt(e.Position.X) == sideDots {
		i.onMenu(i.under())
		return
	}
	i.onTap()
}

// TappedSecondary is the toolkit's.
func (i *sideItem) TappedSecondary(e *fyne.PointEvent) { i.onMenu(e.AbsolutePosition) }

// MouseIn is the toolkit's.
func (i *sideItem) MouseIn(e *desktop.MouseEvent) {
	i.hot = true
	i.Refresh()
	i.MouseMoved(e)
}

// MouseMoved is the toolkit's.
func (i *sideItem) MouseMoved(e *desktop.MouseEvent) {
	if z := i.zoneAt(e.Position.X); z != i.zone {
		i.zone = z
		i.onPoint(i, z)
		i.Refresh()
	}
}

// MouseOut is the toolkit's.
func (i *sideItem) MouseOut() {
	i.hot, i.zone = false, sideNowhere
	i.onPoint(nil, sideNowhere)
	i.Refresh()
}

// Cursor is the toolkit's.
func (i *sideItem) Cursor() desktop.Cursor { return desktop.PointerCursor }

// sideZone is a part of a row that is explained when it is pointed at.
type sideZone int

const (
	sideNowhere sideZone = iota
	sideNumbers
	sideDots
)

// sideDotsRoom is what the dots take at the right of a row.
const sideDotsRoom = 30

// dots reports whether the row shows that it has a menu: a connection always, a session when it is pointed at.
func (i *sideItem) dots() bool {
	return i.row.Kind == vm.SideConnection || i.row.Kind == vm.SideSession && (i.hot || i.key)
}

func (i *sideItem) zoneAt(x float32) sideZone {
	switch w := i.Size().Width; {
	case x >= w-sideDotsRoom-4 && i.dots():
		return sideDots
	case x >= i.numbers && x < w-sideDotsRoom:
		return sideNumbers
	}
	return sideNowhere
}

// says explains a part of the row.
func (i *sideItem) says(z sideZone) string {
	switch z {
	case sideDots:
		if i.row.Kind == vm.SideConnection {
			return i.env.T("side.tip_menu")
		}
		return i.env.T("side.tip_session")
	case sideNumbers:
		waiting, unread := i.row.SideTip()
		var parts []string
		for _, m := range []vm.Msg{waiting, unread} {
			if !m.IsZero() {
				parts = append(parts, i.env.Tr(m))
			}
		}
		return strings.Join(parts, " · ")
	}
	return ""
}

// under is where a menu of the row belongs.
func (i *sideItem) under() fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(i).AddXY(40, i.Size().Height-2)
}

// cutInside shortens a name that does not fit before its number, which tells two of them apart: "landing… · 0002". A name
// without one stays as it is, and so does one of which too little would be left.
func cutInside(name string, fits func(string) bool) string {
	at := strings.LastIndex(name, " · ")
	if at < 0 || fits(name) {
		return name
	}
	head, tail := []rune(name[:at]), name[at:]
	for n := len(head) - 1; n >= 3; n-- {
		if s := strings.TrimSpace(string(head[:n])) + "…" + tail; fits(s) {
			return s
		}
	}
	return name
}

func (i *sideItem) second() bool {
	return i.row.Kind == vm.SideSession && (i.sub.text != "" || i.need.text != "") || !i.row.Old.IsZero()
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
	x, right := float32(40), size.Width-sideDotsRoom-4
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
	if i.dots() {
		place(i.more, size.Width-sideDotsRoom+4, y+lh/2-8, 16, 16)
		i.objs = append(i.objs, i.more)
	}
	i.numbers = right
	if i.row.Unread > 0 {
		w := i.unread.Width() + 1
		place(i.unread, right-w, y+(lh-i.unread.lineHeight())/2, w, i.unread.lineHeight())
		i.objs = append(i.objs, i.unread)
		i.numbers = right - w
		right -= w + 8
	}
	if i.row.Waiting > 0 {
		bh := max(i.waiting.lineHeight()+2, 18)
		w := max(i.waiting.Width()+12, bh+2)
		i.badge.CornerRadius = bh / 2
		place(i.badge, right-w+2, y+(lh-bh)/2, w, bh)
		place(i.waiting, right-w+2, y+(lh-i.waiting.lineHeight())/2, w, i.waiting.lineHeight())
		i.objs = append(i.objs, i.badge, i.waiting)
		i.numbers = right - w + 2
		right -= w + 6
	}
	for _, s := range i.there {
		w := measure(s, i.presence.look.size(), i.presence.look.style()) + 1
		if x+i.label.Width()+w+9 > right { // the name comes first
			continue
		}
		i.presence.SetText(s)
		place(i.presence, right-w, y+(lh-i.presence.lineHeight())/2, w, i.presence.lineHeight())
		i.objs = append(i.objs, i.presence)
		right -= w + 8
		break
	}
	i.label.SetText(cutInside(i.name, func(s string) bool { return measure(s, i.label.look.size(), i.label.look.style())+1 <= right-x }))
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
	line := LineColour(i.row.Color, i.row.Line)
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
	ink := theme.ColorInkFaint
	if i.zone == sideDots || i.key {
		ink = theme.ColorInk
	}
	i.more.Set("more", ink)
	r.Layout(i.Size())
	for _, o := range []fyne.CanvasObject{i.line, i.stop, i.badge} {
		o.Refresh()
	}
	canvas.Refresh(i)
}
