//go:build unix && !darwin

package tray

import (
	"context"
	"fmt"
	"os"
	"strings"
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
	check := time.NewTimer(registerWait)
	defer check.Stop()
	for {
		s := t.probe(ctx, conn)
		t.setStatus(s)
		select {
		case <-ctx.Done():
			return
		case <-conn.Context().Done():
			return
		case <-check.C:
			if s.Available {
				t.register(ctx, conn)
			}
		case _, ok := <-signals:
			if !ok {
				return
			}
			check.Reset(registerWait)
		}
	}
}

// registerWait is how long the library gets to register itself after something changed.
const registerWait = time.Second

// register makes up for a registration that the library missed: it asks once, and only then begins to
// listen for a watcher, so that one which appears in between is never told.
func (t *Tray) register(ctx context.Context, conn *dbus.Conn) {
	shared, err := dbus.SessionBus() // there is one; the library holds it
	if err != nil || len(shared.Names()) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, probeLimit)
	defer cancel()
	watcher := conn.Object(watcherName, watcherPath)
	var items dbus.Variant
	if watcher.CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, watcherName, "RegisteredStatusNotifierItems").Store(&items) != nil {
		return
	}
	known, ok := items.Value().([]string)
	if !ok {
		return
	}
	name := fmt.Sprintf("org.kde.StatusNotifierItem-%d-1", os.Getpid())
	for _, item := range known {
		if strings.HasPrefix(item, name) || strings.HasPrefix(item, shared.Names()[0]) {
			return
		}
	}
	err = watcher.CallWithContext(ctx, watcherName+".RegisterStatusNotifierItem", 0, name).Err
	t.opt.Logger.Debug("tray registered again", "err", err)
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
