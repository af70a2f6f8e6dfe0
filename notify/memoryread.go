package notify

import (
	"container/list"
	"iter"
	"slices"
	"time"
)

// This file is what a Memory answers; memory.go is how it keeps it.

// Sequence is the number of the last change.
func (m *Memory) Sequence() int64 { return m.seq }

// Connection finds a connection.
func (m *Memory) Connection(id string) (*Connection, bool) {
	n := m.connections[id]
	if n == nil || n.c == nil {
		return nil, false
	}
	return n.c, true
}

// Connections yields the connections in the order of their creation.
func (m *Memory) Connections() iter.Seq[*Connection] {
	return func(yield func(*Connection) bool) {
		for _, n := range m.order {
			if !yield(n.c) {
				return
			}
		}
	}
}

// Session finds a session.
func (m *Memory) Session(ref SessionRef) (*Session, bool) {
	n := m.sessions[ref]
	if n == nil || n.s == nil {
		return nil, false
	}
	return n.s, true
}

// Sessions yields the sessions of a connection in the order of their creation.
func (m *Memory) Sessions(connection string) iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		n := m.connections[connection]
		if n == nil {
			return
		}
		for _, s := range n.sessions {
			if !yield(s.s) {
				return
			}
		}
	}
}

// Record finds any record.
func (m *Memory) Record(id string) (*Record, bool) {
	if n := m.nodes[id]; n != nil {
		return n.r, true
	}
	if m.lookup == nil {
		r, ok := m.records[id]
		return r, ok
	}
	r, ok, err := m.lookup.Record(id)
	return r, ok && !m.failed(err)
}

// Slot finds the newest occurrence of a key.
func (m *Memory) Slot(slot Slot) (Newest, bool) {
	if n, ok := m.slots[slot]; ok || m.lookup == nil {
		return n, ok
	}
	n, ok, err := m.lookup.Slot(slot)
	return n, ok && !m.failed(err)
}

// Told finds the record of an event's occurrence.
func (m *Memory) Told(ref EventRef) (string, bool) {
	if m.lookup == nil {
		id, ok := m.told[ref]
		return id, ok
	}
	id, ok, err := m.lookup.Told(ref)
	return id, ok && !m.failed(err)
}

// Receipt finds what a publication with an idempotency key did.
func (m *Memory) Receipt(connection, key string) (*Receipt, bool) {
	if m.lookup == nil {
		r, ok := m.receipts[receiptKey{connection, key}]
		return r, ok
	}
	r, ok, err := m.lookup.Receipt(connection, key)
	return r, ok && !m.failed(err)
}

// Dedup finds the newest pending record with a dedup key.
func (m *Memory) Dedup(slot Slot) (best *Record, ok bool) {
	for _, n := range m.dedup[slot] {
		if best == nil || byCreation(n.r, best) > 0 {
			best = n.r
		}
	}
	return best, best != nil
}

// Pending yields pending records, in the order in which they became pending here.
func (m *Memory) Pending(ref SessionRef) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		l := m.pendingList(ref)
		if l == nil {
			return
		}
		for e := l.Front(); e != nil; e = e.Next() {
			if !yield(e.Value.(*node).r) {
				return
			}
		}
	}
}

func (m *Memory) pendingList(ref SessionRef) *list.List {
	switch {
	case ref.Connection == "":
		return m.pending
	case ref.Session == "":
		if n := m.connections[ref.Connection]; n != nil {
			return n.pending
		}
	default:
		if n := m.sessions[ref]; n != nil {
			return n.pending
		}
	}
	return nil
}

// Due yields the pending records that have come due, the earliest first.
func (m *Memory) Due(now time.Time) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		due := m.due.until(now)
		slices.SortFunc(due, func(a, b *deadline) int { return byDeadline(a.n.r, b.n.r) })
		for _, p := range due {
			if !yield(p.n.r) {
				return
			}
		}
	}
}

// NextDue is the instant at which a Tick has something to do; zero: never (R5).
func (m *Memory) NextDue() time.Time {
	next := m.due.next()
	if t := m.idle.next(); !t.IsZero() && (next.IsZero() || t.Before(next)) {
		next = t
	}
	for _, n := range m.order {
		if t := NextPresence(n.c); !t.IsZero() && (next.IsZero() || t.Before(next)) {
			next = t
		}
	}
	return next
}

// Invalidation finds an invalidation.
func (m *Memory) Invalidation(connection, id string) (*Invalidation, bool) {
	i, ok := m.invalidations[connection][id]
	return i, ok
}

// Invalidations yields the invalidations of a connection, in the order of their ids.
func (m *Memory) Invalidations(connection string) iter.Seq[*Invalidation] {
	return func(yield func(*Invalidation) bool) {
		byID := m.invalidations[connection]
		ids := make([]string, 0, len(byID))
		for id := range byID {
			ids = append(ids, id)
		}
		slices.Sort(ids)
		for _, id := range ids {
			if !yield(byID[id]) {
				return
			}
		}
	}
}

// Settings are the owner's settings.
func (m *Memory) Settings() Settings { return m.settings }

var (
	_ State = (*Memory)(nil)
	_ State = (*Overlay)(nil)
)
