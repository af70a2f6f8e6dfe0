package retention

import (
	"context"
	"iter"
	"log/slog"
	"sync"
	"time"

	"signalbox/notify"
)

// Center is what the runner asks of the center.
type Center interface {
	Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error)
	Connection(id string) (notify.ConnectionView, bool)
	Sequence() int64
	// ResumePurges goes on with the purges of connections that a failure stopped.
	ResumePurges()
}

// Storage is what it reads, and the log that it shortens.
type Storage interface {
	Entries(ctx context.Context) iter.Seq2[notify.Entry, error]
	Changes(ctx context.Context, after int64) iter.Seq2[notify.Change, error]
	First() int64
	Trim(ctx context.Context, before int64, receiptsBefore time.Time) error
}

// Limits are the settings of a run.
type Limits struct {
	Policy                    // of connections without one of their own
	LogCount    int           // changes that the log keeps; 0: DefaultLogCount
	LogAge      time.Duration // and for how long; 0: DefaultLogAge
	ReceiptsAge time.Duration // how long a repeated request is recognised; 0: DefaultReceiptsAge
}

// What holds where nothing is configured.
const (
	DefaultLogCount    = 100_000
	DefaultLogAge      = 7 * 24 * time.Hour
	DefaultReceiptsAge = 24 * time.Hour
)

// The pace of a run beside live traffic: a batch is one commit; after it the runner rests, at least
// Rest and at least as long as the batch took, so that it never has more than half of the writer.
const (
	Batch = 20
	Rest  = 5 * time.Millisecond
	// Pass is how many records go before the plan is made anew. A plan reads the store as it was when it
	// began, which keeps the store from giving back the space of what has gone since.
	Pass = 100_000
	// Every is the time between runs.
	Every = time.Hour
	// AtRest is the time between runs while nothing changes: a plan reads every entry, four seconds of a core
	// with a million records.
	AtRest = 24 * time.Hour
	// FirstAfter is when the first run begins: the start belongs to the owner.
	FirstAfter = 2 * time.Minute
)

// Report tells how a run went.
type Report struct {
	Began, Ended time.Time
	Removed      int
	Err          error // nil: it came to its end
}

// Config is what a Runner is made of.
type Config struct {
	Center  Center
	Storage Storage
	Limits  Limits
	Now     func() time.Time
	Logger  *slog.Logger // nil: nothing is logged
}

// Runner carries the plan out now and then. Its methods are safe for concurrent use.
type Runner struct {
	cfg  Config
	pass int
	wake chan struct{}

	mu     sync.Mutex // protects what follows
	limits Limits
	last   Report
}

// New returns a runner; Run runs it.
func New(cfg Config) *Runner {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Runner{cfg: cfg, pass: Pass, limits: cfg.Limits, wake: make(chan struct{}, 1)}
}

// SetLimits replaces the settings and starts a run soon.
func (r *Runner) SetLimits(l Limits) {
	r.mu.Lock()
	r.limits = l
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Last tells how the last run went; zero: there was none yet.
func (r *Runner) Last() Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

// Run makes a run every now and then until ctx ends, which is no error.
func (r *Runner) Run(ctx context.Context) error {
	timer := time.NewTimer(FirstAfter)
	defer timer.Stop()
	idleSince, idleAt := time.Time{}, int64(-1) // of the last run that found nothing to do
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			if r.cfg.Center.Sequence() == idleAt && r.cfg.Now().Sub(idleSince).Abs() < AtRest {
				r.cfg.Center.ResumePurges()
				timer.Reset(Every)
				continue
			}
		case <-r.wake:
		}
		sequence := r.cfg.Center.Sequence()
		report := r.Once(ctx)
		if report.Err != nil && ctx.Err() == nil {
			r.cfg.Logger.Warn("retention run stopped", "removed", report.Removed, "error", report.Err)
		}
		idleSince, idleAt = report.Began, sequence
		if report.Err != nil || report.Removed > 0 {
			idleAt = -1
		}
		timer.Reset(Every)
	}
}

// Once makes one run and reports it. The end of ctx ends it between two batches.
func (r *Runner) Once(ctx context.Context) Report {
	r.mu.Lock()
	limits := r.limits
	r.mu.Unlock()
	report := Report{Began: r.cfg.Now()}
	r.cfg.Center.ResumePurges()
	for {
		n, err := r.prune(ctx, report.Began, limits)
		report.Removed += n
		if report.Err = err; err != nil || n < r.pass {
			break
		}
	}
	if err := r.trim(ctx, report.Began, limits); report.Err == nil {
		report.Err = err
	}
	report.Ended = r.cfg.Now()
	r.mu.Lock()
	r.last = report
	r.mu.Unlock()
	return report
}

func (r *Runner) prune(ctx context.Context, now time.Time, limits Limits) (removed int, err error) {
	policy := func(connection string) Policy {
		p := limits.Policy
		if c, ok := r.cfg.Center.Connection(connection); ok {
			if c.KeepAge > 0 {
				p.KeepAge = c.KeepAge
			}
			if c.KeepCount > 0 {
				p.KeepCount = c.KeepCount
			}
		}
		return p
	}
	ids := make([]string, 0, Batch)
	flush := func() error {
		began := r.cfg.Now()
		result, err := r.cfg.Center.Do(ctx, notify.Center, notify.Prune{IDs: ids})
		if err != nil {
			return err
		}
		removed += result.Count
		ids = ids[:0:0]
		return rest(ctx, max(Rest, r.cfg.Now().Sub(began)))
	}
	entries := func() iter.Seq2[notify.Entry, error] { return r.cfg.Storage.Entries(ctx) }
	for id, err := range Plan(now, entries, policy) {
		if err != nil {
			return removed, err
		}
		if ids = append(ids, id); len(ids) < Batch {
			continue
		}
		if err := flush(); err != nil || removed >= r.pass {
			return removed, err
		}
	}
	if len(ids) > 0 {
		err = flush()
	}
	return removed, err
}

// trim shortens the log to its newest changes, and to those young enough.
func (r *Runner) trim(ctx context.Context, now time.Time, l Limits) error {
	if l.LogCount == 0 {
		l.LogCount = DefaultLogCount
	}
	if l.LogAge == 0 {
		l.LogAge = DefaultLogAge
	}
	if l.ReceiptsAge == 0 {
		l.ReceiptsAge = DefaultReceiptsAge
	}
	before := max(r.cfg.Storage.First(), r.cfg.Center.Sequence()-int64(l.LogCount)+1)
	// The log is in order: only what goes is read, and the first that stays.
	for c, err := range r.cfg.Storage.Changes(ctx, before-1) {
		if err != nil {
			return err
		}
		if now.Sub(c.At) <= l.LogAge {
			break
		}
		before = c.Seq + 1
	}
	return r.cfg.Storage.Trim(ctx, before, now.Add(-l.ReceiptsAge))
}

func rest(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
