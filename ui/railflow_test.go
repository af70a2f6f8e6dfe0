package ui

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// The keys choose and read, and open nothing; where the detail is open, it follows.
//
// Proves: A7
func TestTheKeysOpenNothing(t *testing.T) {
	for _, width := range []float32{380, 900, 1300} {
		onDesk(t, Options{}, func(d *desk) {
			a, b := d.notice("a"), d.notice("b")
			r := d.show()
			r.win.Resize(fyne.NewSize(width, 700))
			d.settle()
			r.typedRune('j')
			d.wait(time.Second)
			first := r.selected
			if r.detail.open() || first != a && first != b || !d.record(first).Read {
				t.Errorf("%v: open %v, selected %q", width, r.detail.open(), first)
			}
			r.key(fyne.KeyReturn)
			d.wait(time.Second)
			if r.detail.id != first {
				t.Errorf("%v: Return opens %q", width, r.detail.id)
			}
			r.typedRune('j')
			d.wait(time.Second)
			if r.selected == first || r.detail.id != r.selected {
				t.Errorf("%v: chosen %q, open %q", width, r.selected, r.detail.id)
			}
		})
	}
}

// n goes round all that waits, the longest waiting first, in whatever session or place it is; what is set aside and what was
// answered a moment ago is passed over.
//
// Proves: P6, I7
func TestNGoesToWhatWaitsNext(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		r := d.show()
		r.typedRune('n')
		if got := r.snack.Text(); got != d.u.t("next.none") {
			t.Errorf("it says %q", got)
		}
		var want []string
		for _, s := range []string{"s", "s2", "", "s3"} {
			id := ""
			if s == "" {
				id = d.question("Of the app?", nil)
			} else {
				id = d.ask(s, "Of "+s+"?")
			}
			want = append(want, id)
			d.wait(time.Second)
		}
		d.do(notify.SetAside{ID: d.ask("s3", "Aside?")})
		d.wait(time.Second)
		r.tabs.OnChoose(notify.Place{Kind: notify.PlaceErrors})
		for i := range 6 {
			r.typedRune('n')
			d.wait(time.Second)
			if id := want[i%4]; r.selected != id || r.feed.Card(id) == nil {
				t.Errorf("%d: chosen %q, want %q", i, r.selected, id)
			}
		}
		r.answer(r.record(r.selected), notify.Answer{Option: "allow"})
		r.typedRune('n')
		d.wait(time.Second)
		if r.selected != want[2] {
			t.Errorf("chosen %q, want %q", r.selected, want[2])
		}
	})
}

// After an answer the choice is on what waits next in view, inert for a moment; the detail follows if it is open. Where
// nothing waits in view, nothing is chosen or open, and what waits elsewhere is a click away.
//
// Proves: I4
func TestAnAnswerGoesOnToWhatWaitsNext(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		first, second := d.ask("s", "First?"), d.ask("s", "Second?")
		d.wait(time.Second)
		other := d.ask("s2", "Elsewhere?")
		d.notice("a")
		d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
		r := d.show()
		r.openNext()
		d.wait(time.Second)
		if r.selected != first {
			t.Fatalf("chosen %q", r.selected)
		}
		r.typedRune('2')
		d.settle()
		r.typedRune('2') // a key pressed once too often
		d.wait(100 * time.Millisecond)
		if r.selected != second || r.detail.id != second || len(sent[notify.AnswerOp](d.f)) != 1 {
			t.Errorf("chosen %q, open %q, %d answers", r.selected, r.detail.id, len(sent[notify.AnswerOp](d.f)))
		}
		d.wait(widgets.InertFor)
		r.typedRune('2')
		d.wait(100 * time.Millisecond)
		if r.selected != "" || r.detail.open() {
			t.Errorf("chosen %q, open %q", r.selected, r.detail.id)
		}
		if got := r.snack.Text(); !strings.Contains(got, "Elsewhere?") || !strings.Contains(got, "s2") {
			t.Errorf("it says %q", got)
		}
		r.snack.Act()
		d.wait(time.Second)
		if r.selected != other || d.f.Settings().Focus.Session != "s2" {
			t.Errorf("chosen %q, focus %+v", r.selected, d.f.Settings().Focus)
		}
	})
}

// An owner who went on alone is left alone.
func TestAnAnswerMovesNothingThatTheOwnerChose(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("One?", nil)
		d.question("Two?", nil)
		n := d.notice("a")
		r := d.show()
		d.wait(widgets.InertFor)
		r.press(q, vm.ButtonsOf(d.record(q))[0])
		r.feed.OnSelect(n)
		r.feed.Choose(n)
		d.wait(time.Second)
		if r.selected != n || r.detail.id != n {
			t.Errorf("chosen %q, open %q", r.selected, r.detail.id)
		}
	})
}
