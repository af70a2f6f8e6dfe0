package notify_test

import (
	"testing"
	"time"

	"signalbox/notify"
)

// Setting what is set already is a success that changes nothing.
func TestSettingsThatAreSo(t *testing.T) {
	d := newDesk(t)
	until, minimum := start.Add(time.Hour), time.Minute
	set := notify.SetSettings{
		QuietUntil: &until, MinTurn: &minimum,
		Subscriptions: &[]notify.Subscription{{Provider: notify.ProviderToast, Events: []string{notify.EventWaitingForInput}}},
		Rules:         &[]notify.Rule{{Name: "a", Set: notify.RuleNone, Match: notify.RuleMatch{Tag: "ci"}}},
		QuietHours:    &[]notify.QuietHours{{Days: []time.Weekday{time.Monday}, From: "22:00", To: "07:00"}},
	}
	if res := d.ok(notify.Owner, set); res.Verdict != notify.Updated || len(d.last) != 1 {
		t.Errorf("%s with %d changes", res.Verdict, len(d.last))
	}
	past := start.Add(-time.Hour)
	for name, again := range map[string]notify.SetSettings{"all": set, "nothing": {}} {
		if res := d.ok(notify.Owner, again); res.Verdict != notify.Unchanged || len(d.last) != 0 {
			t.Errorf("%s again: %s with %d changes", name, res.Verdict, len(d.last))
		}
	}
	d.ok(notify.Owner, notify.SetSettings{QuietUntil: &past})
	if res := d.ok(notify.Owner, notify.SetSettings{QuietUntil: &past}); res.Verdict != notify.Unchanged {
		t.Errorf("no quiet again: %s", res.Verdict)
	}
	none := []notify.Subscription{{Provider: notify.ProviderToast, Events: []string{}}}
	d.ok(notify.Owner, notify.SetSettings{Subscriptions: &none})
	usual := []notify.Subscription{{Provider: notify.ProviderToast}}
	if res := d.ok(notify.Owner, notify.SetSettings{Subscriptions: &usual}); res.Verdict != notify.Updated {
		t.Error("no event and the usual events are taken for the same")
	}
}
