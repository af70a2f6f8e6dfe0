//go:build linux && e2e

package rig

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"fyne.io/systray"
	"github.com/godbus/dbus/v5"

	"signalbox/assets"
)

// The test binary is also a program with a tray icon, so that the rig can be tried on one.
func TestMain(m *testing.M) {
	if os.Getenv("RIG_TEST_TRAY") != "" {
		trayProgram()
		return
	}
	os.Exit(m.Run())
}

func trayProgram() {
	systray.SetTitle("Rig test")
	systray.SetOnTapped(func() { fmt.Println("tapped") })
	systray.Run(func() {
		systray.SetIcon(assets.TrayIcon("3", "linux", 22))
		systray.SetTooltip("three of them")
		hello := systray.AddMenuItem("Say hello", "")
		off := systray.AddMenuItem("Not now", "")
		off.Disable()
		systray.AddSeparator()
		more := systray.AddMenuItem("More", "")
		check := more.AddSubMenuItemCheckbox("Checked", "", true)
		quit := systray.AddMenuItem("Quit", "")
		// Not here: the menu answers only when this function has returned.
		go func() {
			for {
				select {
				case <-hello.ClickedCh:
					fmt.Println("hello")
					hello.SetTitle("Said hello")
					systray.SetIcon(assets.TrayIcon("error", "linux", 22))
				case <-check.ClickedCh:
					fmt.Println("checked")
				case <-quit.ClickedCh:
					systray.Quit()
					return
				}
			}
		}()
	}, nil)
}

func TestStageWithTrayToastAndWindow(t *testing.T) {
	r := Start(t, Options{})
	p := r.Run("tray", []string{"RIG_TEST_TRAY=1"}, testBinary(t))
	item := r.TrayItem(p.Pid())
	if title, _ := item.ToolTip(); title != "three of them" {
		t.Errorf("tooltip %q", title)
	}
	if !item.IconIs(assets.TrayIcon("3", "linux", 22)) {
		t.Error("the icon is not what the program set")
	}
	item.WaitMenu("Quit")
	want := []string{"Say hello", "Not now", "More", "More > Checked", "Quit"}
	if got := item.Labels(); !slices.Equal(got, want) {
		t.Errorf("menu %q, want %q", got, want)
	}
	if m := item.WaitMenu("Not now"); m.Enabled {
		t.Error("a disabled line looks enabled")
	}
	if m := item.WaitMenu("More > Checked"); !m.Checked {
		t.Error("a checked line looks unchecked")
	}
	// The panel draws it: its blue is in the lower right of the screen.
	r.Eventually("the icon in the panel", func() bool {
		_, n := r.FindColour(color.NRGBA{0x2d, 0x6c, 0xdf, 255}, 12, image.Rect(900, 768, 1280, 800))
		return n > 50
	})

	r.Run("xclock", nil, "xclock", "-geometry", "300x300+60+60")
	w := r.Window("xclock")
	if b := w.Bounds(); b.Dx() != 300 {
		t.Errorf("the window is at %v", b)
	}
	id := notify(t, r, "A title", "A <b>body</b>")
	toast := r.WaitToast("A title")
	if toast.ID != id || toast.Body != "A <b>body</b>" || toast.Actions["yes"] != "Yes" || toast.Answered.Before(toast.At) {
		t.Errorf("the monitor saw %+v", toast)
	}
	r.Eventually("the toast on the screen", func() bool { return r.Shown() == 1 })
	t.Log("pictures:", r.Screenshot("stage"), w.Screenshot("clock"))

	item.ClickMenu("Say hello")
	r.Eventually("the program to hear it", func() bool { return strings.Contains(p.Log(), "hello\n") })
	item.WaitMenu("Said hello")
	r.Eventually("the other icon", func() bool { return item.IconIs(assets.TrayIcon("error", "linux", 22)) })
	item.Activate()
	r.Eventually("the left click", func() bool { return strings.Contains(p.Log(), "tapped\n") })

	r.ChooseToast("yes")
	r.Eventually("the action", func() bool {
		return slices.ContainsFunc(r.ToastSignals(), func(s ToastSignal) bool { return s.ID == id && s.Action == "yes" })
	})
	second := notify(t, r, "Second", "")
	r.CloseToasts()
	r.Eventually("the history", func() bool {
		return slices.ContainsFunc(r.DunstHistory(), func(e DunstEntry) bool { return e.Summary == "Second" })
	})
	r.Eventually("the reason", func() bool {
		return slices.ContainsFunc(r.Toasts(), func(t Toast) bool { return t.ID == second && t.Closed == 2 })
	})

	w.Close()
	r.WaitNoWindow("xclock")
	item.ClickMenu("Quit")
	if code := p.Wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if r.HasTrayItem(p.Pid()) {
		t.Error("the tray still has the item of a program that ended")
	}
}

func TestScriptedDaemon(t *testing.T) {
	for _, tc := range []struct {
		name string
		mode Mode
		err  bool
	}{{"normal", Normal, false}, {"slow", Slow, false}, {"refuse", Refuse, true}, {"die", Die, true}} {
		t.Run(tc.name, func(t *testing.T) {
			r := Start(t, Options{NoScreen: true})
			d := r.StartDaemon(tc.mode, NoCapabilities)
			d.SetDelay(300 * time.Millisecond)
			began := time.Now()
			var id uint32
			err := call(r, "Title").Store(&id)
			if (err != nil) != tc.err {
				t.Fatalf("error %v", err)
			}
			if tc.mode == Slow && time.Since(began) < 300*time.Millisecond {
				t.Error("not slow")
			}
			if c := d.WaitCall("Title"); c.ID != 1 || len(d.Calls()) != 1 {
				t.Errorf("calls %+v", d.Calls())
			}
			if tc.err {
				return
			}
			d.Invoke(id, "default")
			d.Close(id, 2)
			r.Eventually("both signals", func() bool { return len(r.ToastSignals()) == 2 })
		})
	}
	t.Run("hang, then answer", func(t *testing.T) {
		r := Start(t, Options{NoScreen: true})
		d := r.StartDaemon(Hang)
		done := make(chan error, 1)
		go func() { done <- call(r, "Title").Err }()
		d.WaitCall("Title")
		r.Never("an answer", 200*time.Millisecond, func() bool { return len(done) > 0 })
		d.SetMode(Normal)
		if err := <-done; err != nil {
			t.Error(err)
		}
		if c := r.Conn.Object(notifyName, notifyPath).Call(notifyName+".CloseNotification", 0, uint32(1)); c.Err != nil {
			t.Error(c.Err)
		}
		r.WaitToastFunc("the withdrawal", func(t Toast) bool { return t.Withdrawn && t.Closed == 3 })
		if got := d.Closes(); !slices.Equal(got, []uint32{1}) {
			t.Errorf("closes %v", got)
		}
	})
}

// What a test starts is gone when it ends, its children too.
func TestNothingIsLeft(t *testing.T) {
	var pids []int
	var dir string
	t.Run("stage", func(t *testing.T) {
		r := Start(t, Options{})
		dir = r.dir
		for _, p := range []*Process{r.Screen, r.BusDaemon, r.Dunst, r.Panel, r.Run("sh", nil, "sh", "-c", "sleep 300 & wait")} {
			pids = append(pids, p.Pid())
		}
	})
	for _, pid := range pids {
		// A grandchild that was killed stays until the system's first process has reaped it.
		var err error
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(pollEvery) {
			if err = syscall.Kill(-pid, 0); err == syscall.ESRCH {
				break
			}
		}
		if err != syscall.ESRCH {
			t.Errorf("the group of process %d is still there: %v", pid, err)
		}
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there", dir)
	}
}

func TestProgramsSeeOnlyTheStage(t *testing.T) {
	r := Start(t, Options{NoScreen: true, NoBus: true})
	env := strings.Join(r.Env(), "\n") + "\n"
	for _, k := range []string{"HOME=", "XDG_CONFIG_HOME=", "XDG_RUNTIME_DIR=", "SIGNALBOX_HOME="} {
		_, v, ok := strings.Cut(env, k)
		if v, _, _ = strings.Cut(v, "\n"); !ok || !strings.HasPrefix(v, r.dir) {
			t.Errorf("%s%s is outside the stage", k, v)
		}
	}
	if strings.Contains(env, "\nDISPLAY=") {
		t.Error("a display without a screen")
	}
	p := r.Run("busy", nil, "sh", "-c", "while :; do :; done & while :; do :; done")
	r.Eventually("two processes at work", func() bool {
		u := p.Usage()
		return u.Processes == 2 && u.CPU > 50*time.Millisecond && u.Resident > 1<<18
	})
	p.Kill()
	res := r.Command("in", "sh", "-c", "cat; echo err >&2; exit 3").Want(3)
	if res.Stdout != "in" || res.Stderr != "err\n" {
		t.Errorf("%+v", res)
	}
}

func testBinary(t *testing.T) string {
	t.Helper()
	p, err := filepath.Abs(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func call(r *Rig, summary string) *dbus.Call {
	return r.Conn.Object(notifyName, notifyPath).Call(notifyName+".Notify", 0, "test", uint32(0), "", summary, "", []string{}, map[string]dbus.Variant{}, int32(-1))
}

func notify(t *testing.T, r *Rig, summary, body string) (id uint32) {
	t.Helper()
	err := r.Conn.Object(notifyName, notifyPath).Call(notifyName+".Notify", 0, "test", uint32(0), "", summary, body,
		[]string{"default", "Open", "yes", "Yes"}, map[string]dbus.Variant{}, int32(-1)).Store(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}
