package bridge

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// Proves: L3, L4, L5, L6
func TestPublishingToAKey(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	path := wire.Path(wire.PathPublish, "c1")
	first := mustAs[wire.PublishResult](r, token, 201, "POST", path, wire.Publish{Key: "k", Title: "one"})
	second := mustAs[wire.PublishResult](r, token, 200, "POST", path, wire.Publish{Key: "k", Title: "two"})
	if first.Result != "created" || second.Result != "updated" || second.Notification.ID != first.Notification.ID || second.Notification.Revision != 2 {
		t.Errorf("got %s %+v, then %s %+v", first.Result, first.Notification, second.Result, second.Notification)
	}
	p := r.refused(409, wire.CodeRevisionConflict, token, "POST", path, wire.Publish{Key: "k", Title: "x", ExpectedRevision: wire.Rev(1)})
	if p.Current == nil || p.Current.Revision != 2 || p.Current.Title != "two" {
		t.Errorf("the conflict shows %+v", p.Current)
	}
	must[wire.Notification](r, 200, "POST", wire.Path(wire.PathKeyResolve, "c1", "k"), nil)
	third := mustAs[wire.PublishResult](r, token, 201, "POST", path, wire.Publish{Key: "k", Title: "three"})
	if third.Notification.Occurrence != 2 || third.Notification.Revision != 1 || third.Notification.ID == first.Notification.ID {
		t.Errorf("third: %+v", third.Notification)
	}
}

func TestIdempotencyKey(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	path := wire.Path(wire.PathPublish, "c1")
	first := must[wire.PublishResult](r, 201, "POST", path, `{"title":"a","body":"b"}`, wire.IdempotencyKey, "1")
	again := must[wire.PublishResult](r, 200, "POST", path, `{ "body":"b", "title":"a" }`, wire.IdempotencyKey, "1")
	if again.Result != wire.ResultUnchanged || again.Notification.ID != first.Notification.ID {
		t.Errorf("again: %+v", again)
	}
	r.refused(409, wire.CodeIdempotencyMismatch, r.owner, "POST", path, `{"title":"other"}`, wire.IdempotencyKey, "1")
	must[wire.PublishResult](r, 201, "POST", path, `{"title":"a","body":"b"}`, wire.IdempotencyKey, "2")
	// Another connection's keys are its own.
	r.connect("c2")
	must[wire.PublishResult](r, 201, "POST", wire.Path(wire.PathPublish, "c2"), `{"title":"other"}`, wire.IdempotencyKey, "1")
	for _, key := range []string{strings.Repeat("k", notify.MaxKey+1), "a\u200bb"} {
		if p := r.refused(400, wire.CodeInvalidField, r.owner, "POST", path, `{"title":"a"}`, wire.IdempotencyKey, key); p.Errors[0].Field != wire.IdempotencyKey {
			t.Errorf("%.10q: the field at fault is %s", key, p.Errors[0].Field)
		}
	}
	must[wire.PublishResult](r, 201, "POST", path, `{"title":"a"}`, wire.IdempotencyKey, strings.Repeat("k", notify.MaxKey))
}

func TestPatchStaysClearsAndSets(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	n := r.publish("c1", wire.Publish{Title: "t", Body: "b", Lines: []string{"l"}, Tags: []string{"x"}})
	path := wire.Path(wire.PathNotification, n.ID)
	got := mustAs[wire.Notification](r, token, 200, "PATCH", path, `{"title":"new","body":null}`)
	if got.Title != "new" || got.Body != "" || len(got.Lines) != 1 || len(got.Tags) != 1 || got.Revision != 2 || got.CreatedAt != n.CreatedAt {
		t.Errorf("got %+v", got)
	}
	r.refused(409, wire.CodeRevisionConflict, token, "PATCH", path, `{"title":"x","expected_revision":1}`)
	r.refused(400, wire.CodeInvalidField, token, "PATCH", path, `{"title":null}`)
	r.refused(400, wire.CodeInvalidField, token, "PATCH", path, `{"status":"resolved"}`)
	must[wire.Notification](r, 200, "POST", wire.Path(wire.PathResolve, n.ID), nil)
	p := r.refused(409, wire.CodeTerminal, token, "PATCH", path, `{"title":"x"}`)
	if p.Current == nil || p.Current.Status != wire.StatusResolved {
		t.Errorf("the conflict shows %+v", p.Current)
	}
}

// Proves: D1, D2
func TestDismissingNamesTheRevisionThatWasSeen(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	n := r.publish("c1", wire.Publish{Key: "k", Title: "one"})
	path := wire.Path(wire.PathDismiss, n.ID)
	p := r.refused(400, wire.CodeInvalidField, r.owner, "POST", path, `{}`)
	if p.Errors[0].Field != "/expected_revision" {
		t.Errorf("field %+v", p.Errors)
	}
	r.publish("c1", wire.Publish{Key: "k", Title: "two"})
	r.refused(409, wire.CodeRevisionConflict, r.owner, "POST", path, wire.Ending{ExpectedRevision: wire.Rev(1)})
	if got := must[wire.Notification](r, 200, "GET", wire.Path(wire.PathNotification, n.ID), nil); got.Status != wire.StatusPending {
		t.Errorf("a stale dismissal hid it: %s", got.Status)
	}
	one := must[wire.Notification](r, 200, "POST", path, wire.Ending{ExpectedRevision: wire.Rev(2)})
	two := must[wire.Notification](r, 200, "POST", path, wire.Ending{ExpectedRevision: wire.Rev(2)})
	if one.Status != wire.StatusDismissed || two.Change != one.Change || one.Outcome.By != "owner" {
		t.Errorf("got %+v, then %+v", one, two)
	}
	r.refused(409, wire.CodeTerminal, r.owner, "POST", wire.Path(wire.PathResolve, n.ID), nil)
	r.refused(404, wire.CodeNotFound, r.owner, "POST", wire.Path(wire.PathDismiss, "unknown"), wire.Ending{ExpectedRevision: wire.Rev(1)})
}

func TestDismissingSeveral(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	a, b := r.publish("c1", wire.Publish{Title: "a"}), r.publish("c1", wire.Publish{Title: "b"})
	ask := r.publish("c1", wire.Publish{Title: "?", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}})
	got := must[wire.DismissResults](r, 200, "POST", wire.PathDismissMany, wire.Dismiss{Items: []wire.DismissItem{
		{ID: a.ID, ExpectedRevision: wire.Rev(1)}, {ID: b.ID, ExpectedRevision: wire.Rev(9)},
		{ID: "unknown", ExpectedRevision: wire.Rev(1)}, {ID: ask.ID, ExpectedRevision: wire.Rev(1)},
	}}).Results
	want := []struct {
		status int
		code   string
	}{{200, ""}, {409, wire.CodeRevisionConflict}, {404, wire.CodeNotFound}, {409, wire.CodeInteractionActive}}
	for i, w := range want {
		code := ""
		if got[i].Error != nil {
			code = got[i].Error.Code
		}
		if got[i].Status != w.status || code != w.code {
			t.Errorf("item %d: %d %s, want %d %s", i, got[i].Status, code, w.status, w.code)
		}
	}
	if got[0].Notification.Status != wire.StatusDismissed || got[1].Error.Current.ID != b.ID {
		t.Errorf("got %+v", got)
	}
}

// Proves: L9
func TestBatchIsAllOrNothing(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	r.connect("c2")
	theirs := r.publish("c2", wire.Publish{Title: "theirs"})
	old := r.publish("c1", wire.Publish{Title: "old", Key: "old"})
	path := wire.Path(wire.PathBatch, "c1")
	pub := func(key, title string) wire.Operation {
		return wire.Operation{Op: wire.OpPublish, Notification: &wire.Publish{Key: key, Title: title}}
	}
	failures := []struct {
		name   string
		op     wire.Operation
		status int
		code   string
		field  string
	}{
		{"bad content", pub("x", ""), 400, wire.CodeInvalidField, "/operations/1/notification/title"},
		{"unknown op", wire.Operation{Op: "frobnicate"}, 400, wire.CodeInvalidField, "/operations/1/op"},
		{"no target", wire.Operation{Op: wire.OpResolve}, 400, wire.CodeInvalidField, "/operations/1/id"},
		{"two targets", wire.Operation{Op: wire.OpResolve, ID: old.ID, Key: "old"}, 400, wire.CodeInvalidField, "/operations/1/key"},
		{"no changes", wire.Operation{Op: wire.OpUpdate, ID: old.ID}, 400, wire.CodeInvalidField, "/operations/1/changes"},
		{"bad change", wire.Operation{Op: wire.OpUpdate, ID: old.ID, Changes: &wire.Changes{Title: wire.To("")}}, 400, wire.CodeInvalidField, "/operations/1/changes/title"},
		{"another's", wire.Operation{Op: wire.OpResolve, ID: theirs.ID}, 404, wire.CodeNotFound, ""},
		{"nothing pending", wire.Operation{Op: wire.OpResolve, Key: "none"}, 404, wire.CodeNotFound, ""},
		{"stale", wire.Operation{Op: wire.OpUpdate, ID: old.ID, Changes: &wire.Changes{Title: wire.To("x")}, ExpectedRevision: wire.Rev(7)}, 409, wire.CodeRevisionConflict, ""},
		{"the owner's", wire.Operation{Op: wire.OpDismiss, ID: old.ID, ExpectedRevision: wire.Rev(1)}, 403, wire.CodeForbidden, ""},
	}
	for _, f := range failures {
		t.Run(f.name, func(t *testing.T) {
			p := r.refused(f.status, f.code, token, "POST", path, wire.Batch{Operations: []wire.Operation{pub("new", "n"), f.op}})
			if p.Operation == nil || *p.Operation != 1 {
				t.Errorf("operation %v", p.Operation)
			}
			if f.field != "" && (len(p.Errors) != 1 || p.Errors[0].Field != f.field) {
				t.Errorf("fields %+v, want %s", p.Errors, f.field)
			}
			if n := r.center.Attention().Pending; n != 2 {
				t.Errorf("%d are pending: something was done", n)
			}
		})
	}
	got := mustAs[wire.BatchResult](r, token, 200, "POST", path, wire.Batch{Operations: []wire.Operation{
		pub("new", "n"), pub("new", "n2"), {Op: wire.OpUpdate, ID: old.ID, Changes: &wire.Changes{Title: wire.To("changed")}},
		{Op: wire.OpResolve, Key: "old", Reason: "done"},
		{Op: wire.OpPublish, Notification: &wire.Publish{Title: "of a request", Request: "r", Retention: &wire.Retention{Policy: wire.RetentionRequest}}},
		{Op: wire.OpCompleteRequest, Request: "r"},
	}}).Results
	var results []string
	for _, one := range got {
		results = append(results, one.Result)
	}
	if want := []string{"created", "updated", "updated", "resolved", "created", "completed"}; !slices.Equal(results, want) {
		t.Errorf("results %v, want %v", results, want)
	}
	if got[5].Expired == nil || *got[5].Expired != 1 || got[3].Notification.Outcome.Reason != "done" {
		t.Errorf("got %+v", got)
	}
	r.refused(400, wire.CodeInvalidField, token, "POST", path, wire.Batch{Operations: make([]wire.Operation, notify.MaxBatch+1)})
	// One that was decided on a session which moved meanwhile is refused, with what is newer.
	newer := r.publish("c1", wire.Publish{Title: "newer", Session: "s"})
	on := wire.Batch{Session: "s", ExpectedChange: newer.Change - 1, Operations: []wire.Operation{pub("on", "n")}}
	if p := r.refused(409, wire.CodeRevisionConflict, token, "POST", path, on); p.Operation != nil || p.Current == nil || p.Current.ID != newer.ID {
		t.Errorf("refused with %+v", p)
	}
	on.ExpectedChange = newer.Change
	mustAs[wire.BatchResult](r, token, 200, "POST", path, on)
	must[wire.BatchResult](r, 200, "POST", path, wire.Batch{Operations: []wire.Operation{{Op: wire.OpDismiss, ID: got[0].Notification.ID, ExpectedRevision: wire.Rev(2)}}})
}

// Proves: L4. A hundred producers racing on one key leave one pending occurrence
// with a hundred revisions.
func TestRaceOnOneKey(t *testing.T) {
	r := newRig(t, func(c *Config) { c.RatePerSecond = 0 })
	r.connect("c1")
	var all sync.WaitGroup
	revisions := make([]int, 100)
	for i := range revisions {
		all.Go(func() {
			revisions[i] = r.publish("c1", wire.Publish{Key: "k", Title: fmt.Sprint(i)}).Revision
		})
	}
	all.Wait()
	slices.Sort(revisions)
	for i, rev := range revisions {
		if rev != i+1 {
			t.Fatalf("revisions %v", revisions)
		}
	}
	if page := must[wire.Page](r, 200, "GET", wire.PathNotifications, nil); len(page.Notifications) != 1 {
		t.Errorf("%d records", len(page.Notifications))
	}
}

func TestListsAreFilteredAndPaged(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	r.connect("c2")
	for i := range 7 {
		r.publish("c1", wire.Publish{Title: fmt.Sprintf("build %d", i), Severity: wire.SeverityError, Tags: []string{"ci"}})
	}
	r.publish("c1", wire.Publish{Title: "chat", Session: "s", Event: &wire.Event{Type: wire.EventTurnFinished, Occurrence: "t1"}})
	r.publish("c2", wire.Publish{Title: "quiet", Silent: true})

	for query, want := range map[string]int{
		"": 8, "include_silent=true": 9, "severity=error": 7, "severity=error&severity=info": 8, "tag=ci": 7, "q=build": 7, "q=BUIL+3": 1,
		"scope=session": 1, "session=s": 1, "event=session.turn_finished": 1, "connection=c2": 0, "connection=c2&include_silent=1": 1,
		"status=pending": 8, "status=resolved": 0, "kind=report": 0, "read=true": 0, "read=false": 8,
		"since=2100-01-01T00:00:00Z": 0, "until=2100-01-01T00:00:00Z": 8,
	} {
		if got := must[wire.Page](r, 200, "GET", wire.PathNotifications+"?"+query, nil).Notifications; len(got) != want {
			t.Errorf("%s: %d, want %d", query, len(got), want)
		}
	}
	seen := map[string]bool{}
	for cursor, pages := "", 0; ; pages++ {
		page := must[wire.Page](r, 200, "GET", wire.PathNotifications+"?limit=3&cursor="+cursor, nil)
		for _, n := range page.Notifications {
			if seen[n.ID] {
				t.Errorf("%s twice", n.ID)
			}
			seen[n.ID] = true
		}
		if cursor = page.NextCursor; cursor == "" {
			if len(seen) != 8 || pages != 2 {
				t.Errorf("%d records on %d pages", len(seen), pages+1)
			}
			break
		}
	}
	for _, bad := range []string{"limit=0", "limit=501", "limit=x", "cursor=x", "cursor=!", "severity=loud", "status=gone", "scope=x", "kind=x",
		"read=maybe", "since=yesterday", "until=1", "include_silent=x", "sevrity=error"} {
		r.refused(400, wire.CodeInvalidField, r.owner, "GET", wire.PathNotifications+"?"+bad, nil)
	}
}

// Proves: I4, I3, I9
func TestAskingAndAnswering(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	ask := wire.Publish{Title: "Deploy?", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "Deploy?",
		Options: []wire.Option{{ID: "yes", Label: "Yes"}, {ID: "no", Label: "No", Comment: wire.CommentRequired}},
		Fields:  []wire.Field{{ID: "count", Label: "How many", Type: wire.FieldInteger, Min: 1, Max: 5}}}}
	n := r.publish("c1", ask)
	answer := wire.Path(wire.PathAnswer, n.ID)
	r.refused(400, wire.CodeInvalidField, r.owner, "POST", answer, wire.AnswerRequest{Answer: wire.Answer{Option: "yes"}})
	r.refused(409, wire.CodeRevisionConflict, r.owner, "POST", answer, wire.AnswerRequest{ExpectedRevision: wire.Rev(2), Answer: wire.Answer{Option: "yes"}})
	for name, bad := range map[string]wire.Answer{
		"unknown option": {Option: "maybe"}, "comment missing": {Option: "no"}, "out of bounds": {Option: "yes", Fields: map[string]any{"count": 9}},
		"unknown field": {Option: "yes", Fields: map[string]any{"x": 1}}, "nothing": {},
	} {
		t.Run(name, func(t *testing.T) {
			r.refused(422, wire.CodeAnswerInvalid, r.owner, "POST", answer, wire.AnswerRequest{ExpectedRevision: wire.Rev(1), Answer: bad})
		})
	}
	waited := make(chan wire.Notification)
	go func() {
		waited <- mustAs[wire.Notification](r, token, 200, "GET", wire.Path(wire.PathNotification, n.ID)+"?wait=30&since_revision=1", nil)
	}()
	good := wire.AnswerRequest{ExpectedRevision: wire.Rev(1), Answer: wire.Answer{Option: "yes", Fields: map[string]any{"count": 3}}}
	var codes [2]int
	var both sync.WaitGroup
	for i := range codes {
		both.Go(func() { codes[i] = r.try(r.owner, "POST", answer, good).status })
	}
	both.Wait()
	if codes != [2]int{200, 409} && codes != [2]int{409, 200} {
		t.Errorf("two answers: %v", codes)
	}
	got := <-waited
	if got.Outcome == nil || got.Outcome.Answer.Option != "yes" || got.Outcome.Answer.Fields["count"] != 3.0 || got.Interaction.State != wire.InteractionAnswered {
		t.Errorf("the asker got %+v", got.Outcome)
	}
	r.refused(409, wire.CodeAlreadyAnswered, r.owner, "POST", answer, good)

	back := mustAs[wire.Notification](r, token, 200, "POST", wire.Path(wire.PathRejectAnswer, n.ID), wire.Rejection{Reason: "three is too many"})
	if back.Status != wire.StatusPending || back.Interaction.Error != "three is too many" || back.Interaction.State != wire.InteractionWaiting {
		t.Errorf("after its refusal: %+v", back)
	}
	r.refused(409, wire.CodeNotInteraction, r.owner, "POST", wire.Path(wire.PathAnswer, r.publish("c1", wire.Publish{Title: "x"}).ID), good)
	cancelled := mustAs[wire.Notification](r, token, 200, "POST", wire.Path(wire.PathCancel, n.ID), wire.Ending{Reason: "never mind"})
	if cancelled.Outcome.Kind != wire.OutcomeCancelled || cancelled.Outcome.Reason != "never mind" {
		t.Errorf("cancelled: %+v", cancelled.Outcome)
	}
}

// Proves: I9. That the asker has had its answer is noted when it reads it.
func TestReadingTheAnswerDeliversIt(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	n := r.publish("c1", wire.Publish{Title: "?", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}})
	path := wire.Path(wire.PathNotification, n.ID)
	answered := must[wire.Notification](r, 200, "POST", wire.Path(wire.PathAnswer, n.ID), wire.AnswerRequest{ExpectedRevision: wire.Rev(1), Answer: wire.Answer{Option: "y"}})
	if answered.Outcome.Delivered == nil || *answered.Outcome.Delivered {
		t.Errorf("delivered before it was read: %+v", answered.Outcome)
	}
	if got := must[wire.Notification](r, 200, "GET", path, nil); *got.Outcome.Delivered {
		t.Error("the owner's look delivered it")
	}
	mustAs[wire.Notification](r, token, 200, "GET", path, nil)
	if got := must[wire.Notification](r, 200, "GET", path, nil); !*got.Outcome.Delivered {
		t.Error("not delivered although it was read")
	}
}

func TestWaitReturnsAtItsEnd(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	n := r.publish("c1", wire.Publish{Title: "x"})
	path := wire.Path(wire.PathNotification, n.ID)
	if got := must[wire.Notification](r, 200, "GET", path+"?wait=0.05", nil); got.Revision != 1 {
		t.Errorf("got %+v", got)
	}
	if got := must[wire.Notification](r, 200, "GET", path+"?wait=60&since_revision=0", nil); got.Revision != 1 {
		t.Errorf("got %+v", got)
	}
	for _, bad := range []string{"wait=301", "wait=-1", "wait=x", "wait=NaN", "since_revision=x"} {
		r.refused(400, wire.CodeInvalidField, r.owner, "GET", path+"?"+bad, nil)
	}
	must[wire.Notification](r, 200, "POST", wire.Path(wire.PathExpire, n.ID), nil)
	if got := must[wire.Notification](r, 200, "GET", path+"?wait=60", nil); got.Status != wire.StatusExpired {
		t.Errorf("got %+v", got)
	}
}

// Proves: X2
func TestSnoozeUntilTheNextEvent(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	n := r.publish("c1", wire.Publish{Title: "x", Session: "s"})
	path := wire.Path(wire.PathSnooze, n.ID)
	for _, bad := range []string{`{"until_event":true,"seconds":1}`, `{"until_event":false}`} {
		r.refused(400, wire.CodeInvalidField, r.owner, "POST", path, bad)
	}
	apart := r.publish("c1", wire.Publish{Title: "of no session"})
	r.refused(400, wire.CodeInvalidField, r.owner, "POST", wire.Path(wire.PathSnooze, apart.ID), `{"until_event":true}`)
	if got := must[wire.Notification](r, 200, "POST", path, `{"until_event":true}`); !got.SnoozeEvent || got.SnoozeUntil.IsZero() {
		t.Errorf("snoozed: %+v", got)
	}
	r.publish("c1", wire.Publish{Title: "done", Session: "s", Event: &wire.Event{Type: "session.turn_finished", Occurrence: "1"}})
	if got := must[wire.Notification](r, 200, "GET", wire.Path(wire.PathNotification, n.ID), nil); got.SnoozeEvent || !got.SnoozeUntil.IsZero() || got.ResurfacedAt.IsZero() {
		t.Errorf("after the event: %+v", got)
	}
}

// Proves: A5, A7, I7, P3, as far as their routes go.
func TestVerbsOfTheOwner(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	n := r.publish("c1", wire.Publish{Title: "x", Actions: []wire.Action{{ID: "go", Label: "Go", Confirm: wire.Confirm{Ask: true}}}})
	post := func(path string, body any) wire.Notification {
		t.Helper()
		return must[wire.Notification](r, 200, "POST", wire.Path(path, n.ID), body)
	}
	if !post(wire.PathRead, nil).Read || post(wire.PathUnread, nil).Read {
		t.Error("read and unread")
	}
	if !post(wire.PathMute, "{}").Muted || post(wire.PathUnmute, nil).Muted {
		t.Error("mute and unmute")
	}
	until := wire.At(time.Now().Add(time.Hour))
	if got := post(wire.PathSnooze, wire.Snooze{Until: until}); got.SnoozeUntil != until {
		t.Errorf("snoozed until %v", got.SnoozeUntil)
	}
	if got := post(wire.PathUnsnooze, nil); !got.SnoozeUntil.IsZero() {
		t.Errorf("still snoozed until %v", got.SnoozeUntil)
	}
	if got := post(wire.PathSnooze, wire.Snooze{Seconds: 0.5}); got.SnoozeUntil.IsZero() || got.Revision != 1 {
		t.Errorf("snoozed: %+v", got)
	}
	for _, bad := range []string{`{}`, `{"seconds":-1}`, `{"seconds":1,"until":"2100-01-01T00:00:00Z"}`} {
		r.refused(400, wire.CodeInvalidField, r.owner, "POST", wire.Path(wire.PathSnooze, n.ID), bad)
	}
	acted := must[wire.Notification](r, 202, "POST", wire.Path(wire.PathAction, n.ID, "go"), wire.Ending{ExpectedRevision: wire.Rev(1)})
	if acted.ID != n.ID || !acted.Actions[0].Confirm.Ask {
		t.Errorf("acted: %+v", acted)
	}
	r.refused(404, wire.CodeNotFound, r.owner, "POST", wire.Path(wire.PathAction, n.ID, "other"), wire.Ending{ExpectedRevision: wire.Rev(1)})
	r.refused(409, wire.CodeNotInteraction, r.owner, "POST", wire.Path(wire.PathSetAside, n.ID), nil)
	ask := r.publish("c1", wire.Publish{Title: "?", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}})
	if got := must[wire.Notification](r, 200, "POST", wire.Path(wire.PathSetAside, ask.ID), wire.SetAside{Seconds: 60}); got.Interaction.SetAsideUntil.IsZero() || got.Status != wire.StatusPending {
		t.Errorf("set aside: %+v", got.Interaction)
	}
	r.refused(409, wire.CodeInteractionActive, r.owner, "POST", wire.Path(wire.PathDismiss, ask.ID), wire.Ending{ExpectedRevision: wire.Rev(1)})
	r.refused(404, wire.CodeNotFound, r.owner, "POST", wire.Path(wire.PathRead, "unknown"), nil)
	if tr := must[wire.Trace](r, 200, "GET", wire.Path(wire.PathTrace, n.ID), nil); tr.Notification != n.ID || tr.Entries == nil {
		t.Errorf("trace: %+v", tr)
	}
}
