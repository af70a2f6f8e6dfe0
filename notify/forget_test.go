package notify_test

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
)

const days = 24 * time.Hour

// put makes a session of alpha, or says that it is there.
func (d *desk) put(session string) {
	d.t.Helper()
	d.ok(alpha, notify.PutSession{Session: session, Title: &session})
}

func (d *desk) has(session string) bool {
	_, ok := d.m.Session(notify.SessionRef{Connection: "alpha", Session: session})
	return ok
}

// tick does what is due, and holds that nothing is due any more: what is due again at once would never let
// the center rest (R5).
func (d *desk) tick() {
	d.t.Helper()
	d.ok(notify.Center, notify.Tick{})
	if next := d.m.NextDue(); !next.IsZero() && !next.After(d.now) {
		d.t.Fatalf("something is still due since %s", next)
	}
}

// Proves: X1, R5
func TestSilentSessionsAreForgotten(t *testing.T) {
	d := newDesk(t)
	d.put("quiet")
	d.put("pending")
	item := d.publish(notify.Publish{Session: "pending"})
	d.later(29*days - notify.OnlineFor)
	d.put("lively") // and those that are heard of stay
	d.publish(notify.Publish{Session: "talks"})
	d.later(notify.OnlineFor) // its connection is told away first
	d.tick()
	if due := d.m.NextDue(); !due.Equal(start.Add(notify.SessionAge + time.Hour)) {
		t.Errorf("next due %s, want the instant at which the quiet one is forgotten", due)
	}
	if !d.has("quiet") {
		t.Error("forgotten before its time")
	}
	d.later(days + time.Hour)
	d.tick()
	for session, want := range map[string]bool{"quiet": false, "pending": true, "lively": true, "talks": true} {
		if d.has(session) != want {
			t.Errorf("%s is there: %v, want %v", session, d.has(session), want)
		}
	}
	// What was pending held it; once that has ended, its silence counts.
	d.ok(notify.Owner, notify.Dismiss{ID: item.ID, Expect: rev(1)})
	d.tick()
	if d.has("pending") {
		t.Error("kept for ever by an item that has ended")
	}
	// It is made anew when it is heard of, and its history is as it was.
	d.publish(notify.Publish{Session: "pending"})
	if !d.has("pending") || d.get(item.ID).Status != notify.Dismissed {
		t.Error("not made anew")
	}
}

// Proves: X1
func TestTheAgeOfSessionsIsThatOfTheHistory(t *testing.T) {
	d := newDesk(t)
	d.put("s")
	week, year := 7*days, 365*days
	d.ok(notify.Owner, notify.UpdateConnection{ID: "alpha", KeepAge: &year})
	d.later(40 * days)
	d.tick()
	if !d.has("s") {
		t.Error("forgotten before its connection's history")
	}
	d.ok(notify.Owner, notify.UpdateConnection{ID: "alpha", KeepAge: &week})
	d.tick()
	if d.has("s") {
		t.Error("kept longer than its connection's history")
	}
}

// An item that arrives counts as being heard of, not only an event.
//
// Proves: X1
func TestEachPublicationIsHeard(t *testing.T) {
	d := newDesk(t)
	d.put("s")
	for range 5 {
		d.later(10 * days)
		r := d.publish(notify.Publish{Session: "s"})
		d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
		d.tick()
	}
	if !d.has("s") {
		t.Error("forgotten although it was heard of")
	}
}

// Proves: X1
func TestSessionsAreBounded(t *testing.T) {
	d := newDesk(t)
	name := func(i int) string { return fmt.Sprintf("s%04d", i) }
	held := d.publish(notify.Publish{Session: name(0)})
	for i := 1; i < notify.MaxSessions; i++ {
		d.later(time.Second)
		d.put(name(i))
	}
	d.ok(notify.Owner, notify.SetFocus{Focus: notify.SessionRef{Connection: "alpha", Session: name(1)}})
	d.put(name(notify.MaxSessions)) // one more than there may be
	for i, want := range map[int]bool{0: true, 1: true, 2: false, 3: true, notify.MaxSessions: true} {
		if d.has(name(i)) != want {
			t.Errorf("%s is there: %v, want %v", name(i), d.has(name(i)), want)
		}
	}
	d.publish(notify.Publish{Session: "by an item"})
	if d.has(name(3)) || !d.has("by an item") {
		t.Error("a publication makes no room")
	}
	if n := len(d.m.SessionViews("alpha", d.now)); n != notify.MaxSessions {
		t.Errorf("%d sessions, want %d", n, notify.MaxSessions)
	}
	d.is(held.ID, notify.Pending, "")
}

// Random lives of sessions over months: none with something pending is forgotten, none that is silent stays
// after a tick, and a group of commands that is decided before any of them is applied comes out the same.
//
// Proves: X1, X2
func TestSessionsOverMonths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		alone, base := notify.NewMemory(), notify.NewMemory()
		now, ids := start, 0
		var seen []string
		for _, c := range []string{"a", "b"} {
			for _, m := range []*notify.Memory{alone, base} {
				d, err := notify.Decide(m, notify.Rules{}, notify.Command{At: now, By: notify.Owner, Op: notify.CreateConnection{ID: c, Label: c, TokenHash: []byte(c)}})
				if err != nil {
					t.Fatal(err)
				}
				m.Apply(d.Changes)
			}
		}
		for range rapid.IntRange(1, 20).Draw(t, "groups") {
			group := notify.NewOverlay(base)
			var all []notify.Change
			for range rapid.IntRange(1, 6).Draw(t, "commands") {
				now = now.Add(time.Duration(rapid.IntRange(0, 20*24).Draw(t, "hours")) * time.Hour)
				by, op := monthly(t, ids, seen)
				ids++
				c := notify.Command{At: now, By: by, IDs: []string{fmt.Sprintf("id-%05d", ids)}, Op: op}
				x, xerr := notify.Decide(group, notify.Rules{}, c)
				y, yerr := notify.Decide(alone, notify.Rules{}, c)
				if (xerr == nil) != (yerr == nil) || !reflect.DeepEqual(x.Changes, y.Changes) {
					t.Fatalf("%T: in a group %v, %v; alone %v, %v", op, names(x.Changes), xerr, names(y.Changes), yerr)
				}
				group.Apply(x.Changes)
				alone.Apply(y.Changes)
				all = append(all, x.Changes...)
				for _, ch := range y.Changes {
					if ch.Session != nil && ch.Removed {
						for r := range alone.Pending(ch.Session.Ref()) {
							t.Fatalf("%s was forgotten with %s pending", ch.Session.ID, r.ID)
						}
					}
					if ch.Name == notify.EvCreated {
						seen = append(seen, ch.Record.ID)
					}
				}
				if _, ticked := op.(notify.Tick); ticked {
					for s := range alone.Idle(now) {
						t.Fatalf("%s/%s stays after a tick", s.Connection, s.ID)
					}
					if next := alone.NextDue(); !next.IsZero() && !next.After(now) {
						t.Fatalf("due again at %s", next)
					}
				}
			}
			base.Apply(all)
			if a, b := alone.NextDue(), base.NextDue(); !a.Equal(b) {
				t.Fatalf("next due %s alone, %s in groups", a, b)
			}
		}
	})
}

// monthly draws what may happen in a month.
func monthly(t *rapid.T, n int, seen []string) (notify.Actor, notify.Op) {
	c := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "connection")
	s := rapid.SampledFrom([]string{"s", "s2", "s3"}).Draw(t, "session")
	switch rapid.IntRange(0, 6).Draw(t, "what") {
	case 0:
		sequence := rapid.Int64Range(0, 3).Draw(t, "sequence")
		return notify.Producer(c), notify.PutSession{Connection: c, Session: s, Sequence: &sequence}
	case 1, 2:
		p := notify.Publish{Connection: c, Session: s, Key: rapid.SampledFrom([]string{"", "k"}).Draw(t, "key"), Content: notify.Content{Title: "T"}}
		if rapid.Bool().Draw(t, "event") {
			p.Content.Event = event(rapid.SampledFrom([]string{notify.EventTurnFinished, notify.EventPromptSubmitted}).Draw(t, "type"), fmt.Sprint(n))
		}
		return notify.Producer(c), p
	case 3:
		age := time.Duration(rapid.SampledFrom([]int{0, 1, 90}).Draw(t, "age")) * days
		return notify.Owner, notify.UpdateConnection{ID: c, KeepAge: &age}
	case 4, 5:
		if len(seen) == 0 {
			break
		}
		id := rapid.SampledFrom(seen).Draw(t, "record")
		if rapid.Bool().Draw(t, "snooze") {
			return notify.Owner, notify.Snooze{ID: id, UntilEvent: true}
		}
		return notify.Owner, notify.Dismiss{ID: id, Expect: rev(1)}
	}
	return notify.Center, notify.Tick{}
}

// A session that is heard of every minute is never silent, however short the age of its connection's history is,
// and one that is silent is not kept much longer than that.
//
// Proves: X1
func TestWhoIsHeardOfIsNotForgotten(t *testing.T) {
	for _, age := range []time.Duration{5 * time.Minute, 50 * time.Minute, 3 * time.Hour, 0} {
		t.Run(age.String(), func(t *testing.T) {
			d := newDesk(t)
			d.ok(notify.Owner, notify.UpdateConnection{ID: "alpha", KeepAge: &age})
			if age == 0 {
				age = notify.SessionAge
			}
			d.put("lively")
			every := age / 50
			for range 120 {
				d.later(every)
				d.put("lively")
				d.tick()
				if !d.has("lively") {
					t.Fatalf("forgotten %s after it was heard of", every)
				}
			}
			d.later(age - time.Millisecond)
			d.tick()
			if !d.has("lively") {
				t.Error("forgotten before its age")
			}
			d.later(min(age/10, time.Hour) + time.Millisecond)
			d.tick()
			if d.has("lively") {
				t.Error("kept longer than its age and what that is inexact by")
			}
		})
	}
}

// What the owner has not seen makes room last, though its record has ended.
//
// Proves: X1, A4
func TestWhatNeedsTheOwnerMakesRoomLast(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{Session: "failed", Content: notify.Content{Title: "T", Event: event(notify.EventTurnFailed, "1")}})
	d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
	for i := range notify.MaxSessions {
		d.later(time.Second)
		d.put(fmt.Sprintf("s%04d", i))
	}
	if !d.has("failed") || d.has("s0000") {
		t.Error("forgotten although it needs the owner, with 999 that don't")
	}
	d.ok(notify.Owner, notify.SeeSession{Connection: "alpha", Session: "failed", Sequence: 1})
	for i := range notify.MaxSessions {
		d.later(time.Second)
		d.put(fmt.Sprintf("t%04d", i))
	}
	if d.has("failed") {
		t.Error("once it has been seen, it is one like the others")
	}
}

// What is due at once is not forgotten in one change that nothing can follow.
//
// Proves: X1
func TestForgettingComesInParts(t *testing.T) {
	d := newDesk(t)
	const count = 900
	for i := range count {
		d.put(fmt.Sprintf("s%04d", i))
	}
	d.later(31 * days)
	for ticks := 1; ; ticks++ {
		d.ok(notify.Center, notify.Tick{})
		left := d.m.SessionCount("alpha")
		if want := max(count-200*ticks, 0); left != want {
			t.Fatalf("%d sessions after %d ticks, want %d", left, ticks, want)
		}
		due := d.m.NextDue()
		if left == 0 {
			break
		}
		if due.IsZero() || due.After(d.now) {
			t.Fatalf("%d are left, and the next tick is due at %s", left, due)
		}
	}
}
