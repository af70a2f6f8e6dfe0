package notify_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"signalbox/notify"
)

func told(session, typ, occurrence string) notify.Publish {
	return notify.Publish{Session: session, Content: notify.Content{Title: "T", Event: event(typ, occurrence)}}
}

// Proves: A1
func TestEvents(t *testing.T) {
	d := newDesk(t)
	d.publish(told("s", notify.EventTurnFinished, "1"))
	d.publish(told("", notify.EventUpdateAvailable, "v2"))
	d.publish(told("", "acme.thing_happened", "1")) // any namespaced type
	for _, c := range []struct{ field, session, typ, occurrence string }{
		{"/session", "", notify.EventClarificationRequested, "1"},
		{"/session", "s", notify.EventUpdateAvailable, "1"},
		{"/event/type", "s", "", "1"},
		{"/event/type", "s", "idle", "1"},
		{"/event/type", "s", "Session.TurnFinished", "1"},
		{"/event/type", "s", "session..x", "1"},
		{"/event/occurrence", "s", notify.EventTurnFinished, ""},
	} {
		d.field(c.field, alpha, told(c.session, c.typ, c.occurrence))
	}
	e := d.refused(notify.CodeRetiredEvent, alpha, told("s", notify.EventWaitingForInput, "1"))
	if len(e.Fields) != 1 || e.Fields[0].Field != "/event/type" {
		t.Errorf("the field at fault is %v", e.Fields)
	}
	r := d.publish(notify.Publish{})
	d.field("/event/type", alpha, notify.Update{ID: r.ID, Fields: []string{"event"}, Changes: notify.Content{Event: event(notify.EventWaitingForInput, "1")}})
}

// Proves: A1
func TestRetiredSubscriptions(t *testing.T) {
	in := []notify.Subscription{
		{Provider: "toast", Events: []string{notify.EventWaitingForInput}},
		{Provider: "sound", Events: []string{notify.EventTurnFailed, notify.EventWaitingForInput, notify.EventClarificationRequested}},
		{Provider: "in_app"},
		{Provider: "in_app", Events: []string{}},
	}
	got := notify.MigrateSubscriptions(in)
	want := [][]string{{notify.EventClarificationRequested}, {notify.EventTurnFailed, notify.EventClarificationRequested}, nil, {}}
	for i := range want {
		if !reflect.DeepEqual(got[i].Events, want[i]) {
			t.Errorf("%d: %#v, want %#v", i, got[i].Events, want[i])
		}
	}
	if in[0].Events[0] != notify.EventWaitingForInput {
		t.Error("the argument was modified")
	}
	d := newDesk(t)
	d.ok(notify.Owner, notify.SetSettings{Subscriptions: &in})
	if got := d.m.Settings().Subscriptions[0].Events; !slices.Equal(got, want[0]) {
		t.Errorf("set as %v", got)
	}
}

// Proves: A2
func TestEventsAreToldOnce(t *testing.T) {
	d := newDesk(t)
	first := d.publish(told("s", notify.EventTurnFinished, "1"))
	replay := func(what string, id string) {
		t.Helper()
		p := told("s", notify.EventTurnFinished, "1")
		p.Key, p.Content.Title = "another", "Another"
		res := d.ok(alpha, p)
		if res.Verdict != notify.Unchanged || res.Record.ID != id || len(d.last) != 0 {
			t.Errorf("replayed %s: %s, %s, %v", what, res.Verdict, res.Record.ID, names(d.last))
		}
	}
	replay("at once", first.ID)
	d.ok(notify.Owner, notify.Dismiss{ID: first.ID, Expect: rev(1)})
	replay("after its dismissal", first.ID)
	d.ok(notify.Center, notify.Prune{IDs: []string{first.ID}})
	replay("after it was pruned", first.ID)
	// Another turn, another session, another type: each is told.
	ids := map[string]bool{first.ID: true}
	for _, p := range []notify.Publish{told("s", notify.EventTurnFinished, "2"), told("s2", notify.EventTurnFinished, "1"), told("s", notify.EventTurnFailed, "1")} {
		ids[d.publish(p).ID] = true
	}
	if len(ids) != 4 {
		t.Errorf("%d records", len(ids))
	}
	// An update can't take an occurrence that was told.
	r := d.publish(notify.Publish{Session: "s"})
	d.field("/event/occurrence", alpha, notify.Update{ID: r.ID, Fields: []string{"event"}, Changes: notify.Content{Event: event(notify.EventTurnFinished, "2")}})
	d.ok(alpha, notify.Update{ID: r.ID, Fields: []string{"event"}, Changes: notify.Content{Event: event(notify.EventTurnFinished, "3")}})
	if res := d.ok(alpha, told("s", notify.EventTurnFinished, "3")); res.Verdict != notify.Unchanged || res.Record.ID != r.ID {
		t.Error("an occurrence that an update told is told again")
	}
}

// Proves: A2, L4
func TestIdempotencyKeys(t *testing.T) {
	d := newDesk(t)
	p := notify.Publish{Key: "k", IdempotencyKey: "i", Digest: []byte("1"), Content: notify.Content{Title: "T"}}
	r := d.publish(p)
	if res := d.ok(alpha, p); res.Verdict != notify.Unchanged || res.Record.ID != r.ID || res.Record.Revision != 1 || len(d.last) != 0 {
		t.Errorf("again: %s, revision %d", res.Verdict, res.Record.Revision)
	}
	other := p
	other.Digest = []byte("2")
	d.refused(notify.CodeIdempotencyMismatch, alpha, other)
	d.ok(notify.Owner, notify.CreateConnection{ID: "beta", Label: "B"})
	if res := d.ok(notify.Producer("beta"), other); res.Verdict != notify.Created { // keys of others are others
		t.Errorf("another connection: %s", res.Verdict)
	}
}

// Proves: A4
func TestSessionsNeedTheOwner(t *testing.T) {
	d := newDesk(t)
	need := func(want notify.Need) {
		t.Helper()
		if got := d.need("s"); got != want {
			t.Errorf("it needs the owner for %q, want %q", got, want)
		}
	}
	session := func() *notify.Session {
		s, _ := d.m.Session(notify.SessionRef{Connection: "alpha", Session: "s"})
		return s
	}
	d.publish(notify.Publish{Session: "s"}) // a notice concerns nobody's turn
	need("")
	r := d.publish(told("s", notify.EventTurnFinished, "1"))
	need(notify.NeedReply)
	if r.Position != 1 || session().Sequence != 1 {
		t.Errorf("position %d of %d", r.Position, session().Sequence)
	}
	d.publish(told("s", notify.EventTurnFailed, "2"))
	need(notify.NeedFailed)
	q := told("s", notify.EventClarificationRequested, "3")
	q.Content = yesNo()
	q.Content.Event = event(notify.EventClarificationRequested, "3")
	ask := d.publish(q)
	need(notify.NeedConfirm)
	if a := d.m.Attention(d.now); a.Confirm != 1 || a.Failed != 0 || a.Reply != 0 {
		t.Errorf("the badge says %+v", a.Counts)
	}
	// Seeing settles reply and failed, and not confirm.
	see := func(n int64) { d.ok(notify.Owner, notify.SeeSession{Connection: "alpha", Session: "s", Sequence: n}) }
	see(3)
	need(notify.NeedConfirm)
	d.ok(notify.Owner, notify.AnswerOp{ID: ask.ID, Answer: answer("yes", "", nil)})
	need("")
	d.publish(told("s", notify.EventTurnFinished, "4"))
	see(3) // an older position settles nothing, and goes not back
	see(1)
	need(notify.NeedReply)
	if session().Seen != 3 {
		t.Errorf("seen: %d", session().Seen)
	}
	see(1000) // nobody has seen what is yet to come
	need("")
	if session().Seen != session().Sequence {
		t.Errorf("seen %d of %d", session().Seen, session().Sequence)
	}
	d.publish(told("s", notify.EventTurnFinished, "5"))
	need(notify.NeedReply)
	// Writing there settles it as well.
	d.publish(told("s", notify.EventPromptSubmitted, "6"))
	need("")
	// Told once per turn: the position that was told only grows.
	d.ok(notify.Center, notify.TellSession{Connection: "alpha", Session: "s", Sequence: 4})
	if res := d.ok(notify.Center, notify.TellSession{Connection: "alpha", Session: "s", Sequence: 2}); res.Verdict != notify.Unchanged || session().Told != 4 {
		t.Errorf("told: %d", session().Told)
	}
	// A request for clarification that can be answered in the terminal only needs confirming too; seeing
	// it does not do.
	told1 := d.publish(told("s", notify.EventClarificationRequested, "9"))
	need(notify.NeedConfirm)
	see(1000)
	need(notify.NeedConfirm)
	if a := d.m.Attention(d.now); a.Waiting != 0 {
		t.Errorf("nothing can be answered here, and %d wait", a.Waiting)
	}
	d.publish(told("s", notify.EventPromptSubmitted, "10"))
	need("")
	d.is(told1.ID, notify.Resolved, notify.OutcomeResolved)
	// A producer's own sequence goes forward only.
	n := int64(50)
	d.ok(alpha, notify.PutSession{Session: "s", Sequence: &n})
	n = 7
	if res := d.ok(alpha, notify.PutSession{Session: "s", Sequence: &n}); res.Session.Sequence != 50 || res.Verdict != notify.Unchanged {
		t.Errorf("its sequence is %d", res.Session.Sequence)
	}
	// What a sub-agent says, or what is silent, concerns nobody.
	sub := told("s", notify.EventTurnFinished, "7")
	sub.Content.Tags = []string{notify.TagSubagent}
	d.publish(sub)
	quiet := told("s", notify.EventTurnFinished, "8")
	quiet.Content.Silent = true
	d.publish(quiet)
	need("")
	d.refused(notify.CodeNotFound, notify.Owner, notify.SeeSession{Connection: "alpha", Session: "none"})
}

// Proves: A5
func TestSilentMutedSnoozed(t *testing.T) {
	d := newDesk(t)
	silent := d.publish(notify.Publish{Content: notify.Content{Title: "S", Silent: true}})
	muted := d.publish(notify.Publish{Muted: true})
	snoozed := d.publish(notify.Publish{Muted: true, SnoozeUntil: start.Add(time.Minute)})
	plain := d.publish(notify.Publish{})
	counts := func(unread, muted, snoozed int) {
		t.Helper()
		a := d.m.Attention(d.now)
		if a.Unread != unread || a.Muted != muted || a.Snoozed != snoozed || a.Pending != 4 {
			t.Errorf("the badge says %+v, want unread %d, muted %d, snoozed %d", a.Counts, unread, muted, snoozed)
		}
	}
	counts(1, 1, 1)
	if got := (notify.Filter{}).Match(silent); got {
		t.Error("a list has it, though silent")
	}
	if !(notify.Filter{IncludeSilent: true}).Match(silent) {
		t.Error("a list of all lacks it")
	}
	if rail := d.m.Rail(notify.SessionRef{}, d.now).Application; len(rail) != 1 || rail[0].ID != plain.ID {
		t.Errorf("the rail has %d", len(rail))
	}
	// A restart and a sleep later, the snoozed one is back: once, unmuted, on top.
	if due := d.m.NextDue(); !due.Equal(start.Add(time.Minute)) {
		t.Errorf("due at %v", due)
	}
	d.later(8 * time.Hour)
	counts(2, 1, 0) // by the clock alone, before any sweep
	again := notify.NewMemory()
	again.Load(d.m.Sequence(), slices.Collect(d.m.Connections()), nil, slices.Collect(d.m.Pending(notify.SessionRef{})), nil, d.m.Settings())
	d.m = again
	d.ok(notify.Center, notify.Tick{})
	got := d.get(snoozed.ID)
	if got.Muted || !got.SnoozeUntil.IsZero() || !got.ResurfacedAt.Equal(d.now) || got.Revision != 1 {
		t.Errorf("it is back as %+v", got)
	}
	d.ok(notify.Center, notify.Tick{})
	if slices.Contains(names(d.last), notify.EvResurfaced) {
		t.Error("it came back twice")
	}
	counts(2, 1, 0)
	if rail := d.m.Rail(notify.SessionRef{}, d.now).Application; len(rail) != 2 || rail[0].ID != snoozed.ID {
		t.Error("it is not on top")
	}
	d.ok(notify.Owner, notify.SetMuted{ID: muted.ID})
	counts(3, 0, 0)
	// What the owner did stays when the producer goes on; a snooze that is shorter than now is none.
	d.ok(notify.Owner, notify.Snooze{ID: plain.ID, Until: d.now.Add(time.Hour)})
	d.ok(alpha, notify.Update{ID: plain.ID, Fields: []string{"title"}, Changes: notify.Content{Title: "New"}})
	counts(2, 0, 1)
	if p := d.publish(notify.Publish{Key: "k", SnoozeUntil: d.now}); !p.SnoozeUntil.IsZero() {
		t.Error("born snoozed until now")
	}
	for _, s := range []notify.Snooze{{}, {For: -1}, {For: time.Hour, Until: d.now.Add(time.Hour)}, {Until: d.now}, {For: notify.MaxSnooze + 1}} {
		s.ID = plain.ID
		if _, err := d.do(notify.Owner, s); notify.CodeOf(err) != notify.CodeInvalidField {
			t.Errorf("%+v: %v", s, err)
		}
	}
	d.ok(notify.Owner, notify.Unsnooze{ID: plain.ID})
	if got := names(d.last); len(got) != 1 || got[0] != notify.EvResurfaced {
		t.Errorf("unsnoozing did %v", got)
	}
	d.ok(notify.Owner, notify.SetMuted{ID: plain.ID, Muted: true})
	d.ok(notify.Owner, notify.Snooze{ID: plain.ID, For: time.Hour})
	if r := d.ok(notify.Owner, notify.Unsnooze{ID: plain.ID}).Record; r.Muted || r.Read || !r.ResurfacedAt.Equal(d.now) {
		t.Errorf("unsnoozed as %+v", r)
	}
	if d.ok(notify.Owner, notify.Unsnooze{ID: plain.ID}).Verdict != notify.Unchanged {
		t.Error("unsnoozing again is a change")
	}
}

// Proves: A7
func TestReadIsNoStatus(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{})
	d.ok(notify.Owner, notify.SetRead{ID: r.ID, Read: true})
	d.is(r.ID, notify.Pending, "")
	if len(d.last) != 1 || d.last[0].Name != notify.EvRead || d.m.Attention(d.now).Unread != 0 {
		t.Errorf("reading did %v", names(d.last))
	}
	if d.ok(notify.Owner, notify.SetRead{ID: r.ID, Read: true}).Verdict != notify.Unchanged {
		t.Error("reading again is a change")
	}
	d.ok(notify.Owner, notify.SetRead{ID: r.ID})
	if d.m.Attention(d.now).Unread != 1 {
		t.Error("it is not unread again")
	}
	d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
	d.ok(notify.Owner, notify.SetRead{ID: r.ID, Read: true}) // in history too
	d.is(r.ID, notify.Dismissed, notify.OutcomeDismissed)
}

// Proves: A9
func TestAnsweredInTheTerminal(t *testing.T) {
	prompt := func(d *desk, session, occurrence string) *notify.Record {
		p := told(session, notify.EventClarificationRequested, occurrence)
		p.Content = yesNo()
		p.Content.Event, p.Content.Request = event(notify.EventClarificationRequested, occurrence), "call-"+occurrence
		return d.publish(p)
	}
	for _, typ := range []string{notify.EventTurnFinished, notify.EventTurnFailed, notify.EventPromptSubmitted} {
		t.Run(typ, func(t *testing.T) {
			d := newDesk(t)
			a, b := prompt(d, "s", "1"), prompt(d, "s2", "1")
			own := d.publish(notify.Publish{Session: "s", Content: yesNo()}) // asked by a script, not by the agent
			notice := d.publish(notify.Publish{Session: "s"})
			d.publish(told("s", typ, "turn-7"))
			d.is(a.ID, notify.Resolved, notify.OutcomeResolved)
			if got := d.get(a.ID).Outcome.Reason; got != "answered in the terminal, as "+typ+" (turn-7) showed" {
				t.Errorf("the reason is %q", got)
			}
			for _, r := range []*notify.Record{b, own, notice} {
				d.is(r.ID, notify.Pending, "")
			}
			// A late duplicate reopens nothing.
			if res := d.ok(alpha, told("s", notify.EventClarificationRequested, "1")); res.Verdict != notify.Unchanged {
				t.Errorf("a late duplicate: %s", res.Verdict)
			}
			d.is(a.ID, notify.Resolved, notify.OutcomeResolved)
			// What was asked after is not touched by a replay.
			c := prompt(d, "s", "2")
			d.ok(alpha, told("s", typ, "turn-7"))
			d.is(c.ID, notify.Pending, "")
		})
	}
	t.Run("its tool ran", func(t *testing.T) {
		d := newDesk(t)
		a, b := prompt(d, "s", "1"), prompt(d, "s", "2")
		p := told("s", notify.EventToolFinished, "x")
		p.Content.Request = "call-1"
		d.publish(p)
		d.is(a.ID, notify.Resolved, notify.OutcomeResolved)
		d.is(b.ID, notify.Pending, "")
	})
	t.Run("after its own deadline", func(t *testing.T) {
		d := newDesk(t)
		p := told("s", notify.EventClarificationRequested, "1")
		p.Content = question(notify.Interaction{TimeoutSeconds: 60})
		p.Content.Event = event(notify.EventClarificationRequested, "1")
		a := d.publish(p)
		d.later(time.Hour)
		d.publish(told("s", notify.EventTurnFinished, "x"))
		d.is(a.ID, notify.Expired, notify.OutcomeTimedOut) // a timeout is told as one (I8)
	})
	t.Run("a sub-agent's turn", func(t *testing.T) {
		d := newDesk(t)
		a := prompt(d, "s", "1")
		p := told("s", notify.EventTurnFinished, "x")
		p.Content.Tags = []string{notify.TagSubagent}
		d.publish(p)
		d.is(a.ID, notify.Pending, "")
	})
	t.Run("another sender's turn", func(t *testing.T) {
		d := newDesk(t)
		p := told("s", notify.EventClarificationRequested, "1")
		p.Content = yesNo()
		p.Content.Event, p.Content.Sender = event(notify.EventClarificationRequested, "1"), "explorer"
		a := d.publish(p)
		d.publish(told("s", notify.EventTurnFinished, "x"))
		d.is(a.ID, notify.Pending, "") // in the background it may wait beyond the turn
	})
	t.Run("the end of a turn that is silent", func(t *testing.T) {
		d := newDesk(t)
		a := prompt(d, "s", "1")
		p := told("s", notify.EventTurnFinished, "x")
		p.Content.Silent = true
		d.publish(p)
		d.is(a.ID, notify.Pending, "")
	})
	t.Run("the session ended", func(t *testing.T) {
		d := newDesk(t)
		a, b, c := prompt(d, "s", "1"), prompt(d, "s2", "1"), d.publish(notify.Publish{})
		n := d.publish(notify.Publish{Session: "s"})
		if got := d.ok(alpha, notify.EndSession{Session: "s"}).Count; got != 2 {
			t.Errorf("ended %d", got)
		}
		for _, r := range []*notify.Record{a, n} {
			d.is(r.ID, notify.Resolved, notify.OutcomeResolved)
			if d.get(r.ID).Outcome.Reason == "" {
				t.Error("there is no reason")
			}
		}
		d.is(b.ID, notify.Pending, "") // its name merely begins alike
		d.is(c.ID, notify.Pending, "")
		d.refused(notify.CodeNotFound, alpha, notify.EndSession{Session: "s"})
	})
}

// Proves: A10
func TestEqualTextIsNoReason(t *testing.T) {
	d := newDesk(t)
	ids := map[string]bool{}
	for i := range 5 {
		p := notify.Publish{Session: "s", Content: yesNo()}
		p.Content.Event = event(notify.EventClarificationRequested, fmt.Sprint(i))
		ids[d.publish(p).ID] = true
	}
	for range 5 {
		ids[d.publish(notify.Publish{Session: "s", Content: yesNo()}).ID] = true
	}
	if v, _ := d.m.SessionView(notify.SessionRef{Connection: "alpha", Session: "s"}, d.now); len(ids) != 10 || v.Waiting != 10 {
		t.Errorf("%d of 10 are left, %d wait", len(ids), v.Waiting)
	}
}

// Proves: A13
func TestOldIsNotNew(t *testing.T) {
	d := newDesk(t)
	d.later(time.Hour)
	for _, c := range []struct {
		ago   time.Duration
		quiet bool
	}{{0, false}, {time.Minute, false}, {notify.ReplayQuietAfter, false}, {notify.ReplayQuietAfter + time.Millisecond, true}, {-time.Hour, false}} {
		at := d.now.Add(-c.ago)
		r := d.publish(notify.Publish{OccurredAt: at})
		var created notify.Change
		for _, ch := range d.last {
			if ch.Name == notify.EvCreated {
				created = ch
			}
		}
		if created.Quiet != c.quiet {
			t.Errorf("%v ago: quiet %v", c.ago, created.Quiet)
		}
		want := at
		if at.After(d.now) {
			want = d.now // nothing comes from the future
		}
		if !r.CreatedAt.Equal(want) || !r.UpdatedAt.Equal(d.now) {
			t.Errorf("%v ago: created %v, updated %v", c.ago, r.CreatedAt, r.UpdatedAt)
		}
		a := notify.Announce(notify.AnnounceInput{Change: created, Provider: notify.ProviderToast, Now: d.now})
		if (a.Act == notify.ActTell) == c.quiet {
			t.Errorf("%v ago: %+v", c.ago, a)
		}
	}
	// A question whose time was over before it came is over.
	q := notify.Publish{OccurredAt: d.now.Add(-10 * time.Minute), Content: question(notify.Interaction{TimeoutSeconds: 60})}
	r := d.publish(q)
	d.is(r.ID, notify.Expired, notify.OutcomeTimedOut)
}
