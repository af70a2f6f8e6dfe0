package store_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/internal/bench/history"
	"signalbox/notify"
	"signalbox/store/memstore"
	"signalbox/store/storetest"
)

// anyFilter draws filters over a made-up history.
func anyFilter() *rapid.Generator[notify.Filter] {
	some := func(t *rapid.T, name string, values ...string) []string {
		if rapid.IntRange(0, 2).Draw(t, name+" given") > 0 {
			return nil
		}
		return rapid.SliceOfN(rapid.SampledFrom(values), 1, 3).Draw(t, name)
	}
	as := func(in []string) (out []notify.Status) {
		for _, s := range in {
			out = append(out, notify.Status(s))
		}
		return out
	}
	return rapid.Custom(func(t *rapid.T) notify.Filter {
		f := notify.Filter{
			Connections:   some(t, "connections", history.Connection(0), history.Connection(1), history.Connection(5), "none"),
			Sessions:      some(t, "sessions", "s-00001", "s-00012", history.RareSession, ""),
			Tags:          some(t, "tags", history.Tag(0), history.Tag(1), history.Tag(20), history.RareTag),
			Events:        some(t, "events", notify.EventTurnFinished, notify.EventTurnFailed, ""),
			Statuses:      as(some(t, "statuses", "pending", "dismissed", "resolved", "expired")),
			IncludeSilent: rapid.Bool().Draw(t, "silent"),
		}
		if rapid.IntRange(0, 3).Draw(t, "kind") == 0 {
			f.Kinds = []notify.Kind{notify.KindNotice, notify.KindReport}[:rapid.IntRange(1, 2).Draw(t, "kinds")]
		}
		if rapid.IntRange(0, 3).Draw(t, "severity") == 0 {
			f.Severities = []notify.Severity{notify.SeverityError, notify.SeverityCritical}[:rapid.IntRange(1, 2).Draw(t, "severities")]
		}
		if rapid.IntRange(0, 3).Draw(t, "scope") == 0 {
			f.Scopes = []notify.Scope{notify.ScopeApplication}
		}
		if rapid.IntRange(0, 3).Draw(t, "read") == 0 {
			read := rapid.Bool().Draw(t, "is read")
			f.Read = &read
		}
		if rapid.IntRange(0, 3).Draw(t, "since") == 0 {
			f.Since = history.Start.Add(time.Duration(rapid.IntRange(0, 17_000).Draw(t, "since h")) * time.Hour)
		}
		if rapid.IntRange(0, 3).Draw(t, "until") == 0 {
			f.Until = history.Start.Add(time.Duration(rapid.IntRange(0, 18_000).Draw(t, "until h")) * time.Hour)
		}
		if rapid.IntRange(0, 2).Draw(t, "text") == 0 {
			f.Text = rapid.SampledFrom([]string{
				"e", "et", "FAILED", "build 12", history.Word(3), history.Word(30) + " " + history.Word(31), "go pkg", "zzz", "+-", "1",
			}).Draw(t, "words")
		}
		return f
	})
}

// TestQueryAgrees compares lists from the index with what the filter says of each record, while the
// history is written, changed and pruned, and after new starts.
func TestQueryAgrees(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	model := memstore.New()
	rnd := rand.New(rand.NewPCG(3, 4))
	made := history.New(3500)
	var seq int64
	var all []*notify.Record
	commit := func(changes ...notify.Change) {
		for i := range changes {
			seq++
			changes[i].Seq = seq
		}
		mustDo(t, s.Commit(t.Context(), changes))
		mustDo(t, model.Commit(t.Context(), changes))
	}
	compare := func(t *rapid.T) {
		f := anyFilter().Draw(t, "filter")
		limit := rapid.SampledFrom([]int{1, 10, 50, 300}).Draw(t, "limit")
		var after notify.Cursor
		for range 4 {
			got, err := s.Query(t.Context(), f, after, limit)
			if err != nil {
				t.Fatal(err)
			}
			want, err := model.Query(t.Context(), f, after, limit)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.EqualFunc(got.Records, want.Records, func(a, b *notify.Record) bool { return a.ID == b.ID && a.UpdatedAt.Equal(b.UpdatedAt) }) || got.Next != want.Next {
				t.Fatalf("Query(%+v, %v, %d): %d records, next %v\nwant %d, next %v", f, after, limit, len(got.Records), got.Next, len(want.Records), want.Next)
			}
			if after = got.Next; after == (notify.Cursor{}) {
				return
			}
		}
	}
	for round := range 7 {
		for range 5 {
			var changes []notify.Change
			for range 100 {
				r := made.Next()
				all = append(all, r)
				changes = append(changes, notify.Change{Name: notify.EvCreated, At: r.UpdatedAt, Record: r})
			}
			commit(changes...)
		}
		for range 40 {
			i := rnd.IntN(len(all))
			old := all[i]
			if rnd.IntN(3) == 0 {
				commit(notify.Change{Name: notify.EvPruned, Record: old, Before: old, Removed: true})
				all = slices.Delete(all, i, i+1)
				continue
			}
			all[i] = storetest.With(old, func(r *notify.Record) {
				r.Read, r.Tags = !r.Read, []string{history.Tag(rnd.IntN(30))}
				if rnd.IntN(2) == 0 { // else within one instant
					r.UpdatedAt = r.UpdatedAt.Add(time.Duration(rnd.IntN(2000)) * time.Hour)
				}
			})
			commit(notify.Change{Name: notify.EvRead, Record: all[i], Before: old})
		}
		t.Run(fmt.Sprint("round ", round), func(t *testing.T) { rapid.Check(t, compare) })
		if round%3 == 1 {
			mustDo(t, s.Close())
			s = open(t, dir)
		}
		if round == 4 {
			mustDo(t, s.Trim(t.Context(), seq-10, time.Time{}))
		}
	}
}

// TestIndexIsRebuilt takes the index away, and a log that it could be made from: it is built from the
// records, and lists are right all the while.
func TestIndexIsRebuilt(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	w := &storetest.Writer{T: t, S: s}
	for n := range 30 {
		w.Put(storetest.With(storetest.New(n), func(r *notify.Record) { r.Tags = []string{fmt.Sprint("t", n%3)} }))
	}
	mustDo(t, s.Trim(t.Context(), 25, time.Time{}))
	mustDo(t, s.Close())
	mustDo(t, os.RemoveAll(filepath.Join(dir, "index")))
	s = open(t, dir)
	f := notify.Filter{Tags: []string{"t1"}, Text: "item"}
	var want []int
	for n := 28; n > 0; n -= 3 {
		want = append(want, n)
	}
	for _, settled := range []bool{false, true} {
		if settled {
			mustDo(t, s.Settled(t.Context()))
		}
		page, err := s.Query(t.Context(), f, notify.Cursor{}, 100)
		mustDo(t, err)
		var got []int
		for _, r := range page.Records {
			var n int
			_, err := fmt.Sscanf(r.Title, "Item %d", &n)
			mustDo(t, err)
			got = append(got, n)
		}
		if !slices.Equal(got, want) {
			t.Errorf("settled %v: %v, want %v", settled, got, want)
		}
	}
	mustDo(t, s.Close())
}
