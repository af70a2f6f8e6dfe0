package vm_test

import (
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// answered is a permission that the owner answered with an option.
func answered(option string) *notify.Record {
	r := sample.Permission()
	r.Severity, r.Status, r.InteractionState = notify.SeverityWarning, notify.Resolved, ""
	r.Interaction.Options = []notify.Option{{ID: "allow", Label: "Allow once"}, {ID: "deny", Label: "Deny", Style: "danger"}, {ID: "later", Label: "Later"}}
	r.Outcome = &notify.Outcome{Kind: notify.OutcomeAnswered, By: "owner", At: sample.Now, Answer: &notify.Answer{Option: option}}
	return r
}

// A permission stays one when it is over, and its colour is what was chosen.
func TestAnAnsweredPermissionStaysAPermission(t *testing.T) {
	// Proves: I2, P3
	for option, tone := range map[string]vm.Tone{"allow": vm.ToneSuccess, "deny": vm.ToneError, "later": vm.ToneSuccess} {
		r := answered(option)
		r.AnswerDelivered = true
		s := vm.SignOf(r)
		if s.Icon != "permission" || s.Word != vm.M("ask.permission") || s.Tone != tone {
			t.Errorf("%s: %+v", option, s)
		}
		if d := vm.DetailOf(r, vm.DetailInput{Snapshot: &vm.Snapshot{}, Now: sample.Now}); d.Outcome.Tone != tone {
			t.Errorf("%s: its box is %s", option, d.Outcome.Tone)
		}
	}
	r := answered("")
	r.Outcome = &notify.Outcome{Kind: notify.OutcomeTimedOut, By: "center", At: sample.Now}
	if s := vm.SignOf(r); s.Icon != "permission" || s.Tone != vm.ToneWarning {
		t.Errorf("timed out: %+v", s)
	}
}

// Reading an item moves neither its time nor is what moved it in the list hidden.
func TestAHistoryRowSaysWhenItHappened(t *testing.T) {
	// Proves: P3
	r := note("a", 1)
	r.CreatedAt, r.ContentAt = sample.Now.Add(-time.Hour), sample.Now.Add(-time.Hour)
	r.UpdatedAt = r.ContentAt.Add(10 * time.Second)
	s := &vm.Snapshot{}
	happened := vm.Stamp(sample.Now, r.ContentAt)
	if row := vm.HistoryRowOf(r, s, sample.Now); row.When != happened || row.Changed != "" && row.Changed != vm.Stamp(sample.Now, r.UpdatedAt) {
		t.Errorf("%q, %q", row.When, row.Changed)
	}
	r.UpdatedAt = sample.Now
	if row := vm.HistoryRowOf(r, s, sample.Now); row.When != happened || row.Changed != vm.Stamp(sample.Now, sample.Now) {
		t.Errorf("after it was read: %q, %q", row.When, row.Changed)
	}
}

// What was taken from the screen says what took it away.
func TestTheTraceSaysWhatTookItDown(t *testing.T) {
	// Proves: A11
	r := note("a", 1)
	at := sample.Now.Add(-time.Minute)
	row := notify.Delivery{Provider: "toast", State: notify.DeliveryWithdrawn, Reason: "ended: it left the front", At: at}
	of := func(r *notify.Record, row notify.Delivery, changes ...notify.Change) vm.Msg {
		return vm.DetailOf(r, vm.DetailInput{Snapshot: &vm.Snapshot{}, Now: sample.Now, Deliveries: []notify.Delivery{row}, Changes: changes}).Trace[0].Why
	}
	read := notify.Change{Name: notify.EvRead, At: at, Record: r}
	aside := *r
	aside.SetAsideUntil = notify.SetAsideForever
	later := notify.Change{Name: notify.EvMuted, At: sample.Now, Record: r}
	if got := of(r, row, read, later); got != vm.M("down.read") {
		t.Errorf("read: %v", got)
	}
	if got := of(r, row, read, notify.Change{Name: notify.EvSnoozed, At: at, Record: &aside}); got != vm.M("down.aside") {
		t.Errorf("set aside: %v", got)
	}
	row.Reason = "ended: it ended"
	if got := of(answered("allow"), row); got != vm.M("down.answered") {
		t.Errorf("answered: %v", got)
	}
}
