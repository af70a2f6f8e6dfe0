package store

import (
	"context"
	"time"
)

// What the owner reads while the store is being opened.
const (
	textReading = "The notification store is being read; this takes a moment."
	textMending = "The notification store was damaged. What can be read of it is being put together; this takes a moment."
)

// restoring is what the owner reads while a snapshot is put back.
func restoring(at time.Time) string {
	return "The notification store was damaged. It is being put back from its snapshot of " + clock(at) + "; this takes a moment."
}

// Open opens the store in o.Dir. It always returns a store: where the folder can't be used, or
// holds what this version must not touch, the report says so and the store is empty and refuses
// writes. Where the reason can go away, opening is tried again by itself; Ready tells when it worked.
// So it is with an opening that takes longer than o.OpenWithin, or than ctx allows: it goes on by itself until Close.
// The caller closes the store.
func Open(ctx context.Context, o Options) (*Store, Report) {
	s := newStore(o)
	return s, s.open(ctx)
}

func (s *Store) open(ctx context.Context) Report {
	s.working(textReading)
	ended := make(chan struct{})
	s.attempt.Go(func() {
		defer close(ended)
		if s.try() {
			s.retry.start(s.o.RetryEvery, s.try)
		}
	})
	var bound <-chan time.Time
	if s.o.OpenWithin > 0 {
		bound = s.o.After(s.o.OpenWithin)
	}
	select {
	case <-ended:
	case <-bound:
	case <-ctx.Done():
	}
	return s.reports.first()
}

// try tries to open the store; again: it was refused for a reason that can go away.
func (s *Store) try() (again bool) {
	r := s.tryOpen(s.life)
	if r.Condition != Refused || s.closed.Load() {
		return false
	}
	if r.Text != s.Report().Text {
		s.log.Error("store is not open", "reason", r.Reason)
	}
	s.refuse(r)
	return r.Reason.passes()
}

// working says what is being done to open the store.
func (s *Store) working(text string) { s.refuse(refused(ReasonOpening, "%s", text)) }

// refuse makes r the reason why the store is not open.
func (s *Store) refuse(r Report) {
	s.mu.Lock()
	s.refusal = r.refusal()
	s.mu.Unlock()
	if r.Text != s.Report().Text {
		s.publish(r)
	}
}

// stopOpening ends an attempt that is under way. It reports whether it has ended: a disk that does not answer is not
// waited for longer than closeWithin.
func (s *Store) stopOpening() bool {
	s.die()
	return within(closeWithin, func() {
		s.retry.stop()
		s.attempt.Wait()
	})
}

// within calls f and reports whether it returned in time.
func within(d time.Duration, f func()) bool {
	ended := make(chan struct{})
	go func() {
		f()
		close(ended)
	}()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ended:
		return true
	case <-t.C:
		return false
	}
}
