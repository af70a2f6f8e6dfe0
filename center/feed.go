package center

import (
	"context"
	"errors"
	"sync"
	"time"

	"signalbox/notify"
)

// What a feed tells beside changes.
var (
	// ErrReset says that changes the subscriber asked for are pruned already; it is told once, and the
	// feed goes on from the oldest change that is kept. The subscriber loads its state anew.
	ErrReset = errors.New("changes before the oldest kept one were asked for")
	// ErrSlow says that the subscriber fell so far behind that it was dropped. It may subscribe again
	// from the last change it had.
	ErrSlow = errors.New("the subscriber fell too far behind")
	// ErrClosed says that the feed or the center is closed.
	ErrClosed = errors.New("the feed is closed")
)

// How many recent changes the center keeps in memory for its subscribers, and about how many bytes
// of them.
const (
	ringChanges = 2048
	ringBytes   = 8 << 20
)

// readAhead is how many stored changes a resuming feed reads at once.
const readAhead = 256

// ring holds the newest changes, which all feeds read: the publisher appends once, however many
// subscribers there are, and never waits for one.
type ring struct {
	mu     sync.Mutex // protects what follows
	slots  []slot     // by Seq modulo its length
	oldest int64      // Seq of the oldest kept; last+1: none
	last   int64
	era    int // counts the reloads; the numbers of another era mean nothing
	bytes  int
	moved  chan struct{} // closed when last moves or the ring closes
	feeds  int           // that are open
	closed bool

	// nudge wakes the pump, which wakes the subscribers: their number costs the publisher nothing.
	nudge chan struct{}
	ended chan struct{} // closed when the ring closes
	done  chan struct{}
}

// Many subscribers are woken less often, so that they take no more than a part of the cores from those who
// publish: the first change is told at once, those that follow it closely are told together. The pause is
// some times what waking one of them costs, for each of them, and no longer than nobody notices; few have none.
const (
	wakePause  = 100 * time.Microsecond
	leastPause = 2 * time.Millisecond
	mostPause  = 20 * time.Millisecond
)

type slot struct {
	change notify.Change
	bytes  int
}

func newRing(last int64) *ring {
	r := &ring{slots: make([]slot, ringChanges), oldest: last + 1, last: last,
		moved: make(chan struct{}), nudge: make(chan struct{}, 1), ended: make(chan struct{}), done: make(chan struct{})}
	go r.pump()
	return r
}

// pump wakes the subscribers each time something was appended.
func (r *ring) pump() {
	defer close(r.done)
	for range r.nudge {
		r.mu.Lock()
		close(r.moved)
		r.moved = make(chan struct{})
		pause := min(time.Duration(r.feeds)*wakePause, mostPause)
		r.mu.Unlock()
		if pause >= leastPause {
			select {
			case <-time.After(pause):
			case <-r.ended:
			}
		}
	}
	r.mu.Lock()
	close(r.moved)
	r.mu.Unlock()
}

// append adds changes, whose Seq follow last. It drops what only the store and the decision need. Who
// waits for them learns of them by tell.
func (r *ring) append(changes []notify.Change) {
	r.mu.Lock()
	for _, c := range changes {
		c.Before, c.Receipt = nil, nil
		s := slot{c, weight(&c)}
		for r.oldest <= r.last && (r.last-r.oldest+1 == int64(len(r.slots)) || r.bytes+s.bytes > ringBytes) {
			at := r.oldest % int64(len(r.slots))
			r.bytes -= r.slots[at].bytes
			r.slots[at] = slot{}
			r.oldest++
		}
		r.slots[c.Seq%int64(len(r.slots))] = s
		r.last = c.Seq
		r.bytes += s.bytes
	}
	r.mu.Unlock()
}

// tell has the subscribers woken, who may have something new to read.
func (r *ring) tell() {
	select {
	case r.nudge <- struct{}{}:
	default:
	}
}

// restart begins another era after last.
func (r *ring) restart(last int64) {
	r.mu.Lock()
	clear(r.slots)
	r.oldest, r.last, r.bytes = last+1, last, 0
	r.era++
	r.mu.Unlock()
	r.tell()
}

// close ends all feeds, after what was appended has been offered to them.
func (r *ring) close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	close(r.ended)
	close(r.nudge)
	<-r.done
}

// Feed is one subscriber's view of the ordered change sequence. It has one reader. Feeds read the
// changes from memory that all share; nothing is copied for them and nobody waits for them. One that
// resumes reads the log first and joins the live changes without a gap or a repeat.
type Feed struct {
	center *Center
	era    int
	next   int64 // the Seq to deliver next
	live   bool  // it has been in reach of memory: falling out of it means being too slow
	stored []notify.Change
	reset  bool

	slow   sync.Once
	once   sync.Once
	closed chan struct{}
}

// Subscribe returns a feed of every change with Seq > after, in order; after < 0: from now on. The
// caller closes it.
func (c *Center) Subscribe(after int64) (*Feed, error) {
	r := c.ring
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, notify.Errorf(notify.CodeUnavailable, "The center is closing.")
	}
	f := &Feed{center: c, era: r.era, next: after + 1, closed: make(chan struct{})}
	if after < 0 || after > r.last {
		// A number from the future names another store: there is nothing to resume.
		f.reset = after > r.last
		f.next = r.last + 1
	}
	f.live = f.next >= r.oldest
	r.feeds++
	return f, nil
}

// Next waits for the next change. It returns ErrReset once when some were pruned, ErrSlow when the
// subscriber was dropped, ErrClosed after Close, and the context's error at its end.
func (f *Feed) Next(ctx context.Context) (notify.Change, error) {
	for {
		if f.reset {
			f.reset = false
			return notify.Change{}, ErrReset
		}
		if len(f.stored) > 0 {
			change := f.stored[0]
			f.stored = f.stored[1:]
			f.next = change.Seq + 1
			return change, nil
		}
		change, moved, err := f.fromMemory()
		switch {
		case err != nil:
			return notify.Change{}, err
		case change.Seq != 0:
			f.next, f.live = change.Seq+1, true
			return change, nil
		case moved == nil:
			if err := f.fromLog(ctx); err != nil {
				return notify.Change{}, err
			}
			continue
		}
		select {
		case <-moved:
		case <-f.closed:
			return notify.Change{}, ErrClosed
		case <-ctx.Done():
			return notify.Change{}, ctx.Err()
		}
	}
}

// fromMemory returns the next change, or a channel to wait on for it; neither when it is to be read
// from the log.
func (f *Feed) fromMemory() (change notify.Change, moved <-chan struct{}, err error) {
	select {
	case <-f.closed:
		return notify.Change{}, nil, ErrClosed
	default:
	}
	r := f.center.ring
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case f.era != r.era:
		f.era, f.next, f.live, f.stored = r.era, r.last+1, true, nil
		return notify.Change{}, nil, ErrReset
	case f.next > r.last && r.closed:
		return notify.Change{}, nil, ErrClosed
	case f.next > r.last:
		return notify.Change{}, r.moved, nil
	case f.next >= r.oldest:
		return r.slots[f.next%int64(len(r.slots))].change, nil, nil
	case f.live:
		f.slow.Do(func() { f.center.stats.dropped.Add(1) })
		return notify.Change{}, nil, ErrSlow
	}
	return notify.Change{}, nil, nil
}

// fromLog reads a slice of the stored changes from next on. It closes the store's iterator before a
// change is delivered, so that a slow subscriber holds nothing open.
func (f *Feed) fromLog(ctx context.Context) error {
	storage := f.center.storage
	// The log may be ahead of memory by what is committed and not yet published; that must not
	// overtake what others see.
	last := f.center.Sequence()
	for change, err := range storage.Changes(ctx, f.next-1) {
		if err != nil {
			return err
		}
		if change.Seq > last {
			break
		}
		if expected := f.next + int64(len(f.stored)); change.Seq > expected {
			if len(f.stored) > 0 {
				break // what is before the gap comes first
			}
			f.reset = true // pruned meanwhile, or lost with a damaged store
			f.next = change.Seq
		}
		f.stored = append(f.stored, change)
		if len(f.stored) == readAhead {
			break
		}
	}
	if len(f.stored) == 0 {
		// Nothing is stored although the sequence goes on: all that was asked for is pruned, and memory
		// has the rest.
		f.reset = true
		f.next = max(storage.First(), f.center.ring.start())
	}
	return nil
}

// start is the oldest change in memory.
func (r *ring) start() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.oldest
}

// Close ends the feed; Next returns ErrClosed from then on. It can be called at any time, by anyone.
func (f *Feed) Close() {
	f.once.Do(func() {
		close(f.closed)
		r := f.center.ring
		r.mu.Lock()
		r.feeds--
		r.mu.Unlock()
	})
}

// Sequence returns the number of the newest change that was published.
func (c *Center) Sequence() int64 {
	c.ring.mu.Lock()
	defer c.ring.mu.Unlock()
	return c.ring.last
}
