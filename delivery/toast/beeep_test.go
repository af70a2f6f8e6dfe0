//go:build unix && !darwin

package toast

import (
	"testing"

	"github.com/gen2brain/beeep"
	"github.com/godbus/dbus/v5"

	"signalbox/assets"
	"signalbox/delivery/toast/bustest"
)

func TestBeeepLeavesTheSharedBusOpen(t *testing.T) {
	// T52: up to v0.11.1 it closed the connection that the tray shares, and the tray was gone after one
	// toast.
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{}).Start(t, bus)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", bus.Address)
	shared, err := dbus.SessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer shared.Close()
	if _, err := shared.RequestName("org.kde.StatusNotifierItem-1-1", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	if err := beeep.Notify("title", "body", assets.AppIconSize(32)); err != nil {
		t.Fatal(err)
	}
	next(t, d.Calls, "call")
	var owned bool
	if err := shared.BusObject().Call(dbusSvc+".NameHasOwner", 0, "org.kde.StatusNotifierItem-1-1").Store(&owned); err != nil || !owned {
		t.Errorf("the tray's name is gone: %v", err)
	}
}
