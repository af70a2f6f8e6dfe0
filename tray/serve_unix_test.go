// The library reads its menu's version without its lock when a host asks for the menu (v1.12.2), which
// the race detector rightly reports of every program that uses it; so this test runs without it.

//go:build unix && !darwin && !race

package tray

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"

	"signalbox/assets"
)

// privateBus runs a message bus of the test's own and makes it the session's.
func privateBus(t *testing.T) (kill func()) {
	t.Helper()
	dir, err := os.MkdirTemp("", "bus") // the path of a socket may not be long
	if err != nil {
		t.Fatal(err)
	}
	conf := filepath.Join(dir, "bus.conf")
	text := `<busconfig><type>session</type><listen>unix:dir=` + dir + `</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("dbus-daemon", "--config-file="+conf, "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("this test needs dbus-daemon: %v", err)
	}
	kill = func() {
		if cmd.ProcessState == nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
	t.Cleanup(func() { kill(); os.RemoveAll(dir) })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", strings.TrimSpace(line))
	return kill
}

// host is a watcher with a host, as a panel is.
type host struct{ registered chan string }

// RegisterStatusNotifierItem takes a bus name, or a path at the caller.
func (h host) RegisterStatusNotifierItem(service string, by dbus.Sender) *dbus.Error {
	if strings.HasPrefix(service, "/") {
		service = string(by)
	}
	h.registered <- service
	return nil
}

func startHost(t *testing.T, conn *dbus.Conn) host {
	t.Helper()
	h := host{make(chan string, 10)}
	if err := conn.Export(h, watcherPath, watcherName); err != nil {
		t.Fatal(err)
	}
	if _, err := prop.Export(conn, watcherPath, prop.Map{watcherName: {
		"IsStatusNotifierHostRegistered": {Value: true}, "RegisteredStatusNotifierItems": {Value: []string{}}}}); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName(watcherName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return h
}

type layout struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

// TestOnABus runs the real tray on a bus without a host, with one, with one that comes back, and
// without the bus.
func TestOnABus(t *testing.T) {
	// Proves: P4
	// T48, T49
	kill := privateBus(t)
	statuses, commands := make(chan Status, 20), make(chan Command, 20)
	tr := New(Options{
		OnCommand: func(c Command) { commands <- c }, OnStatus: func(s Status) { statuses <- s },
		Icon: func(s string) []byte { return assets.TrayIcon(s, "linux", 24) },
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = tr.Serve(ctx) }()
	tr.Update(Model(input(notice("a", "Disk is filling up", 0))))
	wait := func(want Status) {
		t.Helper()
		for {
			select {
			case s := <-statuses:
				if s == want {
					return
				}
			case <-time.After(10 * time.Second):
				t.Fatalf("status is %+v, want %+v", tr.Status(), want)
			}
		}
	}
	// Nothing is said before it is known: a bus that is there is never told as missing.
	if s := <-statuses; s != (Status{Problem: noHost}) {
		t.Errorf("the first thing said is %+v", s)
	}

	conn, err := dbus.ConnectSessionBus()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	h := startHost(t, conn)
	wait(Status{Available: true})
	var by string
	select {
	case by = <-h.registered:
	case <-time.After(10 * time.Second):
		t.Fatal("the tray did not register itself")
	}

	menu := conn.Object(by, "/StatusNotifierItem/menu")
	read := func() (layout, error) {
		var revision uint32
		var root layout
		err := menu.Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{}).Store(&revision, &root)
		return root, err
	}
	find := func(text string) int32 {
		t.Helper()
		limit := time.Now().Add(10 * time.Second)
		for {
			root, err := read()
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range root.Children {
				var l layout
				if err := dbus.Store([]any{c.Value()}, &l); err != nil {
					t.Fatal(err)
				}
				label, _ := l.Props["label"].Value().(string)
				visible, ok := l.Props["visible"].Value().(bool)
				if strings.Contains(label, text) && (!ok || visible) {
					return l.ID
				}
			}
			if time.Now().After(limit) {
				t.Fatalf("no line %q", text)
			}
		}
	}
	find("Disk is filling up")
	if err := menu.Call("com.canonical.dbusmenu.Event", 0, find("  Dismiss"), "clicked", dbus.MakeVariant(""), uint32(0)).Err; err != nil {
		t.Fatal(err)
	}
	select {
	case c := <-commands:
		if c.Verb == Dismiss && c.ID == "a" {
			break
		}
		t.Errorf("got %+v", c)
	case <-time.After(10 * time.Second):
		t.Error("the click did not arrive")
	}

	// T52: a thousand updates leave the icon registered and the number of lines as it was.
	before, err := read()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		tr.Update(Model(input(notice("a", fmt.Sprint("round ", i), 0))))
	}
	find("round 999")
	if after, err := read(); err != nil || len(after.Children) != len(before.Children) {
		t.Errorf("%d lines, then %d, %v", len(before.Children), len(after.Children), err)
	}

	if _, err := conn.ReleaseName(watcherName); err != nil {
		t.Fatal(err)
	}
	wait(Status{Problem: noHost})
	if _, err := conn.RequestName(watcherName, dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	wait(Status{Available: true})

	kill()
	wait(Status{Problem: noBus})
	tr.Update(Model(input(notice("b", "after the end", 0)))) // the library panics on a dead bus
	cancel()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the tray does not stop")
	}
}
