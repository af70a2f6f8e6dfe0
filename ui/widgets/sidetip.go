package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
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

// sideLegend says at the foot of the sidebar what the two numbers of its rows are.
type sideLegend struct {
	widget.BaseWidget
	badge           *canvas.Rectangle
	sign, number    *Text
	waiting, unread *Text
}

func newSideLegend(env *Env) *sideLegend {
	look := Look{Size: theme.SizeCaption, Color: theme.ColorInkFaint, Max: 1}
	bold := look
	bold.Bold, bold.Color = true, theme.ColorInkSoft
	on := bold
	on.Color, on.Center = theme.ColorOnLamp, true
	l := &sideLegend{badge: canvas.NewRectangle(nil), sign: NewText("n", on), number: NewText("n", bold),
		waiting: NewText(env.T("side.legend_waiting"), look), unread: NewText(env.T("side.legend_unread"), look)}
	l.ExtendBaseWidget(l)
	l.Hide()
	return l
}

// set shows the legend while there is a number.
func (l *sideLegend) set(rows []vm.SideRow) {
	for _, r := range rows {
		if r.Waiting > 0 || r.Unread > 0 {
			l.Show()
			return
		}
	}
	l.Hide()
}

// CreateRenderer is the toolkit's.
func (l *sideLegend) CreateRenderer() fyne.WidgetRenderer {
	l.ExtendBaseWidget(l)
	return &sideLegendRenderer{l}
}

type sideLegendRenderer struct{ l *sideLegend }

func (r *sideLegendRenderer) Destroy() {}
func (r *sideLegendRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.l.badge, r.l.sign, r.l.waiting, r.l.number, r.l.unread}
}
func (r *sideLegendRenderer) MinSize() fyne.Size {
	return fyne.NewSize(120, r.l.sign.lineHeight()+16)
}
func (r *sideLegendRenderer) Layout(size fyne.Size) {
	l := r.l
	h := l.sign.lineHeight()
	y, b := (size.Height-h)/2, h+1
	l.badge.CornerRadius = b / 2
	x := float32(14)
	place(l.badge, x, (size.Height-b)/2, b+2, b)
	place(l.sign, x, y, b+2, h)
	x += b + 8
	w := min(l.waiting.Width()+1, (size.Width-x)*0.6)
	place(l.waiting, x, y, w, h)
	x += w + 16
	w = l.number.Width() + 1
	place(l.number, x, y, w, h)
	x += w + 6
	place(l.unread, x, y, max(size.Width-x-8, 0), h)
}
func (r *sideLegendRenderer) Refresh() {
	r.l.badge.FillColor = theme.At(theme.Lamp("waiting"))
	r.Layout(r.l.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}
