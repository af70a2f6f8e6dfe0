package store

import (
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
)

// CopyTree copies a folder, with holes where it has holes.
var CopyTree = copyTree

// Busy reports whether tables are being written or merged.
func Busy(s *Store) bool {
	logs, _ := filepath.Glob(filepath.Join(s.o.Dir, "db", "*.mem"))
	return s.reserve.Load() > 0 || len(logs) > 1
}

// Watch tells f from now on of the steps that s takes: one of a merge is about to begin, tables were tidied, space was
// given back, it is ending, and those at which a crash is worth a test. nil: nobody is told.
func Watch(s *Store, f func(step string)) {
	if f == nil {
		s.watcher.Store(nil)
		return
	}
	s.watcher.Store(&f)
}

// TablesSize is what the tables take.
func TablesSize(s *Store) (n int64) {
	_ = s.use(func(db *badger.DB) error {
		n = tablesSize(db)
		return nil
	})
	return n
}

// Tables is how many tables there are.
func Tables(s *Store) (n int) {
	_ = s.use(func(db *badger.DB) error {
		n = len(db.Tables())
		return nil
	})
	return n
}

// Reading begins to read, as a backup does, until the function that it returns is called.
func Reading(s *Store) (end func()) {
	return s.db.NewTransaction(false).Discard
}
