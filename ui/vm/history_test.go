package vm_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// Proves: P3
func TestTheFilterBarBecomesAQuery(t *testing.T) {
	now := time.Date(2026, 3, 10, 0, 30, 0, 0, time.FixedZone("CET", 3600))
	f := vm.HistoryFilter{Scope: notify.ScopeSession, Status: notify.Dismissed, Severity: notify.SeverityError, Time: vm.Today, Connection: "c", Session: "s", Tag: " #Main ", Text: " build "}
	q := f.Filter(now)
	if q.Scopes[0] != "session" || q.Statuses[0] != "dismissed" || q.Severities[0] != "error" || q.Connections[0] != "c" || q.Sessions[0] != "s" || q.Tags[0] != "main" || q.Text != "build" {
		t.Errorf("got %+v", q)
	}
	if want := time.Date(2026, 3, 9, 23, 0, 0, 0, time.UTC); !q.Since.Equal(want) {
		t.Errorf("today begins at %v, want %v", q.Since, want)
	}
	if f.Zero() || !(vm.HistoryFilter{}).Zero() {
		t.Error("what narrows nothing is not told apart")
	}
	if q := (vm.HistoryFilter{}).Filter(now); !q.Since.IsZero() || len(q.Statuses)+len(q.Tags) != 0 {
		t.Errorf("no filter narrows: %+v", q)
	}
}

func page(next bool, ids ...string) (p notify.Page) {
	for _, id := range ids {
		p.Records = append(p.Records, note(id, 1))
	}
	if next {
		p.Next = notify.Cursor{ID: ids[len(ids)-1], UpdatedAt: sample.Now}
	}
	return p
}

func TestPagesFollowEachOther(t *testing.T) {
	var p vm.Paging
	q := p.Restart(sample.Now)
	if _, _, ok := p.More(); ok {
		t.Error("asks for more before the first page is there")
	}
	p.Got(q, notify.Cursor{}, page(true, "a", "b"), nil)
	q2, after, ok := p.More()
	if !ok || after.ID != "b" {
		t.Fatalf("more: %v %v", after, ok)
	}
	if _, _, ok := p.More(); ok {
		t.Error("asks twice")
	}
	p.Got(q2, after, page(false, "b", "c"), nil) // b moved while the list was read
	if len(p.Records) != 3 || !p.Done || p.Index("c") != 2 {
		t.Errorf("%d records, done %v", len(p.Records), p.Done)
	}
}

func TestAnAnswerToAnOlderQuestionIsDropped(t *testing.T) {
	var p vm.Paging
	old := p.Restart(sample.Now)
	q := p.Restart(sample.Now)
	if p.Got(old, notify.Cursor{}, page(false, "old"), nil) {
		t.Error("taken")
	}
	p.Got(q, notify.Cursor{}, page(false, "new"), nil)
	if len(p.Records) != 1 || p.Records[0].ID != "new" {
		t.Errorf("got %v", p.Records)
	}
}

func TestAFailedPageIsKeptUntilRetried(t *testing.T) {
	var p vm.Paging
	q := p.Restart(sample.Now)
	p.Got(q, notify.Cursor{}, page(true, "a"), nil)
	q, after, _ := p.More()
	p.Got(q, after, notify.Page{}, errors.New("no"))
	if _, _, ok := p.More(); ok || p.Failed == nil || len(p.Records) != 1 {
		t.Error("a failure is not kept")
	}
	p.Retry()
	if _, _, ok := p.More(); !ok {
		t.Error("cannot be retried")
	}
	changed := note("a", 2)
	if !p.Replace(changed) || p.Records[0] != changed || p.Replace(note("zz", 1)) {
		t.Error("a changed record does not take its place")
	}
}

func TestExportIsOneRecordALine(t *testing.T) {
	b, err := vm.Export(sample.Many(3))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSuffix(b, []byte("\n")), []byte("\n"))
	if len(lines) != 3 {
		t.Fatalf("%d lines", len(lines))
	}
	for _, l := range lines {
		var r notify.Record
		if err := json.Unmarshal(l, &r); err != nil || r.ID == "" {
			t.Errorf("%s: %v", l, err)
		}
	}
}

// Rows keep their places when what is new comes above them, whatever was read meanwhile: who reads is not led astray.
func TestRowsKeepTheirPlacesBelowWhatIsNew(t *testing.T) {
	var p vm.Paging
	q := p.Restart(sample.Now)
	a, b, c := note("a", 1), note("b", 1), note("c", 1)
	p.Got(q, notify.Cursor{}, notify.Page{Records: []*notify.Record{a, b, c}}, nil)
	read := *c
	read.Read, read.UpdatedAt = true, sample.Now
	if !p.Newer(q, notify.Page{Records: []*notify.Record{note("new", 1), &read, a, b}}) {
		t.Fatal("it could not")
	}
	var got []string
	for i, r := range p.Records {
		got = append(got, r.ID)
		if p.Index(r.ID) != i {
			t.Errorf("%s is at %d, and found at %d", r.ID, i, p.Index(r.ID))
		}
	}
	if !slices.Equal(got, []string{"new", "a", "b", "c"}) || !p.Records[3].Read {
		t.Errorf("got %v, read %v", got, p.Records[3].Read)
	}
	more := notify.Cursor{ID: "x"}
	if p.Newer(q, notify.Page{Records: []*notify.Record{note("d", 1), note("e", 1)}, Next: more}) || p.Newer(q+1, notify.Page{}) {
		t.Error("it took a page that leaves a gap, or one of another question")
	}
}

func TestSavedFilters(t *testing.T) {
	list := vm.SaveFilter(nil, "a", vm.HistoryFilter{Tag: "x"})
	list = vm.SaveFilter(list, " ", vm.HistoryFilter{})
	list = vm.SaveFilter(list, "a", vm.HistoryFilter{Tag: "y"})
	if len(list) != 1 || list[0].Filter.Tag != "y" {
		t.Errorf("got %+v", list)
	}
	for i := range 40 {
		list = vm.SaveFilter(list, string(rune('A'+i)), vm.HistoryFilter{})
	}
	if len(list) != 30 {
		t.Errorf("%d are kept", len(list))
	}
}

func TestRowsOfTheHistory(t *testing.T) {
	s := busy()
	r := sample.Permission()
	r.Status, r.InteractionState = notify.Resolved, notify.InteractionAnswered
	r.Outcome = &notify.Outcome{Kind: notify.OutcomeAnswered, By: "owner", Answer: &notify.Answer{Option: "deny", Comment: "not on Friday"}}
	row := vm.HistoryRowOf(r, s, sample.Now)
	if row.Answer != "Deny: not on Friday" || row.Status != vm.M("outcome.answered") || row.Session != "Finish the checkout flow" || row.Active {
		t.Errorf("got %+v", row)
	}
	r.Outcome.Kind, r.Outcome.Answer = notify.OutcomeTimedOut, nil
	if row := vm.HistoryRowOf(r, s, sample.Now); row.Status != vm.M("outcome.timed_out") {
		t.Errorf("a timeout is told as %v", row.Status)
	}
}

// How it ended, who ended it, exactly what goes back, and whether it has been fetched.
//
// Proves: I2, I8, I9
func TestDetailSaysHowItEnded(t *testing.T) {
	s := busy()
	in := vm.DetailInput{Snapshot: s, Now: sample.Now, HasMark: true, Mark: vm.Mark{At: sample.Now}}
	r := sample.Permission()
	if d := vm.DetailOf(r, in); d.Outcome != nil || len(d.Facts) == 0 || d.Edited.IsZero() {
		t.Errorf("an active item: %+v", d.Outcome)
	}
	r.Status, r.InteractionState = notify.Resolved, notify.InteractionAnswered
	r.Outcome = &notify.Outcome{Kind: notify.OutcomeAnswered, By: "owner", Answer: &notify.Answer{Option: "allow"}, At: sample.Now}
	for _, test := range []struct {
		name   string
		change func(*notify.Record)
		want   string
	}{
		{"fetched", func(r *notify.Record) { r.AnswerDelivered = true }, "answer.delivered"},
		{"kept", func(r *notify.Record) { r.AnswerDelivered = false }, "answer.kept"},
		{"nobody left", func(r *notify.Record) { r.Connection = "gone" }, "answer.undeliverable"},
	} {
		c := *r
		test.change(&c)
		o := vm.DetailOf(&c, in).Outcome
		if o.Delivery.Key != test.want || o.By != vm.M("by.owner") || o.Sent == "" {
			t.Errorf("%s: got %+v", test.name, o)
		}
	}
	r.Outcome = &notify.Outcome{Kind: notify.OutcomeTimedOut, By: "center", At: sample.Now}
	if o := vm.DetailOf(r, in).Outcome; o.Word != vm.M("outcome.timed_out") || o.By != vm.M("by.center") {
		t.Errorf("a timeout: %+v", o)
	}
}

// Proves: A11, A12
func TestDetailSaysWhyItWasTold(t *testing.T) {
	d := vm.DetailOf(sample.Permission(), vm.DetailInput{Snapshot: busy(), Now: sample.Now, Deliveries: []notify.Delivery{
		{Provider: "toast", State: notify.DeliveryFailed, Reason: "nobody was listening", Error: "no daemon", At: sample.Now, RetryAt: sample.Now.Add(time.Minute)},
		{Provider: "sound", State: notify.DeliveryHeld, Reason: "quiet_hours", At: sample.Now},
	}})
	if len(d.Trace) != 2 || d.Trace[0].State != vm.M("delivery.failed") || d.Trace[0].Retry == "" || d.Trace[1].Why != vm.M("why.quiet_hours") {
		t.Errorf("got %+v", d.Trace)
	}
}

func TestDetailListsTheRevisions(t *testing.T) {
	first := note("a", 1)
	second := *first
	second.Revision, second.Body = 2, "more"
	d := vm.DetailOf(&second, vm.DetailInput{Snapshot: busy(), Now: sample.Now, Changes: []notify.Change{
		{Name: notify.EvCreated, Record: first, At: first.CreatedAt, By: "claude"}, {Name: notify.EvUpdated, Record: &second, At: sample.Now, By: "claude"}}})
	if len(d.History) != 2 || len(d.History[1].Parts) != 1 || d.History[1].Parts[0] != vm.M("part.text") {
		t.Errorf("got %+v", d.History)
	}
}
