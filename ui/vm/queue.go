package vm

import (
	"cmp"
	"slices"

	"signalbox/notify"
)

// Queue is what waits for the owner, of all sessions and of none: what is answered here, the longest waiting first (P6), then what
// waits in its terminal. What is set aside, snoozed or muted is not in it.
func Queue(s *Snapshot, m *Memory) []*notify.Record {
	return slices.DeleteFunc(Round(s, m), func(r *notify.Record) bool { return r.SetAsideAt(s.At) })
}

// Round is where the owner is led, one after the other: the queue, and behind it what is set aside.
func Round(s *Snapshot, m *Memory) (out []*notify.Record) {
	seen := map[string]bool{}
	for _, r := range slices.Concat(s.Active(), s.Elsewhere) {
		if seen[r.ID] || m.Dismissals.Hides(r) || !r.Asks() || !notify.PlaceOf(r, s.At).Front() {
			continue
		}
		seen[r.ID] = true
		out = append(out, r)
	}
	slices.SortFunc(out, func(a, b *notify.Record) int {
		return cmp.Or(cmp.Compare(lineRank(a, s.At), lineRank(b, s.At)), a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// Sweep is what can be done at once with the items of a connection.
type Sweep struct {
	Dismiss, Unread []*notify.Record
	Left, Running   int // how many dismissing leaves waiting (I7), or going on
}

// SweepOf is what can be done with what is known of a connection. What is snoozed or muted is out of the way already.
func SweepOf(s *Snapshot, m *Memory, connection string) (w Sweep) {
	seen := map[string]bool{}
	for _, r := range slices.Concat(s.Active(), s.Elsewhere) {
		if r.Connection != connection || seen[r.ID] || m.Dismissals.Hides(r) || !notify.PlaceOf(r, s.At).Front() {
			continue
		}
		seen[r.ID] = true
		switch {
		case Running(r):
			w.Running++
		case Dismissible(r, s.At):
			w.Dismiss = append(w.Dismiss, r)
		case r.Waiting():
			w.Left++
		}
		if !r.Read {
			w.Unread = append(w.Unread, r)
		}
	}
	return w
}
