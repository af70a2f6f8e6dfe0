package store_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/store"
	"signalbox/store/storetest"
)

const (
	early   = 400 // records before the snapshot
	settled = 800 // records in tables
	fresh   = 300 // records in the log of a store that was killed
)

// good is a folder with a snapshot at early, tables up to settled, and, when it was killed, fresh more
// records in the log. It is made once.
var good = [2]func() (string, error){
	sync.OnceValues(func() (string, error) { return makeGood(false) }),
	sync.OnceValues(func() (string, error) { return makeGood(true) }),
}

func makeGood(killed bool) (string, error) {
	dir, err := mkdir()
	if err != nil {
		return "", err
	}
	t := &quietTB{}
	next := 0
	put := func(s *store.Store, n int) {
		w := &storetest.Writer{T: t, S: s, Seq: int64(next)}
		for ; n > 0; n -= 50 {
			var rs []*notify.Record
			for range 50 {
				next++
				rs = append(rs, storetest.With(storetest.New(next), func(r *notify.Record) { r.Body = strings.Repeat(r.Title+" ", 40) }))
			}
			w.Put(rs...)
		}
	}
	o := store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, MinFree: 1}
	s, _ := store.Open(t.Context(), o)
	put(s, early)
	if _, err := s.Snapshot(t.Context()); err != nil {
		return "", err
	}
	if err := s.Close(); err != nil {
		return "", err
	}
	s, _ = store.Open(t.Context(), o)
	put(s, settled-early)
	if err := s.Close(); err != nil {
		return "", err
	}
	if !killed {
		return dir, t.err
	}
	o.After = func(time.Duration) <-chan time.Time { return nil } // nothing is merged while the folder is copied
	s, _ = store.Open(t.Context(), o)
	put(s, fresh)
	// What a process leaves that is killed now.
	image, err := mkdir()
	if err != nil {
		return "", err
	}
	if err := store.CopyTree(dir, image); err != nil {
		return "", err
	}
	return image, s.Close()
}

// made are folders outside of a test, which several make at once; TestMain removes them.
var made struct {
	sync.Mutex // protects dirs
	dirs       []string
}

func mkdir() (string, error) {
	dir, err := os.MkdirTemp("", "store")
	made.Lock()
	defer made.Unlock()
	made.dirs = append(made.dirs, dir)
	return dir, err
}

// quietTB is a testing.TB for what is made outside of a test.
type quietTB struct {
	testing.TB
	err error
}

func (*quietTB) Helper()                  {}
func (*quietTB) Context() context.Context { return context.Background() }
func (q *quietTB) Fatalf(format string, args ...any) {
	q.err = fmt.Errorf(format, args...)
	panic(q.err)
}

func image(t *testing.T, killed bool) (dir string, acknowledged int) {
	t.Helper()
	i, n := 0, settled
	if killed {
		i, n = 1, settled+fresh
	}
	src, err := good[i]()
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(t.TempDir(), "s")
	if err := store.CopyTree(src, dir); err != nil {
		t.Fatal(err)
	}
	return dir, n
}

func files(t *testing.T, dir, pattern string) []string {
	t.Helper()
	got, err := filepath.Glob(filepath.Join(dir, "db", pattern))
	if err != nil || len(got) == 0 {
		t.Fatalf("no %s: %v", pattern, err)
	}
	slices.Sort(got)
	return got
}

// hurt rewrites the last file that matches.
func hurt(pattern string, f func(b []byte) []byte) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		all := files(t, dir, pattern)
		path := all[len(all)-1]
		b, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, f(b), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func remove(pattern string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		all := files(t, dir, pattern)
		if err := os.Remove(all[len(all)-1]); err != nil {
			t.Fatal(err)
		}
	}
}

func create(name, content string) func(t *testing.T, dir string) {
	return func(t *testing.T, dir string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func cut(n int) func(b []byte) []byte      { return func(b []byte) []byte { return b[:len(b)-n] } }
func half(b []byte) []byte                 { return b[:len(b)/2] }
func nothing([]byte) []byte                { return nil }
func zeros(b []byte) []byte                { return make([]byte, len(b)) }
func flip(at, n int) func(b []byte) []byte { return flipFrom(func([]byte) int { return at }, n) }
func flipMiddle(n int) func(b []byte) []byte {
	return flipFrom(func(b []byte) int { return used(b) / 2 }, n)
}

func flipFrom(at func(b []byte) int, n int) func(b []byte) []byte {
	return func(b []byte) []byte {
		from := at(b)
		for i := from; i < from+n && i < len(b); i++ {
			b[i] ^= 0xA5
		}
		return b
	}
}

// used is how much of a preallocated log is written.
func used(b []byte) int { return len(bytes.TrimRight(b, "\x00")) }

// TestDamage does to a good folder what disks, cleaners and crashes do. Whatever it is, the store comes
// up within five seconds, takes new records, and says so when an acknowledged one is missing.
// Proves: T37, T38, T39, T40
func TestDamage(t *testing.T) {
	for _, c := range []struct {
		name   string
		killed bool
		do     func(t *testing.T, dir string)
		// want is the least number of records that must be there; lossless is all of them.
		want      int
		recovered bool // the owner must be told
		aside     bool // and the damaged folder kept
	}{
		{name: "nothing", want: settled},
		{name: "killed", killed: true, want: settled + fresh},

		{name: "MANIFEST missing", do: remove("MANIFEST"), want: settled, recovered: true, aside: true},
		{name: "MANIFEST empty", do: hurt("MANIFEST", nothing), want: settled, recovered: true, aside: true},
		{name: "MANIFEST cut", do: hurt("MANIFEST", cut(5)), want: settled, recovered: true, aside: true},
		{name: "MANIFEST half", do: hurt("MANIFEST", half), want: settled, recovered: true, aside: true},
		{name: "MANIFEST flipped", do: hurt("MANIFEST", flipMiddle(1)), want: settled, recovered: true, aside: true},
		{name: "MANIFEST magic", do: hurt("MANIFEST", flip(0, 4)), want: settled, recovered: true, aside: true},
		{name: "MANIFEST missing, killed", killed: true, do: remove("MANIFEST"), want: settled + fresh, recovered: true, aside: true},
		{name: "MANIFEST cut, killed", killed: true, do: hurt("MANIFEST", cut(5)), want: early + fresh, recovered: true, aside: true},

		{name: "table zeroed", do: hurt("*.sst", zeros), want: early, recovered: true, aside: true},
		{name: "table cut", do: hurt("*.sst", half), want: early, recovered: true, aside: true},
		{name: "table cut by 4", do: hurt("*.sst", cut(4)), want: early, recovered: true, aside: true},
		{name: "table empty", do: hurt("*.sst", nothing), want: early, recovered: true, aside: true},
		{name: "table missing", do: remove("*.sst"), want: early, recovered: true, aside: true},
		{name: "table end flipped", do: hurt("*.sst", func(b []byte) []byte { return flip(len(b)-40, 8)(b) }), want: early, recovered: true, aside: true},

		{name: "log damaged in the middle", killed: true, do: hurt("*.mem", flipMiddle(64)), want: settled, recovered: true, aside: true},
		{name: "log cut", killed: true, do: hurt("*.mem", func(b []byte) []byte { return b[:used(b)*2/3] }), want: settled, recovered: true, aside: true},
		{name: "log deleted", killed: true, do: remove("*.mem"), want: settled, recovered: true, aside: true},
		{name: "log zeroed", killed: true, do: hurt("*.mem", zeros), want: settled, recovered: true, aside: true},
		{name: "log header flipped", killed: true, do: hurt("*.mem", flip(0, 16)), want: settled - 50, recovered: true, aside: true},
		{name: "log of no length", do: create("db/00099.mem", ""), want: settled},
		{name: "value log of no length", do: create("db/000099.vlog", ""), want: settled},
		{name: "log of no length, killed", killed: true, do: create("db/00099.mem", ""), want: settled + fresh},

		{name: "stale lock", do: create("lock", "4711\n"), want: settled},
		{name: "stale lock of Badger", do: create("db/LOCK", "4711\n"), want: settled},
		{name: "the last open died", do: create("opening", "1\n"), want: settled},
		{name: "the last open died, killed", killed: true, do: create("opening", "1\n"), want: settled + fresh},
		{name: "two opens died", do: create("opening", "2\n"), want: settled, recovered: true, aside: true},
		{name: "sentinel without a number", do: create("opening", ""), want: settled},
		{name: "marked as damaged, and isn't", do: create("damaged", "x"), want: settled},

		{name: "high-water mark missing", do: func(t *testing.T, dir string) { mustDo(t, os.Remove(filepath.Join(dir, "highwater"))) }, want: settled},
		{name: "high-water mark damaged", do: create("highwater", strings.Repeat("x", 2000)), want: settled},
		{name: "folder gone", do: func(t *testing.T, dir string) { mustDo(t, os.RemoveAll(filepath.Join(dir, "db"))) }, want: early, recovered: true},
		{name: "folder is a file", do: func(t *testing.T, dir string) {
			mustDo(t, os.RemoveAll(filepath.Join(dir, "db")))
			create("db", "no")(t, dir)
		}, want: early, recovered: true, aside: true},
		{name: "everything damaged, the snapshot as well", do: func(t *testing.T, dir string) {
			remove("MANIFEST")(t, dir)
			all, _ := filepath.Glob(filepath.Join(dir, "snapshots", "*"))
			b, err := os.ReadFile(all[0])
			mustDo(t, err)
			mustDo(t, os.WriteFile(all[0], half(b), 0o600))
		}, want: settled, recovered: true, aside: true},
		{name: "no snapshot", do: func(t *testing.T, dir string) {
			remove("MANIFEST")(t, dir)
			mustDo(t, os.RemoveAll(filepath.Join(dir, "snapshots")))
		}, want: settled, recovered: true, aside: true},
		{name: "index damaged", do: func(t *testing.T, dir string) {
			create("index/manifest", "no")(t, dir)
		}, want: settled},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir, acknowledged := image(t, c.killed)
			if c.do != nil {
				c.do(t, dir)
			}
			s, report := store.Open(t.Context(), store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
			defer s.Close()
			if report.Condition == store.Refused {
				t.Fatalf("refused: %+v", report)
			}
			there := count(t, s, acknowledged)
			if there < c.want {
				t.Errorf("%d records are there, want %d at least", there, c.want)
			}
			if there < acknowledged && (report.Condition != store.Recovered || report.Missing == 0) {
				t.Errorf("%d records are missing and the report says: %+v", acknowledged-there, report)
			}
			if there == acknowledged && report.Missing != 0 {
				t.Errorf("nothing is missing, and the report says: %+v", report)
			}
			if report.Missing > 0 && int(report.Missing) < acknowledged-there {
				t.Errorf("%d records are missing, the report says %d", acknowledged-there, report.Missing)
			}
			if c.recovered != (report.Condition == store.Recovered) || c.recovered != (report.Text != "") {
				t.Errorf("report = %+v, recovered should be %v", report, c.recovered)
			}
			if c.aside {
				if _, err := os.Stat(report.Aside); err != nil || !strings.Contains(report.Text, report.Aside) {
					t.Errorf("the damaged folder was not kept, or not named: %v, %q", err, report.Text)
				}
			}
			t.Log(report.Text)
			goesOn(t, s, acknowledged)
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			s, report = store.Open(t.Context(), store.Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
			if report.Condition != store.Healthy {
				t.Errorf("after the next start: %+v", report)
			}
			if got := count(t, s, acknowledged); got != there {
				t.Errorf("after the next start %d records are there, before it %d", got, there)
			}
			mustDo(t, s.Close())
		})
	}
}

func mustDo(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// count counts the records that are whole, and holds the lists against them.
func count(t *testing.T, s *store.Store, acknowledged int) (n int) {
	t.Helper()
	there := map[string]bool{}
	for i := 1; i <= acknowledged; i++ {
		r, ok, err := s.Record(storetest.ID(i))
		if err != nil {
			t.Fatalf("Record: %v", err)
		}
		if ok {
			if r.Title != fmt.Sprintf("Item %d", i) || !strings.HasPrefix(r.Body, r.Title) {
				t.Errorf("record %d is %q", i, r.Title)
			}
			there[r.ID] = true
		}
	}
	snap, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(snap.Pending) < len(there) {
		t.Errorf("%d pending of %d", len(snap.Pending), len(there))
	}
	listed := 0
	var after notify.Cursor
	for {
		page, err := s.Query(t.Context(), notify.Filter{}, after, 500)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			if there[r.ID] {
				listed++
			}
		}
		if after = page.Next; after == (notify.Cursor{}) {
			break
		}
	}
	if listed != len(there) {
		t.Errorf("%d records are listed of %d", listed, len(there))
	}
	entries := 0
	for e, err := range s.Entries(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if there[e.ID] {
			entries++
		}
	}
	if entries != len(there) {
		t.Errorf("%d entries of %d", entries, len(there))
	}
	return len(there)
}

// goesOn proves that a store takes new records, under numbers that were never acknowledged before.
func goesOn(t *testing.T, s *store.Store, acknowledged int) {
	t.Helper()
	snap, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if snap.Sequence < int64(acknowledged) {
		t.Errorf("the next change would be %d, but %d was acknowledged", snap.Sequence+1, acknowledged)
	}
	w := &storetest.Writer{T: t, S: s, Seq: snap.Sequence}
	w.Put(storetest.New(100_000))
	page, err := s.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 1)
	if err != nil || len(page.Records) != 1 || page.Records[0].ID != storetest.ID(100_000) {
		t.Errorf("the new record is not on top: %v, %v", page.Records, err)
	}
	n := 0
	for c, err := range s.Changes(t.Context(), s.First()-1) {
		if err != nil {
			t.Fatal(err)
		}
		if n++; c.Seq != s.First()+int64(n)-1 {
			t.Fatalf("change %d where %d should be", c.Seq, s.First()+int64(n)-1)
		}
	}
}
