package notify_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"signalbox/notify"
)

var start = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC) // a Monday

// desk is a state, a clock and the connection alpha.
type desk struct {
	t     *testing.T
	m     *notify.Memory
	rules notify.Rules
	now   time.Time
	ids   int
	last  []notify.Change // of the last command
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{t: t, m: notify.NewMemory(), now: start}
	d.ok(notify.Owner, notify.CreateConnection{ID: "alpha", Label: "Alpha", TokenHash: []byte("a")})
	return d
}

var alpha = notify.Producer("alpha")

// later moves the clock.
func (d *desk) later(by time.Duration) { d.now = d.now.Add(by) }

// do runs one command, applies what it changes, and returns its answer.
func (d *desk) do(by notify.Actor, op notify.Op) (notify.Result, error) {
	d.t.Helper()
	n := 1
	switch op := op.(type) {
	case notify.Batch:
		n = len(op.Ops)
	case notify.Import:
		n = len(op.Records)
	}
	var ids []string
	for range n {
		d.ids++
		ids = append(ids, fmt.Sprintf("id-%03d", d.ids))
	}
	got, err := notify.Decide(d.m, d.rules, notify.Command{At: d.now, By: by, IDs: ids, Op: op})
	d.m.Apply(got.Changes)
	d.last = got.Changes
	return got.Result, err
}

// ok is do for what must succeed.
func (d *desk) ok(by notify.Actor, op notify.Op) notify.Result {
	d.t.Helper()
	r, err := d.do(by, op)
	if err != nil {
		d.t.Fatalf("%T: %v", op, err)
	}
	return r
}

// refused is do for what must be refused, and change nothing.
func (d *desk) refused(code notify.Code, by notify.Actor, op notify.Op) *notify.Error {
	d.t.Helper()
	seq := d.m.Sequence()
	_, err := d.do(by, op)
	var e *notify.Error
	if !errors.As(err, &e) || e.Code != code {
		d.t.Fatalf("%T: got %v, want %s", op, err, code)
	}
	if d.m.Sequence() != seq {
		d.t.Fatalf("%T was refused, and changed %d things", op, d.m.Sequence()-seq)
	}
	return e
}

// field is refused for one field at fault.
func (d *desk) field(field string, by notify.Actor, op notify.Op) {
	d.t.Helper()
	e := d.refused(notify.CodeInvalidField, by, op)
	for _, f := range e.Fields {
		if f.Field == field {
			return
		}
	}
	d.t.Fatalf("%T: the fields at fault are %v, want %s", op, e.Fields, field)
}

// publish publishes to alpha what must be accepted.
func (d *desk) publish(p notify.Publish) *notify.Record {
	d.t.Helper()
	if p.Content.Title == "" {
		p.Content.Title = "Title"
	}
	return d.ok(alpha, p).Record
}

// get is a record as it is.
func (d *desk) get(id string) *notify.Record {
	d.t.Helper()
	r, ok := d.m.Record(id)
	if !ok {
		d.t.Fatalf("there is no record %s", id)
	}
	return r
}

// is holds the status and the outcome of a record.
func (d *desk) is(id string, s notify.Status, o notify.OutcomeKind) {
	d.t.Helper()
	r := d.get(id)
	var got notify.OutcomeKind
	if r.Outcome != nil {
		got = r.Outcome.Kind
	}
	if r.Status != s || got != o {
		d.t.Fatalf("%s is %s (%s), want %s (%s)", id, r.Status, got, s, o)
	}
}

// need is why a session needs the owner.
func (d *desk) need(session string) notify.Need {
	v, _ := d.m.SessionView(notify.SessionRef{Connection: "alpha", Session: session}, d.now)
	return v.Needs
}

func rev(n int) notify.Expectation { return notify.Expectation{Expect: true, Revision: n} }

func question(i notify.Interaction) notify.Content {
	if i.Prompt == "" {
		i.Prompt = "Go on?"
	}
	return notify.Content{Title: "Question", Kind: notify.KindInteraction, Interaction: &i}
}

func yesNo() notify.Content {
	return question(notify.Interaction{Options: []notify.Option{{ID: "yes"}, {ID: "no", Comment: "optional"}}})
}

func event(typ, occurrence string) *notify.Event {
	return &notify.Event{Type: typ, Occurrence: occurrence}
}

func names(changes []notify.Change) []notify.EventName {
	var out []notify.EventName
	for _, c := range changes {
		out = append(out, c.Name)
	}
	return out
}
