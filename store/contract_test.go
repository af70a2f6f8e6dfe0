package store_test

import (
	"testing"

	"signalbox/store"
	"signalbox/store/storetest"
)

func open(t testing.TB, dir string) *store.Store {
	t.Helper()
	s, report := store.Open(t.Context(), store.Options{Dir: dir, OpenWithin: -1})
	if report.Condition != store.Healthy {
		t.Fatalf("Open: %+v", report)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func TestContract(t *testing.T) {
	dirs := map[storetest.Store]string{}
	storetest.Run(t,
		func(t *testing.T) storetest.Store {
			dir := t.TempDir()
			s := open(t, dir)
			dirs[s] = dir
			return s
		},
		func(t *testing.T, s storetest.Store) storetest.Store {
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			return open(t, dirs[s])
		})
}
