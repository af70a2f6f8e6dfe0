package private

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A lock has one holder, however many take it and leave it at the same time.
func TestLockHasOneHolder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	var holders, taken atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 300 {
				unlock, err := Lock(path)
				if err != nil {
					runtime.Gosched()
					continue
				}
				taken.Add(1)
				if n := holders.Add(1); n != 1 {
					t.Errorf("%d hold it", n)
				}
				runtime.Gosched()
				holders.Add(-1)
				unlock()
			}
		})
	}
	all.Wait()
	if taken.Load() == 0 {
		t.Error("nobody ever had it")
	}
	if _, err := os.Lstat(path); !os.IsNotExist(err) {
		t.Errorf("the file stays: %v", err)
	}
}

// Age takes no lock from its holder, and what a dead one left locks nobody out.
func TestLockIsItsHolders(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := Lock(path)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-24 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(path); !errors.Is(err, ErrLocked) {
		t.Error("locked twice")
	}
	unlock()
	if err := os.WriteFile(path, nil, 0o600); err != nil { // a killed holder's
		t.Fatal(err)
	}
	if unlock, err = Lock(path); err != nil {
		t.Fatalf("a file that nobody holds locks out: %v", err)
	}
	unlock()
	if err := os.Mkdir(path, 0o700); err != nil { // a former version's
		t.Fatal(err)
	}
	if unlock, err = Lock(path); err != nil {
		t.Fatalf("a folder locks out: %v", err)
	}
	unlock()
	if _, err := Lock(filepath.Join(t.TempDir(), "no", "lock")); err == nil || errors.Is(err, ErrLocked) {
		t.Errorf("in no folder: %v", err)
	}
}

// Who waits has a lock when it is free, and gives up when its context ends; what cannot be made is waited for by nobody.
func TestLockWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "lock")
		held, err := LockWait(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if _, err := LockWait(ctx, path); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		time.AfterFunc(time.Minute, held)
		began = time.Now()
		unlock, err := LockWait(t.Context(), path)
		if waited := time.Since(began); err != nil || waited < time.Minute || waited > time.Minute+lockPoll {
			t.Fatalf("%v after %v", err, waited)
		}
		unlock()
		began = time.Now()
		if _, err := LockWait(t.Context(), filepath.Join(t.TempDir(), "no", "lock")); err == nil || errors.Is(err, ErrLocked) || time.Now() != began {
			t.Errorf("in no folder: %v", err)
		}
	})
}
