package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/notify"
)

// broken makes folders that a start has much to do with, by their names. All hold 150 records.
var broken = map[string]func(t *testing.T, dir string){
	"killed": func(t *testing.T, dir string) { killedStore(t, dir) },
	"put back": func(t *testing.T, dir string) {
		snappedStore(t, dir)
		damaged(t, dir)
	},
	"put back, killed": func(t *testing.T, dir string) {
		killedStore(t, dir)
		damaged(t, dir)
	},
	"no snapshot": func(t *testing.T, dir string) {
		snappedStore(t, dir)
		damaged(t, dir)
		if err := os.RemoveAll(snapshotDir(dir)); err != nil {
			t.Fatal(err)
		}
	},
	"torn": func(t *testing.T, dir string) {
		snappedStore(t, dir)
		path := filepath.Join(dir, "db", manifestName)
		info, err := os.Stat(path)
		if err == nil {
			err = os.Truncate(path, info.Size()-5)
		}
		if err != nil {
			t.Fatal(err)
		}
	},
}

// snappedStore has 100 records in its snapshot and 50 that came later, in a table of their own.
func snappedStore(t *testing.T, dir string) {
	t.Helper()
	for n, count := range []int{100, 50} {
		s, _ := Open(t.Context(), Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
		write(t, s, n*100+1, count)
		if n == 0 {
			if _, err := s.Snapshot(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// killedStore is a snappedStore whose later records are in the log of a killed process.
func killedStore(t *testing.T, dir string) {
	t.Helper()
	from := filepath.Join(t.TempDir(), "s")
	s, _ := Open(t.Context(), Options{Dir: from, SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	write(t, s, 1, 100)
	if _, err := s.Snapshot(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(t, s, 101, 50)
	copyLive(t, from, dir)
}

// write commits records, ten at a time.
func write(t *testing.T, s *Store, from, n int) {
	t.Helper()
	for ; n > 0; from, n = from+10, n-10 {
		changes := records(from, 10, 300)
		for i := range changes {
			changes[i].At = time.Unix(int64(from), 0)
		}
		if err := s.Commit(t.Context(), changes); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome is what an opening comes to.
type outcome struct {
	Records, Pending  int
	Condition         Condition
	Missing, Salvaged int64
	Emptied           bool
	Asides            int
}

func outcomeOf(t *testing.T, s *Store) outcome {
	t.Helper()
	r := s.Report()
	snap, err := s.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := outcome{Pending: len(snap.Pending), Condition: r.Condition, Missing: r.Missing, Salvaged: r.Salvaged, Emptied: r.Emptied}
	for _, err := range s.Entries(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		out.Records++
	}
	asides, _ := filepath.Glob(filepath.Join(s.o.Dir, asidePrefix+"*"))
	out.Asides = len(asides)
	return out
}

// undisturbed opens a copy of a folder and tells of the steps that it took.
func undisturbed(t *testing.T, dir string) (out outcome, steps []string) {
	t.Helper()
	to := filepath.Join(t.TempDir(), "s")
	if err := copyTree(dir, to); err != nil {
		t.Fatal(err)
	}
	s := newStore(Options{Dir: to, SnapshotEvery: -1, OpenWithin: -1, After: never})
	Watch(s, func(name string) { steps = append(steps, name) })
	s.open(t.Context())
	Watch(s, nil)
	out = outcomeOf(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return out, steps
}

func never(time.Duration) <-chan time.Time { return nil }

// An opening that takes long does not hold the start up: the store is refused with a text that says what is being done,
// and is there, with everything, when it has come to its end.
//
// Proves: T37, T38
func TestASlowOpeningComesLate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	broken["put back"](t, dir)
	const within = 77 * time.Second
	bound, slow := make(chan time.Time), make(chan struct{})
	told := make(chan Report, 10)
	s := newStore(Options{Dir: dir, SnapshotEvery: -1, OpenWithin: within, OnReport: func(r Report) { told <- r },
		After: func(d time.Duration) <-chan time.Time {
			if d == within {
				return bound
			}
			return nil
		}})
	defer s.Close()
	Watch(s, func(name string) {
		if name == "restored" {
			bound <- time.Time{}
			<-slow
		}
	})
	r := s.open(t.Context())
	if r.Condition != Refused || r.Reason != ReasonOpening || !strings.Contains(r.Text, "put back from its snapshot of 2") {
		t.Errorf("report = %+v", r)
	}
	var refusal *notify.Error
	if err := s.Commit(t.Context(), records(1, 1, 1)); !errors.As(err, &refusal) || refusal.Code != notify.CodeUnavailable || refusal.Detail != r.Text {
		t.Errorf("a commit meanwhile: %v", err)
	}
	if snap, err := s.Load(t.Context()); err != nil || snap.Sequence != 0 || s.First() != 1 {
		t.Errorf("it holds %+v from %d, %v", snap, s.First(), err)
	}
	select {
	case <-s.Ready():
		t.Error("it is ready")
	default:
	}
	close(slow)
	<-s.Ready()
	if out := outcomeOf(t, s); out.Records != 150 || out.Condition != Recovered || out.Missing != 0 || out.Salvaged != 50 {
		t.Errorf("it came back as %+v", out)
	}
	if r := <-told; r.Condition != Recovered || r != s.Report() {
		t.Errorf("told %+v", r)
	}
	if err := s.Commit(t.Context(), records(151, 1, 1)); err != nil {
		t.Error(err)
	}
}

// A context that ends lets Open return; what it began goes on.
func TestOpenReturnsWithItsContext(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "s")
	broken["put back"](t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	s := newStore(Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, After: never})
	defer s.Close()
	slow := make(chan struct{})
	Watch(s, func(name string) {
		if name == "replace" {
			cancel()
			<-slow
		}
	})
	if r := s.open(ctx); r.Reason != ReasonOpening || r.Text != textReading {
		t.Errorf("report = %+v", r)
	}
	close(slow)
	<-s.Ready()
	if out := outcomeOf(t, s); out.Records != 150 || out.Missing != 0 {
		t.Errorf("it came back as %+v", out)
	}
}

// A store that is closed while it is opened leaves a folder of which the next start makes what this one would have made,
// at whatever step it was, and however often; it is not taken for one that died.
//
// Proves: T40, L9
func TestCloseWhileOpening(t *testing.T) {
	for name, damage := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := filepath.Join(t.TempDir(), "s")
			damage(t, from)
			want, steps := undisturbed(t, from)
			if want.Records != 150 || want.Missing != 0 || len(steps) < 5 {
				t.Fatalf("undisturbed: %+v in %q", want, steps)
			}
			for n, step := range steps {
				if step == "settle" || step == "note" {
					continue // it is done but for the words
				}
				dir := filepath.Join(t.TempDir(), "s")
				if err := copyTree(from, dir); err != nil {
					t.Fatal(err)
				}
				for round := range 2 {
					s := newStore(Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, After: never})
					at, closed := 0, make(chan struct{})
					Watch(s, func(name string) {
						if name == "ending" {
							return
						}
						// What follows the first time need not take the same steps.
						if round == 0 && at == n || round > 0 && name == "open" && s.life.Err() == nil {
							go func() {
								if err := s.Close(); err != nil {
									t.Errorf("closed at %q: %v", step, err)
								}
								close(closed)
							}()
							<-s.life.Done()
						}
						at++
					})
					s.open(t.Context())
					<-closed
					if b, err := os.ReadFile(filepath.Join(dir, "opening")); err == nil && decodeTrace(b).opens != 0 {
						t.Errorf("closed at %q: it left %q", step, b)
					}
				}
				if got, _ := undisturbed(t, dir); got != want {
					t.Errorf("closed at step %d, %q: the next start comes to %+v, want %+v", n, step, got, want)
				}
			}
		})
	}
}

// A start that is killed is followed by one that makes of the folder what it would have made, at whatever step it was.
// One that was killed while it salvaged is followed by one that leaves that out, and says so.
//
// Proves: T40, T44
func TestKilledWhileOpening(t *testing.T) {
	for name, damage := range broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := filepath.Join(t.TempDir(), "s")
			damage(t, from)
			want, _ := undisturbed(t, from)
			s := newStore(Options{Dir: from, SnapshotEvery: -1, OpenWithin: -1, After: never})
			images := crashes(t, s, func() { s.open(t.Context()) })
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			for step, image := range images {
				if strings.HasSuffix(step, " note") {
					continue // it has come to its end
				}
				want := want
				if strings.HasSuffix(step, " salvage") {
					want.Salvaged, want.Missing = 0, want.Salvaged
					want.Records -= int(want.Missing)
					want.Pending = want.Records
				}
				if got, _ := undisturbed(t, image); got != want {
					t.Errorf("killed at %q: the next start comes to %+v, want %+v", step, got, want)
				}
			}
		})
	}
}

// What an attempt leaves is read as it was written.
func TestTrace(t *testing.T) {
	for _, want := range []trace{
		{}, {opens: 2}, {opens: 1, salvage: true}, {kept: true}, {opens: 3, replace: true}, {replace: true, aside: asidePrefix + "20260102T030405.000-2"},
		{opens: 1, salvage: true, kept: true, replace: true, aside: asidePrefix + "x"},
	} {
		if got := decodeTrace(want.encode()); got != want {
			t.Errorf("%q is read as %+v", want.encode(), got)
		}
	}
	for text, want := range map[string]trace{
		"": {opens: 1}, "x": {opens: 1}, "-4 salvage": {salvage: true},
		"1 replace aside=../x": {opens: 1, replace: true}, "1 replace aside=db": {opens: 1, replace: true}, "1 aside=" + asidePrefix + "/../../x": {opens: 1},
	} {
		if got := decodeTrace([]byte(text)); got != want {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
