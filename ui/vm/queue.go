package vm

import (
	"cmp"
	"slices"

	"signalbox/notify"
)

// Queue is what waits for the owner, of all sessions and of none: what is answered here, the longest waiting first (P6), then what
// waits in its terminal. What is set aside, snoozed or muted is not in it.
func Queue(s *Snapshot, m *Memory) (out []*notify.Record) {
	seen := map[string]bool{}
	for _, r := range slices.Concat(s.Active(), s.Elsewhere) {
		if seen[r.ID] || r.SetAsideAt(s.At) || m.Dismissals.Hides(r) || !r.Asks() || !notify.PlaceOf(r, s.At).Front() {
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

// OfConnection are the items of a connection that can be dismissed, but for work that goes on, and those that are not read, of
// what is known. What is snoozed or muted is out of the way already.
func OfConnection(s *Snapshot, m *Memory, connection string) (dismiss, unread []*notify.Record) {
	seen := map[string]bool{}
	for _, r := range slices.Concat(s.Active(), s.Elsewhere) {
		if r.Connection != connection || seen[r.ID] || m.Dismissals.Hides(r) || !notify.PlaceOf(r, s.At).Front() {
			continue
		}
		seen[r.ID] = true
		if Dismissible(r, s.At) && !Running(r) {
			dismiss = append(dismiss, r)
		}
		if !r.Read {
			unread = append(unread, r)
		}
	}
	return dismiss, unread
}
