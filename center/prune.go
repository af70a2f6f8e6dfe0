package center

import (
	"context"
	"slices"
	"time"

	"signalbox/notify"
)

// The pace of removals, which are in no hurry: a few records are one commit, and whoever removes rests after it for at
// least as long as the commit took. Who else changes something waits for such a commit, and for what the store does
// with what was removed; while somebody does, the rest is longer, so that it is less than one change in a hundred
// that is slower by much.
const (
	pruneMost = 20
	pruneRest = 5 * time.Millisecond
	mostRest  = time.Second // whatever the clock says; before yieldMore
	yieldMore = 3           // times the rest, while others change something
)

// Prune removes records of which it is known that they may go (R4), behind everybody else, and returns how many went,
// with an error too: a refusal, as of Do, or that of ctx, which ends it between two commits. What went is durable.
func (c *Center) Prune(ctx context.Context, ids []string) (removed int, err error) {
	for some := range slices.Chunk(ids, pruneMost) {
		began := c.clock.Now()
		alone := c.stats.commands.Load() == c.pruned.Load()
		result, err := c.do(ctx, notify.Center, notify.Prune{IDs: some})
		if err != nil {
			return removed, err
		}
		removed += result.Count
		c.pruned.Store(c.stats.commands.Load())
		rest := min(max(pruneRest, c.clock.Now().Sub(began)), mostRest)
		if !alone {
			rest *= yieldMore
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return removed, ctx.Err()
		}
	}
	return removed, nil
}
