package notify_test

import (
	"testing"
	"time"

	"signalbox/notify"
)

// Proves: D1, D2, L6
func TestDismissal(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{Key: "k"})
	d.publish(notify.Publish{Key: "k"})
	d.field("/expected_revision", notify.Owner, notify.Dismiss{ID: r.ID})
	for _, n := range []int{1, 3} { // one that was seen before the change, and one that never was
		e := d.refused(notify.CodeRevisionConflict, notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(n)})
		if e.Current == nil || e.Current.Revision != 2 {
			t.Errorf("the conflict shows %+v", e.Current)
		}
	}
	d.is(r.ID, notify.Pending, "")
	d.later(time.Second)
	d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(2)})
	d.is(r.ID, notify.Dismissed, notify.OutcomeDismissed)
	if got := d.get(r.ID); got.Outcome.By != "owner" || !got.Outcome.At.Equal(d.now) || !got.EndedAt.Equal(d.now) || got.Revision != 2 {
		t.Errorf("dismissed as %+v, revision %d", got.Outcome, got.Revision)
	}
	before := d.get(r.ID)
	d.later(time.Second)
	if res := d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(2)}); res.Verdict != notify.Unchanged || d.get(r.ID) != before {
		t.Error("dismissing again changed something")
	}
	d.refused(notify.CodeRevisionConflict, notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
	// A later occurrence is shown, whatever comes late for the old one.
	next := d.publish(notify.Publish{Key: "k"})
	d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(2)})
	d.is(next.ID, notify.Pending, "")
	d.refused(notify.CodeNotFound, notify.Owner, notify.Dismiss{ID: "none", Expect: rev(1)})
}

// Proves: D6
func TestProgressIsAlwaysDismissible(t *testing.T) {
	d := newDesk(t)
	no := false
	progress := notify.Content{Title: "P", Kind: notify.KindProgress, Progress: &notify.Progress{Current: 1},
		Actions: []notify.Action{{ID: "cancel"}}}
	d.field("/dismissible", alpha, notify.Publish{Dismissible: &no, Content: progress})
	r := d.publish(notify.Publish{Key: "p", Content: progress})
	d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
	if len(d.last) != 1 || d.last[0].Name != notify.EvDismissed {
		t.Errorf("dismissing did %v: it must cancel nothing", names(d.last))
	}
	// The work goes on, and says so anew.
	if next := d.publish(notify.Publish{Key: "p", Content: progress}); next.Occurrence != 2 || next.Status != notify.Pending {
		t.Errorf("the work goes on as %+v", next)
	}
}

// Proves: D7, R5
func TestNothingIsADeadEnd(t *testing.T) {
	no := false
	soon := start.Add(time.Hour)
	status := func(c notify.Content) notify.Publish {
		c.Title, c.Kind = "S", notify.KindStatus
		return notify.Publish{Dismissible: &no, Content: c}
	}
	t.Run("refused without a way out", func(t *testing.T) {
		newDesk(t).field("/dismissible", alpha, status(notify.Content{}))
	})
	t.Run("with an action", func(t *testing.T) {
		d := newDesk(t)
		r := d.publish(status(notify.Content{Actions: []notify.Action{{ID: "open"}}}))
		e := d.refused(notify.CodeNotDismissible, notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
		if e.Current == nil {
			t.Error("the refusal has no record")
		}
		// Taking the action away would make it a dead end.
		d.field("/dismissible", alpha, notify.Update{ID: r.ID, Fields: []string{"actions"}})
	})
	t.Run("after its time", func(t *testing.T) {
		d := newDesk(t)
		r := d.publish(status(notify.Content{DismissibleAfter: soon}))
		d.now = soon.Add(-time.Millisecond)
		d.refused(notify.CodeNotDismissible, notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
		d.now = soon
		if next := d.m.NextDue(); next.After(soon) {
			t.Errorf("due at %v", next)
		}
		d.ok(notify.Center, notify.Tick{})
		if got := d.get(r.ID); !got.Dismissible || got.Revision != 1 {
			t.Errorf("dismissible %v, revision %d", got.Dismissible, got.Revision)
		}
		d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
	})
	t.Run("after its time without a sweep", func(t *testing.T) {
		d := newDesk(t)
		r := d.publish(status(notify.Content{DismissibleAfter: soon}))
		d.now = soon
		d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
	})
	t.Run("once its connection is revoked", func(t *testing.T) {
		d := newDesk(t)
		r := d.publish(status(notify.Content{Actions: []notify.Action{{ID: "open"}}}))
		q := d.publish(notify.Publish{Content: yesNo()})
		d.refused(notify.CodeInteractionActive, notify.Owner, notify.Dismiss{ID: q.ID, Expect: rev(1)})
		d.ok(notify.Owner, notify.RevokeConnection{ID: "alpha"})
		d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
		d.ok(notify.Owner, notify.Dismiss{ID: q.ID, Expect: rev(1)})
		d.is(q.ID, notify.Dismissed, notify.OutcomeDismissed)
	})
	t.Run("once its connection is away for long", func(t *testing.T) {
		d := newDesk(t)
		d.rules.OrphanAfter = time.Hour
		d.ok(notify.Center, notify.SetPresence{Connection: "alpha", Streams: 1})
		q := d.publish(notify.Publish{Content: yesNo()})
		d.later(48 * time.Hour) // it is there all the time
		d.refused(notify.CodeInteractionActive, notify.Owner, notify.Dismiss{ID: q.ID, Expect: rev(1)})
		d.ok(notify.Center, notify.SetPresence{Connection: "alpha", Streams: 0})
		d.later(time.Hour)
		d.refused(notify.CodeInteractionActive, notify.Owner, notify.Dismiss{ID: q.ID, Expect: rev(1)})
		d.later(time.Second)
		d.ok(notify.Owner, notify.Dismiss{ID: q.ID, Expect: rev(1)})
	})
}
