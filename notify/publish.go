package notify

import (
	"bytes"
	"time"
)

// publish creates an occurrence, or updates the pending one of its key (L4).
func (d *decider) publish(op Publish) (Result, error) {
	if op.Connection == "" {
		op.Connection = d.by.Connection
	}
	if err := d.mayWrite(op.Connection); err != nil {
		return Result{}, err
	}
	if res, done, err := d.repeated(op); done || err != nil {
		return res, err
	}
	if err := d.normalise(&op); err != nil {
		return Result{}, err
	}
	if res, done := d.told(op); done {
		return res, nil
	}
	if op.Corroborate {
		if r, ok := d.s.Dedup(Slot{op.Connection, op.Scope, op.Session, op.Content.DedupKey}); ok {
			if r = d.settle(r); r.Status == Pending {
				return d.corroborate(op, r)
			}
		}
	}
	occurrence := 1
	var newest *Record
	if op.Key != "" {
		if n, ok := d.s.Slot(Slot{op.Connection, op.Scope, op.Session, op.Key}); ok {
			occurrence = n.Occurrence + 1
			if newest, ok = d.s.Record(n.RecordID); ok {
				newest = d.settle(newest)
			}
		}
	}
	if newest != nil && newest.Status == Pending {
		if err := current(newest, op.Expect); err != nil {
			return Result{}, err
		}
		return d.republish(op, newest), nil
	}
	if op.Expect.Expect && (op.Expect.Revision != 0 || !op.Expect.UpdatedAt.IsZero()) {
		return Result{}, &Error{Code: CodeRevisionConflict, Detail: "Nothing is pending under this key.", Current: newest}
	}
	return d.create(op, occurrence)
}

// IdempotencyField is what an error calls the idempotency key: no field of a publication, but what it is sent under.
const IdempotencyField = "Idempotency-Key"

// repeated answers a publication whose idempotency key was used before.
func (d *decider) repeated(op Publish) (res Result, done bool, err error) {
	if op.IdempotencyKey == "" {
		return Result{}, false, nil
	}
	if err := checkName(IdempotencyField, op.IdempotencyKey, true); err != nil {
		return Result{}, false, err
	}
	receipt, ok := d.s.Receipt(op.Connection, op.IdempotencyKey)
	if !ok {
		return Result{}, false, nil
	}
	if !bytes.Equal(receipt.Digest, op.Digest) {
		return Result{}, false, Errorf(CodeIdempotencyMismatch, "This idempotency key was used for another request.")
	}
	return Result{Verdict: Unchanged, Record: d.remembered(receipt.RecordID, op)}, true, nil
}

// told answers a replay of an event's occurrence: a success that changes nothing, whatever became of
// its record (A2).
func (d *decider) told(op Publish) (Result, bool) {
	e := op.Content.Event
	if e == nil {
		return Result{}, false
	}
	id, ok := d.s.Told(EventRef{op.Connection, op.Session, e.Type, e.Occurrence})
	if !ok {
		return Result{}, false
	}
	return Result{Verdict: Unchanged, Record: d.remembered(id, op)}, true
}

// remembered is the record that an earlier publication made. Where history no longer has it, it is
// told as what it must have been: the same, and ended.
func (d *decider) remembered(id string, op Publish) *Record {
	if r, ok := d.s.Record(id); ok {
		return d.settle(r)
	}
	return &Record{ID: id, Connection: op.Connection, Scope: op.Scope, Session: op.Session, Key: op.Key, Occurrence: 1, Revision: 1,
		Status: Expired, Content: op.Content, CreatedAt: d.at, UpdatedAt: d.at, ContentAt: d.at, EndedAt: d.at,
		Outcome: &Outcome{Kind: OutcomeExpired, By: Center.Name(), Reason: "no longer in history", At: d.at}}
}

// receipt is what remembers this publication; nil without an idempotency key.
func (d *decider) receipt(op Publish, id string) *Receipt {
	if op.IdempotencyKey == "" {
		return nil
	}
	return &Receipt{Connection: op.Connection, Key: op.IdempotencyKey, Digest: bytes.Clone(op.Digest), RecordID: id, At: d.at}
}

// corroborate adds a +1 to a pending record (A6). Its content, and so its revision, stays.
func (d *decider) corroborate(op Publish, r *Record) (Result, error) {
	if err := current(r, op.Expect); err != nil {
		return Result{}, err
	}
	next := d.change(r)
	note := op.Note
	if note == "" {
		note = op.Content.Title
	}
	all := make([]PlusOne, 0, len(r.PlusOnes)+1)
	all = append(append(all, r.PlusOnes...), PlusOne{At: d.at, Sender: op.Content.Sender, Note: note})
	if n := len(all) - MaxPlusOnes; n > 0 {
		next.PlusOnesDropped += n
		all = all[n:]
	}
	next.PlusOnes = all
	c := Change{Name: EvCorroborated, Record: next, Before: r, Receipt: d.receipt(op, r.ID), Quiet: true}
	if e := op.Content.Event; e != nil {
		c.Event = &EventRef{op.Connection, op.Session, e.Type, e.Occurrence}
	}
	d.emit(c)
	d.touch(op.Connection)
	return Result{Verdict: Corroborated, Record: next, Masked: op.Masked}, nil
}

// create begins an occurrence.
func (d *decider) create(op Publish, occurrence int) (Result, error) {
	if len(d.ids) == 0 {
		return Result{}, Errorf(CodeInternal, "The command has no id for a new record.")
	}
	id := d.ids[0]
	d.ids = d.ids[1:]
	born, quiet := d.at, false
	if at := op.OccurredAt.UTC().Truncate(time.Millisecond); !op.OccurredAt.IsZero() && at.Before(d.at) {
		born = at
		quiet = d.at.Sub(at) > ReplayQuietAfter
	}
	c, _ := d.s.Connection(op.Connection)
	r := &Record{ID: id, Connection: op.Connection, Scope: op.Scope, Session: op.Session, Key: op.Key, Occurrence: occurrence, Revision: 1,
		Status: Pending, Content: op.Content, Muted: op.Muted, Lifetime: c.Lifetime, Masked: op.Masked,
		CreatedAt: born, UpdatedAt: d.at, ContentAt: born}
	if op.SnoozeUntil.After(d.at) {
		r.SnoozeUntil = op.SnoozeUntil
	}
	ask(r, born)
	if r.Kind == KindInteraction && r.Interaction.Auto != nil {
		if !decides(r.Interaction) { // nothing was decided: there is nothing to tell, and nothing to keep (I6)
			r.Status, r.InteractionState, r.EndedAt = Resolved, InteractionAutoAnswered, d.at
			return Result{Verdict: Unchanged, Record: r}, nil
		}
		quiet = autoAnswer(r, d.at)
	}
	moved := d.place(r)
	d.emit(Change{Name: EvCreated, Record: r, Receipt: d.receipt(op, id), Quiet: quiet})
	d.after(r)
	if moved {
		d.wake(SessionRef{r.Connection, r.Session})
	}
	if kept, ok := d.s.Record(id); ok {
		r = d.settle(kept)
	}
	return Result{Verdict: Created, Record: r, Masked: op.Masked}, nil
}

// republish updates the pending occurrence of a key in place (L4): it replaces the content, and not
// what the owner did with it.
func (d *decider) republish(op Publish, r *Record) Result {
	next := d.revise(r)
	next.Content = op.Content
	next.Masked = op.Masked
	if c, ok := d.s.Connection(op.Connection); ok {
		next.Lifetime = c.Lifetime
	}
	name := d.reask(next)
	quiet := name != EvUpdated || !op.OccurredAt.IsZero() && d.at.Sub(op.OccurredAt) > ReplayQuietAfter
	moved := next.Event != nil && d.place(next)
	d.emit(Change{Name: name, Record: next, Before: r, Receipt: d.receipt(op, r.ID), Quiet: quiet})
	d.after(next)
	if moved {
		d.wake(SessionRef{next.Connection, next.Session})
	}
	if kept, ok := d.s.Record(r.ID); ok {
		next = kept
	}
	return Result{Verdict: Updated, Record: next, Masked: op.Masked}
}

// revise makes the next revision of r. It is unread again, progress that was read apart, and returns
// to the front if it was set aside until it changes (I7).
func (d *decider) revise(r *Record) *Record {
	next := d.change(r)
	next.Revision++
	next.ContentAt = next.UpdatedAt
	if r.Kind != KindProgress {
		next.Read = false
	}
	if next.SetAsideUntil.Equal(SetAsideForever) {
		next.endSetAside()
	}
	return next
}

// reask brings the interaction's own state in line with content that changed, and names the change: an
// answer that came with the content ends the wait (I6).
func (d *decider) reask(r *Record) EventName {
	r.InteractionState, r.InteractionError, r.InteractionDeadline = "", "", zeroTime
	ask(r, d.at)
	if autoAnswer(r, r.UpdatedAt) {
		return EvResolved
	}
	return EvUpdated
}

// ask starts the wait of an interaction at an instant.
func ask(r *Record, at time.Time) {
	if r.Kind != KindInteraction {
		return
	}
	r.InteractionState = InteractionWaiting
	if s := r.Interaction.TimeoutSeconds; s > 0 {
		r.InteractionDeadline = at.Add(time.Duration(s * float64(time.Second))).Truncate(time.Millisecond)
	}
}

// place puts r into its session: it is made if nobody has named it before, and an event takes the
// next position of its sequence (A4), which place reports.
func (d *decider) place(r *Record) (moved bool) {
	if r.Scope != ScopeSession {
		return false
	}
	s, known := d.s.Session(SessionRef{r.Connection, r.Session})
	next := Session{Connection: r.Connection, ID: r.Session, CreatedAt: d.at}
	if known {
		next = *s
	}
	if !known {
		d.room(r.Connection)
	}
	moved = position(&next, r)
	changed := moved
	if moved {
		r.Position = next.Sequence
	}
	if r.Event != nil && r.Event.Type == EventPromptSubmitted && next.Seen < next.Sequence {
		next.Seen = next.Sequence // the owner writes there, and so has seen it
		changed = true
	}
	if !known || changed || d.heard(&next) {
		next.UpdatedAt = d.at
		d.emit(Change{Name: EvSession, Session: &next})
	}
	return moved
}

// after does what follows from a new revision: refresh requests, prompts that its event settles, and
// the presence of its connection.
func (d *decider) after(r *Record) {
	d.invalidate(r)
	d.settlePrompts(r)
	d.touch(r.Connection)
}
