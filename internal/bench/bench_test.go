package main

import (
	"testing"
	"time"

	"signalbox/internal/bench/history"
	"signalbox/notify"
)

func TestParseSyncs(t *testing.T) {
	const report = `% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 99.20    0.123456          60      2048           msync
  0.80    0.001000         100        10         1 fsync
------ ----------- ----------- --------- --------- ----------------
100.00    0.124456                  2058         1 total
`
	if got := parseSyncs(report); got != 2058 {
		t.Errorf("parseSyncs = %d, want 2058", got)
	}
	if got := parseSyncs("strace: attach: Operation not permitted\n"); got != -1 {
		t.Errorf("parseSyncs of a refusal = %d, want -1", got)
	}
}

func TestField(t *testing.T) {
	const status = "Name:\tbench\nVmRSS:\t    5120 kB\nRssAnon:\t    2048 kB\n"
	if got := field(status, "RssAnon"); got != 2048 {
		t.Errorf("RssAnon = %d", got)
	}
	if got := field(status, "Threads"); got != 0 {
		t.Errorf("a missing field = %d", got)
	}
}

func TestQuantile(t *testing.T) {
	ds := []time.Duration{5, 1, 4, 2, 3}
	if got := quantile(ds, 0.5); got != 3 {
		t.Errorf("median = %d", got)
	}
	if got := quantile(ds, 1); got != 5 {
		t.Errorf("the last = %d", got)
	}
	if got := quantile(nil, 0.5); got != 0 {
		t.Errorf("of nothing = %d", got)
	}
}

// TestHistory proves that a history is what the questions ask for, and the same each time.
func TestHistory(t *testing.T) {
	const n = 5000
	a, b := history.New(n), history.New(n)
	ids := map[string]bool{}
	pending, rare := 0, 0
	for range n {
		r, again := a.Next(), b.Next()
		if r.ID != again.ID || r.Title != again.Title || !r.UpdatedAt.Equal(again.UpdatedAt) {
			t.Fatalf("two histories differ at %s", r.ID)
		}
		if ids[r.ID] {
			t.Fatalf("id %s twice", r.ID)
		}
		ids[r.ID] = true
		if r.Status == notify.Pending {
			pending++
		}
		if (notify.Filter{Tags: []string{history.RareTag}, IncludeSilent: true}).Match(r) {
			rare++
		}
	}
	if a.Next() != nil {
		t.Error("a history goes on after its end")
	}
	if pending > 10 || rare != 1 {
		t.Errorf("%d pending, %d rare", pending, rare)
	}
}
