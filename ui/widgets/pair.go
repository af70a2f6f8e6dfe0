package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

// Pair is a named value: the name in a narrow column, the value beside it.
type Pair struct {
	widget.BaseWidget
	name, value *Text
}

// NewPair makes a pair of texts.
func NewPair(name, value string) *Pair {
	p := &Pair{name: NewText(name, Look{Size: theme.SizeCaption, Color: theme.ColorInkFaint}),
		value: NewText(value, Look{Size: theme.SizeBody, Color: theme.ColorInk})}
	p.ExtendBaseWidget(p)
	return p
}

// HeightFor is the height at a width.
func (p *Pair) HeightFor(width float32) float32 { return p.arrange(width, false) }

func (p *Pair) arrange(width float32, put bool) float32 {
	nw := min(max(width*0.3, 84), 150)
	vh := p.value.HeightFor(width - nw - 8)
	nh := p.name.HeightFor(nw)
	drop := max((p.value.lineHeight()-p.name.lineHeight())/2, 0)
	if put {
		place(p.name, 0, 2+drop, nw, nh)
		place(p.value, nw+8, 2, width-nw-8, vh)
	}
	return max(vh, nh+drop) + 4
}

// CreateRenderer is the toolkit's.
func (p *Pair) CreateRenderer() fyne.WidgetRenderer {
	p.ExtendBaseWidget(p)
	return &pairRenderer{p}
}

type pairRenderer struct{ p *Pair }

func (r *pairRenderer) Destroy()                     {}
func (r *pairRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.p.name, r.p.value} }
func (r *pairRenderer) MinSize() fyne.Size {
	return fyne.NewSize(120, r.p.HeightFor(max(r.p.Size().Width, 120)))
}
func (r *pairRenderer) Layout(size fyne.Size) { r.p.arrange(size.Width, true) }
func (r *pairRenderer) Refresh() {
	r.p.name.Refresh()
	r.p.value.Refresh()
	r.Layout(r.p.Size())
}
