package notify

import (
	"slices"
	"time"
)

// StormGap is the least time between two toasts (A8).
const StormGap = time.Second

// Storm tells a storm as one (A8): at most one toast in StormGap, and what comes in between becomes
// one summary, in which what waits is never lost. The zero value is a calm. It is one provider's
// own; not safe for concurrent use.
type Storm struct {
	last time.Time
	held []*Record // in the order in which they came, each once
}

// Offer says whether r may be told now; otherwise it is held until Next.
func (s *Storm) Offer(r *Record, now time.Time) (tell bool) {
	if len(s.held) == 0 && (s.last.IsZero() || now.Sub(s.last) >= StormGap || now.Before(s.last)) {
		s.last = now
		return true
	}
	s.Hold(r)
	return false
}

// Hold holds r until Next, although it could be told: a storm goes on.
func (s *Storm) Hold(r *Record) {
	s.Withdraw(r.ID)
	s.held = append(s.held, r)
}

// Withdraw forgets what was held of a record; it ended, or was told otherwise.
func (s *Storm) Withdraw(id string) {
	s.held = slices.DeleteFunc(s.held, func(r *Record) bool { return r.ID == id })
}

// Next is when Flush has something; zero: nothing is held.
func (s *Storm) Next() time.Time {
	if len(s.held) == 0 {
		return zeroTime
	}
	return s.last.Add(StormGap)
}

// Flush takes what is held once its time has come: one record is told as itself, several as one
// summary, what waits first.
func (s *Storm) Flush(now time.Time) []*Record {
	if len(s.held) == 0 || now.Before(s.Next()) && !now.Before(s.last) {
		return nil
	}
	out := s.held
	s.held, s.last = nil, now
	slices.SortStableFunc(out, func(a, b *Record) int {
		switch {
		case a.Waiting() == b.Waiting():
			return 0
		case a.Waiting():
			return -1
		}
		return 1
	})
	return out
}
