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
