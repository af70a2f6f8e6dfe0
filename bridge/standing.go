package bridge

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"signalbox/notify"
)

// errRevoked is why a stream or a wait ended: its token is not good any more.
var errRevoked = errors.New("the token was rotated or revoked")

// maxStays bounds the streams and waits of one token, so that one client cannot
// take all connections.
const maxStays = 400

// standing keeps the streams and waits that are open, so that each ends at once
// when its token is rotated or revoked, whoever did that, and when the server
// stops.
type standing struct {
	mu     sync.Mutex // protects what follows
	open   map[string]map[*stay]struct{}
	counts map[string]*count // streams, and waits that last, by connection; "" is the owner
}

// count is how many stays of a connection count for its presence. It is there while some do or somebody tells it.
type count struct {
	n       int
	change  int64 // how often n changed
	holders int   // of telling, and those who wait for it

	telling sync.Mutex // held while the center is told; protects told
	told    int64      // the change that the center was told of
}

// stay is one open stream or wait.
type stay struct {
	caller caller
	cancel context.CancelCauseFunc
	unhook func() bool // from the server's end
	stream bool
	counts bool // for the presence of its connection: every stream, and a wait that lasts
}

func newStanding() *standing {
	return &standing{open: map[string]map[*stay]struct{}{}, counts: map[string]*count{}}
}

// enter returns a context for a stream or a wait. leave must be called.
func (st *standing) enter(ctx, base context.Context, c caller, stream bool) (context.Context, *stay, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	one := &stay{caller: c, cancel: cancel, stream: stream}
	one.unhook = context.AfterFunc(base, func() { cancel(errClosing) })
	st.mu.Lock()
	defer st.mu.Unlock()
	if len(st.open[c.connection]) >= maxStays {
		one.unhook()
		cancel(nil)
		return nil, nil, notify.Errorf(notify.CodeUnavailable, "A token may have at most %d streams and waits open.", maxStays)
	}
	if st.open[c.connection] == nil {
		st.open[c.connection] = map[*stay]struct{}{}
	}
	st.open[c.connection][one] = struct{}{}
	return ctx, one, nil
}

// lasts has a stay count for the presence of its connection, which is to be told then.
func (st *standing) lasts(one *stay) {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !one.counts {
		one.counts = true
		st.add(one.caller.connection, 1)
	}
}

// add changes how many of a connection count. Callers hold mu.
func (st *standing) add(connection string, by int) {
	c := st.counts[connection]
	if c == nil {
		c = &count{}
		st.counts[connection] = c
	}
	c.n += by
	c.change++
	st.drop(connection, c)
}

// drop forgets a count that says nothing and that nobody tells. Callers hold mu.
func (st *standing) drop(connection string, c *count) {
	if c.n == 0 && c.holders == 0 {
		delete(st.counts, connection)
	}
}

// tell calls say with how many of a connection count now, unless it was told since the last change. One at a
// time is told, so that no number overtakes a later one.
func (st *standing) tell(connection string, say func(n int)) {
	st.mu.Lock()
	c := st.counts[connection]
	if c == nil {
		c = &count{change: 1}
		st.counts[connection] = c
	}
	c.holders++
	st.mu.Unlock()
	c.telling.Lock()
	st.mu.Lock()
	n, change := c.n, c.change
	st.mu.Unlock()
	if c.told < change {
		c.told = change
		say(n)
	}
	c.telling.Unlock()
	st.mu.Lock()
	c.holders--
	st.drop(connection, c)
	st.mu.Unlock()
}

// leave ends the stay. Where it counted, what is left is to be told.
func (st *standing) leave(one *stay) {
	one.unhook()
	one.cancel(nil)
	st.mu.Lock()
	defer st.mu.Unlock()
	id := one.caller.connection
	delete(st.open[id], one)
	if len(st.open[id]) == 0 {
		delete(st.open, id)
	}
	if one.counts {
		st.add(id, -1)
	}
}

// streams is how many are open.
func (st *standing) streams() int {
	st.mu.Lock()
	defer st.mu.Unlock()
	n := 0
	for _, all := range st.open {
		for one := range all {
			if one.stream {
				n++
			}
		}
	}
	return n
}

// check ends the stays of a connection whose token is not good any more.
func (st *standing) check(now *notify.Connection, removed bool) {
	st.mu.Lock()
	defer st.mu.Unlock()
	for one := range st.open[now.ID] {
		if removed || !one.caller.stands(now) {
			one.cancel(errRevoked)
		}
	}
}

// connections are those with stays.
func (st *standing) connections() []string {
	st.mu.Lock()
	defer st.mu.Unlock()
	var ids []string
	for id := range st.open {
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// stay enters a stream or a wait for the caller. A token that was revoked since
// it was shown is refused, since its change may have passed already.
func (s *Server) stay(r *http.Request, c caller, stream bool) (ctx context.Context, one *stay, err error) {
	ctx, one, err = s.standing.enter(r.Context(), s.base, c, stream)
	if err != nil {
		return nil, nil, err
	}
	if !c.owner {
		if v, ok := s.cfg.Center.Connection(c.connection); !ok || !c.stands(v.Connection) {
			s.standing.leave(one)
			return nil, nil, notify.Errorf(notify.CodeUnauthorized, "This token is not known any more.")
		}
	}
	return ctx, one, nil
}

// runStanding watches the change feed for tokens that change, until ctx ends.
func (s *Server) runStanding(ctx context.Context) {
	s.follow(ctx, -1, func() {
		for _, id := range s.standing.connections() {
			v, ok := s.cfg.Center.Connection(id)
			if !ok {
				v.Connection = &notify.Connection{ID: id}
			}
			s.standing.check(v.Connection, !ok)
		}
	}, func(c *notify.Change) error {
		if c.Connection != nil {
			s.standing.check(c.Connection, c.Removed)
		}
		return nil
	})
}

var errClosing = errors.New("the server is stopping")

// ended says in our terms why the context of a stay ended.
func ended(ctx context.Context, r *http.Request) error {
	switch cause := context.Cause(ctx); {
	case errors.Is(cause, errRevoked):
		return notify.Errorf(notify.CodeUnauthorized, "This token is not known any more.")
	case errors.Is(cause, errClosing):
		return notify.Errorf(notify.CodeUnavailable, "The center is closing.")
	}
	return r.Context().Err()
}
