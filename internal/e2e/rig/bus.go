//go:build linux

package rig

import (
	"context"
	"time"

	"github.com/godbus/dbus/v5"
)

// Whoever is called may hang, and the library would wait for ever.
const callTimeout = 5 * time.Second

// call calls a method on the bus and waits for its answer, but not for ever.
func (r *Rig) call(name string, path dbus.ObjectPath, method string, args ...any) *dbus.Call {
	ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
	defer cancel()
	return r.Conn.Object(name, path).CallWithContext(ctx, method, 0, args...)
}

// property reads a property on the bus.
func (r *Rig) property(name string, path dbus.ObjectPath, iface, prop string) (v dbus.Variant, err error) {
	err = r.call(name, path, "org.freedesktop.DBus.Properties.Get", iface, prop).Store(&v)
	return v, err
}

// Owns tells whether somebody has a name on the bus now.
func (r *Rig) Owns(name string) bool {
	var ok bool
	err := r.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner", name).Store(&ok)
	return err == nil && ok
}
