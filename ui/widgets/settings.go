package widgets

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

// NavButton is a page in the list of the settings: as wide as the list, its label at the left.
type NavButton struct{ Button }

// NewNavButton makes one.
func NewNavButton(icon, label string, tap func()) *NavButton {
	b := &NavButton{Button{Press: Press{Label: label, Icon: icon, Style: Quiet, OnTap: tap}}}
	b.ExtendBaseWidget(b)
	return b
}

// CreateRenderer is the toolkit's.
func (b *NavButton) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	return &navRenderer{b.Press.CreateRenderer().(*pressRenderer)}
}

type navRenderer struct{ *pressRenderer }

func (r *navRenderer) MinSize() fyne.Size { return fyne.NewSize(80, r.p.height()+4) }
func (r *navRenderer) Layout(size fyne.Size) {
	p := r.p
	place(p.bg, 0, 0, size.Width, size.Height)
	place(p.ring, 0, 0, size.Width, size.Height)
	icon := p.iconSize()
	place(p.img, 12, (size.Height-icon)/2, icon, icon)
	h := fyne.MeasureText("M", p.textSize(), p.textStyle()).Height
	p.text.Text = ellipsis(p.Label, p.textSize(), p.textStyle(), size.Width-icon-34)
	place(p.text, 22+icon, (size.Height-h)/2, size.Width-icon-34, h)
	p.keyBox.Hide()
	p.keyText.Hide()
}
func (r *navRenderer) Refresh() {
	r.pressRenderer.Refresh()
	r.Layout(r.p.Size())
}

// Swatches is a row of colours, one of which is chosen.
type Swatches struct {
	widget.BaseWidget
	colours []string
	chosen  string
	pick    func(string)
	dots    []*swatch
	objs    []fyne.CanvasObject
}

// NewSwatches makes the row.
func NewSwatches(colours []string, chosen string, pick func(string)) *Swatches {
	s := &Swatches{colours: colours, chosen: chosen, pick: pick}
	for _, c := range colours {
		d := &swatch{colour: c, chosen: strings.EqualFold(c, chosen), tap: pick}
		d.ExtendBaseWidget(d)
		s.dots = append(s.dots, d)
		s.objs = append(s.objs, d)
	}
	s.ExtendBaseWidget(s)
	return s
}

// CreateRenderer is the toolkit's.
func (s *Swatches) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	return &swatchesRenderer{s}
}

type swatchesRenderer struct{ s *Swatches }

func (r *swatchesRenderer) Destroy()                     {}
func (r *swatchesRenderer) Objects() []fyne.CanvasObject { return r.s.objs }
func (r *swatchesRenderer) MinSize() fyne.Size {
	return fyne.NewSize(float32(len(r.s.dots))*30, 26)
}
func (r *swatchesRenderer) Layout(fyne.Size) {
	for i, d := range r.s.dots {
		place(d, float32(i)*30, 1, 24, 24)
	}
}
func (r *swatchesRenderer) Refresh() {
	for _, d := range r.s.dots {
		d.Refresh()
	}
}

type swatch struct {
	widget.BaseWidget
	colour string
	chosen bool
	focus  bool
	tap    func(string)
	disc   *canvas.Circle
	ring   *canvas.Circle
	check  *Symbol // marks the chosen one; a ring alone is lost beside its colour
}

var (
	_ fyne.Focusable     = (*swatch)(nil)
	_ desktop.Cursorable = (*swatch)(nil)
)

func (s *swatch) Tapped(*fyne.PointEvent) { call(s.tap, s.colour) }
func (s *swatch) Cursor() desktop.Cursor  { return desktop.PointerCursor }
func (s *swatch) FocusGained()            { s.focus = true; s.Refresh() }
func (s *swatch) FocusLost()              { s.focus = false; s.Refresh() }
func (s *swatch) TypedRune(rune)          {}
func (s *swatch) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeySpace || e.Name == fyne.KeyReturn {
		s.Tapped(nil)
	}
}

func (s *swatch) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	s.disc, s.ring = canvas.NewCircle(nil), canvas.NewCircle(nil)
	s.check = NewSymbol("check", theme.ColorOnLamp, 12)
	r := &swatchRenderer{s}
	r.Refresh()
	return r
}

type swatchRenderer struct{ s *swatch }

func (r *swatchRenderer) Destroy() {}
func (r *swatchRenderer) Objects() []fyne.CanvasObject {
	if r.s.chosen {
		return []fyne.CanvasObject{r.s.disc, r.s.check, r.s.ring}
	}
	return []fyne.CanvasObject{r.s.disc, r.s.ring}
}
func (r *swatchRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(24) }
func (r *swatchRenderer) Layout(size fyne.Size) {
	place(r.s.disc, 4, 4, size.Width-8, size.Height-8)
	place(r.s.ring, 0, 0, size.Width, size.Height)
	place(r.s.check, size.Width/2-6, size.Height/2-6, 12, 12)
}
func (r *swatchRenderer) Refresh() {
	if c, ok := Hex(r.s.colour); ok {
		r.s.disc.FillColor = c
	}
	r.s.ring.StrokeWidth, r.s.ring.FillColor = 0, nil
	switch {
	case r.s.focus:
		r.s.ring.StrokeColor, r.s.ring.StrokeWidth = theme.At(theme.ColorFocus), 2
	case r.s.chosen:
		r.s.ring.StrokeColor, r.s.ring.StrokeWidth = theme.At(theme.ColorInkSoft), 2
	}
	r.s.disc.Refresh()
	r.s.ring.Refresh()
}

// Matrix is a table of switches: events down, providers across.
type Matrix struct {
	widget.BaseWidget
	heads  []*Text
	labels []*Text
	checks [][]*widget.Check
	objs   []fyne.CanvasObject
}

// NewMatrix makes a matrix with columns.
func NewMatrix(heads []string) *Matrix {
	m := &Matrix{}
	for _, h := range heads {
		t := NewText(h, Look{Size: theme.SizeCaption, Color: theme.ColorInkSoft, Bold: true, Max: 2, Center: true})
		m.heads = append(m.heads, t)
		m.objs = append(m.objs, t)
	}
	m.ExtendBaseWidget(m)
	return m
}

// Row adds a row.
func (m *Matrix) Row(label string, on []bool, changed func(i int, on bool)) {
	t := NewText(label, Look{Size: theme.SizeBody, Color: theme.ColorInk, Max: 2})
	m.labels = append(m.labels, t)
	m.objs = append(m.objs, t)
	var row []*widget.Check
	for i, v := range on {
		c := widget.NewCheck("", nil)
		c.Checked = v
		c.OnChanged = func(on bool) { changed(i, on) }
		row = append(row, c)
		m.objs = append(m.objs, c)
	}
	m.checks = append(m.checks, row)
}

// HeightFor is the height at a width.
func (m *Matrix) HeightFor(width float32) float32 { return m.arrange(width, false) }

func (m *Matrix) arrange(width float32, put bool) float32 {
	n := float32(max(len(m.heads), 1))
	cell := min(max(width*0.6/n, 44), 96)
	label := width - cell*n
	y := float32(0)
	for _, h := range m.heads {
		y = max(y, h.HeightFor(cell-6))
	}
	if put {
		for i, h := range m.heads {
			hh := h.HeightFor(cell - 6)
			place(h, label+cell*float32(i)+3, y-hh, cell-6, hh)
		}
	}
	y += 6
	for i, l := range m.labels {
		lh := l.HeightFor(label - 12)
		h := max(lh+8, 34)
		if put {
			place(l, 0, y+(h-lh)/2, label-12, lh)
			for j, c := range m.checks[i] {
				ms := c.MinSize()
				place(c, label+cell*float32(j)+(cell-ms.Width)/2, y+(h-ms.Height)/2, ms.Width, ms.Height)
			}
		}
		y += h
	}
	return y
}

// CreateRenderer is the toolkit's.
func (m *Matrix) CreateRenderer() fyne.WidgetRenderer {
	m.ExtendBaseWidget(m)
	return &matrixRenderer{m}
}

type matrixRenderer struct{ m *Matrix }

func (r *matrixRenderer) Destroy()                     {}
func (r *matrixRenderer) Objects() []fyne.CanvasObject { return r.m.objs }
func (r *matrixRenderer) MinSize() fyne.Size {
	return fyne.NewSize(200, r.m.HeightFor(max(r.m.Size().Width, 200)))
}
func (r *matrixRenderer) Layout(size fyne.Size) { r.m.arrange(size.Width, true) }
func (r *matrixRenderer) Refresh() {
	for _, o := range r.m.objs {
		o.Refresh()
	}
	r.Layout(r.m.Size())
}
