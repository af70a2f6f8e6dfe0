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
