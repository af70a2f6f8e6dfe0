package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain builds the program as it is released: without cgo, and without the race detector, which the limits of
// hooks do not allow for.
func TestMain(m *testing.M) {
	os.Exit(withProgram(m.Run))
}

func withProgram(run func() int) int {
	dir, err := os.MkdirTemp("", "sigbox")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	name := "sigbox"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", filepath.Join(dir, name), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build sigbox: %v\n%s", err, out)
		return 1
	}
	os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return run()
}

// Journeys of the real program against a real center, each in a data directory of its own.
//
// Proves: S1, A2, A9, A10, I2, I4, I8
func TestScripts(t *testing.T) {
	payloads, err := filepath.Abs("../../agents/testdata")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			home := filepath.Join(e.WorkDir, "home")
			e.Setenv("SIGNALBOX_HOME", home)
			e.Setenv("HOME", filepath.Join(e.WorkDir, "user"))
			e.Setenv("USERPROFILE", filepath.Join(e.WorkDir, "user"))
			e.Setenv("PAYLOADS", payloads)
			// An agent's own program must not be asked for its version.
			e.Setenv("PATH", filepath.Dir(mustLook(e, "sigbox")))
			return os.MkdirAll(filepath.Join(e.WorkDir, "user"), 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"center": startCenter,
			"until":  until,
			"field":  field,
		},
	})
}

// mustLook is where the program under test is.
func mustLook(e *testscript.Env, name string) string {
	for _, dir := range filepath.SplitList(e.Getenv("PATH")) {
		if p := filepath.Join(dir, name); exists(p) || exists(p+".exe") {
			return p
		}
	}
	return ""
}

// patience is how long a script waits for what must come.
const patience = 30 * time.Second

// startCenter runs a center for the rest of the script: center [flag…].
func startCenter(ts *testscript.TestScript, _ bool, args []string) {
	home := ts.Getenv("SIGNALBOX_HOME")
	ready := ts.MkAbs("ready")
	os.Remove(ready)
	ctx, cancel := context.WithCancel(context.Background())
	program, err := exec.LookPath(filepath.Join(ts.Getenv("PATH"), "sigbox"))
	ts.Check(err)
	cmd := exec.CommandContext(ctx, program, append([]string{"serve", "--home", home, "--listen", "127.0.0.1:0", "--ready", ready, "--rate-limit", "0", "--log", "warn"}, args...)...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	log := &strings.Builder{}
	cmd.Stderr = log
	ts.Check(cmd.Start())
	stop := func() {
		cancel()
		cmd.Wait()
	}
	ts.Defer(stop)
	running.Store(ts.Name(), stop)
	waitFor(ts, func() bool { return exists(ready) }, func() string { return "the center does not start: " + log.String() })
}

// running ends a script's center before its end. Scripts run at the same time.
var running sync.Map

func waitFor(ts *testscript.TestScript, done func() bool, why func() string) {
	for end := time.Now().Add(patience); !done(); {
		if time.Now().After(end) {
			ts.Fatalf("%s", why())
		}
		<-time.After(20 * time.Millisecond)
	}
}

// until repeats a command until its output contains a text, or with ! until it does not: until TEXT sigbox ….
// "until stopped" ends the script's center instead.
func until(ts *testscript.TestScript, not bool, args []string) {
	if len(args) == 1 && args[0] == "stopped" {
		stop, _ := running.Load(ts.Name())
		stop.(func())()
		return
	}
	if len(args) < 2 {
		ts.Fatalf("until TEXT PROGRAM ARGS…")
	}
	var out string
	waitFor(ts, func() bool {
		ts.Check(ignoreExit(ts.Exec(args[1], args[2:]...)))
		out = ts.ReadFile("stdout")
		return strings.Contains(out, args[0]) != not
	}, func() string { return fmt.Sprintf("%q never came (not %v); there is:\n%s", args[0], not, out) })
}

func ignoreExit(err error) error {
	if _, ok := err.(*exec.ExitError); ok {
		return nil
	}
	return err
}

// field sets a variable to a value of the JSON on stdout: field NAME a.0.b.
func field(ts *testscript.TestScript, _ bool, args []string) {
	var v any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &v))
	for _, part := range strings.Split(args[1], ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[part]
		case []any:
			var i int
			_, err := fmt.Sscan(part, &i)
			ts.Check(err)
			if i >= len(x) {
				ts.Fatalf("no element %d in %v", i, x)
			}
			v = x[i]
		default:
			ts.Fatalf("no %s in %v", part, v)
		}
	}
	ts.Setenv(args[0], fmt.Sprint(v))
}
