package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

// Footed is a pane to be read, and under it a foot that is always in view: how long the text is, what can be done
// about it is there.
type Footed struct {
	widget.BaseWidget
	Pane, Foot *Pane
	ground     *box
	line       *box
	room       float32
}

// NewFooted makes one of two columns.
func NewFooted(text, foot *Column) *Footed {
	f := &Footed{Pane: NewPane(text), Foot: NewPane(foot), ground: newBox(theme.ColorGround, 0), line: newBox(theme.ColorLine, 0)}
	f.ExtendBaseWidget(f)
	return f
}

// Relayout follows a change of what is in either.
func (f *Footed) Relayout() {
	f.arrange(f.Size())
	f.Pane.Relayout()
	f.Foot.Relayout()
	canvas.Refresh(f)
}

// SetRoom leaves room between the text and the foot, for what must cover neither.
func (f *Footed) SetRoom(room float32) {
	if f.room != room {
		f.room = room
		f.Relayout()
	}
}

// FootHeight is the height that the foot takes of the pane now.
func (f *Footed) FootHeight() float32 { return f.footHeight(f.Size()) }

// footHeight is what the foot needs, at most three fifths: beyond that it scrolls.
func (f *Footed) footHeight(size fyne.Size) float32 {
	if len(f.Foot.Column.objs) == 0 {
		return 0
	}
	return min(f.Foot.Column.HeightFor(size.Width), size.Height*3/5)
}

func (f *Footed) arrange(size fyne.Size) {
	h := f.footHeight(size)
	place(f.Pane, 0, 0, size.Width, max(size.Height-h-f.room, 0))
	f.ground.place(0, size.Height-h, size.Width, h)
	f.line.place(0, size.Height-h, size.Width, min(h, 1))
	place(f.Foot, 0, size.Height-h, size.Width, h)
}

// CreateRenderer is the toolkit's.
func (f *Footed) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	return &footedRenderer{f}
}

type footedRenderer struct{ f *Footed }

func (r *footedRenderer) Destroy() {}
func (r *footedRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.Pane, r.f.ground.Rectangle, r.f.Foot, r.f.line.Rectangle}
}
func (r *footedRenderer) MinSize() fyne.Size    { return fyne.NewSize(120, 60) }
func (r *footedRenderer) Layout(size fyne.Size) { r.f.arrange(size) }
func (r *footedRenderer) Refresh() {
	r.f.ground.paint()
	r.f.line.paint()
	r.f.Relayout()
}
