package notify

// prune removes records from history (R4). The plan was made a moment ago on entries; what changed
// since so that it may not go any more stays, and so does what is pending, unless its TTL has passed
// or its connection is being purged: that one expires first.
func (d *decider) prune(op Prune) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	n := 0
	for _, id := range op.IDs {
		r, ok := d.s.Record(id)
		if !ok {
			continue
		}
		if r.Status == Pending {
			c, _ := d.s.Connection(r.Connection)
			if purging := c == nil || c.Purging; !purging && !Lapsed(r, d.at) {
				continue
			}
			r = d.endExpired(r, "its time had passed long ago")
		}
		gone := *r
		d.emit(Change{Name: EvPruned, Record: &gone, Before: r, Removed: true})
		n++
	}
	return Result{Verdict: verdictOf(n), Count: n}, nil
}
