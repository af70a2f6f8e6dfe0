package bridge

import (
	"net"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"signalbox/notify"
)

const (
	// DefaultRate is how many changes a second one connection may make.
	DefaultRate = 200
	// burstSeconds of the rate may come at once.
	burstSeconds = 5
	// wrongTokens a minute are answered as such; further ones wait.
	wrongTokens = 30
)

// limits keeps how much each connection has done lately. All clients share the
// loopback's address, so the token, not the address, says who it is.
type limits struct {
	now   func() time.Time
	wrong *rate.Limiter

	mu      sync.Mutex // protects what follows
	perSec  float64    // 0: no limit
	buckets map[string]*rate.Limiter
}

func newLimits(perSecond float64, now func() time.Time) *limits {
	return &limits{
		now:     now,
		wrong:   rate.NewLimiter(rate.Every(time.Minute/wrongTokens), wrongTokens),
		perSec:  perSecond,
		buckets: map[string]*rate.Limiter{},
	}
}

// setRate changes the limit of all connections; what they did so far is forgotten.
func (l *limits) setRate(perSecond float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.perSec != perSecond {
		l.perSec, l.buckets = perSecond, map[string]*rate.Limiter{}
	}
}

// changes takes n changes from the connection's allowance, or refuses.
func (l *limits) changes(connection string, n int) error {
	l.mu.Lock()
	perSec := l.perSec
	if perSec <= 0 || n <= 0 {
		l.mu.Unlock()
		return nil
	}
	b := l.buckets[connection]
	if b == nil {
		burst := max(1, int(perSec*burstSeconds))
		b = rate.NewLimiter(rate.Limit(perSec), burst)
		l.buckets[connection] = b
	}
	l.mu.Unlock()
	// A batch larger than the burst takes all of it, or it could never pass.
	n = min(n, b.Burst())
	now := l.now()
	res := b.ReserveN(now, n)
	wait := res.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	res.CancelAt(now)
	return &limited{
		refusal: notify.Errorf(notify.CodeRateLimited, "More changes than the %g a second that a connection may make.", perSec),
		after:   wait,
	}
}

// forget drops the allowance of a connection that is gone.
func (l *limits) forget(connection string) {
	l.mu.Lock()
	delete(l.buckets, connection)
	l.mu.Unlock()
}

// wrongToken counts a wrong token. Only those who show one ever come here, so a
// flood of them is no harm to those who hold a right one.
func (l *limits) wrongToken() error {
	now := l.now()
	if l.wrong.AllowN(now, 1) {
		return notify.Errorf(notify.CodeUnauthorized, "This token is not known.")
	}
	return &limited{
		refusal: notify.Errorf(notify.CodeRateLimited, "Too many wrong tokens."),
		after:   time.Minute / wrongTokens,
	}
}

// limitListener bounds how many connections are open at once. A further one
// waits in the system's queue until another closes.
type limitListener struct {
	net.Listener
	slots chan struct{}
	done  chan struct{}
	once  sync.Once
}

func newLimitListener(l net.Listener, n int) *limitListener {
	return &limitListener{Listener: l, slots: make(chan struct{}, n), done: make(chan struct{})}
}

// Accept waits for a free slot and then for a connection, which gives the slot
// back when it is closed.
func (l *limitListener) Accept() (net.Conn, error) {
	select {
	case l.slots <- struct{}{}:
	case <-l.done:
		return nil, net.ErrClosed
	}
	c, err := l.Listener.Accept()
	if err != nil {
		<-l.slots
		return nil, err
	}
	return &limitedConn{Conn: c, release: sync.OnceFunc(func() { <-l.slots })}, nil
}

// Close stops Accept, also one that waits for a slot.
func (l *limitListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	release func()
}

func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.release()
	return err
}
