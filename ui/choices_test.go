package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
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
		for range 3 { // the keyboard is where the number was pressed
			d.key(r, fyne.KeyTab)
		}
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

// An answer that the agent refuses is gone on with, and is not answered at two places at once: the detail has no second button for
// what is being answered on the card.
//
// Proves: I3
func TestARefusedAnswerIsGoneOnWith(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Which?", func(in *notify.Interaction) {
			in.Options = []notify.Option{{ID: "send", Label: "Send"}}
			in.Fields = []notify.Field{{ID: "one", Label: "One", Type: notify.FieldChoice, Choices: []string{"a", "b"}}, {ID: "why", Label: "Why", Type: notify.FieldText}}
		})
		r := d.show()
		answers := func() (n int) {
			for _, b := range within[*widgets.Button](r.detail.foot) {
				if b.Label == d.u.t("card.answer") {
					n++
				}
			}
			return n
		}
		r.openNext()
		d.wait(time.Second)
		if r.formFor != q || !r.detail.open() || answers() != 0 {
			t.Errorf("form of %q, detail open %v, %d times offered", r.formFor, r.detail.open(), answers())
		}
		r.form.OnChange(vm.Draft{Values: map[string]string{"one": "b", "why": "it is smaller"}})
		r.closeForm()
		d.settle()
		if answers() != 1 {
			t.Errorf("with the form closed it is offered %d times", answers())
		}
		r.askForm(r.record(q), "", 0)
		draft := r.drafts[q]
		draft.Option = "send"
		r.form.OnSend(draft)
		d.wait(2 * time.Second)
		if d.record(q).Outcome == nil || r.formFor != "" {
			t.Fatalf("not answered; form of %q", r.formFor)
		}
		d.do(notify.RejectAnswer{ID: q, Reason: "Say more."})
		d.wait(time.Second)
		r.askForm(r.record(q), "", 0)
		if v := r.drafts[q].Values; v["one"] != "b" || v["why"] != "it is smaller" {
			t.Errorf("it begins with %v", v)
		}
	})
}
