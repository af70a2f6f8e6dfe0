package notify

import (
	"slices"
	"time"
)

// counter keeps the badge up to date with every change and with time. now is the latest instant it
// was asked about.
type counter struct {
	now    time.Time
	total  Counts // of the open connections
	shifts deadlines
}

// contribution is what one record adds to the counts.
// asks is for its session alone: what waits, and a request for clarification that can be answered elsewhere.
type contribution struct{ pending, unread, waiting, muted, snoozed, asks int }

// contributionOf is what r adds at an instant.
func contributionOf(r *Record, now time.Time) contribution {
	c := contribution{}
	if r.Status != Pending {
		return c
	}
	c.pending = 1
	switch p := PlaceOf(r, now); {
	case p.Kind == PlaceSnoozed:
		c.snoozed = 1
	case p.Kind == PlaceMuted:
		c.muted = 1
	case p.Front():
		if p.Kind == PlaceWaiting {
			c.waiting = 1
		}
		if r.Asks() {
			c.asks = 1
		}
		if !r.Read {
			c.unread = 1
		}
	}
	return c
}

func (c *Counts) add(d contribution, sign int) {
	c.Pending += sign * d.pending
	c.Unread += sign * d.unread
	c.Waiting += sign * d.waiting
	c.Muted += sign * d.muted
	c.Snoozed += sign * d.snoozed
}

func (c *Counts) addCounts(d Counts, sign int) {
	c.add(contribution{d.Pending, d.Unread, d.Waiting, d.Muted, d.Snoozed, 0}, sign)
	c.Reply += sign * d.Reply
	c.Failed += sign * d.Failed
	c.Confirm += sign * d.Confirm
}

func (c *Counts) addNeed(n Need, sign int) {
	switch n {
	case NeedReply:
		c.Reply += sign
	case NeedFailed:
		c.Failed += sign
	case NeedConfirm:
		c.Confirm += sign
	}
}

// open reports whether the connection's items are in the whole badge: the owner has not closed it.
func (n *connectionNode) open() bool { return n.c == nil || n.c.Open }

// count brings the contribution of a record up to date.
func (m *Memory) count(n *node) {
	c := &m.counts
	c.change(n, contributionOf(n.r, c.now))
	c.shifts.set(&n.shift, nextShift(n.r, c.now))
}

// uncount takes the contribution of a record away.
func (m *Memory) uncount(n *node) {
	m.counts.change(n, contribution{})
	m.counts.shifts.set(&n.shift, zeroTime)
}

func (c *counter) change(n *node, to contribution) {
	was := n.counted
	if was == to {
		return
	}
	n.counted = to
	n.connection.counts.add(was, -1)
	n.connection.counts.add(to, 1)
	if n.connection.open() {
		c.total.add(was, -1)
		c.total.add(to, 1)
	}
	if s := n.session; s != nil {
		s.waiting += to.waiting - was.waiting
		s.unread += to.unread - was.unread
		s.asks += to.asks - was.asks
		c.need(s)
	}
}

// need brings the reason for which a session needs the owner up to date.
func (c *counter) need(n *sessionNode) {
	was := n.need
	n.need = NeedOf(n.s, n.asks)
	if n.need == was {
		return
	}
	n.owner.counts.addNeed(was, -1)
	n.owner.counts.addNeed(n.need, 1)
	if n.owner.open() {
		c.total.addNeed(was, -1)
		c.total.addNeed(n.need, 1)
	}
}

// reopen moves a connection's counts in or out of the whole badge.
func (c *counter) reopen(n *connectionNode, was bool) {
	switch is := n.open(); {
	case is && !was:
		c.total.addCounts(n.counts, 1)
	case was && !is:
		c.total.addCounts(n.counts, -1)
	}
}

// NeedOf is why a session needs the owner (A4), given how many of its items at the front ask: confirm
// until they are answered, failed and reply until they are seen. s may be nil.
func NeedOf(s *Session, asks int) Need {
	switch {
	case asks > 0:
		return NeedConfirm
	case s == nil || s.Ended:
		return ""
	case s.FailedAt > s.Seen:
		return NeedFailed
	case s.FinishedAt > s.Seen:
		return NeedReply
	}
	return ""
}

// advance brings the counts to an instant. Its cost is that of the records whose place changed with
// time since it was last asked, each of them once.
// It returns the instant that the counts hold for. Callers who read the clock in another order than
// they come do not turn it back; a clock that was set back does, and costs a count of all that is pending.
func (m *Memory) advance(now time.Time) time.Time {
	switch back := m.counts.now.Sub(now); {
	case back > clockSlack:
		m.counts.now = now
		for _, n := range m.nodes {
			m.count(n)
		}
	case back < 0:
		m.counts.now = now
		for _, p := range m.counts.shifts.until(now) {
			m.count(p.n)
		}
	}
	return m.counts.now
}

// clockSlack is how far back an instant is taken for a late caller, not for a clock that was set.
const clockSlack = 5 * time.Second

// Attention is the badge at an instant. The whole is in constant time; the rest grows with the number
// of connections.
func (m *Memory) Attention(now time.Time) Attention {
	m.advance(now)
	a := Attention{Counts: m.counts.total, Connections: make(map[string]Counts, len(m.order))}
	for _, n := range m.order {
		a.Connections[n.id] = n.counts
	}
	return a
}

// ConnectionView is a connection with its presence and counts at an instant.
func (m *Memory) ConnectionView(id string, now time.Time) (ConnectionView, bool) {
	m.advance(now)
	n := m.connections[id]
	if n == nil || n.c == nil {
		return ConnectionView{}, false
	}
	return ConnectionView{n.c, n.c.PresenceAt(now), n.counts}, true
}

// ConnectionViews are all connections, in the order of their creation.
func (m *Memory) ConnectionViews(now time.Time) []ConnectionView {
	m.advance(now)
	out := make([]ConnectionView, 0, len(m.order))
	for _, n := range m.order {
		out = append(out, ConnectionView{n.c, n.c.PresenceAt(now), n.counts})
	}
	return out
}

// SessionView is a session with what is derived from its pending items.
func (m *Memory) SessionView(ref SessionRef, now time.Time) (SessionView, bool) {
	m.advance(now)
	n := m.sessions[ref]
	if n == nil || n.s == nil {
		return SessionView{}, false
	}
	return SessionView{n.s, n.waiting, n.unread, n.need}, true
}

// SessionViews are the sessions of a connection, in the order of their creation.
func (m *Memory) SessionViews(connection string, now time.Time) []SessionView {
	m.advance(now)
	c := m.connections[connection]
	if c == nil {
		return []SessionView{}
	}
	out := make([]SessionView, 0, len(c.sessions))
	for _, n := range c.sessions {
		out = append(out, SessionView{n.s, n.waiting, n.unread, n.need})
	}
	return out
}

// Rail is what a fresh view presents at an instant (P1): the application items of all open
// connections, and the items of the active session; without what is ended, silent, muted, snoozed
// or past its TTL (R2, A5); in the order of P6.
func (m *Memory) Rail(focus SessionRef, now time.Time) Rail {
	now = m.advance(now)
	rail := Rail{Application: []*Record{}, Session: []*Record{}}
	for _, c := range m.order {
		if !c.open() {
			continue
		}
		for e := c.pending.Front(); e != nil; e = e.Next() {
			if r := e.Value.(*node).r; r.Scope == ScopeApplication && PlaceOf(r, now).Front() {
				rail.Application = append(rail.Application, r)
			}
		}
	}
	if focus.Connection != "" && focus.Session != "" {
		for r := range m.Pending(focus) {
			if PlaceOf(r, now).Front() {
				rail.Session = append(rail.Session, r)
			}
		}
	}
	order := func(a, b *Record) int { return Order(a, b, now) }
	slices.SortFunc(rail.Application, order)
	slices.SortFunc(rail.Session, order)
	return rail
}
