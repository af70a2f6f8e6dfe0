package store_test

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"signalbox/notify"
	"signalbox/store"
	"signalbox/store/storetest"
)

// dirty is how much of the mapped files in a folder the disk does not have yet, in KiB, by name.
func dirty(t *testing.T, dir, ext string) map[string]int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int{}
	name := ""
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		switch {
		case strings.Contains(f[0], "-"): // a mapping begins
			name = ""
			if at := strings.Index(line, dir); at >= 0 {
				path, _, _ := strings.Cut(strings.TrimSpace(line[at:]), " ") // what is deleted is marked behind it
				if filepath.Ext(path) == ext {
					name = filepath.Base(path)
					all[name] += 0
				}
			}
		case name != "" && (f[0] == "Shared_Dirty:" || f[0] == "Private_Dirty:"):
			n, err := strconv.Atoi(f[1])
			if err != nil {
				t.Fatal(err)
			}
			all[name] += n
		}
	}
	return all
}

// TestCommitsAreOnTheDisk proves that nothing of a commit waits in memory when it returns, whatever Badger does
// with its logs meanwhile: the system has no page of any of them that the disk does not have.
//
// Proves: L8
func TestCommitsAreOnTheDisk(t *testing.T) {
	dir := onDisk(t)
	s, _ := store.Open(t.Context(), store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	text := noise(2)
	logs := map[string]bool{}
	for seq := int64(1); len(logs) < 3; {
		var changes []notify.Change
		for range 8 {
			r := storetest.With(storetest.New(int(seq)), func(r *notify.Record) { r.Body = text(8000) })
			changes = append(changes, notify.Change{Seq: seq, Name: notify.EvCreated, At: r.UpdatedAt, Record: r})
			seq++
		}
		if err := s.Commit(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
		for name, n := range dirty(t, dir, ".mem") {
			logs[name] = true
			if n > 0 {
				t.Fatalf("after change %d, %d KiB of %s are not on the disk", seq-1, n, name)
			}
		}
		if seq > 20_000 {
			t.Fatal("the logs do not change")
		}
	}
}

// TestLogHasItsRoom looks whether the disk keeps room for a log after its first commit, and for no other.
// Proves: T41
func TestLogHasItsRoom(t *testing.T) {
	dir := onDisk(t)
	s, _ := store.Open(t.Context(), store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	r := storetest.New(1)
	if err := s.Commit(t.Context(), []notify.Change{{Seq: 1, Name: notify.EvCreated, At: r.UpdatedAt, Record: r}}); err != nil {
		t.Fatal(err)
	}
	logs, err := filepath.Glob(filepath.Join(dir, "db", "*.mem"))
	if err != nil || len(logs) != 1 {
		t.Fatalf("%v, %v", logs, err)
	}
	var st unix.Stat_t
	if err := unix.Stat(logs[0], &st); err != nil {
		t.Fatal(err)
	}
	if has := st.Blocks * 512; has < 8<<20 {
		t.Errorf("%d bytes of the disk are kept for a log of 8 MiB", has)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if logs, _ := filepath.Glob(filepath.Join(dir, "db", "*.mem")); len(logs) > 0 {
		t.Errorf("a store that is closed keeps room: %v", logs)
	}
}

// onDisk makes a folder on a file system that can be behind; one in memory never is, and proves nothing.
func onDisk(t *testing.T) string {
	t.Helper()
	for _, in := range []string{os.TempDir(), "/var/tmp", "."} {
		dir, err := os.MkdirTemp(in, "signalbox-")
		if err != nil {
			continue
		}
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		if dir, err = filepath.Abs(dir); err == nil && tells(t, dir) {
			return dir
		}
	}
	t.Fatal("no folder here is on a disk, so it cannot be seen what is on it: set TMPDIR to one that is")
	return ""
}

// tells reports whether the system says here which pages the disk does not have.
func tells(t *testing.T, dir string) bool {
	f, err := os.Create(filepath.Join(dir, "try.map"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(4096); err != nil {
		t.Fatal(err)
	}
	page, err := unix.Mmap(int(f.Fd()), 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(page) }()
	page[0] = 1
	before := dirty(t, dir, ".map")["try.map"]
	if err := f.Sync(); err != nil {
		t.Fatal(err)
	}
	return before > 0 && dirty(t, dir, ".map")["try.map"] == 0
}
