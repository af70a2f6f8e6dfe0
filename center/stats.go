package center

import "sync/atomic"

// Stats counts what happened since the center was opened.
type Stats struct {
	Commands int64 // answered, refusals included
	Commits  int64 // made; Commands by Commits is the size of a group
	Changes  int64
	Failed   int64 // commits that failed
	Dropped  int64 // subscribers that were too slow
}

type stats struct{ commands, commits, changes, failed, dropped atomic.Int64 }

// Stats returns the counts.
func (c *Center) Stats() Stats {
	s := &c.stats
	return Stats{s.commands.Load(), s.commits.Load(), s.changes.Load(), s.failed.Load(), s.dropped.Load()}
}
