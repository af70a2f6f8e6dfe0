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
