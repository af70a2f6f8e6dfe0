package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"signalbox/notify"
)

var errClosed = notify.Errorf(notify.CodeUnavailable, "The store is closed.")

// closeNeeds is the space that closing Badger takes at most: two memtables as tables. closeWithin is
// how long it waits for the one step of a merge that may be under way; on a disk that works, a step of
// the longest history takes some seconds.
const (
	closeNeeds  = 20 << 20
	closeWithin = time.Minute
)

// Close ends the store in good order; later calls fail with CodeUnavailable. An opening that is under way ends where it
// is, and the next one begins it anew. Where Badger cannot be
// closed now, because the disk is full or does not answer, it is left as a killed process
// would leave it: all that was acknowledged is in its log, and the next open reads it from there. The
// process should end then, for Badger keeps its lock on the folder until it does.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	ended := s.stopOpening()
	idle := s.stopMaintenance()
	s.mu.RLock()
	db, hw, lock := s.db, s.hw, s.lock
	s.mu.RUnlock()
	if db == nil {
		if !ended {
			s.log.Warn("store is left as it is being opened")
			return nil
		}
		s.logs.close()
		return nil
	}
	defer s.logs.close()
	full := false
	if sp, err := s.o.Space(s.o.Dir); err == nil {
		full = sp.Free < closeNeeds
	}
	_, err := os.Lstat(s.o.Dir)
	gone := errors.Is(err, fs.ErrNotExist) // Badger would try for ever to write a table into it
	if full || gone || !idle {
		s.log.Warn("store is left as it is", "full", full, "gone", gone, "merging", !idle)
		return errors.Join(hw.close(false), lock.Close())
	}
	s.mu.Lock() // waits for those who read
	s.db, s.hw, s.lock = nil, nil, nil
	s.mu.Unlock()
	err = db.Close()
	err = errors.Join(err, hw.close(err == nil), lock.Close())
	if err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}
