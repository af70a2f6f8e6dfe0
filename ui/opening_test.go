package ui

import (
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
)

// The rail that is opened again stands at its top, also where it had been scrolled and much came meanwhile, while the
// history kept the windows' readings going; one that is open already stays where it is.
func TestTheRailOpensAtItsTop(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
		for i := range 30 {
			d.fails("s", fmt.Sprint("Item ", i))
			d.wait(10 * time.Millisecond)
		}
		r := d.show()
		d.showHistory()
		for range 20 {
			r.typedRune('j')
		}
		d.wait(time.Second)
		was := r.feed.Offset()
		d.show()
		if was == 0 || r.feed.Offset() != was {
			t.Fatalf("scrolled to %v, then %v", was, r.feed.Offset())
		}
		r.hide()
		d.wait(time.Second)
		d.ask("s", "Ship it?")
		d.show()
		d.wait(time.Second)
		if r.feed.Offset() != 0 {
			t.Errorf("it stands at %v", r.feed.Offset())
		}
	})
}

// Asking for the history that is open already gives its search the keyboard.
func TestTheOpenHistoryIsSearchedAtOnce(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		h := d.showHistory()
		h.win.Canvas().Unfocus()
		d.u.ShowHistory()
		d.settle()
		if h.win.Canvas().Focused() != h.search {
			t.Errorf("%T has the keyboard", h.win.Canvas().Focused())
		}
	})
}

// What was dismissed is chosen again when that is undone, and read again where the detail is open.
//
// Proves: D3
func TestWhatComesBackIsChosenAgain(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		for _, title := range []string{"a", "b", "c"} {
			d.notice(title)
			d.wait(10 * time.Millisecond)
		}
		r := d.show()
		r.typedRune('j')
		was := r.selected
		r.typedRune('d')
		if r.selected == was || r.selected == "" {
			t.Fatalf("chosen %q", r.selected)
		}
		r.typedRune('u')
		d.settle()
		if r.selected != was || r.feed.Selected != was {
			t.Errorf("chosen %q, in the list %q", r.selected, r.feed.Selected)
		}
		r.key(fyne.KeyReturn)
		d.wait(time.Second)
		r.typedRune('d')
		d.wait(time.Second)
		if r.detail.id == was {
			t.Fatal("the detail is that of what was dismissed")
		}
		r.snack.Act()
		d.wait(time.Second)
		if r.selected != was || r.detail.id != was {
			t.Errorf("chosen %q, open %q", r.selected, r.detail.id)
		}
	})
}
