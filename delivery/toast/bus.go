package toast

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	busName = "org.freedesktop.Notifications"
	busPath = "/org/freedesktop/Notifications"
	dbusSvc = "org.freedesktop.DBus"
)

// Options configure a Bus.
type Options struct {
	// Address of the bus; empty: the session bus of the environment. A bus is never launched.
	Address string
	AppName string // shown by some daemons
	// DesktopEntry is the id of the application's desktop file; empty: none is named.
	DesktopEntry string
	Icon         []byte // PNG; nil: none
	// Limit bounds every call to the daemon; 0: 2 s.
	Limit time.Duration
	// Queue bounds how many toasts wait to be shown; 0: 64.
	Queue int
	// MaxShown bounds how many are on the screen, as far as we know; the oldest goes first. 0: 15,
	// because some daemons refuse more than 20.
	MaxShown int
	// OnEvent hears what the owner did; it must return quickly. nil: nobody does.
	OnEvent func(Event)
	// OnAvailable hears when the service appears or goes; it must return quickly. nil: nobody does.
	OnAvailable func(bool)
	// Fallback shows a toast in another way while no daemon is there; nil: there is none.
	Fallback func(title, body string) error
	// Now is the clock; nil: time.Now.
	Now    func() time.Time
	Logger *slog.Logger // nil: none
}

// Bus talks to the freedesktop notification service on a connection of its own. The shared connection
// of the process belongs to others, who close it.
//
// It speaks the protocol itself: the libraries for it have no time limits, take any program's signals
// for the daemon's, and panic on one of a wrong shape.
//
// One worker sends, so that a slow daemon delays toasts and nothing else. A daemon that did not answer
// in time may still show the toast when it wakes: its late answer is kept, and no second call is made
// for that item meanwhile.
type Bus struct {
	opt  Options
	reqs chan request
	done chan struct{} // closed when Serve returns

	mu      sync.Mutex // protects what follows
	conn    *dbus.Conn
	owner   string // unique name of the daemon; empty: none
	wakes   bool   // the bus starts a daemon when one is wanted
	asked   string // the owner that caps were asked of
	caps    []string
	server  string
	problem error
	looked  bool // whether there is a daemon was found out, once
	byID    map[uint32]*shown
	byKey   map[string]*shown
	late    map[string]*lateCall
	waiting int            // calls whose answer is awaited
	early   []*dbus.Signal // signals about ids that such a call may be about to return
	hung    time.Time      // no call before then
	tried   time.Time      // last attempt to connect
	backing bool           // the fallback is running
}

// shown is a toast that is, as far as we know, on the screen.
type shown struct {
	id       uint32
	key      string
	revision int
	at       time.Time
	decides  map[string]bool
	spent    bool // an action was invoked: what follows is an echo
}

// lateCall is a Notify that was given up but not answered.
type lateCall struct {
	revision int
	withdraw bool // close it as soon as it appears
	answered bool // it appeared after all; the next Show of this revision is already done
}

type request struct {
	ctx   context.Context
	toast *Toast // nil: withdraw
	key   string
	done  chan error
}

var _ Sender = (*Bus)(nil)

// NewBus returns a Bus that does nothing until Serve runs.
func NewBus(opt Options) *Bus {
	if opt.Limit <= 0 {
		opt.Limit = 2 * time.Second
	}
	if opt.Queue <= 0 {
		opt.Queue = 64
	}
	if opt.MaxShown <= 0 {
		opt.MaxShown = 15
	}
	if opt.OnEvent == nil {
		opt.OnEvent = func(Event) {}
	}
	if opt.OnAvailable == nil {
		opt.OnAvailable = func(bool) {}
	}
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	b := &Bus{opt: opt, reqs: make(chan request, opt.Queue), done: make(chan struct{})}
	b.forget()
	return b
}

// Serve connects and sends until ctx ends. A missing bus or daemon is no error: it is looked for again.
func (b *Bus) Serve(ctx context.Context) error {
	defer close(b.done)
	defer b.disconnect()
	defer b.takeDown()
	wait := time.Second
	retry := time.NewTimer(0)
	defer retry.Stop()
	for {
		var lost <-chan struct{}
		if c := b.connection(); c != nil {
			lost = c.Context().Done()
		}
		select {
		case <-ctx.Done():
			return nil
		case r := <-b.reqs:
			if r.ctx.Err() != nil {
				r.done <- ErrBusy // whoever waited has gone
				continue
			}
			if r.toast != nil {
				r.done <- b.show(ctx, *r.toast)
			} else {
				r.done <- b.withdraw(ctx, r.key)
			}
		case <-retry.C:
			if b.connect(ctx) == nil {
				wait = time.Second
				continue
			}
			retry.Reset(wait)
			wait = min(wait*2, time.Minute)
		case <-lost:
			b.disconnect()
			retry.Reset(wait)
		}
	}
}

// Show shows t and returns what became of it, at the latest when ctx ends.
func (b *Bus) Show(ctx context.Context, t Toast) error {
	return b.request(request{ctx: ctx, toast: &t, key: t.Key, done: make(chan error, 1)})
}

// Withdraw closes the toast of key, if there is one.
func (b *Bus) Withdraw(ctx context.Context, key string) error {
	b.mu.Lock()
	l, s := b.late[key], b.byKey[key]
	switch {
	case l != nil && !l.answered:
		l.withdraw = true
	case l != nil:
		delete(b.late, key) // what it showed is about to go
	}
	b.mu.Unlock()
	if s == nil {
		return nil
	}
	return b.request(request{ctx: ctx, key: key, done: make(chan error, 1)})
}

func (b *Bus) request(r request) error {
	select {
	case <-b.done:
		return ErrStopped
	default:
	}
	select {
	case b.reqs <- r:
	default:
		return ErrBusy
	}
	select {
	case err := <-r.done:
		return err
	case <-r.ctx.Done():
		return ErrHung
	case <-b.done:
		return ErrStopped
	}
}

// Status says what is known of the daemon: before it was looked for, neither that it is there nor a problem.
func (b *Bus) Status() Status {
	b.mu.Lock()
	defer b.mu.Unlock()
	there := b.owner != "" && b.problem == nil || b.owner == "" && b.wakes && (b.problem == nil || errors.Is(b.problem, ErrNoDaemon))
	s := Status{Available: b.conn != nil && there, Server: b.server, Capabilities: slices.Clone(b.caps)}
	switch {
	case s.Available, !b.looked:
	case b.problem != nil:
		s.Problem = b.problem.Error()
	default:
		s.Problem = ErrNoDaemon.Error()
	}
	return s
}

func (b *Bus) connection() *dbus.Conn {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.conn
}

// forget drops every id: they die with the daemon or the connection. Callers hold mu, or own b.
func (b *Bus) forget() {
	b.byID = make(map[uint32]*shown)
	b.byKey = make(map[string]*shown)
	b.late = make(map[string]*lateCall)
	b.early = nil
}

func (b *Bus) connect(ctx context.Context) error {
	if b.connection() != nil {
		return nil
	}
	b.mu.Lock()
	b.tried = b.opt.Now()
	b.mu.Unlock()
	// The connection outlives ctx for a moment, so that what is on the screen can be taken down.
	connCtx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	// Dialling and greeting have no time limit of their own; ending the context closes the connection.
	limit := time.AfterFunc(b.opt.Limit, cancel)
	conn, err := b.dial(connCtx)
	if err == nil && !limit.Stop() {
		conn.Close()
		err = ErrHung
	}
	if err != nil {
		cancel()
		b.fail(ErrNoBus)
		return err
	}
	signals := make(chan *dbus.Signal, 64)
	conn.Signal(signals)
	context.AfterFunc(conn.Context(), cancel)
	go b.listen(conn, signals)
	// A bus that stops answering here must not hold the worker, nor the end of the app.
	matching, stop := context.WithTimeout(ctx, b.opt.Limit)
	defer stop()
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(dbusSvc), dbus.WithMatchInterface(dbusSvc), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, busName)},
		{dbus.WithMatchSender(busName), dbus.WithMatchInterface(busName), dbus.WithMatchObjectPath(busPath)},
	} {
		if err := conn.AddMatchSignalContext(matching, match...); err != nil {
			conn.Close()
			b.fail(ErrNoBus)
			return err
		}
	}
	b.mu.Lock()
	b.conn, b.problem = conn, nil
	b.mu.Unlock()
	var names []string
	if b.call(ctx, conn.BusObject(), dbusSvc+".ListActivatableNames", []any{&names}) == nil {
		b.mu.Lock()
		b.wakes = slices.Contains(names, busName)
		b.mu.Unlock()
	}
	var owner string
	if b.call(ctx, conn.BusObject(), dbusSvc+".GetNameOwner", []any{&owner}, busName) == nil {
		b.ownerIs(owner)
	}
	b.found(nil)
	return nil
}

func (b *Bus) dial(ctx context.Context) (*dbus.Conn, error) {
	var conn *dbus.Conn
	var err error
	if b.opt.Address != "" {
		conn, err = dbus.Dial(b.opt.Address, dbus.WithContext(ctx))
	} else {
		// Without this form a bus would be launched where there is none, and left running.
		conn, err = dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	}
	if err != nil {
		return nil, err
	}
	if err := conn.Auth(nil); err != nil {
		conn.Close()
		return nil, err
	}
	if err := conn.Hello(); err != nil {
		conn.Close()
		return nil, err
	}
	return conn, nil
}

// takeDown closes what is on the screen: its buttons are about to lead nowhere.
func (b *Bus) takeDown() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id := range b.byID {
		if b.conn != nil {
			b.daemon(b.conn).Go(busName+".CloseNotification", dbus.FlagNoReplyExpected, nil, id)
		}
	}
}

func (b *Bus) disconnect() {
	b.mu.Lock()
	conn := b.conn
	b.conn, b.owner, b.asked, b.problem = nil, "", "", ErrNoBus
	b.forget()
	b.mu.Unlock()
	if conn != nil {
		conn.Close()
		b.opt.OnAvailable(false)
	}
}

func (b *Bus) fail(err error) {
	b.mu.Lock()
	b.problem = err
	b.mu.Unlock()
	b.found(err)
}

// found notes that there was a look, and says so if that is the first news.
func (b *Bus) found(err error) {
	b.mu.Lock()
	first := !b.looked
	b.looked = true
	none := err != nil || b.owner == ""
	b.mu.Unlock()
	if first && none {
		b.opt.OnAvailable(false)
	}
}

// ownerIs notes who serves notifications now. A new owner knows none of our ids.
func (b *Bus) ownerIs(owner string) {
	b.mu.Lock()
	same := owner == b.owner
	if !same {
		b.owner, b.hung = owner, time.Time{}
		b.asked, b.caps, b.server = "", nil, ""
		b.forget()
		b.problem = nil
		if owner == "" {
			b.problem = ErrNoDaemon
		}
	}
	b.mu.Unlock()
	if !same {
		b.opt.Logger.Info("notification service changed", "available", owner != "")
		b.opt.OnAvailable(owner != "")
	}
}
