package toast

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/godbus/dbus/v5"
)

// call makes one call within the limit.
func (b *Bus) call(ctx context.Context, obj dbus.BusObject, method string, out []any, args ...any) error {
	ctx, cancel := context.WithTimeout(ctx, b.opt.Limit)
	defer cancel()
	call := obj.CallWithContext(ctx, method, 0, args...)
	if errors.Is(call.Err, context.DeadlineExceeded) {
		return ErrHung
	}
	if call.Err != nil {
		return call.Err
	}
	return call.Store(out...)
}

func (b *Bus) daemon(conn *dbus.Conn) dbus.BusObject { return conn.Object(busName, busPath) }

// show runs on the worker.
func (b *Bus) show(ctx context.Context, t Toast) error {
	if t.OnlyIfShown {
		b.mu.Lock()
		_, on := b.byKey[t.Key]
		b.mu.Unlock()
		if !on {
			return nil
		}
	}
	conn, err := b.ready(ctx)
	if err == nil {
		err = b.notify(ctx, conn, t)
	}
	switch {
	case err == nil:
		b.mu.Lock()
		if b.owner != "" {
			b.problem = nil
		}
		b.mu.Unlock()
		return nil
	case errors.Is(err, ErrHung):
		b.mu.Lock()
		b.problem = ErrHung
		// The next in the queue need not each find out for themselves.
		if b.hung.IsZero() || b.hung.Before(b.opt.Now()) {
			b.hung = b.opt.Now().Add(b.opt.Limit)
		}
		b.mu.Unlock()
	case errors.Is(err, ErrNoDaemon):
		b.fail(ErrNoDaemon)
		if b.opt.Fallback != nil {
			return b.fallback(ctx, t)
		}
	}
	return err
}

// ready returns a connection to a daemon that may be called.
func (b *Bus) ready(ctx context.Context) (*dbus.Conn, error) {
	b.mu.Lock()
	conn, hung, now := b.conn, b.hung, b.opt.Now()
	again := now.Sub(b.tried) >= time.Second
	b.mu.Unlock()
	if conn == nil || !conn.Connected() {
		if !again || b.connect(ctx) != nil {
			return nil, ErrNoBus
		}
		conn = b.connection()
	}
	if now.Before(hung) {
		return nil, ErrHung
	}
	b.mu.Lock()
	known := b.owner != "" && b.asked == b.owner
	b.mu.Unlock()
	if known {
		return conn, nil
	}
	// Asking for the capabilities also starts a daemon that the bus can activate.
	var caps []string
	if err := b.call(ctx, b.daemon(conn), busName+".GetCapabilities", []any{&caps}); err != nil {
		return nil, daemonError(err)
	}
	var name, vendor, version, spec string
	if err := b.call(ctx, b.daemon(conn), busName+".GetServerInformation", []any{&name, &vendor, &version, &spec}); err != nil && errors.Is(err, ErrHung) {
		return nil, err
	}
	var owner string
	if err := b.call(ctx, conn.BusObject(), dbusSvc+".GetNameOwner", []any{&owner}, busName); err != nil {
		return nil, daemonError(err)
	}
	b.ownerIs(owner)
	b.mu.Lock()
	b.asked, b.caps, b.server = owner, caps, clean(name+" "+version, 80, false)
	b.mu.Unlock()
	return conn, nil
}

// notify makes the Notify call of t and keeps its id.
func (b *Bus) notify(ctx context.Context, conn *dbus.Conn, t Toast) error {
	b.mu.Lock()
	if l := b.late[t.Key]; l != nil {
		if !l.answered {
			b.mu.Unlock()
			return ErrHung // an earlier call for this item is still with the daemon
		}
		delete(b.late, t.Key)
		if l.revision == t.Revision {
			b.mu.Unlock()
			return nil // shown after all
		}
	}
	var replaces uint32
	if s := b.byKey[t.Key]; s != nil {
		replaces = s.id
	}
	if replaces == 0 && t.OnlyIfShown {
		b.mu.Unlock()
		return nil
	}
	args := b.arguments(t, replaces)
	owner := b.owner
	b.waiting++
	b.mu.Unlock()

	call := b.daemon(conn).Go(busName+".Notify", 0, make(chan *dbus.Call, 1), args...)
	limit := time.NewTimer(b.opt.Limit)
	defer limit.Stop()
	select {
	case <-call.Done:
		return b.answered(call, owner, t, false)
	case <-limit.C:
	case <-ctx.Done():
	}
	b.mu.Lock()
	l := &lateCall{revision: t.Revision}
	b.late[t.Key] = l
	b.mu.Unlock()
	// Ends with the answer, with the daemon or with the connection.
	go func() {
		<-call.Done
		err := b.answered(call, owner, t, true)
		b.mu.Lock()
		if b.late[t.Key] != l {
			b.mu.Unlock()
			return
		}
		if err != nil || l.withdraw {
			delete(b.late, t.Key)
		} else {
			l.answered = true
		}
		b.hung = time.Time{}
		b.mu.Unlock()
		if l.withdraw {
			if err := b.Withdraw(context.Background(), t.Key); err != nil {
				b.opt.Logger.Debug("late toast not withdrawn", "err", err)
			}
		}
		b.opt.OnAvailable(err == nil)
	}()
	return ErrHung
}

// answered takes the answer to a Notify call: it registers the id and looks again at signals that
// came before it.
func (b *Bus) answered(call *dbus.Call, owner string, t Toast, late bool) error {
	var id uint32
	err := call.Err
	if err == nil {
		err = call.Store(&id)
	}
	b.mu.Lock()
	b.waiting--
	var early []*dbus.Signal
	if b.waiting == 0 {
		early, b.early = b.early, nil
	}
	var evict []uint32
	if err == nil && (owner == b.owner || owner == "") && b.conn != nil {
		s := &shown{id: id, key: t.Key, revision: t.Revision, at: b.opt.Now(), decides: map[string]bool{}}
		for _, a := range t.Actions {
			if a.Decides {
				s.decides[a.Key] = true
			}
		}
		// Some daemons give an id out again; its former item has no toast any more.
		if old := b.byID[id]; old != nil && b.byKey[old.key] == old {
			delete(b.byKey, old.key)
		}
		if old := b.byKey[t.Key]; old != nil {
			delete(b.byID, old.id)
		}
		b.byID[id], b.byKey[t.Key] = s, s
		evict = b.surplus()
	}
	conn := b.conn
	b.mu.Unlock()
	if err != nil {
		return daemonError(err)
	}
	for _, sig := range early {
		b.signal(sig)
	}
	for _, id := range evict {
		if conn != nil {
			b.daemon(conn).Go(busName+".CloseNotification", dbus.FlagNoReplyExpected, nil, id)
		}
	}
	return nil
}

// surplus takes the oldest toasts above MaxShown out of the books and returns their ids. Callers hold mu.
func (b *Bus) surplus() []uint32 {
	if len(b.byID) <= b.opt.MaxShown {
		return nil
	}
	all := make([]*shown, 0, len(b.byID))
	for _, s := range b.byID {
		all = append(all, s)
	}
	slices.SortFunc(all, func(x, y *shown) int { return x.at.Compare(y.at) })
	var ids []uint32
	for _, s := range all[:len(all)-b.opt.MaxShown] {
		ids = append(ids, s.id)
		delete(b.byID, s.id)
		delete(b.byKey, s.key)
	}
	return ids
}

// arguments are those of Notify. Callers hold mu.
func (b *Bus) arguments(t Toast, replaces uint32) []any {
	body := clean(t.Body, MaxBody, true)
	if slices.Contains(b.caps, "body-markup") {
		body = escapeMarkup(body)
	}
	actions := []string{}
	if slices.Contains(b.caps, "actions") {
		for _, a := range t.Actions {
			if text := label(a.Label); text != "" {
				actions = append(actions, a.Key, text)
			}
		}
	}
	hints := map[string]dbus.Variant{
		"urgency": dbus.MakeVariant(byte(t.Urgency)),
		// Sounds are another provider's business, with their own quiet hours.
		"suppress-sound": dbus.MakeVariant(true),
	}
	if b.opt.DesktopEntry != "" {
		hints["desktop-entry"] = dbus.MakeVariant(b.opt.DesktopEntry)
	}
	if img, ok := decodeIcon(b.opt.Icon); ok {
		hints["image-data"] = dbus.MakeVariant(img)
	}
	expire := int32(-1) // as the daemon likes
	if t.Sticky {
		expire = 0
	}
	return []any{b.opt.AppName, replaces, "", clean(t.Title, MaxTitle, false), body, actions, hints, expire}
}

// withdraw runs on the worker.
func (b *Bus) withdraw(ctx context.Context, key string) error {
	b.mu.Lock()
	s, conn := b.byKey[key], b.conn
	if s != nil {
		delete(b.byKey, key)
		delete(b.byID, s.id)
	}
	b.mu.Unlock()
	if s == nil || conn == nil {
		return nil
	}
	err := b.call(ctx, b.daemon(conn), busName+".CloseNotification", nil, s.id)
	if errors.Is(err, ErrHung) {
		return err
	}
	return nil // an unknown id has gone already, which is what was wanted
}

// fallback shows t in another way, one at a time and within the limit.
func (b *Bus) fallback(ctx context.Context, t Toast) error {
	b.mu.Lock()
	if b.backing {
		b.mu.Unlock()
		return ErrBusy
	}
	b.backing = true
	b.mu.Unlock()
	done := make(chan error, 1)
	go func() {
		err := b.opt.Fallback(neutralDash(clean(t.Title, MaxTitle, false)), neutralDash(clean(t.Body, MaxBody, true)))
		b.mu.Lock()
		b.backing = false
		b.mu.Unlock()
		done <- err
	}()
	limit := time.NewTimer(b.opt.Limit)
	defer limit.Stop()
	select {
	case err := <-done:
		if err != nil {
			return ErrNoDaemon
		}
		return nil
	case <-limit.C:
		return ErrHung
	case <-ctx.Done():
		return ErrStopped
	}
}

// daemonError sorts what the bus answered.
func daemonError(err error) error {
	if errors.Is(err, ErrHung) {
		return ErrHung
	}
	var e dbus.Error
	if errors.As(err, &e) {
		switch e.Name {
		case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner",
			"org.freedesktop.DBus.Error.UnknownMethod", "org.freedesktop.DBus.Error.UnknownObject",
			"org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Disconnected":
			return ErrNoDaemon // gone, or never there
		case "org.freedesktop.DBus.Error.Timeout", "org.freedesktop.DBus.Error.TimedOut":
			return ErrHung
		}
		return ErrRefused
	}
	if errors.Is(err, dbus.ErrClosed) {
		return ErrNoBus
	}
	return ErrRefused
}
