//go:build linux

package rig

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// Options say what there is on the stage. The zero value is everything.
type Options struct {
	Size     string        // of the screen; "" is 1280x800
	Timeout  time.Duration // for every wait; 0 is 30 s
	NoScreen bool          // no X server, and so no window manager, dunst and panel
	NoBus    bool          // no session bus: DBUS_SESSION_BUS_ADDRESS names one that isn't there
	NoDaemon bool          // nobody shows notifications; see StartDaemon and StartDunst
	NoPanel  bool          // no tray host; see StartPanel
	NoGL     bool          // the X server has no GLX, so that no OpenGL window can be made
	Theme    string        // FYNE_THEME: light or dark; "" leaves the choice to the app
	Scale    string        // FYNE_SCALE, such as 1.5
	Lang     string        // "" is en_US.UTF-8
	Env      []string      // further KEY=VALUE for all programs
}

// Rig is a running stage. Its methods fail the test instead of returning errors, and are for the test's goroutine.
type Rig struct {
	Display   string     // such as ":7"; "" without a screen
	Bus       string     // the session bus's address; "" without one
	Conn      *dbus.Conn // the rig's own connection to it
	Artefacts string     // folder for pictures and logs
	Home      string     // SIGNALBOX_HOME of App and Sigbox
	Screen    *Process   // the X server, to be stopped by tests of its loss
	BusDaemon *Process   // the bus, likewise
	Dunst     *Process
	Panel     *Process

	t       testing.TB
	opts    Options
	dir     string // everything temporary
	monitor *monitor
	apps    int // how many centers were started, for the names of their logs
}

var unsafeName = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// Start sets the stage and returns when every part of it answers.
func Start(t testing.TB, o Options) *Rig {
	t.Helper()
	if o.Size == "" {
		o.Size = "1280x800"
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Lang == "" {
		o.Lang = "en_US.UTF-8"
	}
	// Not t.TempDir: a socket's path has at most 107 bytes, and test names can be long.
	dir, err := os.MkdirTemp("", "sbrig")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	r := &Rig{t: t, opts: o, dir: dir, Home: filepath.Join(dir, "signalbox")}
	r.Artefacts = artefacts(t)
	for _, d := range []string{"home", "config", "data", "cache", "state", "run", "signalbox"} {
		if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if !o.NoScreen {
		r.startScreen()
	}
	if !o.NoBus {
		r.startBus()
	}
	if !o.NoScreen {
		r.startWindowManager()
	}
	if !o.NoScreen && !o.NoBus {
		if !o.NoDaemon {
			r.StartDunst()
		}
		if !o.NoPanel {
			r.StartPanel()
		}
	}
	return r
}

func artefacts(t testing.TB) string {
	base := os.Getenv("SIGNALBOX_ARTEFACTS")
	if base == "" {
		base = filepath.Join(moduleRoot(), "dist", "e2e")
	}
	dir := filepath.Join(base, unsafeName.ReplaceAllString(t.Name(), "_"))
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// moduleRoot is where go.mod is, above the folder of the running test.
func moduleRoot() string {
	dir, err := filepath.Abs(".")
	for err == nil && dir != "/" {
		if _, e := os.Stat(filepath.Join(dir, "go.mod")); e == nil {
			return dir
		}
		dir = filepath.Dir(dir)
	}
	return "."
}

// Env is the surroundings of every program: nothing of the person's own
// session but the paths of programs and of Go.
func (r *Rig) Env() []string {
	sub := func(d string) string { return filepath.Join(r.dir, d) }
	bus := r.Bus
	if bus == "" {
		// An empty address would make the bus library start one of its own and leave it behind.
		bus = "unix:path=" + sub("no-bus")
	}
	env := []string{
		"HOME=" + sub("home"), "XDG_CONFIG_HOME=" + sub("config"), "XDG_DATA_HOME=" + sub("data"),
		"XDG_CACHE_HOME=" + sub("cache"), "XDG_STATE_HOME=" + sub("state"), "XDG_RUNTIME_DIR=" + sub("run"),
		"SIGNALBOX_HOME=" + r.Home, "DBUS_SESSION_BUS_ADDRESS=" + bus, "LANG=" + r.opts.Lang,
		"XDG_CURRENT_DESKTOP=LXQt", "XDG_SESSION_TYPE=x11", "LIBGL_ALWAYS_SOFTWARE=1", "NO_AT_BRIDGE=1", "GTK_USE_PORTAL=0",
		"TMPDIR=" + r.dir,
	}
	if r.Display != "" {
		env = append(env, "DISPLAY="+r.Display)
	}
	if r.opts.Theme != "" {
		env = append(env, "FYNE_THEME="+r.opts.Theme)
	}
	if r.opts.Scale != "" {
		env = append(env, "FYNE_SCALE="+r.opts.Scale)
	}
	for _, k := range []string{"PATH", "TZ", "GOCOVERDIR"} {
		if v, ok := os.LookupEnv(k); ok {
			env = append(env, k+"="+v)
		}
	}
	return append(env, r.opts.Env...)
}

// startScreen starts an X server that chooses a free display itself and says which.
func (r *Rig) startScreen() {
	r.t.Helper()
	fb := filepath.Join(r.dir, "fb")
	if err := os.MkdirAll(fb, 0o700); err != nil {
		r.t.Fatal(err)
	}
	args := []string{"-displayfd", "3", "-screen", "0", r.opts.Size + "x24", "-nolisten", "tcp", "-noreset", "-fbdir", fb}
	if r.opts.NoGL {
		args = append(args, "-extension", "GLX")
	}
	p, said := r.startTelling("xvfb", "Xvfb", args...)
	r.Screen, r.Display = p, ":"+said
}

const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><keep_umask/><listen>unix:path=%s</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
`

// startBus starts a session bus that activates nothing: with several
// notification daemons installed a usual one would start any of them.
func (r *Rig) startBus() {
	r.t.Helper()
	conf := filepath.Join(r.dir, "bus.conf")
	r.write(conf, fmt.Sprintf(busConfig, filepath.Join(r.dir, "bus")))
	p, said := r.startTelling("dbus", "dbus-daemon", "--config-file="+conf, "--nofork", "--nopidfile", "--print-address=3")
	r.BusDaemon, r.Bus = p, said
	r.Conn = r.connect()
	r.monitor = r.startMonitor()
}

// connect opens a connection of the rig's own, closed with the test.
func (r *Rig) connect() *dbus.Conn {
	r.t.Helper()
	c, err := dbus.Connect(r.Bus)
	if err != nil {
		r.fail(fmt.Sprintf("connect to the bus: %v", err))
	}
	r.t.Cleanup(func() { _ = c.Close() }) // the bus may be gone by then
	return c
}

func (r *Rig) startWindowManager() {
	r.t.Helper()
	r.Run("openbox", nil, "openbox", "--sm-disable")
	r.Eventually("the window manager", func() bool {
		out, err := r.output("xprop", "-root", "_NET_SUPPORTING_WM_CHECK")
		return err == nil && strings.Contains(out, "window id")
	})
}

const panelConfig = `[General]
__userfile__=true
panels=panel1

[panel1]
alignment=-1
desktop=0
iconSize=22
lineCount=1
panelSize=32
plugins=taskbar, statusnotifier
position=Bottom
width=100
width-percent=true

[taskbar]
type=taskbar
alignment=Left

[statusnotifier]
type=statusnotifier
alignment=Right
`

// StartPanel starts the tray host and waits until it takes tray items. The
// panel lies along the lower edge; see Rig.Panel for its process.
func (r *Rig) StartPanel() *Process {
	r.t.Helper()
	r.write(filepath.Join(r.dir, "config", "lxqt", "panel.conf"), panelConfig)
	r.write(filepath.Join(r.dir, "config", "lxqt", "lxqt.conf"), "[General]\ntheme=light\n")
	r.Panel = r.Run("lxqt-panel", []string{"QT_QPA_PLATFORM=xcb"}, "lxqt-panel")
	r.Eventually("the tray host", func() bool {
		v, err := r.property(watcherName, watcherPath, watcherName, "IsStatusNotifierHostRegistered")
		return err == nil && v.Value() == true
	})
	return r.Panel
}

// startTelling starts a program that writes one line to descriptor 3 when it is ready, and returns the line.
func (r *Rig) startTelling(name, path string, args ...string) (*Process, string) {
	r.t.Helper()
	rd, wr, err := os.Pipe()
	if err != nil {
		r.t.Fatal(err)
	}
	defer rd.Close()
	p, err := r.run(name, nil, []*os.File{wr}, path, args...)
	if cerr := wr.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		r.t.Fatalf("start %s: %v", name, err)
	}
	if err := rd.SetReadDeadline(time.Now().Add(r.opts.Timeout)); err != nil {
		r.t.Fatal(err)
	}
	var line []byte
	for b := make([]byte, 1); ; {
		if _, err := io.ReadFull(rd, b); err != nil {
			r.t.Fatalf("%s did not say that it is ready: %v\n%s", name, err, p.Log())
		}
		if b[0] == '\n' {
			return p, string(line)
		}
		line = append(line, b[0])
	}
}

func (r *Rig) write(path, text string) {
	r.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		r.t.Fatal(err)
	}
}
