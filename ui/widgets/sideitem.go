package widgets

import (
	"reflect"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// sideItem is a row of the sidebar.
type sideItem struct {
	widget.BaseWidget
	env    *Env
	row    vm.SideRow
	has    bool
	key    bool
	hot    bool
	rested bool // the pointer was over it, did not move for a while, and may have left
	zone   sideZone
	onTap  func()
	onMenu func(fyne.Position)
	// onPoint hears what is under the pointer; nil: nothing of this row.
	onPoint func(*sideItem, sideZone)
	onMove  func()  // each time that the pointer moves over it
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
	if i.rested {
		i.arrive() // it had not left
	}
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
	i.arrive()
	i.MouseMoved(e)
}

func (i *sideItem) arrive() {
	i.hot, i.rested = true, false
	i.Refresh()
}

// MouseMoved is the toolkit's.
func (i *sideItem) MouseMoved(e *desktop.MouseEvent) {
	if !i.hot {
		i.arrive()
	}
	i.onMove()
	if z := i.zoneAt(e.Position.X); z != i.zone {
		i.zone = z
		i.onPoint(i, z)
		i.Refresh()
	}
}

// MouseOut is the toolkit's.
func (i *sideItem) MouseOut() {
	i.hot, i.rested, i.zone = false, false, sideNowhere
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
	h := i.label.lineHeight() + 2*gap(7)
	if i.row.Kind == vm.SideConnection {
		h += gap(10)
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
		top = gap(10)
	}
	lh := i.label.lineHeight()
	y := top + gap(7)
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
