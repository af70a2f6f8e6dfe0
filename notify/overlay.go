package notify

import (
	"cmp"
	"iter"
	"slices"
	"time"
)

// Overlay is a State with changes laid over another one, which is left as it is. A decision works on
// one, so that the later operations of a batch see the earlier; the center decides a group of
// commands on one before it commits them together. Not safe for concurrent use.
type Overlay struct {
	base          State
	seq           int64
	records       map[string]*Record // nil: removed
	slots         map[Slot]Newest
	told          map[EventRef]string
	receipts      map[receiptKey]*Receipt
	connections   map[string]*Connection // nil: removed
	connOrder     []string               // connections that base does not have, in order
	wiped         map[string]bool        // connections removed here: nothing that base knows of them counts
	sessions      map[SessionRef]*Session
	sessionOrder  []SessionRef
	begun         map[SessionRef]bool // those in sessionOrder
	sessionsMore  map[string]int      // how many more sessions a connection has than in base
	invalidations map[invalidationKey]*Invalidation
	settings      *Settings
}

type receiptKey struct{ connection, key string }

type invalidationKey struct{ connection, id string }

// NewOverlay lays an empty overlay over base.
func NewOverlay(base State) *Overlay { return &Overlay{base: base, seq: base.Sequence()} }

// Apply makes changes visible. Their numbers must follow the sequence.
func (o *Overlay) Apply(changes []Change) {
	for i := range changes {
		o.apply(&changes[i])
	}
}

func (o *Overlay) apply(c *Change) {
	o.seq = c.Seq
	if c.Receipt != nil {
		set(&o.receipts, receiptKey{c.Receipt.Connection, c.Receipt.Key}, c.Receipt)
	}
	switch {
	case c.Record != nil:
		o.applyRecord(c)
	case c.Connection != nil:
		id := c.Connection.ID
		if _, known := o.Connection(id); !known && !c.Removed {
			o.connOrder = append(o.connOrder, id)
		}
		set(&o.connections, id, unless(c.Removed, c.Connection))
		if c.Removed {
			o.forget(id)
		}
	case c.Session != nil:
		ref := c.Session.Ref()
		_, known := o.Session(ref)
		switch {
		case known && c.Removed:
			set(&o.sessionsMore, ref.Connection, o.sessionsMore[ref.Connection]-1)
		case !known && !c.Removed:
			set(&o.sessionsMore, ref.Connection, o.sessionsMore[ref.Connection]+1)
			if o.begun[ref] {
				i := slices.Index(o.sessionOrder, ref)
				o.sessionOrder = slices.Delete(o.sessionOrder, i, i+1)
			}
			o.sessionOrder = append(o.sessionOrder, ref)
			set(&o.begun, ref, true)
		}
		set(&o.sessions, ref, unless(c.Removed, c.Session))
	case c.Invalidation != nil:
		k := invalidationKey{c.Invalidation.Connection, c.Invalidation.ID}
		set(&o.invalidations, k, unless(c.Removed, c.Invalidation))
	case c.Settings != nil:
		o.settings = c.Settings
	}
}

func (o *Overlay) applyRecord(c *Change) {
	r := c.Record
	set(&o.records, r.ID, unless(c.Removed, r))
	if c.Removed {
		return
	}
	if slot, ok := r.Slot(); ok {
		set(&o.slots, slot, slotWith(o, slot, r))
	}
	for ref := range c.tells() {
		if _, ok := o.Told(ref); !ok {
			set(&o.told, ref, r.ID)
		}
	}
}

// slotWith is what a slot names once r is stored: the highest occurrence ever, and its record, unless one
// is pending beside which r was imported.
func slotWith(s State, slot Slot, r *Record) Newest {
	n, ok := s.Slot(slot)
	switch {
	case !ok:
		return Newest{r.Occurrence, r.ID}
	case r.Occurrence < n.Occurrence:
		return n
	case r.Status.Terminal() && n.RecordID != r.ID:
		if held, ok := s.Record(n.RecordID); ok && held.Status == Pending {
			return Newest{r.Occurrence, n.RecordID}
		}
	}
	return Newest{r.Occurrence, r.ID}
}

// forget drops what a removed connection had.
func (o *Overlay) forget(connection string) {
	set(&o.wiped, connection, true)
	o.connOrder = slices.DeleteFunc(o.connOrder, func(id string) bool { return id == connection })
	forget(connection, o.slots, o.told, o.receipts)
}

// Sequence is the number of the last change.
func (o *Overlay) Sequence() int64 { return o.seq }

// Connection finds a connection.
func (o *Overlay) Connection(id string) (*Connection, bool) {
	if c, ok := o.connections[id]; ok {
		return c, c != nil
	}
	return o.base.Connection(id)
}

// Connections yields the connections in the order of their creation.
func (o *Overlay) Connections() iter.Seq[*Connection] {
	return func(yield func(*Connection) bool) {
		for c := range o.base.Connections() {
			if o.wiped[c.ID] {
				continue // if it was registered again, it comes below
			}
			if d, ok := o.connections[c.ID]; ok {
				c = d
			}
			if !yield(c) {
				return
			}
		}
		for _, id := range o.connOrder {
			if c := o.connections[id]; c != nil && !yield(c) {
				return
			}
		}
	}
}

// Session finds a session.
func (o *Overlay) Session(ref SessionRef) (*Session, bool) {
	if s, ok := o.sessions[ref]; ok {
		return s, s != nil
	}
	return o.base.Session(ref)
}

// Sessions yields the sessions of a connection.
func (o *Overlay) Sessions(connection string) iter.Seq[*Session] {
	return func(yield func(*Session) bool) {
		for s := range o.base.Sessions(connection) {
			if o.begun[s.Ref()] {
				continue // ended and begun again: it comes below
			}
			if t, ok := o.sessions[s.Ref()]; ok {
				if s = t; s == nil {
					continue
				}
			}
			if !yield(s) {
				return
			}
		}
		for _, ref := range o.sessionOrder {
			if s := o.sessions[ref]; s != nil && ref.Connection == connection && !yield(s) {
				return
			}
		}
	}
}

// Record finds any record.
func (o *Overlay) Record(id string) (*Record, bool) {
	if r, ok := o.records[id]; ok {
		return r, r != nil
	}
	return o.base.Record(id)
}

// Slot finds the newest occurrence of a key.
func (o *Overlay) Slot(slot Slot) (Newest, bool) {
	if n, ok := o.slots[slot]; ok {
		return n, true
	}
	if o.wiped[slot.Connection] {
		return Newest{}, false
	}
	return o.base.Slot(slot)
}

// Told finds the record of an event's occurrence.
func (o *Overlay) Told(ref EventRef) (string, bool) {
	if id, ok := o.told[ref]; ok {
		return id, true
	}
	if o.wiped[ref.Connection] {
		return "", false
	}
	return o.base.Told(ref)
}

// Receipt finds what a publication with an idempotency key did.
func (o *Overlay) Receipt(connection, key string) (*Receipt, bool) {
	if r, ok := o.receipts[receiptKey{connection, key}]; ok {
		return r, true
	}
	if o.wiped[connection] {
		return nil, false
	}
	return o.base.Receipt(connection, key)
}

// Dedup finds the newest pending record with a dedup key.
func (o *Overlay) Dedup(slot Slot) (*Record, bool) {
	if len(o.records) == 0 {
		return o.base.Dedup(slot)
	}
	if r, ok := o.base.Dedup(slot); ok {
		if _, touched := o.records[r.ID]; touched {
			return o.dedupSlow(slot)
		}
		return o.newerDedup(slot, r)
	}
	return o.newerDedup(slot, nil)
}

// newerDedup picks the newest of best and what was touched here.
func (o *Overlay) newerDedup(slot Slot, best *Record) (*Record, bool) {
	for _, r := range o.records {
		if r != nil && r.Status == Pending && r.dedupSlot() == slot && (best == nil || byCreation(r, best) > 0) {
			best = r
		}
	}
	return best, best != nil
}

// dedupSlow looks through all that is pending, for the rare case that the newest of base changed.
func (o *Overlay) dedupSlow(slot Slot) (best *Record, ok bool) {
	for r := range o.Pending(SessionRef{slot.Connection, slot.Session}) {
		if r.dedupSlot() == slot && (best == nil || byCreation(r, best) > 0) {
			best = r
		}
	}
	return best, best != nil
}

// in reports whether r belongs to what ref names.
func (r *Record) in(ref SessionRef) bool {
	return (ref.Connection == "" || r.Connection == ref.Connection) && (ref.Session == "" || r.Session == ref.Session)
}

// Pending yields pending records; what became pending here comes last.
func (o *Overlay) Pending(ref SessionRef) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		seen := make(map[string]bool, len(o.records))
		for r := range o.base.Pending(ref) {
			if s, ok := o.records[r.ID]; ok {
				seen[r.ID] = true
				if r = s; r == nil || r.Status != Pending {
					continue
				}
			}
			if !yield(r) {
				return
			}
		}
		for _, r := range o.touched() {
			if r.Status == Pending && !seen[r.ID] && r.in(ref) && !yield(r) {
				return
			}
		}
	}
}

// touched are the records changed here, in the order of their creation.
func (o *Overlay) touched() []*Record {
	out := make([]*Record, 0, len(o.records))
	for _, r := range o.records {
		if r != nil {
			out = append(out, r)
		}
	}
	slices.SortFunc(out, byCreation)
	return out
}

// Due yields the pending records that have come due, the earliest first.
func (o *Overlay) Due(now time.Time) iter.Seq[*Record] {
	return func(yield func(*Record) bool) {
		var due []*Record
		for r := range o.base.Due(now) {
			if _, touched := o.records[r.ID]; !touched {
				due = append(due, r)
			}
		}
		for _, r := range o.records {
			if r == nil {
				continue
			}
			if t := NextDeadline(r); !t.IsZero() && !t.After(now) {
				due = append(due, r)
			}
		}
		slices.SortFunc(due, byDeadline)
		for _, r := range due {
			if !yield(r) {
				return
			}
		}
	}
}

func byDeadline(a, b *Record) int {
	return cmp.Or(NextDeadline(a).Compare(NextDeadline(b)), cmp.Compare(a.ID, b.ID))
}

// Invalidation finds an invalidation.
func (o *Overlay) Invalidation(connection, id string) (*Invalidation, bool) {
	if i, ok := o.invalidations[invalidationKey{connection, id}]; ok {
		return i, i != nil
	}
	return o.base.Invalidation(connection, id)
}

// Invalidations yields the invalidations of a connection, in the order of their ids.
func (o *Overlay) Invalidations(connection string) iter.Seq[*Invalidation] {
	return func(yield func(*Invalidation) bool) {
		var all []*Invalidation
		for i := range o.base.Invalidations(connection) {
			if _, touched := o.invalidations[invalidationKey{connection, i.ID}]; !touched {
				all = append(all, i)
			}
		}
		for k, i := range o.invalidations {
			if i != nil && k.connection == connection {
				all = append(all, i)
			}
		}
		slices.SortFunc(all, func(a, b *Invalidation) int { return cmp.Compare(a.ID, b.ID) })
		for _, i := range all {
			if !yield(i) {
				return
			}
		}
	}
}

// Settings are the owner's settings.
func (o *Overlay) Settings() Settings {
	if o.settings != nil {
		return *o.settings
	}
	return o.base.Settings()
}

// set puts a value into a map that is made when it is first needed.
func set[K comparable, V any](m *map[K]V, k K, v V) {
	if *m == nil {
		*m = make(map[K]V)
	}
	(*m)[k] = v
}

// unless is v, or nil where it was removed.
func unless[T any](removed bool, v *T) *T {
	if removed {
		return nil
	}
	return v
}
