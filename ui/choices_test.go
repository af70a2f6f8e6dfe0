package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
)

// Choices are rows: one of them by a click, its number, or the arrows and Space; of several each by itself. What is chosen once
// more is let go of.
//
// Proves: I1
func TestChoicesAreRows(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Which?", func(in *notify.Interaction) {
			in.Kind, in.Options = "question", []notify.Option{{ID: "send", Label: "Send"}}
			in.Fields = []notify.Field{{ID: "one", Label: "One", Type: notify.FieldChoice, Choices: []string{"the first", "the second", "the third of them all"}},
				{ID: "some", Label: "Some", Type: notify.FieldChoices, Choices: []string{"a long name", "a longer name", "the longest name"}}}
		})
		r := d.show()
		r.askForm(r.record(q), "", 0)
		d.wait(time.Second)
		values := func() string { v := r.drafts[q].Values; return v["one"] + "|" + v["some"] }
		want := func(what, want string) {
			t.Helper()
			if got := values(); got != want {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		d.typeOn(r, "2")
		want("a number", "the second|")
		d.key(r, fyne.KeyDown)
		d.key(r, fyne.KeyDown)
		d.key(r, fyne.KeySpace)
		want("arrows and Space", "the third of them all|")
		d.key(r, fyne.KeySpace)
		want("the same once more", "|")
		d.typeOn(r, "1")
		d.key(r, fyne.KeyTab)
		d.typeOn(r, "31")
		want("several", "the first|a long name\nthe longest name")
		d.typeOn(r, "3")
		want("one of them once more", "the first|a long name")
		r.form.OnSend(r.drafts[q])
		d.wait(time.Second)
		x := d.record(q)
		if x.Outcome != nil {
			t.Fatalf("sent without an option: %+v", x.Outcome)
		}
		draft := r.drafts[q]
		draft.Option = "send"
		r.form.OnSend(draft)
		d.wait(time.Second)
		if x := d.record(q); x.Outcome == nil || string(x.Outcome.Answer.Fields["one"]) != `"the first"` || string(x.Outcome.Answer.Fields["some"]) != `["a long name"]` {
			t.Errorf("outcome %+v", x.Outcome)
		}
	})
}
