package store

import (
	"testing"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// Parts that a failed write of a journal left behind are none of the next journal's.
//
// Proves: L9
func TestAJournalThatFailedSpoilsNoLaterOne(t *testing.T) {
	dir := t.TempDir()
	s, _ := Open(t.Context(), Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	if err := s.writeRows(s.db, []row{{journalKey(0), []byte("old")}, {journalKey(99), []byte("old")}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), records(1, 70, notify.MaxBody)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n, r := opened(t, dir); n != 70 || r.Condition != Healthy {
		t.Errorf("%d records; report %+v", n, r)
	}
}

// While a commit is applied part by part, those who read see the store as it was before.
//
// Proves: L9
func TestNobodySeesHalfACommit(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	if err := s.Commit(t.Context(), records(1, 10, 10)); err != nil {
		t.Fatal(err)
	}
	seen := func() (n int) {
		for _, err := range s.Entries(t.Context()) {
			if err != nil {
				t.Error(err)
			}
			n++
		}
		if _, ok, err := s.Record("id-000011"); err != nil || ok != (n > 10) {
			t.Errorf("with %d entries, the eleventh record: %v, %v", n, ok, err)
		}
		return n
	}
	steps := 0
	Watch(s, func(name string) {
		if steps++; seen() != 10 {
			t.Errorf("at %q: %d entries of 10 or 110", name, seen())
		}
	})
	if err := s.Commit(t.Context(), records(11, 100, notify.MaxBody)); err != nil {
		t.Fatal(err)
	}
	Watch(s, nil)
	if n := seen(); steps < 4 || n != 110 {
		t.Errorf("%d entries after %d steps, want 110", n, steps)
	}
	if s.views.held != nil {
		t.Error("the moment is still held")
	}
}

// A commit that failed after its journal was whole may be on the disk in part: nothing more is written,
// which would be overwritten by the next start, until that has made it whole.
//
// Proves: L8, L9
func TestNothingIsWrittenAfterACommitOfUnknownEnd(t *testing.T) {
	dir := t.TempDir()
	told := make(chan Report, 10)
	s, _ := Open(t.Context(), Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1, OnReport: func(r Report) { told <- r }})
	defer s.Close()
	if err := s.Commit(t.Context(), records(1, 10, 10)); err != nil {
		t.Fatal(err)
	}
	var part []byte
	Watch(s, func(name string) {
		if name != "journal closed" {
			return
		}
		err := s.db.View(func(txn *badger.Txn) (err error) {
			part, _, err = get(txn, journalKey(0))
			return err
		})
		if err == nil {
			err = s.writeRows(s.db, []row{{journalKey(0), part[:len(part)-1]}})
		}
		if err != nil {
			t.Error(err)
		}
	})
	if err := s.Commit(t.Context(), records(11, 70, notify.MaxBody)); err == nil {
		t.Fatal("the commit did not fail")
	}
	if err := s.Commit(t.Context(), records(11, 1, 10)); notify.CodeOf(err) != notify.CodeUnavailable {
		t.Errorf("the next commit: %v", err)
	}
	if r := <-told; r.Text == "" {
		t.Error("the owner is not told")
	}
	if err := s.writeRows(s.db, []row{{journalKey(0), part}}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n, r := opened(t, dir); n != 80 || r.Condition != Healthy {
		t.Errorf("%d records; report %+v", n, r)
	}
}

// A count of the records in the middle of a commit finds them as they were before it, and nothing missing.
//
// Proves: L9
func TestACountDuringACommitFindsAll(t *testing.T) {
	s, _ := Open(t.Context(), Options{Dir: t.TempDir(), SnapshotEvery: -1, OpenWithin: -1, OnReport: func(r Report) { t.Errorf("told: %+v", r) }})
	defer s.Close()
	if err := s.Commit(t.Context(), records(1, 50, 10)); err != nil {
		t.Fatal(err)
	}
	var changes []notify.Change
	for i, c := range records(1, 20, 10) {
		c.Seq, c.Removed, c.Name = int64(51+i), true, notify.EvPruned
		changes = append(changes, c)
	}
	changes = append(changes, records(71, 100, notify.MaxBody)...)
	parts := 0
	Watch(s, func(name string) {
		if name == "journal part applied" {
			parts++
			s.checkCount()
		}
	})
	if err := s.Commit(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	Watch(s, nil)
	if parts < 2 {
		t.Errorf("the commit was applied in %d parts", parts)
	}
}
