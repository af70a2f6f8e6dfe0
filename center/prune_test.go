package center_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/center"
	"signalbox/notify"
	"signalbox/store/memstore"
)

// Removals rest after each commit for as long as it took, and longer while somebody else changes something, however
// seldom that is.
//
// Proves: R4
func TestRemovalsGiveWay(t *testing.T) {
	const ms = time.Millisecond
	for name, test := range map[string]struct {
		others time.Duration // between two publishes of somebody else; 0: nobody publishes
		took   time.Duration // by each commit
		rest   time.Duration
	}{
		"nobody else changes anything":    {rest: ms},
		"commits that take long":          {took: 4 * ms, rest: 4 * ms},
		"a disk that stands still":        {took: 10 * time.Second, rest: time.Second},
		"somebody publishes all the time": {others: 2 * ms, rest: 20 * ms},
		"somebody publishes now and then": {others: 900 * ms, rest: 20 * ms},
		"and commits take long":           {others: 90 * ms, took: 10 * ms, rest: 30 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c, commits, ids := history(t, 85, test.took)
				defer c.Close()
				time.Sleep(time.Second) // what came before is somebody else's
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var others sync.WaitGroup
				if test.others > 0 {
					others.Go(func() {
						for ctx.Err() == nil {
							_, _ = c.Do(ctx, agent, publish("status", "At work"))
							time.Sleep(test.others)
						}
					})
					time.Sleep(ms)
				}
				if n, err := c.Prune(ctx, ids); err != nil || n != len(ids) {
					t.Errorf("%d of %d went, %v", n, len(ids), err)
				}
				if len(commits.ended) != 5 {
					t.Fatalf("%d commits, want 5", len(commits.ended))
				}
				for i := 1; i < 5; i++ {
					if got := commits.began[i].Sub(commits.ended[i-1]); got != test.rest {
						t.Errorf("commit %d came %s after the one before, want %s", i, got, test.rest)
					}
				}
				cancel()
				others.Wait()
			})
		})
	}
}

// removals notes when commits were made that removed something.
type removals struct {
	t            *testing.T
	began, ended []time.Time
}

func (r *removals) note(changes []notify.Change, took time.Duration) {
	n := 0
	for _, change := range changes { // somebody else's may share the commit
		if change.Name == notify.EvPruned {
			n++
		}
	}
	if n > 20 {
		r.t.Errorf("%d records in one commit", n)
	}
	if n == 0 {
		return
	}
	r.began = append(r.began, time.Now())
	time.Sleep(took)
	r.ended = append(r.ended, time.Now())
}

// Several who remove take turns, and do not fill one commit together.
func TestRemovalsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, commits, ids := history(t, 100, time.Millisecond)
		defer c.Close()
		var all sync.WaitGroup
		for some := range slices.Chunk(ids, 25) {
			all.Go(func() {
				if n, err := c.Prune(t.Context(), some); n != 25 || err != nil {
					t.Errorf("%d went, %v", n, err)
				}
			})
		}
		all.Wait()
		if len(commits.ended) != 8 {
			t.Errorf("%d commits, want two of each", len(commits.ended))
		}
	})
}

// A center that closes does not wait for a purge to have rested.
func TestCloseWhileAPurgeRests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, commits, _ := history(t, 60, time.Second)
		ctx, cancel := context.WithTimeout(t.Context(), 1500*time.Millisecond) // in the rest after the first commit
		defer cancel()
		_, _ = c.Do(ctx, notify.Owner, notify.RevokeConnection{ID: "agent", Purge: true}) // it goes on without the caller
		began := time.Now()
		if err := c.Close(); err != nil || len(commits.ended) != 1 || time.Since(began) != 0 {
			t.Errorf("closed after %s and %d commits, %v; want at once, in the rest after the first", time.Since(began), len(commits.ended), err)
		}
	})
}

// The end of the context ends a removal between two commits, and what went is told.
func TestRemovalThatIsCutShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _, ids := history(t, 60, 0)
		defer c.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond/2)
		defer cancel()
		if n, err := c.Prune(ctx, ids); n != 20 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%d went, %v; want the first commit's 20, and why it ended", n, err)
		}
	})
}

// history is a center with n records that ended, whose removals take so long to be stored. The caller closes it.
func history(t *testing.T, n int, took time.Duration) (c *center.Center, commits *removals, ids []string) {
	t.Helper()
	s := &slow{Store: memstore.New()}
	c, err := center.Open(t.Context(), center.Config{Storage: s})
	if err != nil {
		t.Fatal(err)
	}
	do(t, c, notify.Owner, notify.CreateConnection{ID: "agent", Label: "Agent", TokenHash: tokenHash("a")})
	for i := range n {
		r := do(t, c, agent, publish(fmt.Sprint("item ", i), "Done")).Record
		do(t, c, agent, notify.Resolve{Target: notify.Target{ID: r.ID}})
		ids = append(ids, r.ID)
	}
	commits = &removals{t: t}
	s.commit = func(_ int, changes []notify.Change) error {
		commits.note(changes, took)
		return nil
	}
	return c, commits, ids
}
