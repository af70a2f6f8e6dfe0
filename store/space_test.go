package store_test

import (
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

// disk is a file system of the test's own making.
type disk struct {
	free   atomic.Int64
	remote atomic.Bool
}

func (d *disk) space(string) (store.Space, error) {
	return store.Space{Free: d.free.Load(), Kind: "NFS", Remote: d.remote.Load()}, nil
}

// told collects reports.
type told struct{ ch chan store.Report }

func newTold() told                  { return told{make(chan store.Report, 100)} }
func (r told) report(x store.Report) { r.ch <- x }
func (r told) next(t *testing.T) store.Report {
	t.Helper()
	select {
	case x := <-r.ch:
		return x
	case <-time.After(20 * time.Second):
		t.Fatal("no report came")
		return store.Report{}
	}
}

// clock is a clock that moves when it is asked, so that no answer about space is remembered.
func clock() func() time.Time {
	var n atomic.Int64
	return func() time.Time { return storetest.Start.Add(time.Duration(n.Add(1)) * time.Second) }
}

// TestDiskFull lets the space go and come back under an open store.
// Proves: T41
func TestDiskFull(t *testing.T) {
	d, told := &disk{}, newTold()
	d.free.Store(1 << 30)
	s, report := store.Open(t.Context(), store.Options{
		Dir: t.TempDir(), Space: d.space, Now: clock(), OnReport: told.report, RetryEvery: 5 * time.Millisecond, SnapshotEvery: -1, OpenWithin: -1,
	})
	defer s.Close()
	if report.Condition != store.Healthy {
		t.Fatalf("%+v", report)
	}
	w := &storetest.Writer{T: t, S: s}
	w.Put(storetest.New(1))

	d.free.Store(store.DefaultMinFree / 2) // what the log keeps of the disk counts as free
	refusedWith(t, s, notify.CodeStorageFull)
	if r := told.next(t); r.Condition != store.Full || r.Text == "" || s.Report() != r {
		t.Errorf("report without space = %+v", r)
	}
	if _, ok, err := s.Record(storetest.ID(1)); !ok || err != nil {
		t.Errorf("reading without space: %v, %v", ok, err)
	}
	if ok, err := s.Claim(t.Context(), notify.Delivery{Provider: "toast", Occurrence: "1"}); ok || notify.CodeOf(err) != notify.CodeStorageFull {
		t.Errorf("Claim without space = %v, %v", ok, err)
	}
	if err := s.Trim(t.Context(), 2, time.Time{}); notify.CodeOf(err) != notify.CodeStorageFull {
		t.Errorf("Trim without space = %v", err)
	}
	if _, err := s.Snapshot(t.Context()); notify.CodeOf(err) != notify.CodeStorageFull {
		t.Errorf("Snapshot without space = %v", err)
	}

	d.free.Store(1 << 30)
	if r := told.next(t); r.Condition != store.Healthy {
		t.Errorf("report with space again = %+v", r)
	}
	w.Put(storetest.New(2))
}

// refusedWith proves that a write is refused and changes nothing.
func refusedWith(t *testing.T, s *store.Store, code notify.Code) {
	t.Helper()
	snap, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := notify.Change{Seq: snap.Sequence + 1, Name: notify.EvCreated, Record: storetest.New(999)}
	err = s.Commit(t.Context(), []notify.Change{c})
	var e *notify.Error
	if !errors.As(err, &e) || e.Code != code || e.Detail == "" {
		t.Errorf("Commit = %v, want %s with a text", err, code)
	}
	if _, ok, err := s.Record(storetest.ID(999)); ok || err != nil {
		t.Errorf("the refused record is there: %v, %v", ok, err)
	}
}

// TestStartWithFullDisk comes up empty, and opens by itself when there is space.
// Proves: T42
func TestStartWithFullDisk(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	(&storetest.Writer{T: t, S: s}).Put(storetest.New(1))
	mustDo(t, s.Close())

	d, told := &disk{}, newTold()
	s, report := store.Open(t.Context(), store.Options{Dir: dir, Space: d.space, OnReport: told.report, RetryEvery: 5 * time.Millisecond, SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	if report.Condition != store.Refused || report.Reason != store.ReasonSpace || !strings.Contains(report.Text, dir) {
		t.Fatalf("report = %+v", report)
	}
	empty(t, s)
	refusedWith(t, s, notify.CodeStorageFull)
	d.free.Store(1 << 30)
	if r := told.next(t); r.Condition != store.Healthy {
		t.Errorf("report with space = %+v", r)
	}
	<-s.Ready()
	if _, ok, err := s.Record(storetest.ID(1)); !ok || err != nil {
		t.Errorf("Record = %v, %v", ok, err)
	}
	(&storetest.Writer{T: t, S: s, Seq: 1}).Put(storetest.New(2))
}

func empty(t *testing.T, s *store.Store) {
	t.Helper()
	snap, err := s.Load(t.Context())
	if err != nil || snap.Sequence != 0 || len(snap.Pending) != 0 {
		t.Errorf("Load = %+v, %v", snap, err)
	}
	if page, err := s.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 10); err != nil || len(page.Records) != 0 {
		t.Errorf("Query = %v, %v", page, err)
	}
	for c, err := range s.Changes(t.Context(), 0) {
		t.Errorf("Changes = %v, %v", c, err)
	}
}

// TestRefused tries folders that must not be opened.
// Proves: T43, T45, T47
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name   string
		do     func(t *testing.T, o *store.Options)
		reason store.Reason
		code   notify.Code
		words  string
	}{
		{"network", func(t *testing.T, o *store.Options) {
			d := &disk{}
			d.free.Store(1 << 40)
			d.remote.Store(true)
			o.Space = d.space
		}, store.ReasonNetwork, notify.CodeUnavailable, "network file system (NFS)"},
		{"newer", func(t *testing.T, o *store.Options) {
			mustDo(t, os.WriteFile(filepath.Join(o.Dir, "schema"), []byte("2\n"), 0o600))
		}, store.ReasonNewer, notify.CodeUnavailable, "newer version"},
		{"open already", func(t *testing.T, o *store.Options) { open(t, o.Dir) }, store.ReasonBusy, notify.CodeUnavailable, "Another Signalbox"},
		{"a file in the place of the folder", func(t *testing.T, o *store.Options) {
			mustDo(t, os.RemoveAll(o.Dir))
			mustDo(t, os.WriteFile(o.Dir, nil, 0o600))
		}, store.ReasonDisk, notify.CodeUnavailable, "cannot be used"},
		{"the system does not answer", func(t *testing.T, o *store.Options) {
			o.Space = func(string) (store.Space, error) { return store.Space{}, errors.New("stale file handle") }
		}, store.ReasonDisk, notify.CodeUnavailable, "cannot be used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := store.Options{Dir: filepath.Join(t.TempDir(), "s"), RetryEvery: time.Hour, SnapshotEvery: -1, OpenWithin: -1}
			s := open(t, o.Dir)
			(&storetest.Writer{T: t, S: s}).Put(storetest.New(1))
			mustDo(t, s.Close())
			c.do(t, &o)
			before := listing(t, o.Dir)
			s, report := store.Open(t.Context(), o)
			defer s.Close()
			if report.Condition != store.Refused || report.Reason != c.reason || !strings.Contains(report.Text, c.words) || !strings.Contains(report.Text, o.Dir) {
				t.Errorf("report = %+v", report)
			}
			empty(t, s)
			refusedWith(t, s, c.code)
			if after := listing(t, o.Dir); after != before {
				t.Errorf("the folder was touched: %s\nnow %s", before, after)
			}
		})
	}
}

// listing says what files a folder has, and how long each is.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil && !info.IsDir() {
			fmt.Fprintln(&b, path, info.Size())
		}
		return err
	})
	mustDo(t, err)
	return b.String()
}

// TestForeignFolder needs root to give a folder away; anybody else is shown one that is root's.
// Proves: T43
func TestForeignFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	mustDo(t, os.Mkdir(dir, 0o755))
	if err := os.Chown(dir, 12345, 12345); err != nil {
		dir = "/"
	}
	s, report := store.Open(t.Context(), store.Options{Dir: dir, RetryEvery: time.Hour, OpenWithin: -1})
	defer s.Close()
	if report.Condition != store.Refused || report.Reason != store.ReasonPermission || !strings.Contains(report.Text, "another user") {
		t.Errorf("report = %+v", report)
	}
	refusedWith(t, s, notify.CodeUnavailable)
}

// TestFolderModes proves that a folder open to others is closed.
func TestFolderModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	mustDo(t, os.Mkdir(dir, 0o755))
	open(t, dir)
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode = %v, %v", info.Mode(), err)
	}
}
