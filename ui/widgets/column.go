package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Column stacks objects. It knows its height for a width, so that wrapped texts in it are never cut.
type Column struct {
	widget.BaseWidget
	Gap        float32
	PadX, PadY float32
	// MaxWidth keeps lines readable in a wide window; 0: no limit.
	MaxWidth float32
	objs     []fyne.CanvasObject
}

// NewColumn makes a column.
func NewColumn(gap float32, objs ...fyne.CanvasObject) *Column {
	c := &Column{Gap: gap, objs: objs}
	c.ExtendBaseWidget(c)
	return c
}

// Padded sets the room around the column.
func (c *Column) Padded(x, y float32) *Column {
	c.PadX, c.PadY = x, y
	return c
}

// Set replaces the objects.
func (c *Column) Set(objs ...fyne.CanvasObject) {
	c.objs = objs
	c.Refresh()
}

// Add appends objects without drawing yet.
func (c *Column) Add(objs ...fyne.CanvasObject) { c.objs = append(c.objs, objs...) }

// HeightFor is the height at a width.
func (c *Column) HeightFor(width float32) float32 { return c.arrange(width, false) }

func (c *Column) arrange(width float32, put bool) float32 {
	room := width - 2*c.PadX
	if c.MaxWidth > 0 {
		room = min(room, c.MaxWidth)
	}
	y, first := c.PadY, true
	for _, o := range c.objs {
		if !o.Visible() {
			continue
		}
		if !first {
			y += c.Gap
		}
		first = false
		h := HeightOf(o, room)
		if put {
			place(o, c.PadX, y, room, h)
		}
		y += h
	}
	return y + c.PadY
}

// HeightOf is the height of an object at a width.
func HeightOf(o fyne.CanvasObject, width float32) float32 {
	switch o := o.(type) {
	case interface{ HeightFor(float32) float32 }:
		return o.HeightFor(width)
	case *widget.RichText, *widget.Label:
		o.Resize(fyne.NewSize(width, o.Size().Height)) // it wraps when it is given its width
		return o.MinSize().Height
	}
	return o.MinSize().Height
}

// CreateRenderer is the toolkit's.
func (c *Column) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	return &columnRenderer{c}
}

type columnRenderer struct{ c *Column }

func (r *columnRenderer) Destroy()                     {}
func (r *columnRenderer) Objects() []fyne.CanvasObject { return r.c.objs }
func (r *columnRenderer) MinSize() fyne.Size {
	w := r.c.Size().Width
	if w <= 0 {
		w = 320
	}
	return fyne.NewSize(80, r.c.HeightFor(w))
}
func (r *columnRenderer) Layout(size fyne.Size) { r.c.arrange(size.Width, true) }
func (r *columnRenderer) Refresh() {
	for _, o := range r.c.objs {
		o.Refresh()
	}
	r.c.arrange(r.c.Size().Width, true)
	// Objects that were never drawn don't know their canvas, so their own refresh draws nothing.
	canvas.Refresh(r.c)
}

// Pane scrolls a column and keeps its width that of the pane.
type Pane struct {
	widget.BaseWidget
	Column *Column
	scroll *container.Scroll
	wheel  *wheel
}

// NewPane makes a pane.
func NewPane(c *Column) *Pane {
	p := &Pane{Column: c}
	p.scroll = container.NewVScroll(c)
	p.wheel = newWheel(p.scroll)
	p.ExtendBaseWidget(p)
	return p
}

// Relayout follows a change of what is in the column.
func (p *Pane) Relayout() {
	size := p.Size()
	p.Column.Resize(fyne.NewSize(size.Width, max(p.Column.HeightFor(size.Width), size.Height)))
	p.scroll.Refresh()
	canvas.Refresh(p.Column)
}

// Top scrolls to the top.
func (p *Pane) Top() { p.scroll.ScrollToTop() }

// Scroll moves the view by pages: 1 is the next, the last lines of the one before still in view; far ends at the end.
func (p *Pane) Scroll(pages float32) {
	view := p.scroll.Size().Height
	step := max(view-48, view/2)
	limit := max(p.Column.Size().Height-view, 0)
	y := min(max(p.scroll.Offset.Y+pages*step, 0), limit)
	p.scroll.ScrollToOffset(fyne.NewPos(0, y))
}

// Offset is how far the view is below the top.
func (p *Pane) Offset() float32 { return p.scroll.Offset.Y }

// CreateRenderer is the toolkit's.
func (p *Pane) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	return &paneRenderer{p}
}

type paneRenderer struct{ p *Pane }

func (r *paneRenderer) Destroy() {}
func (r *paneRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.p.scroll, r.p.wheel}
}
func (r *paneRenderer) MinSize() fyne.Size { return fyne.NewSize(120, 60) }
func (r *paneRenderer) Layout(size fyne.Size) {
	c := r.p.Column
	c.Resize(fyne.NewSize(size.Width, c.HeightFor(size.Width)))
	r.p.scroll.Resize(size)
	r.p.wheel.Resize(size)
}
func (r *paneRenderer) Refresh() {
	r.Layout(r.p.Size())
	r.p.scroll.Refresh()
}

// Row puts objects beside each other, wrapping where there is no room.
type Row struct {
	widget.BaseWidget
	Gap  float32
	End  bool // at the right
	objs []fyne.CanvasObject
}

// NewRow makes a row.
func NewRow(gap float32, objs ...fyne.CanvasObject) *Row {
	r := &Row{Gap: gap, objs: objs}
	r.ExtendBaseWidget(r)
	return r
}

// Set replaces the objects.
func (r *Row) Set(objs ...fyne.CanvasObject) { r.objs = objs; r.Refresh() }

// Width is the width of all in one line.
func (r *Row) Width() float32 {
	w := float32(0)
	for _, o := range r.objs {
		ow := o.MinSize().Width
		if f, ok := o.(interface{ WidthFor(float32) float32 }); ok {
			ow = f.WidthFor(1e5)
		}
		w += ow + r.Gap
	}
	return max(w-r.Gap, 0) + 1
}

// HeightFor is the height at a width.
func (r *Row) HeightFor(width float32) float32 { return r.arrange(width, false) }

func (r *Row) arrange(width float32, put bool) float32 {
	x, y, line := float32(0), float32(0), float32(0)
	start := 0
	flush := func(to int) {
		if !put {
			return
		}
		shift := float32(0)
		if r.End {
			shift = max(width-x+r.Gap, 0)
		}
		for _, o := range r.objs[start:to] {
			h := o.Size().Height
			o.Move(fyne.NewPos(o.Position().X+shift, y+(line-h)/2))
		}
		start = to
	}
	for i, o := range r.objs {
		if !o.Visible() {
			continue
		}
		w, h := o.MinSize().Width, o.MinSize().Height
		if f, ok := o.(interface{ WidthFor(float32) float32 }); ok {
			w = f.WidthFor(width)
		}
		w = min(w, width)
		if f, ok := o.(interface{ HeightFor(float32) float32 }); ok {
			h = f.HeightFor(w)
		}
		if x > 0 && x+w > width {
			flush(i)
			y += line + r.Gap
			x, line = 0, 0
		}
		if put {
			place(o, x, y, w, h)
		}
		x += w + r.Gap
		line = max(line, h)
	}
	flush(len(r.objs))
	return y + line
}

// CreateRenderer is the toolkit's.
func (r *Row) CreateRenderer() fyne.WidgetRenderer {
	r.ExtendBaseWidget(r)
	return &rowRenderer{r}
}

type rowRenderer struct{ r *Row }

func (r *rowRenderer) Destroy()                     {}
func (r *rowRenderer) Objects() []fyne.CanvasObject { return r.r.objs }
func (r *rowRenderer) MinSize() fyne.Size {
	w := r.r.Size().Width
	if w <= 0 {
		w = 1e5
	}
	widest := float32(0)
	for _, o := range r.r.objs {
		widest = max(widest, min(o.MinSize().Width, 120))
	}
	return fyne.NewSize(widest, r.r.HeightFor(w))
}
func (r *rowRenderer) Layout(size fyne.Size) { r.r.arrange(size.Width, true) }
func (r *rowRenderer) Refresh() {
	for _, o := range r.r.objs {
		o.Refresh()
	}
	r.r.arrange(r.r.Size().Width, true)
}

// Framed puts an object on a ground with room around it.
type Framed struct {
	widget.BaseWidget
	Object     fyne.CanvasObject
	bg         *box
	PadX, PadY float32
}

// NewFramed makes a frame with a ground, and a hairline when line is given.
func NewFramed(o fyne.CanvasObject, fill, line fyne.ThemeColorName, radius, padX, padY float32) *Framed {
	f := &Framed{Object: o, bg: newBox(fill, radius), PadX: padX, PadY: padY}
	f.bg.stroke = line
	f.ExtendBaseWidget(f)
	return f
}

// HeightFor is the height at a width.
func (f *Framed) HeightFor(width float32) float32 {
	return HeightOf(f.Object, width-2*f.PadX) + 2*f.PadY
}

// CreateRenderer is the toolkit's.
func (f *Framed) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	return &framedRenderer{f}
}

type framedRenderer struct{ f *Framed }

func (r *framedRenderer) Destroy() {}
func (r *framedRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.bg.Rectangle, r.f.Object}
}
func (r *framedRenderer) MinSize() fyne.Size {
	m := r.f.Object.MinSize()
	w := r.f.Size().Width
	if w <= 0 {
		return m.AddWidthHeight(2*r.f.PadX, 2*r.f.PadY)
	}
	return fyne.NewSize(m.Width+2*r.f.PadX, r.f.HeightFor(w))
}
func (r *framedRenderer) Layout(size fyne.Size) {
	r.f.bg.place(0, 0, size.Width, size.Height)
	place(r.f.Object, r.f.PadX, r.f.PadY, size.Width-2*r.f.PadX, size.Height-2*r.f.PadY)
}
func (r *framedRenderer) Refresh() {
	r.f.bg.paint()
	r.f.Object.Refresh()
	r.Layout(r.f.Size())
}

// Gap is room between objects of a column.
type Gap struct {
	widget.BaseWidget
	height float32
}

// NewGap makes one.
func NewGap(height float32) *Gap {
	g := &Gap{height: height}
	g.ExtendBaseWidget(g)
	return g
}

// HeightFor is its height.
func (g *Gap) HeightFor(float32) float32 { return g.height }

// CreateRenderer is the toolkit's.
func (g *Gap) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(container.NewWithoutLayout())
}

// SplitRow puts one object at the left, with the room there is, and one at the right.
type SplitRow struct {
	widget.BaseWidget
	left, right fyne.CanvasObject
}

// NewSplitRow makes one.
func NewSplitRow(left, right fyne.CanvasObject) *SplitRow {
	s := &SplitRow{left: left, right: right}
	s.ExtendBaseWidget(s)
	return s
}

// rightSize is the size of the object at the right, which is never wrapped.
func (s *SplitRow) rightSize() fyne.Size {
	if row, ok := s.right.(*Row); ok {
		w := row.Width()
		return fyne.NewSize(w, row.HeightFor(w))
	}
	return s.right.MinSize()
}

// HeightFor is the height at a width.
func (s *SplitRow) HeightFor(width float32) float32 {
	m := s.rightSize()
	return max(HeightOf(s.left, width-m.Width-8), m.Height)
}

// CreateRenderer is the toolkit's.
func (s *SplitRow) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return &splitRenderer{s}
}

type splitRenderer struct{ s *SplitRow }

func (r *splitRenderer) Destroy() {}
func (r *splitRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.s.left, r.s.right}
}
func (r *splitRenderer) MinSize() fyne.Size {
	w := r.s.Size().Width
	if w <= 0 {
		w = 320
	}
	return fyne.NewSize(80+r.s.rightSize().Width, r.s.HeightFor(w))
}
func (r *splitRenderer) Layout(size fyne.Size) {
	m := r.s.rightSize()
	room := size.Width - m.Width - 8
	lh := min(HeightOf(r.s.left, room), size.Height)
	place(r.s.left, 0, (size.Height-lh)/2, room, lh)
	place(r.s.right, size.Width-m.Width, (size.Height-m.Height)/2, m.Width, m.Height)
}
func (r *splitRenderer) Refresh() {
	r.s.left.Refresh()
	r.s.right.Refresh()
	r.Layout(r.s.Size())
}
