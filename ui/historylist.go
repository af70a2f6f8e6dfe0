package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// historyLayout places the panes of the history.
type historyLayout struct {
	h           *historyWindow
	c           *fyne.Container
	ground      *canvas.Rectangle
	line, dline *canvas.Rectangle
	size        fyne.Size
	empty       bool // what is said in place of the rows was laid out
}

func (l *historyLayout) again() {
	if l.c != nil && l.size.Width > 0 {
		l.Layout(nil, l.size)
		l.c.Refresh()
	}
}

// MinSize lets the window be narrow.
func (l *historyLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(340, 360) }

// Layout places the panes.
func (l *historyLayout) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	l.size = size
	h := l.h
	l.ground.FillColor = theme.At(theme.ColorGround)
	l.line.FillColor, l.dline.FillColor = theme.At(theme.ColorLine), theme.At(theme.ColorLine)
	objs := []fyne.CanvasObject{l.ground}
	put(l.ground, 0, 0, size.Width, size.Height)
	add := func(o fyne.CanvasObject, x, y, w, hh float32) {
		put(o, x, y, w, hh)
		objs = append(objs, o)
	}
	right := size.Width
	open := h.detail.open()
	beside := open && size.Width >= 860
	if beside {
		dw := min(max(size.Width*0.42, 380), 640)
		right -= dw
		add(l.dline, right, 0, 1, size.Height)
		add(h.detail.pane(), right+1, 0, dw-1, size.Height)
	}
	y := float32(12)
	eh := h.search.MinSize().Height
	tw := h.tools.Width()
	if tw+220 < right-32 {
		add(h.search, 16, y, right-32-tw-8, eh)
		add(h.tools, right-16-tw, y+(eh-h.tools.HeightFor(tw))/2, tw, h.tools.HeightFor(tw))
		y += eh + 10
	} else {
		add(h.search, 16, y, right-32, eh)
		y += eh + 6
		add(h.tools, 16, y, right-32, h.tools.HeightFor(right-32))
		y += h.tools.HeightFor(right-32) + 6
	}
	bh := h.bar.HeightFor(right - 32)
	add(h.bar, 16, y, right-32, bh)
	y += bh + 8
	ch := h.count.HeightFor(300)
	add(h.count, 16, y, (right-32)/2, ch)
	add(h.note, 16+(right-32)/2, y, (right-32)/2, ch)
	y += ch + 6
	add(l.line, 0, y, right, 1)
	y++
	l.empty = len(h.paging.Records) == 0 || h.paging.Failed != nil
	if l.empty {
		add(h.empty, 0, y, right, size.Height-y)
	} else {
		add(h.list, 0, y, right, size.Height-y)
	}
	if open && !beside {
		add(h.detail.pane(), 0, 0, size.Width, size.Height)
		objs = append(objs[:1], objs[len(objs)-1])
	}
	l.c.Objects = objs
}

// historyList is the endless list: only rows in view exist, pages follow as it is scrolled.
type historyList struct {
	widget.List
	h *historyWindow
}

func newHistoryList(h *historyWindow) *historyList {
	l := &historyList{h: h}
	l.HideSeparators = true
	l.Length = func() int { return len(h.paging.Records) }
	l.CreateItem = func() fyne.CanvasObject {
		r := widgets.NewHistoryRow(h.u.env)
		r.OnTap, r.OnMark = h.choose, h.mark
		return r
	}
	l.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) {
		if i >= len(h.paging.Records) {
			return
		}
		s := h.u.snap
		if s == nil {
			s = &vm.Snapshot{}
		}
		r := h.paging.Records[i]
		o.(*widgets.HistoryRow).Set(vm.HistoryRowOf(r, s, h.u.now()), r.ID == h.chosen, h.marked[r.ID])
		if i > len(h.paging.Records)-40 {
			h.more()
		}
	}
	l.ExtendBaseWidget(l)
	return l
}

// TypedKey moves the selection with the arrows and opens with Return; Escape closes what is open.
func (l *historyList) TypedKey(e *fyne.KeyEvent) {
	h := l.h
	if h.u.asking(h.win, e) {
		return
	}
	i := h.paging.Index(h.chosen)
	switch e.Name {
	case fyne.KeyDown:
		i++
	case fyne.KeyUp:
		i--
	case fyne.KeyPageDown:
		i += 10
	case fyne.KeyPageUp:
		i -= 10
	case fyne.KeyHome:
		i = 0
	case fyne.KeyEnd:
		i = len(h.paging.Records) - 1
	case fyne.KeyEscape:
		h.escape()
		return
	default:
		return
	}
	if i = min(max(i, 0), len(h.paging.Records)-1); i >= 0 {
		h.choose(h.paging.Records[i].ID)
		l.ScrollTo(i)
	}
}
