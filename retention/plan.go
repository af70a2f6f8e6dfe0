package retention

import (
	"iter"
	"time"

	"signalbox/notify"
)

// Policy bounds the history of ended records of one connection.
type Policy struct {
	KeepAge   time.Duration // since a record ended; 0: for ever
	KeepCount int           // the newest that many; 0: all
}

// Defaults hold where nothing is configured.
var Defaults = Policy{KeepAge: 90 * 24 * time.Hour, KeepCount: 100_000}

// Entries yields the index entry of every record, oldest UpdatedAt first.
type Entries func() iter.Seq2[notify.Entry, error]

// Plan yields the ids of the records to remove, oldest first: ended ones beyond the age or the count of
// their connection's policy, and pending ones whose TTL passed longer ago than that age. The entries are
// read twice, once to count; what the plan holds in memory does not grow with the history. The sequence
// ends after its first error.
func Plan(now time.Time, entries Entries, policy func(connection string) Policy) iter.Seq2[string, error] {
	return plan(now, entries, policy, func(time.Time) {})
}

// plan is [Plan], and calls stays with the instant after which a record that stays leaves by its age.
func plan(now time.Time, entries Entries, policy func(connection string) Policy, stays func(until time.Time)) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		policies := map[string]Policy{}
		of := func(connection string) Policy {
			p, ok := policies[connection]
			if !ok {
				p = policy(connection)
				policies[connection] = p
			}
			return p
		}
		surplus := map[string]int{}
		for e, err := range entries() {
			if err != nil {
				yield("", err)
				return
			}
			if e.Status.Terminal() {
				surplus[e.Connection]++
			}
		}
		for c, n := range surplus {
			if keep := of(c).KeepCount; keep > 0 && n > keep {
				surplus[c] = n - keep
			} else {
				delete(surplus, c)
			}
		}
		for e, err := range entries() {
			if err != nil {
				yield("", err)
				return
			}
			p := of(e.Connection)
			since, leaves := e.EndedAt, false
			switch {
			case !e.Status.Terminal():
				since = e.Deadline
			case surplus[e.Connection] > 0:
				surplus[e.Connection]--
				leaves = true
			}
			if !leaves && p.KeepAge > 0 && !since.IsZero() {
				if leaves = now.Sub(since) > p.KeepAge; !leaves {
					stays(since.Add(p.KeepAge))
				}
			}
			if leaves && !yield(e.ID, nil) {
				return
			}
		}
	}
}
