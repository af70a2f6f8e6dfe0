package vm

import (
	"slices"

	"signalbox/notify"
)

// foldFrom is how many plain items of one sender have a card each; what is older is one row, where that is more than one.
const foldFrom = 3

// Fold is the row of the older plain items of one sender, which unfolds.
type Fold struct {
	Key    string // of the sender, for Memory.Unfolded
	From   string // who it is, for people
	Count  int
	Clear  int // how many of them can be dismissed
	Unread int
	Open   bool
}

// FoldKey tells whose plain item r is; empty: it is none, and always has a card: what asks, fails, runs, is kept in place or can be
// acted on is not buried.
func FoldKey(r *notify.Record) string {
	if r.Kind != notify.KindNotice || r.Asks() || len(r.Actions) > 0 || calls(r) || r.Severity == notify.SeverityError || r.Severity == notify.SeverityCritical {
		return ""
	}
	return r.Connection + "\x00" + r.Session + "\x00" + r.Sender
}

// FoldID is the id of the row of a sender.
func FoldID(key string) string { return foldPrefix + key }

const foldPrefix = "fold:"

// FoldedOf are the items that the row of a sender stands for, of what is shown, in its order.
func FoldedOf(shown []*notify.Record, key string) (out []*notify.Record) {
	n := 0
	for _, r := range shown {
		if FoldKey(r) == key {
			if n++; n > foldFrom {
				out = append(out, r)
			}
		}
	}
	return out
}

// folded lays out the newest: of the plain items of one sender only the first few have cards, until the owner unfolds them. The
// row that stands for the others is where the first of them would be (P6).
func (v *RailView) folded(s *Snapshot, m *Memory, list []*notify.Record) {
	count, seen := map[string]int{}, map[string]int{}
	for _, r := range list {
		count[FoldKey(r)]++
	}
	for i, r := range list {
		key := FoldKey(r)
		if key == "" || count[key] <= foldFrom+1 {
			v.cards(s, m, list[i:i+1])
			continue
		}
		seen[key]++
		if seen[key] == foldFrom+1 {
			f := &Fold{Key: key, From: OrID(r.Sender, s.ConnectionLabel(r.Connection)), Open: m.Unfolded[key]}
			for _, o := range FoldedOf(list, key) {
				f.Count++
				if Dismissible(o, s.At) {
					f.Clear++
				}
				if !o.Read {
					f.Unread++
				}
			}
			v.Rows = append(v.Rows, Row{Kind: RowFold, ID: FoldID(key), Fold: f})
		}
		if seen[key] <= foldFrom || m.Unfolded[key] {
			v.cards(s, m, list[i:i+1])
		}
	}
}

// Has reports whether a row has an id.
func (v *RailView) Has(id string) bool {
	return slices.ContainsFunc(v.Rows, func(r Row) bool { return r.ID == id })
}
