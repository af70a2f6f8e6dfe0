package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// hookLimit is what a hook that does not wait for an answer may take, all in all.
const hookLimit = 2 * time.Second

// hookEvents are what the hook is given; @ is another text each time.
var hookEvents = []struct{ name, payload string }{
	{"a tool ran (reads what waits)", `{"session_id":"bench","prompt_id":"p","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t"}`},
	{"a turn ended (publishes)", `{"session_id":"bench","prompt_id":"@","hook_event_name":"Stop","last_assistant_message":"done"}`},
	{"a permission (publishes)", `{"session_id":"bench","prompt_id":"@","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make @"}}`},
}

// onceBody is what the floor sends: one notification, as a hook does.
const onceBody = `{"operations":[{"op":"publish","notification":{"session":"bench","key":"turn/@","title":"Finished","body":"done","event":{"type":"session.turn_finished","occurrence":"@"}}}]}`

// started is one run of a program. kept says that the hook did not get through in time and kept its event for later.
type started struct {
	cpu, wall time.Duration
	kept      bool
}

// hooks compares the whole process of a hook with one that only sends a request.
func (b *bench) hooks(ctx context.Context) error {
	b.table.head("A hook, the whole process: sigbox hook against a program that only sends one request")
	sigbox, err := b.program(ctx, "sigbox", "signalbox/cmd/sigbox")
	if err != nil {
		return err
	}
	once, err := b.program(ctx, "once", "signalbox/internal/bench/once")
	if err != nil {
		return err
	}
	home := filepath.Join(b.dir, "hook")
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	srv, err := start(ctx, "center", home)
	if err != nil {
		return err
	}
	defer srv.stop()
	token, err := srv.connection("once")
	if err != nil {
		return err
	}
	round := 0
	floor := func() (started, error) {
		round++
		return runOnce(ctx, once, strings.ReplaceAll(onceBody, "@", fmt.Sprint("o", round)), srv.url+"/v1/connections/once/batch", token)
	}
	hook := func(payload string) (started, error) {
		round++
		return runOnce(ctx, sigbox, strings.ReplaceAll(payload, "@", fmt.Sprint("h", round)), "hook", "claude", "--home="+home, "--tag=bench")
	}
	if _, err := hook(hookEvents[0].payload); err != nil { // registers its connection
		return err
	}
	rounds := 60
	if b.each < 3*time.Second {
		rounds = 15
	}
	var floors []started
	runs := make([][]started, len(hookEvents))
	// In turns, so that whatever else the machine does is shared by both.
	for range rounds {
		s, err := floor()
		if err != nil {
			return err
		}
		floors = append(floors, s)
		for i, e := range hookEvents {
			if s, err = hook(e.payload); err != nil {
				return err
			}
			runs[i] = append(runs[i], s)
		}
	}
	fcpu, fwall := medians(floors)
	b.table.row("the floor: CPU, wall", short(fcpu)+", "+short(fwall), "")
	for i, e := range hookEvents {
		cpu, wall := medians(runs[i])
		b.table.row(e.name+": CPU, wall", short(cpu)+", "+short(wall), "")
		b.table.row("  against the floor: CPU, wall", times(cpu, fcpu)+", "+times(wall, fwall), "≤ 3×")
	}
	const together = 30
	var all sync.WaitGroup
	var mu sync.Mutex // protects at and failed
	var at []started
	var failed error
	for range together {
		round++
		payload := strings.ReplaceAll(hookEvents[1].payload, "@", fmt.Sprint("t", round))
		all.Go(func() {
			s, err := runOnce(ctx, sigbox, payload, "hook", "claude", "--home="+home, "--tag=bench")
			mu.Lock()
			defer mu.Unlock()
			at, failed = append(at, s), errors.Join(failed, err)
		})
	}
	all.Wait()
	if failed != nil {
		return failed
	}
	var walls []time.Duration
	kept := 0
	for _, s := range at {
		walls = append(walls, s.wall)
		if s.kept {
			kept++
		}
	}
	cpu, _ := medians(at)
	b.table.row(fmt.Sprintf("%d started at once, on %d cores: CPU of each", together, runtime.NumCPU()), short(cpu), "")
	b.table.row("  median, slowest", short(quantile(walls, .5))+", "+short(quantile(walls, 1)), "≤ "+hookLimit.String())
	b.table.row("  kept for a later hook to tell", fmt.Sprint(kept), "")
	return nil
}

// program builds one of ours, as it is released: without cgo.
func (b *bench) program(ctx context.Context, name, path string) (string, error) {
	out := filepath.Join(b.dir, name)
	if runtime.GOOS == "windows" {
		out += ".exe"
	}
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", out, path)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w: %s", path, err, text)
	}
	return out, nil
}

// runOnce runs a program to its end.
func runOnce(ctx context.Context, program, input string, args ...string) (started, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin = strings.NewReader(input)
	cmd.Env = withoutOurs(os.Environ())
	var said strings.Builder
	cmd.Stderr = &said
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	kept := strings.Contains(said.String(), "kept for later")
	if err == nil && said.Len() > 0 && !kept {
		err = errors.New(strings.TrimSpace(said.String()))
	}
	if err != nil {
		return started{}, fmt.Errorf("%s: %w", filepath.Base(program), err)
	}
	return started{cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), wall, kept}, nil
}

// withoutOurs is an environment that names no other center.
func withoutOurs(env []string) (out []string) {
	for _, e := range env {
		if !strings.HasPrefix(e, "SIGNALBOX_") {
			out = append(out, e)
		}
	}
	return out
}

func medians(runs []started) (cpu, wall time.Duration) {
	var cpus, walls []time.Duration
	for _, r := range runs {
		cpus, walls = append(cpus, r.cpu), append(walls, r.wall)
	}
	return quantile(cpus, .5), quantile(walls, .5)
}
