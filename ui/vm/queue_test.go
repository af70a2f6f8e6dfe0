package vm_test

import (
	"slices"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

func idsOf(list []*notify.Record) (out []string) {
	for _, r := range list {
		out = append(out, r.ID)
	}
	return out
}

// What waits is queued by how long it does, of whatever session, what waits in its terminal last; what is set aside, snoozed or over
// is not in it. The round that the keys go has what is set aside at its end.
//
// Proves: P6, I7
func TestTheQueueIsWhatWaitsHere(t *testing.T) {
	s := elsewhereDesk()
	s.Rail, s.Kept = notify.Rail{}, nil
	if got := idsOf(vm.Queue(s, &vm.Memory{})); !slices.Equal(got, []string{"e-asks"}) {
		t.Errorf("queued %v", got)
	}
	asks := func(r *notify.Record) {
		r.Kind, r.Interaction = notify.KindInteraction, &notify.Interaction{Prompt: "?"}
	}
	s.Rail.Application = []*notify.Record{sample.Record("old", "ci", "", time.Hour, "Old?", asks), sample.Record("new", "ci", "", time.Second, "New?", asks),
		sample.Record("later", "ci", "", time.Hour, "Later?", func(r *notify.Record) { asks(r); r.SnoozeUntil = sample.Now.Add(time.Hour) })}
	s.Elsewhere = append(s.Elsewhere, sample.Record("terminal", "codex", "c-1", 2*time.Hour, "Waits there", func(r *notify.Record) {
		r.Event = &notify.Event{Type: notify.EventClarificationRequested}
	}))
	if got := idsOf(vm.Queue(s, &vm.Memory{})); !slices.Equal(got, []string{"old", "e-asks", "new", "terminal"}) {
		t.Errorf("queued %v", got)
	}
	s.Rail.Application = append(s.Rail.Application, sample.Record("aside", "ci", "", 3*time.Hour, "Aside?", func(r *notify.Record) {
		asks(r)
		r.SetAsideUntil = notify.SetAsideForever
	}))
	if got := idsOf(vm.Round(s, &vm.Memory{})); !slices.Equal(got, []string{"old", "e-asks", "new", "terminal", "aside", "e-aside"}) {
		t.Errorf("round %v", got)
	}
}

// What can be done with all of an agent leaves work that goes on, what waits, and what is hidden already.
//
// Proves: D3, D6, I2
func TestAllOfAnAgent(t *testing.T) {
	s := chatty()
	m := &vm.Memory{}
	w := vm.SweepOf(s, m, "ci")
	dismiss, unread := w.Dismiss, w.Unread
	if len(dismiss) != 300 || slices.Contains(idsOf(dismiss), "n-070") || slices.Contains(idsOf(dismiss), "other") || len(unread) != 151 {
		t.Errorf("%d to be dismissed, %d unread", len(dismiss), len(unread))
	}
	m.Dismissals.Hold(dismiss[0], sample.Now)
	if after := vm.SweepOf(s, m, "ci").Dismiss; len(after) != 299 {
		t.Errorf("with one dismissed %d", len(after))
	}
	s = busy()
	for _, r := range s.Rail.Application {
		if vm.Running(r) || r.Waiting() {
			if got := vm.SweepOf(s, m, r.Connection); slices.Contains(idsOf(got.Dismiss), r.ID) || got.Left+got.Running == 0 {
				t.Errorf("%s would be dismissed, or is not counted: %d, %d", r.ID, got.Left, got.Running)
			}
		}
	}
}
