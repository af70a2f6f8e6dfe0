package delivery

import (
	"context"
	"sync"

	"signalbox/notify"
)

// InApp tells the windows of the app. It is its own provider: with no window open, nobody was listening,
// which is a failed delivery (A12). The zero value has no listener.
type InApp struct {
	// OnListening, when set, hears that somebody has begun to listen.
	OnListening func()

	mu        sync.Mutex // protects listeners
	listeners map[chan Message]bool
}

var _ Provider = (*InApp)(nil)

// Name is notify.ProviderInApp.
func (*InApp) Name() string { return notify.ProviderInApp }

// Listen returns what is told from now on, and a function that ends it. A listener that does not keep
// up misses messages, never delays them; the records themselves reach it by the change feed.
func (a *InApp) Listen() (<-chan Message, func()) {
	c := make(chan Message, 16)
	a.mu.Lock()
	if a.listeners == nil {
		a.listeners = map[chan Message]bool{}
	}
	a.listeners[c] = true
	a.mu.Unlock()
	if a.OnListening != nil {
		a.OnListening()
	}
	return c, sync.OnceFunc(func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.listeners, c)
		close(c)
	})
}

// Tell hands m to every listener.
func (a *InApp) Tell(_ context.Context, m Message) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	heard := false
	for c := range a.listeners {
		select {
		case c <- m:
			heard = true
		default:
		}
	}
	if !heard {
		return ErrNobody
	}
	return nil
}

// Withdraw does nothing: the windows follow the records.
func (*InApp) Withdraw(context.Context, string) error { return nil }
