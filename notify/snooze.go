package notify

import "time"

var zeroTime time.Time

// MaxSnooze bounds a snooze and a set-aside.
const MaxSnooze = 10 * 365 * 24 * time.Hour

// own finds a record for an operation of the owner.
func (d *decider) own(id string) (*Record, error) {
	if err := d.ownerOnly(); err != nil {
		return nil, err
	}
	return d.record(id)
}

// ownPending finds a pending record for an operation of the owner.
func (d *decider) ownPending(id string) (*Record, error) {
	r, err := d.own(id)
	if err == nil && r.Status.Terminal() {
		err = terminal(r)
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// setRead marks read or unread, of whatever status: they are separate (A7).
func (d *decider) setRead(op SetRead) (Result, error) {
	r, err := d.own(op.ID)
	if err != nil {
		return Result{}, err
	}
	if r.Read == op.Read {
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	next := d.change(r)
	next.Read = op.Read
	return Result{Verdict: Updated, Record: d.emitRecord(EvRead, r, next)}, nil
}

// setMuted mutes or unmutes (A5).
func (d *decider) setMuted(op SetMuted) (Result, error) {
	r, err := d.ownPending(op.ID)
	if err != nil {
		return Result{}, err
	}
	if r.Muted == op.Muted {
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	next := d.change(r)
	next.Muted = op.Muted
	return Result{Verdict: Updated, Record: d.emitRecord(EvMuted, r, next)}, nil
}

// snooze mutes until an instant (A5), or until the next event of the item's session, for MaxSnooze at most (X2).
func (d *decider) snooze(op Snooze) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	if op.UntilEvent {
		if !op.Until.IsZero() || op.For != 0 {
			return Result{}, Invalid("/until_event", "excludes until and seconds")
		}
		op.For = MaxSnooze
	}
	until := op.Until.UTC().Truncate(time.Millisecond)
	switch {
	case op.Until.IsZero() == (op.For == 0):
		return Result{}, Invalid("/until", "or seconds is required, and not both")
	case op.For < 0 || op.For > MaxSnooze:
		return Result{}, Invalid("/seconds", "must be more than 0 and at most ten years")
	case op.For > 0:
		until = d.at.Add(op.For).Truncate(time.Millisecond)
	}
	if !until.After(d.at) || until.After(d.at.Add(MaxSnooze)) {
		return Result{}, Invalid("/until", "must be later than now and at most ten years away")
	}
	r, err := d.ownPending(op.ID)
	if err != nil {
		return Result{}, err
	}
	switch {
	case op.UntilEvent && r.Scope != ScopeSession:
		return Result{}, Invalid("/until_event", "needs an item of a session")
	case r.SnoozeEvent && op.UntilEvent, r.SnoozeUntil.Equal(until) && r.SnoozeEvent == op.UntilEvent:
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	next := d.change(r)
	next.SnoozeUntil, next.SnoozeEvent, next.SnoozeFor = until, op.UntilEvent, op.For
	return Result{Verdict: Updated, Record: d.emitRecord(EvSnoozed, r, next)}, nil
}

// unsnooze brings a snoozed or set-aside item back now.
func (d *decider) unsnooze(op Unsnooze) (Result, error) {
	r, err := d.ownPending(op.ID)
	if err != nil {
		return Result{}, err
	}
	if r.SnoozeUntil.IsZero() && r.SetAsideUntil.IsZero() {
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	return Result{Verdict: Updated, Record: d.resurface(r, !r.SnoozeUntil.IsZero(), true)}, nil
}

// resurface ends a snooze, a set-aside, or both, and leaves the other alone: unread, at the top, once (A5). What was
// snoozed is unmuted.
func (d *decider) resurface(r *Record, snooze, aside bool) *Record {
	next := d.change(r)
	if snooze {
		next.endSnooze()
		next.Muted = false
	}
	if aside {
		next.endSetAside()
	}
	next.ResurfacedAt = d.at
	next.Read = false
	return d.emitRecord(EvResurfaced, r, next)
}

func (r *Record) endSnooze() { r.SnoozeUntil, r.SnoozeEvent, r.SnoozeFor = zeroTime, false, 0 }

func (r *Record) endSetAside() { r.SetAsideUntil, r.SetAsideFor = zeroTime, 0 }

// wake ends the snoozes that last until the next event of a session: it has had one that counts (X2). A
// set-aside is left alone.
func (d *decider) wake(ref SessionRef) {
	for _, r := range d.collect(ref, func(r *Record) bool {
		return r.SnoozeEvent && r.Scope == ScopeSession && r.Session == ref.Session
	}) {
		if r = d.settle(r); r.Status == Pending {
			d.resurface(r, true, false)
		}
	}
}

// setAside moves an active interaction from the front; it stays waiting, counted and answerable (I7).
func (d *decider) setAside(op SetAside) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	if op.For < 0 || op.For > MaxSnooze {
		return Result{}, Invalid("/seconds", "must be 0 to ten years")
	}
	r, err := d.ownPending(op.ID)
	switch {
	case err != nil:
		return Result{}, err
	case !r.Waiting():
		return Result{}, &Error{Code: CodeNotInteraction, Detail: "This notification does not ask anything.", Current: r}
	}
	until := SetAsideForever
	if op.For > 0 {
		until = d.at.Add(op.For).Truncate(time.Millisecond)
		if !until.After(d.at) {
			until = d.at.Add(time.Millisecond)
		}
	}
	if r.SetAsideUntil.Equal(until) {
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	next := d.change(r)
	next.SetAsideUntil, next.SetAsideFor = until, op.For
	return Result{Verdict: Updated, Record: d.emitRecord(EvSnoozed, r, next)}, nil
}

// invokeAction invokes an action of the record as it is now (P3).
func (d *decider) invokeAction(op InvokeAction) (Result, error) {
	r, err := d.own(op.ID)
	if err != nil {
		return Result{}, err
	}
	if !op.Expect.Expect {
		return Result{}, Invalid("/expected_revision", "is required: an action names the revision that was seen")
	}
	if err := current(r, op.Expect); err != nil {
		return Result{}, err
	}
	for _, a := range r.Actions {
		if a.ID != op.Action {
			continue
		}
		if r.Status.Terminal() && !a.InHistory {
			return Result{}, &Error{Code: CodeActionUnavailable, Detail: "This action is not valid in history.", Current: r}
		}
		next := *r // the record is as it was; only its change number moves
		d.emit(Change{Name: EvAction, Record: &next, Before: r, Action: op.Action})
		return Result{Verdict: Updated, Record: &next}, nil
	}
	return Result{}, Errorf(CodeNotFound, "There is no such action.")
}
