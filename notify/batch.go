package notify

import "errors"

// batch decides its operations in order, each on what the earlier ones left, as one (L9): the first
// that is refused refuses all.
func (d *decider) batch(op Batch) (Result, error) {
	if len(op.Ops) == 0 {
		return Result{}, Invalid("/operations", "must not be empty")
	}
	if len(op.Ops) > MaxBatch {
		return Result{}, Invalid("/operations", "must be at most %d", MaxBatch)
	}
	if err := d.unmoved(op.Session, op.Through); err != nil {
		return Result{}, err
	}
	ids := d.ids
	if len(ids) < len(op.Ops) {
		return Result{}, Errorf(CodeInternal, "The command has too few ids for its operations.")
	}
	results := make([]Result, len(op.Ops))
	for i, o := range op.Ops {
		d.ids = ids[i : i+1]
		res, err := d.batched(o)
		if err != nil {
			d.settled = 0 // nothing of a refused batch happens; what was due is found due again
			return Result{}, operation(err, i)
		}
		results[i] = res
	}
	return Result{Verdict: verdictOf(len(d.changes)), Results: results}, nil
}

// unmoved refuses what was decided on a session of which something is newer than the last change seen (L5).
func (d *decider) unmoved(ref SessionRef, through int64) error {
	if ref.Session == "" && through == 0 {
		return nil
	}
	if err := checkName("/session", ref.Session, true); err != nil {
		return err
	}
	if through < 0 {
		return Invalid("/expected_change", "must be 0 or more")
	}
	for r := range d.s.Pending(ref) {
		if r.Change > through && !r.Silent {
			return &Error{Code: CodeRevisionConflict, Detail: "The session has changed meanwhile.", Current: r}
		}
	}
	return nil
}

// batched decides one operation of a batch.
func (d *decider) batched(op Op) (Result, error) {
	switch op.(type) {
	case Publish, Update, Dismiss, Resolve, Expire, Cancel, CompleteRequest:
		return d.do(op)
	}
	return Result{}, Invalid("/op", "is not one that a batch may hold")
}

// operation says which operation of a batch was refused.
func operation(err error, i int) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	with := *e
	with.Operation = &i
	return &with
}
