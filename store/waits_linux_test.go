package store

import (
	"errors"
	"os"
	"testing"

	"signalbox/notify"
)

// The system tells once of what it could not write. What is committed after that is not acknowledged on the
// strength of a wait that went well, and neither is what was lost.
//
// Proves: L8
func TestAFailedWaitIsNotGotOver(t *testing.T) {
	told := make(chan Report, 10)
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OnReport: func(r Report) { told <- r }})
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
	if err := s.logs.sync(s.db, false); !errors.Is(err, fails) {
		t.Errorf("the next wait: %v", err)
	}
	if err := s.Commit(t.Context(), records(2, 1, 10)); notify.CodeOf(err) != notify.CodeUnavailable {
		t.Errorf("the next commit: %v", err)
	}
	if r := <-told; r.Condition != Full || r.Reason != ReasonDisk {
		t.Errorf("the owner is told %+v", r)
	}
}
