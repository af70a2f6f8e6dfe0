package ui

import (
	"errors"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// A question is over one window: the keys of the others are their own, and Escape closes that of its window alone.
func TestEachWindowHasItsOwnQuestion(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		d.u.ShowSettings()
		d.wait(time.Second)
		s := d.u.sets
		done := ""
		ask := func(win fyne.Window, name string) {
			d.u.ask(win, name, widgets.NewText("Really?", widgets.LookBody), widgets.NewButton("Yes", widgets.Danger, nil), func() { done += name })
		}
		ask(s.win, "first")
		r.win.Canvas().OnTypedRune()('j')
		if r.selected != a {
			t.Error("a question over another window has the keys of the rail")
		}
		ask(r.win, "second")
		escape := &fyne.KeyEvent{Name: fyne.KeyEscape}
		s.win.Canvas().OnTypedKey()(escape)
		if s.win.Canvas().Overlays().Top() != nil || r.win.Canvas().Overlays().Top() == nil || !d.u.open["settings"] {
			t.Error("Escape does not close the question of its own window alone")
		}
		r.win.Canvas().OnTypedKey()(escape)
		if r.win.Canvas().Overlays().Top() != nil || d.u.dialog != nil || done != "" {
			t.Errorf("done %q, open %v", done, d.u.dialog != nil)
		}
		s.win.Canvas().OnTypedKey()(escape)
		if d.u.open["settings"] {
			t.Error("Escape does not close the window after its question")
		}
	})
}

// What became of something is said where it was asked for, whichever windows are open.
func TestWhatHappenedIsSaidInItsWindow(t *testing.T) {
	o := Options{OpenURL: func(string) error { return errors.New("no browser") }}
	for _, rail := range []bool{false, true} {
		onDesk(t, o, func(d *desk) {
			if rail {
				d.show()
			}
			d.u.ShowSettingsPage("about")
			d.wait(time.Second)
			s := d.u.sets
			d.u.confirmOpen(s.win, "https://example.com/")
			d.wait(time.Second)
			for _, b := range within[*widgets.Button](d.u.dialog.pop.Content) {
				if b.Label == d.u.t("open.yes") {
					b.Tapped(nil)
				}
			}
			d.wait(time.Second)
			if s.note != d.u.t("open.failed") {
				t.Errorf("with the rail %v: it says %q", rail, s.note)
			}
			if rail {
				return
			}
			err := notify.Errorf(notify.CodeUnavailable, "Not now.")
			d.u.trouble(err)
			d.settle()
			if s.note != d.u.tr(vm.Trouble(err)) {
				t.Errorf("of a failure it says %q", s.note)
			}
		})
	}
}
