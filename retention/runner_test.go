package retention

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"signalbox/notify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a center and its storage as the runner sees them.
type world struct {
	mu          sync.Mutex // protects what follows; the clock of a test orders nothing
	entries     []notify.Entry
	connections map[string]*notify.Connection
	changes     []notify.Change
	batches     [][]string
	fail        error
	forget      bool // what is removed is gone
	reads       int
	before      int64
	receipts    time.Time
	resumed     int
}

func (w *world) ResumePurges() {
	defer w.lock()()
	w.resumed++
}

// lock returns the unlocking.
func (w *world) lock() func() {
	w.mu.Lock()
	return w.mu.Unlock
}

func (w *world) Prune(_ context.Context, ids []string) (int, error) {
	defer w.lock()()
	if w.fail != nil {
		return 0, w.fail
	}
	w.batches = append(w.batches, slices.Clone(ids))
	if w.forget {
		w.entries = w.entries[len(ids):]
	}
	return len(ids), nil
}

func (w *world) Connection(id string) (notify.ConnectionView, bool) {
	c, ok := w.connections[id]
	return notify.ConnectionView{Connection: c}, ok
}
func (w *world) Sequence() int64 {
	defer w.lock()()
	return int64(len(w.changes))
}
func (w *world) First() int64 { return 1 }
func (w *world) Entries(context.Context) iter.Seq2[notify.Entry, error] {
	defer w.lock()()
	w.reads++
	return listed(w.entries...)()
}
func (w *world) Changes(_ context.Context, after int64) iter.Seq2[notify.Change, error] {
	defer w.lock()()
	changes := w.changes[after:]
	return func(yield func(notify.Change, error) bool) {
		for _, c := range changes {
			if !yield(c, nil) {
				return
			}
		}
	}
}
func (w *world) Trim(_ context.Context, before int64, receipts time.Time) error {
	defer w.lock()()
	w.before, w.receipts = before, receipts
	return nil
}

func (w *world) runner(l Limits) *Runner {
	return New(Config{Center: w, Storage: w, Limits: l, Now: time.Now})
}

func many(n int, connection string, ago time.Duration) (all []notify.Entry) {
	at := time.Now().Add(-ago)
	for i := range n {
		all = append(all, notify.Entry{ID: fmt.Sprint(connection, i), Connection: connection, Status: notify.Expired, UpdatedAt: at, EndedAt: at})
	}
	return all
}

// Proves: R4
func TestRunnerGoesInBatches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{entries: many(2*Batch+7, "a", 100*24*time.Hour)}
		r := w.runner(Limits{Policy: Defaults})
		report := r.Once(t.Context())
		if report.Err != nil || report.Removed != 2*Batch+7 || len(w.batches) != 3 || len(w.batches[2]) != 7 {
			t.Fatalf("%+v, %d batches", report, len(w.batches))
		}
		if w.resumed != 1 {
			t.Errorf("purges that stopped were taken up %d times, want once a run", w.resumed)
		}
		if r.Last() != report {
			t.Errorf("last is %+v", r.Last())
		}
	})
}

// A long run plans anew now and then, so that it does not hold on to the store as it was.
func TestRunnerPlansAnewInALongRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const pass = 3 * Batch
		w := &world{entries: many(2*pass+50, "a", 100*24*time.Hour), forget: true}
		r := w.runner(Limits{Policy: Defaults})
		r.pass = pass
		report := r.Once(t.Context())
		if report.Err != nil || report.Removed != 2*pass+50 || w.reads != 6 {
			t.Errorf("%+v after %d reads", report, w.reads)
		}
	})
}

// Proves: R4
func TestRunnerTakesTheConnectionsOwnBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{entries: append(many(3, "a", 2*time.Hour), many(3, "b", 2*time.Hour)...),
			connections: map[string]*notify.Connection{"a": {KeepAge: time.Hour}, "b": {KeepCount: 1}}}
		w.runner(Limits{Policy: Defaults}).Once(t.Context())
		if got, want := slices.Concat(w.batches...), []string{"a0", "a1", "a2", "b0", "b1"}; !slices.Equal(got, want) {
			t.Errorf("removed %q, want %q", got, want)
		}
	})
}

func TestRunnerShortensTheLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		for i := range 100 {
			w.changes = append(w.changes, notify.Change{Seq: int64(i + 1), At: time.Now().Add(time.Duration(i-100) * time.Hour)})
		}
		r := w.runner(Limits{LogCount: 60, LogAge: 1000 * time.Hour, ReceiptsAge: time.Hour})
		r.Once(t.Context())
		if w.before != 41 || !w.receipts.Equal(time.Now().Add(-time.Hour)) {
			t.Errorf("by count: before %d, receipts %s", w.before, w.receipts)
		}
		r.SetLimits(Limits{LogCount: 60, LogAge: 10 * time.Hour})
		r.Once(t.Context())
		if w.before != 91 {
			t.Errorf("by age: before %d", w.before)
		}
		r.SetLimits(Limits{LogCount: 1000, LogAge: 1000 * time.Hour})
		r.Once(t.Context())
		if w.before != 1 {
			t.Errorf("nothing to shorten: before %d", w.before)
		}
	})
}

func TestRunnerRunsNowAndThenAndTellsOfFailures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{entries: many(1, "a", 100*24*time.Hour), fail: errors.New("full")}
		r := w.runner(Limits{Policy: Defaults})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx) }()
		time.Sleep(FirstAfter - time.Second)
		synctest.Wait()
		if !r.Last().Began.IsZero() {
			t.Error("ran before its time")
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if r.Last().Err == nil {
			t.Error("a failure was not reported")
		}
		w.mu.Lock()
		w.fail = nil
		w.mu.Unlock()
		time.Sleep(Every)
		synctest.Wait()
		if got := r.Last(); got.Err != nil || got.Removed != 1 {
			t.Errorf("after an hour: %+v", got)
		}
		r.SetLimits(Limits{})
		synctest.Wait()
		time.Sleep(time.Second)
		synctest.Wait()
		if got := r.Last(); got.Removed != 0 {
			t.Errorf("after other settings: %+v", got)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// While nothing changes, a run a day is enough; a change brings back the run of every hour.
func TestRunnerRestsWithTheCenter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &world{}
		r := w.runner(Limits{Policy: Defaults})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx) }()
		began := func(after time.Duration) time.Time {
			time.Sleep(after)
			synctest.Wait()
			return r.Last().Began
		}
		first := began(FirstAfter + time.Second)
		if last := began(AtRest - 2*time.Hour); last != first {
			t.Errorf("a run %s after one that found nothing", last.Sub(first))
		}
		w.mu.Lock()
		if w.resumed < 20 {
			t.Errorf("purges were asked for %d times", w.resumed)
		}
		w.mu.Unlock()
		second := began(3 * time.Hour)
		if got := second.Sub(first); got < AtRest || got > AtRest+Every {
			t.Errorf("the next run came after %s", got)
		}
		w.mu.Lock()
		w.changes = append(w.changes, notify.Change{Seq: 1, At: time.Now()})
		w.mu.Unlock()
		if last := began(Every); last == second {
			t.Error("no run in the hour after a change")
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

// While nothing changes, what is too old goes in the hour in which it is: records, changes and receipts. A run
// reads every entry, so that there is none while nothing leaves.
//
// Proves: R4
func TestWhatIsTooOldGoesWhileNothingChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		w := &world{entries: append(many(1, "a", 0), many(1, "b", 0)...), forget: true,
			connections: map[string]*notify.Connection{"b": {KeepAge: 10 * time.Hour}}}
		w.changes = []notify.Change{{Seq: 1, At: start}, {Seq: 2, At: start.Add(time.Minute)}}
		r := w.runner(Limits{Policy: Policy{KeepAge: 3 * time.Hour}, LogAge: 15 * time.Hour, ReceiptsAge: 18 * time.Hour})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- r.Run(ctx) }()
		var log, receipts time.Duration
		var gone []time.Duration
		for range 20 * 60 {
			time.Sleep(time.Minute)
			synctest.Wait()
			now := time.Since(start)
			w.mu.Lock()
			if n := len(w.batches); n > len(gone) {
				gone = append(gone, now)
			}
			if log == 0 && w.before == 3 {
				log = now
			}
			if receipts == 0 && w.receipts.After(start.Add(time.Minute)) {
				receipts = now
			}
			w.mu.Unlock()
		}
		within := func(what string, got, age time.Duration) {
			if got <= age || got > age+Every+2*time.Minute {
				t.Errorf("%s: gone after %s, want within the hour after %s", what, got, age)
			}
		}
		if len(gone) != 2 {
			t.Fatalf("records went at %v", gone)
		}
		within("a record", gone[0], 3*time.Hour)
		within("one of a connection with its own age", gone[1], 10*time.Hour)
		within("changes", log, 15*time.Hour+time.Minute)
		within("receipts", receipts, 18*time.Hour+time.Minute)
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		// The first run, one for each record, and the one after each that removed something.
		if w.reads > 2*5 {
			t.Errorf("the entries were read %d times", w.reads)
		}
	})
}
