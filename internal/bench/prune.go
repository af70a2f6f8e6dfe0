package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/pprof"
	"time"

	"signalbox/center"
	"signalbox/internal/bench/history"
	"signalbox/internal/daemon"
	"signalbox/notify"
	"signalbox/retention"
	"signalbox/store"
)

// prune lets retention remove nine records of ten while somebody publishes.
func (b *bench) prune(ctx context.Context) error {
	b.table.head(fmt.Sprintf("Pruning %d of %d records beside a publisher", b.records*9/10, b.records))
	dir := filepath.Join(b.dir, "prune")
	if err := b.copyHistory(ctx, dir); err != nil {
		return err
	}
	rests := calm{time.NewTimer(calmFor)}
	s, report := store.Open(ctx, store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, Merging: rests.merging})
	if report.Condition != store.Healthy {
		return errors.New(report.Text)
	}
	defer s.Close()
	c, err := center.Open(ctx, center.Config{Storage: s})
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Do(ctx, notify.Owner, notify.CreateConnection{ID: "bench", Label: "bench"}); err != nil {
		return err
	}
	before := folder(dir)

	// The history is two years long and even, so a tenth of the time is a tenth of the records.
	end := history.Start.Add(2 * 365 * 24 * time.Hour)
	keep := time.Duration(float64(2*365*24*time.Hour) / 10)
	select {
	case <-rests.C:
	case <-ctx.Done():
	}
	quiet := publishing(ctx, c, 2*b.each, nil)
	r := retention.New(retention.Config{
		Center: c, Storage: s, Now: func() time.Time { return end },
		Limits: retention.Limits{Policy: retention.Policy{KeepAge: keep}, LogCount: history.Keep},
	})
	if name := os.Getenv(envProfile); name != "" {
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
	}
	done := make(chan struct{})
	var run retention.Report
	begin := time.Now()
	go func() {
		run = r.Once(ctx)
		close(done)
	}()
	busy := publishing(ctx, c, time.Hour, done)
	took := time.Since(begin)
	pprof.StopCPUProfile()
	if run.Err != nil {
		return run.Err
	}
	b.table.row("removed", fmt.Sprintf("%d in %s", run.Removed, short(took)), "")
	p := quantile(quiet, 0.99)
	q := quantile(busy, 0.99)
	b.table.row("publish at the center without, p50 (p99)", fmt.Sprintf("%s (%s)", short(quantile(quiet, 0.5)), short(p)), "")
	b.table.row("publish beside it, p50 (p99)", fmt.Sprintf("%s (%s) = %s at p99; longest %s", short(quantile(busy, 0.5)), short(q), times(q, p), short(busy[len(busy)-1])), "≤ 3×")

	// The folder shrinks by itself, some seconds after the last removal; after a long merge, when the store has rested.
	size := folder(dir)
	begin = time.Now()
	for time.Since(begin) < shrinkLimit && size > before/3 && ctx.Err() == nil {
		time.Sleep(time.Second)
		size = folder(dir)
	}
	b.table.row("the folder before and after", fmt.Sprintf("%d MB, %d MB after %s", before>>20, size>>20, short(time.Since(begin))), "shrinks by itself")
	return nil
}

// calmFor is how long nothing was merged when a store has done what it does for itself after its start: it merges
// what an earlier run left, and after a quarter of a minute it reads all its tables.
const calmFor = 30 * time.Second

// calm fires when no tables were merged for calmFor: the figure without retention is of a store that does nothing else.
type calm struct{ *time.Timer }

// merging is for store.Options, and does what the daemon does.
func (c calm) merging() (ended func()) {
	less := daemon.MoreThreads()
	c.Stop()
	return func() {
		less()
		c.Reset(calmFor)
	}
}

// shrinkLimit is how long the folder is looked at.
const shrinkLimit = 10 * time.Minute

// publishing publishes every 2 ms until done is closed, or for a while.
func publishing(ctx context.Context, c *center.Center, d time.Duration, done <-chan struct{}) (ds []time.Duration) {
	op := notify.Publish{Connection: "bench", Key: "status", Content: notify.Content{Title: "Build running", Body: message}}
	for end := time.Now().Add(d); time.Now().Before(end) && ctx.Err() == nil; {
		select {
		case <-done:
			return ds
		case <-time.After(2 * time.Millisecond):
		}
		t := time.Now()
		if _, err := c.Do(ctx, notify.Producer("bench"), op); err != nil {
			return ds
		}
		ds = append(ds, time.Since(t))
	}
	return ds
}

// folder is how much of the disk a folder takes.
func folder(dir string) (total int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				total += allocated(info)
			}
		}
		return nil // a file that went meanwhile takes nothing
	})
	return total
}
