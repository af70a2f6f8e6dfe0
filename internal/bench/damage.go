package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"signalbox/store"
)

// damage measures how long a start takes after the store was damaged: until the app is up, which says that the store is
// being put back, and until everything is there again.
func (b *bench) damage(ctx context.Context) error {
	b.table.head(fmt.Sprintf("Start after damage, %d records: the list of tables is gone", b.records))
	dir := filepath.Join(b.dir, "damage")
	if err := b.copyHistory(ctx, dir); err != nil {
		return err
	}
	s, report := store.Open(ctx, store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	if report.Condition != store.Healthy {
		return errors.New(report.Text)
	}
	begin := time.Now()
	_, err := s.Snapshot(ctx)
	b.table.row("a snapshot, written and verified", short(time.Since(begin)), "")
	if err := firstError(err, s.Close()); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, "db", "MANIFEST")); err != nil {
		return err
	}
	begin = time.Now()
	s, report = store.Open(ctx, store.Options{Dir: dir, SnapshotEvery: -1})
	defer s.Close()
	b.table.row("until the app is up", short(time.Since(begin)), "≤ 5 s")
	if report.Reason == store.ReasonOpening {
		select {
		case <-s.Ready():
		case <-ctx.Done():
			return ctx.Err()
		}
		report = s.Report()
	}
	b.table.row("until everything is back", short(time.Since(begin)), "≤ 60 s")
	if report.Condition != store.Recovered || report.Missing != 0 {
		return fmt.Errorf("not recovered whole: %s", report.Text)
	}
	return nil
}
