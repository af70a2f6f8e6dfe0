package notify

import (
	"cmp"
	"slices"
	"time"
)

// Decide says what a command does to a state: the changes to make and the answer for the caller. It
// is pure: it modifies neither the state nor the command, and equal inputs give equal decisions.
//
// Changes are numbered from s.Sequence()+1. A refusal is an [*Error]; it changes nothing, with one
// exception: where the command found an interaction whose deadline had passed, the decision carries
// the timeout's changes beside the error, and whoever runs commands makes them and returns the
// error (I8). A success without changes changes nothing.
func Decide(s State, r Rules, c Command) (Decision, error) {
	d := &decider{s: NewOverlay(s), rules: r, at: c.At.UTC().Truncate(time.Millisecond), by: c.By, ids: c.IDs}
	res, err := d.do(c.Op)
	if err != nil {
		return Decision{Changes: d.changes[:d.settled:d.settled]}, err
	}
	return Decision{Result: res, Changes: d.changes}, nil
}

// decider is one decision under way: an overlay that already shows the changes made so far.
type decider struct {
	s       *Overlay
	rules   Rules
	at      time.Time
	by      Actor
	ids     []string
	changes []Change
	// settled counts the leading changes that happen even when the command is refused: timeouts that
	// were due by the command's own instant.
	settled int
}

// do dispatches to the function of the operation.
func (d *decider) do(op Op) (Result, error) {
	switch op := op.(type) {
	case Publish:
		return d.publish(op)
	case Update:
		return d.update(op)
	case Dismiss:
		return d.dismiss(op)
	case Resolve:
		return d.resolve(op)
	case Expire:
		return d.expire(op)
	case Cancel:
		return d.cancel(op)
	case AnswerOp:
		return d.answer(op)
	case RejectAnswer:
		return d.rejectAnswer(op)
	case DeliverAnswer:
		return d.deliverAnswer(op)
	case InvokeAction:
		return d.invokeAction(op)
	case SetRead:
		return d.setRead(op)
	case SetMuted:
		return d.setMuted(op)
	case Snooze:
		return d.snooze(op)
	case Unsnooze:
		return d.unsnooze(op)
	case SetAside:
		return d.setAside(op)
	case CompleteRequest:
		return d.completeRequest(op)
	case Batch:
		return d.batch(op)
	case Import:
		return d.importRecords(op)
	case Prune:
		return d.prune(op)
	case Tick:
		return d.tick(op)
	}
	return d.doParties(op)
}

// doParties dispatches the operations on connections, sessions and settings.
func (d *decider) doParties(op Op) (Result, error) {
	switch op := op.(type) {
	case CreateConnection:
		return d.createConnection(op)
	case UpdateConnection:
		return d.updateConnection(op)
	case RevokeConnection:
		return d.revokeConnection(op)
	case RemoveConnection:
		return d.removeConnection(op)
	case RotateToken:
		return d.rotateToken(op)
	case Hello:
		return d.hello(op)
	case SetPresence:
		return d.setPresence(op)
	case PutSession:
		return d.putSession(op)
	case EndSession:
		return d.endSession(op)
	case SeeSession:
		return d.seeSession(op)
	case TellSession:
		return d.tellSession(op)
	case SetFocus:
		return d.setFocus(op)
	case AckInvalidations:
		return d.ackInvalidations(op)
	case SetSettings:
		return d.setSettings(op)
	}
	return Result{}, Errorf(CodeInternal, "This operation is unknown.")
}

// emit numbers a change, makes it visible to the rest of the decision, and returns its number.
func (d *decider) emit(c Change) int64 {
	c.Seq = d.s.Sequence() + 1
	c.At = d.at
	c.By = d.by.Name()
	switch {
	case c.Record != nil:
		c.Record.Change = c.Seq
	case c.Connection != nil:
		c.Connection.Change = c.Seq
	case c.Session != nil:
		c.Session.Change = c.Seq
	case c.Invalidation != nil:
		c.Invalidation.Change = c.Seq
	}
	d.changes = append(d.changes, c)
	d.s.apply(&c)
	return c.Seq
}

// change makes a copy of r for a change of any sort at this instant, or where the clock was set back since, at that of the
// last change: the instants of a record do not go back.
func (d *decider) change(r *Record) *Record {
	next := *r
	if d.at.After(r.UpdatedAt) {
		next.UpdatedAt = d.at
	}
	return &next
}

// emitRecord emits the change from before to r and returns r.
func (d *decider) emitRecord(name EventName, before, r *Record) *Record {
	d.emit(Change{Name: name, Record: r, Before: before})
	return r
}

// record finds a record that the actor may see, and first settles what was due by now. To a
// connection, another one's record does not exist.
func (d *decider) record(id string) (*Record, error) {
	r, ok := d.s.Record(id)
	if !ok || d.by.Connection != "" && r.Connection != d.by.Connection {
		return nil, Errorf(CodeNotFound, "There is no such notification.")
	}
	return d.settle(r), nil
}

// settle times an interaction out whose deadline is at or before the command's instant, so that no
// command finds it still waiting, whatever the sweep did (I8).
func (d *decider) settle(r *Record) *Record {
	if !r.Waiting() || r.InteractionDeadline.IsZero() || r.InteractionDeadline.After(d.at) {
		return r
	}
	prefix := d.settled == len(d.changes)
	next := d.timeOut(r)
	if prefix {
		d.settled = len(d.changes)
	}
	return next
}

// target finds what a Resolve, Expire or Cancel names.
func (d *decider) target(t Target) (*Record, error) {
	if t.ID != "" {
		return d.record(t.ID)
	}
	if t.Connection == "" {
		t.Connection = d.by.Connection
	}
	if err := d.mayWrite(t.Connection); err != nil {
		return nil, err
	}
	if t.Key == "" {
		return nil, Invalid("/id", "or key is required")
	}
	scope := ScopeApplication
	if t.Session != "" {
		scope = ScopeSession
	}
	if n, ok := d.s.Slot(Slot{t.Connection, scope, t.Session, t.Key}); ok {
		if r, ok := d.s.Record(n.RecordID); ok {
			if r = d.settle(r); r.Status == Pending {
				return r, nil
			}
		}
	}
	return nil, Errorf(CodeNotFound, "Nothing is pending under this key.")
}

// mayWrite refuses a connection that would write to another, and a connection that isn't there.
func (d *decider) mayWrite(connection string) error {
	if d.by.Connection != "" && d.by.Connection != connection {
		return Errorf(CodeForbidden, "This token belongs to another connection.")
	}
	if _, ok := d.s.Connection(connection); !ok {
		return Errorf(CodeNotFound, "There is no such connection.")
	}
	return d.stays(connection)
}

// stays refuses what would be lost: it concerns a connection that is being removed.
func (d *decider) stays(connection string) error {
	if c, ok := d.s.Connection(connection); ok && c.Purging {
		return Errorf(CodeUnavailable, "The connection is being removed.")
	}
	return nil
}

// ownerOnly refuses producers.
func (d *decider) ownerOnly() error {
	if d.by.Connection != "" {
		return Errorf(CodeForbidden, "Only the owner may do this.")
	}
	return nil
}

// current refuses an expectation that r does not meet (L5, L7, D1).
func current(r *Record, e Expectation) error {
	if !e.Expect || e.met(r) {
		return nil
	}
	return &Error{Code: CodeRevisionConflict, Detail: "The notification has changed meanwhile.", Current: r}
}

// met reports whether r is as expected. A record without an integer revision is compared by its
// updated_at; a change that left its content alone does not make that token stale (L7).
func (e Expectation) met(r *Record) bool {
	if r.Revision == 0 {
		return !e.UpdatedAt.IsZero() && (e.UpdatedAt.Equal(r.UpdatedAt) || e.UpdatedAt.Equal(r.ContentAt))
	}
	return e.UpdatedAt.IsZero() && e.Revision == r.Revision
}

// terminal is the refusal for a record that ended.
func terminal(r *Record) error {
	detail := "The notification has ended already."
	switch {
	case r.Outcome == nil:
	case r.Outcome.Kind == OutcomeTimedOut:
		detail = "The notification timed out before."
	case r.Outcome.Kind == OutcomeCancelled:
		detail = "The notification was cancelled before."
	}
	return &Error{Code: CodeTerminal, Detail: detail, Current: r}
}

// collect gathers the pending records of a scope that match, in the order of their creation, so that
// they can be changed while none is being iterated over.
func (d *decider) collect(ref SessionRef, match func(*Record) bool) []*Record {
	var out []*Record
	for r := range d.s.Pending(ref) {
		if match(r) {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, byCreation)
	return out
}

// byCreation orders records by their creation.
func byCreation(a, b *Record) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
}
