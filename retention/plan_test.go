package retention

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func listed(all ...notify.Entry) Entries {
	return func() iter.Seq2[notify.Entry, error] {
		return func(yield func(notify.Entry, error) bool) {
			for _, e := range all {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

func collect(t interface {
	Helper()
	Fatal(...any)
}, seq iter.Seq2[string, error]) []string {
	t.Helper()
	var ids []string
	for id, err := range seq {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	return ids
}

func ended(id, connection string, ago time.Duration) notify.Entry {
	at := now.Add(-ago)
	return notify.Entry{ID: id, Connection: connection, Status: notify.Resolved, UpdatedAt: at, EndedAt: at}
}

func pending(id string, deadlineAgo time.Duration) notify.Entry {
	e := notify.Entry{ID: id, Connection: "a", Status: notify.Pending, UpdatedAt: now.Add(-10000 * time.Hour)}
	if deadlineAgo != 0 {
		e.Deadline = now.Add(-deadlineAgo)
	}
	return e
}

// Proves: R4
func TestPlan(t *testing.T) {
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		entries []notify.Entry
		policy  map[string]Policy
		want    []string
	}{
		"nothing is there": {nil, nil, nil},
		"by age, to the instant": {
			[]notify.Entry{ended("older", "a", 90*day+time.Millisecond), ended("just", "a", 90*day), ended("young", "a", day)},
			nil, []string{"older"}},
		"by count, the oldest first": {
			[]notify.Entry{ended("1", "a", 5*day), ended("2", "a", 4*day), ended("3", "a", 3*day), ended("4", "a", 2*day)},
			map[string]Policy{"a": {KeepCount: 2}}, []string{"1", "2"}},
		"each connection for itself": {
			[]notify.Entry{ended("a1", "a", 5*day), ended("b1", "b", 5*day), ended("a2", "a", 4*day), ended("b2", "b", 4*day)},
			map[string]Policy{"a": {KeepCount: 1}, "b": {KeepAge: 10 * day}}, []string{"a1"}},
		"pending ones stay whatever their age": {
			[]notify.Entry{pending("p", 0), ended("1", "a", 5*day)},
			map[string]Policy{"a": {KeepAge: time.Hour, KeepCount: 1}}, []string{"1"}},
		"pending ones do not count": {
			[]notify.Entry{pending("p", 0), pending("q", 0), ended("1", "a", 5*day)},
			map[string]Policy{"a": {KeepCount: 1}}, nil},
		"a TTL passed longer ago than the whole period": {
			[]notify.Entry{pending("long", 91*day), pending("not yet", 89*day), pending("to come", -day)},
			nil, []string{"long"}},
		"kept for ever": {
			[]notify.Entry{pending("p", 9000*day), ended("1", "a", 9000*day)},
			map[string]Policy{"a": {}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			policy := func(connection string) Policy {
				if p, ok := c.policy[connection]; ok {
					return p
				}
				return Defaults
			}
			if got := collect(t, Plan(now, listed(c.entries...), policy)); !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// Proves: R4
func TestPlanKeepsExactlyWhatThePolicyKeeps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policies := map[string]Policy{}
		for _, c := range []string{"a", "b"} {
			policies[c] = Policy{KeepAge: time.Duration(rapid.IntRange(0, 20).Draw(t, "age")) * time.Hour, KeepCount: rapid.IntRange(0, 10).Draw(t, "count")}
		}
		var all []notify.Entry
		for i, n := 0, rapid.IntRange(0, 40).Draw(t, "n"); i < n; i++ {
			e := notify.Entry{ID: fmt.Sprint(i), Connection: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "c"),
				Status:    rapid.SampledFrom([]notify.Status{notify.Pending, notify.Dismissed, notify.Expired}).Draw(t, "s"),
				UpdatedAt: now.Add(-time.Duration(n-i) * time.Hour)}
			if e.Status.Terminal() {
				e.EndedAt = e.UpdatedAt
			} else if rapid.Bool().Draw(t, "ttl") {
				e.Deadline = e.UpdatedAt.Add(time.Hour)
			}
			all = append(all, e)
		}
		gone := collect(t, Plan(now, listed(all...), func(c string) Policy { return policies[c] }))
		if !slices.IsSortedFunc(gone, func(a, b string) int {
			return slices.IndexFunc(all, func(e notify.Entry) bool { return e.ID == a }) - slices.IndexFunc(all, func(e notify.Entry) bool { return e.ID == b })
		}) {
			t.Fatalf("not oldest first: %q", gone)
		}
		newer := map[string]int{} // ended ones of the connection that are newer
		for _, e := range slices.Backward(all) {
			p := policies[e.Connection]
			keep := true
			if e.Status.Terminal() {
				keep = (p.KeepCount == 0 || newer[e.Connection] < p.KeepCount) && (p.KeepAge == 0 || now.Sub(e.EndedAt) <= p.KeepAge)
				newer[e.Connection]++
			} else if !e.Deadline.IsZero() && p.KeepAge > 0 {
				keep = now.Sub(e.Deadline) <= p.KeepAge
			}
			if keep == slices.Contains(gone, e.ID) {
				t.Fatalf("%+v: kept %v, policy %+v", e, !keep, p)
			}
		}
		left := slices.DeleteFunc(slices.Clone(all), func(e notify.Entry) bool { return slices.Contains(gone, e.ID) })
		if again := collect(t, Plan(now, listed(left...), func(c string) Policy { return policies[c] })); again != nil {
			t.Fatalf("a second run takes %q", again)
		}
	})
}

func TestPlanEndsAfterAnError(t *testing.T) {
	broken := func() iter.Seq2[notify.Entry, error] {
		return func(yield func(notify.Entry, error) bool) { yield(notify.Entry{}, errors.New("disk")) }
	}
	n := 0
	for _, err := range Plan(now, broken, func(string) Policy { return Defaults }) {
		n++
		if err == nil {
			t.Error("no error")
		}
	}
	if n != 1 {
		t.Errorf("%d steps", n)
	}
}
