package notify

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// Bounds of what is remembered of sessions that nobody ends (X1).
const (
	// SessionAge is how long a session with nothing pending is kept after it was last heard of, where its
	// connection's history has no age of its own.
	SessionAge = 30 * 24 * time.Hour
	// MaxSessions is how many sessions of a connection are kept; those with something pending go beyond it.
	MaxSessions = 1000
	// sessionHeard is how exactly it is kept when a session was heard of: a write an hour, not one a publication.
	sessionHeard = time.Hour
)

// ForgetAt is the instant at which a session of c is forgotten, as long as nothing of it is pending.
// c may be nil.
func ForgetAt(s *Session, c *Connection) time.Time {
	if c != nil && c.KeepAge > 0 {
		return s.UpdatedAt.Add(c.KeepAge)
	}
	return s.UpdatedAt.Add(SessionAge)
}

// forgettable reports whether nothing holds a session but its age.
func (d *decider) forgettable(ref SessionRef) bool {
	for range d.s.Pending(ref) {
		return false
	}
	return true
}

// forgetIdle forgets the sessions that were not heard of for long.
func (d *decider) forgetIdle() {
	var idle []*Session
	for s := range d.s.Idle(d.at) {
		idle = append(idle, s)
	}
	for _, s := range idle {
		d.forgetSession(s)
	}
}

// room forgets sessions of a connection so that another one has room: the longest silent first, never one
// with something pending, and the one that the owner is in last of all.
func (d *decider) room(connection string) {
	var all []*Session
	for s := range d.s.Sessions(connection) {
		all = append(all, s)
	}
	over := len(all) - MaxSessions + 1
	if over <= 0 {
		return
	}
	focus := d.s.Settings().Focus
	slices.SortFunc(all, func(a, b *Session) int {
		if x, y := a.Ref() == focus, b.Ref() == focus; x != y {
			return cmp.Compare(btoi(x), btoi(y))
		}
		return cmp.Or(a.UpdatedAt.Compare(b.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, s := range all {
		if over == 0 {
			return
		}
		if d.forgettable(s.Ref()) {
			d.forgetSession(s)
			over--
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// forgetSession removes a session. Its records stay in history, and it is made anew when it is heard of
// again.
func (d *decider) forgetSession(s *Session) {
	next := *s
	next.Ended = true
	next.UpdatedAt = d.at
	d.emit(Change{Name: EvSession, Session: &next, Removed: true})
}

// Idle yields the sessions of a Memory that are to be forgotten, in the order of ForgetAt.
func (m *Memory) Idle(now time.Time) iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		var idle []*Session
		for _, p := range m.idle.until(now) {
			idle = append(idle, p.s.s)
		}
		m.sortIdle(idle)
		for _, s := range idle {
			if !yield(s) {
				return
			}
		}
	}
}

func (m *Memory) sortIdle(list []*Session) { sortIdle(list, m.Connection) }

func sortIdle(list []*Session, connection func(string) (*Connection, bool)) {
	at := func(s *Session) time.Time {
		c, _ := connection(s.Connection)
		return ForgetAt(s, c)
	}
	slices.SortFunc(list, func(a, b *Session) int {
		return cmp.Or(at(a).Compare(at(b)), cmp.Compare(a.Connection, b.Connection), cmp.Compare(a.ID, b.ID))
	})
}

// age brings the instant at which a session is forgotten up to date.
func (m *Memory) age(n *sessionNode) {
	at := zeroTime
	if n.s != nil && n.pending.Len() == 0 {
		at = ForgetAt(n.s, n.owner.c)
	}
	n.idle.s = n
	m.idle.set(&n.idle, at)
}

// Idle yields the sessions that are to be forgotten: those of base that nothing here touched, and those
// that something did.
func (o *Overlay) Idle(now time.Time) iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		found := map[SessionRef]*Session{}
		look := func(s *Session) {
			if s == nil || found[s.Ref()] != nil {
				return
			}
			c, _ := o.Connection(s.Connection)
			if ForgetAt(s, c).After(now) {
				return
			}
			for range o.Pending(s.Ref()) {
				return
			}
			found[s.Ref()] = s
		}
		for s := range o.base.Idle(now) {
			if _, touched := o.sessions[s.Ref()]; !touched {
				look(s)
			}
		}
		for _, s := range o.sessions {
			look(s)
		}
		for _, r := range o.records {
			if r != nil && r.Scope == ScopeSession {
				s, _ := o.Session(SessionRef{r.Connection, r.Session})
				look(s)
			}
		}
		for id := range o.connections { // its age may be another now
			for s := range o.Sessions(id) {
				look(s)
			}
		}
		list := make([]*Session, 0, len(found))
		for _, s := range found {
			list = append(list, s)
		}
		sortIdle(list, o.Connection)
		for _, s := range list {
			if !yield(s) {
				return
			}
		}
	}
}
