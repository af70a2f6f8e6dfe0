package vm_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

func note(id string, revision int) *notify.Record {
	return sample.Record(id, "claude", "", time.Minute, "Title "+id, func(r *notify.Record) { r.Revision = revision })
}

var later = func(d time.Duration) time.Time { return sample.Now.Add(d) }

// The view that dismisses hides that exact revision at once; a newer one is shown as usual.
//
// Proves: D3
func TestADismissedRevisionIsHiddenAtOnceAndNoOther(t *testing.T) {
	var c vm.Dismissals
	c.Hold(note("a", 3), sample.Now)
	for _, test := range []struct {
		name string
		r    *notify.Record
		want bool
	}{
		{"that revision", note("a", 3), true},
		{"a newer revision", note("a", 4), false},
		{"an older revision", note("a", 2), false},
		{"another item", note("b", 3), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := c.Hides(test.r); got != test.want {
				t.Errorf("hidden: got %v, want %v", got, test.want)
			}
		})
	}
}

// Proves: L7, D3
func TestAnImportedRecordIsHiddenByItsInstant(t *testing.T) {
	var c vm.Dismissals
	r := note("a", 0)
	c.Hold(r, sample.Now)
	if !c.Hides(r) {
		t.Error("the record itself is shown")
	}
	if op := c.Flush(sample.Now)[0].Op(); op.Expect.Revision != 0 || !op.Expect.UpdatedAt.Equal(r.UpdatedAt) || !op.Expect.Expect {
		t.Errorf("the request expects %+v", op.Expect)
	}
	moved := *r
	moved.UpdatedAt = r.UpdatedAt.Add(time.Second)
	if c.Hides(&moved) {
		t.Error("a later state of it is hidden")
	}
	first := note("a", 1)
	if c.Hides(first) {
		t.Error("its first revision is hidden")
	}
}

// Proves: D1
func TestTheRequestIsHeldForUndoAndThenSentForTheRevisionSeen(t *testing.T) {
	var c vm.Dismissals
	c.Hold(note("a", 3), sample.Now)
	if due := c.Due(later(vm.UndoFor - time.Millisecond)); len(due) != 0 {
		t.Fatalf("sent too early: %v", due)
	}
	due := c.Due(later(vm.UndoFor))
	if len(due) != 1 || due[0].Op() != (notify.Dismiss{ID: "a", Expect: notify.Expectation{Expect: true, Revision: 3}}) {
		t.Fatalf("got %+v", due)
	}
	if again := c.Due(later(time.Hour)); len(again) != 0 {
		t.Errorf("sent twice: %v", again)
	}
	if c.Undo("a") {
		t.Error("undone after it was sent")
	}
}

func TestUndoShowsItAgainAndSendsNothing(t *testing.T) {
	var c vm.Dismissals
	c.Hold(note("a", 3), sample.Now)
	if !c.Undo("a") || c.Hides(note("a", 3)) {
		t.Error("still hidden")
	}
	if due := c.Due(later(time.Hour)); len(due) != 0 {
		t.Errorf("sent: %v", due)
	}
}

// If the request fails it stays hidden, and the same request is sent again when that revision is seen again.
//
// Proves: D3
func TestWhatBecomesOfARequest(t *testing.T) {
	for _, test := range []struct {
		name           string
		code           notify.Code
		hidden, told   bool
		againWhenSeen  bool
		againAtOnceToo bool
	}{
		{name: "it succeeded", code: "", hidden: true},
		{name: "the center could not", code: notify.CodeUnavailable, hidden: true, againWhenSeen: true},
		{name: "the disk is full", code: notify.CodeStorageFull, hidden: true, againWhenSeen: true},
		{name: "nobody knows", code: notify.CodeInternal, hidden: true, againWhenSeen: true},
		{name: "it was stale", code: notify.CodeRevisionConflict},
		{name: "it was over", code: notify.CodeTerminal},
		{name: "it waits for an answer", code: notify.CodeInteractionActive, told: true},
		{name: "it cannot be dismissed", code: notify.CodeNotDismissible, told: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c vm.Dismissals
			r := note("a", 3)
			c.Hold(r, sample.Now)
			sent := c.Due(later(vm.UndoFor))[0]
			if told := c.Result(sent, test.code, later(vm.UndoFor)); told != test.told {
				t.Errorf("told: got %v, want %v", told, test.told)
			}
			if got := c.Hides(r); got != test.hidden {
				t.Errorf("hidden: got %v, want %v", got, test.hidden)
			}
			if now := c.Seen([]*notify.Record{r}, later(vm.UndoFor)); len(now) != 0 {
				t.Errorf("sent again at once: %v", now)
			}
			again := c.Seen([]*notify.Record{r}, later(time.Minute))
			if (len(again) == 1) != test.againWhenSeen {
				t.Errorf("sent again: got %v, want %v", again, test.againWhenSeen)
			}
			if len(again) == 1 && again[0].Op() != sent.Op() {
				t.Errorf("another request: %+v", again[0].Op())
			}
		})
	}
}

// Proves: D3
func TestANewerRevisionMakesTheEntryObsolete(t *testing.T) {
	var c vm.Dismissals
	c.Hold(note("a", 3), sample.Now)
	if again := c.Seen([]*notify.Record{note("a", 4)}, sample.Now); len(again) != 0 {
		t.Errorf("sent: %v", again)
	}
	if due := c.Due(later(time.Hour)); len(due) != 0 {
		t.Errorf("the stale dismissal was sent: %v", due)
	}
	if c.Hides(note("a", 3)) || c.Hides(note("a", 4)) {
		t.Error("something is still hidden")
	}
}

func TestASnapshotFromBeforeTheConfirmationStaysHidden(t *testing.T) {
	var c vm.Dismissals
	r := note("a", 3)
	c.Hold(r, sample.Now)
	c.Result(c.Flush(sample.Now)[0], "", sample.Now)
	c.Seen([]*notify.Record{r}, later(time.Second))
	if !c.Hides(r) {
		t.Error("it flickered")
	}
	c.Seen(nil, later(time.Hour))
	if c.Hides(r) {
		t.Error("the entry is kept for ever")
	}
}

// A cache that is restored holds identity, scope, revision and retry data only, and sends again what was not confirmed.
//
// Proves: D4
func TestTheCacheSurvivesARestartWithoutContent(t *testing.T) {
	var c vm.Dismissals
	r := note("a", 3)
	r.Body = "SECRET BODY"
	c.Hold(r, sample.Now)
	c.Hold(note("b", 1), sample.Now)
	c.Result(c.Due(later(vm.UndoFor))[1], "", sample.Now) // b is confirmed
	saved, err := json.Marshal(c.Save())
	if err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"SECRET", "Title", "title", "body"} {
		if strings.Contains(string(saved), content) {
			t.Errorf("content is kept: %s", saved)
		}
	}
	var list []vm.Dismissal
	if err := json.Unmarshal(saved, &list); err != nil {
		t.Fatal(err)
	}
	var d vm.Dismissals
	d.Restore(list)
	if !d.Hides(r) || d.Hides(note("b", 1)) {
		t.Error("the restored cache hides something else")
	}
	if again := d.Seen([]*notify.Record{r}, later(time.Minute)); len(again) != 1 || again[0].Op() != list[0].Op() {
		t.Errorf("sent again: %v", again)
	}
}

// Whatever happens, a revision that was never dismissed here is never hidden, and no request names a
// revision that the owner did not see.
//
// Proves: D1, D3, L6
func TestDismissalsProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var c vm.Dismissals
		now := sample.Now
		held := map[string]map[int]bool{}
		current := map[string]int{"a": 1, "b": 1}
		check := func(list []vm.Dismissal) {
			for _, d := range list {
				if !held[d.ID][d.Revision] {
					t.Fatalf("sent for a revision that was not dismissed: %+v", d)
				}
			}
		}
		var sent []vm.Dismissal
		t.Repeat(map[string]func(*rapid.T){
			"dismiss": func(t *rapid.T) {
				id := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id")
				if held[id] == nil {
					held[id] = map[int]bool{}
				}
				held[id][current[id]] = true
				c.Hold(note(id, current[id]), now)
				if !c.Hides(note(id, current[id])) {
					t.Fatal("not hidden at once")
				}
			},
			"undo": func(t *rapid.T) {
				id := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id")
				if c.Undo(id) {
					delete(held[id], current[id])
				}
			},
			"revise": func(t *rapid.T) { current[rapid.SampledFrom([]string{"a", "b"}).Draw(t, "id")]++ },
			"wait": func(t *rapid.T) {
				now = now.Add(time.Duration(rapid.IntRange(0, 12).Draw(t, "s")) * time.Second)
				due := c.Due(now)
				check(due)
				sent = append(sent, due...)
			},
			"see": func(t *rapid.T) {
				again := c.Seen([]*notify.Record{note("a", current["a"]), note("b", current["b"])}, now)
				check(again)
				sent = append(sent, again...)
			},
			"answer": func(t *rapid.T) {
				if len(sent) == 0 {
					return
				}
				d := sent[0]
				sent = sent[1:]
				code := rapid.SampledFrom([]notify.Code{"", notify.CodeUnavailable, notify.CodeRevisionConflict, notify.CodeNotDismissible}).Draw(t, "code")
				c.Result(d, code, now)
			},
			"": func(t *rapid.T) {
				for id, rev := range current {
					if c.Hides(note(id, rev)) && !held[id][rev] {
						t.Fatalf("%s revision %d is hidden and was never dismissed", id, rev)
					}
				}
			},
		})
	})
}

func TestWhatIsNeverSeenAgainDoesNotPileUp(t *testing.T) {
	var c vm.Dismissals
	for i := range 700 {
		c.Hold(note(fmt.Sprintf("id-%04d", i), 1), sample.Now)
	}
	if list := c.Save(); len(list) != 500 || list[499].ID != "id-0699" {
		t.Errorf("%d are kept", len(list))
	}
}
