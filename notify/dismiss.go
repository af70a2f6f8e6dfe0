package notify

import "time"

// Seen is what is expected of r by who acts on what was shown of it (D1).
func (r *Record) Seen() Expectation { return Expecting(r.Revision, r.UpdatedAt) }

// dismiss hides exactly the revision that the owner saw (D1, D2).
func (d *decider) dismiss(op Dismiss) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	if !op.Expect.Expect {
		return Result{}, Invalid("/expected_revision", "is required: a dismissal names the revision that was seen")
	}
	r, err := d.record(op.ID)
	if err != nil {
		return Result{}, err
	}
	if r.Status.Terminal() && r.Status != Dismissed {
		return Result{}, terminal(r)
	}
	if err := current(r, op.Expect); err != nil {
		return Result{}, err
	}
	if r.Status == Dismissed {
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	c, _ := d.s.Connection(r.Connection)
	if !CanDismiss(r, c, d.rules, d.at) {
		if r.Waiting() {
			return Result{}, &Error{Code: CodeInteractionActive, Detail: "It waits for an answer, and cannot be dismissed.", Current: r}
		}
		return Result{}, &Error{Code: CodeNotDismissible, Detail: "It cannot be dismissed.", Current: r}
	}
	r = d.end(r, EvDismissed, Dismissed, InteractionDismissed, Outcome{Kind: OutcomeDismissed})
	return Result{Verdict: Updated, Record: r}, nil
}

// CanDismiss reports whether the owner may dismiss r at an instant (D6, D7, I2). c is its
// connection; nil: it is gone, and nothing that it left may become a dead end.
func CanDismiss(r *Record, c *Connection, rules Rules, now time.Time) bool {
	switch {
	case r.Status.Terminal():
		return false
	case Orphaned(c, rules, now):
		return true
	case r.Waiting():
		return false
	}
	return r.Dismissible || !r.DismissibleAfter.IsZero() && !r.DismissibleAfter.After(now)
}

// Orphaned reports whether what the connection left is orphaned at an instant: it is gone or
// revoked, or has been away for longer than the orphan limit (D7). One that was never seen is away
// since it was registered.
func Orphaned(c *Connection, rules Rules, now time.Time) bool {
	if c == nil || c.Revoked {
		return true
	}
	if c.Streams > 0 || c.Streaming {
		return false
	}
	since := c.SeenAt
	if since.IsZero() {
		since = c.CreatedAt
	}
	return now.Sub(since) > rules.orphanAfter()
}

func (r Rules) orphanAfter() time.Duration {
	if r.OrphanAfter > 0 {
		return r.OrphanAfter
	}
	return DefaultOrphanAfter
}
