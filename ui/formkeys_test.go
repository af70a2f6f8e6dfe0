package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// press presses a key and lets go of it; held: it is repeated meanwhile.
func (d *desk) press(r *railWindow, k fyne.KeyName, held bool) {
	e := &fyne.KeyEvent{Name: k}
	if f := r.win.Canvas().Focused(); f == nil {
		r.keyDown(e)
	} else if f, ok := f.(desktop.Keyable); ok {
		f.KeyDown(e)
	}
	d.key(r, k)
	for range 20 {
		if held {
			d.key(r, k)
		}
	}
}

// twoQuestions publishes a form of two questions, and then one of them.
func (d *desk) twoQuestions(options ...notify.Option) string {
	return d.question("2 questions", func(in *notify.Interaction) {
		in.Kind, in.Options = "question", options
		in.Fields = []notify.Field{
			{ID: "db", Label: "Which database?", Type: notify.FieldChoice, Choices: []string{"Postgres, as it is", "SQLite, in a file", "None of them at all"}},
			{ID: "db-other", Label: "Something else", Type: notify.FieldText},
			{ID: "ui", Label: "Which parts?", Type: notify.FieldChoices, Choices: []string{"the long list of all", "the detail beside it"}}}
	})
}

// By keys, a form is gone through from question to question: a digit marks a row and the keyboard is there, Return on what is
// marked goes on and at the end sends, and lets go of nothing. A key that is held is one press. Numbers stand where they press
// something.
//
// Proves: I1
func TestAFormIsGoneThroughByKeys(t *testing.T) {
	send := notify.Option{ID: "send", Label: "Send"}
	for _, c := range []struct {
		name    string
		options []notify.Option
		do      func(d *desk, r *railWindow)
		db, ui  string
		sent    string
		numbers string
	}{
		{"the keyboard comes to the first question", []notify.Option{send}, func(*desk, *railWindow) {}, "", "", "", "123"},
		{"a digit has the keyboard, and Return goes on", []notify.Option{send}, func(d *desk, r *railWindow) {
			d.typeOn(r, "2")
			d.press(r, fyne.KeyReturn, false)
		}, "SQLite, in a file", "", "", "12"},
		{"Return on what is not marked marks it", []notify.Option{send}, func(d *desk, r *railWindow) {
			d.key(r, fyne.KeyDown)
			d.press(r, fyne.KeyReturn, true)
		}, "SQLite, in a file", "", "", "123"},
		{"a mouse has it too", []notify.Option{send}, func(d *desk, r *railWindow) {
			d.press(r, fyne.KeyTab, false)
			row := r.win.Canvas().Focused().(fyne.Tappable)
			r.win.Canvas().Unfocus()
			row.Tapped(&fyne.PointEvent{})
			d.press(r, fyne.KeyReturn, false)
		}, "SQLite, in a file", "", "", "12"},
		{"behind the last it sends", []notify.Option{send}, func(d *desk, r *railWindow) {
			d.typeOn(r, "2")
			d.press(r, fyne.KeyReturn, false)
			d.typeOn(r, "21")
			d.press(r, fyne.KeyReturn, false)
		}, "SQLite, in a file", "the long list of all\nthe detail beside it", "send", ""},
		{"a key that is held goes on once", []notify.Option{send}, func(d *desk, r *railWindow) {
			d.typeOn(r, "3")
			d.press(r, fyne.KeyReturn, true)
		}, "None of them at all", "", "", "12"},
		{"it comes back to what was marked", []notify.Option{send}, func(d *desk, r *railWindow) {
			d.typeOn(r, "3")
			d.press(r, fyne.KeyEscape, false)
			d.typeOn(r, "1")
			d.press(r, fyne.KeyReturn, false)
		}, "None of them at all", "", "", "12"},
		{"from what is written it goes on too", []notify.Option{send}, func(d *desk, r *railWindow) {
			for range 3 {
				d.press(r, fyne.KeyTab, false)
			}
			d.press(r, fyne.KeyReturn, true)
		}, "", "", "", "12"},
		{"Ctrl and Return send from a row", []notify.Option{send}, func(d *desk, r *railWindow) {
			d.typeOn(r, "1")
			d.press(r, desktop.KeyControlLeft, false)
			typeShortcut(r.win, fyne.KeyReturn)
		}, "Postgres, as it is", "", "send", ""},
		{"of several ways, one is chosen", []notify.Option{{ID: "yes", Label: "Yes"}, {ID: "no", Label: "No"}}, func(d *desk, r *railWindow) {
			d.typeOn(r, "1")
			d.press(r, desktop.KeyControlLeft, false)
			typeShortcut(r.win, fyne.KeyReturn)
			d.press(r, fyne.KeyReturn, false)
		}, "Postgres, as it is", "", "yes", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDesk(t, Options{}, func(d *desk) {
				q := d.twoQuestions(c.options...)
				r := d.show()
				d.wait(time.Second)
				r.openNext()
				d.wait(time.Second)
				numbers := func() (out string) {
					if r.form != nil {
						walk(r.form, func(o fyne.CanvasObject) {
							if x, ok := o.(*widgets.Text); ok && len(x.Content()) == 1 {
								out += x.Content()
							}
						})
					}
					return out
				}
				if got := numbers(); got != "" {
					t.Errorf("without the keyboard the numbers %q", got)
				}
				d.typeOn(r, "1")
				c.do(d, r)
				if got := numbers(); got != c.numbers && c.sent == "" {
					t.Errorf("the numbers %q, want %q", got, c.numbers)
				}
				d.wait(time.Second)
				if v := r.drafts[q].Values; v["db"] != c.db || v["ui"] != c.ui {
					t.Errorf("marked: %q", v)
				}
				got := ""
				if x := d.record(q); x.Outcome != nil {
					got = x.Outcome.Answer.Option
				}
				if got != c.sent {
					t.Errorf("sent %q, want %q", got, c.sent)
				}
			})
		})
	}
}

// An answer that a click gave goes on as one by key, where nothing else is read or written meanwhile.
//
// Proves: I4
func TestAClickGoesOnToo(t *testing.T) {
	for _, chosen := range []bool{false, true} {
		onDesk(t, Options{}, func(d *desk) {
			first, note := d.question("First?", nil), d.notice("a")
			d.wait(time.Second)
			second := d.question("Second?", nil)
			r := d.show()
			d.wait(time.Second)
			if chosen {
				r.typedRune('j')
				for r.selected != note {
					r.typedRune('j')
				}
			}
			test.Tap(button(t, r.feed.Card(first), "Allow"))
			d.wait(100 * time.Millisecond)
			if r.selected != second || r.detail.open() {
				t.Errorf("chosen %q, open %q", r.selected, r.detail.id)
			}
		})
	}
	onDesk(t, Options{}, func(d *desk) { // what is read stays
		first := d.question("First?", nil)
		note := d.notice("a")
		d.question("Second?", nil)
		r := d.show()
		r.openDetail(note)
		r.choose(note)
		d.wait(time.Second)
		r.press(first, vm.ButtonsOf(d.record(first))[0])
		d.wait(time.Second)
		if r.selected != note || r.detail.id != note {
			t.Errorf("chosen %q, open %q", r.selected, r.detail.id)
		}
	})
}

// What leads elsewhere goes when one is there.
func TestTheWayGoesWhenOneIsThere(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		first := d.ask("s", "First?")
		other := d.ask("s2", "Elsewhere?")
		d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
		r := d.show()
		d.wait(time.Second)
		r.choose(first)
		r.typedRune('2')
		d.wait(100 * time.Millisecond)
		if !r.snack.Visible() {
			t.Fatal("it leads nowhere")
		}
		r.typedRune('n')
		d.wait(100 * time.Millisecond)
		if r.selected != other || r.snack.Visible() {
			t.Errorf("chosen %q, it says %q", r.selected, r.snack.Text())
		}
	})
}
