//go:build linux

package rig

import (
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

// Mode is how a scripted notification daemon behaves.
type Mode int

// The modes of a Daemon.
const (
	Normal Mode = iota // answers at once
	Slow               // answers after Daemon.SetDelay
	Hang               // takes calls and never answers, until the mode changes or it stops
	Die                // is gone in the middle of the next Notify
	Refuse             // answers Notify with an error
)

// NotifyCall is a Notify that a scripted daemon took.
type NotifyCall struct {
	At       time.Time
	ID       uint32 // what it answered, or would have
	App      string
	Replaces uint32
	Icon     string
	Summary  string
	Body     string
	Actions  []string
	Hints    map[string]dbus.Variant
	Expire   int32 // milliseconds; -1 the daemon's choice, 0 never
}

// Daemon is a notification daemon that a test scripts. It owns
// org.freedesktop.Notifications on the rig's bus; start the rig with NoDaemon.
// Its methods may be called from any goroutine.
type Daemon struct {
	r    *Rig
	conn *dbus.Conn

	mu     sync.Mutex
	mode   Mode
	delay  time.Duration
	caps   []string
	next   uint32
	calls  []NotifyCall
	closes []uint32
	wake   chan struct{} // closed at each change of the mode and at the end
	over   bool
}

// StartDaemon starts a scripted daemon. Without capabilities given it has
// those of a plain modern one; pass rig.NoCapabilities for none at all.
func (r *Rig) StartDaemon(mode Mode, capabilities ...string) *Daemon {
	r.t.Helper()
	if len(capabilities) == 0 {
		capabilities = []string{"actions", "body", "body-markup", "persistence"}
	} else if capabilities[0] == NoCapabilities {
		capabilities = []string{}
	}
	conn, err := dbus.Connect(r.Bus)
	if err != nil {
		r.fail("connect the scripted daemon: " + err.Error())
	}
	d := &Daemon{r: r, conn: conn, mode: mode, caps: capabilities, next: 1, wake: make(chan struct{}), delay: time.Second}
	r.t.Cleanup(d.Stop)
	if err := conn.Export(served{d}, notifyPath, notifyName); err != nil {
		r.fail("export the scripted daemon: " + err.Error())
	}
	reply, err := conn.RequestName(notifyName, dbus.NameFlagDoNotQueue)
	if err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
		r.fail("another notification daemon is there already; start the rig with NoDaemon")
	}
	return d
}

// NoCapabilities asks StartDaemon for a daemon that can do nothing beyond the minimum.
const NoCapabilities = "none"

// Stop ends it; its name on the bus is free afterwards. Calls that hang are never answered.
func (d *Daemon) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.over {
		d.over = true
		close(d.wake)
		_ = d.conn.Close() // the bus may be gone
	}
}

// SetMode changes how it behaves from now on; calls that hang go by the new mode.
func (d *Daemon) SetMode(m Mode) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.mode = m
	if !d.over {
		close(d.wake)
		d.wake = make(chan struct{})
	}
}

// SetDelay is how long Slow takes; it is one second otherwise.
func (d *Daemon) SetDelay(t time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.delay = t
}

// Calls are the Notify calls so far.
func (d *Daemon) Calls() []NotifyCall {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]NotifyCall(nil), d.calls...)
}

// Closes are the ids that apps asked to close, in order.
func (d *Daemon) Closes() []uint32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]uint32(nil), d.closes...)
}

// WaitCall waits for a Notify with a summary.
func (d *Daemon) WaitCall(summary string) NotifyCall {
	d.r.t.Helper()
	var c NotifyCall
	d.r.Eventually("a Notify of "+summary, func() bool {
		for _, x := range d.Calls() {
			if x.Summary == summary {
				c = x
				return true
			}
		}
		return false
	})
	return c
}

// Invoke says to everybody that the person chose an action of a toast.
func (d *Daemon) Invoke(id uint32, key string) { d.r.t.Helper(); d.emit("ActionInvoked", id, key) }

// Close says that a toast is closed: 1 expired, 2 by the person, 3 by the app, 4 other.
func (d *Daemon) Close(id, reason uint32) { d.r.t.Helper(); d.emit("NotificationClosed", id, reason) }

func (d *Daemon) emit(name string, args ...any) {
	d.r.t.Helper()
	if err := d.conn.Emit(notifyPath, notifyName+"."+name, args...); err != nil {
		d.r.fail(name + ": " + err.Error())
	}
}

// hold waits as the mode says, and returns the error to answer with.
func (d *Daemon) hold(dies bool) *dbus.Error {
	for {
		d.mu.Lock()
		mode, delay, wake, over := d.mode, d.delay, d.wake, d.over
		d.mu.Unlock()
		if over {
			return dbus.MakeFailedError(errStopped)
		}
		switch {
		case mode == Hang:
			<-wake
			continue
		case mode == Slow:
			t := time.NewTimer(delay)
			select {
			case <-t.C:
			case <-wake:
				t.Stop()
				continue
			}
		case mode == Die && dies:
			d.Stop()
			return dbus.MakeFailedError(errStopped)
		case mode == Refuse && dies:
			return dbus.NewError("org.freedesktop.Notifications.Error.ExcessNotificationGeneration", []any{"Exceeded maximum number of notifications"})
		}
		return nil
	}
}

type stopped struct{}

func (stopped) Error() string { return "the scripted daemon has stopped" }

var errStopped error = stopped{}

// served is what the bus sees of a Daemon.
type served struct{ d *Daemon }

// GetCapabilities is the method of the specification.
func (s served) GetCapabilities() ([]string, *dbus.Error) {
	if err := s.d.hold(false); err != nil {
		return nil, err
	}
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	return s.d.caps, nil
}

// GetServerInformation is the method of the specification.
func (s served) GetServerInformation() (name, vendor, version, spec string, err *dbus.Error) {
	return "scripted", "signalbox", "1", "1.2", s.d.hold(false)
}

// Notify is the method of the specification.
func (s served) Notify(app string, replaces uint32, icon, summary, body string, actions []string, hints map[string]dbus.Variant, expire int32) (uint32, *dbus.Error) {
	d := s.d
	d.mu.Lock()
	id := replaces
	if id == 0 {
		id = d.next
		d.next++
	}
	d.calls = append(d.calls, NotifyCall{time.Now(), id, app, replaces, icon, summary, body, actions, hints, expire})
	d.mu.Unlock()
	return id, d.hold(true)
}

// CloseNotification is the method of the specification.
func (s served) CloseNotification(id uint32) *dbus.Error {
	s.d.mu.Lock()
	s.d.closes = append(s.d.closes, id)
	s.d.mu.Unlock()
	if err := s.d.hold(false); err != nil {
		return err
	}
	// A failure to say so is seen by who waits for the signal.
	_ = s.d.conn.Emit(notifyPath, notifyName+".NotificationClosed", id, uint32(3))
	return nil
}
