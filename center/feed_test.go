package center_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/center"
	"signalbox/notify"
	"signalbox/store/memstore"
)

// read takes n changes from a feed.
func read(t testing.TB, f *center.Feed, n int) []notify.Change {
	t.Helper()
	out := make([]notify.Change, n)
	for i := range out {
		c, err := f.Next(t.Context())
		if err != nil {
			t.Fatalf("change %d of %d: %v", i, n, err)
		}
		out[i] = c
	}
	return out
}

func seqs(changes []notify.Change) []int64 {
	out := make([]int64, len(changes))
	for i, c := range changes {
		out[i] = c.Seq
	}
	return out
}

func subscribe(t testing.TB, c *center.Center, after int64) *center.Feed {
	t.Helper()
	f, err := c.Subscribe(after)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f
}

// Every subscriber gets the same changes in the same order, while many publish.
//
// Proves: L8
func TestEverySubscriberGetsTheSameOrder(t *testing.T) {
	c := open(t, center.Config{})
	const publishers, each = 10, 60
	var feeds []*center.Feed
	for range 20 {
		feeds = append(feeds, subscribe(t, c, 0))
	}
	var group sync.WaitGroup
	for p := range publishers {
		group.Go(func() {
			for i := range each {
				do(t, c, agent, publish(fmt.Sprint("k", p%3), fmt.Sprint(p, i)))
			}
		})
	}
	group.Wait()
	last := c.Sequence()
	got := make([][]notify.Change, len(feeds))
	for i, f := range feeds {
		group.Go(func() { got[i] = read(t, f, int(last)) })
	}
	group.Wait()
	for i, g := range got {
		for n, change := range g {
			if change.Seq != int64(n+1) || change.Record != nil && change.Record.Change != change.Seq {
				t.Fatalf("feed %d, place %d: change %d", i, n, change.Seq)
			}
			if change.Name != got[0][n].Name || change.Record != got[0][n].Record {
				t.Fatalf("feed %d differs from feed 0 at %d", i, n)
			}
			if change.Before != nil || change.Receipt != nil {
				t.Fatal("a feed carries what only the store needs")
			}
		}
	}
}

// A feed can be taken up after any change, and tells what comes after it, whether from the log or from
// memory.
//
// Proves: L8
func TestAFeedResumesAtEveryPoint(t *testing.T) {
	s := memstore.New()
	first := open(t, center.Config{Storage: s})
	for i := range 40 {
		do(t, first, agent, publish("", fmt.Sprint(i)))
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	c := open(t, center.Config{Storage: s}) // its memory is empty, the log is not
	for i := range 40 {
		do(t, c, agent, publish("", fmt.Sprint("live ", i)))
	}
	last := c.Sequence()
	for after := range last + 1 {
		f := subscribe(t, c, after)
		got := seqs(read(t, f, int(last-after)))
		for i, seq := range got {
			if seq != after+int64(i)+1 {
				t.Fatalf("after %d: %v", after, got)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := f.Next(ctx); !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d there is more: %v", after, err)
		}
		f.Close()
	}
	now := subscribe(t, c, -1)
	do(t, c, agent, publish("", "newest"))
	if got := read(t, now, 1); got[0].Seq <= last || got[0].Record.Title != "newest" {
		t.Errorf("from now on: %+v", got[0])
	}
}

// The seam between log and memory holds while changes go on being published.
func TestResumingWhileItGoesOn(t *testing.T) {
	c := open(t, center.Config{})
	stop := make(chan struct{})
	var publishing, group sync.WaitGroup
	publishing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				do(t, c, agent, publish("k", fmt.Sprint(i)))
			}
		}
	})
	for range 8 {
		group.Go(func() {
			var after int64
			for range 20 {
				f, err := c.Subscribe(after)
				if err != nil {
					t.Error(err)
					return
				}
				for range 37 {
					change, err := f.Next(t.Context())
					if err != nil || change.Seq != after+1 {
						t.Errorf("after %d: %d, %v", after, change.Seq, err)
						f.Close()
						return
					}
					after = change.Seq
				}
				f.Close()
			}
		})
	}
	group.Wait()
	close(stop)
	publishing.Wait()
}

func TestAFeedOfPrunedChangesBeginsWithAReset(t *testing.T) {
	s := memstore.New()
	first := open(t, center.Config{Storage: s})
	for i := range 30 {
		do(t, first, agent, publish("", fmt.Sprint(i)))
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Trim(t.Context(), 20, time.Time{}); err != nil {
		t.Fatal(err)
	}
	c := open(t, center.Config{Storage: s})
	for name, after := range map[string]int64{"pruned": 5, "just pruned": 18, "from the future": 1 << 40} {
		f := subscribe(t, c, after)
		if _, err := f.Next(t.Context()); !errors.Is(err, center.ErrReset) {
			t.Errorf("%s: %v", name, err)
		}
		if after < c.Sequence() {
			if got := read(t, f, 1); got[0].Seq != 20 {
				t.Errorf("%s: goes on with %d", name, got[0].Seq)
			}
		}
		f.Close()
	}
	if got := read(t, subscribe(t, c, 19), 1); got[0].Seq != 20 {
		t.Errorf("the oldest kept is %d", got[0].Seq)
	}
	// All of the log may be gone.
	if err := s.Trim(t.Context(), c.Sequence()+1, time.Time{}); err != nil {
		t.Fatal(err)
	}
	f := subscribe(t, c, 5)
	if _, err := f.Next(t.Context()); !errors.Is(err, center.ErrReset) {
		t.Errorf("with an empty log: %v", err)
	}
	do(t, c, agent, publish("", "more"))
	if got := read(t, f, 1); got[0].Record == nil || got[0].Record.Title != "more" {
		t.Errorf("with an empty log: %+v", got[0])
	}
}

// A subscriber that does not read costs nobody anything and is told so.
func TestASlowSubscriberIsDropped(t *testing.T) {
	c := open(t, center.Config{})
	lazy, busy := subscribe(t, c, -1), subscribe(t, c, -1)
	for i := range 3000 {
		do(t, c, agent, publish("k", fmt.Sprint(i)))
		read(t, busy, 1)
	}
	change, err := lazy.Next(t.Context())
	if !errors.Is(err, center.ErrSlow) {
		t.Errorf("got %d, %v", change.Seq, err)
	}
	if _, err := lazy.Next(t.Context()); !errors.Is(err, center.ErrSlow) {
		t.Errorf("and then: %v", err)
	}
	if s := c.Stats(); s.Dropped != 1 || s.Changes != c.Sequence() || s.Commits < 3000 || s.Failed != 0 {
		t.Errorf("stats %+v", s)
	}
	// It can begin again where it was.
	if got := read(t, subscribe(t, c, 1), 2999); !slices.IsSorted(seqs(got)) || got[0].Seq != 2 {
		t.Errorf("resumed at %d", got[0].Seq)
	}
}

func TestAFeedEndsWithItsContextAndItsClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, center.Config{})
		f := subscribe(t, c, -1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := f.Next(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("context: %v", err)
		}
		done := make(chan error)
		go func() { _, err := f.Next(t.Context()); done <- err }()
		synctest.Wait()
		f.Close()
		f.Close()
		if err := <-done; !errors.Is(err, center.ErrClosed) {
			t.Errorf("close: %v", err)
		}
	})
}

// Proves: I4
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, center.Config{})
		r := do(t, c, agent, publish("k", "one")).Record
		waiting := func(since int) chan *notify.Record {
			out := make(chan *notify.Record, 1)
			go func() {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				got, err := c.Wait(ctx, r.ID, since)
				if err != nil {
					t.Error(err)
				}
				out <- got
			}()
			synctest.Wait()
			return out
		}
		if got := <-waiting(0); got.Revision != 1 {
			t.Errorf("another revision is there: %+v", got)
		}
		one, two := waiting(1), waiting(1)
		do(t, c, agent, publish("other", "no matter"))
		do(t, c, notify.Owner, notify.SetRead{ID: r.ID, Read: true})
		synctest.Wait()
		if len(one) != 0 {
			t.Error("woken by what is no revision")
		}
		do(t, c, agent, publish("k", "two"))
		if a, b := <-one, <-two; a.Revision != 2 || b.Revision != 2 {
			t.Errorf("got %+v, %+v", a, b)
		}
		began := time.Now()
		if got := <-waiting(2); got.Revision != 2 || time.Since(began) != time.Minute {
			t.Errorf("after %s: %+v", time.Since(began), got)
		}
		ended := waiting(2)
		do(t, c, agent, notify.Resolve{Target: notify.Target{ID: r.ID}})
		if got := <-ended; got.Status != notify.Resolved {
			t.Errorf("got %+v", got)
		}
		if got := <-waiting(2); got.Status != notify.Resolved {
			t.Errorf("of one that ended: %+v", got)
		}
		if _, err := c.Wait(t.Context(), "nobody", 0); notify.CodeOf(err) != notify.CodeNotFound {
			t.Errorf("unknown: %v", err)
		}
		ask := do(t, c, agent, notify.Publish{Connection: "agent", Content: notify.Content{Title: "?", Kind: notify.KindInteraction,
			Interaction: &notify.Interaction{Prompt: "?", Options: []notify.Option{{ID: "y", Label: "Yes"}}}}}).Record
		r = ask
		answered, closing := waiting(1), waiting(1)
		do(t, c, notify.Owner, notify.AnswerOp{ID: ask.ID, Answer: notify.Answer{Option: "y"}})
		if got := <-answered; got.Outcome == nil || got.Outcome.Answer.Option != "y" {
			t.Errorf("got %+v", got)
		}
		<-closing
		r = do(t, c, agent, publish("", "last")).Record
		last := waiting(1)
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if got := <-last; got.Revision != 1 {
			t.Errorf("at the end of the center: %+v", got)
		}
	})
}

// gap is a storage whose log lacks changes, as after damage.
type gap struct {
	*memstore.Store
	from, to int64
}

func (g *gap) Changes(ctx context.Context, after int64) iter.Seq2[notify.Change, error] {
	return func(yield func(notify.Change, error) bool) {
		for c, err := range g.Store.Changes(ctx, after) {
			if c.Seq >= g.from && c.Seq <= g.to {
				continue
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// Changes that a damaged store lost are told as a reset, at their place.
func TestAGapInTheLogIsAReset(t *testing.T) {
	s := memstore.New()
	first := open(t, center.Config{Storage: s})
	for i := range 30 {
		do(t, first, agent, publish("", fmt.Sprint(i)))
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	c := open(t, center.Config{Storage: &gap{s, 10, 20}})
	for _, after := range []int64{0, 8, 9, 15, 20} {
		f := subscribe(t, c, after)
		if before := 9 - after; before > 0 {
			read(t, f, int(before))
		}
		if after < 20 {
			if change, err := f.Next(t.Context()); !errors.Is(err, center.ErrReset) {
				t.Errorf("after %d: %d, %v", after, change.Seq, err)
			}
		}
		if got := read(t, f, 1); got[0].Seq != 21 {
			t.Errorf("after %d: goes on with %d", after, got[0].Seq)
		}
		f.Close()
	}
}

// TestManySubscribersAreWokenTogether proves that what follows a change closely is told to many subscribers at
// once, and the first change, and those to few, without a pause.
func TestManySubscribersAreWokenTogether(t *testing.T) {
	for _, c := range []struct {
		name   string
		feeds  int
		paused bool
	}{{"few", 5, false}, {"many", 100, true}} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				one := open(t, center.Config{})
				synctest.Wait() // what was told so far begins no pause
				start := one.Sequence()
				told := make([]atomic.Int64, c.feeds)
				for i := range told {
					f, err := one.Subscribe(-1)
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(f.Close)
					go func() {
						for {
							change, err := f.Next(context.Background())
							if err != nil {
								return
							}
							told[i].Store(change.Seq - start)
						}
					}()
				}
				synctest.Wait()
				has := func(want int64) {
					t.Helper()
					synctest.Wait()
					for i := range told {
						if got := told[i].Load(); got != want {
							t.Fatalf("%d changes were told, want %d", got, want)
						}
					}
				}
				do(t, one, agent, publish("k", "first"))
				first := one.Sequence() - start
				has(first)
				do(t, one, agent, publish("k", "second"))
				do(t, one, agent, publish("k", "third"))
				all := one.Sequence() - start
				if c.paused {
					has(first)
					time.Sleep(20 * time.Millisecond) // of the bubble's clock
				}
				has(all)
			})
		})
	}
}
