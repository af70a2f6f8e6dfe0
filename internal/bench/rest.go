package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"signalbox/internal/config"
	"signalbox/retention"
)

// atRest looks at a center with the longest history that nobody talks to.
func (b *bench) atRest(ctx context.Context) error {
	b.table.head(fmt.Sprintf("At rest with %d records, without a desktop", b.records))
	if runtime.GOOS != "linux" {
		b.table.row("measured on Linux only", "", "")
		return nil
	}
	home := filepath.Join(b.dir, "rest")
	if err := os.RemoveAll(home); err != nil {
		return err
	}
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	if err := b.copyHistory(ctx, filepath.Join(home, "store")); err != nil {
		return err
	}
	// Everything is kept, or retention would have much to remove and be no rest.
	settings := "[retention]\nkeep_age = \"0s\"\nkeep_count = 0\n"
	if err := os.WriteFile(filepath.Join(home, config.FileName), []byte(settings), 0o600); err != nil {
		return err
	}
	began := time.Now()
	srv, err := start(ctx, "center", home)
	if err != nil {
		return err
	}
	defer srv.stop()
	pid := srv.cmd.Process.Pid
	settle(ctx, pid)
	once, _ := usage(pid)
	wait(ctx, time.Until(began.Add(retention.FirstAfter+settleStep)))
	settle(ctx, pid)
	cpu, wakes := usage(pid)
	b.table.row("the day's one run of retention", short(cpu-once)+" of a core", "")
	const span = 2 * time.Minute // the collector runs once in it, whatever happens
	wait(ctx, span)
	cpu2, wakes2 := usage(pid)
	b.table.row("anonymous memory (resident)", fmt.Sprintf("%d MiB (%d MiB)", status(pid, "RssAnon")>>10, status(pid, "VmRSS")>>10), "≤ 40 MiB")
	b.table.row("of one core", fmt.Sprintf("%.2f %%", 100*(cpu2-cpu).Seconds()/span.Seconds()), "≤ 0.1 %")
	b.table.row("wake-ups a second", fmt.Sprintf("%.1f", float64(wakes2-wakes)/span.Seconds()), "≤ 10")
	return nil
}

// settleStep is how long a process is looked at before it counts as at rest.
const settleStep = 10 * time.Second

// settle waits until a process has come to rest: past the check of the tables, which begins 15 seconds
// after the start, and what was left to merge. It gives up after some minutes.
func settle(ctx context.Context, pid int) {
	const step = settleStep
	began := time.Now()
	wait(ctx, 2*step)
	for time.Since(began) < 5*time.Minute && ctx.Err() == nil {
		before, _ := usage(pid)
		wait(ctx, step)
		if after, _ := usage(pid); after-before < step/200 {
			return
		}
	}
}

func wait(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// status is a number of /proc/PID/status.
func status(pid int, name string) int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	return field(string(b), name)
}

func field(status, name string) int {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}

// usage is the time that a process had a core, and how often one of its threads went to sleep by itself.
func usage(pid int) (cpu time.Duration, wakes int) {
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
	if err != nil {
		return 0, 0
	}
	for _, task := range tasks {
		if b, err := os.ReadFile(filepath.Join(task, "status")); err == nil {
			wakes += field(string(b), "voluntary_ctxt_switches")
		}
		b, err := os.ReadFile(filepath.Join(task, "schedstat")) // nanoseconds on a core, and more
		if err != nil {
			continue
		}
		if f := strings.Fields(string(b)); len(f) > 0 {
			n, _ := strconv.ParseInt(f[0], 10, 64)
			cpu += time.Duration(n)
		}
	}
	return cpu, wakes
}
