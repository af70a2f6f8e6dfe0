package main

import "sync"

// newest says values one at a time and in their order. One that is overtaken while another is being said is left out, so
// that what was said last is what is so. The zero value with say set is ready.
type newest[T any] struct {
	say func(T) // runs on a goroutine that ends when there is nothing to say

	mu   sync.Mutex // protects what follows
	next *T         // nil: nothing is left to say
	busy bool
}

// tell has a value said. It does not wait.
func (n *newest[T]) tell(v T) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.next = &v
	if !n.busy {
		n.busy = true
		go n.run()
	}
}

func (n *newest[T]) run() {
	for {
		n.mu.Lock()
		v := n.next
		n.next, n.busy = nil, v != nil
		n.mu.Unlock()
		if v == nil {
			return
		}
		n.say(*v)
	}
}
