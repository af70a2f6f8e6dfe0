package notify

import (
	"cmp"
	"container/heap"
	"iter"
	"slices"
)

// silence is the place of a session in the order in which sessions make room; s is nil while it has none.
// A session with nothing pending needs the owner by its own positions alone, so its place changes with it only.
type silence struct {
	s     *Session
	index int
}

// silences is a heap of places in that order.
type silences struct{ heap heapOf[*silence] }

// set moves a place to where s belongs; nil takes it out.
func (h *silences) set(p *silence, s *Session) {
	switch {
	case p.s == s:
	case p.s == nil:
		p.s = s
		heap.Push(&h.heap, p)
	case s == nil:
		heap.Remove(&h.heap, p.index)
		p.s = nil
	default:
		p.s = s
		heap.Fix(&h.heap, p.index)
	}
}

// inOrder yields the sessions in order; its cost is that of what is taken.
func (h *silences) inOrder() iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		next := frontier{heap: h.heap}
		next.reach(0)
		for len(next.at) > 0 {
			i := heap.Pop(&next).(int)
			if !yield(h.heap[i].s) {
				return
			}
			next.reach(2*i + 1)
			next.reach(2*i + 2)
		}
	}
}

// compareSilent is the order in which sessions with nothing pending make room.
func compareSilent(a, b *Session) int {
	if x, y := NeedOf(a, 0) != "", NeedOf(b, 0) != ""; x != y {
		if x {
			return 1
		}
		return -1
	}
	return cmp.Or(a.UpdatedAt.Compare(b.UpdatedAt), cmp.Compare(a.ID, b.ID))
}

func (p *silence) before(o *silence) bool { return compareSilent(p.s, o.s) < 0 }
func (p *silence) place() *int            { return &p.index }

// frontier are the places of a heap that come next: below those that were taken.
type frontier struct {
	heap heapOf[*silence]
	at   []int
}

func (f *frontier) reach(i int) {
	if i < len(f.heap) {
		heap.Push(f, i)
	}
}

func (f *frontier) Len() int           { return len(f.at) }
func (f *frontier) Less(i, j int) bool { return f.heap.Less(f.at[i], f.at[j]) }
func (f *frontier) Swap(i, j int)      { f.at[i], f.at[j] = f.at[j], f.at[i] }

// Push adds at the end.
func (f *frontier) Push(x any) { f.at = append(f.at, x.(int)) }

// Pop takes from the end.
func (f *frontier) Pop() any {
	i := f.at[len(f.at)-1]
	f.at = f.at[:len(f.at)-1]
	return i
}

// SessionCount is how many sessions a connection has.
func (m *Memory) SessionCount(connection string) int {
	if n := m.connections[connection]; n != nil {
		return len(n.sessions)
	}
	return 0
}

// Silent yields the sessions of a connection with nothing pending, in the order in which they make room.
func (m *Memory) Silent(connection string) iter.Seq[*Session] {
	if n := m.connections[connection]; n != nil {
		return n.silent.inOrder()
	}
	return func(func(*Session) bool) {}
}

// SessionCount is how many sessions a connection has.
func (o *Overlay) SessionCount(connection string) int {
	return o.base.SessionCount(connection) + o.sessionsMore[connection]
}

// Silent yields the sessions of a connection with nothing pending, in the order in which they make room. Its
// cost is that of what is taken and of what lies here.
func (o *Overlay) Silent(connection string) iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		held := map[string]bool{} // of those touched here: something is pending
		for id, s := range o.sessions {
			if id.Connection == connection {
				held[id.Session] = s == nil
			}
		}
		for _, r := range o.records {
			if r != nil && r.Connection == connection && r.Scope == ScopeSession {
				held[r.Session] = held[r.Session] || r.Status == Pending
			}
		}
		here := make([]*Session, 0, len(held))
		for id, pending := range held {
			ref := SessionRef{connection, id}
			if pending || o.heldBelow(ref) {
				continue
			}
			if s, ok := o.Session(ref); ok {
				here = append(here, s)
			}
		}
		slices.SortFunc(here, compareSilent)
		for s := range o.base.Silent(connection) {
			if _, touched := held[s.ID]; touched {
				continue
			}
			for len(here) > 0 && compareSilent(here[0], s) < 0 {
				if !yield(here[0]) {
					return
				}
				here = here[1:]
			}
			if !yield(s) {
				return
			}
		}
		for _, s := range here {
			if !yield(s) {
				return
			}
		}
	}
}

// heldBelow reports whether base has something pending of a session that nothing here changes.
func (o *Overlay) heldBelow(ref SessionRef) bool {
	for r := range o.base.Pending(ref) {
		if _, touched := o.records[r.ID]; !touched {
			return true
		}
	}
	return false
}
