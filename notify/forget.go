package notify

import (
	"cmp"
	"iter"
	"maps"
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
	// forgetAtOnce is how many sessions one command forgets: what follows the changes keeps up with so many. The
	// others are still due, and go with the next one.
	forgetAtOnce = 200
)

// sessionAge is how long a session of c is kept after it was last heard of. c may be nil.
func sessionAge(c *Connection) time.Duration {
	if c != nil && c.KeepAge > 0 {
		return c.KeepAge
	}
	return SessionAge
}

// sessionHeard is how exactly it is kept when a session of c was heard of: a write an hour, not one a
// publication, and a tenth of an age that is short.
func sessionHeard(c *Connection) time.Duration { return min(time.Hour, sessionAge(c)/10) }

// ForgetAt is the instant at which a session of c is forgotten, as long as nothing of it is pending: never
// before its age has passed since it was heard of, and up to an hour or a tenth of that age later. That it
// needs the owner holds it no longer: after all that time nobody waits. c may be nil.
func ForgetAt(s *Session, c *Connection) time.Time {
	return s.UpdatedAt.Add(sessionAge(c) + sessionHeard(c))
}

// heard reports whether a session that was heard of now was last noted so long ago that it is to be noted
// again.
func (d *decider) heard(s *Session) bool {
	c, _ := d.s.Connection(s.Connection)
	return d.at.Sub(s.UpdatedAt) >= sessionHeard(c)
}

// forgetIdle forgets the sessions that were not heard of for long, the longest silent first.
func (d *decider) forgetIdle() {
	var idle []*Session
	for s := range d.s.Idle(d.at) {
		if idle = append(idle, s); len(idle) == forgetAtOnce {
			break
		}
	}
	for _, s := range idle {
		d.forgetSession(s)
	}
}

// room forgets sessions of a connection so that another one has room: never one with something pending, those
// that need the owner after those that don't (A4), the longest silent first, and the one that the owner is in
// last of all.
func (d *decider) room(connection string) {
	over := min(d.s.SessionCount(connection)-MaxSessions+1, forgetAtOnce)
	if over <= 0 {
		return
	}
	var silent []*Session
	var last *Session
	focus := d.s.Settings().Focus
	for s := range d.s.Silent(connection) {
		if s.Ref() == focus {
			last = s
			continue
		}
		if silent = append(silent, s); len(silent) == over {
			break
		}
	}
	if len(silent) < over && last != nil {
		silent = append(silent, last)
	}
	for _, s := range silent {
		d.forgetSession(s)
	}
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
		sortIdle(idle, m.Connection)
		for _, s := range idle {
			if !yield(s) {
				return
			}
		}
	}
}

func sortIdle(list []*Session, connection func(string) (*Connection, bool)) {
	at := func(s *Session) time.Time {
		c, _ := connection(s.Connection)
		return ForgetAt(s, c)
	}
	slices.SortFunc(list, func(a, b *Session) int {
		return cmp.Or(at(a).Compare(at(b)), cmp.Compare(a.Connection, b.Connection), cmp.Compare(a.ID, b.ID))
	})
}

// age brings the instant at which a session is forgotten up to date, and its place among those that make room.
func (m *Memory) age(n *sessionNode) {
	at := zeroTime
	var silent *Session
	if n.s != nil && n.pending.Len() == 0 {
		at, silent = ForgetAt(n.s, n.owner.c), n.s
	}
	n.idle.s = n
	m.idle.set(&n.idle, at)
	n.owner.silent.set(&n.silent, silent)
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
		list := slices.Collect(maps.Values(found))
		sortIdle(list, o.Connection)
		for _, s := range list {
			if !yield(s) {
				return
			}
		}
	}
}
