package retention

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"sync"
	"time"

	"signalbox/notify"
)

// Center is what the runner asks of the center.
type Center interface {
	// Prune removes records at a pace that others do not feel, and returns how many went, with an error too.
	Prune(ctx context.Context, ids []string) (removed int, err error)
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

// The pace of runs; how fast records go within one is the center's business.
const (
	// Batch is how many records the center is handed at once.
	Batch = 500
	// Pass is how many records go before the plan is made anew. A plan reads the store as it was when it
	// began, which keeps the store from giving back the space of what has gone since.
	Pass = 100_000
	// Every is the time between runs.
	Every = time.Hour
	// AtRest is the time between runs while nothing changes and no record leaves by its age: a plan reads every
	// entry, four seconds of a core with a million records.
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
	idleAt := int64(-1) // the sequence at the last run that found nothing to do
	var next due
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
			if now := r.cfg.Now(); r.cfg.Center.Sequence() == idleAt && !next.run(now) {
				r.cfg.Center.ResumePurges()
				if passed(next.log, now) {
					next.log = r.shorten(ctx, now)
				}
				timer.Reset(Every)
				continue
			}
		case <-r.wake:
		}
		sequence := r.cfg.Center.Sequence()
		var report Report
		report, next = r.once(ctx)
		if report.Err != nil && ctx.Err() == nil {
			r.cfg.Logger.Warn("retention run stopped", "removed", report.Removed, "error", report.Err)
		}
		idleAt = sequence
		if report.Err != nil || report.Removed > 0 {
			idleAt = -1
		}
		timer.Reset(Every)
	}
}

// due is what has to be done next while nothing changes. A zero instant is never.
type due struct {
	since   time.Time // of the run that found this
	records time.Time // after which one leaves by its age
	log     time.Time // after which a change or a receipt does
}

// run reports whether a run is due.
func (d due) run(now time.Time) bool {
	return now.Sub(d.since).Abs() >= AtRest || passed(d.records, now)
}

func passed(t, now time.Time) bool { return !t.IsZero() && now.After(t) }

// earlier is the earlier of two instants of which a zero one is never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// Once makes one run and reports it. The end of ctx ends it between two batches.
func (r *Runner) Once(ctx context.Context) Report {
	report, _ := r.once(ctx)
	return report
}

func (r *Runner) once(ctx context.Context) (Report, due) {
	limits := r.bounds()
	report := Report{Began: r.cfg.Now()}
	next := due{since: report.Began}
	r.cfg.Center.ResumePurges()
	for {
		n, leaves, err := r.prune(ctx, report.Began, limits)
		report.Removed += n
		next.records = leaves
		if report.Err = err; err != nil || n < r.pass {
			break
		}
	}
	var err error
	if next.log, err = r.trim(ctx, report.Began, limits); report.Err == nil {
		report.Err = err
	}
	report.Ended = r.cfg.Now()
	r.mu.Lock()
	r.last = report
	r.mu.Unlock()
	return report, next
}

// bounds are the settings, with the defaults where nothing is set.
func (r *Runner) bounds() Limits {
	r.mu.Lock()
	l := r.limits
	r.mu.Unlock()
	l.LogCount = cmp.Or(l.LogCount, DefaultLogCount)
	l.LogAge = cmp.Or(l.LogAge, DefaultLogAge)
	l.ReceiptsAge = cmp.Or(l.ReceiptsAge, DefaultReceiptsAge)
	return l
}

// prune removes what leaves, up to a pass of it, and returns when the next record leaves by its age.
func (r *Runner) prune(ctx context.Context, now time.Time, limits Limits) (removed int, next time.Time, err error) {
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
	var ids []string
	flush := func() error {
		n, err := r.cfg.Center.Prune(ctx, ids)
		removed += n
		ids = nil
		return err
	}
	entries := func() iter.Seq2[notify.Entry, error] { return r.cfg.Storage.Entries(ctx) }
	stays := func(until time.Time) { next = earlier(next, until) }
	for id, err := range plan(now, entries, policy, stays) {
		if err != nil {
			return removed, next, err
		}
		if ids = append(ids, id); len(ids) < Batch {
			continue
		}
		if err := flush(); err != nil || removed >= r.pass {
			return removed, next, err
		}
	}
	if len(ids) > 0 {
		err = flush()
	}
	return removed, next, err
}

// shorten is a trim by itself, and returns when the next one is due: at once after one that failed.
func (r *Runner) shorten(ctx context.Context, now time.Time) time.Time {
	next, err := r.trim(ctx, now, r.bounds())
	if err != nil && ctx.Err() == nil {
		r.cfg.Logger.Warn("the log was not shortened", "error", err)
		return now
	}
	return next
}

// trim shortens the log to its newest changes, and to those young enough. It returns when the next change is
// too old, or the receipt of the newest: those before it went with a run, or go with that one.
func (r *Runner) trim(ctx context.Context, now time.Time, l Limits) (next time.Time, err error) {
	before := max(r.cfg.Storage.First(), r.cfg.Center.Sequence()-int64(l.LogCount)+1)
	// The log is in order: only what goes is read, and the first that stays.
	for c, err := range r.cfg.Storage.Changes(ctx, before-1) {
		if err != nil {
			return next, err
		}
		if now.Sub(c.At) <= l.LogAge {
			next = c.At.Add(l.LogAge)
			break
		}
		before = c.Seq + 1
	}
	for c, err := range r.cfg.Storage.Changes(ctx, max(r.cfg.Storage.First(), r.cfg.Center.Sequence())-1) {
		if err != nil {
			return next, err
		}
		if now.Sub(c.At) <= l.ReceiptsAge {
			next = earlier(next, c.At.Add(l.ReceiptsAge))
		}
	}
	return next, r.cfg.Storage.Trim(ctx, before, now.Add(-l.ReceiptsAge))
}
