package ui

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/widgets"
)

// No leave is given to what a card had to cut, by a key or the mouse, with a comment or without: it is opened first. A refusal needs
// no reading.
//
// Proves: I4
func TestNoLeaveForWhatWasNotShown(t *testing.T) {
	long := "```\n" + strings.Repeat("kubectl apply\n", 60) + "rm -rf /var/lib/important\n```"
	for _, c := range []struct {
		name, body, comment string
		do                  func(d *desk, r *railWindow)
		opens               bool
		want                string
	}{
		{"a key", long, "none", func(d *desk, r *railWindow) { d.typeOn(r, "11") }, true, ""},
		{"a click", long, "none", func(d *desk, r *railWindow) { test.Tap(button(d.t, r.feed.Card(r.selected), "Allow")) }, true, ""},
		{"a key, with a comment", long, "optional", func(d *desk, r *railWindow) { d.typeOn(r, "1") }, true, ""},
		{"a key, and once more when it was read", long, "none", func(d *desk, r *railWindow) {
			d.typeOn(r, "1")
			d.wait(time.Second)
			d.typeOn(r, "11")
		}, true, "allow"},
		{"a refusal", long, "none", func(d *desk, r *railWindow) { d.typeOn(r, "2") }, false, "deny"},
		{"all in view", "```\nls\n```", "none", func(d *desk, r *railWindow) { d.typeOn(r, "11") }, false, "allow"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onDesk(t, Options{}, func(d *desk) {
				q := d.do(notify.Publish{Connection: "claude", Content: notify.Content{Kind: notify.KindInteraction, Title: "Run it?", Body: c.body,
					Interaction: &notify.Interaction{Kind: "permission", Prompt: "Run it?", Options: []notify.Option{{ID: "allow", Label: "Allow", Comment: c.comment}, {ID: "deny", Label: "Deny"}}}}}).Record.ID
				r := d.show()
				r.win.Resize(fyne.NewSize(900, 900))
				r.typedRune('j')
				d.wait(time.Second)
				if c.comment != "none" {
					if b := r.feed.Card(q).Buttons()[0]; b.Label != "Allow…" {
						t.Fatalf("the button is %q", b.Label)
					}
				}
				c.do(d, r)
				d.wait(100 * time.Millisecond)
				x := d.record(q)
				if got := x.Outcome; got == nil && c.want != "" || got != nil && got.Answer.Option != c.want {
					t.Errorf("outcome %+v, want %q", got, c.want)
				}
				if open := r.detail.open() && r.detail.full; open != c.opens && c.want == "" || r.formFor != "" {
					t.Errorf("open %v, form %q", open, r.formFor)
				}
			})
		})
	}
}

// What its producer calls dangerous takes a second press, of the mouse too, which a double click is not; on a card, in the detail
// and in a form. A refusal is never dangerous, and a comment is asked for anyway.
//
// Proves: I4
func TestWhatIsDangerousTakesTwoPresses(t *testing.T) {
	options := func(in *notify.Interaction) {
		in.Kind = "question"
		in.Options = []notify.Option{{ID: "wait", Label: "Wait"}, {ID: "force", Label: "Deploy without tests", Style: "danger"}, {ID: "deny", Label: "Deny", Style: "danger"}}
	}
	for _, c := range []struct {
		name string
		form bool
		do   func(d *desk, r *railWindow, press func(string))
		want string
	}{
		{"one click", false, func(d *desk, r *railWindow, press func(string)) { press("Deploy without tests") }, ""},
		{"a double click", false, func(d *desk, r *railWindow, press func(string)) {
			press("Deploy without tests")
			d.wait(200 * time.Millisecond)
			press("Deploy without tests")
		}, ""},
		{"two clicks", false, func(d *desk, r *railWindow, press func(string)) {
			press("Deploy without tests")
			d.wait(time.Second)
			press("Deploy without tests")
		}, "force"},
		{"two clicks, the second too late", false, func(d *desk, r *railWindow, press func(string)) {
			press("Deploy without tests")
			d.wait(2*armedFor + time.Second)
			press("Deploy without tests")
		}, ""},
		{"another one after it", false, func(d *desk, r *railWindow, press func(string)) {
			press("Deploy without tests")
			d.wait(time.Second)
			press("Wait")
		}, "wait"},
		{"a key", false, func(d *desk, r *railWindow, _ func(string)) { d.typeOn(r, "2") }, ""},
		{"a key and Return", false, func(d *desk, r *railWindow, _ func(string)) {
			d.typeOn(r, "2")
			d.wait(time.Second)
			d.key(r, fyne.KeyReturn)
		}, "force"},
		{"a click and Return at once", false, func(d *desk, r *railWindow, press func(string)) {
			press("Deploy without tests")
			d.key(r, fyne.KeyReturn)
		}, ""},
		{"a click and Return", false, func(d *desk, r *railWindow, press func(string)) {
			press("Deploy without tests")
			d.wait(time.Second)
			d.key(r, fyne.KeyReturn)
		}, "force"},
		{"a refusal", false, func(d *desk, r *railWindow, press func(string)) { press("Deny") }, "deny"},
		{"one click in a form", true, func(d *desk, r *railWindow, press func(string)) { press("Deploy without tests") }, ""},
		{"a double click in a form", true, func(d *desk, r *railWindow, press func(string)) {
			press("Deploy without tests")
			press("Deploy without tests")
		}, ""},
		{"two clicks in a form", true, func(d *desk, r *railWindow, press func(string)) {
			press("Deploy without tests")
			d.wait(time.Second)
			press("Deploy without tests")
		}, "force"},
	} {
		for _, where := range []string{"card", "detail"} {
			t.Run(c.name+" on the "+where, func(t *testing.T) {
				onDesk(t, Options{}, func(d *desk) {
					q := d.question("Deploy?", func(in *notify.Interaction) {
						options(in)
						if c.form {
							in.Fields = []notify.Field{{ID: "to", Type: notify.FieldText}}
						}
					})
					r := d.show()
					r.openNext()
					if where == "card" {
						r.detail.close()
					} else {
						r.detail.full = true
					}
					r.layout.again()
					if c.form {
						r.askForm(r.record(q), "", 0)
					}
					d.wait(time.Second)
					c.do(d, r, func(label string) {
						for _, b := range append(within[*widgets.Press](r.win.Content()), presses(within[*widgets.Button](r.win.Content()))...) {
							if b.Label == label && b.Visible() {
								test.Tap(b)
								break
							}
						}
						d.settle()
					})
					d.settle()
					x := d.record(q)
					if got := x.Outcome; got == nil && c.want != "" || got != nil && got.Answer.Option != c.want {
						t.Errorf("outcome %+v, want %q", got, c.want)
					}
				})
			})
		}
	}
}

func presses(list []*widgets.Button) (out []*widgets.Press) {
	for _, b := range list {
		out = append(out, &b.Press)
	}
	return out
}
