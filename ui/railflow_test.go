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
			if moved := r.selected != first; moved == r.layout.railHidden() || r.detail.id != r.selected {
				t.Errorf("%v: chosen %q, open %q", width, r.selected, r.detail.id)
			}
		})
	}
}

// Where the detail covers the list no choice moves that nobody sees: what would move it scrolls, and the keys are those of what
// is shown.
//
// Proves: A7
func TestKeysActOnWhatCoversTheList(t *testing.T) {
	for _, width := range []float32{380, 900} {
		for _, keys := range [][2]func(*railWindow){
			{func(r *railWindow) { r.typedRune('j') }, func(r *railWindow) { r.typedRune('k') }},
			{func(r *railWindow) { r.key(fyne.KeyDown) }, func(r *railWindow) { r.key(fyne.KeyUp) }},
			{func(r *railWindow) { r.feed.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown}) }, func(r *railWindow) { r.feed.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp}) }},
		} {
			onDesk(t, Options{}, func(d *desk) {
				q := d.plan()
				d.ask("s2", "Elsewhere?")
				r := d.show()
				r.win.Resize(fyne.NewSize(width, 700))
				d.wait(time.Second)
				r.readAll(q)
				d.wait(time.Second)
				if !r.layout.railHidden() {
					t.Errorf("%v: the list is in view", width)
				}
				keys[0](r)
				keys[0](r)
				down := r.detail.view.Pane.Offset()
				keys[1](r)
				if up := r.detail.view.Pane.Offset(); down <= 0 || down > 200 || up <= 0 || up >= down {
					t.Errorf("%v: scrolled down to %v, then up to %v", width, down, up)
				}
				if r.selected != q || r.detail.id != q || r.detail.pressed[0].Key != "1" {
					t.Errorf("%v: chosen %q, open %q, the key %q", width, r.selected, r.detail.id, r.detail.pressed[0].Key)
				}
			})
		}
	}
}

// What is read at full height is what the keys are of, also where a line behind it was chosen before.
//
// Proves: A7, I7
func TestKeysOfWhatCoversTheListWhereALineWasChosen(t *testing.T) {
	for name, c := range map[string]struct {
		press func(*desk, *railWindow)
		is    func(*desk, *railWindow, string) bool
	}{
		"1": {func(d *desk, r *railWindow) { r.typedRune('1') }, func(d *desk, r *railWindow, q string) bool { return d.u.memory.Armed.ID == q }},
		"x": {func(d *desk, r *railWindow) { r.typedRune('x') }, func(d *desk, r *railWindow, q string) bool { return r.feed.Marked[q] }},
		"d": {func(d *desk, r *railWindow) { r.typedRune('d') }, func(d *desk, r *railWindow, q string) bool { return d.record(q).SetAsideAt(time.Now()) }},
		"s": {func(d *desk, r *railWindow) { r.typedRune('s') }, func(d *desk, r *railWindow, q string) bool {
			m, ok := r.win.Canvas().Overlays().Top().(*widgets.Menu)
			if ok {
				m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
				m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
				d.wait(time.Second)
			}
			return d.record(q).SetAsideAt(time.Now())
		}},
		"Esc": {func(d *desk, r *railWindow) { r.key(fyne.KeyEscape); r.key(fyne.KeyEscape) }, func(d *desk, r *railWindow, q string) bool {
			return d.record(q).SetAsideAt(time.Now())
		}},
	} {
		onDesk(t, Options{}, func(d *desk) {
			q, other := d.plan(), d.ask("s2", "Elsewhere?")
			r := d.show()
			r.win.Resize(fyne.NewSize(900, 700))
			d.wait(time.Second)
			r.selectItem(q)
			d.wait(time.Second)
			r.pick(linePrefix + other)
			r.detail.full = true
			r.detail.draw()
			r.layout.again()
			d.wait(time.Second)
			if r.detail.id != q || !r.layout.railHidden() || r.detail.pressed[0].Key != "1" {
				t.Errorf("%s: open %q, the key %q", name, r.detail.id, r.detail.pressed[0].Key)
			}
			c.press(d, r)
			d.wait(time.Second)
			if !c.is(d, r, q) || d.record(other).SetAsideAt(time.Now()) {
				t.Errorf("%s acts on another one: chosen %q", name, r.selected)
			}
		})
	}
}

// What is dismissed while it covers the list leaves the list in view where the choice goes to a line.
//
// Proves: D3
func TestWhatIsDismissedCoversTheListNoMore(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		id := d.notice("a")
		d.ask("s2", "Elsewhere?")
		r := d.show()
		r.win.Resize(fyne.NewSize(900, 700))
		d.wait(time.Second)
		r.readAll(id)
		d.wait(time.Second)
		r.typedRune('d')
		d.wait(time.Second)
		if r.line() == nil || r.layout.railHidden() {
			t.Errorf("chosen %q, open %q", r.selected, r.detail.id)
		}
	})
}

// n goes round all that waits, the longest waiting first, in whatever session or place it is, and last to what is set aside;
// what was answered a moment ago is passed over.
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
		aside := d.ask("s3", "Aside?")
		d.do(notify.SetAside{ID: aside})
		d.wait(time.Second)
		want = append(want, aside)
		r.tabs.OnChoose(notify.Place{Kind: notify.PlaceErrors})
		for i := range 7 {
			r.typedRune('n')
			d.wait(time.Second)
			if id := want[i%5]; r.selected != id || r.feed.Card(id) == nil {
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

// Nothing else waits only where nothing is set aside either.
//
// Proves: I7
func TestNGoesToWhatIsSetAside(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.ask("s", "Aside?")
		r := d.show()
		r.focus(notify.SessionRef{Connection: "claude", Session: "s"})
		d.wait(time.Second)
		r.key(fyne.KeyEscape)
		d.wait(time.Second)
		if r.selected != "" || !d.record(q).SetAsideAt(time.Now()) {
			t.Errorf("chosen %q", r.selected)
		}
		r.typedRune('n')
		d.wait(time.Second)
		if r.selected != q || r.snack.Text() == d.u.t("next.none") {
			t.Errorf("chosen %q, it says %q", r.selected, r.snack.Text())
		}
		r.typedRune('n')
		if got := r.snack.Text(); got != d.u.t("next.none") {
			t.Errorf("it says %q", got)
		}
	})
}

// n leaves the tab only where what it goes to is not in it.
//
// Proves: P5
func TestNKeepsTheTab(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.question("Of the app?", nil)
		d.wait(time.Second)
		far := d.ask("s2", "Elsewhere?")
		r := d.show()
		for place, kept := range map[notify.PlaceKind]bool{notify.PlaceWaiting: true, notify.PlaceErrors: false} {
			r.focus(notify.SessionRef{Connection: "claude", Session: "s"})
			d.wait(time.Second)
			r.choose("")
			r.tabs.OnChoose(notify.Place{Kind: place})
			for range 3 {
				r.typedRune('n')
				d.wait(time.Second)
				if r.selected == far {
					break
				}
			}
			if got := r.filter.Place.Kind == place; got != kept || r.selected != far || r.feed.Card(far) == nil {
				t.Errorf("%s: the tab is %q, chosen %q", place, r.filter.Place.Kind, r.selected)
			}
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
