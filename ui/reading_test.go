package ui

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

var errSilent = notify.Errorf(notify.CodeUnavailable, "The center does not answer.")

// A line that says nothing is not a rail with nothing on it: what was read before stays, and the trouble is said. It
// comes back by itself.
//
// Proves: D5
func TestASilentLineIsNotAnEmptyRail(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("a")
		d.cut(errSilent)
		r := d.show()
		if d.u.failed == nil || r.feed.Rows()[0].ID != "failed" {
			t.Errorf("before anything was read: failed %v, rows %v", d.u.failed, r.feed.Rows())
		}
		d.cut(nil)
		d.wait(failedPause + time.Second)
		d.wantShown("a")
		if d.u.failed != nil {
			t.Errorf("still failed: %v", d.u.failed)
		}
		d.cut(errSilent)
		d.u.ListsChanged()
		d.wait(time.Second)
		d.wantShown("a")
		if d.u.failed == nil || len(within[*widgets.Banner](r.notices)) == 0 {
			t.Errorf("failed %v, and no banner says so", d.u.failed)
		}
	})
}

// Nobody is welcomed as a newcomer because nothing could be read.
func TestTheWelcomeWaitsForTheConnections(t *testing.T) {
	onDesk(t, Options{Agents: func(context.Context) ([]Agent, error) { return nil, nil }}, func(d *desk) {
		d.cut(errSilent)
		r := d.show()
		if r.first != nil {
			t.Error("welcomed, although a connection is there")
		}
		d.cut(nil)
		d.wait(failedPause + time.Second)
		if r.first != nil {
			t.Error("welcomed, although a connection was read")
		}
	})
}

// A page of what was not read says so, offers nothing to change, and is there as soon as it can be.
func TestNoPageShowsWhatWasNotRead(t *testing.T) {
	for page := range ofCenter {
		onDesk(t, Options{}, func(d *desk) {
			d.cut(errSilent)
			s := d.showSettings(page)
			if checks, entries := within[*widget.Check](s.col), within[*widgets.Entry](s.col); len(checks)+len(entries) > 0 {
				t.Errorf("%s: %d checks and %d entries of nothing", page, len(checks), len(entries))
			}
			if len(within[*widgets.Banner](s.col)) == 0 {
				t.Errorf("%s: it does not say why it is empty", page)
			}
			d.cut(nil)
			d.wait(failedPause + time.Second)
			if s.waits != "" || len(within[*widgets.Banner](s.col)) > 0 {
				t.Errorf("%s: still waiting", page)
			}
		})
	}
}

// What the owner changes is changed in what is so now: not in what the page was drawn from, and never in nothing.
//
// Proves: A3
func TestAChangeIsMadeToWhatIsSoNow(t *testing.T) {
	subs := []notify.Subscription{{Provider: "webhook:phone", Events: []string{"turn.failed"}}}
	toggle := func(d *desk, s *settingsWindow, i int) {
		c := within[*widget.Check](s.col)[i]
		c.SetChecked(!c.Checked)
	}
	t.Run("a line that became silent", func(t *testing.T) {
		onDesk(t, Options{}, func(d *desk) {
			d.do(notify.SetSettings{Subscriptions: &subs})
			s := d.showSettings("told")
			before, was := len(sent[notify.SetSettings](d.f)), within[*widget.Check](s.col)[0].Checked
			d.cut(errSilent)
			toggle(d, s, 0)
			d.wait(time.Second)
			d.cut(nil)
			d.wait(time.Second)
			if n := len(sent[notify.SetSettings](d.f)); n != before || !reflect.DeepEqual(d.f.Settings().Subscriptions, subs) {
				t.Errorf("%d commands, subscriptions %+v", n-before, d.f.Settings().Subscriptions)
			}
			if within[*widget.Check](s.col)[0].Checked != was || s.note == "" {
				t.Errorf("the cell shows what is not so; note %q", s.note)
			}
		})
	})
	t.Run("subscriptions changed elsewhere, and two cells at once", func(t *testing.T) {
		onDesk(t, Options{}, func(d *desk) {
			s := d.showSettings("told")
			d.do(notify.SetSettings{Subscriptions: &subs})
			toggle(d, s, 0)
			toggle(d, s, 1)
			toggle(d, s, 0)
			toggle(d, s, 0)
			d.wait(time.Second)
			got := d.f.Settings().Subscriptions
			if !slices.ContainsFunc(got, func(s notify.Subscription) bool { return reflect.DeepEqual(s, subs[0]) }) {
				t.Errorf("what was set elsewhere is gone: %+v", got)
			}
			row := vm.Matrix(got, d.u.o.Providers)[0]
			for i, c := range within[*widget.Check](s.col)[:2] {
				if row.Cells[i].On != c.Checked {
					t.Errorf("cell %d shows %v", i, c.Checked)
				}
			}
		})
	})
	t.Run("rules", func(t *testing.T) {
		onDesk(t, Options{}, func(d *desk) {
			a, b := notify.Rule{Name: "a", Set: notify.RuleSound}, notify.Rule{Name: "b", Set: notify.RuleToast}
			d.do(notify.SetSettings{Rules: &[]notify.Rule{a}})
			s := d.showSettings("rules")
			d.do(notify.SetSettings{Rules: &[]notify.Rule{b, a}})
			pressButton(t, s.col, d.u.t("rules.save"))
			d.wait(time.Second)
			if got := d.f.Settings().Rules; len(got) != 3 || got[0] != b || got[1] != a {
				t.Fatalf("rules %+v", got)
			}
			s.fill()
			d.do(notify.SetSettings{Rules: &[]notify.Rule{a}})
			trash := within[*widgets.Button](s.col)
			i := slices.IndexFunc(trash, func(b *widgets.Button) bool { return b.Icon == "trash" })
			trash[i].Tapped(nil) // of b, which is gone
			d.wait(time.Second)
			if got := d.f.Settings().Rules; len(got) != 1 || got[0] != a || s.note == "" {
				t.Errorf("rules %+v, note %q", got, s.note)
			}
		})
	})
	t.Run("quiet hours", func(t *testing.T) {
		onDesk(t, Options{}, func(d *desk) {
			s := d.showSettings("quiet")
			there := []notify.QuietHours{{From: "12:00", To: "13:00"}}
			d.do(notify.SetSettings{QuietHours: &there})
			pressButton(t, s.col, d.u.t("quiet.add"))
			d.wait(time.Second)
			if got := d.f.Settings().QuietHours; len(got) != 2 || got[0].From != "12:00" {
				t.Errorf("quiet hours %+v", got)
			}
		})
	})
	t.Run("retention", func(t *testing.T) {
		onDesk(t, Options{}, func(d *desk) {
			s := d.showSettings("keep")
			age := 7 * day
			d.do(notify.UpdateConnection{ID: "claude", KeepAge: &age})
			within[*widgets.Select](s.col)[1].SetSelectedIndex(1)
			d.wait(time.Second)
			if c := d.f.Connections()[0]; c.KeepAge != age || c.KeepCount != 1000 {
				t.Errorf("kept %v, %d", c.KeepAge, c.KeepCount)
			}
			if got := within[*widgets.Select](s.col)[0].SelectedIndex(); got != 1 {
				t.Errorf("the page shows choice %d", got)
			}
		})
	})
}
