package store

import (
	"testing"
	"time"
)

// A table that is never written is not waited for without end, and the merge that waits for it says so.
func TestATableIsNotAwaitedForEver(t *testing.T) {
	now := make(chan time.Time)
	close(now)
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1, After: func(d time.Duration) <-chan time.Time {
		if d == flushPoll {
			return now
		}
		return nil
	}})
	defer s.Close()
	if err := s.awaitTable(t.Context(), 1<<40); err == nil {
		t.Error("a table that is not there was found")
	}
}
