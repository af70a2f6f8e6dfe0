package ui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// plan publishes a long plan whose refusal takes a comment.
func (d *desk) plan() string {
	return d.do(notify.Publish{Connection: "claude", Content: notify.Content{Kind: notify.KindInteraction, Title: "A long plan",
		Body: strings.Repeat("## Step\n\nDo this, then that.\n\n", 60),
		Interaction: &notify.Interaction{Kind: "plan_approval", Prompt: "Is this the plan?", Options: []notify.Option{
			{ID: "yes", Label: "Approve", Style: "primary"}, {ID: "keep", Label: "Keep planning", Comment: "optional"}}}}}).Record.ID
}

// typeOn types letters as the window gets them: to what has the keyboard, else to the window. Each key is let go of.
func (d *desk) typeOn(r *railWindow, s string) {
	for _, x := range s {
		d.hold(r, x)
		if f := r.win.Canvas().Focused(); f == nil {
			r.keyUp(&fyne.KeyEvent{})
		} else if f, ok := f.(desktop.Keyable); ok {
			f.KeyUp(&fyne.KeyEvent{})
		}
	}
	d.settle()
}

// hold types the letter of a key that is not let go of.
func (d *desk) hold(r *railWindow, x rune) {
	if f := r.win.Canvas().Focused(); f != nil {
		f.TypedRune(x)
	} else {
		r.win.Canvas().OnTypedRune()(x)
	}
	d.settle()
}

func (d *desk) key(r *railWindow, k fyne.KeyName) {
	c := r.win.Canvas()
	if f := c.Focused(); f != nil {
		f.TypedKey(&fyne.KeyEvent{Name: k})
	} else {
		c.OnTypedKey()(&fyne.KeyEvent{Name: k})
	}
	d.settle()
}

// An option that takes a comment offers it before it answers; what is typed then is the comment, and no shortcut.
//
// Proves: I1
func TestACommentIsOfferedBeforeTheAnswer(t *testing.T) {
	deny := func(in *notify.Interaction) { in.Options[1].Comment = "optional" }
	for _, c := range []struct {
		name    string
		do      func(d *desk, r *railWindow)
		comment string
		open    bool // nothing is sent, and it asks
	}{
		{"one press only asks", func(d *desk, r *railWindow) {}, "", true},
		{"letters are the comment", func(d *desk, r *railWindow) { d.typeOn(r, "dash 23"); d.key(r, fyne.KeyReturn) }, "dash 23", false},
		{"Return alone", func(d *desk, r *railWindow) { d.key(r, fyne.KeyReturn) }, "", false},
		{"the same key again", func(d *desk, r *railWindow) { d.wait(time.Second); d.typeOn(r, "2") }, "", false},
		{"letters without the keyboard", func(d *desk, r *railWindow) {
			r.win.Canvas().Unfocus()
			d.typeOn(r, "dash")
			d.key(r, fyne.KeyReturn)
		}, "dash", false},
		{"Esc goes back", func(d *desk, r *railWindow) { d.key(r, fyne.KeyEscape) }, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDesk(t, Options{}, func(d *desk) {
				q := d.question("Run it?", deny)
				r := d.show()
				r.openNext()
				d.wait(time.Second)
				d.typeOn(r, "2")
				if x := d.record(q); !x.Waiting() || r.form == nil || !r.form.Comments() {
					t.Fatalf("it is %s, the form is open: %v", x.Status, r.form != nil)
				}
				c.do(d, r)
				d.wait(100 * time.Millisecond)
				x := d.record(q)
				switch {
				case c.open:
					if !x.Waiting() || r.form == nil {
						t.Errorf("it is %s, the form is open: %v", x.Status, r.form != nil)
					}
				case c.name == "Esc goes back":
					if !x.Waiting() || r.form != nil || x.SetAsideAt(time.Now()) {
						t.Errorf("it is %s, the form is open: %v", x.Status, r.form != nil)
					}
				case r.win.Canvas().Focused() != nil:
					t.Errorf("%T keeps the keyboard", r.win.Canvas().Focused())
				case x.Outcome == nil || x.Outcome.Answer.Option != "deny" || x.Outcome.Answer.Comment != c.comment:
					t.Errorf("outcome %+v", x.Outcome)
				}
			})
		})
	}
}

// A form that a key opened has the keyboard in its first field, behind what is there, whatever window came last. While
// it is open no letter is a shortcut, Tab goes round in it, and Escape closes it.
func TestAFormHasTheKeyboard(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Which release?", func(in *notify.Interaction) {
			in.Fields = []notify.Field{{ID: "version", Label: "version", Type: notify.FieldText, Default: []byte(`"2.4."`)},
				{ID: "channel", Type: notify.FieldChoice, Choices: []string{"stable", "beta"}}, {ID: "tell", Type: notify.FieldBoolean},
				{ID: "where", Type: notify.FieldChoices, Choices: []string{"eu", "us"}}}
		})
		r := d.show()
		d.showHistory() // the toolkit may take another window for that of what was never drawn
		r.openNext()
		d.wait(time.Second)
		d.typeOn(r, "1")
		if r.form == nil || !r.form.Focused() {
			t.Fatalf("the form is open: %v; %T has the keyboard", r.form != nil, r.win.Canvas().Focused())
		}
		first := r.win.Canvas().Focused()
		d.typeOn(r, "1d")
		if v := r.drafts[q].Values["version"]; v != "2.4.1d" {
			t.Errorf("the field is %q", v)
		}
		seen := map[fyne.Focusable]bool{}
		for range 20 {
			if seen[r.win.Canvas().Focused()] {
				break
			}
			seen[r.win.Canvas().Focused()] = true
			d.key(r, fyne.KeyTab)
			if !r.form.Focused() {
				t.Fatalf("Tab goes out of the form to %T", r.win.Canvas().Focused())
			}
		}
		if len(seen) != 9 || r.win.Canvas().Focused() != first { // four fields, two of them two; two answers, and the way back
			t.Errorf("Tab reaches %d parts, and then %T", len(seen), r.win.Canvas().Focused())
		}
		r.win.Canvas().Unfocus()
		d.typeOn(r, "daxmuh?s/")
		d.key(r, fyne.KeyBackspace)
		if x := d.record(q); r.form == nil || !x.Waiting() || x.SetAsideAt(time.Now()) || len(r.feed.Marked) > 0 || d.u.dialog != nil || r.layout.searching {
			t.Error("a letter was a shortcut while the form is open")
		}
		r.form.Focus()
		for range len(seen) {
			d.key(r, fyne.KeyTab)
			d.key(r, fyne.KeyEscape)
			if r.form != nil || !d.record(q).Waiting() || d.record(q).SetAsideAt(time.Now()) {
				t.Fatal("Escape does not close the form, and it alone")
			}
			d.wait(time.Second)
			d.typeOn(r, "1")
		}
	})
}

// What is said lies on nothing: the cards or the text of the detail make room, whichever was there first, also of a form.
func TestWhatIsSaidLiesOnNothing(t *testing.T) {
	overlap := func(a, b fyne.CanvasObject, at fyne.Position) bool {
		p, s, q, z := a.Position(), a.Size(), b.Position().Add(at), b.Size()
		return z.Width > 0 && z.Height > 0 && p.X < q.X+z.Width && q.X < p.X+s.Width && p.Y < q.Y+z.Height && q.Y < p.Y+s.Height
	}
	states := map[string]func(*railWindow, string){
		"cards":          func(*railWindow, string) {},
		"detail":         func(r *railWindow, id string) { r.openDetail(id) },
		"full":           func(r *railWindow, id string) { r.openDetail(id); r.detail.full = true; r.layout.again() },
		"form":           func(r *railWindow, id string) { r.askForm(r.record(id), "", 0) },
		"form in detail": func(r *railWindow, id string) { r.openDetail(id); r.detail.press(vm.Button{Kind: vm.ButtonAnswer}) },
	}
	for _, size := range []fyne.Size{{Width: 380, Height: 700}, {Width: 900, Height: 640}, {Width: 1300, Height: 800}} {
		for name, state := range states {
			for _, first := range []bool{true, false} {
				t.Run(fmt.Sprint(name, " ", size.Width, " ", first), func(t *testing.T) {
					onDesk(t, Options{}, func(d *desk) {
						q := d.question("Which release?", func(in *notify.Interaction) {
							in.Fields = []notify.Field{{ID: "version", Type: notify.FieldText}, {ID: "to", Type: notify.FieldText}}
						})
						for i := range 20 {
							d.notice(fmt.Sprint("n", i))
						}
						r := d.show()
						r.win.Resize(size)
						if first {
							r.say("Dismissed", "Undo", func() {})
						}
						state(r, q)
						d.settle()
						if !first {
							r.say("Dismissed", "Undo", func() {})
						}
						d.settle()
						v := r.detail.view
						for _, o := range r.layout.c.Objects {
							if o == fyne.CanvasObject(r.feed) && overlap(r.snack, o, fyne.Position{}) {
								t.Error("it lies on the cards")
							}
							if o == fyne.CanvasObject(v) && (overlap(r.snack, v.Pane, v.Position()) || overlap(r.snack, v.Foot, v.Position())) {
								t.Errorf("it lies on the detail: %v %v", r.snack.Position(), v.Foot.Position())
							}
						}
						if s := r.snack; !s.Visible() || s.Position().Y+s.Size().Height > size.Height || s.Position().Y < size.Height/4 {
							t.Errorf("it is at %v", s.Position())
						}
						r.snack.Hide()
						r.layout.again()
						if gap := v.Size().Height - v.Pane.Size().Height - v.FootHeight(); r.detail.open() && gap > 1 {
							t.Errorf("a room of %v stays", gap)
						}
					})
				})
			}
		}
	}
}

// A comment that was begun is gone on with at its end.
func TestADraftIsGoneOnWithAtItsEnd(t *testing.T) {
	begun := strings.Repeat("use a feature flag instead of that\n", 3) + strings.Repeat("and then some more words ", 20)
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", func(in *notify.Interaction) { in.Options[1].Comment = "optional" })
		r := d.show()
		r.openNext()
		d.wait(time.Second)
		d.typeOn(r, "2")
		d.typeOn(r, begun[:40])
		d.key(r, fyne.KeyEscape)
		r.drafts[q] = vm.Draft{Option: "deny", Comment: begun}
		d.typeOn(r, "2")
		d.typeOn(r, "at last")
		d.key(r, fyne.KeyReturn)
		d.wait(time.Second)
		if x := d.record(q); x.Outcome == nil || x.Outcome.Answer.Comment != begun+"at last" {
			t.Errorf("outcome %+v", x.Outcome)
		}
	})
}

// However long a plan is, its answers are in view, and the keys that page scroll it; the selection stays.
func TestALongPlanIsReadAndAnsweredInTheDetail(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.plan()
		d.notice("another")
		r := d.show()
		r.openNext()
		d.wait(time.Second)
		if r.selected != q || len(r.detail.pressed) != 2 {
			t.Fatalf("selected %s, %d buttons", r.selected, len(r.detail.pressed))
		}
		at := d.app.Driver().AbsolutePositionForObject(r.detail.pressed[0])
		if h := r.win.Canvas().Size().Height; at.Y < h/2 || at.Y+r.detail.pressed[0].Size().Height > h {
			t.Errorf("the first answer is at %v of %v", at.Y, h)
		}
		pane := r.detail.view.Pane
		last := float32(0)
		for _, k := range []fyne.KeyName{fyne.KeyPageDown, fyne.KeySpace, fyne.KeyEnd} {
			d.key(r, k)
			if pane.Offset() <= last {
				t.Errorf("%s: at %v after %v", k, pane.Offset(), last)
			}
			last = pane.Offset()
		}
		d.key(r, fyne.KeyPageUp)
		if pane.Offset() >= last {
			t.Error("PageUp does not go back")
		}
		d.key(r, fyne.KeyHome)
		if pane.Offset() != 0 || r.selected != q {
			t.Errorf("at %v, selected %s", pane.Offset(), r.selected)
		}
		test.Tap(r.detail.pressed[1])
		d.settle()
		if r.form == nil || !r.detail.hasForm() {
			t.Fatal("the comment is not asked for where the button was pressed")
		}
		d.typeOn(r, "smaller steps")
		d.key(r, fyne.KeyReturn)
		d.wait(time.Second)
		if f := r.win.Canvas().Focused(); f != nil {
			t.Errorf("%T keeps the keyboard", f)
		}
		if x := d.record(q); x.Outcome == nil || x.Outcome.Answer.Comment != "smaller steps" {
			t.Errorf("outcome %+v", x.Outcome)
		}
	})
}

// One card for several fields has one button, which opens them; a lone option is no choice.
func TestAFormHasOneButton(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.do(notify.Publish{Connection: "claude", Content: notify.Content{Kind: notify.KindInteraction, Title: "Asks: Which board?",
			Body: "**Which board?**\n\n- Rev A: the old one\n\n**Which tests?**", Interaction: &notify.Interaction{Kind: "question", Prompt: "2 questions",
				Options: []notify.Option{{ID: "send", Label: "Send", Style: "primary"}}, Fields: []notify.Field{
					{ID: "a", Label: "Which board?", Type: notify.FieldChoice, Choices: []string{"Rev A", "Rev B"}}, {ID: "b", Label: "Which tests?", Type: notify.FieldText}}}}}).Record.ID
		r := d.show()
		card := r.feed.Card(q)
		if len(card.Buttons()) != 1 || card.Buttons()[0].Label != "Answer…" {
			t.Fatalf("%d buttons, %q", len(card.Buttons()), card.Buttons()[0].Label)
		}
		d.wait(time.Second)
		test.Tap(card.Buttons()[0])
		d.settle()
		if r.form == nil {
			t.Fatal("no form")
		}
		var labels []string
		walk(r.form, func(o fyne.CanvasObject) {
			if b, ok := o.(*widgets.Button); ok {
				labels = append(labels, b.Label)
			}
		})
		if got := strings.Join(labels, ","); got != "Send the answer,Cancel" {
			t.Errorf("the form has %s", got)
		}
	})
}

// Who runs through a list is not held up by what flies past: the detail shows the first and where it comes to rest.
func TestTheDetailWaitsUntilTheSelectionRests(t *testing.T) {
	looked := 0
	onDesk(t, Options{Deliveries: func(context.Context, string) ([]notify.Delivery, error) { looked++; return nil, nil }}, func(d *desk) {
		for i := range 12 {
			d.notice(fmt.Sprint("notice ", i))
		}
		r := d.show()
		first := ""
		for range 10 {
			r.openNext()
			d.settle()
			if first == "" {
				first = r.selected
			}
			if r.detail.id != first {
				t.Fatalf("%s flew past and was laid out", r.detail.id)
			}
			d.wait(30 * time.Millisecond)
		}
		d.wait(time.Second)
		if r.detail.id != r.selected || r.detail.rec.ID != r.selected {
			t.Errorf("the detail shows %s, selected is %s", r.detail.id, r.selected)
		}
		if looked > 4 { // each is read by being looked at, which changes it
			t.Errorf("the trace was looked up %d times", looked)
		}
	})
}

// walk visits an object and all within it.
func walk(o fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	visit(o)
	switch o := o.(type) {
	case *fyne.Container:
		for _, c := range o.Objects {
			walk(c, visit)
		}
	case fyne.Widget:
		for _, c := range test.WidgetRenderer(o).Objects() {
			walk(c, visit)
		}
	}
}
