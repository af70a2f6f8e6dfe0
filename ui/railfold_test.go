package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// The row of a sender's older items unfolds by Return, dismisses them by one press and lets that be undone; an item that is asked
// for from elsewhere is unfolded.
//
// Proves: P5, D3
func TestManyOfOneSenderAreDismissedAtOnce(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		var ids []string
		for i := range 9 {
			ids = append(ids, d.notice(fmt.Sprint("n", i)))
			d.wait(10 * time.Millisecond)
		}
		r := d.show()
		key := vm.FoldKey(d.record(ids[0]))
		cards := func() (n int) {
			for _, row := range r.view.Rows {
				if row.Card != nil {
					n++
				}
			}
			return n
		}
		for range 4 {
			r.typedRune('j')
		}
		if r.selected != vm.FoldID(key) || cards() != 3 {
			t.Fatalf("chosen %q, %d cards", r.selected, cards())
		}
		for _, c := range "asxm1" { // it stands for several
			r.typedRune(c)
		}
		if r.typedRune('h'); !d.u.open["history"] {
			t.Error("a key of the window does nothing while the row is chosen")
		}
		r.key(fyne.KeyReturn)
		d.wait(time.Second)
		if cards() != 9 || r.selected != vm.FoldID(key) {
			t.Errorf("%d cards, chosen %q", cards(), r.selected)
		}
		r.key(fyne.KeyReturn)
		r.typedRune('d')
		d.settle()
		if cards() != 3 || r.view.Has(vm.FoldID(key)) || !strings.Contains(r.snack.Text(), "6 dismissed") {
			t.Errorf("%d cards; it says %q", cards(), r.snack.Text())
		}
		r.typedRune('u')
		d.settle()
		if !r.view.Has(vm.FoldID(key)) || len(r.view.Shown) != 9 {
			t.Errorf("it does not come back: %d", len(r.view.Shown))
		}
		if n := len(sent[notify.SetMuted](d.f)); n != 0 || len(r.feed.Marked) != 0 {
			t.Errorf("%d muted, %d marked", n, len(r.feed.Marked))
		}
		d.u.ShowItem(ids[0])
		d.wait(time.Second)
		if r.selected != ids[0] || !r.view.Has(ids[0]) {
			t.Errorf("chosen %q", r.selected)
		}
	})
}

// The menu of an agent dismisses, or marks as read, all that is known of it, where that is more than a few.
//
// Proves: D3, I7
func TestTheMenuSweepsAnAgent(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		menu := func() map[string]func() {
			r := d.u.rail
			r.sideMenu(vm.SideRow{Kind: vm.SideConnection, Ref: notify.SessionRef{Connection: "claude"}}, fyne.NewPos(40, 100))
			out := map[string]func(){}
			for _, i := range menuOf(r.win).Items() {
				out[i.Label] = i.Action
			}
			r.key(fyne.KeyEscape)
			return out
		}
		for i := range 3 {
			d.notice(fmt.Sprint("n", i))
		}
		r := d.show()
		if m := menu(); len(m) != 3 {
			t.Errorf("of three it offers %d lines", len(m))
		}
		last := d.notice("n3")
		d.wait(time.Second)
		m := menu()
		if m["Dismiss its 4 items"] == nil || m["Mark its 4 items as read"] == nil {
			t.Fatalf("it offers %v", m)
		}
		m["Mark its 4 items as read"]()
		d.wait(time.Second)
		if !d.record(last).Read {
			t.Error("not read")
		}
		d.question("Left?", nil)
		d.wait(time.Second)
		menu()["Dismiss its 4 items"]()
		d.settle()
		if n := len(r.view.Shown); n != 1 || r.snack.Text() != "4 dismissed · 1 left waiting for you" {
			t.Errorf("%d left; it says %q", n, r.snack.Text())
		}
	})
}
