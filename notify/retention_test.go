package notify_test

import (
	"slices"
	"testing"
	"time"

	"signalbox/notify"
)

func retained(p notify.Policy, ttl time.Duration, request string) notify.Publish {
	return notify.Publish{Content: notify.Content{Title: "T", Request: request, Retention: notify.Retention{Policy: p, TTL: ttl}}}
}

// Proves: R1
func TestEveryRecordNamesItsEnd(t *testing.T) {
	d := newDesk(t)
	if r := d.publish(notify.Publish{}); r.Retention.Policy != notify.UntilResolved {
		t.Errorf("by default: %s", r.Retention.Policy)
	}
	if r := d.publish(retained(notify.TTL, 90*time.Second, "")); !r.Retention.Deadline.Equal(start.Add(90 * time.Second)) {
		t.Errorf("the deadline is %v", r.Retention.Deadline)
	}
	at := start.Add(time.Hour)
	both := retained(notify.TTL, time.Second, "")
	both.Content.Retention.Deadline = at
	d.field("/retention/deadline", alpha, both)
	d.field("/retention/policy", alpha, retained("forever", 0, ""))
	d.field("/retention/ttl_seconds", alpha, retained(notify.TTL, 0, ""))
	d.field("/retention/ttl_seconds", alpha, retained(notify.TTL, -time.Second, ""))
	d.field("/retention/policy", alpha, retained(notify.UntilResolved, time.Second, ""))
	d.field("/request", alpha, retained(notify.RequestBound, 0, ""))
	// A publication starts the TTL anew, an update of something else doesn't.
	p := retained(notify.TTL, time.Minute, "")
	p.Key = "k"
	r := d.publish(p)
	d.later(30 * time.Second)
	d.ok(alpha, notify.Update{ID: r.ID, Fields: []string{"title"}, Changes: notify.Content{Title: "New"}})
	if got := d.get(r.ID).Retention.Deadline; !got.Equal(start.Add(time.Minute)) {
		t.Errorf("after an update the deadline is %v", got)
	}
	if r := d.publish(p); !r.Retention.Deadline.Equal(start.Add(90 * time.Second)) {
		t.Errorf("after a publication the deadline is %v", r.Retention.Deadline)
	}
}

// Proves: R2, R5
func TestTTLIsAboutFreshViews(t *testing.T) {
	d := newDesk(t)
	r := d.publish(retained(notify.TTL, time.Minute, ""))
	if got := d.m.NextDue(); !got.Equal(start.Add(notify.OnlineFor)) { // the presence of the connection alone
		t.Errorf("something is due at %v", got)
	}
	there := func() bool {
		return slices.ContainsFunc(d.m.Rail(notify.SessionRef{}, d.now).Application, func(o *notify.Record) bool { return o.ID == r.ID })
	}
	d.later(time.Minute - time.Millisecond)
	if !there() || d.m.Attention(d.now).Unread != 1 {
		t.Error("it is gone before its deadline")
	}
	if got := d.m.NextShift(); !got.Equal(start.Add(time.Minute)) {
		t.Errorf("the counts change at %v", got)
	}
	d.later(time.Millisecond)
	seq := d.m.Sequence()
	d.ok(notify.Center, notify.Tick{})
	if d.m.Sequence() != seq {
		t.Errorf("the deadline changed something: %v", names(d.last))
	}
	if there() || d.m.Attention(d.now).Unread != 0 {
		t.Error("a fresh view shows it after its deadline")
	}
	d.is(r.ID, notify.Pending, "")
	// It is as good as any for its producer.
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: r.ID}})
}

// Proves: R2. T26: a clock that runs a day ahead for a minute loses nothing.
func TestClockSetBack(t *testing.T) {
	d := newDesk(t)
	d.publish(retained(notify.TTL, time.Hour, ""))
	d.publish(notify.Publish{SnoozeUntil: start.Add(2 * time.Hour)})
	unread := func(want int) {
		t.Helper()
		a, rail := d.m.Attention(d.now), d.m.Rail(notify.SessionRef{}, d.now)
		if a.Unread != want || len(rail.Application) != want {
			t.Errorf("unread: %d, on the rail: %d, want %d", a.Unread, len(rail.Application), want)
		}
	}
	unread(1)
	d.later(90 * time.Minute)
	unread(0)
	d.now = start.Add(time.Minute)
	unread(1)
	d.later(3 * time.Hour)
	unread(1)
	d.later(-clockSlack / 2) // a caller that was a little late
	unread(1)
}

const clockSlack = 5 * time.Second

// A connection that a clock saw while it ran ahead is not there until that clock's time comes.
func TestPresenceAfterAClockThatRanAhead(t *testing.T) {
	d := newDesk(t)
	d.later(24 * time.Hour)
	d.ok(alpha, notify.Hello{Lifetime: "1"})
	d.later(-24 * time.Hour)
	presence := func() notify.Presence {
		c, _ := d.m.Connection("alpha")
		return c.PresenceAt(d.now)
	}
	if p := presence(); p != notify.Offline {
		t.Errorf("it is %s", p)
	}
	d.publish(notify.Publish{})
	if p := presence(); p != notify.Online {
		t.Errorf("after a publication it is %s", p)
	}
	d.later(notify.OnlineFor)
	if p := presence(); p != notify.Offline {
		t.Errorf("when it has gone it is %s", p)
	}
}

// Proves: R3
func TestRequestsAndLifetimes(t *testing.T) {
	d := newDesk(t)
	first := d.publish(retained(notify.ServerLifetime, 0, ""))
	if n := d.ok(alpha, notify.Hello{Lifetime: "one"}).Count; n != 0 { // the first is no other
		t.Errorf("the first lifetime expired %d", n)
	}
	bound := d.publish(retained(notify.ServerLifetime, 0, ""))
	other := d.publish(notify.Publish{})
	r1, r2 := d.publish(retained(notify.RequestBound, 0, "r1")), d.publish(retained(notify.RequestBound, 0, "r2"))
	named := notify.Publish{Content: notify.Content{Title: "T", Request: "r1"}} // belongs to it, and isn't bound to it
	free := d.publish(named)
	for range 3 {
		if n := d.ok(alpha, notify.Hello{Lifetime: "one"}).Count; n != 0 {
			t.Errorf("the same lifetime again expired %d", n)
		}
	}
	if n := d.ok(alpha, notify.CompleteRequest{Request: "r1"}).Count; n != 1 {
		t.Errorf("the request expired %d", n)
	}
	d.is(r1.ID, notify.Expired, notify.OutcomeExpired)
	for _, r := range []*notify.Record{r2, free, bound, other} {
		d.is(r.ID, notify.Pending, "")
	}
	if n := d.ok(alpha, notify.CompleteRequest{Request: "r1"}).Count; n != 0 {
		t.Errorf("again it expired %d", n)
	}
	if n := d.ok(alpha, notify.Hello{Lifetime: "two"}).Count; n != 2 {
		t.Errorf("another lifetime expired %d", n)
	}
	d.is(first.ID, notify.Expired, notify.OutcomeExpired)
	d.is(bound.ID, notify.Expired, notify.OutcomeExpired)
	d.is(other.ID, notify.Pending, "")
	d.field("/lifetime", alpha, notify.Hello{})
	d.field("/request", alpha, notify.CompleteRequest{})
	d.field("/callback_url", alpha, func() notify.Hello { u := "https://example.com/x"; return notify.Hello{Lifetime: "x", CallbackURL: &u} }())
}

// Proves: R4
func TestPruning(t *testing.T) {
	d := newDesk(t)
	done := d.publish(notify.Publish{})
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: done.ID}})
	pending := d.publish(notify.Publish{})
	waiting := d.publish(notify.Publish{Content: yesNo()})
	lapsed := d.publish(retained(notify.TTL, time.Minute, ""))
	lasting := d.publish(retained(notify.TTL, 1000*time.Hour, ""))
	d.later(100 * time.Hour)
	res := d.ok(notify.Center, notify.Prune{IDs: []string{done.ID, pending.ID, waiting.ID, lapsed.ID, lasting.ID, "none"}})
	if res.Count != 2 {
		t.Errorf("pruned %d", res.Count)
	}
	if got := names(d.last); !slices.Equal(got, []notify.EventName{notify.EvPruned, notify.EvExpired, notify.EvPruned}) {
		t.Errorf("what is pending expires first: %v", got)
	}
	for _, r := range []*notify.Record{pending, waiting, lasting} {
		d.is(r.ID, notify.Pending, "")
	}
	for _, r := range []*notify.Record{done, lapsed} {
		if _, ok := d.m.Record(r.ID); ok {
			t.Errorf("%s is still there", r.ID)
		}
	}
}

// Proves: R4, D7
func TestPurge(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{Key: "k", Session: "s", Content: notify.Content{Title: "T", Event: event(notify.EventTurnFinished, "t"),
		Refresh: &notify.Refresh{SessionList: true}}})
	d.refused(notify.CodeForbidden, notify.Owner, notify.RemoveConnection{ID: "alpha"})
	d.ok(notify.Owner, notify.SetFocus{Focus: notify.SessionRef{Connection: "alpha", Session: "s"}})
	d.ok(notify.Owner, notify.RevokeConnection{ID: "alpha", Purge: true})
	d.refused(notify.CodeUnavailable, notify.Center, notify.RemoveConnection{ID: "alpha"})
	d.refused(notify.CodeUnavailable, notify.Owner, notify.RotateToken{ID: "alpha", TokenHash: []byte("x")})
	if n := d.ok(notify.Center, notify.Prune{IDs: []string{r.ID}}).Count; n != 1 {
		t.Errorf("pruned %d", n)
	}
	d.ok(notify.Center, notify.RemoveConnection{ID: "alpha"})
	if _, ok := d.m.Connection("alpha"); ok {
		t.Error("the connection is still there")
	}
	if n := len(slices.Collect(d.m.Sessions("alpha"))) + len(slices.Collect(d.m.Invalidations("alpha"))); n != 0 {
		t.Errorf("%d sessions and invalidations are still there", n)
	}
	if d.m.Settings().Focus != (notify.SessionRef{}) {
		t.Error("the focus is on what is gone")
	}
	if res := d.ok(notify.Center, notify.RemoveConnection{ID: "alpha"}); res.Verdict != notify.Unchanged {
		t.Errorf("again: %s", res.Verdict)
	}
	// One of the same name later is another.
	d.ok(notify.Owner, notify.CreateConnection{ID: "alpha", Label: "Alpha"})
	next := d.ok(alpha, notify.Publish{Key: "k", Session: "s", Content: notify.Content{Title: "T", Event: event(notify.EventTurnFinished, "t")}})
	if next.Verdict != notify.Created || next.Record.Occurrence != 1 {
		t.Errorf("%s, occurrence %d", next.Verdict, next.Record.Occurrence)
	}
}

// TestPurgeOnAnOverlay holds that a group of commands that removes a connection and registers one of
// the same name sees what the committed state will show.
//
// Proves: L8, R4
func TestPurgeOnAnOverlay(t *testing.T) {
	d := newDesk(t)
	d.ok(notify.Owner, notify.CreateConnection{ID: "beta", Label: "Beta"})
	p := notify.Publish{Key: "k", Session: "s", IdempotencyKey: "i", Digest: []byte("1"), Content: notify.Content{Title: "T", Event: event(notify.EventTurnFinished, "t")}}
	r := d.publish(p)
	o := notify.NewOverlay(d.m)
	var all []notify.Change
	for i, c := range []notify.Command{
		{By: notify.Owner, Op: notify.RevokeConnection{ID: "alpha", Purge: true}},
		{By: notify.Center, Op: notify.Prune{IDs: []string{r.ID}}},
		{By: notify.Center, Op: notify.RemoveConnection{ID: "alpha"}},
		{By: notify.Owner, Op: notify.CreateConnection{ID: "alpha", Label: "Another"}},
		{By: alpha, IDs: []string{"fresh"}, Op: p},
	} {
		c.At = d.now
		got, err := notify.Decide(o, d.rules, c)
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		if i == 4 && (got.Result.Verdict != notify.Created || got.Result.Record.Occurrence != 1) {
			t.Errorf("what was removed is remembered: %s", got.Result.Verdict)
		}
		o.Apply(got.Changes)
		all = append(all, got.Changes...)
	}
	d.m.Apply(all)
	ids := func(s notify.State) (out []string) {
		for c := range s.Connections() {
			out = append(out, c.ID+" "+c.Label)
		}
		return out
	}
	if want := []string{"beta Beta", "alpha Another"}; !slices.Equal(ids(o), want) || !slices.Equal(ids(d.m), want) {
		t.Errorf("connections: %v, and committed %v", ids(o), ids(d.m))
	}
	if x, y := slices.Collect(o.Sessions("alpha")), slices.Collect(d.m.Sessions("alpha")); !slices.Equal(x, y) || len(x) != 1 {
		t.Errorf("sessions: %v, and committed %v", x, y)
	}
}

// Proves: E1, E2, E3
func TestRefresh(t *testing.T) {
	d := newDesk(t)
	p := notify.Publish{Key: "k", Content: notify.Content{Title: "T", Refresh: &notify.Refresh{Sessions: []string{"s", "s2"}, SessionList: true, Actions: true}}}
	asked := func() (ids []string) {
		for i := range d.m.Invalidations("alpha") {
			ids = append(ids, i.ID)
		}
		return ids
	}
	focus := d.m.Settings().Focus
	r := d.publish(p)
	all := []string{"actions", "session:s", "session:s2", "session_list"}
	if got := asked(); !slices.Equal(got, all) {
		t.Fatalf("invalid: %v", got)
	}
	list, _ := d.m.Invalidation("alpha", "session_list")
	// The same again coalesces; an acknowledgement of the older one leaves it.
	d.publish(p)
	if got := asked(); !slices.Equal(got, all) {
		t.Errorf("again: %v", got)
	}
	if n := d.ok(alpha, notify.AckInvalidations{IDs: []string{"session_list"}, Through: list.Change}).Count; n != 0 {
		t.Error("an acknowledgement of the older request removed the newer")
	}
	if n := d.ok(alpha, notify.AckInvalidations{IDs: append(all, "none")}).Count; n != 4 || len(asked()) != 0 {
		t.Errorf("acknowledged %d, left %v", n, asked())
	}
	// The next revision does not inherit it, whoever makes it; an ended one does not repeat it.
	d.ok(alpha, notify.Update{ID: r.ID, Fields: []string{"title"}, Changes: notify.Content{Title: "New"}})
	if d.get(r.ID).Refresh != nil || len(asked()) != 0 {
		t.Errorf("after an update: %v, %v", d.get(r.ID).Refresh, asked())
	}
	d.publish(p)
	d.ok(alpha, notify.AckInvalidations{IDs: all})
	d.ok(notify.Owner, notify.SetRead{ID: r.ID, Read: true})
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: r.ID}})
	if d.get(r.ID).Refresh != nil || len(asked()) != 0 {
		t.Errorf("after the end: %v, %v", d.get(r.ID).Refresh, asked())
	}
	if d.m.Settings().Focus != focus {
		t.Error("a refresh moved the focus")
	}
}
