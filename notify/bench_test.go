package notify_test

import (
	"strconv"
	"testing"
	"time"

	"signalbox/notify"
)

// BenchmarkPublish is a publication to a fresh key, decided and applied, on a state in which as many
// are pending as its name says: the cost does not grow with them.
func BenchmarkPublish(b *testing.B) {
	for _, pending := range []int{0, 1_000, 100_000} {
		b.Run(strconv.Itoa(pending), func(b *testing.B) {
			m, n := notify.NewMemory(), 0
			do := func(by notify.Actor, op notify.Op) notify.Result {
				n++
				d, err := notify.Decide(m, notify.Rules{}, notify.Command{At: start.Add(time.Duration(n) * time.Millisecond), By: by, IDs: []string{"id-" + strconv.Itoa(n)}, Op: op})
				if err != nil {
					b.Fatal(err)
				}
				m.Apply(d.Changes)
				return d.Result
			}
			do(notify.Owner, notify.CreateConnection{ID: "alpha", Label: "A"})
			content := notify.Content{Title: "Build finished", Body: "All **tests** passed.", Tags: []string{"ci"}}
			for i := range pending {
				do(alpha, notify.Publish{Session: "s" + strconv.Itoa(i%50), Content: content})
			}
			b.ReportAllocs()
			for b.Loop() {
				r := do(alpha, notify.Publish{Session: "s", Key: "k" + strconv.Itoa(n), Content: content})
				do(notify.Owner, notify.Dismiss{ID: r.Record.ID, Expect: rev(1)})
			}
		})
	}
}

// BenchmarkAttention is the badge on a hundred thousand pending records.
func BenchmarkAttention(b *testing.B) {
	m := notify.NewMemory()
	for i := range 100_000 {
		var changes []notify.Change
		id := strconv.Itoa(i)
		changes = append(changes, notify.Change{Seq: int64(i), Record: &notify.Record{ID: id, Connection: "alpha", Scope: notify.ScopeApplication, Status: notify.Pending}})
		m.Apply(changes)
	}
	b.ReportAllocs()
	for b.Loop() {
		if m.Attention(start).Pending != 100_000 {
			b.Fatal("miscounted")
		}
	}
}
