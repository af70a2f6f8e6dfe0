package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

// sideTip explains what is pointed at in the sidebar. It takes no events, so that what lies under it stays
// under the pointer.
type sideTip struct {
	widget.BaseWidget
	bg   *canvas.Rectangle
	text *Text
}

func newSideTip() *sideTip {
	t := &sideTip{bg: canvas.NewRectangle(nil), text: NewText("", LookCaption)}
	t.ExtendBaseWidget(t)
	t.Hide()
	return t
}

func (t *sideTip) say(s string) {
	t.text.Set(s, Look{Size: theme.SizeCaption, Color: theme.ColorOnSnack, Max: 3})
}

// want is the size that the text takes of a width.
func (t *sideTip) want(room float32) (w, h float32) {
	w = min(t.text.Width()+1, room-18)
	return w + 18, t.text.HeightFor(w) + 10
}

// CreateRenderer is the toolkit's.
func (t *sideTip) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	return &sideTipRenderer{t}
}

type sideTipRenderer struct{ t *sideTip }

func (r *sideTipRenderer) Destroy() {}
func (r *sideTipRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.t.bg, r.t.text}
}
func (r *sideTipRenderer) MinSize() fyne.Size { return fyne.NewSize(20, 20) }
func (r *sideTipRenderer) Layout(size fyne.Size) {
	place(r.t.bg, 0, 0, size.Width, size.Height)
	place(r.t.text, 9, 5, size.Width-18, size.Height-10)
}
func (r *sideTipRenderer) Refresh() {
	r.t.bg.FillColor, r.t.bg.CornerRadius = theme.At(theme.ColorSnack), 6
	r.t.bg.Refresh()
	r.t.text.Refresh()
	r.Layout(r.t.Size())
}
