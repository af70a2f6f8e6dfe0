package reload

import (
	"context"
	"errors"
	"log/slog"
	"reflect"
	"sync"
	"time"

	"signalbox/notify"
)

// Center is what the service needs of the center.
type Center interface {
	Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error)
	Connections() []notify.ConnectionView
	Connection(id string) (notify.ConnectionView, bool)
	Invalidations(connection string) []*notify.Invalidation
}

// Feed yields the changes of the center in order, as center.Feed does.
type Feed interface {
	Next(ctx context.Context) (notify.Change, error)
	Close()
}

// The pauses before a failed load is tried again; they double from the first to the longest.
const (
	FirstRetry   = time.Second
	LongestRetry = 5 * time.Minute
)

// Config is what New needs.
type Config struct {
	Center Center
	// Subscribe opens the change feed from now on.
	Subscribe func() (Feed, error)
	Fetcher   Fetcher
	Logger    *slog.Logger
	// Changed is called after what Actions says of a connection changed; nil: nobody wants to know. It
	// must not block.
	Changed func(connection string)
}

// Service loads what is invalid. Make one with New and run it with Serve.
type Service struct {
	cfg Config

	mu      sync.Mutex // protects what follows
	loaded  map[string]Actions
	running map[string]*loader
}

// Actions are the application actions of a connection, as last loaded, and how its list of sessions is.
type Actions struct {
	Actions []notify.Action
	// Stale says that a newer definition is asked for and has not been loaded yet.
	Stale bool
	// Problem is a safe sentence about the last failure; empty: the last load succeeded.
	Problem string
	// SessionsProblem is the same of the list of sessions.
	SessionsProblem string
}

func (a Actions) empty() bool {
	return len(a.Actions) == 0 && !a.Stale && a.Problem == "" && a.SessionsProblem == ""
}

// New returns a service that does nothing until Serve.
func New(cfg Config) *Service {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{cfg: cfg, loaded: map[string]Actions{}, running: map[string]*loader{}}
}

// Actions returns what is known of a connection's application actions.
func (s *Service) Actions(connection string) Actions {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.loaded[connection]
}

// Troubled are the connections whose lists are old, because the last load of one failed.
func (s *Service) Troubled() map[string]Actions {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]Actions{}
	for id, a := range s.loaded {
		if a.Problem != "" || a.SessionsProblem != "" {
			out[id] = a
		}
	}
	return out
}

// Retry loads what failed now, instead of after its pause: somebody is looking.
func (s *Service) Retry(connection string) {
	s.mu.Lock()
	l, a := s.running[connection], s.loaded[connection]
	s.mu.Unlock()
	if l != nil && (a.Problem != "" || a.SessionsProblem != "") {
		l.poke()
	}
}

// Invoke tells the connection's server that the owner invoked an application action.
func (s *Service) Invoke(ctx context.Context, connection, action string) error {
	c, ok := s.cfg.Center.Connection(connection)
	if !ok {
		return notify.Errorf(notify.CodeNotFound, "There is no such connection.")
	}
	for _, a := range s.Actions(connection).Actions {
		if a.ID == action {
			return s.cfg.Fetcher.Invoke(ctx, c.ActionsURL, action)
		}
	}
	return notify.Errorf(notify.CodeActionUnavailable, "This action is not offered any more.")
}

// Serve loads until ctx ends, and returns nil then. It returns an error when the feed cannot be had.
func (s *Service) Serve(ctx context.Context) error {
	var loaders sync.WaitGroup
	defer func() {
		loaders.Wait()
		s.mu.Lock()
		clear(s.running)
		s.mu.Unlock()
	}()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	poke := func(id string) {
		s.mu.Lock() // also over the poke: a loader ends only when there is none
		defer s.mu.Unlock()
		l := s.running[id]
		if l == nil {
			l = &loader{s: s, connection: id, wake: make(chan struct{}, 1)}
			s.running[id] = l
			loaders.Go(func() { l.run(ctx) })
		}
		l.poke()
	}
	for {
		feed, err := s.cfg.Subscribe()
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		for _, c := range s.cfg.Center.Connections() {
			if c.SessionsURL != "" || c.ActionsURL != "" {
				poke(c.ID)
			}
		}
		err = s.follow(ctx, feed, poke)
		feed.Close()
		if ctx.Err() != nil {
			return nil
		}
		// The feed dropped us or was cut: everything is looked at afresh.
		s.cfg.Logger.Info("refresh feed reopened", "error", err)
	}
}

// follow pokes the loader of every connection that a change concerns.
func (s *Service) follow(ctx context.Context, feed Feed, poke func(connection string)) error {
	loading := func(id string) bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.running[id] != nil
	}
	for {
		c, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		switch {
		case c.Name == notify.EvInvalidation && !c.Removed:
			poke(c.Invalidation.Connection)
		case c.Name == notify.EvConnection && (c.Connection.SessionsURL != "" || c.Connection.ActionsURL != "" || loading(c.Connection.ID)):
			poke(c.Connection.ID)
		}
	}
}

// ended takes a loader whose connection is gone out, unless somebody asked for a look meanwhile.
func (s *Service) ended(l *loader) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(l.wake) > 0 {
		return false
	}
	delete(s.running, l.connection)
	return true
}

// loader loads for one connection, one load at a time. It ends with its connection.
type loader struct {
	s          *Service
	connection string
	wake       chan struct{}
	from       origin
}

// origin are the addresses that were loaded from; another one is loaded although nothing is invalid.
type origin struct{ sessions, actions, lifetime string }

// poke asks for a look at what is invalid; it never blocks.
func (l *loader) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *loader) run(ctx context.Context) {
	var pause time.Duration
	var again <-chan time.Time // nil: nothing failed, nothing is due
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-again:
		}
		err := l.load(ctx)
		switch {
		case errors.Is(err, errGone):
			if l.s.ended(l) {
				return
			}
			pause, again = 0, nil
		case err == nil:
			pause, again = 0, nil
		case ctx.Err() != nil:
			return
		default:
			pause = min(max(2*pause, FirstRetry), LongestRetry)
			again = time.After(pause)
			l.s.cfg.Logger.Warn("refresh did not work", "connection", l.connection, "again_in", pause, "error", err)
		}
	}
}

// errGone is that the connection of a loader was removed.
var errGone = errors.New("the connection was removed")

// load does what is asked for now. What was asked for after it began stays asked for.
func (l *loader) load(ctx context.Context) error {
	c, ok := l.s.cfg.Center.Connection(l.connection)
	switch {
	case !ok: // removed: who comes under its id is another
		l.from = origin{}
		l.remember(func(a *Actions) { *a = Actions{} })
		return errGone
	case c.Revoked:
		return nil
	}
	// What it announces no longer is offered no longer, and is no trouble.
	l.remember(func(a *Actions) {
		if c.ActionsURL == "" {
			a.Actions, a.Stale, a.Problem = nil, false, ""
		}
		if c.SessionsURL == "" {
			a.SessionsProblem = ""
		}
	})
	var lists, actions []string
	var through int64
	for _, inv := range l.s.cfg.Center.Invalidations(l.connection) {
		through = max(through, inv.Change)
		switch inv.Kind {
		case notify.InvalidActions:
			actions = append(actions, inv.ID)
		case notify.InvalidSession, notify.InvalidSessionList:
			// The list has every session, so loading it reloads each.
			lists = append(lists, inv.ID)
		}
	}
	var failed []error
	if c.SessionsURL != "" && (len(lists) > 0 || l.from.sessions != c.SessionsURL || l.from.lifetime != c.Lifetime) {
		if err := l.loadSessions(ctx, c.SessionsURL, lists, through); err != nil {
			failed = append(failed, err)
		} else {
			l.from.sessions = c.SessionsURL
		}
	}
	if c.ActionsURL != "" && (len(actions) > 0 || l.from.actions != c.ActionsURL || l.from.lifetime != c.Lifetime) {
		if err := l.loadActions(ctx, c.ActionsURL, actions, through); err != nil {
			failed = append(failed, err)
		} else {
			l.from.actions = c.ActionsURL
		}
	}
	if len(failed) == 0 {
		l.from.lifetime = c.Lifetime
	}
	return errors.Join(failed...)
}

func (l *loader) loadSessions(ctx context.Context, url string, ids []string, through int64) error {
	list, err := l.s.cfg.Fetcher.Sessions(ctx, url)
	if err != nil {
		l.remember(func(a *Actions) {
			a.SessionsProblem = "The sessions of this connection could not be loaded."
		})
		return err
	}
	l.remember(func(a *Actions) { a.SessionsProblem = "" })
	by := notify.Producer(l.connection)
	for _, p := range list {
		p.Connection = l.connection
		switch _, err := l.s.cfg.Center.Do(ctx, by, p); {
		case notify.CodeOf(err) == notify.CodeInvalidField: // the others are none the worse
			l.s.cfg.Logger.Warn("session not taken", "connection", l.connection, "error", err)
		case err != nil:
			return err
		}
	}
	return l.acknowledge(ctx, ids, through)
}

func (l *loader) loadActions(ctx context.Context, url string, ids []string, through int64) error {
	l.remember(func(a *Actions) { a.Stale = true })
	list, err := l.s.cfg.Fetcher.Actions(ctx, url)
	if err != nil {
		l.remember(func(a *Actions) { a.Problem = "The actions of this connection could not be loaded." })
		return err
	}
	l.remember(func(a *Actions) { a.Actions, a.Stale, a.Problem = list, false, "" })
	return l.acknowledge(ctx, ids, through)
}

func (l *loader) remember(change func(*Actions)) {
	l.s.mu.Lock()
	a := l.s.loaded[l.connection]
	was := a
	change(&a)
	if a.empty() {
		delete(l.s.loaded, l.connection)
	} else {
		l.s.loaded[l.connection] = a
	}
	l.s.mu.Unlock()
	if !reflect.DeepEqual(was, a) && l.s.cfg.Changed != nil {
		l.s.cfg.Changed(l.connection)
	}
}

func (l *loader) acknowledge(ctx context.Context, ids []string, through int64) error {
	if len(ids) == 0 {
		return nil
	}
	_, err := l.s.cfg.Center.Do(ctx, notify.Owner, notify.AckInvalidations{Connection: l.connection, IDs: ids, Through: through})
	return err
}
