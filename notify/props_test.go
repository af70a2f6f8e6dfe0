package notify_test

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
	"signalbox/notify/notifytest"
)

// lookup is the rest of a state for a Memory that keeps what is pending only: a Memory that keeps all.
type lookup struct{ all *notify.Memory }

func (l lookup) Record(id string) (*notify.Record, bool, error) {
	r, ok := l.all.Record(id)
	return r, ok, nil
}
func (l lookup) Slot(s notify.Slot) (notify.Newest, bool, error) {
	n, ok := l.all.Slot(s)
	return n, ok, nil
}
func (l lookup) Told(r notify.EventRef) (string, bool, error) {
	id, ok := l.all.Told(r)
	return id, ok, nil
}
func (l lookup) Receipt(c, k string) (*notify.Receipt, bool, error) {
	r, ok := l.all.Receipt(c, k)
	return r, ok, nil
}

// life runs random commands and gives each, with its decision, to the checks.
type life struct {
	world *notifytest.World
	all   *notify.Memory
	ever  map[string][]*notify.Record // all versions of every record, in order
}

func newLife() *life {
	l := &life{world: notifytest.New(), all: notify.NewMemory(), ever: map[string][]*notify.Record{}}
	for _, c := range l.world.Register() {
		d, err := notify.Decide(l.all, notify.Rules{}, c)
		if err != nil {
			panic(err)
		}
		l.all.Apply(d.Changes)
	}
	return l
}

func (l *life) apply(d notify.Decision) {
	l.all.Apply(d.Changes)
	for _, c := range d.Changes {
		if c.Record != nil {
			l.ever[c.Record.ID] = append(l.ever[c.Record.ID], c.Record)
		}
	}
	l.world.LearnAll(d.Result)
}

// run runs a whole random life. before is called with each command, decision and error before the
// changes are applied, after afterwards; either may be nil.
func (l *life) run(t *rapid.T, before, after func(notify.Command, notify.Decision, error)) {
	for range rapid.IntRange(1, 60).Draw(t, "length") {
		c := l.world.Command(t)
		d, err := notify.Decide(l.all, notify.Rules{}, c)
		if err != nil && notify.CodeOf(err) == notify.CodeInternal {
			t.Fatalf("%T: %v", c.Op, err)
		}
		if before != nil {
			before(c, d, err)
		}
		l.apply(d)
		if after != nil {
			after(c, d, err)
		}
	}
}

// TestLives holds the rules that are true of every life, whatever happens in it.
//
// Proves: L1, L3, L4, D1, I3, I4, A2
func TestLives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife()
		seq := l.all.Sequence()
		answers := map[string]int{}
		l.run(t, func(c notify.Command, d notify.Decision, err error) {
			for _, ch := range d.Changes {
				if seq++; ch.Seq != seq {
					t.Fatalf("change %d follows %d", ch.Seq, seq-1)
				}
				r := ch.Record
				if r == nil {
					continue
				}
				was := l.ever[r.ID]
				if len(was) == 0 {
					if ch.Before != nil || r.Revision != 1 && r.Revision != 0 {
						t.Fatalf("%T: record begins with revision %d", c.Op, r.Revision)
					}
					l.ever[r.ID] = append(l.ever[r.ID], r)
					continue
				}
				l.ever[r.ID] = append(was, r)
				checkStep(t, c, ch, was[len(was)-1], r)
				if ch.Name == notify.EvAnswered {
					answers[r.ID]++
				}
			}
			for id := range l.ever { // apply appends them again; keep the versions once
				l.ever[id] = slices.CompactFunc(l.ever[id], func(a, b *notify.Record) bool { return a.Change == b.Change })
			}
		}, func(notify.Command, notify.Decision, error) {
			for id := range l.ever {
				l.ever[id] = slices.CompactFunc(l.ever[id], func(a, b *notify.Record) bool { return a.Change == b.Change })
			}
			onePending(t, l.all)
		})
		for id, n := range answers {
			reopened := 0
			for i, r := range l.ever[id] {
				if i > 0 && r.Status == notify.Pending && l.ever[id][i-1].Status != notify.Pending {
					reopened++
				}
			}
			if n > reopened+1 {
				t.Fatalf("%s was answered %d times, and reopened %d times", id, n, reopened)
			}
		}
	})
}

// checkStep holds one change of a record.
func checkStep(t *rapid.T, c notify.Command, ch notify.Change, was, r *notify.Record) {
	if ch.Before == nil || ch.Before.Change != was.Change {
		t.Fatalf("%T: Before is not what was", c.Op)
	}
	if !r.CreatedAt.Equal(was.CreatedAt) {
		t.Fatalf("%T: created_at changed", c.Op)
	}
	if r.Change != ch.Seq {
		t.Fatalf("%T: the record does not carry its change number", c.Op)
	}
	// L3: revisions have no gaps.
	if d := r.Revision - was.Revision; d != 0 && d != 1 {
		t.Fatalf("%T: revision %d follows %d", c.Op, r.Revision, was.Revision)
	}
	if r.Revision == was.Revision && !reflect.DeepEqual(contentOf(r), contentOf(was)) && ch.Name != notify.EvUpdated {
		t.Fatalf("%T (%s): content changed without a revision:\n%+v\n%+v", c.Op, ch.Name, was.Content, r.Content)
	}
	// L1: a terminal status never changes; a refused answer alone makes it pending again (I3).
	if was.Status != notify.Pending && r.Status != was.Status {
		_, refused := c.Op.(notify.RejectAnswer)
		if !refused || was.Outcome.Kind != notify.OutcomeAnswered || r.Status != notify.Pending {
			t.Fatalf("%T: %s became %s", c.Op, was.Status, r.Status)
		}
	}
	// D1: a dismissal hides exactly the revision it names.
	if r.Status == notify.Dismissed && was.Status == notify.Pending {
		op, ok := c.Op.(notify.Dismiss)
		if !ok || op.ID != r.ID || op.Expect.Revision != was.Revision {
			t.Fatalf("%T dismissed revision %d", c.Op, was.Revision)
		}
	}
	if (r.Outcome == nil) != (r.Status == notify.Pending) || r.EndedAt.IsZero() != (r.Status == notify.Pending) {
		t.Fatalf("%T: status %s with outcome %v", c.Op, r.Status, r.Outcome)
	}
}

// contentOf is the content without what an ending takes away (E1).
func contentOf(r *notify.Record) notify.Content {
	c := r.Content
	c.Refresh = nil
	return c
}

// onePending holds that a key has at most one pending occurrence (L4).
func onePending(t *rapid.T, s notify.State) {
	seen := map[notify.Slot]string{}
	for r := range s.Pending(notify.SessionRef{}) {
		slot, ok := r.Slot()
		if !ok {
			continue
		}
		if id, twice := seen[slot]; twice {
			t.Fatalf("%v has two pending occurrences, %s and %s", slot, id, r.ID)
		}
		seen[slot] = r.ID
		if n, ok := s.Slot(slot); !ok || n.RecordID != r.ID || n.Occurrence != r.Occurrence {
			t.Fatalf("%v is %v, and %s is pending", slot, n, r.ID)
		}
	}
}

// TestDeterminism holds that the same commands in the same order give the same state, that deciding
// changes nothing, and that the three forms of a state agree: one that keeps all, one that keeps
// what is pending, and an overlay that has not been applied.
//
// Proves: L8
func TestDeterminism(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife()
		live := notify.NewLive(lookup{l.all})
		live.Load(l.all.Sequence(), slices.Collect(l.all.Connections()), nil, nil, nil, l.all.Settings())
		overlay := notify.NewOverlay(newLife().all) // over a state that does not move on
		l.run(t, func(c notify.Command, d notify.Decision, err error) {
			for name, s := range map[string]notify.State{"again": l.all, "live": live, "overlay": overlay} {
				again, errAgain := notify.Decide(s, notify.Rules{}, c)
				if fmt.Sprint(err) != fmt.Sprint(errAgain) {
					t.Fatalf("%s: %T: %v, and %v", name, c.Op, err, errAgain)
				}
				if !reflect.DeepEqual(d, again) {
					t.Fatalf("%s: %T:\n%+v\n%+v", name, c.Op, d, again)
				}
			}
		}, func(c notify.Command, d notify.Decision, err error) {
			live.Apply(d.Changes)
			overlay.Apply(d.Changes)
			same(t, l.all, live)
			same(t, l.all, overlay)
		})
	})
}

// same holds that two states show the same.
func same(t *rapid.T, a, b notify.State) {
	pending := func(s notify.State, ref notify.SessionRef) map[string]*notify.Record {
		out := map[string]*notify.Record{}
		for r := range s.Pending(ref) {
			if out[r.ID] != nil {
				t.Fatalf("%s is pending twice", r.ID)
			}
			out[r.ID] = r
		}
		return out
	}
	refs := []notify.SessionRef{{}}
	for _, c := range notifytest.Connections {
		for _, s := range notifytest.Sessions {
			refs = append(refs, notify.SessionRef{Connection: c, Session: s})
		}
	}
	for _, ref := range refs {
		if x, y := pending(a, ref), pending(b, ref); !maps.Equal(x, y) {
			t.Fatalf("pending of %v: %v, and %v", ref, x, y)
		}
	}
	far := time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)
	if x, y := slices.Collect(a.Due(far)), slices.Collect(b.Due(far)); !slices.Equal(x, y) {
		t.Fatalf("due: %v, and %v", x, y)
	}
	if x, y := slices.Collect(a.Connections()), slices.Collect(b.Connections()); !reflect.DeepEqual(x, y) {
		t.Fatalf("connections: %v, and %v", x, y)
	}
	for _, c := range notifytest.Connections {
		if x, y := slices.Collect(a.Sessions(c)), slices.Collect(b.Sessions(c)); !slices.Equal(x, y) {
			t.Fatalf("sessions: %v, and %v", x, y)
		}
		if x, y := slices.Collect(a.Invalidations(c)), slices.Collect(b.Invalidations(c)); !slices.Equal(x, y) {
			t.Fatalf("invalidations: %v, and %v", x, y)
		}
		for _, s := range notifytest.Sessions {
			scope := notify.ScopeSession
			if s == "" {
				scope = notify.ScopeApplication
			}
			for _, k := range []string{"d1", "d2"} {
				slot := notify.Slot{Connection: c, Scope: scope, Session: s, Key: k}
				x, _ := a.Dedup(slot)
				if y, _ := b.Dedup(slot); x != y {
					t.Fatalf("dedup %v: %v, and %v", slot, x, y)
				}
			}
		}
	}
}

// TestBadge holds that the badge always equals the lists: counted as changes come, it equals what is
// counted afresh with the classifier, at every instant.
//
// Proves: P5, A5
func TestBadge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife()
		l.run(t, nil, func(c notify.Command, d notify.Decision, err error) {
			now := l.world.Now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "asked later")) * time.Millisecond)
			l.world.Now = now
			if got, want := l.all.Attention(now), afresh(l.all, now); !reflect.DeepEqual(got, want) {
				t.Fatalf("after %T: the badge is\n%+v, and the lists say\n%+v", c.Op, got, want)
			}
			rail := l.all.Rail(notify.SessionRef{Connection: "alpha", Session: "s"}, now)
			for _, list := range [][]*notify.Record{rail.Application, rail.Session} {
				for i, r := range list {
					if !notify.PlaceOf(r, now).Front() {
						t.Fatalf("%s is on the rail at %v", r.ID, notify.PlaceOf(r, now))
					}
					if i > 0 && notify.Order(list[i-1], r, now) > 0 {
						t.Fatal("the rail is out of order")
					}
				}
			}
			if next := l.all.NextShift(); !next.IsZero() && !next.After(now) {
				t.Fatalf("the counts are to change at %v, and it is %v", next, now)
			}
		})
	})
}

// afresh counts everything anew.
func afresh(s *notify.Memory, now time.Time) notify.Attention {
	a := notify.Attention{Connections: map[string]notify.Counts{}}
	for c := range s.Connections() {
		var n notify.Counts
		asks := map[string]int{}
		for r := range s.Pending(notify.SessionRef{Connection: c.ID}) {
			n.Pending++
			switch p := notify.PlaceOf(r, now); p.Kind {
			case notify.PlaceNone:
			case notify.PlaceSnoozed:
				n.Snoozed++
			case notify.PlaceMuted:
				n.Muted++
			default:
				if !r.Read {
					n.Unread++
				}
				if p.Kind == notify.PlaceWaiting {
					n.Waiting++
				}
				if r.Asks() {
					asks[r.Session]++
				}
			}
		}
		for x := range s.Sessions(c.ID) {
			switch notify.NeedOf(x, asks[x.ID]) {
			case notify.NeedConfirm:
				n.Confirm++
			case notify.NeedFailed:
				n.Failed++
			case notify.NeedReply:
				n.Reply++
			}
		}
		a.Connections[c.ID] = n
		if c.Open {
			a.Unread += n.Unread
			a.Waiting += n.Waiting
			a.Pending += n.Pending
			a.Reply += n.Reply
			a.Failed += n.Failed
			a.Confirm += n.Confirm
			a.Muted += n.Muted
			a.Snoozed += n.Snoozed
		}
	}
	return a
}

// TestBatches holds that a batch happens whole or not at all, and that one that happens gives what
// its operations give one by one.
//
// Proves: L9
func TestBatches(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife()
		l.run(t, func(c notify.Command, d notify.Decision, err error) {
			b, ok := c.Op.(notify.Batch)
			if !ok {
				return
			}
			var e *notify.Error
			one := notify.NewOverlay(l.all)
			for i, op := range b.Ops {
				part, partErr := notify.Decide(one, notify.Rules{}, notify.Command{At: c.At, By: c.By, IDs: c.IDs[i : i+1], Op: op})
				if partErr != nil {
					if e, _ = err.(*notify.Error); e == nil || e.Operation == nil || *e.Operation != i || e.Code != notify.CodeOf(partErr) {
						t.Fatalf("operation %d is refused with %v, and the batch says %v", i, partErr, err)
					}
					if len(d.Changes) != 0 {
						t.Fatalf("a refused batch changes %d things", len(d.Changes))
					}
					return
				}
				one.Apply(part.Changes)
				if err == nil && part.Result.Verdict != d.Result.Results[i].Verdict {
					t.Fatalf("operation %d alone is %s, in the batch %s", i, part.Result.Verdict, d.Result.Results[i].Verdict)
				}
			}
			if err != nil {
				t.Fatalf("every operation passes, and the batch fails with %v", err)
			}
			whole := notify.NewOverlay(l.all)
			whole.Apply(d.Changes)
			if one.Sequence() != whole.Sequence() {
				t.Fatalf("one by one there are %d changes, as a batch %d", one.Sequence(), whole.Sequence())
			}
			for r := range one.Pending(notify.SessionRef{}) {
				if w, ok := whole.Record(r.ID); !ok || !reflect.DeepEqual(r, w) {
					t.Fatalf("one by one %+v, as a batch %+v", r, w)
				}
			}
		}, nil)
	})
}

// TestBatchesOfASession holds that a batch which was decided on a session is refused exactly when something that is pending
// there, and not silent, is newer than what its producer saw.
//
// Proves: L5
func TestBatchesOfASession(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife()
		l.run(t, nil, func(notify.Command, notify.Decision, error) {
			ref := notify.SessionRef{
				Connection: rapid.SampledFrom(notifytest.Connections).Draw(t, "connection of the batch"), Session: rapid.SampledFrom(notifytest.Sessions[1:]).Draw(t, "its session"),
			}
			through := rapid.Int64Range(0, l.all.Sequence()).Draw(t, "through")
			d, err := notify.Decide(l.all, notify.Rules{}, notify.Command{At: l.world.Now, By: notify.Producer(ref.Connection), IDs: []string{"new"}, Op: notify.Batch{
				Session: ref, Through: through, Ops: []notify.Op{notify.Publish{Connection: ref.Connection, Session: ref.Session, Content: notify.Content{Title: "T"}}},
			}})
			moved := false
			for r := range l.all.Pending(ref) {
				moved = moved || r.Change > through && !r.Silent
			}
			if refused := notify.CodeOf(err) == notify.CodeRevisionConflict; refused != moved || refused && len(d.Changes) > 0 {
				t.Fatalf("moved %v, and the batch says %v and changes %d things", moved, err, len(d.Changes))
			}
		})
	})
}
