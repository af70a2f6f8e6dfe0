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
	counts map[string]int // streams, and waits that last, by connection; "" is the owner
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
	return &standing{open: map[string]map[*stay]struct{}{}, counts: map[string]int{}}
}

// enter returns a context for a stream or a wait, and how many streams of that
// connection are open with it. leave must be called.
func (st *standing) enter(ctx, base context.Context, c caller, stream bool) (context.Context, *stay, int, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	one := &stay{caller: c, cancel: cancel, stream: stream, counts: stream}
	one.unhook = context.AfterFunc(base, func() { cancel(errClosing) })
	st.mu.Lock()
	defer st.mu.Unlock()
	if len(st.open[c.connection]) >= maxStays {
		one.unhook()
		cancel(nil)
		return nil, nil, 0, notify.Errorf(notify.CodeUnavailable, "A token may have at most %d streams and waits open.", maxStays)
	}
	if stream {
		st.counts[c.connection]++
	}
	if st.open[c.connection] == nil {
		st.open[c.connection] = map[*stay]struct{}{}
	}
	st.open[c.connection][one] = struct{}{}
	return ctx, one, st.counts[c.connection], nil
}

// lasts has a wait count as a stream does, and returns how many of its connection count.
func (st *standing) lasts(one *stay) int {
	st.mu.Lock()
	defer st.mu.Unlock()
	if !one.counts {
		one.counts = true
		st.counts[one.caller.connection]++
	}
	return st.counts[one.caller.connection]
}

// leave ends the stay, and returns how many of its connection that count are left.
func (st *standing) leave(one *stay) int {
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
		if st.counts[id]--; st.counts[id] == 0 {
			delete(st.counts, id)
		}
	}
	return st.counts[id]
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
func (s *Server) stay(r *http.Request, c caller, stream bool) (ctx context.Context, one *stay, streams int, err error) {
	ctx, one, streams, err = s.standing.enter(r.Context(), s.base, c, stream)
	if err != nil {
		return nil, nil, 0, err
	}
	if !c.owner {
		if v, ok := s.cfg.Center.Connection(c.connection); !ok || !c.stands(v.Connection) {
			s.standing.leave(one)
			return nil, nil, 0, notify.Errorf(notify.CodeUnauthorized, "This token is not known any more.")
		}
	}
	return ctx, one, streams, nil
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
