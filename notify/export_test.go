package notify

import "time"

// NextShift is the next instant at which the counts change by themselves; zero: never.
func (m *Memory) NextShift() time.Time { return m.counts.shifts.next() }
