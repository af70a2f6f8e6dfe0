package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// The system tells once of what it could not write. What is committed after that is not acknowledged on the
// strength of a wait that went well, and neither is what was lost.
//
// Proves: L8
func TestAFailedWaitIsNotGotOver(t *testing.T) {
	told := make(chan Report, 10)
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1, OnReport: func(r Report) { told <- r }})
	defer s.Close()
	if err := s.Commit(t.Context(), records(1, 1, 10)); err != nil {
		t.Fatal(err)
	}
	fails := errors.New("input/output error")
	s.logs.wait = func(*os.File) error { return fails }
	if err := s.Commit(t.Context(), records(2, 1, 10)); !errors.Is(err, fails) {
		t.Fatalf("the commit whose wait failed: %v", err)
	}
	s.logs.wait = nil
	if err := s.logs.sync(s.db, &s.views); !errors.Is(err, fails) {
		t.Errorf("the next wait: %v", err)
	}
	if err := s.Commit(t.Context(), records(2, 1, 10)); notify.CodeOf(err) != notify.CodeUnavailable {
		t.Errorf("the next commit: %v", err)
	}
	if r := <-told; r.Condition != Full || r.Reason != ReasonDisk {
		t.Errorf("the owner is told %+v", r)
	}
}

// Nobody reads a change that a power cut may still take, and whoever wrote it does when it is acknowledged.
//
// Proves: L8
func TestNothingIsSeenBeforeItIsOnTheDisk(t *testing.T) {
	for _, c := range []struct {
		name    string
		n, size int
	}{{"one transaction", 1, 10}, {"through the journal", 100, notify.MaxBody}} {
		t.Run(c.name, func(t *testing.T) {
			s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
			defer s.Close()
			if err := s.Commit(t.Context(), records(1, 1, 10)); err != nil {
				t.Fatal(err)
			}
			seen := func() (ok bool) {
				_, ok, err := s.Record("id-000002")
				if err != nil {
					t.Error(err)
				}
				return ok
			}
			waits := 0
			s.logs.wait = func(f *os.File) error {
				if waits++; seen() {
					t.Error("read before it is on the disk")
				}
				return syncData(f)
			}
			if err := s.Commit(t.Context(), records(2, c.n, c.size)); err != nil {
				t.Fatal(err)
			}
			if !seen() || waits == 0 {
				t.Errorf("after %d waits and the acknowledgement: %v", waits, seen())
			}
			s.logs.wait = func(*os.File) error { return errors.New("input/output error") }
			if err := s.Commit(t.Context(), records(2+c.n, 1, 10)); err == nil {
				t.Fatal("the commit did not fail")
			}
			if _, ok, err := s.Record(fmt.Sprintf("id-%06d", 2+c.n)); ok || err != nil {
				t.Errorf("a change that may be lost is read: %v, %v", ok, err)
			}
		})
	}
}

// A commit that goes through the journal waits for the disk once a step, however big it is.
//
// Proves: L9
func TestABigCommitWaitsOnceAStep(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	waits := map[string]int{}
	s.logs.wait = func(f *os.File) error {
		waits[f.Name()]++
		return syncData(f)
	}
	for i, n := range []int{100, 300} {
		clear(waits)
		if err := s.Commit(t.Context(), records(1+100*i, n, notify.MaxBody)); err != nil {
			t.Fatal(err)
		}
		for name, n := range waits {
			if n > 4 {
				t.Errorf("commit %d waits %d times for %s, want 4 at most", i, n, name)
			}
		}
	}
}

// A value that is too large for the tree is in the value log, which is waited for then, and not later.
//
// Proves: L8
func TestALargeValueIsWaitedFor(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	valueLogs := 0
	s.logs.wait = func(f *os.File) error {
		if filepath.Ext(f.Name()) == ".vlog" {
			valueLogs++
		}
		return syncData(f)
	}
	for i, size := range []int{10, 1 << 20, 10} {
		valueLogs = 0
		err := s.use(func(db *badger.DB) error { return s.writeRows(db, []row{{[]byte("zz"), make([]byte, size)}}) })
		if err != nil {
			t.Fatal(err)
		}
		if got, want := valueLogs > 0, size > 10; got != want {
			t.Errorf("write %d of %d bytes: waited for the value log: %v", i, size, got)
		}
	}
}

// Those who write while the disk is waited for wait together for the next time.
func TestWritersShareAWait(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	write := func(n int) error {
		return s.use(func(db *badger.DB) error { return s.writeRows(db, []row{{fmt.Appendf(nil, "zz%d", n), []byte("x")}}) })
	}
	if err := write(0); err != nil {
		t.Fatal(err)
	}
	const others = 8
	waits := atomic.Int64{}
	before := s.logs.asked.Load()
	var wg sync.WaitGroup
	s.logs.wait = func(f *os.File) error {
		if waits.Add(1) > 1 {
			return syncData(f)
		}
		for n := range others {
			wg.Go(func() {
				if err := write(2 + n); err != nil {
					t.Error(err)
				}
			})
		}
		for s.logs.asked.Load() < before+1+others && t.Context().Err() == nil {
			runtime.Gosched()
		}
		return syncData(f)
	}
	if err := write(1); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
	if n := waits.Load(); n != 2 {
		t.Errorf("%d waits for a writer and %d that came meanwhile, want 2", n, others)
	}
}

// Whoever wrote reads what was written, whoever else is writing.
func TestWritersReadWhatTheyWrote(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	var wg sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for w := range 4 {
		wg.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				key := fmt.Appendf(nil, "zz%d-%d", w, n)
				ok := false
				err := s.use(func(db *badger.DB) error { return s.writeRows(db, []row{{key, []byte("x")}}) })
				if err == nil {
					err = s.read(func(txn *badger.Txn) (err error) {
						_, ok, err = get(txn, key)
						return err
					})
				}
				if err != nil || !ok {
					t.Errorf("%s: %v, %v", key, ok, err)
					return
				}
			}
		})
	}
	for n := range 200 {
		if err := s.Commit(t.Context(), records(n+1, 1, 10)); err != nil {
			t.Fatal(err)
		}
		if _, ok, err := s.Record(fmt.Sprintf("id-%06d", n+1)); !ok || err != nil {
			t.Errorf("record %d: %v, %v", n+1, ok, err)
		}
	}
	cancel()
	wg.Wait()
	if s.views.held != nil || s.views.writers != 0 {
		t.Error("a moment is still held")
	}
}

// An opening whose writes failed leaves nothing behind for the one that works.
func TestAnOpeningAfterOneThatFailed(t *testing.T) {
	s := newStore(Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	s.logs.wait = func(*os.File) error { return errors.New("input/output error") }
	if r := s.tryOpen(t.Context()); r.Condition != Refused {
		t.Fatalf("report = %+v", r)
	}
	s.logs.wait = nil
	if r := s.tryOpen(t.Context()); r.Condition == Refused {
		t.Fatalf("report = %+v", r)
	}
	if err := s.Commit(t.Context(), records(int(s.state.seq)+1, 1, 10)); err != nil {
		t.Fatal(err)
	}
	if snap, err := s.Load(t.Context()); err != nil || len(snap.Pending) != 1 {
		t.Errorf("Load = %+v, %v", snap, err)
	}
	if s.views.held != nil || s.views.writers != 0 {
		t.Error("a moment is still held")
	}
}

// Filling Badger's memory waits for the disk a few times, and not with every row.
func TestARotationWaitsSeldom(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	if err := s.Commit(t.Context(), records(1, 10, 10)); err != nil {
		t.Fatal(err)
	}
	var waits atomic.Int64
	s.logs.wait = func(f *os.File) error {
		waits.Add(1)
		return syncData(f)
	}
	if err := s.rotate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := waits.Load(); n > 20 {
		t.Errorf("%d waits, want 20 at most", n)
	}
	if s.newestInTables() == 0 {
		t.Error("no table was written")
	}
}

// A sweep of the log that failed is not taken for done.
//
// Proves: R4
func TestASweepThatFailedIsNotDone(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	if err := s.Commit(t.Context(), records(1, 10, 10)); err != nil {
		t.Fatal(err)
	}
	if err := s.jump(s.db, s.state, 0); err != nil {
		t.Fatal(err)
	}
	s.setState(s.state)
	s.logs.wait = func(*os.File) error { return errors.New("input/output error") }
	if err := s.sweepLog(t.Context()); err == nil || s.swept.Load() {
		t.Errorf("the sweep: %v; done: %v", err, s.swept.Load())
	}
}
