package notify

// end makes r terminal and emits it. Whatever ends a record ends here: its refresh request is not
// repeated (E1), and its interaction, if it waited, ends with it (I2).
func (d *decider) end(r *Record, name EventName, status Status, state InteractionState, o Outcome) *Record {
	next := d.change(r)
	next.Status = status
	o.At = next.UpdatedAt
	if o.By == "" {
		o.By = d.by.Name()
	}
	next.Outcome = &o
	next.EndedAt = next.UpdatedAt
	next.Refresh = nil
	next.endSnooze()
	next.endSetAside()
	if r.Waiting() {
		next.InteractionState = state
		next.InteractionError = ""
	}
	return d.emitRecord(name, r, next)
}

// endResolved ends r because its reason is gone.
func (d *decider) endResolved(r *Record, reason string) *Record {
	return d.end(r, EvResolved, Resolved, InteractionResolved, Outcome{Kind: OutcomeResolved, Reason: reason})
}

// endExpired ends r because its time is over.
func (d *decider) endExpired(r *Record, reason string) *Record {
	return d.end(r, EvExpired, Expired, InteractionExpired, Outcome{Kind: OutcomeExpired, Reason: reason})
}

// timeOut ends an interaction at its deadline; the option named for that is taken (I2), and it is
// told as a timeout, by the center, never as a refusal (I8).
func (d *decider) timeOut(r *Record) *Record {
	o := Outcome{Kind: OutcomeTimedOut, By: Center.Name()}
	if r.Interaction != nil && r.Interaction.TimeoutOption != "" {
		o.Answer = &Answer{Option: r.Interaction.TimeoutOption}
	}
	return d.end(r, EvExpired, Expired, InteractionTimedOut, o)
}

func (d *decider) resolve(op Resolve) (Result, error) {
	return d.finish(op.Target, op.Reason, op.Expect, Resolved, d.endResolved)
}

func (d *decider) expire(op Expire) (Result, error) {
	return d.finish(op.Target, op.Reason, op.Expect, Expired, d.endExpired)
}

// finish resolves or expires. Repeating the ending that a record already had is a success that
// changes nothing; any other is refused (L1).
func (d *decider) finish(t Target, reason string, e Expectation, to Status, end func(*Record, string) *Record) (Result, error) {
	reason, err := cleanReason(reason)
	if err != nil {
		return Result{}, err
	}
	r, err := d.target(t)
	if err != nil {
		return Result{}, err
	}
	if r.Status.Terminal() && r.Status != to {
		return Result{}, terminal(r)
	}
	if err := current(r, e); err != nil {
		return Result{}, err
	}
	if r.Status == to {
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	return Result{Verdict: Updated, Record: end(r, reason)}, nil
}

// cancel withdraws an interaction that waits (I2).
func (d *decider) cancel(op Cancel) (Result, error) {
	reason, err := cleanReason(op.Reason)
	if err != nil {
		return Result{}, err
	}
	r, err := asking(d.target(op.Target))
	switch {
	case err != nil:
		return Result{}, err
	case r.InteractionState == InteractionAnswered:
		return Result{}, alreadyAnswered(r)
	case r.Status.Terminal() && r.InteractionState != InteractionCancelled:
		return Result{}, terminal(r)
	}
	if err := current(r, op.Expect); err != nil {
		return Result{}, err
	}
	if r.Status.Terminal() {
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	r = d.end(r, EvCancelled, Resolved, InteractionCancelled, Outcome{Kind: OutcomeCancelled, Reason: reason})
	return Result{Verdict: Updated, Record: r}, nil
}

// completeRequest expires what was bound to a request (R3).
func (d *decider) completeRequest(op CompleteRequest) (Result, error) {
	if op.Connection == "" {
		op.Connection = d.by.Connection
	}
	if err := d.mayWrite(op.Connection); err != nil {
		return Result{}, err
	}
	if err := checkName("/request", op.Request, true); err != nil {
		return Result{}, err
	}
	bound := d.collect(SessionRef{Connection: op.Connection}, func(r *Record) bool {
		return r.Retention.Policy == RequestBound && r.Request == op.Request
	})
	n := 0
	for _, r := range bound {
		if r = d.settle(r); r.Status == Pending {
			d.endExpired(r, "request completed")
			n++
		}
	}
	d.touch(op.Connection)
	return Result{Verdict: verdictOf(n), Count: n}, nil
}

// verdictOf is Updated where something changed.
func verdictOf(changes int) Verdict {
	if changes == 0 {
		return Unchanged
	}
	return Updated
}
