package center

import "time"

// Clock tells the time and wakes the center for deadlines. Now is the wall clock, which may jump; an
// alarm is set for an instant of it.
type Clock interface {
	Now() time.Time
	// Alarm returns an alarm that is not set.
	Alarm() Alarm
}

// Alarm is one settable alarm. It has one user.
type Alarm interface {
	// C receives when the instant that was set may have come. It may receive early: whoever waits
	// looks at the clock and sets the alarm again.
	C() <-chan time.Time
	// Set replaces the instant; the zero time means never.
	Set(at time.Time)
	// Stop releases the alarm.
	Stop()
}

// CheckEvery bounds how long an alarm of [SystemClock] sleeps while an instant is set: timers stand
// still while the machine sleeps, and the wall clock can be set. With no instant set it never wakes (R5).
const CheckEvery = time.Minute

// SystemClock is the machine's clock with timers. Tests that run in a bubble of testing/synctest use
// it as well; NowFunc, when set, stands in for the wall clock.
type SystemClock struct{ NowFunc func() time.Time }

// Now returns the wall clock's time without a monotonic reading, so that differences are those of the
// wall clock.
func (c SystemClock) Now() time.Time {
	if c.NowFunc != nil {
		return c.NowFunc().Round(0)
	}
	return time.Now().Round(0)
}

// Alarm returns an alarm on a timer.
func (c SystemClock) Alarm() Alarm {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &timerAlarm{clock: c, timer: t}
}

type timerAlarm struct {
	clock SystemClock
	timer *time.Timer
}

func (a *timerAlarm) C() <-chan time.Time { return a.timer.C }

func (a *timerAlarm) Set(at time.Time) {
	if at.IsZero() {
		a.timer.Stop()
		return
	}
	a.timer.Reset(min(max(at.Sub(a.clock.Now()), 0), CheckEvery))
}

func (a *timerAlarm) Stop() { a.timer.Stop() }
