package center

import (
	"context"
	"sync"

	"signalbox/notify"
)

// waiters wakes those who wait for one record to change.
type waiters struct {
	mu sync.Mutex // protects on
	on map[string]*waiter
}

type waiter struct {
	changed chan struct{} // closed at the next change of the record
	users   int
}

// join must come before the record is read, so that no change between the two is missed.
func (w *waiters) join(id string) *waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on == nil {
		w.on = map[string]*waiter{}
	}
	one := w.on[id]
	if one == nil {
		one = &waiter{changed: make(chan struct{})}
		w.on[id] = one
	}
	one.users++
	return one
}

func (w *waiters) leave(id string, one *waiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one.users--; one.users == 0 && w.on[id] == one {
		delete(w.on, id)
	}
}

func (w *waiters) wake(changes []notify.Change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.on) == 0 {
		return
	}
	for i := range changes {
		if r := changes[i].Record; r != nil {
			if one := w.on[r.ID]; one != nil {
				delete(w.on, r.ID)
				close(one.changed)
			}
		}
	}
}

// wakeAll lets everybody look again.
func (w *waiters) wakeAll() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for id, one := range w.on {
		delete(w.on, id)
		close(one.changed)
	}
}

// Wait returns the record when its revision is another than sinceRevision, when it ended, or when its
// interaction no longer waits; at the end of ctx, and when the center closes, the record as it is. An
// unknown id is CodeNotFound.
func (c *Center) Wait(ctx context.Context, id string, sinceRevision int) (*notify.Record, error) {
	for {
		one := c.waiters.join(id)
		r, err := c.Record(ctx, id)
		if err != nil || ctx.Err() != nil || r.Moved(sinceRevision) {
			c.waiters.leave(id, one)
			if err != nil && ctx.Err() != nil {
				r, err = c.Record(context.WithoutCancel(ctx), id)
			}
			return r, err
		}
		select {
		case <-one.changed:
			c.waiters.leave(id, one)
		case <-c.stopped:
			c.waiters.leave(id, one)
			return c.Record(context.WithoutCancel(ctx), id)
		case <-ctx.Done():
			c.waiters.leave(id, one)
		}
	}
}
