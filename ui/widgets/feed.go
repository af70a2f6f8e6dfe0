package widgets

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Feed is the rail: a column of rows of different heights on one track. Only rows in view have
// widgets; selection and scroll position are kept by id, so that what arrives above moves nothing
// under the pointer.
type Feed struct {
	widget.BaseWidget
	env  *Env
	rows []vm.Row

	Selected string
	Marked   map[string]bool
	// Form returns the answer form of a card; nil: it is not open.
	Form func(id string) fyne.CanvasObject

	OnSelect  func(id string)
	OnMove    func(id string) // the keys moved the selection there
	OnMark    func(id string)
	OnMenu    func(id string, at fyne.Position)
	OnDismiss func(id string)
	OnPress   func(id string, b vm.Button)
	OnJump    func(vm.Jump)
	OnEmpty   func(do string)
	OnClear   func()
	OnFold    func(key string) // folds or unfolds
	OnSweep   func(key string) // dismisses what is folded
	// OnKey gets the keys that the feed does not use itself while it has the keyboard.
	OnKey     func(*fyne.KeyEvent)
	OnRune    func(rune)
	OnKeyDown func(*fyne.KeyEvent)
	OnKeyUp   func(*fyne.KeyEvent)

	scroll  *container.Scroll
	wheel   *wheel
	body    *feedBody
	heights map[string]float32 // measured, for width
	width   float32
	tops    []float32 // of each row; one more for the end
	bound   map[string]rowWidget
	pool    map[vm.RowKind][]rowWidget
	focused bool

	shown   []string // the rows in view, and what was drawn last
	drawn   string
	drawnAt float32
	led     float32 // how far the owner scrolled since: that moves nothing unseen
}

type rowWidget interface {
	fyne.CanvasObject
	HeightFor(width float32) float32
}

var (
	_ fyne.Focusable    = (*Feed)(nil)
	_ desktop.Keyable   = (*Feed)(nil)
	_ desktop.Hoverable = (*Feed)(nil)
)

// NewFeed makes an empty feed.
func NewFeed(env *Env) *Feed {
	f := &Feed{env: env, Marked: map[string]bool{}, heights: map[string]float32{}, bound: map[string]rowWidget{}, pool: map[vm.RowKind][]rowWidget{}}
	f.body = &feedBody{f: f, track: newBox(theme.ColorTrack, 1)}
	f.body.ExtendBaseWidget(f.body)
	f.scroll = container.NewVScroll(f.body)
	f.wheel = newWheel(f.scroll)
	f.scroll.OnScrolled = func(at fyne.Position) {
		f.led = at.Y - f.drawnAt
		f.settle(false)
	}
	f.ExtendBaseWidget(f)
	return f
}

// Rows are the rows that are shown.
func (f *Feed) Rows() []vm.Row { return f.rows }

// Set shows rows. Rows that did not change are left alone; what is in view stays where it is.
func (f *Feed) Set(rows []vm.Row) {
	old := make(map[string]*vm.Row, len(f.rows))
	for i := range f.rows {
		old[f.rows[i].ID] = &f.rows[i]
	}
	for i := range rows {
		if o := old[rows[i].ID]; o == nil || !sameHeight(o, &rows[i]) {
			delete(f.heights, rows[i].ID)
		}
	}
	anchor, off := f.anchor()
	f.rows = rows
	f.layoutTops()
	if anchor != "" {
		for i := range rows {
			if rows[i].ID == anchor {
				f.scroll.Offset.Y = max(f.tops[i]+off, 0)
			}
		}
	}
	f.settle(true)
}

// sameHeight reports whether the height measured for a is good for b: only what ticks differs.
func sameHeight(a, b *vm.Row) bool {
	if a.Kind != b.Kind {
		return false
	}
	if a.Card == nil || b.Card == nil {
		return reflect.DeepEqual(a, b)
	}
	x, y := *a.Card, *b.Card
	x.Clock, x.Deadline, x.Age, x.AsideFor, x.Token = vm.Msg{}, vm.Msg{}, vm.Msg{}, vm.Msg{}, y.Token
	y.Clock, y.Deadline, y.Age, y.AsideFor = vm.Msg{}, vm.Msg{}, vm.Msg{}, vm.Msg{}
	if a.Card.AsideFor.Key != b.Card.AsideFor.Key {
		return false
	}
	if !asLong(a.Card.Clock, b.Card.Clock) || !asLong(a.Card.Deadline, b.Card.Deadline) {
		return false
	}
	return reflect.DeepEqual(x, y)
}

// asLong reports whether two clocks take the same room, or nearly.
func asLong(a, b vm.Msg) bool {
	return a.Key == b.Key && len(a.A) == len(b.A) && len(strconv.Itoa(a.N)) == len(strconv.Itoa(b.N))
}

// Redraw shows the rows anew after a selection, a mark or a form changed.
func (f *Feed) Redraw(ids ...string) {
	for _, id := range ids {
		delete(f.heights, id)
	}
	f.layoutTops()
	f.settle(true)
}

// Arm makes what decides in view inert for a moment: all of it has come under the pointer.
func (f *Feed) Arm() {
	for _, w := range f.bound {
		if c, ok := w.(*Card); ok {
			c.Arm()
		}
	}
}

// Card is the card in view of an item; nil when it is not in view.
func (f *Feed) Card(id string) *Card {
	c, _ := f.bound[id].(*Card)
	return c
}

// Row is the row in view under an id, a card or a line; nil when it is not in view.
func (f *Feed) Row(id string) fyne.CanvasObject {
	if w := f.bound[id]; w != nil {
		return w
	}
	return nil
}

// anchor is the first row in view that is no head, and how far the view's top is below its top. At the very
// top there is none: what arrives there is seen.
func (f *Feed) anchor() (id string, off float32) {
	y := f.scroll.Offset.Y
	if y <= 1 {
		return "", 0
	}
	for i := range f.rows {
		if i+1 < len(f.tops) && f.tops[i+1] > y && f.rows[i].Kind != vm.RowHead {
			return f.rows[i].ID, y - f.tops[i]
		}
	}
	return "", 0
}

const topPad = 8

func (f *Feed) gap(kind vm.RowKind) float32 {
	if kind == vm.RowHead {
		return 0
	}
	return f.Theme().Size(theme.SizeRowGap)
}

func (f *Feed) layoutTops() {
	f.tops = f.tops[:0]
	y := float32(topPad)
	for i := range f.rows {
		f.tops = append(f.tops, y)
		h, ok := f.heights[f.rows[i].ID]
		if !ok {
			h = estimate(&f.rows[i])
		}
		y += h + f.gap(f.rows[i].Kind)
	}
	f.tops = append(f.tops, y+topPad)
}

func estimate(r *vm.Row) float32 {
	switch r.Kind {
	case vm.RowHead:
		return 34
	case vm.RowJump:
		return 52
	case vm.RowFold:
		return 40
	case vm.RowEmpty:
		return 260
	}
	h := float32(72)
	if r.Card.Text != "" {
		h += 36
	}
	if len(r.Card.Buttons) > 0 {
		h += 42
	}
	return h
}

// settle binds widgets to the rows in view and puts them in place; changed rows are shown anew when
// fill is set. Measuring a row may move those below it, so it goes on until nothing moves.
func (f *Feed) settle(fill bool) {
	if f.width <= 0 {
		return
	}
	view := f.scroll.Size().Height
	for range 6 {
		moved := false
		first, last := f.inView(view)
		for i := first; i < last; i++ {
			r := &f.rows[i]
			if _, ok := f.heights[r.ID]; ok && !fill {
				if _, isBound := f.bound[r.ID]; isBound {
					continue
				}
			}
			w := f.bind(r)
			h := w.HeightFor(f.width)
			if was, ok := f.heights[r.ID]; !ok || was != h {
				f.heights[r.ID] = h
				moved = true
			}
		}
		if !moved {
			break
		}
		anchor, off := f.anchor()
		f.layoutTops()
		for i := range f.rows {
			if f.rows[i].ID == anchor {
				f.scroll.Offset.Y = max(f.tops[i]+off, 0)
			}
		}
		fill = false
	}
	if limit := max(f.tops[len(f.tops)-1]-view, 0); f.scroll.Offset.Y > limit {
		f.scroll.Offset.Y = limit
	}
	first, last := f.inView(view)
	keep := make(map[string]bool, last-first)
	for i := first; i < last; i++ {
		keep[f.rows[i].ID] = true
	}
	for id, w := range f.bound {
		if !keep[id] {
			delete(f.bound, id)
			if c, ok := w.(*Card); ok {
				c.has, c.placed = false, false // whatever it shows next has just appeared
			}
			kind := kindOf(w)
			if len(f.pool[kind]) < 24 {
				f.pool[kind] = append(f.pool[kind], w)
			}
		}
	}
	was := len(f.body.objs)
	moved := len(f.shown) != last-first
	f.shown = f.shown[:0]
	f.body.objs = append(f.body.objs[:0], f.body.track.Rectangle)
	for i := first; i < last; i++ {
		r := &f.rows[i]
		w := f.bound[r.ID]
		if w == nil {
			w = f.bind(r)
		}
		y := f.tops[i]
		if c, ok := w.(*Card); ok {
			at := y - f.scroll.Offset.Y
			if c.placed && math.Abs(float64(c.seenAt-f.led-at)) > 0.5 {
				c.Arm() // it moved without being scrolled: what is under the pointer is not what was
			}
			c.seenAt, c.placed = at, true
		}
		if size := fyne.NewSize(f.width, f.heights[r.ID]); w.Position().Y != y || w.Size() != size {
			place(w, 0, y, size.Width, size.Height)
			moved = true
		}
		f.body.objs = append(f.body.objs, w)
		f.shown = append(f.shown, r.ID)
	}
	f.led = 0
	f.body.placeTrack()
	if size := fyne.NewSize(f.width, max(f.tops[len(f.tops)-1], view)); f.body.Size() != size {
		f.body.Resize(size)
		moved = true
	}
	// A tick that changed nothing in view draws nothing.
	if moved || f.drawnAt != f.scroll.Offset.Y || was != len(f.body.objs) || f.drawn != f.ids() {
		f.drawnAt, f.drawn = f.scroll.Offset.Y, f.ids()
		f.scroll.Refresh()
		canvas.Refresh(f.body)
	}
}

// ids names the rows in view.
func (f *Feed) ids() string { return strings.Join(f.shown, "\x00") }

func kindOf(w rowWidget) vm.RowKind {
	switch w := w.(type) {
	case *Card:
		return vm.RowCard
	case *lineRow:
		return w.kind
	case *foldRow:
		return vm.RowFold
	}
	return vm.RowEmpty
}

func (f *Feed) inView(view float32) (first, last int) {
	top, bottom := f.scroll.Offset.Y-80, f.scroll.Offset.Y+view+80
	first = len(f.rows)
	for i := range f.rows {
		if f.tops[i+1] < top {
			continue
		}
		if f.tops[i] > bottom {
			break
		}
		if i < first {
			first = i
		}
		last = i + 1
	}
	if first > last {
		first = last
	}
	return first, last
}

func (f *Feed) bind(r *vm.Row) rowWidget {
	w := f.bound[r.ID]
	if w != nil && kindOf(w) != r.Kind {
		delete(f.bound, r.ID)
		w = nil
	}
	if w == nil {
		if free := f.pool[r.Kind]; len(free) > 0 {
			w = free[len(free)-1]
			f.pool[r.Kind] = free[:len(free)-1]
			w.Move(fyne.NewPos(0, f.topOf(r.ID)))
		} else {
			w = f.make(r.Kind)
		}
		f.bound[r.ID] = w
	}
	switch w := w.(type) {
	case *Card:
		var form fyne.CanvasObject
		if f.Form != nil {
			form = f.Form(r.ID)
		}
		w.Set(*r.Card, f.Selected == r.ID, f.Marked[r.ID], f.Selected == r.ID, form)
	case *lineRow:
		w.set(r, f.Selected == r.ID)
	case *foldRow:
		w.set(*r.Fold, f.Selected == r.ID)
	case *EmptyState:
		w.Set(*r.Empty)
	}
	return w
}

func (f *Feed) topOf(id string) float32 {
	for i := range f.rows {
		if f.rows[i].ID == id {
			return f.tops[i]
		}
	}
	return 0
}

func (f *Feed) make(kind vm.RowKind) rowWidget {
	switch kind {
	case vm.RowCard:
		c := NewCard(f.env)
		c.OnTap = func(id string) { f.choose(id) }
		c.OnMark = func(id string) { call(f.OnMark, id) }
		c.OnDismiss = func(id string) { call(f.OnDismiss, id) }
		c.OnMenu = func(id string, at fyne.Position) {
			if f.OnMenu != nil {
				f.OnMenu(id, at)
			}
		}
		c.OnPress = func(id string, b vm.Button) {
			if f.OnPress != nil {
				f.OnPress(id, b)
			}
		}
		return c
	case vm.RowFold:
		return newFoldRow(f.env, func(key string) { call(f.OnFold, key) }, func(key string) { call(f.OnSweep, key) })
	case vm.RowEmpty:
		e := NewEmptyState(f.env)
		e.OnDo = func(do string) { call(f.OnEmpty, do) }
		return e
	}
	l := newLineRow(f.env, kind, func(j vm.Jump) {
		if f.OnJump != nil {
			f.OnJump(j)
		}
	})
	l.clear.OnTap = func() {
		if f.OnClear != nil {
			f.OnClear()
		}
	}
	return l
}

func call[T any](fn func(T), v T) {
	if fn != nil {
		fn(v)
	}
}

func (f *Feed) choose(id string) {
	f.Choose(id)
	call(f.OnSelect, id)
}

// Choose draws a row as the selected one; nothing else happens. Empty: none.
func (f *Feed) Choose(id string) {
	if was := f.Selected; was != id {
		f.Selected = id
		f.Redraw(was, id)
	}
}

// Top scrolls to the top: what is shown is another list.
func (f *Feed) Top() {
	f.led = -f.scroll.Offset.Y
	f.scroll.Offset.Y = 0
	f.settle(false)
}
