package daemon

import (
	"testing"
	"time"
)

// Proves: R5
func TestAlarmRingsByTheWallClock(t *testing.T) {
	c := newClock(nil)
	a := c.Alarm()
	defer a.Stop()
	a.Set(c.Now().Add(-time.Hour))
	<-a.C()
	at := c.Now().Add(30 * time.Millisecond)
	a.Set(at)
	<-a.C()
	if early := at.Sub(c.Now()); early > 0 {
		t.Errorf("rang %s early", early)
	}
	a.Set(c.Now().Add(20 * time.Millisecond))
	a.Set(time.Time{})
	a.Set(c.Now().Add(40 * time.Millisecond)) // replaces what was set
	began := time.Now()
	<-a.C()
	if took := time.Since(began); took < 35*time.Millisecond {
		t.Errorf("rang after %s", took)
	}
	a.Set(time.Time{})
	select {
	case <-a.C():
		t.Error("rang although it was not set")
	default:
	}
}

func TestAlarmOfAnInjectedClock(t *testing.T) {
	c := newClock(func() time.Time { return time.Now().Add(-1000 * time.Hour) })
	a := c.Alarm()
	defer a.Stop()
	a.Set(c.Now().Add(10 * time.Millisecond))
	<-a.C()
}
