package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

func TestNothingRunsBeforeAWindowIsShown(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		for i := range 50 {
			d.notice(fmt.Sprint("n", i))
		}
		d.wait(10 * time.Second)
		if d.f.reads != 0 || d.f.queries != 0 {
			t.Errorf("%d reads and %d queries without a window", d.f.reads, d.f.queries)
		}
		if d.u.Visible() {
			t.Error("visible")
		}
	})
}

// A view that is newly opened loads from the center.
//
// Proves: D5
func TestShowingLoadsFreshState(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		d.show()
		d.wantShown("a")
		d.u.Hide()
		d.settle()
		d.do(notify.Dismiss{ID: a, Expect: notify.Expectation{Expect: true, Revision: 1}})
		d.notice("b")
		before := d.f.reads
		d.wait(5 * time.Second)
		if d.f.reads != before {
			t.Error("a hidden window reads")
		}
		d.show()
		d.wantShown("b")
	})
}

// A burst of changes is a few refreshes.
func TestABurstIsAppliedInAFewRefreshes(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.show()
		before := d.f.reads
		for i := range 1000 {
			d.notice(fmt.Sprint("k", i%40))
		}
		d.wait(time.Second)
		if n := d.f.reads - before; n > 4 || n < 1 {
			t.Errorf("%d refreshes", n)
		}
		if len(d.shown()) != 40 {
			t.Errorf("%d are shown", len(d.shown()))
		}
	})
}

// What comes while something else has just been shown does not wait for as long as a burst does, in which there are few
// refreshes however long it lasts.
func TestTheSecondRowIsShownSoon(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.show()
		d.wait(time.Second)
		d.notice("a")
		d.settle()
		d.wantShown("a")
		d.notice("b")
		d.wait(RefreshEvery/2 + time.Millisecond)
		d.wantShown("a", "b")
		d.wait(time.Second)
		before := d.f.reads
		for i := range 600 {
			d.notice(fmt.Sprint("k", i%40))
			d.wait(time.Millisecond)
		}
		if n := d.f.reads - before; n > 10 {
			t.Errorf("%d refreshes in 600 ms", n)
		}
		d.wait(RefreshEvery)
		if len(d.shown()) != 42 {
			t.Errorf("%d are shown", len(d.shown()))
		}
	})
}

// The view hides at once, holds the request while it can be undone, and then sends it for the revision seen.
//
// Proves: D1, D3
func TestDismissalHidesAtOnceAndIsSentLater(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		r.dismiss(a)
		d.wantShown()
		if len(sent[notify.Dismiss](d.f)) != 0 {
			t.Error("sent before it can no longer be undone")
		}
		d.wait(vm.UndoFor + time.Second)
		if got := sent[notify.Dismiss](d.f); len(got) != 1 || got[0].Expect.Revision != 1 {
			t.Errorf("sent %+v", got)
		}
		if d.record(a).Status != notify.Dismissed {
			t.Error("not dismissed")
		}
	})
}

func TestUndo(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		r.dismiss(a)
		d.wait(2 * time.Second)
		r.typedRune('u')
		d.settle()
		d.wantShown("a")
		d.wait(10 * time.Second)
		if len(sent[notify.Dismiss](d.f)) != 0 || d.record(a).Status != notify.Pending {
			t.Error("it was sent all the same")
		}
	})
}

// Proves: D3, L6
func TestARevisionThatArrivesMeanwhileIsShownAndTheStaleRequestNotSent(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		r.dismiss(a)
		d.wantShown()
		d.do(notify.Publish{Connection: "claude", Key: "a", Content: notify.Content{Title: "a", Body: "more"}})
		d.wait(time.Second)
		d.wantShown("a")
		d.wait(10 * time.Second)
		if n := len(sent[notify.Dismiss](d.f)); n != 0 {
			t.Errorf("%d requests", n)
		}
		if c := r.feed.Card(a); c == nil {
			t.Error("not in view")
		}
	})
}

// If the request fails, it stays hidden and the same request is sent again when that revision is seen again.
//
// Proves: D3
func TestAFailedDismissalStaysHiddenAndIsSentAgain(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		d.f.fail = func(op notify.Op) error {
			if _, ok := op.(notify.Dismiss); ok {
				return notify.Errorf(notify.CodeUnavailable, "Not now.")
			}
			return nil
		}
		r.dismiss(a)
		d.wait(7 * time.Second)
		d.wantShown()
		d.f.mu.Lock()
		d.f.fail = nil
		d.f.mu.Unlock()
		d.wait(6 * time.Second)
		d.notice("b") // anything makes the view look again
		d.wait(time.Second)
		d.wantShown("b")
		if got := sent[notify.Dismiss](d.f); len(got) != 2 || got[0] != got[1] || d.record(a).Status != notify.Dismissed {
			t.Errorf("sent %+v; it is %s", got, d.record(a).Status)
		}
	})
}

// Proves: D3, D4
func TestTheDismissalCacheSurvivesARestart(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		r.dismiss(a)
		saved := d.app.Preferences().String(prefDismissals)
		if !strings.Contains(saved, a) || strings.Contains(saved, "title") {
			t.Errorf("saved: %s", saved)
		}
		o := d.u.o
		d.u.stop()
		d.settle()
		d.u.wg.Wait()
		d.u = New(d.app, &lineTo{fake: d.f}, o)
		d.u.Start()
		d.show()
		d.wantShown()
		d.wait(time.Second)
		if d.record(a).Status != notify.Dismissed {
			t.Error("the request was lost")
		}
	})
}

// Hiding the window sends what is held: nobody can undo it any more.
func TestHidingSendsWhatIsHeld(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		r.dismiss(a)
		r.hide()
		d.settle()
		if d.record(a).Status != notify.Dismissed {
			t.Error("not sent")
		}
	})
}

func TestQuittingSendsWhatIsHeldFirst(t *testing.T) {
	quit := false
	onDesk(t, Options{Quit: func() { quit = true }}, func(d *desk) {
		a := d.notice("a")
		d.show().dismiss(a)
		d.u.Quit()
		d.settle()
		if !quit || d.record(a).Status != notify.Dismissed {
			t.Errorf("quit %v, status %s", quit, d.record(a).Status)
		}
	})
}

// Selecting marks read, and does nothing else.
//
// Proves: A7
func TestSelectingMarksRead(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		ops := len(d.f.ops)
		r.openNext()
		d.settle()
		if x := d.record(a); !x.Read || x.Revision != 1 || x.Status != notify.Pending {
			t.Errorf("got %+v", x)
		}
		if n := len(d.f.ops) - ops; n != 1 {
			t.Errorf("%d commands", n)
		}
		if !r.detail.open() {
			t.Error("no detail")
		}
	})
}

// Answered in place: by mouse and by key, but not in the first 700 ms.
//
// Proves: I4
func TestAnsweringInPlace(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", nil)
		r := d.show()
		b := button(t, r.feed.Card(q), "Allow")
		test.Tap(b)
		d.settle()
		if len(sent[notify.AnswerOp](d.f)) != 0 {
			t.Fatal("answered by a press that was meant for something else")
		}
		d.wait(widgets.InertFor)
		r.openNext()
		d.wait(widgets.InertFor) // selecting may have opened the card, which moves its buttons
		d.typeOn(r, "1")
		d.typeOn(r, "1")
		got := sent[notify.AnswerOp](d.f)
		if len(got) != 1 || got[0].Answer.Option != "allow" || !got[0].Expect.Expect || got[0].Expect.Revision != 1 {
			t.Fatalf("sent %+v", got)
		}
		if x := d.record(q); x.Outcome.Kind != notify.OutcomeAnswered {
			t.Errorf("outcome %+v", x.Outcome)
		}
	})
}

// An option that needs a comment opens the form; what does not fit is said in the form and not sent.
//
// Proves: I1, I3
func TestAFormIsCheckedBeforeItIsSent(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", nil)
		r := d.show()
		d.wait(time.Second)
		test.Tap(button(t, r.feed.Card(q), "Deny…"))
		d.settle()
		if r.form == nil || r.drafts[q].Option != "deny" {
			t.Fatalf("no form: %+v", r.drafts)
		}
		r.form.OnSend(r.drafts[q])
		d.settle()
		if len(sent[notify.AnswerOp](d.f)) != 0 {
			t.Error("an answer without its comment was sent")
		}
		draft := r.drafts[q]
		draft.Comment = "not on Friday"
		r.form.OnSend(draft)
		d.wait(time.Second)
		if x := d.record(q); x.Outcome == nil || x.Outcome.Answer.Comment != "not on Friday" {
			t.Errorf("outcome %+v", x.Outcome)
		}
		if r.form != nil {
			t.Error("the form is still open")
		}
	})
}

// What is typed survives a new revision of what was asked.
func TestATypedAnswerSurvivesARevision(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		publish := func(body string) notify.Result {
			return d.do(notify.Publish{Connection: "claude", Key: "q", Content: notify.Content{Kind: notify.KindInteraction, Title: "What now?", Body: body,
				Interaction: &notify.Interaction{Kind: "question", Prompt: "What now?"}}})
		}
		q := publish("one").Record.ID
		r := d.show()
		r.openForm(r.record(q), "", 0)
		r.form.OnChange(vm.Draft{Comment: "half a sen"})
		publish("two")
		d.wait(time.Second)
		if r.form == nil || r.drafts[q].Comment != "half a sen" || r.formRev != 2 {
			t.Errorf("form %v, draft %+v, revision %d", r.form != nil, r.drafts[q], r.formRev)
		}
	})
}

// Esc and "clear all" set aside or leave waiting; they never answer and never deny.
//
// Proves: I7
func TestClosingNeverAnswers(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", nil)
		d.notice("a")
		d.notice("b")
		r := d.show()
		r.clear()
		d.settle()
		d.wantShown("Run it?")
		if got := r.snack.Text(); !strings.Contains(got, "2 dismissed") || !strings.Contains(got, "1 left waiting") {
			t.Errorf("said %q", got)
		}
		r.openNext()
		for range 5 {
			r.escape()
		}
		r.selected = q
		r.dismissKey()
		d.wait(10 * time.Second)
		if x := d.record(q); !x.Waiting() || !x.SetAsideAt(time.Now()) {
			t.Errorf("it is %s, set aside until %v", x.InteractionState, x.SetAsideUntil)
		}
		if n := len(sent[notify.AnswerOp](d.f)); n != 0 {
			t.Errorf("%d answers", n)
		}
	})
}

// Choosing a session makes it the active one, and tells the center.
//
// Proves: P1, A4
func TestChoosingASession(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.Publish{Connection: "claude", Session: "s", Content: notify.Content{Title: "own", Event: &notify.Event{Type: notify.EventTurnFinished, Occurrence: "t1"}}})
		r := d.show()
		d.wantShown()
		r.chooseSide(vm.SideRow{Kind: vm.SideSession, Ref: notify.SessionRef{Connection: "claude", Session: "s"}})
		d.wait(time.Second)
		d.wantShown("own")
		if f := d.f.Settings().Focus; f.Session != "s" {
			t.Errorf("focus %+v", f)
		}
		if v := d.f.Sessions("claude")[0]; v.Seen != v.Sequence {
			t.Errorf("seen %d of %d", v.Seen, v.Sequence)
		}
		r.chooseSide(vm.SideRow{Kind: vm.SideAll})
		d.wait(time.Second)
		d.wantShown()
	})
}

// Something that waits in another session is one press away.
//
// Proves: I5, P1
func TestWaitingElsewhereIsAJump(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.Publish{Connection: "claude", Session: "s", Content: notify.Content{Kind: notify.KindInteraction, Title: "May I?",
			Interaction: &notify.Interaction{Kind: "question", Prompt: "May I?", Options: []notify.Option{{ID: "y"}, {ID: "n"}}}}})
		r := d.show()
		i := slices.IndexFunc(r.view.Rows, func(row vm.Row) bool { return row.Jump != nil })
		if i < 0 {
			t.Fatal("no jump")
		}
		r.feed.OnJump(*r.view.Rows[i].Jump)
		d.wait(time.Second)
		d.wantShown("May I?")
	})
}

// Proves: A5
func TestSnoozingAndMuting(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a, b := d.notice("a"), d.notice("b")
		r := d.show()
		r.snooze([]*notify.Record{r.record(a)}, vm.Snoozes(time.Now())[0])
		d.u.do(notify.SetMuted{ID: b, Muted: true}, nil)
		d.wait(time.Second)
		d.wantShown()
		var places []notify.PlaceKind
		for _, tab := range r.view.Tabs[1:] {
			places = append(places, tab.Place.Kind)
		}
		if !slices.Equal(places, []notify.PlaceKind{notify.PlaceMuted, notify.PlaceSnoozed}) {
			t.Errorf("places %v", places)
		}
		r.tabs.OnChoose(notify.Place{Kind: notify.PlaceSnoozed})
		d.wantShown("a")
		if x := d.record(a); time.Until(x.SnoozeUntil) > 15*time.Minute {
			t.Errorf("until %v", x.SnoozeUntil)
		}
	})
}

func TestSnoozedUntilTheSessionsNextEvent(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
		a := d.do(notify.Publish{Connection: "claude", Session: "s", Content: notify.Content{Title: "a"}}).Record.ID
		r := d.show()
		r.snooze([]*notify.Record{r.record(a)}, vm.Snooze{UntilChange: true})
		d.wait(time.Second)
		d.wantShown()
		n := d.f.Sessions("claude")[0].Sequence + 1
		d.do(notify.PutSession{Connection: "claude", Session: "s", Sequence: &n})
		d.wait(time.Second)
		d.wantShown("a")
	})
}

func TestSeveralAreMarkedAndDismissed(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("a")
		d.notice("b")
		c := d.notice("c")
		r := d.show()
		for _, id := range []string{r.view.Shown[0].ID, r.view.Shown[1].ID} {
			r.mark(id)
		}
		if !r.bar.Visible() {
			t.Error("no bar")
		}
		r.dismissKey()
		d.settle()
		if len(d.shown()) != 1 || len(r.feed.Marked) != 0 {
			t.Errorf("shown %v, marked %v", d.shown(), r.feed.Marked)
		}
		_ = c
	})
}

// No address opens without the owner's click, and none of another scheme at all.
//
// Proves: S4
func TestNothingOpensByItself(t *testing.T) {
	var opened []string
	onDesk(t, Options{OpenURL: func(a string) error { opened = append(opened, a); return nil }}, func(d *desk) {
		id := d.do(notify.Publish{Connection: "claude", Content: notify.Content{Title: "Links", Body: "[a](https://example.com/a) ![b](https://example.com/b.png)",
			Links: []notify.Link{{URL: "https://example.com/c"}}, Actions: []notify.Action{{ID: "x", Label: "Log", URL: "https://example.com/d"}}}}).Record.ID
		r := d.show()
		r.openNext()
		d.wait(time.Second)
		r.press(id, vm.ButtonsOf(d.record(id))[0])
		d.wait(time.Second)
		if len(opened) != 0 {
			t.Errorf("opened %v", opened)
		}
		if r.win.Canvas().Overlays().Top() == nil {
			t.Error("nothing asks")
		}
		if got := sent[notify.InvokeAction](d.f); len(got) != 1 || got[0].Expect.Revision != 1 {
			t.Errorf("invoked %+v", got)
		}
	})
}

// Nothing takes the keyboard by itself.
//
// Proves: P2, E3
func TestNothingTakesFocus(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		r := d.show()
		d.question("Run it?", nil)
		d.do(notify.Publish{Connection: "claude", Content: notify.Content{Title: "modal", Presentation: notify.PresentModal}})
		d.wait(2 * time.Second)
		if f := r.win.Canvas().Focused(); f != nil {
			t.Errorf("%T has the keyboard", f)
		}
		if r.win.Canvas().Overlays().Top() != nil {
			t.Error("something lies over the window")
		}
	})
}

func TestLosingTheCenterIsShownAndRecovers(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.Publish{Connection: "claude", Session: "s", Content: notify.Content{Kind: notify.KindInteraction, Title: "q", Interaction: &notify.Interaction{Prompt: "q"}}})
		d.f.failQ = notify.Errorf(notify.CodeUnavailable, "Away.")
		r := d.show()
		if d.u.failed == nil || r.feed.Rows()[0].ID != "failed" {
			t.Errorf("failed %v, rows %v", d.u.failed, r.feed.Rows())
		}
		d.f.mu.Lock()
		d.f.failQ = nil
		d.f.mu.Unlock()
		r.emptyAction("retry")
		d.wait(time.Second)
		if d.u.failed != nil {
			t.Error("still failed")
		}
	})
}

func TestTheSelectionStaysWithItsItem(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("a")
		d.wait(2 * time.Millisecond)
		d.notice("b")
		r := d.show()
		r.openNext()
		was := r.selected
		d.wait(time.Second)
		d.notice("c")
		d.wait(time.Second)
		if r.feed.Selected != was || r.view.Shown[0].ID == was {
			t.Errorf("selected %q, was %q, first %q", r.feed.Selected, was, r.view.Shown[0].ID)
		}
	})
}

func TestEveryShapeOfTheWindow(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", nil)
		for i := range 60 {
			d.notice(fmt.Sprintf("A rather long title for the number %d, which has to be cut somewhere", i))
		}
		r := d.show()
		for _, w := range []float32{340, 360, 520, 639, 640, 900, 1119, 1120, 1400} {
			for _, detail := range []bool{false, true} {
				if detail {
					r.openDetail(q)
				} else {
					r.detail.close()
				}
				r.win.Resize(fyne.NewSize(w, 700))
				d.wait(time.Second)
				if got := r.win.Canvas().Size().Width; got != w {
					t.Errorf("asked for %v, the window is %v wide", w, got)
				}
			}
		}
	})
}

func TestAppearanceAndLanguageTakeEffectAtOnce(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("a")
		d.show()
		for _, l := range vm.Languages {
			d.u.prefs.setLanguage(l.Code)
			d.u.restyle()
			d.settle()
			if d.u.catalog.Language != l.Code {
				t.Errorf("got %s, want %s", d.u.catalog.Language, l.Code)
			}
		}
		d.wantShown("a")
	})
}

func TestTheDetailTellsWhatHappened(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("other")
		a := d.notice("a")
		d.do(notify.Publish{Connection: "claude", Key: "a", Content: notify.Content{Title: "a", Body: "more"}})
		d.do(notify.Publish{Connection: "claude", Key: "b", Content: notify.Content{Title: "b"}})
		d.u.ShowItem(a)
		d.wait(time.Second)
		d.u.rail.openDetail(a)
		d.wait(time.Second)
		var got []notify.EventName
		for _, c := range d.u.rail.detail.extra.changes {
			got = append(got, c.Name)
		}
		if !slices.Equal(got, []notify.EventName{notify.EvCreated, notify.EvUpdated, notify.EvRead}) {
			t.Errorf("got %v", got)
		}
	})
}

// What was answered, here or elsewhere, is shown as it ended, and can't be answered again.
func TestTheDetailFollowsAnItemThatLeftTheRail(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", nil)
		r := d.show()
		r.openNext()
		d.wait(time.Second)
		d.do(notify.AnswerOp{ID: q, Expect: notify.Expectation{Expect: true, Revision: 1}, Answer: notify.Answer{Option: "allow"}})
		d.wait(time.Second)
		if r.detail.rec.Outcome == nil || len(vm.ButtonsOf(r.detail.rec)) != 0 {
			t.Errorf("the detail shows %+v", r.detail.rec.Outcome)
		}
	})
}
