package vm_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// chatty has, of one sender, 300 plain items, among them an error, one with an action and a question, and an older critical one of
// another.
func chatty() *vm.Snapshot {
	s := busy()
	s.Rail, s.Elsewhere, s.Focus, s.Sessions = notify.Rail{}, nil, notify.SessionRef{}, nil
	for i := range 300 {
		s.Rail.Application = append(s.Rail.Application, sample.Record(fmt.Sprintf("n-%03d", i), "ci", "", time.Duration(i+1)*time.Second, fmt.Sprint("Warning ", i), func(r *notify.Record) {
			r.Sender, r.Severity, r.Read = "nightly build", notify.SeverityWarning, i%2 == 0
			switch i {
			case 50:
				r.Severity = notify.SeverityError
			case 60:
				r.Actions = []notify.Action{{ID: "a", Label: "Do"}}
			case 70:
				r.Dismissible = false
			}
		}))
	}
	s.Rail.Application = append(s.Rail.Application,
		sample.Record("critical", "ci", "", time.Hour, "Disk full", func(r *notify.Record) { r.Severity = notify.SeverityCritical }),
		sample.Record("other", "codex", "", 2*time.Hour, "Of another", nil))
	return s
}

// Of one sender's plain items the newest three have cards and one row stands for the others, where the first of them would be; what
// calls for the owner always has its own. The numbers count each.
//
// Proves: P5, P6
func TestManyPlainItemsAreFolded(t *testing.T) {
	s, m := chatty(), &vm.Memory{}
	var rows []string
	var fold *vm.Fold
	v := vm.Rail(s, m, vm.RailFilter{})
	for _, r := range v.Rows {
		if r.Fold != nil {
			fold = r.Fold
		}
		rows = append(rows, r.ID)
	}
	if fold == nil {
		t.Fatalf("rows %v", rows)
	}
	if want := []string{"head.latest", "n-000", "n-001", "n-002", vm.FoldID(fold.Key), "n-050", "n-060", "critical", "other"}; !slices.Equal(rows, want) {
		t.Errorf("rows %v", rows)
	}
	if fold.Count != 295 || fold.Clear != 294 || fold.Unread != 149 || fold.From != "nightly build" || fold.Open {
		t.Errorf("it says %+v", fold)
	}
	if v.Tabs[0].Count != 302 || v.Rows[0].Count != 302 || len(v.Shown) != 302 || v.Clearable != 301 {
		t.Errorf("tab %d, head %d, shown %d, to be dismissed %d", v.Tabs[0].Count, v.Rows[0].Count, len(v.Shown), v.Clearable)
	}
	if got := vm.FoldedOf(v.Shown, fold.Key); len(got) != 295 || got[0].ID != "n-003" {
		t.Errorf("it stands for %d", len(got))
	}
	m.Unfolded = map[string]bool{fold.Key: true}
	if v := vm.Rail(s, m, vm.RailFilter{}); len(v.Rows) != 304 || v.Rows[4].Fold == nil || !v.Rows[4].Fold.Open || v.Rows[5].ID != "n-003" {
		t.Errorf("unfolded there are %d rows", len(v.Rows))
	}
	m.Unfolded = nil
	if v := vm.Rail(s, m, vm.RailFilter{Text: "warning"}); len(v.Rows) != 301 {
		t.Errorf("a search finds %d rows", len(v.Rows))
	}
	s.Rail.Application = s.Rail.Application[:4]
	if v := vm.Rail(s, m, vm.RailFilter{}); len(v.Rows) != 5 {
		t.Errorf("of four %d rows", len(v.Rows))
	}
}

// Two senders are two, however their names are put together.
func TestSendersAreToldApart(t *testing.T) {
	of := func(session, sender string) string {
		return vm.FoldKey(sample.Record("n", "ci", session, 0, "N", func(r *notify.Record) { r.Sender = sender }))
	}
	if a, b := of("a/b", ""), of("a", "b/"); a == b || a != of("a/b", "") {
		t.Errorf("%q and %q", a, b)
	}
}
