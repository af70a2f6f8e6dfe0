package delivery

import (
	"testing"

	"signalbox/notify"
)

// What happened is said in words that are true: what waits in a terminal has no mere news.
func TestHappened(t *testing.T) {
	asks := &notify.Event{Type: notify.EventClarificationRequested, Occurrence: "1"}
	waiting := func(kind string) *notify.Record {
		return &notify.Record{Status: notify.Pending, InteractionState: notify.InteractionWaiting, Content: notify.Content{Kind: notify.KindInteraction,
			Event: asks, Interaction: &notify.Interaction{Kind: kind}}}
	}
	for _, c := range []struct {
		name string
		r    *notify.Record
		want string
	}{
		{"a question", waiting("question"), "waits for your answer"},
		{"a permission", waiting("permission"), "asks for permission"},
		{"a plan", waiting("plan_approval"), "waits for your approval of a plan"},
		{"in its terminal", &notify.Record{Status: notify.Pending, Content: notify.Content{Severity: notify.SeverityWarning, Event: asks}}, "waits in its terminal"},
		{"over", &notify.Record{Status: notify.Resolved, Content: notify.Content{Severity: notify.SeverityWarning, Event: asks}}, "has news"},
		{"a failure", &notify.Record{Status: notify.Pending, Content: notify.Content{Severity: notify.SeverityError}}, "failed"},
		{"a notice", &notify.Record{Status: notify.Pending}, "has news"},
	} {
		if got := happened(c.r, english); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
