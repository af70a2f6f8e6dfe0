package notify_test

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
)

// watched counts what a decision looks at.
type watched struct {
	*notify.Memory
	sessions, pending int
}

func (w *watched) Sessions(connection string) iter.Seq[*notify.Session] {
	return func(yield func(*notify.Session) bool) {
		for s := range w.Memory.Sessions(connection) {
			if w.sessions++; !yield(s) {
				return
			}
		}
	}
}

func (w *watched) Pending(ref notify.SessionRef) iter.Seq[*notify.Record] {
	w.pending++
	return w.Memory.Pending(ref)
}

// A new session costs the same however many are there: those with something pending go beyond the bound.
//
// Proves: X1
func TestANewSessionLooksAtNoOther(t *testing.T) {
	d := newDesk(t)
	for i := range notify.MaxSessions + 200 {
		d.publish(notify.Publish{Session: fmt.Sprintf("s%04d", i)})
	}
	w := &watched{Memory: d.m}
	for name, op := range map[string]notify.Op{
		"put":     notify.PutSession{Connection: "alpha", Session: "new"},
		"publish": notify.Publish{Connection: "alpha", Session: "new", Content: notify.Content{Title: "T"}},
	} {
		w.sessions, w.pending = 0, 0
		if _, err := notify.Decide(w, notify.Rules{}, notify.Command{At: d.now, By: alpha, IDs: []string{"id-new"}, Op: op}); err != nil {
			t.Fatal(err)
		}
		if w.sessions > 0 || w.pending > 10 {
			t.Errorf("%s: it looked at %d sessions, and %d times for what is pending", name, w.sessions, w.pending)
		}
	}
}

// Sessions that make room are found in the same order whether what happened is applied or laid over.
//
// Proves: X1
func TestSilentSessionsInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := notify.NewMemory()
		now := start
		apply := func(s notify.State, by notify.Actor, op notify.Op, n int) []notify.Change {
			d, err := notify.Decide(s, notify.Rules{}, notify.Command{At: now, By: by, IDs: []string{fmt.Sprintf("id-%05d", n)}, Op: op})
			if err != nil {
				t.Fatal(err)
			}
			return d.Changes
		}
		base.Apply(apply(base, notify.Owner, notify.CreateConnection{ID: "a", Label: "a", TokenHash: []byte("a")}, 0))
		over := notify.NewOverlay(base)
		var pending []string
		var later []notify.Change
		steps := rapid.IntRange(1, 30).Draw(t, "steps")
		laid := rapid.IntRange(0, steps).Draw(t, "laid over from")
		for n := 1; n <= steps; n++ {
			now = now.Add(time.Duration(rapid.IntRange(0, 90).Draw(t, "minutes")) * time.Minute)
			by, op := notify.Producer("a"), notify.Op(nil)
			session := fmt.Sprintf("s%d", rapid.IntRange(0, 6).Draw(t, "session"))
			switch what := rapid.IntRange(0, 4).Draw(t, "what"); {
			case what == 0 && len(pending) > 0:
				by, op = notify.Owner, notify.Dismiss{ID: pending[0], Expect: rev(1)}
				pending = pending[1:]
			case what == 1:
				op = notify.EndSession{Connection: "a", Session: session}
				if _, ok := over.Session(notify.SessionRef{Connection: "a", Session: session}); !ok {
					op = notify.PutSession{Connection: "a", Session: session}
				} else {
					pending = slices.DeleteFunc(pending, func(id string) bool {
						r, _ := over.Record(id)
						return r.Session == session
					})
				}
			case what == 2:
				op = notify.PutSession{Connection: "a", Session: session}
			default:
				op = notify.Publish{Connection: "a", Session: session, Content: notify.Content{Title: "T", Event: event(notify.EventTurnFailed, fmt.Sprint(n))}}
				pending = append(pending, fmt.Sprintf("id-%05d", n))
			}
			changes := apply(over, by, op, n)
			over.Apply(changes)
			if n <= laid {
				base.Apply(changes)
				over = notify.NewOverlay(base)
			} else {
				later = append(later, changes...)
			}
		}
		var got, want []string
		for s := range over.Silent("a") {
			got = append(got, s.ID)
		}
		count := over.SessionCount("a")
		base.Apply(later)
		var silent []*notify.Session
		for s := range base.Sessions("a") {
			silent = append(silent, s)
		}
		if len(silent) != count || base.SessionCount("a") != count {
			t.Fatalf("%d sessions, counted %d laid over and %d applied", len(silent), count, base.SessionCount("a"))
		}
		slices.SortFunc(silent, func(a, b *notify.Session) int {
			x, y := notify.NeedOf(a, 0) != "", notify.NeedOf(b, 0) != ""
			return cmp.Or(cmp.Compare(fmt.Sprint(x), fmt.Sprint(y)), a.UpdatedAt.Compare(b.UpdatedAt), cmp.Compare(a.ID, b.ID))
		})
		for _, s := range silent {
			held := false
			for range base.Pending(s.Ref()) {
				held = true
			}
			if !held {
				want = append(want, s.ID)
			}
		}
		applied := []string(nil)
		for s := range base.Silent("a") {
			applied = append(applied, s.ID)
		}
		if !slices.Equal(got, want) || !slices.Equal(applied, want) {
			t.Fatalf("laid over %v, applied %v, want %v", got, applied, want)
		}
	})
}
