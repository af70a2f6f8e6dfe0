package notify

import (
	"container/heap"
	"time"
)

// deadline is the place of a node or of a session in a heap of deadlines; at is zero while it is in none.
type deadline struct {
	at    time.Time
	index int
	n     *node
	s     *sessionNode
}

// placed is what knows its place in a heap.
type placed[P any] interface {
	before(P) bool
	place() *int
}

// heapOf is the order of a heap of places, each at most once.
type heapOf[P placed[P]] []P

func (h heapOf[P]) Len() int           { return len(h) }
func (h heapOf[P]) Less(i, j int) bool { return h[i].before(h[j]) }
func (h heapOf[P]) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	*h[i].place(), *h[j].place() = i, j
}

// Push adds at the end.
func (h *heapOf[P]) Push(x any) {
	p := x.(P)
	*p.place() = len(*h)
	*h = append(*h, p)
}

// Pop takes from the end.
func (h *heapOf[P]) Pop() any {
	old := *h
	p := old[len(old)-1]
	clear(old[len(old)-1:])
	*h = old[:len(old)-1]
	return p
}

func (p *deadline) before(o *deadline) bool { return p.at.Before(o.at) }
func (p *deadline) place() *int             { return &p.index }

// deadlines is a heap of places by an instant.
type deadlines struct{ heap heapOf[*deadline] }

// set moves a place to an instant; the zero instant takes it out.
func (d *deadlines) set(p *deadline, at time.Time) {
	switch {
	case p.at.Equal(at):
	case p.at.IsZero():
		p.at = at
		heap.Push(&d.heap, p)
	case at.IsZero():
		heap.Remove(&d.heap, p.index)
		p.at = at
	default:
		p.at = at
		heap.Fix(&d.heap, p.index)
	}
}

// next is the earliest instant; zero: none.
func (d *deadlines) next() time.Time {
	if len(d.heap) == 0 {
		return zeroTime
	}
	return d.heap[0].at
}

// until collects the places at or before now; its cost is that of what it finds.
func (d *deadlines) until(now time.Time) []*deadline {
	var out []*deadline
	var walk func(i int)
	walk = func(i int) {
		if i >= len(d.heap) || d.heap[i].at.After(now) {
			return
		}
		out = append(out, d.heap[i])
		walk(2*i + 1)
		walk(2*i + 2)
	}
	walk(0)
	return out
}
