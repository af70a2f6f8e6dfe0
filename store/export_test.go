package store

import "path/filepath"

// CopyTree copies a folder, with holes where it has holes.
var CopyTree = copyTree

// Busy reports whether tables are being written or merged.
func Busy(s *Store) bool {
	logs, _ := filepath.Glob(filepath.Join(s.o.Dir, "db", "*.mem"))
	return s.reserve.Load() > 0 || len(logs) > 1
}
