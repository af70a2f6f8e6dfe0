package ui

import (
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// What is put off, set aside or snoozed, alone or with others, goes from the front with the choice on the next, and comes back
// as it was: by the button or by u, for as long as it is said.
//
// Proves: I7
func TestWhatIsPutOffComesBack(t *testing.T) {
	for name, do := range map[string]func(*railWindow, string){
		"d":   func(r *railWindow, id string) { r.typedRune('d') },
		"a":   func(r *railWindow, id string) { r.typedRune('a') },
		"Esc": func(r *railWindow, id string) { r.key(fyne.KeyEscape) },
		"for a while": func(r *railWindow, id string) {
			r.snooze([]*notify.Record{r.record(id)}, vm.Snoozes(time.Now())[0])
		},
		"several": func(r *railWindow, id string) { r.setAside(id, r.view.Shown[1].ID) },
	} {
		for _, by := range []string{"u", "button"} {
			onDesk(t, Options{}, func(d *desk) {
				d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
				first, second := d.ask("s", "First?"), d.ask("s", "Second?")
				r := d.show()
				r.typedRune('j')
				d.wait(time.Second)
				do(r, first)
				d.wait(time.Second)
				if x := d.record(first); !x.SetAsideAt(time.Now()) || r.view.Shown[0].ID == first && name != "several" {
					t.Errorf("%s: not put off, first is %q", name, r.view.Shown[0].Title)
				}
				if want := second; name != "several" && name != "Esc" && r.selected != want {
					t.Errorf("%s: chosen %q", name, r.selected)
				}
				if by == "u" {
					r.typedRune('u')
				} else {
					r.snack.Act()
				}
				d.wait(time.Second)
				for _, id := range []string{first, second} {
					if d.record(id).SetAsideAt(time.Now()) {
						t.Errorf("%s, %s: it does not come back", name, by)
					}
				}
				if !d.record(first).Read || r.selected != first || !slices.Equal(d.shown(), []string{"First?", "Second?"}) {
					t.Errorf("%s, %s: read %v, chosen %q, shown %v", name, by, d.record(first).Read, r.selected, d.shown())
				}
				r.typedRune('u') // there is nothing more
				d.wait(time.Second)
				if n := len(sent[notify.Unsnooze](d.f)); n > 2 {
					t.Errorf("%s: undone %d times", name, n)
				}
			})
		}
	}
}

// What was put off some time ago is not undone by accident, whatever was said since.
func TestPuttingOffIsUndoneForAWhile(t *testing.T) {
	for name, since := range map[string]func(*railWindow){
		"nothing":        func(*railWindow) {},
		"something else": func(r *railWindow) { r.say("Something else", "", nil) },
	} {
		onDesk(t, Options{}, func(d *desk) {
			q := d.question("One?", nil)
			r := d.show()
			r.setAside(q)
			d.wait(time.Second)
			since(r)
			d.wait(vm.UndoFor + time.Second)
			r.typedRune('u')
			d.wait(time.Second)
			if !d.record(q).SetAsideAt(time.Now()) {
				t.Errorf("%s was said since: it came back", name)
			}
		})
	}
}
