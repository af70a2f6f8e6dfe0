package store

import (
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// The rows of a log that was begun anew, because some of it was lost, go with the next trimming.
//
// Proves: R4
func TestTheOldLogIsRemoved(t *testing.T) {
	dir := t.TempDir()
	s, _ := Open(t.Context(), Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	for n := 0; n < 2*trimSlice; n += 100 {
		if err := s.Commit(t.Context(), records(n+1, 100, 10)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.jump(s.db, s.state, 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), records(2*trimSlice+1, 10, 10)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ = Open(t.Context(), Options{Dir: dir, SnapshotEvery: -1, OpenWithin: -1})
	defer s.Close()
	logged := func() (n int) {
		err := s.db.View(func(txn *badger.Txn) error {
			return each(txn, []byte{pfxChange}, nil, false, false, func(_, _ []byte) (bool, error) {
				n++
				return true, nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := logged(); n != 2*trimSlice+10 {
		t.Fatalf("%d rows before", n)
	}
	if err := s.Trim(t.Context(), 0, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if n := logged(); n != 10 || s.First() != 2*trimSlice+1 {
		t.Errorf("%d rows are left from change %d on, want the 10 of the new log", n, s.First())
	}
}
