package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// bound counts the rows that a list binds from now on.
func bound(l *historyList) *int {
	n, bind := new(int), l.UpdateItem
	l.UpdateItem = func(i widget.ListItemID, o fyne.CanvasObject) { *n++; bind(i, o) }
	return n
}

func (d *desk) longHistory() *historyWindow {
	d.do(notify.Import{Records: sample.Many(vm.PageSize)})
	return d.showHistory()
}

// A page key draws the rows that come into view, and of the others only what is chosen no longer.
func TestAPageOfTheHistoryIsItsNewRows(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		h := d.longHistory()
		press := func(k fyne.KeyName) { h.list.TypedKey(&fyne.KeyEvent{Name: k}) }
		press(fyne.KeyPageDown) // opens the detail
		press(fyne.KeyPageDown)
		d.settle()
		page, was := h.list.page(), h.chosen
		n := bound(h.list)
		press(fyne.KeyPageDown)
		if *n > page+1 {
			t.Errorf("a page of %d rows binds %d", page, *n)
		}
		if h.paging.Index(h.chosen) != h.paging.Index(was)+page {
			t.Errorf("it goes from row %d to %d", h.paging.Index(was), h.paging.Index(h.chosen))
		}
		if top, at := float32(h.paging.Index(h.chosen))*h.list.rowHeight(), h.list.GetScrollOffset(); top < at || top+h.list.rowHeight() > at+h.list.Size().Height+5 {
			t.Errorf("what is chosen is at %v, in view is %v and %v below", top, at, h.list.Size().Height)
		}
		*n = 0
		press(fyne.KeyUp)
		if *n != 0 {
			t.Errorf("choosing a row in view binds %d", *n)
		}
	})
}

// A jump is made in steps, so that no frame has a whole page to draw, and ends where somebody scrolls meanwhile.
func TestAJumpOfTheHistoryGlides(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		h := d.longHistory()
		l := h.list
		page := float32(l.page()) * l.rowHeight()
		glide := func(to float32) { // as reveal does where the toolkit moves things by steps
			l.at, l.to, l.glide = l.GetScrollOffset(), to, fyne.NewAnimation(0, l.step)
		}
		glide(l.GetScrollOffset() + page)
		steps := 0
		for ; l.glide != nil && steps < 30; steps++ {
			n, was := bound(l), l.GetScrollOffset()
			l.step(0)
			if *n > l.page()/2+1 {
				t.Errorf("step %d binds %d rows", steps, *n)
			}
			if l.GetScrollOffset() <= was {
				t.Errorf("step %d goes from %v to %v", steps, was, l.GetScrollOffset())
			}
		}
		if l.GetScrollOffset() != l.to || l.glide != nil {
			t.Errorf("after %d steps it is at %v, not at %v", steps, l.GetScrollOffset(), l.to)
		}
		glide(l.GetScrollOffset() + page)
		l.step(0)
		l.ScrollToOffset(40)
		l.step(0)
		if l.GetScrollOffset() != 40 || l.glide != nil {
			t.Errorf("somebody scrolled to 40 and is taken to %v", l.GetScrollOffset())
		}
		glide(1e6) // beyond the end
		for range 40 {
			if l.glide != nil {
				l.step(0)
			}
		}
		if l.glide != nil {
			t.Error("at the end it goes on for ever")
		}
	})
}
