package center_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/center"
	"signalbox/notify"
	"signalbox/store/memstore"
)

// Removals rest after each commit, and three times as long while somebody else changes something.
//
// Proves: R4
func TestRemovalsGiveWay(t *testing.T) {
	for name, test := range map[string]struct {
		others bool
		rest   time.Duration
	}{
		"nobody else changes anything": {rest: 5 * time.Millisecond},
		"somebody publishes":           {others: true, rest: 15 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &slow{Store: memstore.New()}
				var at []time.Time
				s.commit = func(_ int, changes []notify.Change) error {
					n := 0
					for _, change := range changes { // somebody else's may share the commit
						if change.Name == notify.EvPruned {
							n++
						}
					}
					if n > 20 {
						t.Errorf("%d records in one commit", n)
					}
					if n > 0 {
						at = append(at, time.Now())
					}
					return nil
				}
				c, err := center.Open(t.Context(), center.Config{Storage: s})
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				ids := ended(t, c, 85)
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var others sync.WaitGroup
				if test.others {
					others.Go(func() {
						for ctx.Err() == nil {
							_, _ = c.Do(ctx, agent, publish("status", "At work"))
							time.Sleep(2 * time.Millisecond)
						}
					})
				} else if _, err := c.Prune(ctx, ids[:1]); err != nil { // what came before is somebody else's
					t.Fatal(err)
				}
				at = nil
				n, err := c.Prune(ctx, ids)
				if want := len(ids); err != nil || test.others && n != want || !test.others && n != want-1 {
					t.Errorf("%d of %d went, %v", n, want, err)
				}
				if len(at) != 5 {
					t.Fatalf("%d commits, want 5", len(at))
				}
				for i := 1; i < len(at); i++ {
					if got := at[i].Sub(at[i-1]); got != test.rest && i > 1 {
						t.Errorf("commit %d came %s after the one before, want %s", i, got, test.rest)
					}
				}
				cancel()
				others.Wait()
			})
		})
	}
}

// The end of the context ends a removal between two commits, and what went is told.
func TestRemovalThatIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, err := center.Open(t.Context(), center.Config{Storage: memstore.New()})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		ids := ended(t, c, 60)
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if n, err := c.Prune(ctx, ids); n != 20 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d went, %v; want the first commit's 20, and why it ended", n, err)
		}
	})
}

// ended makes n records that ended.
func ended(t *testing.T, c *center.Center, n int) (ids []string) {
	t.Helper()
	do(t, c, notify.Owner, notify.CreateConnection{ID: "agent", Label: "Agent", TokenHash: tokenHash("a")})
	for i := range n {
		r := do(t, c, agent, publish(fmt.Sprint("item ", i), "Done")).Record
		do(t, c, agent, notify.Resolve{Target: notify.Target{ID: r.ID}})
		ids = append(ids, r.ID)
	}
	return ids
}
