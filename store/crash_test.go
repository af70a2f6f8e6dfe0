package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"signalbox/notify"
)

// crashes runs f and keeps an image of the folder, as a killed process would leave it, at every step.
func crashes(t *testing.T, s *Store, f func()) (images map[string]string) {
	t.Helper()
	images = map[string]string{}
	seen := map[string]int{}
	Watch(s, func(name string) {
		if seen[name]++; seen[name] > 2 {
			return
		}
		image := filepath.Join(t.TempDir(), "s")
		copyLive(t, s.o.Dir, image)
		images[fmt.Sprintf("%02d %s", len(images), name)] = image
	})
	f()
	Watch(s, nil)
	return images
}

// copyLive copies a folder that is in use, as it is at one moment: when files came or went meanwhile
// it is copied again.
func copyLive(t *testing.T, from, to string) {
	t.Helper()
	var list func(dir string) string
	list = func(dir string) (names string) {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if names += e.Name() + "\n"; e.IsDir() {
				names += list(filepath.Join(dir, e.Name()))
			}
		}
		return names
	}
	var err error
	for range 20 {
		before := list(from)
		err = os.RemoveAll(to)
		if err == nil {
			err = copyTree(from, to)
		}
		if err == nil && list(from) == before {
			return
		}
	}
	t.Fatalf("the folder is never at rest: %v", err)
}

func copyTree(from, to string) error {
	if err := os.MkdirAll(to, 0o700); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		if e.IsDir() {
			err = copyTree(src, dst)
		} else {
			err = copyFile(src, dst)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func records(from, n, size int) (changes []notify.Change) {
	for i := from; i < from+n; i++ {
		changes = append(changes, notify.Change{Seq: int64(i), Name: notify.EvCreated, Record: &notify.Record{
			ID: fmt.Sprintf("id-%06d", i), Connection: "c", Scope: notify.ScopeApplication, Occurrence: 1, Revision: 1, Status: notify.Pending,
			Content: notify.Content{Title: "T", Body: strings.Repeat("b", size)},
		}})
	}
	return changes
}

// opened opens a folder as a process of its own would, and counts what is there.
func opened(t *testing.T, dir string) (n int, r Report) {
	t.Helper()
	s, r := Open(t.Context(), Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	snap, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.Condition != Refused && int(snap.Sequence) != len(snap.Pending) {
		t.Errorf("%d records at change %d", len(snap.Pending), snap.Sequence)
	}
	return len(snap.Pending), r
}

// TestJournalCrash kills the store at every step of a commit that is too big for one transaction.
// Proves: L9, L8
func TestJournalCrash(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	if err := s.Commit(t.Context(), records(1, 10, 10)); err != nil {
		t.Fatal(err)
	}
	images := crashes(t, s, func() {
		if err := s.Commit(t.Context(), records(11, 70, notify.MaxBody)); err != nil {
			t.Fatal(err)
		}
	})
	if len(images) < 5 {
		t.Fatalf("only %d steps: the commit did not go through the journal", len(images))
	}
	for name, image := range images {
		n, r := opened(t, image)
		want := 80
		if strings.HasSuffix(name, "journal written") {
			want = 10
		}
		if n != want || r.Condition != Healthy {
			t.Errorf("killed at %q: %d records, want %d; report %+v", name, n, want, r)
		}
	}
}

// TestStartCrash kills a start at every step, of a folder in good order, of one that was killed, of a
// new one, and of one that is being put back from a snapshot: the next start comes up with the same.
func TestStartCrash(t *testing.T) {
	base := t.TempDir()
	fill := func(dir string, close bool) {
		s, _ := Open(t.Context(), Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
		if err := s.Commit(t.Context(), records(1, 100, 2000)); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Snapshot(t.Context()); err != nil {
			t.Fatal(err)
		}
		if close {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return
		}
		killed := dir + "-killed"
		copyLive(t, dir, killed)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	fill(filepath.Join(base, "good"), true)
	fill(filepath.Join(base, "x"), false)
	fill(filepath.Join(base, "damaged"), true)
	if err := os.Remove(filepath.Join(base, "damaged", "db", manifestName)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, dir string
		want      int
		condition Condition
	}{
		{"good", "good", 100, Healthy},
		{"killed", "x-killed", 100, Healthy},
		{"new", "new", 0, Healthy},
		{"put back", "damaged", 100, Recovered},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStore(Options{Dir: filepath.Join(base, c.dir), SnapshotEvery: -1, OpenWithin: -1})
			images := crashes(t, s, func() {
				if r := s.tryOpen(context.Background()); r.Condition != c.condition {
					t.Errorf("report = %+v", r)
				}
			})
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if len(images) < 4 {
				t.Errorf("%d steps", len(images))
			}
			for name, image := range images {
				n, r := opened(t, image)
				if n != c.want || r.Condition == Refused || r.Missing != 0 {
					t.Errorf("killed at %q: %d records, want %d; report %+v", name, n, c.want, r)
				}
			}
		})
	}
}

// TestCloseWithoutItsFolder proves that a store whose folder was removed under it can be closed: Badger
// would try for ever to write its memory as a table.
func TestCloseWithoutItsFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	s, _ := Open(t.Context(), Options{Dir: dir, OpenWithin: -1})
	if err := s.Commit(t.Context(), records(1, 10, 10)); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	_ = s.Close() // what matters is that it returns
}
