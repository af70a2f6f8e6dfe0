package center

import (
	"context"
	"slices"
	"time"

	"signalbox/notify"
)

// The pace of removals, which are in no hurry: a few records are one commit, and whoever removes rests after it for as
// long as it took. Who else changes something waits for such a commit, and for what the store does with what was
// removed; while there is somebody, the rest is longer, so that it is less than one change in a hundred that is slower
// by much.
const (
	pruneMost = 20               // records in a commit
	pruneRest = time.Millisecond // at least
	mostRest  = time.Second      // at most, whatever the clock says

	yieldTimes = 3 // the rest, while others change something
	yieldRest  = 20 * time.Millisecond
	yieldFor   = time.Second // after somebody else asked last
)

// Prune removes records of which it is known that they may go (R4), behind everybody else, and returns how many went,
// with an error too: a refusal, as of Do, or that of ctx. What went is durable; a commit that was under way when ctx
// ended is not counted, but made.
func (c *Center) Prune(ctx context.Context, ids []string) (removed int, err error) {
	for some := range slices.Chunk(ids, pruneMost) {
		n, err := c.pruneSome(ctx, some)
		removed += n
		if err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// pruneSome makes one commit and rests. There is one at a time: several who remove would share a commit.
func (c *Center) pruneSome(ctx context.Context, ids []string) (removed int, err error) {
	select {
	case c.pruning <- struct{}{}:
		defer func() { <-c.pruning }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	began := c.clock.Now()
	result, err := c.do(ctx, notify.Center, notify.Prune{IDs: ids})
	if err != nil {
		return 0, err
	}
	now := c.clock.Now()
	rest := min(max(pruneRest, now.Sub(began)), mostRest)
	if time.Duration(now.UnixNano()-c.asked.Load()).Abs() < yieldFor {
		rest = max(yieldRest, yieldTimes*rest)
	}
	select {
	case <-time.After(rest):
	case <-ctx.Done(): // what is left is refused
	case <-c.ending:
	}
	return result.Count, nil
}
