//go:build soak

// Whether space comes back soon depends on what is being read at that moment; seen to take longer
// than two minutes now and then, so it is not for every run. `make soak` runs it.

package store_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/store/storetest"
)

// TestShrink prunes most of a store and waits for its folder to shrink.
// Proves: T46
func TestShrink(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	w := &storetest.Writer{T: t, S: s}
	rnd := noise(1)
	for n := 0; n < 6000; n += 200 {
		var rs []*notify.Record
		for i := n; i < n+200; i++ {
			rs = append(rs, storetest.With(storetest.New(i), func(r *notify.Record) { r.Body = rnd(2000) }))
		}
		w.Put(rs...)
	}
	mustDo(t, s.Close())
	s = open(t, dir)
	w.S = s
	tables := func() (total int64) {
		all, _ := filepath.Glob(filepath.Join(dir, "db", "*.sst"))
		for _, path := range all {
			if info, err := os.Stat(path); err == nil {
				total += info.Size()
			}
		}
		return total
	}
	before := tables()
	for n := 0; n < 5500; n += 100 {
		var rs []*notify.Record
		for i := n; i < n+100; i++ {
			rs = append(rs, storetest.New(i))
		}
		w.Prune(rs...)
	}
	mustDo(t, s.Trim(t.Context(), w.Seq, time.Time{}))
	waitFor(t, func() bool { return tables() < before/4 })
	if page, err := s.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 1000); err != nil || len(page.Records) != 500 {
		t.Errorf("%d records are left, %v; want 500", len(page.Records), err)
	}
}
