package store

import (
	"errors"
	"time"

	"signalbox/notify"
)

// Space is what the system says of the file system at a path.
type Space struct {
	Free   int64  // bytes that this user may still write
	Kind   string // for the owner, such as NFS; empty: nothing special
	Remote bool   // a network file system
}

// DefaultMinFree is the space below which writes are refused, where none is given. A page that
// Badger maps and the disk has no room for kills the process (SIGBUS), so writes must stop well
// before; the least is what a memtable, its table and the index need at once.
const DefaultMinFree = 64 << 20

// spaceFor is how long an answer of the system counts: a burst of commits asks once.
const spaceFor = 100 * time.Millisecond

// writable returns the refusal when the store must not be written to. Callers hold mu for reading.
func (s *Store) writable() error {
	s.space.Lock()
	defer s.space.Unlock()
	if s.space.failed != nil {
		return s.space.failed
	}
	now := s.o.Now()
	if now.Sub(s.space.at).Abs() >= spaceFor || s.space.at.IsZero() {
		s.space.at = now
		if sp, err := s.o.Space(s.o.Dir); err == nil {
			s.space.free = sp.Free
		}
		// What the newest log keeps of the disk is a part of the reserve.
		if full := s.space.free+s.logs.room() < s.o.MinFree+s.reserve.Load(); full != s.space.full {
			s.space.full = full
			s.spaceChanged(full)
		}
	}
	if s.space.full {
		return notify.Errorf(notify.CodeStorageFull, "%s", textFull)
	}
	return nil
}

const textFull = "The disk is nearly full, so nothing new can be stored. What is stored can be read; it goes on by itself when there is space again."

// failed refuses all further writes after one of unknown end: it may be there in part, and its change
// numbers with it. The next open makes it whole or drops it.
func (s *Store) failed(err error) error {
	var unsure unsureError
	if !errors.As(err, &unsure) {
		return err
	}
	s.space.Lock()
	first := s.space.failed == nil
	if first {
		s.space.failed = notify.Errorf(notify.CodeUnavailable, "%s", textFailed)
	}
	s.space.Unlock()
	if first {
		s.log.Error("a write failed", "err", err)
		s.publish(Report{Condition: Full, Reason: ReasonDisk, Text: textFailed})
	}
	return err
}

const textFailed = "The disk failed while something was written, so nothing new is stored. What is stored can be read; start Signalbox again to go on."

// spaceChanged tells the owner. Space is asked for again from time to time while there is none, so
// that the message goes when its reason does.
func (s *Store) spaceChanged(full bool) {
	if full {
		s.log.Warn("store is short of space", "free", s.space.free, "needed", s.o.MinFree)
		s.publish(Report{Condition: Full, Reason: ReasonSpace, Text: textFull})
		s.retry.start(s.o.RetryEvery, func() (again bool) {
			s.mu.RLock()
			defer s.mu.RUnlock()
			return s.db != nil && s.writable() != nil
		})
		return
	}
	s.log.Info("store has space again", "free", s.space.free)
	s.publish(s.opened())
}
