package notify_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"signalbox/notify"
)

// Proves: L1
func TestTerminalStaysTerminal(t *testing.T) {
	ends := map[string]struct {
		op     func(*notify.Record) (notify.Actor, notify.Op)
		status notify.Status
	}{
		"dismissed": {func(r *notify.Record) (notify.Actor, notify.Op) {
			return notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)}
		}, notify.Dismissed},
		"resolved": {func(r *notify.Record) (notify.Actor, notify.Op) {
			return alpha, notify.Resolve{Target: notify.Target{ID: r.ID}}
		}, notify.Resolved},
		"expired": {func(r *notify.Record) (notify.Actor, notify.Op) {
			return alpha, notify.Expire{Target: notify.Target{ID: r.ID}}
		}, notify.Expired},
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			d.ok(alpha, notify.Hello{Lifetime: "one"})
			r := d.publish(notify.Publish{Content: notify.Content{Title: "T", Request: "r",
				Retention: notify.Retention{Policy: notify.ServerLifetime}}})
			d.ok(end.op(r))
			d.is(r.ID, end.status, notify.OutcomeKind(end.status))
			ended := d.get(r.ID)
			// Every later boundary passes it by.
			d.later(100 * 24 * time.Hour)
			d.ok(notify.Center, notify.Tick{})
			d.ok(alpha, notify.Hello{Lifetime: "two"})
			d.ok(alpha, notify.CompleteRequest{Request: "r"})
			for other, op := range ends {
				if other == name {
					continue
				}
				by, what := op.op(r)
				if e := d.refused(notify.CodeTerminal, by, what); e.Current == nil || e.Current.ID != r.ID {
					t.Errorf("%s after %s: the refusal has no record", other, name)
				}
			}
			d.refused(notify.CodeTerminal, alpha, notify.Update{ID: r.ID, Changes: notify.Content{Title: "New"}, Fields: []string{"title"}})
			if got := d.get(r.ID); got != ended {
				t.Errorf("it changed: %+v", got)
			}
			// The same ending again is a success that changes nothing.
			if got := d.ok(end.op(r)); got.Verdict != notify.Unchanged || len(d.last) != 0 {
				t.Errorf("again: %s, %d changes", got.Verdict, len(d.last))
			}
		})
	}
}

// Proves: L2
func TestScopes(t *testing.T) {
	d := newDesk(t)
	if r := d.publish(notify.Publish{}); r.Scope != notify.ScopeApplication || r.Session != "" {
		t.Errorf("without a session: %s %q", r.Scope, r.Session)
	}
	if r := d.publish(notify.Publish{Session: "s"}); r.Scope != notify.ScopeSession || r.Session != "s" {
		t.Errorf("with a session: %s %q", r.Scope, r.Session)
	}
	if _, ok := d.m.Session(notify.SessionRef{Connection: "alpha", Session: "s"}); !ok {
		t.Error("the session that was named is not there")
	}
	d.field("/session", alpha, notify.Publish{Scope: notify.ScopeSession, Content: notify.Content{Title: "T"}})
	d.field("/session", alpha, notify.Publish{Scope: notify.ScopeApplication, Session: "s", Content: notify.Content{Title: "T"}})
	d.field("/scope", alpha, notify.Publish{Scope: "world", Content: notify.Content{Title: "T"}})
}

// Proves: L3, A7
func TestRevisions(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{Key: "k"})
	if r.Revision != 1 {
		t.Fatalf("the first revision is %d", r.Revision)
	}
	// What the owner does with an item is no change of its content.
	for _, op := range []notify.Op{
		notify.SetRead{ID: r.ID, Read: true}, notify.SetMuted{ID: r.ID, Muted: true}, notify.SetMuted{ID: r.ID},
		notify.Snooze{ID: r.ID, For: time.Minute}, notify.Unsnooze{ID: r.ID}, notify.SetRead{ID: r.ID, Read: true},
	} {
		d.later(time.Second)
		change := d.get(r.ID).Change
		d.ok(notify.Owner, op)
		got := d.get(r.ID)
		if got.Revision != 1 || got.Change <= change || !got.UpdatedAt.Equal(d.now) || !got.ContentAt.Equal(start) {
			t.Errorf("after %T: revision %d, change %d, updated %v, content %v", op, got.Revision, got.Change, got.UpdatedAt, got.ContentAt)
		}
	}
	d.ok(alpha, notify.Update{ID: r.ID, Changes: notify.Content{Title: "New"}, Fields: []string{"title"}})
	if got := d.get(r.ID); got.Revision != 2 || got.Title != "New" || got.Read {
		t.Errorf("after an update: revision %d, %q, read %v", got.Revision, got.Title, got.Read)
	}
	// A change of nothing is none.
	if res := d.ok(alpha, notify.Update{ID: r.ID}); res.Verdict != notify.Unchanged || res.Record.Revision != 2 {
		t.Errorf("an update of nothing: %s, revision %d", res.Verdict, res.Record.Revision)
	}
	// Progress that was read stays read.
	p := d.publish(notify.Publish{Key: "p", Content: notify.Content{Title: "P", Kind: notify.KindProgress, Progress: &notify.Progress{Current: 1}}})
	d.ok(notify.Owner, notify.SetRead{ID: p.ID, Read: true})
	p = d.publish(notify.Publish{Key: "p", Content: notify.Content{Title: "P", Kind: notify.KindProgress, Progress: &notify.Progress{Current: 2}}})
	if !p.Read || p.Revision != 2 {
		t.Errorf("progress: read %v, revision %d", p.Read, p.Revision)
	}
}

// Proves: L4, L6
func TestKeys(t *testing.T) {
	d := newDesk(t)
	first := d.publish(notify.Publish{Key: "k", Content: notify.Content{Title: "Same"}})
	for i := 2; i <= 100; i++ {
		res := d.ok(alpha, notify.Publish{Key: "k", Content: notify.Content{Title: "Same"}})
		if res.Verdict != notify.Updated || res.Record.ID != first.ID || res.Record.Revision != i {
			t.Fatalf("publication %d: %s, %s, revision %d", i, res.Verdict, res.Record.ID, res.Record.Revision)
		}
	}
	// The same key elsewhere is another.
	for _, p := range []notify.Publish{{Key: "k", Session: "s"}, {Key: "k", Session: "s2"}} {
		if r := d.publish(p); r.ID == first.ID || r.Revision != 1 || r.Occurrence != 1 {
			t.Errorf("in session %q: %s, revision %d", p.Session, r.ID, r.Revision)
		}
	}
	// What ended does not stand in the way, though the text is the same.
	d.ok(notify.Owner, notify.Dismiss{ID: first.ID, Expect: rev(100)})
	res := d.ok(alpha, notify.Publish{Key: "k", Content: notify.Content{Title: "Same"}})
	if res.Verdict != notify.Created || res.Record.ID == first.ID || res.Record.Revision != 1 || res.Record.Occurrence != 2 {
		t.Fatalf("after the end: %s, %+v", res.Verdict, res.Record)
	}
	// Also not once it is out of history: the number goes on.
	d.ok(alpha, notify.Resolve{Target: notify.Target{Key: "k"}})
	d.ok(notify.Center, notify.Prune{IDs: []string{first.ID, res.Record.ID}})
	if r := d.publish(notify.Publish{Key: "k"}); r.Occurrence != 3 {
		t.Errorf("after pruning the occurrence is %d", r.Occurrence)
	}
	// Without a key every publication is another.
	if a, b := d.publish(notify.Publish{}), d.publish(notify.Publish{}); a.ID == b.ID || a.Occurrence != 1 || b.Occurrence != 1 {
		t.Error("publications without a key met")
	}
	if e := d.refused(notify.CodeNotFound, alpha, notify.Resolve{Target: notify.Target{Key: "none"}}); e.Code == "" {
		t.Error("resolving a key without a pending occurrence")
	}
}

// Proves: L5
func TestExpectedRevisions(t *testing.T) {
	d := newDesk(t)
	d.publish(notify.Publish{Key: "k", Expect: rev(0)}) // nothing is pending, as expected
	r := d.publish(notify.Publish{Key: "k", Expect: rev(1)})
	for _, n := range []int{0, 1, 3} {
		e := d.refused(notify.CodeRevisionConflict, alpha, notify.Publish{Key: "k", Content: notify.Content{Title: "T"}, Expect: rev(n)})
		if e.Current == nil || e.Current.Revision != 2 {
			t.Errorf("expecting %d: the conflict shows %+v", n, e.Current)
		}
		d.refused(notify.CodeRevisionConflict, alpha, notify.Update{ID: r.ID, Fields: []string{"title"}, Changes: notify.Content{Title: "X"}, Expect: rev(n)})
		d.refused(notify.CodeRevisionConflict, alpha, notify.Resolve{Target: notify.Target{ID: r.ID}, Expect: rev(n)})
	}
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: r.ID}, Expect: rev(2)})
	e := d.refused(notify.CodeRevisionConflict, alpha, notify.Publish{Key: "k", Content: notify.Content{Title: "T"}, Expect: rev(2)})
	if e.Current == nil || e.Current.Status != notify.Resolved {
		t.Errorf("after the end the conflict shows %+v", e.Current)
	}
}

// Proves: L7
func TestImport(t *testing.T) {
	d := newDesk(t)
	old := time.Date(2025, 1, 2, 3, 4, 5, 678e6, time.UTC)
	token := func(at time.Time) notify.Expectation { return notify.Expectation{Expect: true, UpdatedAt: at} }
	in := []*notify.Record{
		{ID: "x1", Connection: "elsewhere", Content: notify.Content{Title: "Old"}, CreatedAt: old, UpdatedAt: old},
		{ID: "x2", Connection: "elsewhere", Session: "s", Key: "k", Occurrence: 4, Revision: 7, Status: notify.Resolved, Content: notify.Content{Title: "Done"}, UpdatedAt: old},
		{ID: "x3", Connection: "elsewhere", Session: "s", Status: notify.Pending, Content: notify.Content{Title: "Waiting",
			Event: event(notify.EventWaitingForInput, "o")}, UpdatedAt: old},
	}
	if res := d.ok(notify.Owner, notify.Import{Records: in}); res.Count != 3 {
		t.Fatalf("imported %d", res.Count)
	}
	for _, c := range d.last {
		if c.Record != nil && !c.Quiet {
			t.Error("an import is announced")
		}
	}
	r := d.get("x1")
	if r.Revision != 0 || !r.UpdatedAt.Equal(old) || !r.CreatedAt.Equal(old) {
		t.Errorf("imported as revision %d, %v, %v", r.Revision, r.UpdatedAt, r.CreatedAt)
	}
	if got := d.get("x3").Event.Type; got != notify.EventClarificationRequested {
		t.Errorf("the retired event came in as %s", got)
	}
	c, ok := d.m.Connection("elsewhere")
	if !ok || c.PresenceAt(d.now) != notify.Missing {
		t.Errorf("its connection is %v", c)
	}
	// Its key goes on from where it was.
	if r := d.ok(notify.Owner, notify.Publish{Connection: "elsewhere", Session: "s", Key: "k", Content: notify.Content{Title: "Next"}}).Record; r.Occurrence != 5 {
		t.Errorf("the next occurrence is %d", r.Occurrence)
	}
	// The token is what is compared.
	d.refused(notify.CodeRevisionConflict, notify.Owner, notify.Dismiss{ID: "x1", Expect: token(old.Add(time.Millisecond))})
	d.refused(notify.CodeRevisionConflict, notify.Owner, notify.Dismiss{ID: "x1", Expect: rev(1)})
	d.ok(notify.Owner, notify.SetRead{ID: "x1", Read: true}) // no change of content: the token stays good
	u := notify.Update{ID: "x1", Fields: []string{"title"}, Changes: notify.Content{Title: "New"}, Expect: token(old)}
	if r := d.ok(notify.Owner, u).Record; r.Revision != 1 {
		t.Errorf("the first change gives revision %d", r.Revision)
	}
	d.refused(notify.CodeRevisionConflict, notify.Owner, u)
	d.ok(notify.Owner, notify.Dismiss{ID: "x1", Expect: rev(1)})
	// Again changes nothing.
	if res := d.ok(notify.Owner, notify.Import{Records: in}); res.Count != 0 || len(d.last) != 0 {
		t.Errorf("again: %d, %d changes", res.Count, len(d.last))
	}
}

// Proves: S5. What is counted on from an imported record can be: its numbers do not run over.
func TestImportedNumbersAreBounded(t *testing.T) {
	d := newDesk(t)
	for name, spoil := range map[string]func(*notify.Record){
		"/revision":          func(r *notify.Record) { r.Revision = math.MaxInt },
		"/occurrence":        func(r *notify.Record) { r.Occurrence = math.MaxInt },
		"/plus_ones_dropped": func(r *notify.Record) { r.PlusOnesDropped = -1 },
	} {
		r := &notify.Record{ID: "far", Connection: "alpha", Content: notify.Content{Title: "Far"}, Status: notify.Pending}
		spoil(r)
		e := d.refused(notify.CodeInvalidField, notify.Owner, notify.Import{Records: []*notify.Record{r}})
		if len(e.Fields) != 1 || !strings.HasSuffix(e.Fields[0].Field, name) {
			t.Errorf("%s: %+v", name, e.Fields)
		}
	}
}

// Proves: L7, L4
func TestImportBesidePending(t *testing.T) {
	d := newDesk(t)
	here := d.publish(notify.Publish{Key: "k"})
	res := d.ok(notify.Owner, notify.Import{Records: []*notify.Record{
		{ID: "x", Connection: "alpha", Key: "k", Occurrence: 9, Revision: 2, Content: yesNo(), UpdatedAt: start},
	}})
	if res.Count != 1 {
		t.Fatalf("imported %d", res.Count)
	}
	d.is("x", notify.Expired, notify.OutcomeExpired)
	d.is(here.ID, notify.Pending, "")
	e := d.refused(notify.CodeInvalidField, notify.Owner, notify.Import{Records: []*notify.Record{{ID: "y", Connection: "alpha"}}})
	if e.Fields[0].Field != "/records/0/title" {
		t.Errorf("the field at fault is %s", e.Fields[0].Field)
	}
}

// Proves: L8
func TestChangesAreNumbered(t *testing.T) {
	d := newDesk(t)
	seq := d.m.Sequence()
	r := d.publish(notify.Publish{Session: "s", Content: notify.Content{Title: "T", Refresh: &notify.Refresh{Actions: true}}})
	if len(d.last) < 3 {
		t.Fatalf("changes: %v", names(d.last))
	}
	for i, c := range d.last {
		if c.Seq != seq+int64(i)+1 || !c.At.Equal(d.now) || c.By != "alpha" {
			t.Errorf("change %d: %+v", i, c)
		}
		if c.Record != nil && c.Record.Change != c.Seq {
			t.Errorf("the record carries %d, the change is %d", c.Record.Change, c.Seq)
		}
	}
	if d.get(r.ID) != r {
		t.Error("the answer is not the record that is stored")
	}
}

// Proves: L9
func TestBatch(t *testing.T) {
	d := newDesk(t)
	r := d.publish(notify.Publish{Key: "a"})
	res := d.ok(alpha, notify.Batch{Ops: []notify.Op{
		notify.Publish{Key: "b", Content: notify.Content{Title: "B"}},
		notify.Publish{Key: "b", Content: notify.Content{Title: "B again"}}, // sees the first
		notify.Resolve{Target: notify.Target{Key: "b"}},
		notify.Update{ID: r.ID, Fields: []string{"title"}, Changes: notify.Content{Title: "A"}},
	}})
	var verdicts []notify.Verdict
	for _, one := range res.Results {
		verdicts = append(verdicts, one.Verdict)
	}
	if len(verdicts) != 4 || verdicts[0] != notify.Created || verdicts[1] != notify.Updated || res.Results[2].Record.Revision != 2 {
		t.Errorf("results: %v", verdicts)
	}
	seq := d.m.Sequence()
	_, err := d.do(alpha, notify.Batch{Ops: []notify.Op{
		notify.Publish{Key: "c", Content: notify.Content{Title: "C"}},
		notify.Resolve{Target: notify.Target{ID: r.ID}},
		notify.Resolve{Target: notify.Target{Key: "none"}},
	}})
	var e *notify.Error
	if !errors.As(err, &e) || e.Operation == nil || *e.Operation != 2 || e.Code != notify.CodeNotFound {
		t.Fatalf("refused with %v", err)
	}
	if d.m.Sequence() != seq || d.get(r.ID).Status != notify.Pending {
		t.Error("a refused batch changed something")
	}
	// What was decided on a session is refused where that moved meanwhile, and names what is newer.
	on := func(session string, through int64) notify.Batch {
		return notify.Batch{Session: notify.SessionRef{Connection: "alpha", Session: session}, Through: through, Ops: []notify.Op{
			notify.Publish{Session: "s", Content: notify.Content{Title: "Decided", Silent: true}},
		}}
	}
	d.ok(alpha, on("s", 0)) // nothing is there yet
	asked := d.publish(notify.Publish{Session: "s", Key: "asked"})
	if e := d.refused(notify.CodeRevisionConflict, alpha, on("s", asked.Change-1)); e.Current == nil || e.Current.ID != asked.ID {
		t.Errorf("the refusal shows %+v", e.Current)
	}
	d.ok(alpha, on("s2", 0))
	d.ok(alpha, on("s", asked.Change)) // what is silent does not count
	d.ok(notify.Owner, notify.SetRead{ID: asked.ID, Read: true})
	d.refused(notify.CodeRevisionConflict, alpha, on("s", asked.Change))
	d.ok(alpha, notify.Resolve{Target: notify.Target{ID: asked.ID}})
	d.ok(alpha, on("s", 0)) // nor what ended
	d.field("/session", alpha, on("\n", 0))
	d.field("/expected_change", alpha, on("s", -1))
	d.field("/session", alpha, on("", 1)) // of which session?
	d.field("/operations", alpha, notify.Batch{})
	d.field("/operations", alpha, notify.Batch{Ops: make([]notify.Op, notify.MaxBatch+1)})
	d.field("/op", alpha, notify.Batch{Ops: []notify.Op{notify.Batch{}}})
	// A producer's batch can't dismiss.
	if _, err := d.do(alpha, notify.Batch{Ops: []notify.Op{notify.Dismiss{ID: r.ID, Expect: rev(2)}}}); notify.CodeOf(err) != notify.CodeForbidden {
		t.Errorf("a producer dismisses: %v", err)
	}
}

// Proves: S3
func TestProducersStayWithTheirOwn(t *testing.T) {
	d := newDesk(t)
	d.ok(notify.Owner, notify.CreateConnection{ID: "beta", Label: "Beta"})
	r := d.publish(notify.Publish{Key: "k"})
	beta := notify.Producer("beta")
	d.refused(notify.CodeForbidden, beta, notify.Publish{Connection: "alpha", Content: notify.Content{Title: "T"}})
	d.refused(notify.CodeNotFound, beta, notify.Update{ID: r.ID, Fields: []string{"title"}, Changes: notify.Content{Title: "T"}})
	d.refused(notify.CodeNotFound, beta, notify.Resolve{Target: notify.Target{ID: r.ID}})
	d.refused(notify.CodeForbidden, beta, notify.Resolve{Target: notify.Target{Connection: "alpha", Key: "k"}})
	for _, op := range []notify.Op{
		notify.Dismiss{ID: r.ID, Expect: rev(1)}, notify.SetRead{ID: r.ID, Read: true}, notify.SetMuted{ID: r.ID, Muted: true},
		notify.Snooze{ID: r.ID, For: time.Hour}, notify.Unsnooze{ID: r.ID}, notify.SetAside{ID: r.ID},
		notify.AnswerOp{ID: r.ID}, notify.InvokeAction{ID: r.ID}, notify.Prune{IDs: []string{r.ID}}, notify.Tick{},
		notify.CreateConnection{Label: "X"}, notify.UpdateConnection{ID: "alpha"}, notify.RevokeConnection{ID: "alpha"},
		notify.RotateToken{ID: "alpha"}, notify.RemoveConnection{ID: "alpha"}, notify.SetPresence{Connection: "alpha"},
		notify.SeeSession{Connection: "alpha", Session: "s"}, notify.TellSession{Connection: "alpha", Session: "s"},
		notify.SetFocus{}, notify.SetSettings{}, notify.Import{},
	} {
		d.refused(notify.CodeForbidden, alpha, op)
	}
	d.refused(notify.CodeNotFound, notify.Owner, notify.Publish{Connection: "gamma", Content: notify.Content{Title: "T"}})
}

// What is imported beside a pending occurrence, newer by its number and ended, does not take its place:
// not in the state, and not for a command that is decided together with the import.
//
// Proves: L4, L7
func TestAnImportLeavesOnePending(t *testing.T) {
	d := newDesk(t)
	here := d.publish(notify.Publish{Key: "k"})
	o := notify.NewOverlay(d.m)
	decide := func(by notify.Actor, op notify.Op) notify.Result {
		got, err := notify.Decide(o, d.rules, notify.Command{At: d.now, By: by, IDs: []string{"fresh"}, Op: op})
		if err != nil {
			t.Fatal(err)
		}
		o.Apply(got.Changes)
		d.m.Apply(got.Changes)
		return got.Result
	}
	decide(notify.Owner, notify.Import{Records: []*notify.Record{
		{ID: "x", Connection: "alpha", Key: "k", Occurrence: 9, Revision: 2, Status: notify.Resolved, Content: notify.Content{Title: "Old"}, UpdatedAt: start},
	}})
	slot := notify.Slot{Connection: "alpha", Scope: notify.ScopeApplication, Key: "k"}
	for name, s := range map[string]notify.State{"overlay": o, "memory": d.m} {
		if n, _ := s.Slot(slot); n != (notify.Newest{Occurrence: 9, RecordID: here.ID}) {
			t.Errorf("%s: the slot names %+v", name, n)
		}
	}
	again := notify.Publish{Connection: "alpha", Key: "k", Content: notify.Content{Title: "Again"}}
	if res := decide(alpha, again); res.Verdict != notify.Updated || res.Record.ID != here.ID {
		t.Errorf("%s %s; want the pending one updated", res.Verdict, res.Record.ID)
	}
	decide(alpha, notify.Resolve{Target: notify.Target{ID: here.ID}})
	if res := decide(alpha, again); res.Verdict != notify.Created || res.Record.Occurrence != 10 {
		t.Errorf("%s, occurrence %d; want one higher than any before", res.Verdict, res.Record.Occurrence)
	}
}

// Proves: L7, R4
func TestNothingIsImportedIntoAPurge(t *testing.T) {
	d := newDesk(t)
	d.ok(notify.Owner, notify.RevokeConnection{ID: "alpha", Purge: true})
	d.refused(notify.CodeUnavailable, notify.Owner, notify.Import{Records: []*notify.Record{
		{ID: "x", Connection: "alpha", Status: notify.Resolved, Content: notify.Content{Title: "Old"}, UpdatedAt: start},
	}})
}
