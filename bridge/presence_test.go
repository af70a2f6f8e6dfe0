package bridge

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// slowly is a center that one number of streams reaches late: not before another one has, where that comes
// meanwhile.
type slowly struct {
	Center
	held   atomic.Bool // the next one is
	passed chan struct{}
	told   atomic.Int32 // numbers that have arrived
}

func (s *slowly) Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error) {
	if _, ok := op.(notify.SetPresence); !ok {
		return s.Center.Do(ctx, by, op)
	}
	if s.held.CompareAndSwap(true, false) {
		select {
		case <-s.passed:
		case <-time.After(300 * time.Millisecond):
		}
		defer s.told.Add(1)
		return s.Center.Do(ctx, by, op)
	}
	defer s.told.Add(1)
	result, err := s.Center.Do(ctx, by, op)
	select {
	case s.passed <- struct{}{}:
	default:
	}
	return result, err
}

// Streams that end at the same instant overtake each other on their way to the center: what it was told last is
// how many there are.
//
// Proves: D7
func TestPresenceIsWhatIsLeft(t *testing.T) {
	var slow *slowly
	r := newRig(t, func(c *Config) {
		slow = &slowly{Center: c.Center, passed: make(chan struct{})}
		c.Center = slow
	})
	one := r.connect("c1")
	streams := func() int {
		v, _ := r.center.Connection("c1")
		return v.Streams
	}
	path := wire.Path(wire.PathConnectionEvents, "c1")
	first, second := r.open(one, path), r.open(one, path)
	eventually(t, "both count", func() bool { return streams() == 2 })
	slow.held.Store(true)
	first.close()
	eventually(t, "the first one's end is on its way", func() bool { return !slow.held.Load() })
	second.close()
	eventually(t, "all that is told has arrived", func() bool { return slow.told.Load() == 4 })
	if n := streams(); n != 0 {
		t.Errorf("the center was told of %d streams, and none is open", n)
	}
}
