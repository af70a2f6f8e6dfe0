package widgets

import (
	"image/color"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// lineRow is a row of one line on the track: the head of a section, or a jump to another session.
type lineRow struct {
	widget.BaseWidget
	env    *Env
	kind   vm.RowKind
	row    vm.Row
	has    bool
	jump   vm.Jump
	onJump func(vm.Jump)

	bg    *box
	stop  *canvas.Circle
	clear *Press
	head  *Text
	count *Text
	title *Text
	sub   *Text
	ask   *Text // the start of what is asked
	clock *Text
	arrow *Symbol
	line  color.Color
	hot   bool
	// chosen is drawn as selected, and is what Return opens.
	chosen bool
	objs   []fyne.CanvasObject
}

var (
	_ fyne.Tappable      = (*lineRow)(nil)
	_ desktop.Hoverable  = (*lineRow)(nil)
	_ desktop.Cursorable = (*lineRow)(nil)
)

func newLineRow(env *Env, kind vm.RowKind, onJump func(vm.Jump)) *lineRow {
	l := &lineRow{env: env, kind: kind, onJump: onJump, bg: newBox("", 8), stop: canvas.NewCircle(nil),
		head: NewText("", LookCaption), count: NewText("", LookCaption), title: NewText("", LookCaption),
		sub: NewText("", LookCaption), ask: NewText("", LookCaption), clock: NewText("", LookCaption), arrow: NewSymbol("next", theme.ColorInkFaint, 16)}
	l.clear = NewPress(env.T("head.clear"), Quiet, nil)
	l.clear.Small, l.clear.Icon = true, "check"
	l.ExtendBaseWidget(l)
	return l
}

func (l *lineRow) set(r *vm.Row, chosen bool) {
	if l.has && l.chosen == chosen && l.row.Kind == r.Kind && l.row.Head == r.Head && l.row.Count == r.Count && l.row.Clear == r.Clear && (r.Jump == nil || *l.row.Jump == *r.Jump) {
		return
	}
	l.row, l.has, l.chosen = *r, true, chosen
	if r.Kind == vm.RowHead {
		l.head.Set(l.env.Tr(r.Head), Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Bold: true, Max: 1})
		count := ""
		if r.Count > 0 {
			count = strconv.Itoa(r.Count)
		}
		l.count.Set(count, LookCaption)
	} else {
		l.jump = *r.Jump
		l.line = LineColour(l.jump.Chip.Color, l.jump.Chip.Label)
		title := Look{Size: theme.SizeBody, Color: theme.ColorInk, Bold: l.jump.New, Max: 1}
		if !l.jump.Clock.IsZero() {
			title.Max = 2
		}
		l.title.Set(l.jump.Title, title)
		l.sub.Set(l.jump.Chip.Label+" › "+l.jump.Session, LookCaption)
		ask := Look{Size: theme.SizeCode, Color: theme.ColorInk, Mono: true, Max: 1}
		if l.jump.Code == "" {
			ask = Look{Size: theme.SizeBody, Color: theme.ColorInkSoft, Max: 1}
		}
		l.ask.Set(l.jump.Code+l.jump.Text, ask)
		clock, tone := l.env.Tr(l.jump.Sign.Word)+" · "+l.env.Tr(l.jump.Age), theme.Tone(string(l.jump.Sign.Tone))
		switch {
		case !l.jump.Clock.IsZero():
			clock, tone = l.env.Waits(l.jump.Aside, l.jump.Clock, l.jump.Deadline), theme.Tone("waiting")
			switch {
			case l.jump.Ending:
				tone = theme.Tone("error")
			case !l.jump.Aside.IsZero():
				tone = theme.ColorInkFaint
			}
		case l.jump.Unread > 0:
			clock = l.env.Tr(vm.MN("side.tip_unread", l.jump.Unread))
			if l.jump.ID == "" { // the title is the session's name
				l.sub.Set(l.jump.Chip.Label, LookCaption)
			}
		}
		l.clock.Set(clock, Look{Size: theme.SizeCaption, Color: tone, Bold: l.jump.Ending, Max: 2})
	}
	l.Refresh()
}

// HeightFor is the row's height.
func (l *lineRow) HeightFor(width float32) float32 {
	if l.kind == vm.RowHead {
		return l.head.lineHeight() + gap(18)
	}
	h := l.title.HeightFor(l.room(width)) + 1 + l.sub.lineHeight() + 2*gap(8) + 1
	if l.ask.text != "" {
		h += l.ask.lineHeight() + 3
	}
	if l.stacked(width) {
		h += l.clock.HeightFor(l.room(width)) + 1
	}
	return h
}

// stacked reports whether the clock has a line of its own, for what is left beside it would be too little to say anything.
func (l *lineRow) stacked(width float32) bool {
	left, right := lineEnds(width)
	return l.clock.Width()+1 > (right-left)*0.45
}

// clockWidth is the room that the clock of a line takes at the right.
func (l *lineRow) clockWidth(width float32) float32 {
	if l.stacked(width) {
		return 0
	}
	return l.clock.Width() + 1
}

// room is the width that the title of a line has.
func (l *lineRow) room(width float32) float32 {
	left, right := lineEnds(width)
	return right - 30 - l.clockWidth(width) - 12 - (left + 12)
}

// lineEnds are where a row of one line begins and ends.
func lineEnds(width float32) (left, right float32) {
	_, left = trackX(width)
	return left, min(width-14, left+maxCard-2)
}

func (l *lineRow) Tapped(*fyne.PointEvent) {
	if l.kind == vm.RowJump && l.onJump != nil {
		l.onJump(l.jump)
	}
}

func (l *lineRow) MouseIn(*desktop.MouseEvent)    { l.hot = true; l.Refresh() }
func (l *lineRow) MouseMoved(*desktop.MouseEvent) {}
func (l *lineRow) MouseOut()                      { l.hot = false; l.Refresh() }
func (l *lineRow) Cursor() desktop.Cursor {
	if l.kind == vm.RowJump {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

func (l *lineRow) CreateRenderer() fyne.WidgetRenderer {
	l.ExtendBaseWidget(l)
	return &lineRowRenderer{l}
}

type lineRowRenderer struct{ l *lineRow }

func (r *lineRowRenderer) Destroy()                     {}
func (r *lineRowRenderer) Objects() []fyne.CanvasObject { return r.l.objs }
func (r *lineRowRenderer) MinSize() fyne.Size {
	return fyne.NewSize(200, r.l.HeightFor(max(r.l.Size().Width, 200)))
}
func (r *lineRowRenderer) Layout(size fyne.Size) {
	l := r.l
	tx, _ := trackX(size.Width)
	x, right := lineEnds(size.Width)
	if l.kind == vm.RowHead {
		h := l.head.lineHeight()
		y := size.Height - h - gap(7)
		place(l.stop, tx-5, y+h/2-5, 10, 10)
		clear := float32(0)
		if l.row.Clear > 0 {
			clear = l.clear.WidthFor((right - x) * 0.7)
		}
		w := min(l.head.Width()+1, right-x-30-clear)
		place(l.head, x, y, w, h)
		place(l.count, x+w+8, y, 60, h)
		l.objs = []fyne.CanvasObject{l.stop, l.head, l.count}
		if l.row.Clear > 0 {
			ch := l.clear.height()
			place(l.clear, right-clear+4, y+(h-ch)/2, clear, ch)
			l.objs = append(l.objs, l.clear)
		}
		return
	}
	place(l.stop, tx-5, size.Height/2-5, 10, 10)
	l.bg.place(x, 0, right-x+2, size.Height)
	place(l.arrow, right-22, size.Height/2-8, 16, 16)
	cw, room, sh := l.clockWidth(size.Width), l.room(size.Width), l.sub.lineHeight()
	th := l.title.HeightFor(room)
	l.objs = []fyne.CanvasObject{l.bg.Rectangle, l.stop, l.title, l.sub, l.clock, l.arrow}
	clockY := (size.Height - sh) / 2
	top := gap(8)
	y := top + th + 1
	if l.ask.text != "" { // it has the width of the line, and the clock stands above
		clockY = top
		y += 1
		place(l.ask, x+12, y, right-30-(x+12), l.ask.lineHeight())
		y += l.ask.lineHeight() + 2
		l.objs = append(l.objs, l.ask)
	}
	if l.stacked(size.Width) {
		place(l.clock, x+12, y+sh+1, min(l.clock.Width()+1, room), l.clock.HeightFor(room))
	} else {
		place(l.clock, right-30-cw, clockY, cw, sh)
	}
	place(l.title, x+12, top, room, th)
	place(l.sub, x+12, y, room, sh)
}
func (r *lineRowRenderer) Refresh() {
	l := r.l
	l.stop.FillColor, l.stop.StrokeColor, l.stop.StrokeWidth = theme.At(theme.ColorGround), theme.At(theme.ColorTrack), 2
	if l.kind == vm.RowJump {
		l.stop.StrokeColor = l.line
		l.bg.paintLine(l.chosen, l.hot)
	}
	r.Layout(l.Size())
	canvas.Refresh(l)
}

// EmptyState says that there is nothing, why, and what can be done.
type EmptyState struct {
	widget.BaseWidget
	env   *Env
	empty vm.Empty
	OnDo  func(do string)

	ring *canvas.Circle
	icon *Symbol
	head *Text
	text *Text
	btn  *Press
	objs []fyne.CanvasObject
}

// NewEmptyState makes one.
func NewEmptyState(env *Env) *EmptyState {
	e := &EmptyState{env: env, ring: canvas.NewCircle(nil), icon: NewSymbol("check", theme.ColorInkSoft, 28), head: NewText("", LookHeading), text: NewText("", LookBody)}
	e.btn = NewPress("", Plain, func() { call(e.OnDo, e.empty.Do) })
	e.ExtendBaseWidget(e)
	return e
}

// Set changes what it says.
func (e *EmptyState) Set(v vm.Empty) {
	if e.empty == v {
		return
	}
	e.empty = v
	e.icon.Set(v.Icon, theme.ColorInkSoft)
	head, text := LookHeading, LookBody
	head.Center, text.Center = true, true
	e.head.Set(e.env.Tr(v.Title), head)
	e.text.Set(e.env.Tr(v.Text), text)
	e.btn.Label = e.env.Tr(v.Action)
	e.btn.Style = Plain
	if v.Do == "connect" {
		e.btn.Style = Primary
	}
	e.btn.Refresh()
	e.Refresh()
}

// HeightFor is its height at a width.
func (e *EmptyState) HeightFor(width float32) float32 { return e.arrange(width, false) }

func (e *EmptyState) arrange(width float32, put bool) float32 {
	room := min(width-48, 380)
	x := (width - room) / 2
	y := float32(56)
	at := func(o fyne.CanvasObject, x, w, h float32) {
		if put {
			place(o, x, y, w, h)
		}
		y += h
	}
	if put {
		place(e.ring, width/2-32, y, 64, 64)
		place(e.icon, width/2-14, y+18, 28, 28)
		e.objs = []fyne.CanvasObject{e.ring, e.icon, e.head, e.text}
	}
	y += 64 + 18
	at(e.head, x, room, e.head.HeightFor(room))
	y += 8
	at(e.text, x, room, e.text.HeightFor(room))
	if e.btn.Label != "" {
		y += 20
		w := e.btn.WidthFor(room)
		at(e.btn, (width-w)/2, w, e.btn.height())
		if put {
			e.objs = append(e.objs, e.btn)
		}
	}
	return y + 40
}

// CreateRenderer is the toolkit's.
func (e *EmptyState) CreateRenderer() fyne.WidgetRenderer {
	e.ExtendBaseWidget(e)
	return &emptyRenderer{e}
}

type emptyRenderer struct{ e *EmptyState }

func (r *emptyRenderer) Destroy()                     {}
func (r *emptyRenderer) Objects() []fyne.CanvasObject { return r.e.objs }
func (r *emptyRenderer) MinSize() fyne.Size {
	return fyne.NewSize(220, r.e.HeightFor(max(r.e.Size().Width, 220)))
}
func (r *emptyRenderer) Layout(size fyne.Size) { r.e.arrange(size.Width, true) }
func (r *emptyRenderer) Refresh() {
	r.e.ring.FillColor, r.e.ring.StrokeColor, r.e.ring.StrokeWidth = theme.At(theme.ColorCard), theme.At(theme.ColorTrack), 2
	r.Layout(r.e.Size())
	canvas.Refresh(r.e)
}
