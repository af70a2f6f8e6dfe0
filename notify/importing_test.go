package notify_test

import (
	"strings"
	"testing"

	"signalbox/notify"
)

// Proves: S5, L7. How an imported record ended is told in the words that there are, with an instant.
func TestImportedEndingsAreKnown(t *testing.T) {
	d := newDesk(t)
	for name, spoil := range map[string]func(*notify.Record){
		"/outcome/kind":      func(r *notify.Record) { r.Outcome = &notify.Outcome{Kind: "vanished"} },
		"/interaction/state": func(r *notify.Record) { r.InteractionState = "puzzled" },
	} {
		r := &notify.Record{ID: "ended", Connection: "alpha", Content: yesNo(), Status: notify.Resolved}
		spoil(r)
		e := d.refused(notify.CodeInvalidField, notify.Owner, notify.Import{Records: []*notify.Record{r}})
		if len(e.Fields) != 1 || !strings.HasSuffix(e.Fields[0].Field, name) {
			t.Errorf("%s: %+v", name, e.Fields)
		}
	}
	given := &notify.Record{ID: "ended", Connection: "alpha", Content: notify.Content{Title: "T"}, Status: notify.Resolved, UpdatedAt: start,
		Outcome: &notify.Outcome{Kind: notify.OutcomeResolved}}
	d.ok(notify.Owner, notify.Import{Records: []*notify.Record{given}})
	if r := d.get("ended"); !r.Outcome.At.Equal(r.EndedAt) || r.EndedAt.IsZero() || !given.Outcome.At.IsZero() {
		t.Errorf("it ended at %v, its outcome was at %v; what was given says %v", r.EndedAt, r.Outcome.At, given.Outcome.At)
	}
}
