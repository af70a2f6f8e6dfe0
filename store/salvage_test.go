package store

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"signalbox/notify"
)

// written is a folder with commits of ten changes each.
func written(t *testing.T, commits int) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "s")
	s, _ := Open(t.Context(), Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	for n := range commits {
		changes := records(10*n+1, 10, 300)
		for i := range changes {
			changes[i].At = time.Unix(int64(n+1), 0)
		}
		if err := s.Commit(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// What is salvaged does not depend on how much of it is held in memory at once, and no commit comes back in part.
//
// Proves: T40, L9
func TestSalvageInPieces(t *testing.T) {
	from := filepath.Join(written(t, 30), "db")
	for _, c := range []struct {
		name string
		most int
		hw   int64
		want int64
	}{
		{"at once", salvageMost, 300, 300},
		{"in pieces", 20_000, 300, 300},
		{"less than a commit", 100, 300, 300},
		{"at once, the end is missing", salvageMost, 305, 290},
		{"in pieces, the end is missing", 20_000, 305, 290},
		{"less than a commit, the end is missing", 100, 305, 290},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
			defer s.Close()
			o := &opening{s: s, dir: s.o.Dir, hw: mark{seq: c.hw}, hadHW: true}
			o.salvageFrom(t.Context(), s.db, from, c.most)
			if s.state.seq != c.want || o.report.Salvaged != c.want || s.state.records != c.want {
				t.Errorf("%d changes with %d records, %d are said to be salvaged; want %d", s.state.seq, s.state.records, o.report.Salvaged, c.want)
			}
		})
	}
}

// However much is found, no more of it is held than is allowed, and it is the lowest.
func TestFindsAreBounded(t *testing.T) {
	f := &finds{after: 10, until: 1 << 40, most: 1000, rows: map[int64]salvagedRow{}}
	for seq := int64(2000); seq > 0; seq-- {
		f.add(changeKey(seq), make([]byte, 100), false, 1)
		held := 0
		for _, r := range f.rows {
			held += len(r.value)
		}
		if held != f.bytes || held > f.most {
			t.Fatalf("after %d, %d bytes are held, counted as %d", seq, held, f.bytes)
		}
	}
	for seq := int64(11); seq <= f.until; seq++ {
		if _, ok := f.rows[seq]; !ok {
			t.Errorf("%d is not held, of those up to %d", seq, f.until)
		}
	}
	if len(f.rows) < 4 {
		t.Errorf("%d are held", len(f.rows))
	}
}

// damaged takes the list of tables away.
func damaged(t *testing.T, dir string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, "db", manifestName)); err != nil {
		t.Fatal(err)
	}
}

// Without room, nothing is salvaged, which is told; and where there is none from the beginning, a damaged folder is left
// as it is until there is.
//
// Proves: T40, T42
func TestSalvageAsksForRoom(t *testing.T) {
	dir := written(t, 5)
	damaged(t, dir)
	o := Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, RetryEvery: time.Hour}
	o.Space = func(string) (Space, error) { return Space{Free: DefaultMinFree - 1}, nil }
	s, r := Open(t.Context(), o)
	if r.Condition != Refused || r.Reason != ReasonSpace {
		t.Errorf("without room from the beginning: %+v", r)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	o.Space = func(string) (Space, error) {
		if aside, _ := filepath.Glob(filepath.Join(dir, asidePrefix+"*")); len(aside) > 0 {
			return Space{Free: DefaultMinFree}, nil
		}
		return Space{Free: 1 << 40}, nil
	}
	s, r = Open(t.Context(), o)
	defer s.Close()
	if r.Condition != Recovered || r.Salvaged != 0 || r.Missing != 50 {
		t.Errorf("without room to salvage: %+v", r)
	}
	if err := s.Commit(t.Context(), records(51, 1, 10)); err != nil {
		t.Error(err)
	}
}

// A start that dies while it salvages is followed by one that comes up without.
//
// Proves: T40
func TestAStartDiesOfSalvagingOnce(t *testing.T) {
	dir := written(t, 5)
	damaged(t, dir)
	image := filepath.Join(t.TempDir(), "s")
	s := newStore(Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	Watch(s, func(name string) {
		if name == "salvage" {
			copyLive(t, dir, image)
		}
	})
	if r := s.tryOpen(t.Context()); r.Salvaged != 50 || r.Missing != 0 {
		t.Errorf("report = %+v", r)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(image, "opening"))
	left := decodeTrace(b)
	if err != nil || left.opens != 1 || !left.salvage {
		t.Errorf("the start that died left %q, %v", b, err)
	}
	for n := 1; n <= 2; n++ {
		again := filepath.Join(t.TempDir(), "s")
		if err := copyTree(image, again); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(again, "db.salvage"), 0o700); err != nil {
			t.Fatal(err)
		}
		left.opens = n
		if err := os.WriteFile(filepath.Join(again, "opening"), left.encode(), 0o600); err != nil {
			t.Fatal(err)
		}
		s, r := Open(t.Context(), Options{Dir: again, SnapshotEvery: -1, OpenWithin: -1})
		if r.Condition != Recovered || r.Salvaged != 0 || r.Missing != 50 {
			t.Errorf("after %d deaths: %+v", n, r)
		}
		if err := s.Commit(t.Context(), records(51, 1, 10)); notify.CodeOf(err) != "" {
			t.Errorf("after %d deaths: %v", n, err)
		}
		if fileExists(again, "opening") {
			t.Errorf("after %d deaths: the sentinel is left", n)
		}
		if fileExists(again, "db.salvage") {
			t.Errorf("after %d deaths: copies of logs are left", n)
		}
		_ = s.Close()
	}
}
