package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
)

// asksFor publishes a question under a key, so that another call is its next revision, with the same buttons.
func (d *desk) asksFor(command, comment string) string {
	in := &notify.Interaction{Kind: "permission", Prompt: "Run it?", Options: []notify.Option{
		{ID: "allow", Label: "Allow", Style: "primary", Comment: "none"}, {ID: "deny", Label: "Deny", Style: "danger", Comment: comment}}}
	return d.do(notify.Publish{Connection: "claude", Key: "k", Content: notify.Content{Kind: notify.KindInteraction,
		Title: "Wants to run a command", Body: "```\n" + command + "\n```", Interaction: in}}).Record.ID
}

// What is asked in the place of something else is not answered by a press that was meant for that, though its
// buttons are the same: on the card, in the detail, and by Return in the form.
//
// Proves: I4
func TestANewRevisionIsNotAnsweredByWhatWasMeantForTheOld(t *testing.T) {
	for _, c := range []struct {
		name, comment string
		before, press func(d *desk, r *railWindow, id string)
	}{
		{"the card", "none", func(*desk, *railWindow, string) {},
			func(d *desk, r *railWindow, id string) { test.Tap(button(d.t, r.feed.Card(id), "Allow")) }},
		{"the detail", "none", func(d *desk, r *railWindow, id string) { r.openDetail(id) },
			func(d *desk, r *railWindow, id string) { test.Tap(r.detail.pressed[0]) }},
		{"Return in the form", "optional", func(d *desk, r *railWindow, id string) { r.askForm(r.record(id), "deny", 0) },
			func(d *desk, r *railWindow, id string) { d.key(r, fyne.KeyReturn) }},
		{"the key of the form again", "optional", func(d *desk, r *railWindow, id string) { r.askForm(r.record(id), "deny", '2') },
			func(d *desk, r *railWindow, id string) { d.typeOn(r, "2") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDesk(t, Options{}, func(d *desk) {
				id := d.asksFor("ls", c.comment)
				r := d.show()
				c.before(d, r, id)
				d.wait(2 * time.Second)
				if d.asksFor("rm -rf .", c.comment) != id {
					t.Fatal("another item")
				}
				d.wait(200 * time.Millisecond)
				c.press(d, r, id)
				d.settle()
				if x := d.record(id); x.Revision != 2 || !x.Waiting() {
					t.Fatalf("revision %d: %+v", x.Revision, x.Outcome)
				}
				d.wait(time.Second)
				c.press(d, r, id)
				d.settle()
				if d.record(id).Waiting() {
					t.Error("it stays inert")
				}
			})
		})
	}
}

// The detail that is opened again, or shown again with its window, comes under the pointer as new: so do the cards.
//
// Proves: I4
func TestWhatIsShownAgainIsInert(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		id := d.question("Run it?", func(in *notify.Interaction) { in.Options[1].Comment = "optional" })
		r := d.show()
		r.openNext()
		d.wait(2 * time.Second)
		if !r.detail.open() || r.detail.pressed[0].Inert() {
			t.Fatal("the detail is not there, or still inert")
		}
		r.detail.close()
		d.wait(5 * time.Second)
		r.openDetail(id)
		d.settle()
		if !r.detail.pressed[0].Inert() {
			t.Error("the detail is live at once when opened again")
		}
		d.wait(2 * time.Second)
		r.hide()
		d.wait(time.Minute)
		d.u.Show()
		d.settle()
		if !button(t, r.feed.Card(id), "Allow").Inert() || !r.detail.pressed[0].Inert() {
			t.Error("live at once in a window that is shown again")
		}
		d.wait(2 * time.Second)
		r.askForm(r.record(id), "deny", '2')
		d.settle()
		d.wait(2 * time.Second)
		r.hide()
		d.wait(time.Minute)
		d.u.Show()
		d.settle()
		d.typeOn(r, "2")
		if !d.record(id).Waiting() {
			t.Error("the form is live at once in a window that is shown again")
		}
	})
}

// An answer goes once, however often its button is pressed, and closes no form but its own; one that its producer
// refused can be given again.
//
// Proves: I3, I4
func TestAnAnswerGoesOnce(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.question("A?", nil)
		b := d.question("B?", func(in *notify.Interaction) { in.Options[1].Comment = "optional" })
		r := d.show()
		d.wait(2 * time.Second)
		allow := button(t, r.feed.Card(a), "Allow")
		test.Tap(allow)
		test.Tap(allow)
		r.askForm(r.record(b), "deny", 0)
		d.settle()
		test.Tap(allow) // the card is still there: no refresh came yet
		d.settle()
		if got := sent[notify.AnswerOp](d.f); len(got) != 1 {
			t.Errorf("sent %d times", len(got))
		}
		if r.form == nil || r.formFor != b {
			t.Errorf("the form of another item was closed: %q", r.formFor)
		}
		r.closeForm()
		d.do(notify.RejectAnswer{ID: a, Reason: "Not on a Friday."})
		d.wait(2 * time.Second)
		if !d.record(a).Waiting() {
			t.Fatal("it is not pending again")
		}
		test.Tap(button(t, r.feed.Card(a), "Allow"))
		d.settle()
		if got := sent[notify.AnswerOp](d.f); len(got) != 2 {
			t.Errorf("after it was refused: sent %d times", len(got))
		}
	})
}

// An answer that failed can be given again.
func TestAnAnswerThatFailedCanBeGivenAgain(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.question("A?", nil)
		r := d.show()
		d.wait(2 * time.Second)
		d.f.mu.Lock()
		d.f.fail = func(op notify.Op) error {
			if _, ok := op.(notify.AnswerOp); ok {
				return notify.Errorf(notify.CodeUnavailable, "Not now.")
			}
			return nil
		}
		d.f.mu.Unlock()
		test.Tap(button(t, r.feed.Card(a), "Allow"))
		d.wait(time.Second)
		d.f.mu.Lock()
		d.f.fail = nil
		d.f.mu.Unlock()
		test.Tap(button(t, r.feed.Card(a), "Allow"))
		d.wait(time.Second)
		if d.record(a).Waiting() {
			t.Error("it cannot be answered any more")
		}
	})
}

// What is dismissed in the rail can be undone for as long as it says so, whatever other window closes.
func TestClosingAnotherWindowLeavesTheUndo(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		id := d.notice("n")
		r := d.show()
		d.u.ShowSettings()
		d.wait(time.Second)
		r.dismiss(id)
		d.wait(time.Second)
		d.u.sets.hide()
		d.wait(100 * time.Millisecond)
		r.undo([]string{id})
		d.wait(10 * time.Second)
		if x := d.record(id); x.Status != notify.Pending {
			t.Errorf("it is %s", x.Status)
		}
	})
}

// A key before the first picture does nothing.
func TestKeysBeforeTheFirstPicture(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.u.Show()
		d.mu.Lock()
		work := d.work
		d.work = nil
		d.mu.Unlock()
		work[0]()
		if d.u.snap != nil || d.u.rail == nil {
			t.Fatal("the picture was there at once, or no window")
		}
		for _, k := range "123456789jkduasxmh/?" {
			if k != 'h' {
				d.u.rail.typedRune(k)
			}
		}
		for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyUp, fyne.KeyReturn, fyne.KeyDelete, fyne.KeyEnd, fyne.KeyPageDown, fyne.KeyEscape, fyne.KeyEscape} {
			d.u.rail.typedKey(&fyne.KeyEvent{Name: k})
		}
	})
}
