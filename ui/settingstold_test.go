package ui

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// What toasts show is chosen with the other notifications; without a center that keeps it there is nothing to choose.
func TestWhatToastsShowIsChosen(t *testing.T) {
	// Proves: A3
	telling := Telling{Privacy: "title", Remind: []time.Duration{3 * time.Minute}, StormCount: 5, StormWindow: 10 * time.Second}
	press := func(s *settingsWindow, label string) (found *widgets.Button) {
		walk(s.win.Content(), func(o fyne.CanvasObject) {
			if b, ok := o.(*widgets.Button); ok && b.Label == label {
				found = b
			}
		})
		return found
	}
	onDesk(t, Options{TellingOf: func() Telling { return telling }, SetTelling: func(_, t Telling) error { telling = t; return nil }}, func(d *desk) {
		s := d.showSettings("told")
		all := d.u.t("told.toast_full")
		if b := press(s, all); b == nil || b.Chosen || !press(s, d.u.t("told.toast_title")).Chosen {
			t.Fatalf("chosen at first: %+v", b)
		}
		test.Tap(press(s, all))
		d.settle()
		if telling.Privacy != "full" || !press(s, all).Chosen {
			t.Errorf("%+v is kept, chosen %v", telling, press(s, all).Chosen)
		}
		choices := func() []*widgets.Select { return within[*widgets.Select](s.col) }
		if got := choices()[0]; got.Selected != "after 3 minutes" {
			t.Errorf("reminders %q", got.Selected)
		}
		choices()[0].SetSelected(d.u.t("told.remind_never"))
		d.settle()
		choices()[1].SetSelected(d.u.tr(vm.StormWord(3, 10*time.Second)))
		d.settle()
		if want := (Telling{Privacy: "full", StormCount: 3, StormWindow: 10 * time.Second}); !reflect.DeepEqual(telling, want) {
			t.Errorf("%+v is kept, want %+v", telling, want)
		}
	})
	onDesk(t, Options{}, func(d *desk) {
		if b := press(d.showSettings("told"), d.u.t("told.toast_full")); b != nil {
			t.Error("a choice that nobody keeps")
		}
	})
}

// How long a question holds an agent is chosen for those that are connected and can be held.
func TestHowLongAnAgentIsHeldIsChosen(t *testing.T) {
	// Proves: I4
	held := map[string]time.Duration{"claude": 590 * time.Second}
	o := Options{Agents: func(context.Context) ([]Agent, error) {
		return []Agent{{ID: "claude", Name: "Claude Code", Connected: true, Holds: true, Hold: held["claude"]}, {ID: "codex", Name: "Codex", Installed: true, Holds: true},
			{ID: "aider", Name: "Aider", Connected: true}}, nil
	}, Hold: func(_ context.Context, agent string, d time.Duration) error { held[agent] = d; return nil }}
	onDesk(t, o, func(d *desk) {
		s := d.showSettings("told")
		d.wait(time.Second)
		choices := within[*widgets.Select](s.col)
		if len(choices) != 1 || choices[0].Selected != "9:50 minutes" {
			t.Fatalf("%d choices", len(choices))
		}
		choices[0].SetSelected(d.u.t("told.hold_not"))
		d.wait(time.Second)
		if held["claude"] != 0 {
			t.Errorf("held for %v", held["claude"])
		}
		if got := within[*widgets.Select](s.col); len(got) != 1 || got[0].Selected != d.u.t("told.hold_not") {
			t.Error("the page does not say so")
		}
	})
}

// In a narrow window the strip of the settings shows the page that is open.
func TestTheStripShowsTheOpenPage(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		s := d.showSettings("connect")
		s.win.Resize(fyne.NewSize(480, 600))
		d.settle()
		for _, page := range []string{"look", "connect", "about"} {
			s.open(page)
			d.settle()
			i := slices.IndexFunc(s.tabs, func(b *widgets.Button) bool { return b.Chosen })
			if i < 0 {
				t.Fatalf("no tab is chosen for %s", page)
			}
			left, right := s.tabs[i].Position().X-s.strip.Offset.X, s.tabs[i].Position().X+s.tabs[i].Size().Width-s.strip.Offset.X
			if left < 0 || right > s.strip.Size().Width+0.5 {
				t.Errorf("%s lies at %v to %v of %v", page, left, right, s.strip.Size().Width)
			}
		}
	})
}
