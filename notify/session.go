package notify

// MaxSequence bounds the sequence of a session: every JSON reader keeps it exactly.
const MaxSequence = 1<<53 - 1

// putSession creates or changes a session (A4). Its sequence never goes back.
func (d *decider) putSession(op PutSession) (Result, error) {
	if op.Connection == "" {
		op.Connection = d.by.Connection
	}
	if err := d.mayWrite(op.Connection); err != nil {
		return Result{}, err
	}
	k := checker{rules: d.rules, at: d.at}
	k.pathName("/session", op.Session, true)
	title, address, state := k.given("/title", op.Title, MaxTitle), op.URL, k.given("/state", op.State, 40)
	if address != nil {
		a := *address
		k.address("/url", &a, false)
		address = &a
	}
	if op.Sequence != nil && (*op.Sequence < 0 || *op.Sequence > MaxSequence) {
		k.bad("/sequence", "must be 0 to 2^53-1")
	}
	if err := k.err(); err != nil {
		return Result{}, err
	}
	s, known := d.s.Session(SessionRef{op.Connection, op.Session})
	next := Session{Connection: op.Connection, ID: op.Session, CreatedAt: d.at}
	if known {
		next = *s
	}
	assign(&next.Title, title)
	assign(&next.URL, address)
	assign(&next.State, state)
	if op.Sequence != nil && *op.Sequence > next.Sequence {
		next.Sequence = *op.Sequence
	}
	if known && next == *s && !d.heard(s) {
		return Result{Verdict: Unchanged, Session: s}, nil
	}
	if !known {
		d.room(op.Connection)
	}
	next.UpdatedAt = d.at
	d.emit(Change{Name: EvSession, Session: &next})
	if !known || next.Sequence > s.Sequence {
		d.wake(next.Ref())
	}
	d.touch(op.Connection)
	verdict := Updated
	if !known {
		verdict = Created
	}
	return Result{Verdict: verdict, Session: &next, SessionNew: !known}, nil
}

// given cleans an optional line.
func (k *checker) given(field string, s *string, max int) *string {
	if s == nil {
		return nil
	}
	v := *s
	k.line(field, &v, max, false)
	return &v
}

func assign[T any](to *T, from *T) {
	if from != nil {
		*to = *from
	}
}

// endSession ends a session, and resolves what it left open: those are the items of exactly this
// session, none of one whose name begins alike (A9).
func (d *decider) endSession(op EndSession) (Result, error) {
	if op.Connection == "" {
		op.Connection = d.by.Connection
	}
	if err := d.mayWrite(op.Connection); err != nil {
		return Result{}, err
	}
	ref := SessionRef{op.Connection, op.Session}
	s, ok := d.s.Session(ref)
	if !ok {
		return Result{}, Errorf(CodeNotFound, "There is no such session.")
	}
	n := 0
	for _, r := range d.collect(ref, func(r *Record) bool { return r.Scope == ScopeSession && r.Session == op.Session }) {
		if r = d.settle(r); r.Status == Pending {
			d.endResolved(r, "the session ended")
			n++
		}
	}
	next := *s
	next.Ended = true
	next.UpdatedAt = d.at
	d.emit(Change{Name: EvSession, Session: &next, Removed: true})
	d.touch(op.Connection)
	return Result{Verdict: Updated, Session: &next, Count: n}, nil
}

// seeSession records the position that the owner has seen; it settles reply and failed (A4).
func (d *decider) seeSession(op SeeSession) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	return d.move(op.Connection, op.Session, op.Sequence, func(s *Session) *int64 { return &s.Seen })
}

// tellSession records the position that the owner was told of (A4).
func (d *decider) tellSession(op TellSession) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	return d.move(op.Connection, op.Session, op.Sequence, func(s *Session) *int64 { return &s.Told })
}

// move advances a position of a session, to its sequence at most; it never goes back.
func (d *decider) move(connection, session string, to int64, position func(*Session) *int64) (Result, error) {
	s, ok := d.s.Session(SessionRef{connection, session})
	switch {
	case !ok:
		return Result{}, Errorf(CodeNotFound, "There is no such session.")
	case to < 0:
		return Result{}, Invalid("/sequence", "must be 0 or more")
	}
	next := *s
	p := position(&next)
	*p = max(*p, min(to, s.Sequence))
	if next == *s {
		return Result{Verdict: Unchanged, Session: s}, nil
	}
	next.UpdatedAt = d.at
	d.emit(Change{Name: EvSession, Session: &next})
	return Result{Verdict: Updated, Session: &next}, nil
}

// setFocus says which session the owner is in (P1).
func (d *decider) setFocus(op SetFocus) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	switch f := op.Focus; {
	case f == SessionRef{}:
	case f.Connection == "":
		return Result{}, Invalid("/connection", "is required with a session")
	case f.Session == "":
		return Result{}, Invalid("/session", "is required with a connection")
	default:
		if err := checkName("/session", f.Session, true); err != nil {
			return Result{}, err
		}
		if err := d.mayWrite(f.Connection); err != nil {
			return Result{}, err
		}
	}
	s := d.s.Settings()
	if s.Focus == op.Focus {
		return Result{Verdict: Unchanged}, nil
	}
	s.Focus = op.Focus
	d.emit(Change{Name: EvAttention, Settings: &s})
	return Result{Verdict: Updated}, nil
}
