package ui

import (
	"strings"
	"testing"
	"time"

	"signalbox/notify"
)

// An answer that is fetched after the detail showed how the question ended is shown as fetched.
func TestTheDetailSaysThatAnAnswerWasFetched(t *testing.T) {
	// Proves: I9
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", nil)
		r := d.show()
		r.openDetail(q)
		d.wait(time.Second)
		x := d.record(q)
		d.do(notify.AnswerOp{ID: q, Expect: notify.Expectation{Expect: true, Revision: x.Revision}, Answer: notify.Answer{Option: x.Interaction.Options[0].ID}})
		d.wait(time.Second)
		if got := texts(r.detail.col); !strings.Contains(got, d.u.t("answer.kept")) {
			t.Fatalf("after the answer: %q", got)
		}
		if _, err := d.f.Do(t.Context(), notify.Producer("claude"), notify.DeliverAnswer{ID: q}); err != nil {
			t.Fatal(err)
		}
		d.wait(time.Second)
		if got := texts(r.detail.col); strings.Contains(got, d.u.t("answer.kept")) || !strings.Contains(got, d.u.t("answer.delivered")) {
			t.Errorf("after it was fetched: %q", got)
		}
	})
}
