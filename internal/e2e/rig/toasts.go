//go:build linux

package rig

import (
	"fmt"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	notifyName = "org.freedesktop.Notifications"
	notifyPath = dbus.ObjectPath("/org/freedesktop/Notifications")
)

// Toast is one Notify call as it went over the bus.
type Toast struct {
	At        time.Time // when the rig saw the call
	Sender    string    // the caller's name on the bus
	App       string
	Replaces  uint32 // the id that it replaces; 0 is none
	Icon      string
	Summary   string
	Body      string
	Actions   map[string]string // key to label
	ActionIDs []string          // the keys in their order
	Hints     map[string]dbus.Variant
	Expire    time.Duration // negative: the daemon's choice; 0: never
	ID        uint32        // what the daemon answered; 0 until then
	Answered  time.Time     // when; zero until then
	Err       string        // the error that it answered instead
	Closed    uint32        // why it was closed (1 expired, 2 by the person, 3 by the app, 4 other); 0 while it isn't
	Withdrawn bool          // whether the app asked to close it
}

// ToastSignal is an ActionInvoked or NotificationClosed of the daemon.
type ToastSignal struct {
	At     time.Time
	ID     uint32
	Action string // the key; "" when it was closed
	Reason uint32
}

// monitor sees every message on the bus, those sent to one program only as well.
type monitor struct {
	mu      sync.Mutex
	toasts  []*Toast
	signals []ToastSignal
	asked   map[callID]*Toast // calls without an answer yet
}

type callID struct {
	sender string
	serial uint32
}

func (r *Rig) startMonitor() *monitor {
	r.t.Helper()
	conn := r.connect()
	m := &monitor{asked: map[callID]*Toast{}}
	ch := make(chan *dbus.Message, 1<<14) // the library drops what doesn't fit
	// In this order: a connection that eavesdrops sees no answer to its own calls any more.
	call := conn.BusObject().Call("org.freedesktop.DBus.Monitoring.BecomeMonitor", 0, []string{}, uint32(0))
	if call.Err != nil {
		r.fail("become a monitor of the bus: " + call.Err.Error())
	}
	conn.Eavesdrop(ch)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case msg, open := <-ch:
				if !open { // the bus has gone
					return
				}
				m.see(msg)
			case <-done:
				return
			}
		}
	}()
	r.t.Cleanup(func() {
		conn.Eavesdrop(nil) // or a message that arrives while the connection is closed is sent to a closed channel
		close(done)
	})
	return m
}

func header[T any](msg *dbus.Message, f dbus.HeaderField) T {
	v, _ := msg.Headers[f].Value().(T) // the zero value where a message lacks it
	return v
}

func (m *monitor) see(msg *dbus.Message) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	switch msg.Type {
	case dbus.TypeMethodCall:
		if header[string](msg, dbus.FieldInterface) == notifyName {
			m.seeCall(msg, now)
		}
	case dbus.TypeMethodReply, dbus.TypeError:
		id := callID{header[string](msg, dbus.FieldDestination), header[uint32](msg, dbus.FieldReplySerial)}
		t := m.asked[id]
		if t == nil {
			return
		}
		delete(m.asked, id)
		t.Answered = now
		if msg.Type == dbus.TypeError {
			t.Err = header[string](msg, dbus.FieldErrorName)
		} else if len(msg.Body) == 1 {
			t.ID, _ = msg.Body[0].(uint32) // 0 says that the answer was no id
		}
	case dbus.TypeSignal:
		if header[string](msg, dbus.FieldInterface) == notifyName {
			m.seeSignal(msg, now)
		}
	}
}

func (m *monitor) seeCall(msg *dbus.Message, now time.Time) {
	switch header[string](msg, dbus.FieldMember) {
	case "Notify":
		t := &Toast{At: now, Sender: header[string](msg, dbus.FieldSender), Actions: map[string]string{}}
		var actions []string
		var expire int32
		if err := dbus.Store(msg.Body, &t.App, &t.Replaces, &t.Icon, &t.Summary, &t.Body, &actions, &t.Hints, &expire); err != nil {
			t.Err = err.Error()
		}
		for i := 0; i+1 < len(actions); i += 2 {
			t.Actions[actions[i]] = actions[i+1]
			t.ActionIDs = append(t.ActionIDs, actions[i])
		}
		t.Expire = time.Duration(expire) * time.Millisecond
		m.toasts = append(m.toasts, t)
		m.asked[callID{t.Sender, msg.Serial()}] = t
	case "CloseNotification":
		var id uint32
		if err := dbus.Store(msg.Body, &id); err == nil {
			if t := m.byID(id); t != nil {
				t.Withdrawn = true
			}
		}
	}
}

func (m *monitor) seeSignal(msg *dbus.Message, now time.Time) {
	s := ToastSignal{At: now}
	switch header[string](msg, dbus.FieldMember) {
	case "ActionInvoked":
		if dbus.Store(msg.Body, &s.ID, &s.Action) != nil {
			return
		}
	case "NotificationClosed":
		if dbus.Store(msg.Body, &s.ID, &s.Reason) != nil {
			return
		}
		if t := m.byID(s.ID); t != nil {
			t.Closed = s.Reason
		}
	default:
		return
	}
	m.signals = append(m.signals, s)
}

// byID is the newest toast with an id: daemons give ids again.
func (m *monitor) byID(id uint32) *Toast {
	for i := len(m.toasts) - 1; i >= 0; i-- {
		if m.toasts[i].ID == id {
			return m.toasts[i]
		}
	}
	return nil
}

// Toasts are all Notify calls so far, in order.
func (r *Rig) Toasts() []Toast {
	r.monitor.mu.Lock()
	defer r.monitor.mu.Unlock()
	out := make([]Toast, len(r.monitor.toasts))
	for i, t := range r.monitor.toasts {
		out[i] = *t
	}
	return out
}

// ToastSignals are all signals of the daemon so far, in order.
func (r *Rig) ToastSignals() []ToastSignal {
	r.monitor.mu.Lock()
	defer r.monitor.mu.Unlock()
	return append([]ToastSignal(nil), r.monitor.signals...)
}

// WaitToast waits for a toast with this summary that the daemon has answered, and returns the newest such.
func (r *Rig) WaitToast(summary string) Toast {
	r.t.Helper()
	return r.WaitToastFunc("a toast "+summary, func(t Toast) bool { return t.Summary == summary })
}

// WaitToastFunc is WaitToast for a toast of which f is true.
func (r *Rig) WaitToastFunc(what string, f func(Toast) bool) Toast {
	r.t.Helper()
	var found Toast
	r.EventuallyErr(what, func() error {
		all := r.Toasts()
		for i := len(all) - 1; i >= 0; i-- {
			if f(all[i]) && !all[i].Answered.IsZero() {
				found = all[i]
				return nil
			}
		}
		return fmt.Errorf("%d toasts, not it", len(all))
	})
	return found
}
