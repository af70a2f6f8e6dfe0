package bridge

import (
	"container/list"
	"context"
	"crypto/tls"
	"net"
	"net/http"
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

// limitListener bounds how many connections are open at once. When there are
// that many, the one on which nothing has been asked for longest gives way to
// the next; when all are at work, the next waits.
type limitListener struct {
	net.Listener
	most int

	mu      sync.Mutex // protects what follows
	freed   *sync.Cond // a connection closed or came to rest, or the listener closed
	open    int
	resting *list.List // of *limitedConn, the longest at rest first
	closed  bool
}

func newLimitListener(l net.Listener, n int) *limitListener {
	ll := &limitListener{Listener: l, most: n, resting: list.New()}
	ll.freed = sync.NewCond(&ll.mu)
	return ll
}

// Accept waits for a connection, and for a place for it.
func (l *limitListener) Accept() (net.Conn, error) {
	inner, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	c := &limitedConn{Conn: inner, limit: l}
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.open >= l.most && !l.closed {
		front := l.resting.Front()
		if front == nil {
			l.freed.Wait()
			continue
		}
		idle := front.Value.(*limitedConn)
		idle.leave()
		idle.Conn.Close() // TCP's and a socket's do not wait
	}
	if l.closed {
		inner.Close()
		return nil, net.ErrClosed
	}
	l.open++
	c.place = l.resting.PushBack(c)
	return c, nil
}

// Close stops Accept, also one that waits for a place.
func (l *limitListener) Close() error {
	l.mu.Lock()
	l.closed = true
	l.freed.Broadcast()
	l.mu.Unlock()
	return l.Listener.Close()
}

// limitedConn has one of the places of its listener. It rests while no request
// on it is carried out.
type limitedConn struct {
	net.Conn
	limit *limitListener

	// Protected by limit.mu.
	place *list.Element // among those at rest; nil: at work, or gone
	gone  bool          // its place is given back
}

// leave gives the place back, with limit.mu held.
func (c *limitedConn) leave() {
	if c.gone {
		return
	}
	c.gone = true
	c.limit.open--
	if c.place != nil {
		c.limit.resting.Remove(c.place)
		c.place = nil
	}
	c.limit.freed.Signal()
}

// work says that a request begins. It is false when the connection had to give
// way: then nothing of the request may be done.
func (c *limitedConn) work() bool {
	c.limit.mu.Lock()
	defer c.limit.mu.Unlock()
	if c.gone {
		return false
	}
	if c.place != nil {
		c.limit.resting.Remove(c.place)
		c.place = nil
	}
	return true
}

// rest says that the request is done.
func (c *limitedConn) rest() {
	c.limit.mu.Lock()
	defer c.limit.mu.Unlock()
	if !c.gone && c.place == nil {
		c.place = c.limit.resting.PushBack(c)
		c.limit.freed.Signal()
	}
}

func (c *limitedConn) Close() error {
	err := c.Conn.Close()
	c.limit.mu.Lock()
	c.leave()
	c.limit.mu.Unlock()
	return err
}

type connKey struct{}

// withConn is an http.Server's ConnContext: it lets requests find their
// connection.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	return context.WithValue(ctx, connKey{}, c)
}

// atWork marks the connection of a request as busy until done is called.
func atWork(r *http.Request) (done func(), ok bool) {
	c, limited := r.Context().Value(connKey{}).(*limitedConn)
	if !limited {
		return func() {}, true
	}
	return c.rest, c.work()
}
