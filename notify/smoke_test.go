package notify

import (
	"testing"
	"time"
)

func TestSmoke(t *testing.T) {
	m := NewMemory()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	do := func(by Actor, op Op, ids ...string) Result {
		t.Helper()
		at = at.Add(time.Second)
		d, err := Decide(m, Rules{}, Command{At: at, By: by, IDs: ids, Op: op})
		if err != nil {
			t.Fatal(err)
		}
		m.Apply(d.Changes)
		return d.Result
	}
	do(Owner, CreateConnection{Label: "A b"})
	r := do(Producer("a-b"), Publish{Session: "s", Key: "k", Content: Content{Title: "T"}}, "id1")
	r = do(Producer("a-b"), Publish{Session: "s", Key: "k", Content: Content{Title: "T"}}, "id2")
	if r.Record.Revision != 2 || m.Attention(at).Unread != 1 {
		t.Fatal(r.Record, m.Attention(at))
	}
	do(Owner, Dismiss{ID: "id1", Expect: Expectation{Expect: true, Revision: 2}})
	if m.Attention(at).Unread != 0 {
		t.Fatal()
	}
	t.Log(m.Attention(at))
}

func BenchmarkPublish(b *testing.B) {
	m := NewMemory()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	d, _ := Decide(m, Rules{}, Command{At: at, By: Owner, Op: CreateConnection{Label: "A b"}})
	m.Apply(d.Changes)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		i++
		id := at.Add(time.Duration(i)).Format(time.RFC3339Nano)
		d, err := Decide(m, Rules{}, Command{At: at, By: Producer("a-b"), IDs: []string{id}, Op: Publish{Session: "s", Key: id, Content: Content{Title: "Build finished", Body: "All good", Tags: []string{"ci"}}}})
		if err != nil {
			b.Fatal(err)
		}
		m.Apply(d.Changes)
	}
}
