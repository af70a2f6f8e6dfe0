//go:build unix

// Package bustest runs a private message bus and a notification daemon whose manners a test chooses:
// slow, hung, dying in the middle of a call, restarting, without capabilities. It owns both and ends
// them with the test. It never touches the bus of the person who runs the test.
package bustest

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	name = "org.freedesktop.Notifications"
	path = "/org/freedesktop/Notifications"
)

const config = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><keep_umask/><listen>unix:dir=DIR</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`

// Bus is a private message bus without any service.
type Bus struct {
	Address string
	cmd     *exec.Cmd
}

// StartBus starts one; it ends with the test.
func StartBus(t testing.TB) *Bus {
	t.Helper()
	// The path of a socket may not be long, and t.TempDir's is.
	dir, err := os.MkdirTemp("", "bus")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "bus.conf")
	if err := os.WriteFile(file, []byte(strings.Replace(config, "DIR", dir, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("dbus-daemon", "--config-file="+file, "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("these tests need dbus-daemon: %v", err)
	}
	b := &Bus{cmd: cmd}
	t.Cleanup(func() { b.Kill(); os.RemoveAll(dir) })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("dbus-daemon did not say its address: %v", err)
	}
	b.Address = strings.TrimSpace(line)
	return b
}

// Kill ends the bus, as a logout does.
func (b *Bus) Kill() {
	if b.cmd.ProcessState == nil {
		_ = b.cmd.Process.Kill()
		_ = b.cmd.Wait()
	}
}

// Call is a Notify that the daemon received.
type Call struct {
	ID, Replaces  uint32 // ID is what was, or will be, answered
	Summary, Body string
	Actions       []string
	Hints         map[string]dbus.Variant
	Expire        int32
	At            time.Time
}

// Daemon is a notification service. Its fields are set before Start.
type Daemon struct {
	Caps []string
	// Hold, when set, makes Notify wait until it is closed before it answers.
	Hold chan struct{}
	// FixedID is answered for every toast, as one desktop does; 0: ids are counted.
	FixedID uint32
	// Refuse makes Notify answer with an error.
	Refuse bool

	Calls  chan Call   // every Notify, as it arrives
	Closed chan uint32 // every CloseNotification

	conn *dbus.Conn
	mu   sync.Mutex // protects what follows
	next uint32
	asks int
	die  bool
}

// Start puts d on the bus; it leaves with the test.
func (d *Daemon) Start(t testing.TB, b *Bus) *Daemon {
	t.Helper()
	d.Calls, d.Closed = make(chan Call, 4096), make(chan uint32, 4096)
	conn, err := dbus.Connect(b.Address)
	if err != nil {
		t.Fatal(err)
	}
	d.conn = conn
	t.Cleanup(d.Stop)
	if err := conn.Export(service{d}, path, name); err != nil {
		t.Fatal(err)
	}
	if r, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
		t.Fatalf("request name: %v %v", r, err)
	}
	return d
}

// Stop takes d off the bus without a word, as a crash does.
func (d *Daemon) Stop() { d.conn.Close() }

// DieNext makes d leave the bus in the middle of the next Notify.
func (d *Daemon) DieNext() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.die = true
}

// Asked is how often the capabilities were asked for.
func (d *Daemon) Asked() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.asks
}

// Close tells that a toast closed; reason 1 expired, 2 by the owner, 3 by a call.
func (d *Daemon) Close(id, reason uint32) {
	_ = d.conn.Emit(path, name+".NotificationClosed", id, reason)
}

// Invoke tells that the owner chose an action.
func (d *Daemon) Invoke(id uint32, key string) {
	_ = d.conn.Emit(path, name+".ActionInvoked", id, key)
}

// service is what is exported: exactly the methods of the specification.
type service struct{ d *Daemon }

func (s service) GetCapabilities() ([]string, *dbus.Error) {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	s.d.asks++
	return append([]string{}, s.d.Caps...), nil
}

func (s service) GetServerInformation() (name, vendor, version, spec string, err *dbus.Error) {
	return "bustest", "Signalbox", "1", "1.2", nil
}

func (s service) Notify(app string, replaces uint32, icon, summary, body string, actions []string, hints map[string]dbus.Variant, expire int32) (uint32, *dbus.Error) {
	d := s.d
	d.mu.Lock()
	id := replaces
	if id == 0 {
		d.next++
		id = d.next
	}
	if d.FixedID != 0 {
		id = d.FixedID
	}
	hold, die := d.Hold, d.die
	d.mu.Unlock()
	d.Calls <- Call{ID: id, Replaces: replaces, Summary: summary, Body: body, Actions: actions, Hints: hints, Expire: expire, At: time.Now()}
	if die {
		d.conn.Close()
		return 0, dbus.MakeFailedError(errors.New("died"))
	}
	if hold != nil {
		<-hold
	}
	if d.Refuse {
		return 0, dbus.MakeFailedError(errors.New("Exceeded maximum number of notifications"))
	}
	return id, nil
}

func (s service) CloseNotification(id uint32) *dbus.Error {
	s.d.Closed <- id
	s.d.Close(id, 3)
	return nil
}
