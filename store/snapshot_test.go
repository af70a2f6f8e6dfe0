package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/store"
	"signalbox/store/storetest"
)

func snapshotFiles(t *testing.T, dir string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(dir, "snapshots", "*"))
	mustDo(t, err)
	return all
}

func TestSnapshotAndRestore(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	w := &storetest.Writer{T: t, S: s}
	w.Put(storetest.New(1), storetest.New(2), storetest.New(3))
	w.Prune(storetest.New(2))
	path, err := s.Snapshot(t.Context())
	mustDo(t, err)
	var stream bytes.Buffer
	mustDo(t, s.Backup(t.Context(), &stream))
	w.Put(storetest.New(4))

	// Refused while the store is open.
	if _, err := store.Restore(t.Context(), store.Options{Dir: dir}, path); notify.CodeOf(err) != notify.CodeUnavailable || !strings.Contains(err.Error(), "open") {
		t.Errorf("Restore into an open store = %v", err)
	}
	mustDo(t, s.Close())

	info, err := store.Restore(t.Context(), store.Options{Dir: dir}, path)
	if err != nil || info.Sequence != 4 || info.Records != 2 {
		t.Fatalf("Restore = %+v, %v", info, err)
	}
	s = open(t, dir)
	snap, err := s.Load(t.Context())
	mustDo(t, err)
	if len(snap.Pending) != 2 || snap.Pending[1].ID != storetest.ID(3) {
		t.Errorf("restored: %v", snap.Pending)
	}
	// Change 5 was told to readers once: the next is 6.
	if snap.Sequence != 5 || s.First() != 6 {
		t.Errorf("the numbers go on at %d, and the log begins at %d; want 5 and 6", snap.Sequence, s.First())
	}
	if page, err := s.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 10); err != nil || len(page.Records) != 2 {
		t.Errorf("restored list = %v, %v", page.Records, err)
	}
	aside, _ := filepath.Glob(filepath.Join(dir, "db.bad-*"))
	if len(aside) != 1 {
		t.Errorf("what was there is not kept: %v", aside)
	}

	// A stream is as good as a file, and goes to a new place.
	fresh := filepath.Join(t.TempDir(), "new")
	file := filepath.Join(t.TempDir(), "stream")
	mustDo(t, os.WriteFile(file, stream.Bytes(), 0o600))
	_, err = store.Restore(t.Context(), store.Options{Dir: fresh}, file)
	mustDo(t, err)
	s = open(t, fresh)
	if snap, err := s.Load(t.Context()); err != nil || len(snap.Pending) != 2 || snap.Sequence != 4 {
		t.Errorf("from a stream: %+v, %v", snap, err)
	}
}

func TestVerifySnapshot(t *testing.T) {
	s := open(t, t.TempDir())
	w := &storetest.Writer{T: t, S: s}
	for n := range 20 {
		w.Put(storetest.With(storetest.New(n), func(r *notify.Record) { r.Body = strings.Repeat(r.ID, 50) }))
	}
	var b bytes.Buffer
	mustDo(t, s.Backup(t.Context(), &b))
	good := b.Bytes()
	if _, err := store.VerifySnapshot(t.Context(), bytes.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"empty":          nil,
		"something else": []byte("PK\x03\x04 hello, this is a zip"),
		"cut":            good[:len(good)-3],
		"half":           good[:len(good)/2],
		"header only":    good[:bytes.LastIndexByte(good[:200], '\n')+1],
		"flipped":        flipMiddle(1)(bytes.Clone(good)),
		"newer":          bytes.Replace(good, []byte(`"schema":1`), []byte(`"schema":9`), 1),
		"says too much":  bytes.Replace(good, []byte(`"sequence":20`), []byte(`"sequence":21`), 1),
	} {
		dir := filepath.Join(t.TempDir(), "s")
		path := filepath.Join(t.TempDir(), "snapshot")
		mustDo(t, os.WriteFile(path, bad, 0o600))
		if _, err := store.Restore(t.Context(), store.Options{Dir: dir}, path); err == nil {
			t.Errorf("%s: restored", name)
		}
		if _, err := os.Stat(filepath.Join(dir, "db")); err == nil {
			t.Errorf("%s: a database was made", name)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Backup(ctx, &b); !errors.Is(err, context.Canceled) {
		t.Errorf("Backup with a dead context = %v", err)
	}
}

// ticker is a clock whose pauses end when the test says so.
type ticker struct {
	now    atomic.Int64
	pauses chan pause
}

type pause struct {
	d  time.Duration
	ch chan time.Time
}

func newTicker() *ticker {
	c := &ticker{pauses: make(chan pause, 100)}
	c.now.Store(storetest.Start.UnixNano())
	return c
}

func (c *ticker) Now() time.Time { return time.Unix(0, c.now.Load()).UTC() }
func (c *ticker) After(d time.Duration) <-chan time.Time {
	ch := make(chan time.Time, 1)
	c.pauses <- pause{d, ch}
	return ch
}

// end lets the next pause of length d end, after it has passed.
func (c *ticker) end(t *testing.T, d time.Duration) {
	t.Helper()
	for {
		select {
		case p := <-c.pauses:
			if p.d == d {
				p.ch <- time.Unix(0, c.now.Add(int64(d)))
				return
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("nobody waits for %v", d)
		}
	}
}

// TestSnapshotsByThemselves lets the time of several snapshots pass.
func TestSnapshotsByThemselves(t *testing.T) {
	dir, c := t.TempDir(), newTicker()
	written := make(chan string, 100)
	o := store.Options{Dir: dir, Now: c.Now, After: c.After, SnapshotEvery: time.Hour, SnapshotKeep: 2, OpenWithin: -1}
	s, _ := store.Open(t.Context(), o)
	store.Watch(s, func(what string) { written <- what })
	defer s.Close()
	w := &storetest.Writer{T: t, S: s}
	first := ""
	for n := 1; n <= 4; n++ {
		w.Put(storetest.New(n))
		d := time.Hour
		if n == 1 {
			d = 10 * time.Minute // with none yet, the first is due soon
		}
		c.end(t, d)
		for what := ""; what != "snapshot"; {
			select {
			case what = <-written:
			case <-time.After(time.Minute):
				t.Fatalf("no snapshot %d", n)
			}
		}
		all := snapshotFiles(t, dir)
		if len(all) != min(n, 2) || !strings.HasSuffix(all[len(all)-1], fmt.Sprintf("-%d.snapshot", n)) {
			t.Errorf("snapshots after %d: %v", n, all)
		}
		if n == 1 {
			first = all[0]
		}
	}
	if _, err := os.Stat(first); err == nil {
		t.Error("the oldest snapshot is still there")
	}
}

// TestCheck damages a table under an open store: the check finds it, and the next start mends it.
// Proves: T38
func TestCheck(t *testing.T) {
	dir, acknowledged := image(t, false)
	c, told := newTicker(), newTold()
	s, report := store.Open(t.Context(), store.Options{Dir: dir, Now: c.Now, After: c.After, OnReport: told.report, SnapshotEvery: -1, OpenWithin: -1})
	if report.Condition != store.Healthy {
		t.Fatalf("%+v", report)
	}
	all := files(t, dir, "*.sst")
	f, err := os.OpenFile(all[0], os.O_WRONLY, 0)
	mustDo(t, err)
	_, err = f.WriteAt(make([]byte, 64), 200)
	mustDo(t, err)
	mustDo(t, f.Close())
	c.end(t, 15*time.Second)
	if r := told.next(t); r.Condition != store.Recovered || r.Reason != store.ReasonDamage || !strings.Contains(r.Text, "damaged") {
		t.Errorf("report of the check = %+v", r)
	}
	mustDo(t, s.Close())
	s, report = store.Open(t.Context(), store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	if report.Condition != store.Recovered || report.Missing+report.Salvaged != settled-early || report.Snapshot.IsZero() {
		t.Errorf("the next start: %+v", report)
	}
	if n := count(t, s, acknowledged); n != early+int(report.Salvaged) {
		t.Errorf("%d records, want the %d of the snapshot and the %d that were found", n, early, report.Salvaged)
	}
}
