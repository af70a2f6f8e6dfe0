package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"signalbox/center"
	"signalbox/internal/bench/history"
	"signalbox/notify"
	"signalbox/store"
)

var no, yes = false, true

// question is a filter whose first page is asked for.
type question struct {
	name string
	f    notify.Filter
}

// filters are combinations of every sort: wide, narrow, old, and such that nothing matches.
var filters = []question{
	{"everything", notify.Filter{}},
	{"pending", notify.Filter{Statuses: []notify.Status{notify.Pending}}},
	{"critical progress", notify.Filter{Severities: []notify.Severity{notify.SeverityCritical}, Kinds: []notify.Kind{notify.KindProgress}}},
	{"the quietest connection", notify.Filter{Connections: []string{history.Connection(history.Connections - 1)}}},
	{"unread errors of one connection", notify.Filter{Connections: []string{history.Connection(0)}, Read: &no, Severities: []notify.Severity{notify.SeverityError}}},
	{"a rare tag", notify.Filter{Tags: []string{history.RareTag}}},
	{"a rare tag, a connection, critical: none", notify.Filter{Tags: []string{history.RareTag}, Connections: []string{history.Connection(3)}, Severities: []notify.Severity{notify.SeverityCritical}}},
	{"a tag, an event, application", notify.Filter{Tags: []string{history.Tag(0)}, Events: []string{notify.EventTurnFailed}, Scopes: []notify.Scope{notify.ScopeApplication}}},
	{"a session in the scope of applications: none", notify.Filter{Scopes: []notify.Scope{notify.ScopeApplication}, Sessions: []string{"s-00001"}}},
	{"pending critical read reports: none", notify.Filter{Statuses: []notify.Status{notify.Pending}, Kinds: []notify.Kind{notify.KindReport}, Severities: []notify.Severity{notify.SeverityCritical}, Read: &yes}},
	{"a session", notify.Filter{Sessions: []string{"s-00100"}}},
	{"five connections, three tags, long ago", notify.Filter{
		Connections: []string{history.Connection(0), history.Connection(1), history.Connection(2), history.Connection(3), history.Connection(4)},
		Tags:        []string{history.Tag(1), history.Tag(2), history.Tag(3)}, Until: history.Start.Add(2000 * time.Hour),
	}},
	{"silent ones too, one month", notify.Filter{IncludeSilent: true, Since: history.Start.Add(4000 * time.Hour), Until: history.Start.Add(4720 * time.Hour)}},
}

// searches are texts: frequent, rare, short, unique, several, none.
var searches = []question{
	{"a frequent word", notify.Filter{Text: history.Word(40)}},
	{"a rare word", notify.Filter{Text: history.Word(5990)}},
	{"one letter", notify.Filter{Text: "s"}},
	{"two letters, critical reports", notify.Filter{Text: "et ta", Kinds: []notify.Kind{notify.KindReport}, Severities: []notify.Severity{notify.SeverityCritical}}},
	{"three letters, critical reports", notify.Filter{Text: "e a t", Kinds: []notify.Kind{notify.KindReport}, Severities: []notify.Severity{notify.SeverityCritical}}},
	{"three rare words", notify.Filter{Text: history.Word(3000) + " " + history.Word(3001) + " " + history.Word(3002)}},
	{"a number", notify.Filter{Text: "999"}},
	{"nothing has it", notify.Filter{Text: "zzzz"}},
}

// copyHistory makes dir a copy of the longest history, to be changed or damaged.
func (b *bench) copyHistory(ctx context.Context, dir string) error {
	from, err := b.historyStore(ctx, b.records)
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(from)), os.Chmod(dir, 0o700), syncFiles(dir))
}

// syncFiles waits until the files of a folder are on the disk: their writing would be measured otherwise.
func syncFiles(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		f, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}

// historyStore opens a store with a history of n records, and makes it if need be.
func (b *bench) historyStore(ctx context.Context, n int) (dir string, err error) {
	dir = filepath.Join(b.dir, fmt.Sprintf("history-%d", n))
	done := filepath.Join(dir, "filled")
	if _, err := os.Stat(done); err == nil {
		return dir, nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	s, report := store.Open(ctx, store.Options{Dir: dir, Unsynced: true, SnapshotEvery: -1, OpenWithin: -1})
	if report.Condition != store.Healthy {
		return "", fmt.Errorf("%s", report.Text)
	}
	err = history.Fill(ctx, s, n, func(done int) {
		if done%100_000 == 0 {
			fmt.Fprintf(os.Stderr, "  %d of %d records\n", done, n)
		}
	})
	if err == nil {
		err = s.Settled(ctx)
	}
	if closeErr := s.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return "", err
	}
	return dir, os.WriteFile(done, nil, 0o600)
}

// queries measures opening, first pages, searches and the badge, on histories of three lengths.
func (b *bench) queries(ctx context.Context) error {
	sizes := []int{1000, b.records / 10, b.records}
	results := map[int][]time.Duration{}
	var openEmpty time.Duration
	for _, n := range append([]int{0}, sizes...) {
		dir, err := b.historyStore(ctx, n)
		if err != nil {
			return err
		}
		var opens []time.Duration
		var took []time.Duration
		for range 3 {
			t := time.Now()
			s, report := store.Open(ctx, store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
			if report.Condition != store.Healthy {
				return fmt.Errorf("%s", report.Text)
			}
			c, err := center.Open(ctx, center.Config{Storage: s})
			if err != nil {
				return err
			}
			c.Rail(notify.SessionRef{})
			opens = append(opens, time.Since(t))
			if n > 0 && len(opens) == 3 {
				took, err = ask(ctx, c, s)
			}
			if err := firstError(err, c.Close(), s.Close()); err != nil {
				return err
			}
		}
		open := quantile(opens, 0.5)
		if n == 0 {
			openEmpty = open
			b.table.head("Start until the rail is there")
			b.table.row("an empty store", short(open), "")
			continue
		}
		goal := ""
		if n == b.records {
			goal = "≤ 15×"
		}
		b.table.row(fmt.Sprintf("%d records", n), short(open)+" = "+times(open, openEmpty), goal)
		results[n] = took
	}
	all := append(slices.Clone(filters), searches...)
	b.table.head("First page of 50, p50 (at " + fmt.Sprint(sizes[0]) + ", " + fmt.Sprint(sizes[1]) + ", " + fmt.Sprint(sizes[2]) + " records)")
	slowest, slowestText, ratio := time.Duration(0), time.Duration(0), 0.0
	for i, q := range all {
		d := []time.Duration{results[sizes[0]][i], results[sizes[1]][i], results[sizes[2]][i]}
		b.table.row(q.name, short(d[0])+", "+short(d[1])+", "+short(d[2]), "")
		if i < len(filters) {
			slowest = max(slowest, d[2])
		} else {
			slowestText = max(slowestText, d[2])
		}
	}
	small, big := slices.Clone(results[sizes[0]][:len(filters)]), slices.Clone(results[sizes[2]][:len(filters)])
	ratio = float64(slices.Max(big)) / float64(slices.Max(small))
	b.table.row("the slowest filter", fmt.Sprintf("%s = %.1f× the slowest at %d", short(slowest), ratio, sizes[0]), "≤ 2 ms, ≤ 3×")
	b.table.row("the slowest text", short(slowestText), "≤ 20 ms")
	b.table.row("the badge", short(results[sizes[0]][len(all)])+", "+short(results[sizes[1]][len(all)])+", "+short(results[sizes[2]][len(all)]), "constant")
	return nil
}

func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// ask asks every question a few times; the last figure is the badge.
func ask(ctx context.Context, c *center.Center, s *store.Store) (out []time.Duration, err error) {
	if err := s.Settled(ctx); err != nil {
		return nil, err
	}
	const rounds = 25
	for _, q := range append(slices.Clone(filters), searches...) {
		var ds []time.Duration
		for range rounds {
			t := time.Now()
			if _, err := c.Query(ctx, q.f, notify.Cursor{}, 50); err != nil {
				return nil, err
			}
			ds = append(ds, time.Since(t))
		}
		out = append(out, quantile(ds, 0.5))
	}
	var ds []time.Duration
	for range rounds {
		t := time.Now()
		for range 100 {
			c.Attention()
		}
		ds = append(ds, time.Since(t)/100)
	}
	return append(out, quantile(ds, 0.5)), nil
}
