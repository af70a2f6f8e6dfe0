package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// foldRow stands for the older plain items of one sender: a press unfolds them, another dismisses them.
type foldRow struct {
	widget.BaseWidget
	env    *Env
	fold   vm.Fold
	chosen bool
	hot    bool
	onFold func(key string)

	bg    *box
	stop  *canvas.Circle
	arrow *Symbol
	text  *Text
	clear *Press
}

var (
	_ fyne.Tappable     = (*foldRow)(nil)
	_ desktop.Hoverable = (*foldRow)(nil)
)

func newFoldRow(env *Env, onFold, onClear func(key string)) *foldRow {
	f := &foldRow{env: env, onFold: onFold, bg: newBox("", 8), stop: canvas.NewCircle(nil), arrow: NewSymbol("expand", theme.ColorInkFaint, 16), text: NewText("", LookBody)}
	f.clear = NewPress("", Quiet, func() { onClear(f.fold.Key) })
	f.clear.Small, f.clear.Icon = true, "check"
	f.ExtendBaseWidget(f)
	return f
}

func (f *foldRow) set(fold vm.Fold, chosen bool) {
	if f.fold == fold && f.chosen == chosen {
		return
	}
	f.fold, f.chosen = fold, chosen
	icon, words := "expand", vm.Msg{Key: "fold.more", N: fold.Count, A: fold.From}
	if fold.Open {
		icon, words.Key = "collapse", "fold.fewer"
	}
	f.arrow.Set(icon, theme.ColorInkFaint)
	f.text.Set(f.env.Tr(words), Look{Size: theme.SizeBody, Color: theme.ColorInk, Bold: fold.Unread > 0, Max: 1})
	f.clear.Label = f.env.Tr(vm.MN("fold.clear", fold.Clear))
	f.clear.Refresh()
	f.Refresh()
}

// HeightFor is its height.
func (f *foldRow) HeightFor(float32) float32 { return f.text.lineHeight() + 20 }

// Tapped is the toolkit's.
func (f *foldRow) Tapped(*fyne.PointEvent) { f.onFold(f.fold.Key) }

// MouseIn is the toolkit's.
func (f *foldRow) MouseIn(*desktop.MouseEvent) { f.hot = true; f.Refresh() }

// MouseMoved is the toolkit's.
func (f *foldRow) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is the toolkit's.
func (f *foldRow) MouseOut() { f.hot = false; f.Refresh() }

// Cursor is the toolkit's.
func (f *foldRow) Cursor() desktop.Cursor { return desktop.PointerCursor }

// CreateRenderer is the toolkit's.
func (f *foldRow) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	return &foldRenderer{f}
}

type foldRenderer struct{ f *foldRow }

func (r *foldRenderer) Destroy() {}

func (r *foldRenderer) Objects() []fyne.CanvasObject {
	f := r.f
	objs := []fyne.CanvasObject{f.bg.Rectangle, f.stop, f.arrow, f.text}
	if f.fold.Clear > 0 {
		objs = append(objs, f.clear)
	}
	return objs
}

func (r *foldRenderer) MinSize() fyne.Size { return fyne.NewSize(200, r.f.HeightFor(0)) }

func (r *foldRenderer) Layout(size fyne.Size) {
	f := r.f
	tx, _ := trackX(size.Width)
	left, right := lineEnds(size.Width)
	place(f.stop, tx-5, size.Height/2-5, 10, 10)
	f.bg.place(left, 0, right-left+2, size.Height)
	place(f.arrow, left+10, size.Height/2-8, 16, 16)
	room := right - left - 44
	if f.fold.Clear > 0 {
		w, h := f.clear.WidthFor(room*0.6), f.clear.height()
		place(f.clear, right-w-6, (size.Height-h)/2, w, h)
		room -= w + 12
	}
	place(f.text, left+34, (size.Height-f.text.lineHeight())/2, room, f.text.lineHeight())
}

func (r *foldRenderer) Refresh() {
	f := r.f
	f.stop.FillColor, f.stop.StrokeColor, f.stop.StrokeWidth = theme.At(theme.ColorGround), theme.At(theme.ColorTrack), 2
	f.bg.paintLine(f.chosen, f.hot)
	r.Layout(f.Size())
	canvas.Refresh(f)
}
