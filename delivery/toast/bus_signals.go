package toast

import (
	"github.com/godbus/dbus/v5"
)

// reasonOwner is the reason of NotificationClosed that means that the owner closed it. The others are
// 1, expired; 3, closed by a call; 4, undefined.
const reasonOwner = 2

// maxEarly bounds the signals kept while an answer is awaited.
const maxEarly = 32

// listen reads the signals of one connection until it closes.
func (b *Bus) listen(conn *dbus.Conn, signals <-chan *dbus.Signal) {
	for {
		select {
		case sig, ok := <-signals:
			if !ok {
				return
			}
			if sig != nil {
				b.signal(sig)
			}
		case <-conn.Context().Done():
			return
		}
	}
}

func (b *Bus) signal(sig *dbus.Signal) {
	switch sig.Name {
	case dbusSvc + ".NameOwnerChanged":
		var name, old, owner string
		if sig.Sender == dbusSvc && dbus.Store(sig.Body, &name, &old, &owner) == nil && name == busName {
			b.ownerIs(owner)
		}
	case busName + ".NotificationClosed":
		var id, reason uint32
		if dbus.Store(sig.Body, &id, &reason) == nil {
			b.closed(sig, id, reason)
		}
	case busName + ".ActionInvoked":
		var id uint32
		var key string
		if dbus.Store(sig.Body, &id, &key) == nil {
			b.invoked(sig, id, key)
		}
	}
}

// known finds the toast of a signal. Several daemons broadcast signals about other programs' toasts,
// and repeat their own; only ids that we were given count, and only from the daemon itself.
func (b *Bus) known(sig *dbus.Signal, id uint32) *shown {
	if b.owner != "" && sig.Sender != b.owner {
		return nil
	}
	s := b.byID[id]
	if s == nil && b.waiting > 0 && len(b.early) < maxEarly {
		b.early = append(b.early, sig)
	}
	return s
}

func (b *Bus) closed(sig *dbus.Signal, id, reason uint32) {
	b.mu.Lock()
	s := b.known(sig, id)
	if s != nil {
		delete(b.byID, id) // a repeated signal finds nothing
		if b.byKey[s.key] == s {
			delete(b.byKey, s.key)
		}
	}
	// Expired, closed by us, or for no known reason: the toast is gone, the item is as it was. After
	// an action the close is its echo.
	meant := s != nil && !s.spent && reason == reasonOwner
	b.mu.Unlock()
	if !meant {
		return
	}
	b.opt.OnEvent(Event{Kind: ClosedByOwner, Key: s.key, Revision: s.revision})
}

func (b *Bus) invoked(sig *dbus.Signal, id uint32, key string) {
	b.mu.Lock()
	s := b.known(sig, id)
	act := s != nil && !s.spent
	if act {
		s.spent = true // some daemons send each signal twice
	}
	inert := act && s.decides[key] && b.opt.Now().Sub(s.at) < InertFor
	if inert {
		key = ActionOpen // too soon to be meant: show it instead of deciding
	}
	b.mu.Unlock()
	if act {
		b.opt.OnEvent(Event{Kind: Invoked, Key: s.key, Revision: s.revision, Action: key})
	}
}
