package notify_test

import (
	"slices"
	"testing"
	"time"

	"signalbox/notify"
)

// Proves: X2
func TestSnoozeUntilTheNextEvent(t *testing.T) {
	d := newDesk(t)
	item := d.publish(notify.Publish{Session: "s", Muted: true})
	other := d.publish(notify.Publish{Session: "s2"})
	for _, r := range []*notify.Record{item, other} {
		d.ok(notify.Owner, notify.SetRead{ID: r.ID, Read: true})
		d.ok(notify.Owner, notify.Snooze{ID: r.ID, UntilEvent: true})
	}
	snoozed := func(id string) bool { return notify.PlaceOf(d.get(id), d.now).Kind == notify.PlaceSnoozed }
	if res := d.ok(notify.Owner, notify.Snooze{ID: item.ID, UntilEvent: true}); res.Verdict != notify.Unchanged {
		t.Errorf("again: %s", res.Verdict)
	}
	// What is no event that its session counts does not wake it, and nothing of another session does.
	d.later(time.Hour)
	d.publish(notify.Publish{Session: "s"})
	d.publish(told("s", notify.EventToolFinished, "1"))
	silent := told("s", notify.EventTurnFinished, "2")
	silent.Content.Silent = true
	d.publish(silent)
	d.publish(told("s22", notify.EventTurnFinished, "3"))
	if !snoozed(item.ID) || !snoozed(other.ID) {
		t.Fatal("woken too early")
	}
	d.publish(told("s", notify.EventTurnFinished, "4"))
	r := d.get(item.ID)
	if snoozed(item.ID) || r.SnoozeEvent || r.Muted || r.Read || !r.ResurfacedAt.Equal(d.now) {
		t.Errorf("after the event: %+v", r)
	}
	if !slices.Contains(names(d.last), notify.EvResurfaced) || !snoozed(other.ID) {
		t.Errorf("changes %v", names(d.last))
	}
	// Once: the next event finds nothing to wake.
	d.ok(notify.Owner, notify.SetRead{ID: item.ID, Read: true})
	d.publish(told("s", notify.EventTurnFinished, "5"))
	if !d.get(item.ID).Read {
		t.Error("it came back twice")
	}
	// A server that tells the position of its session itself wakes it too.
	n := int64(7)
	d.ok(alpha, notify.PutSession{Session: "s2", Sequence: &n})
	if snoozed(other.ID) {
		t.Error("a position that moved on is no event")
	}
}

// The event may come with the snoozed item itself.
//
// Proves: X2
func TestItsOwnEventWakesASnoozedItem(t *testing.T) {
	d := newDesk(t)
	p := notify.Publish{Session: "s", Key: "turn"}
	item := d.publish(p)
	d.ok(notify.Owner, notify.Snooze{ID: item.ID, UntilEvent: true})
	if r := d.publish(p); r.SnoozeUntil.IsZero() {
		t.Error("a new revision without an event woke it")
	}
	p.Content.Event = event(notify.EventTurnFinished, "1")
	if r := d.publish(p); !r.SnoozeUntil.IsZero() || r.SnoozeEvent || r.Revision != 3 {
		t.Errorf("revision %d is snoozed until %s", r.Revision, r.SnoozeUntil)
	}
}

// Proves: X2
func TestSnoozeUntilTheNextEventIsBoundedAndRefused(t *testing.T) {
	d := newDesk(t)
	item := d.publish(notify.Publish{Session: "s"})
	d.field("/until_event", notify.Owner, notify.Snooze{ID: item.ID, UntilEvent: true, For: time.Hour})
	d.field("/until_event", notify.Owner, notify.Snooze{ID: d.publish(notify.Publish{}).ID, UntilEvent: true})
	d.ok(notify.Owner, notify.Snooze{ID: item.ID, UntilEvent: true})
	if want := start.Add(notify.MaxSnooze); !d.get(item.ID).SnoozeUntil.Equal(want) {
		t.Errorf("snoozed until %s, want %s", d.get(item.ID).SnoozeUntil, want)
	}
	d.ok(notify.Owner, notify.Snooze{ID: item.ID, For: time.Minute}) // another choice replaces it
	if d.get(item.ID).SnoozeEvent {
		t.Error("still until the next event")
	}
	d.later(time.Minute)
	d.ok(notify.Center, notify.Tick{})
	if r := d.get(item.ID); !r.SnoozeUntil.IsZero() {
		t.Errorf("snoozed until %s", r.SnoozeUntil)
	}
	d.ok(notify.Owner, notify.Snooze{ID: item.ID, UntilEvent: true})
	d.ok(notify.Owner, notify.Unsnooze{ID: item.ID})
	if r := d.get(item.ID); r.SnoozeEvent || !r.SnoozeUntil.IsZero() {
		t.Error("still snoozed")
	}
	d.ok(notify.Owner, notify.Snooze{ID: item.ID, UntilEvent: true})
	d.ok(alpha, notify.EndSession{Session: "s"})
	d.is(item.ID, notify.Resolved, notify.OutcomeResolved)
	if d.get(item.ID).SnoozeEvent {
		t.Error("in history, still until the next event")
	}
}

// Proves: X3
func TestTheOwnersLabelStays(t *testing.T) {
	d := newDesk(t)
	label := func() string { c, _ := d.m.Connection("alpha"); return c.Label }
	theirs, mine := "Claude Code", "My own"
	d.ok(alpha, notify.Hello{Lifetime: "1", Label: &theirs})
	if label() != theirs {
		t.Errorf("label %q, want the server's while the owner chose none", label())
	}
	d.ok(notify.Owner, notify.UpdateConnection{ID: "alpha", Label: &mine})
	d.ok(alpha, notify.Hello{Lifetime: "2", Label: &theirs})
	if label() != mine {
		t.Errorf("label %q, want the owner's own", label())
	}
}
