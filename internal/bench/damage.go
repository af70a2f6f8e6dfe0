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

// damage measures how long a start takes after the store was damaged: its snapshot is put back, and what the damaged
// folder still holds is made again.
func (b *bench) damage(ctx context.Context) error {
	n := b.records / 10
	from, err := b.historyStore(ctx, n)
	if err != nil {
		return err
	}
	b.table.head(fmt.Sprintf("Start after damage, %d records", n))
	dir := filepath.Join(b.dir, "damage")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		return err
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return err
	}
	s, report := store.Open(ctx, store.Options{Dir: dir, SnapshotEvery: -1})
	if report.Condition != store.Healthy {
		return errors.New(report.Text)
	}
	_, err = s.Snapshot(ctx)
	if err := firstError(err, s.Close()); err != nil {
		return err
	}
	if err := os.Remove(filepath.Join(dir, "db", "MANIFEST")); err != nil {
		return err
	}
	begin := time.Now()
	s, report = store.Open(ctx, store.Options{Dir: dir, SnapshotEvery: -1})
	took := time.Since(begin)
	defer s.Close()
	if report.Condition != store.Recovered || report.Missing != 0 {
		return fmt.Errorf("not recovered whole: %s", report.Text)
	}
	b.table.row("the list of tables is gone", short(took), "≤ 5 s")
	return nil
}
