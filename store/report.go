package store

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"signalbox/notify"
)

// Condition says how a store is.
type Condition string

// The conditions.
const (
	Healthy   Condition = "healthy"
	Recovered Condition = "recovered" // open; something was lost, or put back from a snapshot
	Full      Condition = "full"      // open for reading; writes wait for space, or for the next start
	Refused   Condition = "refused"   // not open: it is empty, and writes are refused
)

// Reason says why a store is not healthy.
type Reason string

// The reasons. Those marked * can go away: opening is tried again by itself.
const (
	ReasonDamage     Reason = "damage"
	ReasonSpace      Reason = "space"      // *
	ReasonBusy       Reason = "busy"       // another Signalbox has it open
	ReasonReadOnly   Reason = "read_only"  // *
	ReasonPermission Reason = "permission" // * the folder belongs to somebody else
	ReasonNetwork    Reason = "network"    // a network file system
	ReasonNewer      Reason = "newer"      // written by a newer version: not touched
	ReasonDisk       Reason = "disk"       // * an error of the system
	ReasonOpening    Reason = "opening"    // * it takes longer than Open waits
)

func (r Reason) passes() bool {
	switch r {
	case ReasonSpace, ReasonReadOnly, ReasonPermission, ReasonDisk, ReasonOpening:
		return true
	}
	return false
}

// Report says, in words for the owner, how a store is and what it lost.
type Report struct {
	Condition Condition
	Reason    Reason // empty while healthy
	// Text is what the owner must be told, in plain words; empty while healthy.
	Text string
	// Missing is how many acknowledged changes are gone; -1: some, unknown how many.
	Missing int64
	// From and To bound the time in which they were made; zero: unknown.
	From, To time.Time
	// Aside is the folder that was kept; empty: none was.
	Aside string
	// Snapshot is when the snapshot was made that was put back; zero: none was.
	Snapshot time.Time
	// Salvaged is how many changes after it were read from what was left of the damaged folder.
	Salvaged int64
	// Emptied: there was nothing to put back.
	Emptied bool
}

// refusal is the error that writes get while the store is not open.
func (r Report) refusal() *notify.Error {
	code := notify.CodeUnavailable
	if r.Reason == ReasonSpace {
		code = notify.CodeStorageFull
	}
	return notify.Errorf(code, "%s", r.Text)
}

func refused(reason Reason, format string, args ...any) Report {
	return Report{Condition: Refused, Reason: reason, Text: fmt.Sprintf(format, args...)}
}

// lost is the report of a loss.
func (r *Report) lost(missing int64, from, to time.Time) {
	r.Condition, r.Reason = Recovered, ReasonDamage
	if r.Missing >= 0 {
		r.Missing += missing
	}
	if missing < 0 {
		r.Missing = -1
	}
	if !from.IsZero() && (r.From.IsZero() || from.Before(r.From)) {
		r.From = from
	}
	if to.After(r.To) {
		r.To = to
	}
}

// describe writes Text from what the report holds.
func (r *Report) describe() {
	if r.Condition != Recovered {
		return
	}
	var b strings.Builder
	b.WriteString("The notification store was damaged. ")
	switch {
	case !r.Snapshot.IsZero():
		fmt.Fprintf(&b, "It was put back from the snapshot of %s%s. ", clock(r.Snapshot), r.salvaged(" and ", "later "))
	case r.Emptied && r.Salvaged > 0:
		fmt.Fprintf(&b, "There was no snapshot to put back; it was made again from %s. ", r.salvaged("", ""))
	case r.Emptied:
		b.WriteString("There was no snapshot to put back, so it starts empty. ")
	default:
		fmt.Fprintf(&b, "What could be read was kept%s. ", r.salvaged(", with ", "of the newest "))
	}
	switch {
	case r.Missing < 0:
		b.WriteString("Some changes are missing")
	case r.Missing == 0:
		b.WriteString("Nothing that was acknowledged is missing")
	case r.Missing == 1:
		b.WriteString("1 change is missing")
	default:
		fmt.Fprintf(&b, "%d changes are missing", r.Missing)
	}
	switch {
	case r.Missing == 0:
	case !r.From.IsZero() && !r.To.IsZero():
		fmt.Fprintf(&b, ", made between %s and %s", clock(r.From), clock(r.To))
	case !r.To.IsZero():
		fmt.Fprintf(&b, ", made until %s", clock(r.To))
	case !r.From.IsZero():
		fmt.Fprintf(&b, ", made after %s", clock(r.From))
	}
	b.WriteString(".")
	if r.Aside != "" {
		fmt.Fprintf(&b, " The damaged folder was kept: %s", r.Aside)
	}
	r.Text = b.String()
}

// salvaged says in words what was read from the damaged folder.
func (r *Report) salvaged(before, later string) string {
	switch r.Salvaged {
	case 0:
		return ""
	case 1:
		return before + "1 " + later + "change that was found"
	}
	return fmt.Sprintf("%s%d %schanges that were found", before, r.Salvaged, later)
}

func clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// reports hands reports on, one at a time and in order.
type reports struct {
	mu      sync.Mutex // protects the rest
	current Report
	opened  Report // what the last successful open said
	told    bool   // Open has returned one: what follows is told
	queue   []Report
	busy    bool
}

// first is the report that Open returns.
func (r *reports) first() Report {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = true
	return r.current
}

// Report says how the store is now.
func (s *Store) Report() Report {
	s.reports.mu.Lock()
	defer s.reports.mu.Unlock()
	return s.reports.current
}

// setOpened makes r the report of an open that worked.
func (s *Store) setOpened(r Report) {
	s.reports.mu.Lock()
	s.reports.opened = r
	s.reports.mu.Unlock()
	s.publish(r)
}

// opened is the report that an open left, for when what came later has passed.
func (s *Store) opened() Report {
	s.reports.mu.Lock()
	defer s.reports.mu.Unlock()
	return s.reports.opened
}

// publish makes r the current report and tells it.
func (s *Store) publish(r Report) {
	s.reports.mu.Lock()
	defer s.reports.mu.Unlock()
	s.reports.current = r
	if s.o.OnReport == nil || !s.reports.told {
		return
	}
	s.reports.queue = append(s.reports.queue, r)
	if s.reports.busy {
		return
	}
	s.reports.busy = true
	go func() {
		for {
			s.reports.mu.Lock()
			if len(s.reports.queue) == 0 {
				s.reports.busy = false
				s.reports.mu.Unlock()
				return
			}
			next := s.reports.queue[0]
			s.reports.queue = s.reports.queue[1:]
			s.reports.mu.Unlock()
			s.o.OnReport(next)
		}
	}()
}
