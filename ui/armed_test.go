package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/widgets"
)

// A key alone lets no agent go ahead: it says what it would do, and a second press, or Return, does it. What says no, a
// mouse, and what is asked without consequence answer at once.
//
// Proves: I4, I7
func TestAKeyThatGivesLeaveTakesTwoPresses(t *testing.T) {
	leave := func() []notify.Option {
		return []notify.Option{{ID: "allow", Label: "Allow"}, {ID: "deny", Label: "Deny"}}
	}
	twice := func(d *desk, r *railWindow) { d.typeOn(r, "1"); d.wait(time.Second); d.typeOn(r, "1") }
	for _, c := range []struct {
		name, kind string
		do         func(d *desk, r *railWindow)
		want       string // what was answered; empty: nothing
		says       bool   // what a second press would do is said at last
	}{
		{"one press", "permission", func(d *desk, r *railWindow) { d.typeOn(r, "1") }, "", true},
		{"one press of a plan", "plan_approval", func(d *desk, r *railWindow) { d.typeOn(r, "1") }, "", true},
		{"two presses", "permission", twice, "allow", false},
		{"two presses at once", "permission", func(d *desk, r *railWindow) { d.typeOn(r, "11") }, "allow", false},
		{"two presses of a plan", "plan_approval", twice, "allow", false},
		{"Return", "permission", func(d *desk, r *railWindow) { d.typeOn(r, "1"); d.key(r, fyne.KeyReturn) }, "allow", false},
		{"a key that is held", "permission", func(d *desk, r *railWindow) {
			for range 60 {
				d.hold(r, '1')
				d.wait(40 * time.Millisecond)
			}
		}, "", true},
		{"a key that is held while another is let go of", "permission", func(d *desk, r *railWindow) {
			r.feed.KeyDown(&fyne.KeyEvent{Name: fyne.KeyJ})
			r.feed.KeyDown(&fyne.KeyEvent{Name: fyne.Key1})
			d.hold(r, '1')
			r.feed.KeyUp(&fyne.KeyEvent{Name: fyne.KeyJ})
			d.wait(time.Second)
			d.hold(r, '1')
		}, "", true},
		{"a key that is let go of", "permission", func(d *desk, r *railWindow) {
			for range 2 {
				r.feed.KeyDown(&fyne.KeyEvent{Name: fyne.Key1})
				d.hold(r, '1')
				r.feed.KeyUp(&fyne.KeyEvent{Name: fyne.Key1})
			}
		}, "allow", false},
		{"a key that went down where something else had the keyboard", "permission", func(d *desk, r *railWindow) {
			r.feed.KeyDown(&fyne.KeyEvent{Name: fyne.KeyJ})
			r.feed.KeyUp(&fyne.KeyEvent{Name: fyne.KeyJ})
			d.hold(r, '1')
			r.keyUp(&fyne.KeyEvent{Name: fyne.Key1})
			d.hold(r, '1')
		}, "allow", false},
		{"too late", "permission", func(d *desk, r *railWindow) { d.typeOn(r, "1"); d.wait(armedFor); d.typeOn(r, "1") }, "", true},
		{"Return, too late", "permission", func(d *desk, r *railWindow) { d.typeOn(r, "1"); d.wait(armedFor); d.key(r, fyne.KeyReturn) }, "", false},
		{"Escape", "permission", func(d *desk, r *railWindow) { d.typeOn(r, "1"); d.key(r, fyne.KeyEscape); d.key(r, fyne.KeyReturn) }, "", false},
		{"a no", "permission", func(d *desk, r *railWindow) { d.typeOn(r, "2") }, "deny", false},
		{"a no after a yes", "permission", func(d *desk, r *railWindow) { d.typeOn(r, "12") }, "deny", false},
		{"a question", "question", func(d *desk, r *railWindow) { d.typeOn(r, "1") }, "allow", false},
		{"the mouse", "permission", func(d *desk, r *railWindow) { test.Tap(button(d.t, r.feed.Card(r.selected), "Allow")) }, "allow", false},
		{"the mouse after a key", "permission", func(d *desk, r *railWindow) {
			d.typeOn(r, "1")
			test.Tap(button(d.t, r.feed.Card(r.selected), "Allow"))
		}, "allow", false},
	} {
		for _, where := range []string{"card", "detail"} {
			if where == "detail" && strings.Contains(c.name, "mouse") {
				continue
			}
			t.Run(c.name+" on the "+where, func(t *testing.T) {
				onDesk(t, Options{}, func(d *desk) {
					q := d.question("Run it?", func(in *notify.Interaction) { in.Kind, in.Options = c.kind, leave() })
					r := d.show()
					r.openNext()
					if r.detail.full = where == "detail"; !r.detail.full {
						r.detail.close()
					}
					r.layout.again()
					d.wait(time.Second)
					if r.layout.railHidden() != (where == "detail") {
						t.Fatal("it is not where it should be")
					}
					c.do(d, r)
					d.settle()
					x := d.record(q)
					switch {
					case x.Outcome == nil && c.want != "" || x.Outcome != nil && x.Outcome.Answer.Option != c.want:
						t.Errorf("outcome %+v, want %q", x.Outcome, c.want)
					case x.SetAsideAt(time.Now()):
						t.Error("it was set aside")
					}
					d.wait(RefreshEvery)
					if got := says(r, "again, or Enter: Allow"); got != c.says {
						t.Errorf("it says what a second press would do: %v", got)
					}
				})
			})
		}
	}
}

// says reports whether a text is on the window.
func says(r *railWindow, text string) bool {
	return slices.ContainsFunc(within[*canvas.Text](r.win.Content()), func(t *canvas.Text) bool { return t.Visible() && strings.Contains(t.Text, text) })
}

// The second press is for what the first one was for.
//
// Proves: I4
func TestASecondPressIsForTheSameRevision(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		id := d.asksFor("ls", "none")
		r := d.show()
		r.openNext()
		d.wait(time.Second)
		d.typeOn(r, "1")
		d.asksFor("rm -rf .", "none")
		d.wait(time.Second)
		if says(r, "again, or Enter") {
			t.Error("the next revision is armed")
		}
		d.typeOn(r, "1")
		if !d.record(id).Waiting() {
			t.Fatal("the next revision was answered by one press")
		}
		other := d.question("Another?", nil)
		d.wait(RefreshEvery)
		r.feed.Choose(other)
		r.selectItem(other)
		d.wait(time.Second)
		d.typeOn(r, "1")
		if !d.record(id).Waiting() || !d.record(other).Waiting() {
			t.Error("a press on one item and one on another answered")
		}
	})
}

// The detail may be drawn of another revision than the one that the window has read: a digit that only it has presses nothing.
func TestADigitOfAnotherRevision(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("One?", nil)
		r := d.show()
		r.typedRune('j')
		r.openDetail(q)
		r.detail.full = true
		r.layout.again()
		d.wait(time.Second)
		for len(r.detail.pressed) < 9 {
			r.detail.pressed = append(r.detail.pressed, widgets.NewButton("More", widgets.Plain, func() { t.Error("pressed") }))
		}
		r.typedRune('9')
	})
}
