package watchdog

import (
	"cmp"
	"slices"
	"time"

	"signalbox/notify"
)

// How long a silence has to last. The learned limit lies between Shortest and Longest; without enough
// samples it is Unlearned.
const (
	Shortest  = 10 * time.Minute
	Unlearned = 20 * time.Minute
	Longest   = 2 * time.Hour

	samples = 64 // pauses remembered per connection
	enough  = 8  // pauses before the limit is learned
	factor  = 3  // times the pause that nine in ten do not exceed
)

// Tracker knows who works and since when nothing was heard. It is pure: every method is told the
// instant. The zero value is not usable; make one with NewTracker.
type Tracker struct {
	sessions map[notify.SessionRef]*heard
	pauses   map[string][]time.Duration // by connection, newest last
}

type heard struct {
	last   time.Time
	raised bool // an item says so
}

// NewTracker returns a tracker that has heard of nobody and starts from learned pauses (nil: none).
func NewTracker(pauses map[string][]time.Duration) *Tracker {
	if pauses == nil {
		pauses = map[string][]time.Duration{}
	}
	return &Tracker{sessions: map[notify.SessionRef]*heard{}, pauses: pauses}
}

// Pauses are what was learned, to be kept over a restart. The caller must not modify it.
func (t *Tracker) Pauses() map[string][]time.Duration { return t.pauses }

// Heard takes a change as a sign of life of its session. It reports whether an item that was raised
// for the session has to be resolved now.
func (t *Tracker) Heard(c notify.Change, now time.Time) (ref notify.SessionRef, resolve bool) {
	switch {
	case c.Session != nil:
		ref = c.Session.Ref()
		h := t.sessions[ref]
		if c.Removed || c.Session.Ended || c.Session.State != notify.SessionWorking {
			if h != nil {
				t.learn(ref.Connection, h, now)
				delete(t.sessions, ref)
			}
			return ref, h != nil && h.raised
		}
		if h == nil {
			t.sessions[ref] = &heard{last: now}
			return ref, false
		}
		if c.By != ref.Connection {
			return ref, false // the owner has seen it
		}
	case c.Record != nil && c.Record.Session != "" && c.Record.Key != Key && c.By == c.Record.Connection:
		// Only what the agent itself did: the owner's dismissal is no sign of its life.
		ref = notify.SessionRef{Connection: c.Record.Connection, Session: c.Record.Session}
	case c.Connection != nil && c.Removed:
		delete(t.pauses, c.Connection.ID)
		return ref, false
	default:
		return ref, false
	}
	h := t.sessions[ref]
	if h == nil {
		return ref, false
	}
	t.learn(ref.Connection, h, now)
	resolve, h.raised = h.raised, false
	h.last = now
	return ref, resolve
}

// Restart forgets who works, since changes were missed, and returns the sessions whose silence an item
// tells of. Resume takes up again those that still work.
func (t *Tracker) Restart() (raised []notify.SessionRef) {
	for ref, h := range t.sessions {
		if h.raised {
			raised = append(raised, ref)
		}
	}
	clear(t.sessions)
	return raised
}

// Resume is Heard for a session that worked when the center started, or when a feed was opened again: the
// silence counts from now, since nobody listened before. Raised says that an item from before is still there.
func (t *Tracker) Resume(ref notify.SessionRef, now time.Time, raised bool) {
	t.sessions[ref] = &heard{last: now, raised: raised}
}

// Works reports whether the session is one that works.
func (t *Tracker) Works(ref notify.SessionRef) bool { return t.sessions[ref] != nil }

// learn remembers a pause. One that was long enough to be reported is remembered too: it is how the
// limit grows for an agent that thinks for an hour.
func (t *Tracker) learn(connection string, h *heard, now time.Time) {
	pause := now.Sub(h.last)
	if pause < time.Second {
		return // several changes of one sign of life
	}
	list := append(t.pauses[connection], pause)
	if len(list) > samples {
		list = list[len(list)-samples:]
	}
	t.pauses[connection] = list
}

// Limit is how long a session of the connection may be silent.
func (t *Tracker) Limit(connection string) time.Duration {
	list := t.pauses[connection]
	if len(list) < enough {
		return Unlearned
	}
	sorted := slices.Sorted(slices.Values(list))
	return min(max(factor*sorted[len(sorted)*9/10], Shortest), Longest)
}

// Silence is a session that has been silent for longer than its limit.
type Silence struct {
	Ref notify.SessionRef
	For time.Duration
}

// Due returns the silences that have become long and were not returned before, in a fixed order.
func (t *Tracker) Due(now time.Time) []Silence {
	var due []Silence
	for ref, h := range t.sessions {
		if d := now.Sub(h.last); !h.raised && d >= t.Limit(ref.Connection) {
			h.raised = true
			due = append(due, Silence{ref, d})
		}
	}
	slices.SortFunc(due, func(a, b Silence) int {
		return cmp.Or(cmp.Compare(a.Ref.Connection, b.Ref.Connection), cmp.Compare(a.Ref.Session, b.Ref.Session))
	})
	return due
}

// Next is when Due may next return something; zero: not before something is heard.
func (t *Tracker) Next() time.Time {
	var next time.Time
	for ref, h := range t.sessions {
		at := h.last.Add(t.Limit(ref.Connection))
		if !h.raised && (next.IsZero() || at.Before(next)) {
			next = at
		}
	}
	return next
}
