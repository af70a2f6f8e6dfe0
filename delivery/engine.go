package delivery

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"signalbox/notify"
)

// Center is what the engine asks of the center.
type Center interface {
	Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error)
	Record(ctx context.Context, id string) (*notify.Record, error)
	Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error)
	Settings() notify.Settings
	Connection(id string) (notify.ConnectionView, bool)
	Session(ref notify.SessionRef) (notify.SessionView, bool)
	Attention() notify.Attention
	// Sequence is the number of the newest change.
	Sequence() int64
}

// Feed is an ordered stream of changes. Any error but the context's means that the subscriber must
// subscribe anew and look at the state.
type Feed interface {
	Next(ctx context.Context) (notify.Change, error)
	Close()
}

// Ledger keeps the deliveries.
type Ledger interface {
	Claim(ctx context.Context, d notify.Delivery) (ok bool, err error)
	Settle(ctx context.Context, d notify.Delivery) error
	Deliveries(ctx context.Context, provider, recordID string, limit int) ([]notify.Delivery, error)
	Retries(ctx context.Context, now time.Time) ([]notify.Delivery, error)
}

// Params are what an Engine needs. Center, Subscribe, Ledger, NewID and Now are required.
type Params struct {
	Center Center
	// Subscribe opens a feed from now on.
	Subscribe func() (Feed, error)
	Ledger    Ledger
	Providers []Provider
	// Looking reports whether the owner looks at the window of the active session. nil: being the
	// active session is all that is known, and counts as looking.
	Looking func() bool
	// StormCount toasts within StormWindow are a storm: as long as it lasts, what does not wait is told in
	// one summary a window. 0: only what comes within a second becomes one (A8).
	StormCount  int
	StormWindow time.Duration
	// Privacy of a provider's text; nil: PrivacyTitle for all.
	Privacy func(provider string) Privacy
	// Remind are the waits after which an unanswered item is told again, in place; empty: never.
	Remind []time.Duration
	// Words are the texts in the owner's language; nil: English.
	Words func() Words
	NewID func() string
	// Now is the clock, in the owner's time zone, in which quiet hours are meant.
	Now    func() time.Time
	Logger *slog.Logger // nil: none
}

// DefaultRemind is a sensible value for Params.Remind.
var DefaultRemind = []time.Duration{3 * time.Minute, 10 * time.Minute, 30 * time.Minute}

// Engine tells the owner. One goroutine owns its state; each provider has one that sends.
type Engine struct {
	p    Params
	log  *slog.Logger
	ask  chan func() // run by the engine's goroutine
	done chan struct{}

	mu      sync.Mutex // protects names and serving, and p.Providers until it serves
	names   []string   // of the providers
	serving bool

	// What follows belongs to the goroutine of Serve.
	ctx     context.Context
	lanes   map[string]*lane
	live    map[string]*notify.Record // pending records that were told of, held or wait
	held    map[string]*notify.Record // what quiet held back, for the digest
	summary map[string]*notify.Record // what the summary on the screen is about
	summed  time.Time                 // when it was last told
	// reminding says that the summary tells again what still waits.
	reminding bool
	remind    map[string]*reminder
	quiet     time.Time // until when it is quiet; zero: not
	results   chan result
	wg        sync.WaitGroup
}

// New returns an Engine that does nothing until Serve runs.
func New(p Params) *Engine {
	if p.Logger == nil {
		p.Logger = slog.New(slog.DiscardHandler)
	}
	if p.Words == nil {
		p.Words = func() Words { return Words{} }
	}
	if p.Privacy == nil {
		p.Privacy = func(string) Privacy { return PrivacyTitle }
	}
	e := &Engine{
		p: p, log: p.Logger, ask: make(chan func()), done: make(chan struct{}),
		lanes: map[string]*lane{}, live: map[string]*notify.Record{}, held: map[string]*notify.Record{},
		summary: map[string]*notify.Record{}, remind: map[string]*reminder{}, results: make(chan result),
	}
	for _, pr := range p.Providers {
		e.names = append(e.names, pr.Name())
	}
	return e
}

// Serve tells until ctx ends. Call it once.
func (e *Engine) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	e.ctx = ctx
	defer close(e.done)
	defer e.wg.Wait()
	defer cancel()
	e.mu.Lock()
	e.serving = true
	e.mu.Unlock()
	e.setProviders(e.p.Providers)

	changes := make(chan notify.Change)
	fresh := make(chan int64)
	e.wg.Go(func() { e.follow(ctx, changes, fresh) })

	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(e.wait())
		select {
		case <-ctx.Done():
			return nil
		case seq := <-fresh:
			e.catchUp(seq)
		case c := <-changes:
			e.changed(c)
		case r := <-e.results:
			e.sent(r)
		case f := <-e.ask:
			f()
		case <-timer.C:
		}
		e.due(e.p.Now())
	}
}

// follow reads the feed. A subscription that begins, the first or one after a loss, is told by fresh
// before its first change.
func (e *Engine) follow(ctx context.Context, changes chan<- notify.Change, fresh chan<- int64) {
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-pause.C:
		}
		if err := e.read(ctx, changes, fresh); ctx.Err() == nil {
			e.log.Warn("change feed was lost", "err", err)
		}
		pause.Reset(time.Second)
	}
}

func (e *Engine) read(ctx context.Context, changes chan<- notify.Change, fresh chan<- int64) error {
	feed, err := e.p.Subscribe()
	if err != nil {
		return err
	}
	defer feed.Close()
	select {
	case fresh <- e.p.Center.Sequence(): // what is newer comes by the feed, and perhaps a little of what is older
	case <-ctx.Done():
		return nil
	}
	for {
		c, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		select {
		case changes <- c:
		case <-ctx.Done():
			return nil
		}
	}
}

// do runs f on the engine's goroutine and waits for it.
func (e *Engine) do(ctx context.Context, f func()) error {
	ran := make(chan struct{})
	select {
	case e.ask <- func() { defer close(ran); f() }:
		<-ran
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-e.done:
		return errors.New("announcements are shut down")
	}
}

// Configure replaces what the settings decide, at once: storms, reminders, and the providers given.
func (e *Engine) Configure(ctx context.Context, stormCount int, stormWindow time.Duration, remind []time.Duration, ps []Provider) error {
	return e.do(ctx, func() {
		e.p.StormCount, e.p.StormWindow, e.p.Remind = stormCount, stormWindow, remind
		e.setProviders(ps)
	})
}

// Providers are the names of those there are, in order.
func (e *Engine) Providers() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.names)
}

// Kick tries at once what a provider failed to tell; call it when the provider has come back.
func (e *Engine) Kick(provider string) {
	go func() {
		_ = e.do(context.Background(), func() {
			if l := e.lanes[provider]; l != nil {
				l.kick(e.p.Now())
			}
		})
	}()
}

// SetProviders replaces the providers. Those with a name that is kept are replaced by the new ones. What was
// missed is told to those that are there when Serve begins.
func (e *Engine) SetProviders(ctx context.Context, ps []Provider) error {
	e.mu.Lock()
	if !e.serving {
		defer e.mu.Unlock()
		e.p.Providers, e.names = ps, nil
		for _, p := range ps {
			e.names = append(e.names, p.Name())
		}
		return nil
	}
	e.mu.Unlock()
	return e.do(ctx, func() { e.setProviders(ps) })
}

func (e *Engine) setProviders(ps []Provider) {
	next := map[string]*lane{}
	for _, p := range ps {
		l := e.lanes[p.Name()]
		if l == nil {
			l = newLane(e, p)
		} else {
			l.setProvider(p)
		}
		next[p.Name()] = l
	}
	for name, l := range e.lanes {
		if next[name] == nil {
			l.stop()
		}
	}
	e.lanes = next
	e.mu.Lock()
	e.names = slices.Sorted(maps.Keys(next))
	e.mu.Unlock()
}

// inOrder yields the lanes in a fixed order, so that what happens does not depend on a map: toasts
// first, because a row is claimed on the disk for each before it is told and a person sees the delay.
func (e *Engine) inOrder() []*lane {
	first := []string{notify.ProviderSound, notify.ProviderToast} // the later, the sooner
	out := slices.Collect(maps.Values(e.lanes))
	slices.SortFunc(out, func(a, b *lane) int {
		if c := slices.Index(first, b.name) - slices.Index(first, a.name); c != 0 {
			return c
		}
		return strings.Compare(a.name, b.name)
	})
	return out
}

// napLimit bounds how long the engine waits for what is planned by the clock on the wall: timers stand
// still while the machine sleeps, and what came due meanwhile is told within this time after it wakes.
const napLimit = time.Minute

// wait is how long until something is due. Nothing is polled: without anything planned it is an hour.
func (e *Engine) wait() time.Duration {
	now := e.p.Now()
	var next time.Time
	take := func(t time.Time) {
		if !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	for _, l := range e.lanes {
		take(l.next())
	}
	for _, r := range e.remind {
		take(r.at)
	}
	take(e.quiet)
	if next.IsZero() {
		return time.Hour
	}
	return max(0, min(next.Sub(now), napLimit))
}

// due does what has come due.
func (e *Engine) due(now time.Time) {
	if !e.quiet.IsZero() {
		if until, quiet := notify.QuietAt(e.p.Center.Settings(), now); quiet {
			e.quiet = until
		} else {
			e.quiet = time.Time{}
			e.endOfQuiet(now)
		}
	}
	e.remindDue(now)
	for _, l := range e.inOrder() {
		l.due(now)
	}
}
