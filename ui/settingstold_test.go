package ui

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/ui/widgets"
)

// What toasts show is chosen with the other notifications; without a center that keeps it there is nothing to choose.
func TestWhatToastsShowIsChosen(t *testing.T) {
	// Proves: A3
	level := "title"
	press := func(s *settingsWindow, label string) (found *widgets.Button) {
		walk(s.win.Content(), func(o fyne.CanvasObject) {
			if b, ok := o.(*widgets.Button); ok && b.Label == label {
				found = b
			}
		})
		return found
	}
	onDesk(t, Options{ToastPrivacy: func() string { return level }, SetToastPrivacy: func(l string) error { level = l; return nil }}, func(d *desk) {
		s := d.showSettings("told")
		all := d.u.t("told.toast_full")
		if b := press(s, all); b == nil || b.Chosen || !press(s, d.u.t("told.toast_title")).Chosen {
			t.Fatalf("chosen at first: %+v", b)
		}
		test.Tap(press(s, all))
		d.settle()
		if level != "full" || !press(s, all).Chosen {
			t.Errorf("%s is kept, chosen %v", level, press(s, all).Chosen)
		}
	})
	onDesk(t, Options{}, func(d *desk) {
		if b := press(d.showSettings("told"), d.u.t("told.toast_full")); b != nil {
			t.Error("a choice that nobody keeps")
		}
	})
}
