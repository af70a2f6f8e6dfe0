//go:build unix && !darwin

package tray

import (
	"context"
	"time"

	"fyne.io/systray"
	"github.com/godbus/dbus/v5"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"
	busName     = "org.freedesktop.DBus"
	probeLimit  = 2 * time.Second
)

// What the owner is told when there is no tray.
const (
	noBus  = "there is no session bus, so there is no tray"
	noHost = "this desktop shows no tray icons"
)

// Serve runs the tray until ctx ends. Without a bus it waits for one; it needs no loop of a toolkit.
func (t *Tray) Serve(ctx context.Context) error {
	t.setStatus(Status{Problem: noBus})
	pumped := make(chan struct{})
	go func() { defer close(pumped); t.pump(ctx) }()
	defer func() { <-pumped }()

	t.beforeStart()
	var end func()
	defer func() {
		if end != nil {
			_ = safely(end)
		}
	}()
	wait := time.Second
	for first := true; ; {
		conn, err := t.dial(ctx)
		if err == nil {
			wait = time.Second
			// The library finds the bus by itself and would launch one where there is none: it is started
			// only now that one has answered.
			ready := t.ready
			if !first {
				ready = nil // the lines are there already
			}
			start, finish := systray.RunWithExternalLoop(ready, nil)
			if err := safely(start); err != nil {
				t.opt.Logger.Warn("tray start", "cause", err)
			} else {
				end, first = finish, false
			}
			t.redraw()
			t.watch(ctx, conn)
			conn.Close()
		}
		if ctx.Err() != nil {
			return nil
		}
		t.setStatus(Status{Problem: noBus})
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		wait = min(2*wait, time.Minute)
	}
}

// redraw puts everything on the screen again, after a new start on another connection.
func (t *Tray) redraw() {
	t.mu.Lock()
	t.drawn, t.lost = drawn{}, false
	t.mu.Unlock()
	t.poke()
}

// dial connects to the bus for the probe alone. The library's own connection is shared with others,
// and tells nobody when it dies.
func (t *Tray) dial(ctx context.Context) (*dbus.Conn, error) {
	ctx, cancel := context.WithCancel(ctx)
	limit := time.AfterFunc(probeLimit, cancel)
	var conn *dbus.Conn
	var err error
	if t.opt.Address != "" {
		conn, err = dbus.Dial(t.opt.Address, dbus.WithContext(ctx))
	} else {
		conn, err = dbus.SessionBusPrivateNoAutoStartup(dbus.WithContext(ctx))
	}
	if err != nil {
		cancel()
		return nil, err
	}
	if err = conn.Auth(nil); err == nil {
		err = conn.Hello()
	}
	if err == nil && !limit.Stop() {
		err = context.DeadlineExceeded
	}
	if err != nil {
		cancel()
		conn.Close()
		return nil, err
	}
	context.AfterFunc(conn.Context(), cancel)
	return conn, nil
}

// watch keeps the status until the bus or ctx ends.
func (t *Tray) watch(ctx context.Context, conn *dbus.Conn) {
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	for _, m := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(busName), dbus.WithMatchInterface(busName), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcherName)},
		{dbus.WithMatchSender(watcherName), dbus.WithMatchInterface(watcherName)},
	} {
		if err := conn.AddMatchSignalContext(ctx, m...); err != nil {
			return
		}
	}
	for {
		t.setStatus(t.probe(ctx, conn))
		select {
		case <-ctx.Done():
			return
		case <-conn.Context().Done():
			return
		case _, ok := <-signals:
			if !ok {
				return
			}
		}
	}
}

// probe asks whether a host shows tray icons. A watcher without a host shows none.
func (t *Tray) probe(ctx context.Context, conn *dbus.Conn) Status {
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	var owned bool
	if conn.BusObject().CallWithContext(ctx, busName+".NameHasOwner", 0, watcherName).Store(&owned) != nil || !owned {
		return Status{Problem: noHost}
	}
	var hosted dbus.Variant
	err := conn.Object(watcherName, watcherPath).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0,
		watcherName, "IsStatusNotifierHostRegistered").Store(&hosted)
	if shown, ok := hosted.Value().(bool); err == nil && ok && !shown {
		return Status{Problem: noHost}
	}
	return Status{Available: true}
}
