package notify_test

import (
	"testing"

	"pgregory.net/rapid"

	"signalbox/notify"
)

// An agent that said it waits works again when it has had the answer, and not before; while something else is asked in the
// session, it waits on.
//
// Proves: A4, I9
func TestSessionWorksAgain(t *testing.T) {
	d := newDesk(t)
	state := func(want string) {
		t.Helper()
		if s, _ := d.m.Session(notify.SessionRef{Connection: "alpha", Session: "s"}); s.State != want {
			t.Errorf("the session is %q, want %q", s.State, want)
		}
	}
	say := func(s string) {
		t.Helper()
		d.ok(alpha, notify.PutSession{Session: "s", State: &s})
	}
	settle := func(r *notify.Record) {
		t.Helper()
		d.ok(notify.Owner, notify.AnswerOp{ID: r.ID, Answer: answer("yes", "", nil)})
		d.ok(alpha, notify.DeliverAnswer{ID: r.ID})
	}
	say("waiting")
	first, second := d.publish(notify.Publish{Session: "s", Content: yesNo()}), d.publish(notify.Publish{Session: "s", Content: yesNo()})
	settle(first)
	state("waiting")
	d.ok(notify.Owner, notify.AnswerOp{ID: second.ID, Answer: answer("yes", "", nil)})
	state("waiting") // its agent may be gone
	d.ok(alpha, notify.DeliverAnswer{ID: second.ID})
	state("working")
	d.ok(alpha, notify.RejectAnswer{ID: second.ID, Reason: "no"})
	state("waiting")
	settle(second)
	state("working")
	if n := len(d.last); n != 2 || d.last[1].Session == nil || d.last[1].By != "alpha" {
		t.Errorf("told of as %+v", d.last)
	}

	// What only its terminal can answer is waited for as well.
	say("waiting")
	there := d.publish(notify.Publish{Session: "s", Content: notify.Content{Title: "Asks", Event: &notify.Event{Type: notify.EventClarificationRequested, Occurrence: "1"}}})
	settle(d.publish(notify.Publish{Session: "s", Content: yesNo()}))
	state("waiting")
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: there.ID}})
	settle(d.publish(notify.Publish{Session: "s", Content: yesNo()}))
	state("working")

	// Any other word of the agent's stays, and what belongs to no session changes none.
	say("idle")
	settle(d.publish(notify.Publish{Session: "s", Content: yesNo()}))
	state("idle")
	say("waiting")
	settle(d.publish(notify.Publish{Session: "other", Content: yesNo()}))
	settle(d.publish(notify.Publish{Content: yesNo()}))
	state("waiting")
}

// TestStatesOfSessions holds that the center changes an agent's word for its session with an answer only: from waiting to
// working when it was delivered and nothing is asked there, and back when its producer refuses it.
//
// Proves: A4
func TestStatesOfSessions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife()
		l.run(t, func(c notify.Command, d notify.Decision, err error) {
			for _, ch := range d.Changes {
				if ch.Session == nil || ch.Removed {
					continue
				}
				was := ""
				if s, ok := l.all.Session(ch.Session.Ref()); ok {
					was = s.State
				}
				switch c.Op.(type) {
				case notify.PutSession:
					continue
				case notify.DeliverAnswer:
					if was != notify.SessionWaiting || ch.Session.State != notify.SessionWorking {
						t.Fatalf("an answer was delivered, and the session went from %q to %q", was, ch.Session.State)
					}
					for r := range l.all.Pending(ch.Session.Ref()) {
						if r.Asks() && !r.Silent {
							t.Fatalf("the session works, and %s asks there", r.ID)
						}
					}
				case notify.RejectAnswer:
					if ch.Session.State != was && (was != notify.SessionWorking || ch.Session.State != notify.SessionWaiting) {
						t.Fatalf("an answer was refused, and the session went from %q to %q", was, ch.Session.State)
					}
				default:
					if ch.Session.State != was {
						t.Fatalf("%T: the session went from %q to %q", c.Op, was, ch.Session.State)
					}
				}
			}
		}, nil)
	})
}
