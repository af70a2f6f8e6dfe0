package store_test

import (
	"fmt"
	"testing"

	"signalbox/internal/bench/history"
	"signalbox/notify"
	"signalbox/store"
)

// BenchmarkCommit commits records in groups, as the center does.
func BenchmarkCommit(b *testing.B) {
	for _, group := range []int{1, 32} {
		b.Run(fmt.Sprintf("group=%d", group), func(b *testing.B) {
			s, _ := store.Open(b.Context(), store.Options{Dir: b.TempDir(), SnapshotEvery: -1, OpenWithin: -1})
			defer s.Close()
			m := history.New(1 << 40)
			seq := int64(0)
			b.ReportAllocs()
			for b.Loop() {
				changes := make([]notify.Change, group)
				for i := range changes {
					seq++
					r := m.Next()
					r.Change = seq
					changes[i] = notify.Change{Seq: seq, At: r.UpdatedAt, Name: notify.EvCreated, Record: r}
				}
				if err := s.Commit(b.Context(), changes); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
