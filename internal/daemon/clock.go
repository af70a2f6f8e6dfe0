package daemon

import (
	"time"

	"signalbox/center"
)

// clock is the machine's, with alarms that ring by the wall clock where the system has such.
type clock struct{ center.SystemClock }

var _ center.Clock = clock{}

func newClock(now func() time.Time) clock { return clock{center.SystemClock{NowFunc: now}} }

// Alarm returns an alarm that also rings after a sleep of the machine and when the clock was set. Where
// the system has none, it is one that looks at the clock now and then.
func (c clock) Alarm() center.Alarm {
	if a, err := newWallAlarm(c.Now); err == nil {
		return a
	}
	return c.SystemClock.Alarm()
}
