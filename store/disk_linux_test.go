package store_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"signalbox/notify"
	"signalbox/store"
	"signalbox/store/storetest"
)

// diskReserve is the space that a store keeps free in these tests.
const diskReserve = 32 << 20

func init() {
	children["fill"] = fillDisk
	children["start full"] = startFull
	children["filled at once"] = filledAtOnce
}

// never is a clock whose pauses don't end: tables are not merged, which would take space meanwhile.
func never(time.Duration) <-chan time.Time { return nil }

// atRest returns when ok says so, which it is asked whenever a file of the database came or went.
func atRest(dir string, ok func() bool) {
	w, err := fsnotify.NewWatcher()
	if err == nil {
		err = w.Add(filepath.Join(dir, "db"))
	}
	if err != nil {
		panic(err)
	}
	defer w.Close()
	for !ok() {
		<-w.Events
	}
}

// fillDisk is a child that publishes until the disk says no, on a file system that really ends. A write
// to a page that the disk has no room for would kill it.
func fillDisk(dir string) {
	fail := func(format string, args ...any) {
		fmt.Printf(format+"\n", args...)
		os.Exit(1)
	}
	ctx := context.Background()
	o := store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, MinFree: diskReserve, RetryEvery: 20 * time.Millisecond, After: never}
	s, report := store.Open(ctx, o)
	if report.Condition != store.Healthy {
		fail("open: %+v", report)
	}
	text := noise(1) // what compresses does not fill a disk
	seq := int64(0)
	publish := func() error {
		r := storetest.With(storetest.New(int(seq+1)), func(r *notify.Record) { r.Body = text(8000) })
		err := s.Commit(ctx, []notify.Change{{Seq: seq + 1, Name: notify.EvCreated, At: r.UpdatedAt, Record: r}})
		if err == nil {
			seq++
		}
		return err
	}
	var err error
	for err == nil {
		err = publish()
	}
	if notify.CodeOf(err) != notify.CodeStorageFull || seq < 100 {
		fail("after %d: %v", seq, err)
	}
	// What comes next takes all space at once, which the reserve is not for while a table is written.
	atRest(dir, func() bool { return !store.Busy(s) })
	if err := takeRest(dir); err != nil {
		fail("%v", err)
	}
	for n := int64(1); n <= seq; n++ {
		if _, ok, err := s.Record(storetest.ID(int(n))); !ok || err != nil {
			fail("record %d on a full disk: %v, %v", n, ok, err)
		}
	}
	if err := publish(); notify.CodeOf(err) != notify.CodeStorageFull {
		fail("publish on a full disk: %v", err)
	}
	if err := s.Close(); err != nil {
		fail("close on a full disk: %v", err)
	}
	fmt.Println("full", seq)
	os.Exit(0)
}

// takeRest is somebody else who takes what the disk of a store has left.
func takeRest(dir string) error {
	f, err := os.Create(filepath.Join(dir, "..", "ballast"))
	if err != nil {
		return err
	}
	for n := 64 << 10; n > 0; n /= 2 {
		for err == nil {
			_, err = f.Write(make([]byte, n))
		}
		err = nil
	}
	return f.Close()
}

// filledAtOnce is a child whose disk is filled between a look at it and the next, and that goes on publishing.
func filledAtOnce(dir string) {
	ctx := context.Background()
	plenty := func(string) (store.Space, error) { return store.Space{Free: 1 << 40}, nil }
	s, report := store.Open(ctx, store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, Space: plenty, After: never})
	if report.Condition != store.Healthy {
		panic(report)
	}
	for seq := int64(1); seq <= 1000; seq++ {
		r := storetest.New(int(seq))
		if err := s.Commit(ctx, []notify.Change{{Seq: seq, Name: notify.EvCreated, At: r.UpdatedAt, Record: r}}); err != nil {
			panic(err)
		}
		if seq == 1 {
			if err := takeRest(dir); err != nil {
				panic(err)
			}
		}
	}
	fmt.Println("stored")
	os.Exit(0)
}

// startFull is a child that starts on a full disk. When it has said so, the space comes back.
func startFull(dir string) {
	fail := func(format string, args ...any) {
		fmt.Printf(format+"\n", args...)
		os.Exit(1)
	}
	ctx := context.Background()
	s, report := store.Open(ctx, store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, MinFree: diskReserve, RetryEvery: 20 * time.Millisecond, After: never})
	if report.Condition != store.Refused || report.Reason != store.ReasonSpace {
		fail("open on a full disk: %+v", report)
	}
	fmt.Println("refused")
	select {
	case <-s.Ready():
	case <-time.After(time.Minute):
		fail("not open with space again: %+v", s.Report())
	}
	snap, err := s.Load(ctx)
	if err != nil {
		fail("load: %v", err)
	}
	for n := int64(1); n <= snap.Sequence; n++ {
		if _, ok, err := s.Record(storetest.ID(int(n))); !ok || err != nil {
			fail("record %d: %v, %v", n, ok, err)
		}
	}
	change := []notify.Change{{Seq: snap.Sequence + 1, Name: notify.EvCreated, Record: storetest.New(int(snap.Sequence + 1))}}
	err = s.Commit(ctx, change)
	if err != nil {
		fail("publish with space again: %v", err)
	}
	if err := s.Close(); err != nil {
		fail("close: %v", err)
	}
	fmt.Println("open", snap.Sequence)
	os.Exit(0)
}

// smallDisk mounts a file system of some MiB, where the machine lets a test do that; "" elsewhere.
func smallDisk(t *testing.T, size string) (mount string) {
	t.Helper()
	mount = t.TempDir()
	if err := syscall.Mount("tmpfs", mount, "tmpfs", 0, "size="+size); err != nil {
		t.Logf("nothing can be mounted here: %v", err)
		return ""
	}
	t.Cleanup(func() { _ = syscall.Unmount(mount, syscall.MNT_DETACH) })
	return mount
}

// TestDiskThatIsFilledAtOnce lets somebody else take all of the disk after the store has looked: what is acknowledged
// then is stored, and the process lives.
// Proves: T41
func TestDiskThatIsFilledAtOnce(t *testing.T) {
	mount := smallDisk(t, "64m")
	if mount == "" {
		return
	}
	dir := filepath.Join(mount, "store")
	if out, err := child(t, "filled at once", dir).Output(); err != nil || string(out) != "stored\n" {
		t.Fatalf("child: %v\n%s", err, out)
	}
	mustDo(t, os.Remove(filepath.Join(mount, "ballast")))
	s, report := store.Open(t.Context(), store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, MinFree: 1 << 20})
	defer s.Close()
	snap, err := s.Load(t.Context())
	if report.Condition != store.Healthy || err != nil || snap.Sequence != 1000 {
		t.Errorf("afterwards: %+v, %v, change %d of 1000", report, err, snap.Sequence)
	}
}

// TestRealDiskFull goes through it on a small file system, where the machine lets a test mount one;
// elsewhere TestDiskFull and TestStartWithFullDisk do it with a disk of their own making.
// Proves: T41, T42
func TestRealDiskFull(t *testing.T) {
	mount := smallDisk(t, "136m")
	if mount == "" {
		return
	}
	// What is deleted in the end is more than what came last: the store's own files grew meanwhile.
	mustDo(t, os.WriteFile(filepath.Join(mount, "film"), make([]byte, 24<<20), 0o600))
	dir := filepath.Join(mount, "store")
	out, err := child(t, "fill", dir).Output()
	if err != nil || !strings.HasPrefix(string(out), "full ") {
		t.Fatalf("child: %v\n%s", err, out)
	}
	full := strings.TrimSpace(strings.TrimPrefix(string(out), "full"))

	cmd := child(t, "start full", dir)
	pipe, err := cmd.StdoutPipe()
	mustDo(t, err)
	mustDo(t, cmd.Start())
	lines := bufio.NewScanner(pipe)
	if !lines.Scan() || lines.Text() != "refused" {
		t.Fatalf("child said %q", lines.Text())
	}
	mustDo(t, os.Remove(filepath.Join(mount, "ballast")))
	mustDo(t, os.Remove(filepath.Join(mount, "film")))
	if !lines.Scan() || lines.Text() != "open "+full {
		t.Fatalf("child said %q, want all %s records", lines.Text(), full)
	}
	mustDo(t, cmd.Wait())
}
