package widgets

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Symbol is a symbol of the assets in a theme colour.
type Symbol struct {
	widget.BaseWidget
	name   string
	colour fyne.ThemeColorName
	size   float32
	img    *canvas.Image
}

// NewSymbol makes a symbol of a size.
func NewSymbol(name string, colour fyne.ThemeColorName, size float32) *Symbol {
	s := &Symbol{name: name, colour: colour, size: size}
	s.ExtendBaseWidget(s)
	return s
}

// Set changes the symbol.
func (s *Symbol) Set(name string, colour fyne.ThemeColorName) {
	if s.name == name && s.colour == colour {
		return
	}
	s.name, s.colour = name, colour
	s.Refresh()
}

// CreateRenderer is the toolkit's.
func (s *Symbol) CreateRenderer() fyne.WidgetRenderer {
	s.ExtendBaseWidget(s)
	s.img = canvas.NewImageFromResource(theme.Symbol(s.name, s.colour))
	s.img.FillMode = canvas.ImageFillContain
	return &symbolRenderer{WidgetRenderer: widget.NewSimpleRenderer(s.img), s: s}
}

type symbolRenderer struct {
	fyne.WidgetRenderer
	s *Symbol
}

func (r *symbolRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(r.s.size) }

func (r *symbolRenderer) Refresh() {
	r.s.img.Resource = theme.Symbol(r.s.name, r.s.colour)
	r.s.img.Refresh()
}

// box is a rectangle whose colours follow the theme.
type box struct {
	*canvas.Rectangle
	fill, stroke fyne.ThemeColorName
}

func newBox(fill fyne.ThemeColorName, radius float32) *box {
	b := &box{Rectangle: canvas.NewRectangle(color.Transparent), fill: fill}
	b.CornerRadius = radius
	b.paint()
	return b
}

func (b *box) paint() {
	b.FillColor, b.StrokeColor = color.Transparent, color.Transparent
	if b.fill != "" {
		b.FillColor = theme.At(b.fill)
	}
	b.StrokeWidth = 0
	if b.stroke != "" {
		b.StrokeColor, b.StrokeWidth = theme.At(b.stroke), 1
	}
	b.Rectangle.Refresh()
}

// paintLine is paint for a line of the rail that can be chosen: an edge where a card has a ground.
func (b *box) paintLine(chosen, hot bool) {
	b.fill, b.stroke = "", theme.ColorLine
	switch {
	case chosen:
		b.fill, b.stroke = theme.ColorChosen, theme.ColorFocus
	case hot:
		b.fill = theme.ColorCardHover
	}
	b.paint()
}

func (b *box) place(x, y, w, h float32) {
	b.Move(fyne.NewPos(x, y))
	b.Resize(fyne.NewSize(w, h))
}

func place(o fyne.CanvasObject, x, y, w, h float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
}

// Hex reads #RRGGBB; ok is false for anything else.
func Hex(s string) (c color.NRGBA, ok bool) {
	if len(s) != 7 || s[0] != '#' {
		return c, false
	}
	v, err := strconv.ParseUint(s[1:], 16, 32)
	if err != nil {
		return c, false
	}
	return color.NRGBA{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v), A: 0xff}, true
}

// lineColours are for connections that chose none: the same id has the same colour always.
var lineColours = []color.NRGBA{
	{0x2f, 0x7d, 0xc4, 0xff}, {0x2c, 0x9a, 0x6b, 0xff}, {0xa8, 0x5c, 0xc0, 0xff}, {0xd0, 0x6a, 0x2b, 0xff},
	{0x1d, 0x96, 0x9e, 0xff}, {0xb8, 0x8a, 0x1d, 0xff}, {0xc7, 0x4e, 0x7c, 0xff}, {0x6b, 0x74, 0xd6, 0xff},
}

// LineColour is the colour of a connection's line: its own, or one that depends on its name alone.
func LineColour(own, name string) color.Color {
	if c, ok := Hex(own); ok {
		return c
	}
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return lineColours[h%uint32(len(lineColours))]
}

// Coloured gives each connection that chose no colour one of its own: that of its name, or where another has that
// already, the one that the fewest have. Who came first keeps its colour. The list itself is not changed.
func Coloured(list []notify.ConnectionView) []notify.ConnectionView {
	out := slices.Clone(list)
	order := make([]int, len(out))
	used := map[string]int{}
	for i, c := range out {
		order[i] = i
		if own, ok := Hex(c.Color); ok {
			used[likest(own)]++
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(out[a].CreatedAt.Compare(out[b].CreatedAt), cmp.Compare(out[a].ID, out[b].ID))
	})
	for _, i := range order {
		c := out[i]
		if _, ok := Hex(c.Color); ok {
			continue
		}
		best := ColourHex("", vm.OrID(c.Label, c.ID))
		for _, l := range lineColours {
			if h := hexOf(l); used[h] < used[best] {
				best = h
			}
		}
		used[best]++
		own := *c.Connection
		own.Color = best
		out[i].Connection = &own
	}
	return out
}

// likest is the offered colour that is hardest to tell from c.
func likest(c color.Color) string {
	r, g, b, _ := c.RGBA()
	away := func(a uint32, b uint8) int { d := int(a>>8) - int(b); return d * d }
	best := slices.MinFunc(lineColours, func(x, y color.NRGBA) int {
		return cmp.Compare(away(r, x.R)+away(g, x.G)+away(b, x.B), away(r, y.R)+away(g, y.G)+away(b, y.B))
	})
	return hexOf(best)
}

// ColourHex is LineColour as #rrggbb.
func ColourHex(own, name string) string { return hexOf(LineColour(own, name)) }

// hexOf is what Hex reads.
func hexOf(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// Lamp is the signal of an item: lit when it waits for the owner or is critical.
type Lamp struct {
	widget.BaseWidget
	sign vm.Sign
	dim  bool
}

// lampSize is the diameter of a lamp.
const lampSize = 24

// NewLamp makes a lamp.
func NewLamp(sign vm.Sign) *Lamp {
	l := &Lamp{sign: sign}
	l.ExtendBaseWidget(l)
	return l
}

// Set changes what the lamp shows; a dim lamp is for what is read or over.
func (l *Lamp) Set(sign vm.Sign, dim bool) {
	if l.sign == sign && l.dim == dim {
		return
	}
	l.sign, l.dim = sign, dim
	l.Refresh()
}

// CreateRenderer is the toolkit's.
func (l *Lamp) CreateRenderer() fyne.WidgetRenderer {
	l.ExtendBaseWidget(l)
	r := &lampRenderer{l: l, halo: canvas.NewCircle(color.Transparent), disc: canvas.NewCircle(color.Transparent), images: map[lampImage]*canvas.Image{}}
	r.Refresh()
	return r
}

type lampRenderer struct {
	l          *Lamp
	halo, disc *canvas.Circle
	// images are the symbols that were shown: reading one costs as much as the texts of a row, and a row of a list
	// shows the same few again and again.
	images map[lampImage]*canvas.Image
	image  *canvas.Image
}

// lampImage is a symbol in a colour.
type lampImage struct {
	icon string
	ink  color.Color
}

func (r *lampRenderer) Destroy()           {}
func (r *lampRenderer) MinSize() fyne.Size { return fyne.NewSquareSize(lampSize) }
func (r *lampRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.halo, r.disc, r.image}
}

func (r *lampRenderer) Layout(size fyne.Size) {
	place(r.halo, -3, -3, size.Width+6, size.Height+6)
	place(r.disc, 0, 0, size.Width, size.Height)
	place(r.image, 5, 5, size.Width-10, size.Height-10)
}

func (r *lampRenderer) Refresh() {
	tone := string(r.l.sign.Tone)
	lit := r.l.sign.Tone == vm.ToneWaiting || r.l.sign.Tone == vm.ToneCritical
	ink := theme.Tone(tone)
	r.halo.FillColor = color.Transparent
	if lit && !r.l.dim {
		r.disc.FillColor = theme.At(theme.Lamp(tone))
		r.disc.StrokeWidth = 0
		ink = theme.ColorOnLamp
		c := color.NRGBAModel.Convert(theme.At(theme.Lamp(tone))).(color.NRGBA)
		c.A = 0x38
		r.halo.FillColor = c
	} else {
		r.disc.FillColor = theme.At(theme.Tint(tone))
		r.disc.StrokeColor = theme.At(theme.Lamp(tone))
		r.disc.StrokeWidth = 1.5
	}
	key := lampImage{r.l.sign.Icon, theme.At(ink)}
	if r.images[key] == nil {
		r.images[key] = canvas.NewImageFromResource(theme.Symbol(r.l.sign.Icon, ink))
		r.images[key].FillMode = canvas.ImageFillContain
	}
	r.image = r.images[key]
	if size := r.l.Size(); size.Width > 0 {
		r.Layout(size)
	}
	canvas.Refresh(r.l)
}

// Chip is a small label with a dot.
type Chip struct {
	widget.BaseWidget
	label string
	dot   color.Color // nil: none
	tone  string      // empty: plain
	text  *canvas.Text
	bg    *canvas.Rectangle
	mark  *canvas.Circle
	max   float32
}

// NewChip makes a chip; dot nil: without a dot; tone empty: plain.
func NewChip(label string, dot color.Color, tone string) *Chip {
	c := &Chip{label: strings.ReplaceAll(label, "\n", " "), dot: dot, tone: tone, max: 180}
	c.ExtendBaseWidget(c)
	return c
}

// SetLabel changes what the chip says, and reports whether that is something else.
func (c *Chip) SetLabel(label string) bool { return c.Set(label, c.dot) }

// Set changes what the chip says and its dot, and reports whether either is something else.
func (c *Chip) Set(label string, dot color.Color) bool {
	label = strings.ReplaceAll(label, "\n", " ")
	if c.label == label && c.dot == dot {
		return false
	}
	c.label, c.dot = label, dot
	c.Refresh()
	return true
}

// CreateRenderer is the toolkit's.
func (c *Chip) CreateRenderer() fyne.WidgetRenderer {
	c.ExtendBaseWidget(c)
	c.text, c.bg, c.mark = canvas.NewText("", nil), canvas.NewRectangle(nil), canvas.NewCircle(nil)
	r := &chipRenderer{c}
	r.Refresh()
	return r
}

// WidthFor is the width that the chip takes of what there is.
func (c *Chip) WidthFor(room float32) float32 {
	w := measure(c.label, base.Size(theme.SizeCaption), fyne.TextStyle{}) + 16
	if c.dot != nil {
		w += 12
	}
	return min(w, room, c.max)
}

// chipHeight follows the size of text.
func chipHeight() float32 {
	return max(20, float32(math.Ceil(float64(base.Size(theme.SizeCaption)*1.36)))+4)
}

type chipRenderer struct{ c *Chip }

func (r *chipRenderer) Destroy() {}
func (r *chipRenderer) Objects() []fyne.CanvasObject {
	if r.c.dot == nil {
		return []fyne.CanvasObject{r.c.bg, r.c.text}
	}
	return []fyne.CanvasObject{r.c.bg, r.c.mark, r.c.text}
}
func (r *chipRenderer) MinSize() fyne.Size { return fyne.NewSize(r.c.WidthFor(r.c.max), chipHeight()) }
func (r *chipRenderer) Layout(size fyne.Size) {
	place(r.c.bg, 0, 0, size.Width, size.Height)
	x := float32(8)
	if r.c.dot != nil {
		place(r.c.mark, 8, size.Height/2-3.5, 7, 7)
		x = 20
	}
	ts := base.Size(theme.SizeCaption)
	r.c.text.Text = ellipsis(r.c.label, ts, fyne.TextStyle{}, size.Width-x-7)
	h := fyne.MeasureText("M", ts, fyne.TextStyle{}).Height
	place(r.c.text, x, (size.Height-h)/2, size.Width-x-8, h)
}
func (r *chipRenderer) Refresh() {
	fill, ink := theme.ColorButton, theme.ColorInkSoft
	if r.c.tone != "" {
		fill, ink = theme.Tint(r.c.tone), theme.Tone(r.c.tone)
	}
	r.c.bg.FillColor, r.c.bg.CornerRadius = theme.At(fill), chipHeight()/2
	r.c.text.Color, r.c.text.TextSize = theme.At(ink), base.Size(theme.SizeCaption)
	if r.c.dot != nil {
		r.c.mark.FillColor = r.c.dot
	}
	r.Layout(r.c.Size())
	r.c.bg.Refresh()
	r.c.text.Refresh()
}
