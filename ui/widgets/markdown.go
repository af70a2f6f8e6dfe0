package widgets

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// Markdown draws blocks of text in a column. Nothing is fetched: an image is a link with its text. A
// link reports that it was pressed and opens nothing by itself (S4).
func Markdown(blocks []vm.Block, onLink func(address string)) *Column {
	c := NewColumn(8)
	for _, b := range blocks {
		c.Add(block(b, onLink))
	}
	return c
}

func block(b vm.Block, onLink func(string)) fyne.CanvasObject {
	switch b.Kind {
	case vm.BlockHeading:
		look := LookTitle
		look.Max = 0
		if b.Level == 1 {
			look = LookHeading
		}
		return NewText(vm.SpansText(b.Spans), look)
	case vm.BlockRule:
		return NewRule()
	case vm.BlockCode:
		if b.Diff {
			return codeOf(b.Code, vm.DiffForms(b.Code))
		}
		return Code(b.Code)
	case vm.BlockQuote:
		return newIndented("", 14, spans(b.Spans, theme.ColorInkSoft, onLink), true)
	case vm.BlockItem:
		return newIndented(b.Bullet, 22+18*float32(b.Level), spans(b.Spans, theme.ColorInk, onLink), false)
	case vm.BlockTable:
		return table(b.Rows)
	}
	return spans(b.Spans, theme.ColorInk, onLink)
}

// spans is a paragraph: a plain one is a text.
func spans(list []vm.Span, ink fyne.ThemeColorName, onLink func(string)) fyne.CanvasObject {
	if len(list) == 1 && list[0].Link == "" && !list[0].Code {
		s := list[0]
		return NewText(s.Text, Look{Size: theme.SizeBody, Color: ink, Bold: s.Bold, Italic: s.Italic})
	}
	return newProse(slices.Clone(list), ink, onLink)
}

// Code is a block of code or a command, shown as it is; it can be selected and copied.
func Code(s string) fyne.CanvasObject { return codeOf(s, nil) }

func codeOf(s string, forms []vm.LineForm) fyne.CanvasObject {
	t := NewText("", LookCode)
	t.SetLines(strings.TrimRight(s, "\n"), forms, LookCode)
	return NewFramed(t, theme.ColorCode, theme.ColorLine, 6, 12, 9)
}

// Rule is a hairline.
type Rule struct {
	widget.BaseWidget
	line *box
}

// NewRule makes one.
func NewRule() *Rule {
	r := &Rule{line: newBox(theme.ColorLine, 0)}
	r.ExtendBaseWidget(r)
	return r
}

// HeightFor is its height.
func (r *Rule) HeightFor(float32) float32 { return 9 }

// CreateRenderer is the toolkit's.
func (r *Rule) CreateRenderer() fyne.WidgetRenderer {
	r.ExtendBaseWidget(r)
	return &ruleRenderer{r}
}

type ruleRenderer struct{ r *Rule }

func (r *ruleRenderer) Destroy()                     {}
func (r *ruleRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.r.line.Rectangle} }
func (r *ruleRenderer) MinSize() fyne.Size           { return fyne.NewSize(8, 9) }
func (r *ruleRenderer) Layout(s fyne.Size)           { r.r.line.place(0, 4, s.Width, 1) }
func (r *ruleRenderer) Refresh()                     { r.r.line.paint() }

// indented is a list item with its bullet, or a quote with its bar.
type indented struct {
	widget.BaseWidget
	bullet *Text
	bar    *box
	by     float32
	o      fyne.CanvasObject
}

func newIndented(bullet string, by float32, o fyne.CanvasObject, bar bool) *indented {
	i := &indented{bullet: NewText(bullet, Look{Size: theme.SizeBody, Color: theme.ColorInkSoft, Max: 1, End: true}), by: by, o: o}
	if bar {
		i.bar = newBox(theme.ColorTrack, 1.5)
	}
	i.ExtendBaseWidget(i)
	return i
}

func (i *indented) HeightFor(width float32) float32 { return HeightOf(i.o, width-i.by) }

func (i *indented) CreateRenderer() fyne.WidgetRenderer {
	i.ExtendBaseWidget(i)
	return &indentedRenderer{i}
}

type indentedRenderer struct{ i *indented }

func (r *indentedRenderer) Destroy() {}
func (r *indentedRenderer) Objects() []fyne.CanvasObject {
	if r.i.bar != nil {
		return []fyne.CanvasObject{r.i.bar.Rectangle, r.i.o}
	}
	return []fyne.CanvasObject{r.i.bullet, r.i.o}
}
func (r *indentedRenderer) MinSize() fyne.Size {
	return fyne.NewSize(60, r.i.HeightFor(max(r.i.Size().Width, 60)))
}
func (r *indentedRenderer) Layout(size fyne.Size) {
	if r.i.bar != nil {
		r.i.bar.place(1, 0, 3, size.Height)
	}
	place(r.i.bullet, r.i.by-34, 0, 28, r.i.bullet.lineHeight())
	place(r.i.o, r.i.by, 0, size.Width-r.i.by, size.Height)
}
func (r *indentedRenderer) Refresh() {
	if r.i.bar != nil {
		r.i.bar.paint()
	}
	r.i.bullet.Refresh()
	r.i.o.Refresh()
	r.Layout(r.i.Size())
}

// table is rows of cells, the first row bold.
func table(rows [][]string) fyne.CanvasObject {
	return newGrid(rows)
}

type grid struct {
	widget.BaseWidget
	cells [][]*Text
	lines []*box
	cols  int
}

func newGrid(rows [][]string) *grid {
	g := &grid{}
	for i, row := range rows {
		var cells []*Text
		for _, s := range row {
			look := LookBody
			look.Color = theme.ColorInk
			if i == 0 {
				look.Bold, look.Color = true, theme.ColorInkSoft
			}
			cells = append(cells, NewText(s, look))
		}
		g.cols = max(g.cols, len(cells))
		g.cells = append(g.cells, cells)
		g.lines = append(g.lines, newBox(theme.ColorLine, 0))
	}
	g.ExtendBaseWidget(g)
	return g
}

func (g *grid) HeightFor(width float32) float32 { return g.arrange(width, false) }

func (g *grid) arrange(width float32, put bool) float32 {
	if g.cols == 0 {
		return 0
	}
	want := make([]float32, g.cols)
	sum := float32(0)
	for _, row := range g.cells {
		for c, t := range row {
			want[c] = max(want[c], min(t.Width(), width))
		}
	}
	for _, w := range want {
		sum += w
	}
	room := width - 14*float32(g.cols-1)
	if sum > room {
		for c := range want {
			want[c] = max(want[c]*room/sum, 24)
		}
	}
	y := float32(0)
	for i, row := range g.cells {
		h := float32(0)
		x := float32(0)
		for c, t := range row {
			h = max(h, t.HeightFor(want[c]+1))
			if put {
				place(t, x, y+5, want[c]+1, t.HeightFor(want[c]+1))
			}
			x += want[c] + 14
		}
		y += h + 10
		if put {
			g.lines[i].place(0, y, width, 1)
		}
	}
	return y + 1
}

func (g *grid) CreateRenderer() fyne.WidgetRenderer {
	g.ExtendBaseWidget(g)
	var objs []fyne.CanvasObject
	for i, row := range g.cells {
		for _, t := range row {
			objs = append(objs, t)
		}
		objs = append(objs, g.lines[i].Rectangle)
	}
	return &gridRenderer{g, objs}
}

type gridRenderer struct {
	g    *grid
	objs []fyne.CanvasObject
}

func (r *gridRenderer) Destroy()                     {}
func (r *gridRenderer) Objects() []fyne.CanvasObject { return r.objs }
func (r *gridRenderer) MinSize() fyne.Size {
	return fyne.NewSize(60, r.g.HeightFor(max(r.g.Size().Width, 60)))
}
func (r *gridRenderer) Layout(size fyne.Size) { r.g.arrange(size.Width, true) }
func (r *gridRenderer) Refresh() {
	for _, l := range r.g.lines {
		l.paint()
	}
	for _, o := range r.objs {
		o.Refresh()
	}
	r.Layout(r.g.Size())
}
