package notify

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// importRecords stores records from elsewhere as they are (L7): ids, times, revisions and endings
// are kept, nothing is announced, and an id that exists is left alone.
func (d *decider) importRecords(op Import) (Result, error) {
	if err := d.ownerOnly(); err != nil {
		return Result{}, err
	}
	fresh := make([]*Record, 0, len(op.Records))
	ids := d.ids
	for i, r := range op.Records {
		next, err := d.imported(r)
		if err == nil {
			err = d.stays(next.Connection)
		}
		if err != nil {
			return Result{}, prefixed(err, "/records/"+strconv.Itoa(i))
		}
		if next.ID == "" {
			if len(ids) == 0 {
				return Result{}, Errorf(CodeInternal, "The command has too few ids for its records.")
			}
			next.ID, ids = ids[0], ids[1:]
		}
		fresh = append(fresh, next)
	}
	n := 0
	for _, r := range fresh {
		if _, exists := d.s.Record(r.ID); exists {
			continue
		}
		d.host(r)
		d.supersede(r)
		d.emit(Change{Name: EvCreated, Record: r, Quiet: true})
		n++
	}
	return Result{Verdict: verdictOf(n), Count: n}, nil
}

// imported checks a record from elsewhere and completes it.
func (d *decider) imported(given *Record) (*Record, error) {
	r := *given
	k := checker{rules: d.rules, at: d.at}
	k.pathName("/id", r.ID, false)
	if strings.ContainsAny(r.ID, `/\`) {
		k.bad("/id", "must not contain a slash: it stands in paths")
	}
	k.pathName("/key", r.Key, false)
	k.pathName("/session", r.Session, false)
	if !connectionID(r.Connection) {
		k.bad("/connection", "is required, and must be the id of a connection")
	}
	k.scope(&r.Scope, r.Session)
	oneOf(&k, "/status", &r.Status, Pending, Dismissed, Resolved, Expired)
	if r.Event != nil && r.Event.Type == EventWaitingForInput { // it was allowed when this was made
		r.Event = &Event{Type: EventClarificationRequested, Occurrence: r.Event.Occurrence}
	}
	if r.Kind == KindProgress || r.Kind != KindInteraction && len(r.Actions) == 0 && r.DismissibleAfter.IsZero() {
		r.Dismissible = true // nothing may come in as a dead end (D7)
	}
	k.content(&r.Content, r.Scope)
	cleanBesides(&r)
	if r.Outcome != nil {
		oneOf(&k, "/outcome/kind", &r.Outcome.Kind, OutcomeKind(r.Status), OutcomeDismissed, OutcomeResolved, OutcomeExpired, OutcomeAnswered,
			OutcomeCancelled, OutcomeTimedOut, OutcomeAutoAnswered)
	}
	if r.InteractionState != "" {
		oneOf(&k, "/interaction/state", &r.InteractionState, InteractionWaiting, InteractionAnswered, InteractionCancelled, InteractionTimedOut,
			InteractionResolved, InteractionExpired, InteractionAutoAnswered, InteractionDismissed)
	}
	if r.Revision < 0 {
		k.bad("/revision", "must be 1 or more; absent: updated_at is compared instead")
	}
	if r.Revision > maxCount {
		k.bad("/revision", "must be at most %d", maxCount)
	}
	if r.Occurrence > maxCount {
		k.bad("/occurrence", "must be at most %d", maxCount)
	}
	if r.PlusOnesDropped < 0 || r.PlusOnesDropped > maxCount {
		k.bad("/plus_ones_dropped", "must be between 0 and %d", maxCount)
	}
	if len(r.PlusOnes) > MaxPlusOnes {
		r.PlusOnesDropped += len(r.PlusOnes) - MaxPlusOnes
		r.PlusOnes = r.PlusOnes[len(r.PlusOnes)-MaxPlusOnes:]
	}
	d.complete(&r)
	return &r, k.err()
}

// maxCount bounds the numbers that a record brings along: they are counted on, and must neither run over nor
// lose their last digits in a client whose numbers are floating.
const maxCount = 1_000_000_000_000

// cleanBesides cleans what is shown of a record besides its content (S6), in copies of what it shares.
func cleanBesides(r *Record) {
	r.InteractionError = CleanLine(r.InteractionError)
	r.PlusOnes = slices.Clone(r.PlusOnes)
	for i := range r.PlusOnes {
		p := &r.PlusOnes[i]
		p.Sender, p.Note = CleanLine(p.Sender), CleanLine(p.Note)
	}
	if r.Outcome == nil {
		return
	}
	o := *r.Outcome
	r.Outcome = &o
	o.By, o.Reason = CleanLine(o.By), CleanLine(o.Reason)
	if o.Answer == nil {
		return
	}
	a := *o.Answer
	o.Answer = &a
	a.Comment = CleanText(a.Comment)
	a.Fields = maps.Clone(a.Fields)
	for id, raw := range a.Fields {
		var text string
		if json.Unmarshal(raw, &text) == nil && len(raw) > 0 && raw[0] == '"' {
			a.Fields[id] = quote(CleanText(text))
		}
	}
}

// complete fills in what a record from elsewhere may lack.
func (d *decider) complete(r *Record) {
	instant := func(t *time.Time, otherwise time.Time) {
		if t.IsZero() {
			*t = otherwise
		}
		*t = t.UTC().Truncate(time.Millisecond)
	}
	r.Occurrence = max(r.Occurrence, 1)
	instant(&r.UpdatedAt, d.at)
	instant(&r.CreatedAt, r.UpdatedAt)
	instant(&r.ContentAt, r.UpdatedAt)
	r.SnoozeUntil = r.SnoozeUntil.UTC().Truncate(time.Millisecond)
	r.SnoozeEvent = r.SnoozeEvent && r.Status == Pending && r.Scope == ScopeSession && !r.SnoozeUntil.IsZero()
	if r.Status == Pending {
		r.Outcome, r.EndedAt = nil, zeroTime
		if r.Kind == KindInteraction {
			if r.InteractionState != InteractionWaiting {
				ask(r, r.UpdatedAt)
			}
			return
		}
		r.InteractionState, r.InteractionDeadline = "", zeroTime
		return
	}
	instant(&r.EndedAt, r.UpdatedAt)
	if r.Outcome == nil {
		r.Outcome = &Outcome{Kind: OutcomeKind(r.Status)}
	}
	instant(&r.Outcome.At, r.EndedAt)
	if r.Kind == KindInteraction && (r.InteractionState == "" || r.InteractionState == InteractionWaiting) {
		r.InteractionState = InteractionState(r.Outcome.Kind)
	}
	r.Refresh = nil
	r.endSetAside()
	r.endSnooze()
}

// host makes the connection and the session of an imported record where they are not known.
func (d *decider) host(r *Record) {
	if _, ok := d.s.Connection(r.Connection); !ok {
		d.emit(Change{Name: EvConnection, Connection: &Connection{ID: r.Connection, Label: r.Connection, Open: true, CreatedAt: d.at}})
	}
	if r.Scope == ScopeSession && r.Status == Pending {
		if _, ok := d.s.Session(SessionRef{r.Connection, r.Session}); !ok {
			d.emit(Change{Name: EvSession, Session: &Session{Connection: r.Connection, ID: r.Session, CreatedAt: d.at, UpdatedAt: d.at}})
		}
	}
}

// supersede expires an imported pending record whose key has a pending occurrence already, or a
// newer one: at most one is pending per key (L4).
func (d *decider) supersede(r *Record) {
	slot, ok := r.Slot()
	if !ok || r.Status != Pending {
		return
	}
	n, ok := d.s.Slot(slot)
	if !ok {
		return
	}
	held, found := d.s.Record(n.RecordID)
	if n.Occurrence < r.Occurrence && (!found || held.Status.Terminal()) {
		return
	}
	r.Status, r.EndedAt = Expired, d.at
	r.Outcome = &Outcome{Kind: OutcomeExpired, By: Center.Name(), Reason: "another occurrence of its key was here", At: d.at}
	if r.Kind == KindInteraction {
		r.InteractionState = InteractionExpired
	}
	r.Refresh = nil
	r.endSetAside()
	r.endSnooze()
}

// prefixed puts the place of a record before the fields of an error.
func prefixed(err error, at string) error {
	e, ok := err.(*Error)
	if !ok {
		return err
	}
	with := *e
	with.Fields = make([]FieldError, len(e.Fields))
	for i, f := range e.Fields {
		with.Fields[i] = FieldError{Field: at + f.Field, Detail: f.Detail}
	}
	return &with
}
