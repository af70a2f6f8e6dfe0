package widgets

import (
	"image/color"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	base "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"
	"github.com/rivo/uniseg"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Prose is a paragraph of spans with looks of their own: bold, code on a ground of its own, underlined links. All
// of a line stands on one baseline, and what reads from the right is put where it is read. The toolkit's rich text
// does neither: code sinks below its line and loses its feet.
type Prose struct {
	widget.BaseWidget
	spans  []vm.Span
	ink    fyne.ThemeColorName
	onLink func(address string)

	lines   []proseLine
	wrapped float32 // the width that lines are for; 0: none
	at      float32 // the text size that lines are for
	over    fyne.Position
}

type proseLine struct {
	parts []prosePart
	width float32
}

// prosePart is a run of one look in one direction.
type prosePart struct {
	text string
	span int
	x, w float32
}

var (
	_ fyne.Tappable      = (*Prose)(nil)
	_ desktop.Hoverable  = (*Prose)(nil)
	_ desktop.Cursorable = (*Prose)(nil)
)

// newProse makes a paragraph; one with links takes the keyboard.
func newProse(spans []vm.Span, ink fyne.ThemeColorName, onLink func(string)) fyne.CanvasObject {
	for i, s := range spans {
		if s.Image {
			spans[i].Text, spans[i].Image = "["+s.Text+"]", false
		}
		spans[i].Text = drawable(spans[i].Text)
	}
	for _, s := range spans {
		if s.Link != "" {
			l := &linkedProse{}
			l.spans, l.ink, l.onLink = spans, ink, onLink
			l.ExtendBaseWidget(l)
			return l
		}
	}
	p := &Prose{spans: spans, ink: ink, onLink: onLink}
	p.ExtendBaseWidget(p)
	return p
}

func (p *Prose) size(span int) float32 {
	if p.spans[span].Code {
		return base.Size(theme.SizeCode)
	}
	return base.Size(theme.SizeBody)
}

func (p *Prose) style(span int) fyne.TextStyle {
	s := p.spans[span]
	return fyne.TextStyle{Bold: s.Bold, Italic: s.Italic, Monospace: s.Code}
}

func (p *Prose) measure(s string, span int) float32 { return measure(s, p.size(span), p.style(span)) }

// lineHeight has room for the ground of code.
func (p *Prose) lineHeight() float32 {
	return NewText("", LookBody).lineHeight() + 2
}

// HeightFor is the height at a width.
func (p *Prose) HeightFor(width float32) float32 {
	p.wrap(width)
	return float32(len(p.lines)) * p.lineHeight()
}

// atom is the least that is not broken, and what stands before it.
type atom struct {
	text  string
	span  int
	w     float32
	glue  bool // no line may begin here
	space int  // spaces before it
	nl    bool // a line begins here
}

func (p *Prose) atoms() []atom {
	var out []atom
	space, fresh, nl := 0, true, false
	for i, s := range p.spans {
		for k, para := range strings.Split(s.Text, "\n") {
			if k > 0 {
				nl, fresh, space = true, true, 0
			}
			first := true
			for _, w := range pieces(para, s.Code) {
				if w == " " {
					space++
					fresh = true
					continue
				}
				// A new span without a space between is glued: the comma after `code`.
				glue := first && !fresh && space == 0 && len(out) > 0 && !nl
				out = append(out, atom{text: w, span: i, w: p.measure(w, i), glue: glue, space: space, nl: nl})
				space, nl, first, fresh = 0, false, false, false
			}
		}
	}
	return out
}

const codePad = 3 // room at both sides of code, for its ground

func (p *Prose) wrap(width float32) {
	size := base.Size(theme.SizeBody)
	if p.wrapped == width && p.at == size {
		return
	}
	p.wrapped, p.at, p.lines = width, size, nil
	width = max(width, size*2)
	gap := measure(" ", size, fyne.TextStyle{})
	var line []atom
	used := float32(0)
	flush := func() {
		p.lines = append(p.lines, p.place(line, width))
		line, used = nil, 0
	}
	list := p.atoms()
	for i := 0; i < len(list); {
		j, group := i+1, list[i].w // what is glued together goes into one line where it can
		for j < len(list) && list[j].glue && !list[j].nl {
			group += list[j].w
			j++
		}
		if list[i].nl {
			flush()
		}
		lead := float32(list[i].space) * gap
		if len(line) > 0 && used+lead+group > width-2*codePad {
			flush()
			lead = 0
			list[i].space = 0
		}
		for ; i < j; i++ {
			a := list[i]
			if a.w <= width || len(a.text) < 2 {
				if len(line) > 0 && used+a.w+lead > width {
					flush()
					lead, a.space = 0, 0
				}
				line = append(line, a)
				used += a.w + lead
				lead = 0
				continue
			}
			g := uniseg.NewGraphemes(a.text) // wider than a line: broken where it must be
			part := atom{span: a.span, space: a.space}
			for g.Next() {
				w := p.measure(g.Str(), a.span)
				if used+part.w+w > width-2*codePad && part.text != "" {
					line = append(line, part)
					flush()
					part = atom{span: a.span}
				}
				part.text += g.Str()
				part.w += w
			}
			line = append(line, part)
			used += part.w + lead
			lead = 0
		}
	}
	if len(line) > 0 || len(p.lines) == 0 {
		flush()
	}
}

// place puts the atoms of a line beside each other, in the order in which they are seen.
func (p *Prose) place(line []atom, width float32) proseLine {
	var text strings.Builder
	var spanOf []int // of each byte
	put := func(s string, span int) {
		text.WriteString(s)
		for range len(s) {
			spanOf = append(spanOf, span)
		}
	}
	for i, a := range line {
		if i > 0 && a.space > 0 {
			span := a.span // spaces within code are code; between looks they are the paragraph's
			if line[i-1].span != a.span {
				span = -1
			}
			put(strings.Repeat(" ", a.space), span)
		}
		put(a.text, a.span)
	}
	s := text.String()
	rtl := vm.RightToLeft(vm.SpansText(p.spans))
	var out proseLine
	x := float32(0)
	for _, r := range vm.VisualRuns(s, rtl) {
		var parts []prosePart
		for i := r.Start; i < r.End; {
			j := i
			for j < r.End && spanOf[j] == spanOf[i] {
				j++
			}
			if r.RTL {
				var more []prosePart
				for _, piece := range vm.RightPieces(s[i:j]) {
					more = append(more, prosePart{text: piece, span: spanOf[i]})
				}
				parts = append(more, parts...)
			} else {
				parts = append(parts, prosePart{text: s[i:j], span: spanOf[i]})
			}
			i = j
		}
		for _, part := range parts {
			if part.span < 0 {
				x += measure(part.text, base.Size(theme.SizeBody), fyne.TextStyle{})
				continue
			}
			part.w = p.measure(part.text, part.span)
			if p.spans[part.span].Code {
				x += codePad
			}
			part.x = x
			x += part.w
			if p.spans[part.span].Code {
				x += codePad
			}
			out.parts = append(out.parts, part)
		}
	}
	out.width = x
	if rtl {
		for i := range out.parts {
			out.parts[i].x += max(width-x, 0)
		}
	}
	return out
}

// linkAt is the number of the link under a place; -1: none.
func (p *Prose) linkAt(at fyne.Position) int {
	h := p.lineHeight()
	i := int(at.Y / h)
	if at.Y < 0 || i >= len(p.lines) {
		return -1
	}
	for _, part := range p.lines[i].parts {
		if at.X >= part.x-2 && at.X <= part.x+part.w+2 && p.spans[part.span].Link != "" {
			return part.span
		}
	}
	return -1
}

// Tapped is the toolkit's: only a link does something.
func (p *Prose) Tapped(e *fyne.PointEvent) {
	if i := p.linkAt(e.Position); i >= 0 {
		call(p.onLink, p.spans[i].Link)
	}
}

// MouseIn is the toolkit's.
func (p *Prose) MouseIn(e *desktop.MouseEvent) { p.over = e.Position }

// MouseMoved is the toolkit's.
func (p *Prose) MouseMoved(e *desktop.MouseEvent) { p.over = e.Position }

// MouseOut is the toolkit's.
func (p *Prose) MouseOut() { p.over = fyne.NewPos(-1, -1) }

// Cursor is the toolkit's.
func (p *Prose) Cursor() desktop.Cursor {
	if p.linkAt(p.over) >= 0 {
		return desktop.PointerCursor
	}
	return desktop.DefaultCursor
}

// CreateRenderer is the toolkit's.
func (p *Prose) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	return newProseRenderer(p, nil)
}

func newProseRenderer(p *Prose, chosen func() int) fyne.WidgetRenderer {
	r := &proseRenderer{p: p, chosen: chosen}
	if p.Size().Width > 0 {
		r.Layout(p.Size())
	}
	return r
}

type proseRenderer struct {
	p      *Prose
	chosen func() int // the span that has the keyboard; nil or -1: none
	objs   []fyne.CanvasObject
}

func (r *proseRenderer) Destroy()                     {}
func (r *proseRenderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *proseRenderer) MinSize() fyne.Size {
	return fyne.NewSize(20, r.p.HeightFor(max(r.p.Size().Width, 60)))
}
func (r *proseRenderer) Refresh() { r.p.wrapped = 0; r.Layout(r.p.Size()); canvas.Refresh(r.p) }

func (r *proseRenderer) Layout(size fyne.Size) {
	p := r.p
	p.wrap(size.Width)
	r.objs = r.objs[:0]
	h := p.lineHeight()
	driver := fyne.CurrentApp().Driver()
	_, foot := driver.RenderedTextSize("M", base.Size(theme.SizeBody), fyne.TextStyle{}, nil)
	for i, line := range p.lines {
		top := float32(i) * h
		for _, part := range line.parts {
			s := p.spans[part.span]
			ink := theme.At(p.ink)
			if s.Link != "" {
				ink = theme.At(theme.ColorAccent)
			}
			if s.Code {
				ground := canvas.NewRectangle(theme.At(theme.ColorCode))
				ground.StrokeColor, ground.StrokeWidth, ground.CornerRadius = theme.At(theme.ColorLine), 1, 3
				place(ground, part.x-codePad, top, part.w+2*codePad, h-1)
				r.objs = append(r.objs, ground)
			}
			t := canvas.NewText(part.text, ink)
			t.TextSize, t.TextStyle = p.size(part.span), p.style(part.span)
			room, own := driver.RenderedTextSize(part.text, t.TextSize, t.TextStyle, nil)
			place(t, part.x, top+1+foot-own, part.w, room.Height)
			r.objs = append(r.objs, t)
			if s.Link != "" {
				r.objs = append(r.objs, underline(ink, part, top+foot+3))
				if r.chosen != nil && r.chosen() == part.span {
					ring := canvas.NewRectangle(nil)
					ring.StrokeColor, ring.StrokeWidth, ring.CornerRadius = theme.At(theme.ColorFocus), 2, 3
					place(ring, part.x-3, top-1, part.w+6, h+1)
					r.objs = append(r.objs, ring)
				}
			}
		}
	}
}

func underline(ink color.Color, part prosePart, y float32) fyne.CanvasObject {
	l := canvas.NewRectangle(ink)
	place(l, part.x, y, part.w, 1)
	return l
}
