package daemon

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"signalbox/center"
)

// wallAlarm is a timer of the kernel on the wall clock: it costs nothing while it waits, rings at once
// when the machine wakes after its instant, and rings when somebody sets the clock, so that whoever
// waits looks again. Timers of the runtime stand still while the machine sleeps.
type wallAlarm struct {
	now  func() time.Time
	file *os.File
	c    chan time.Time
	done chan struct{}
}

func newWallAlarm(now func() time.Time) (center.Alarm, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_REALTIME, unix.TFD_NONBLOCK|unix.TFD_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("timerfd_create", err)
	}
	a := &wallAlarm{now: now, file: os.NewFile(uintptr(fd), "alarm"), c: make(chan time.Time, 1), done: make(chan struct{})}
	go a.wait()
	return a, nil
}

// wait rings each time the timer did, until it is closed.
func (a *wallAlarm) wait() {
	defer close(a.done)
	b := make([]byte, 8)
	for {
		// ECANCELED says that the clock was set.
		if _, err := a.file.Read(b); err != nil && !errors.Is(err, unix.ECANCELED) {
			return
		}
		select {
		case a.c <- a.now():
		default:
		}
	}
}

func (a *wallAlarm) C() <-chan time.Time { return a.c }

func (a *wallAlarm) Set(at time.Time) {
	var spec unix.ItimerSpec // zero: never
	if !at.IsZero() {
		// By the difference, so that an injected clock works too; the past rings at once.
		ns := max(time.Now().Add(at.Sub(a.now())).UnixNano(), 1)
		spec.Value = unix.NsecToTimespec(ns)
	}
	conn, err := a.file.SyscallConn()
	if err == nil {
		_ = conn.Control(func(fd uintptr) {
			err = unix.TimerfdSettime(int(fd), unix.TFD_TIMER_ABSTIME|unix.TFD_TIMER_CANCEL_ON_SET, &spec, nil)
		})
	}
	if err != nil {
		// Cannot be with valid arguments; whoever waits looks again rather than sleep for ever.
		select {
		case a.c <- a.now():
		default:
		}
	}
}

func (a *wallAlarm) Stop() {
	_ = a.file.Close()
	<-a.done
}
