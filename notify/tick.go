package notify

import "time"

// NextDeadline is the instant at which r changes by itself; zero: never. A TTL is none of these: it
// governs fresh presentation only and changes nothing (R2).
func NextDeadline(r *Record) time.Time {
	if r.Status.Terminal() {
		return zeroTime
	}
	var t time.Time
	earliest := func(u time.Time) {
		if !u.IsZero() && (t.IsZero() || u.Before(t)) {
			t = u
		}
	}
	earliest(r.SnoozeUntil)
	if r.Waiting() {
		earliest(r.InteractionDeadline)
		if !r.SetAsideUntil.Equal(SetAsideForever) {
			earliest(r.SetAsideUntil)
		}
	} else if !r.Dismissible {
		earliest(r.DismissibleAfter)
	}
	return t
}

// NextPresence is the instant at which the presence of c changes by itself; zero: never. One whose
// streams were open when the center ended is due at once: they are closed since.
func NextPresence(c *Connection) time.Time {
	switch {
	case c.Revoked || c.Streams > 0:
		return zeroTime
	case c.Streaming:
		return c.SeenAt
	case c.Away || c.SeenAt.IsZero():
		return zeroTime
	}
	return c.SeenAt.Add(OnlineFor)
}

// tick does what has come due (I8, A5, D7). Doing it late, after a sleep of the machine or a stop of
// the center, gives what doing it in time gives; doing it twice changes nothing.
func (d *decider) tick(op Tick) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	if op.SetBack {
		for _, r := range d.collect(SessionRef{}, func(*Record) bool { return true }) {
			d.shorten(r)
		}
	}
	var due []*Record
	for r := range d.s.Due(d.at) {
		due = append(due, r)
	}
	for _, r := range due {
		d.come(r)
	}
	var away []*Connection
	for c := range d.s.Connections() {
		if t := NextPresence(c); !t.IsZero() && !t.After(d.at) {
			away = append(away, c)
		}
	}
	for _, c := range away {
		next := *c
		if c.Streaming { // of an earlier run: it was there until that ended, which is not known better
			next.Streaming = false
			next.SeenAt = d.at
		} else {
			next.Away = true
		}
		d.emit(Change{Name: EvConnection, Connection: &next})
	}
	d.forgetIdle()
	return Result{Verdict: verdictOf(len(d.changes)), Count: len(d.changes)}, nil
}

// shorten ends what was meant as a length no later than that from now on: a further end was reckoned by a clock that has
// been set back since. An end that was named as an instant stays.
func (d *decider) shorten(r *Record) {
	next := *r // no change of content: the revision that the owner sees stays valid
	changed := false
	bound := func(end *time.Time, length time.Duration) {
		if length > 0 && end.Sub(d.at) > length {
			*end = d.at.Add(length).Truncate(time.Millisecond)
			changed = true
		}
	}
	bound(&next.Retention.Deadline, r.Retention.TTL)
	bound(&next.SnoozeUntil, r.SnoozeFor)
	if r.Waiting() {
		bound(&next.InteractionDeadline, time.Duration(r.Interaction.TimeoutSeconds*float64(time.Second)))
		bound(&next.SetAsideUntil, r.SetAsideFor)
	}
	if changed {
		d.emit(Change{Name: EvUpdated, Record: &next, Before: r, Quiet: true})
	}
}

// come does all that is due of one record.
func (d *decider) come(r *Record) {
	past := func(t time.Time) bool { return !t.IsZero() && !t.After(d.at) }
	if r = d.settle(r); r.Status.Terminal() {
		return
	}
	if snooze, aside := past(r.SnoozeUntil), past(r.SetAsideUntil); snooze || r.Waiting() && aside {
		r = d.resurface(r, snooze, aside)
	}
	if !r.Waiting() && !r.Dismissible && past(r.DismissibleAfter) {
		next := *r // no change of content: the revision that the owner sees stays valid
		next.Dismissible = true
		d.emit(Change{Name: EvUpdated, Record: &next, Before: r, Quiet: true})
	}
}
