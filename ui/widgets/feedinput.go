package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/vm"
)

// MoveSelection selects the card, or the line of another session, that is by steps further down, and brings it into view.
func (f *Feed) MoveSelection(by int) {
	var cards []int
	at := -1
	for i := range f.rows {
		if k := f.rows[i].Kind; k == vm.RowCard || k == vm.RowJump || k == vm.RowFold {
			if f.rows[i].ID == f.Selected {
				at = len(cards)
			}
			cards = append(cards, i)
		}
	}
	if len(cards) == 0 {
		return
	}
	switch {
	case at < 0 && by > 0:
		at = 0
	case at < 0:
		at = len(cards) - 1
	default:
		at = min(max(at+by, 0), len(cards)-1)
	}
	id := f.rows[cards[at]].ID
	f.Choose(id)
	call(f.OnMove, id)
	f.Reveal(f.Selected)
}

// Reveal scrolls until a row is in view.
func (f *Feed) Reveal(id string) {
	for i := range f.rows {
		if f.rows[i].ID != id {
			continue
		}
		view, was := f.scroll.Size().Height, f.scroll.Offset.Y
		top, bottom := f.tops[i], f.tops[i+1]
		if i > 0 && f.rows[i-1].Kind == vm.RowHead {
			top = f.tops[i-1]
		}
		switch {
		case top < f.scroll.Offset.Y || bottom-top > view:
			f.scroll.Offset.Y = max(top-8, 0)
		case bottom > f.scroll.Offset.Y+view:
			f.scroll.Offset.Y = bottom - view
		default:
			return
		}
		f.led = f.scroll.Offset.Y - was
		f.settle(false)
		return
	}
}

// Offset is how far the view is below the top.
func (f *Feed) Offset() float32 { return f.scroll.Offset.Y }

// FocusGained is the toolkit's.
func (f *Feed) FocusGained() {
	f.focused = true
	if f.Selected == "" {
		f.MoveSelection(1)
	}
}

// FocusLost is the toolkit's.
func (f *Feed) FocusLost() { f.focused = false }

// TypedRune is the toolkit's.
func (f *Feed) TypedRune(r rune) { call(f.OnRune, r) }

// TypedKey is the toolkit's.
func (f *Feed) TypedKey(e *fyne.KeyEvent) { call(f.OnKey, e) }

// KeyDown is the toolkit's.
func (f *Feed) KeyDown(e *fyne.KeyEvent) { call(f.OnKeyDown, e) }

// KeyUp is the toolkit's.
func (f *Feed) KeyUp(e *fyne.KeyEvent) { call(f.OnKeyUp, e) }

// MouseIn is the toolkit's.
func (f *Feed) MouseIn(*desktop.MouseEvent) {}

// MouseMoved is the toolkit's.
func (f *Feed) MouseMoved(*desktop.MouseEvent) {}

// MouseOut is the toolkit's.
func (f *Feed) MouseOut() {}

// CreateRenderer is the toolkit's.
func (f *Feed) CreateRenderer() fyne.WidgetRenderer {
	f.ExtendBaseWidget(f)
	return &feedRenderer{f}
}

type feedRenderer struct{ f *Feed }

func (r *feedRenderer) Destroy() {}
func (r *feedRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.f.scroll, r.f.wheel}
}
func (r *feedRenderer) MinSize() fyne.Size { return fyne.NewSize(240, 120) }
func (r *feedRenderer) Layout(size fyne.Size) {
	f := r.f
	f.scroll.Resize(size)
	f.wheel.Resize(size)
	if f.width != size.Width {
		f.width = size.Width
		clear(f.heights)
		f.layoutTops()
	}
	f.settle(true)
}
func (r *feedRenderer) Refresh() {
	f := r.f
	f.body.track.paint()
	clear(f.heights)
	for _, w := range f.bound {
		w.Refresh()
	}
	f.layoutTops()
	f.settle(true)
}

// feedBody is what scrolls.
type feedBody struct {
	widget.BaseWidget
	f     *Feed
	track *box
	objs  []fyne.CanvasObject
}

// placeTrack draws the track from the first card to the last.
func (b *feedBody) placeTrack() {
	f := b.f
	first, last := -1, -1
	for i := range f.rows {
		if f.rows[i].Kind != vm.RowEmpty {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		b.track.Hide()
		return
	}
	b.track.Show()
	x, _ := trackX(f.width)
	top := f.tops[first] + 14
	b.track.place(x-1, top, 2, max(f.tops[last]+20-top, 0))
}

func (b *feedBody) CreateRenderer() fyne.WidgetRenderer {
	b.ExtendBaseWidget(b)
	return &feedBodyRenderer{b}
}

type feedBodyRenderer struct{ b *feedBody }

func (r *feedBodyRenderer) Destroy()                     {}
func (r *feedBodyRenderer) Objects() []fyne.CanvasObject { return r.b.objs }
func (r *feedBodyRenderer) MinSize() fyne.Size {
	if len(r.b.f.tops) == 0 {
		return fyne.NewSize(100, 10)
	}
	return fyne.NewSize(100, r.b.f.tops[len(r.b.f.tops)-1])
}
func (r *feedBodyRenderer) Layout(fyne.Size) {}
func (r *feedBodyRenderer) Refresh()         { canvas.Refresh(r.b) }
