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

// deadlines is a heap of places by an instant, each at most once.
type deadlines struct{ heap []*deadline }

// set moves a place to an instant; the zero instant takes it out.
func (d *deadlines) set(p *deadline, at time.Time) {
	switch {
	case p.at.Equal(at):
	case p.at.IsZero():
		p.at = at
		heap.Push((*deadlineHeap)(&d.heap), p)
	case at.IsZero():
		heap.Remove((*deadlineHeap)(&d.heap), p.index)
		p.at = at
	default:
		p.at = at
		heap.Fix((*deadlineHeap)(&d.heap), p.index)
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

// deadlineHeap is the heap's order.
type deadlineHeap []*deadline

func (h deadlineHeap) Len() int           { return len(h) }
func (h deadlineHeap) Less(i, j int) bool { return h[i].at.Before(h[j].at) }
func (h deadlineHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push adds at the end.
func (h *deadlineHeap) Push(x any) {
	p := x.(*deadline)
	p.index = len(*h)
	*h = append(*h, p)
}

// Pop takes from the end.
func (h *deadlineHeap) Pop() any {
	old := *h
	p := old[len(old)-1]
	old[len(old)-1] = nil
	*h = old[:len(old)-1]
	return p
}
