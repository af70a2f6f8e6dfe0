package notify

import (
	"slices"
	"time"
)

// answer gives an interaction its one answer (I1–I4).
func (d *decider) answer(op AnswerOp) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	r, err := asking(d.record(op.ID))
	switch {
	case err != nil:
		return Result{}, err
	case r.InteractionState == InteractionAnswered:
		return Result{}, alreadyAnswered(r)
	case !r.Waiting():
		return Result{}, terminal(r)
	}
	if err := current(r, op.Expect); err != nil {
		return Result{}, err
	}
	a, errs := r.Interaction.check(op.Answer)
	if len(errs) > 0 {
		return Result{}, &Error{Code: CodeAnswerInvalid, Detail: "The answer does not fit what was asked.", Fields: errs}
	}
	r = d.end(r, EvAnswered, Resolved, InteractionAnswered, Outcome{Kind: OutcomeAnswered, Answer: &a})
	return Result{Verdict: Updated, Record: r}, nil
}

// asking refuses a record that asks nothing.
func asking(r *Record, err error) (*Record, error) {
	if err == nil && r.Kind != KindInteraction {
		err = Errorf(CodeNotInteraction, "This notification does not ask anything.")
	}
	return r, err
}

// alreadyAnswered tells the one who comes second who was first (I4).
func alreadyAnswered(r *Record) error {
	return &Error{Code: CodeAlreadyAnswered, Detail: "It was answered before.", Current: r}
}

// check holds an answer against what was asked and fills in the defaults. It returns the answer to
// keep, or what is wrong with it.
func (i *Interaction) check(a Answer) (Answer, []FieldError) {
	var k checker
	skip := false // the fields (I1)
	out := Answer{Option: a.Option, Comment: CleanText(a.Comment)}
	if len(out.Comment) > MaxBody {
		k.bad("/answer/comment", "must be at most %d bytes", MaxBody)
	}
	if len(i.Options) > 0 {
		if out.Option == "" {
			out.Option = i.DefaultOption
		}
		o := i.option(out.Option)
		skip = o != nil && o.SkipsFields
		switch {
		case out.Option == "":
			k.bad("/answer/option", "is required")
		case o == nil:
			k.bad("/answer/option", "is not among the options")
		case o.Comment == "none" && out.Comment != "":
			k.bad("/answer/comment", "is not allowed with this option")
		case o.Comment == "required" && out.Comment == "":
			k.bad("/answer/comment", "is required with this option")
		}
	} else {
		if out.Option != "" {
			k.bad("/answer/option", "is not among the options: there are none")
		}
		if len(i.Fields) == 0 && out.Comment == "" { // a prompt alone asks for free text
			k.bad("/answer/comment", "is required: it is the answer")
		}
	}
	k.answerFields(i, a, &out, skip)
	return out, k.errs
}

func (k *checker) answerFields(i *Interaction, a Answer, out *Answer, skip bool) {
	keep := func(id string, v RawJSON) {
		if out.Fields == nil {
			out.Fields = map[string]RawJSON{}
		}
		out.Fields[id] = v
	}
	for n := range i.Fields {
		f := &i.Fields[n]
		at := "/answer/fields/" + escapePointer(f.ID)
		raw, given := a.Fields[f.ID]
		if len(raw) == 0 || string(raw) == "null" {
			given = false
		}
		switch {
		case given:
			v, problem := f.value(raw)
			if problem != "" {
				k.bad(at, "%s", problem)
			} else if f.Required && !skip && f.empty(v) {
				k.bad(at, "is required")
			}
			keep(f.ID, v)
		case len(f.Default) > 0:
			keep(f.ID, f.Default)
		case f.Required && !skip:
			k.bad(at, "is required")
		}
	}
	var unknown []string
	for id := range a.Fields {
		if !slices.ContainsFunc(i.Fields, func(f Field) bool { return f.ID == id }) {
			unknown = append(unknown, id)
		}
	}
	slices.Sort(unknown)
	for _, id := range unknown {
		k.bad("/answer/fields/"+escapePointer(id), "was not asked")
	}
}

// empty reports whether a valid value says nothing, which a required field must.
func (f *Field) empty(v RawJSON) bool {
	return f.Type == FieldText && string(v) == `""` || f.Type == FieldChoices && len(v) >= 2 && len(CleanLine(string(v[1:len(v)-1]))) == 0
}

// rejectAnswer is the producer's refusal of an answer: the record is pending again, as its next
// revision, and says why (I3). This is the one way in which a terminal record becomes pending; where
// a newer occurrence of its key has begun there is none.
func (d *decider) rejectAnswer(op RejectAnswer) (Result, error) {
	reason, err := cleanReason(op.Reason)
	if err == nil && reason == "" {
		err = Invalid("/reason", "is required: the owner must see why")
	}
	if err != nil {
		return Result{}, err
	}
	r, err := asking(d.record(op.ID))
	switch {
	case err != nil:
		return Result{}, err
	case r.Status == Pending:
		return Result{}, &Error{Code: CodeRevisionConflict, Detail: "There is no answer to refuse.", Current: r}
	case r.Outcome == nil || r.Outcome.Kind != OutcomeAnswered:
		return Result{}, terminal(r)
	}
	if slot, ok := r.Slot(); ok {
		if n, ok := d.s.Slot(slot); ok && n.RecordID != r.ID {
			return Result{}, &Error{Code: CodeTerminal, Detail: "It was asked anew meanwhile.", Current: r}
		}
	}
	next := d.revise(r)
	next.Status, next.Outcome, next.EndedAt, next.AnswerDelivered = Pending, nil, zeroTime, false
	next.Read = false
	d.reask(next)
	next.InteractionError = reason
	d.place(next)
	d.emitRecord(EvUpdated, r, next)
	if r.AnswerDelivered {
		d.restate(next.Ref(), SessionWorking, SessionWaiting)
	}
	d.touch(r.Connection)
	return Result{Verdict: Updated, Record: next}, nil
}

// deliverAnswer records that the producer has had the answer (I9).
func (d *decider) deliverAnswer(op DeliverAnswer) (Result, error) {
	r, err := d.record(op.ID)
	switch {
	case err != nil:
		return Result{}, err
	case r.Outcome == nil || r.Outcome.Answer == nil:
		return Result{}, &Error{Code: CodeNotInteraction, Detail: "There is no answer to deliver.", Current: r}
	case r.AnswerDelivered:
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	next := *r
	next.AnswerDelivered = true
	d.emit(Change{Name: EvUpdated, Record: &next, Before: r, Quiet: true})
	for p := range d.s.Pending(r.Ref()) {
		if p.Asks() && !p.Silent {
			return Result{Verdict: Updated, Record: &next}, nil
		}
	}
	d.restate(r.Ref(), SessionWaiting, SessionWorking)
	return Result{Verdict: Updated, Record: &next}, nil
}

// restate changes an agent's word for its session where an answer has made it untrue (A4).
func (d *decider) restate(ref SessionRef, from, to string) {
	s, ok := d.s.Session(ref)
	if !ok || s.State != from {
		return
	}
	next := *s
	next.State, next.UpdatedAt = to, d.at
	d.emit(Change{Name: EvSession, Session: &next})
}

// Undeliverable reports whether r's answer has not reached its producer and can no longer (I9). c is
// its connection; nil: it is gone.
func Undeliverable(r *Record, c *Connection) bool {
	if r.Outcome == nil || r.Outcome.Kind != OutcomeAnswered || r.AnswerDelivered {
		return false
	}
	return c == nil || c.Revoked || r.Retention.Policy == ServerLifetime && c.Lifetime != r.Lifetime
}

// decides reports whether there was anything to decide (I6).
func decides(i *Interaction) bool { return len(i.Options) != 1 || len(i.Fields) > 0 }

// autoAnswer makes r the receipt of an answer that was given without the owner (I6); false: none was.
func autoAnswer(r *Record, at time.Time) bool {
	if r.Kind != KindInteraction || r.Interaction.Auto == nil {
		return false
	}
	r.Status, r.InteractionState, r.InteractionDeadline = Resolved, InteractionAutoAnswered, zeroTime
	r.Outcome = &Outcome{Kind: OutcomeAutoAnswered, By: r.Connection, Answer: r.Interaction.Auto, At: at}
	r.EndedAt = at
	r.AnswerDelivered, r.Read = true, true
	r.Refresh = nil
	r.endSetAside()
	r.endSnooze()
	return true
}
