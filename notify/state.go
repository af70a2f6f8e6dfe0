package notify

import (
	"iter"
	"time"
)

// State is what a decision may look at. An implementation that can fail to read remembers its first
// failure, as bufio.Scanner does, and whoever asked for the decision discards it; the rules
// themselves know no I/O.
//
// Memory implements it on maps; the center lays a Memory of what is pending over the store.
type State interface {
	// Sequence is the number of the last change; 0: none yet.
	Sequence() int64
	Connection(id string) (*Connection, bool)
	Connections() iter.Seq[*Connection]
	Session(ref SessionRef) (*Session, bool)
	// Sessions are the sessions of a connection.
	Sessions(connection string) iter.Seq[*Session]
	// SessionCount is how many there are.
	SessionCount(connection string) int
	// Silent yields those of them with nothing pending, in the order in which they make room for others: those
	// that need the owner after those that don't, the longest silent first.
	Silent(connection string) iter.Seq[*Session]
	// Record finds any record, pending or terminal.
	Record(id string) (*Record, bool)
	// Slot finds the newest occurrence of a key (L4).
	Slot(slot Slot) (Newest, bool)
	// Told finds the record of an event's occurrence, whatever became of it (A2).
	Told(ref EventRef) (recordID string, ok bool)
	// Dedup finds the newest pending record whose dedup key is slot.Key (A6).
	Dedup(slot Slot) (*Record, bool)
	// Receipt finds what a publication with an idempotency key did.
	Receipt(connection, key string) (*Receipt, bool)
	// Pending yields the pending records of a connection, or with ref.Session of that session
	// alone, each once, in no order that a rule may depend on. An empty ref yields all. The state must not be
	// changed while it is iterated over.
	Pending(ref SessionRef) iter.Seq[*Record]
	// Due yields the pending records whose NextDeadline is at or before now, the earliest first.
	Due(now time.Time) iter.Seq[*Record]
	// Idle yields the sessions with nothing pending whose ForgetAt is at or before now, the earliest first.
	Idle(now time.Time) iter.Seq[*Session]
	Invalidation(connection, id string) (*Invalidation, bool)
	Invalidations(connection string) iter.Seq[*Invalidation]
	Settings() Settings
}

// Slot is where a key is stable (L4).
type Slot struct {
	Connection string
	Scope      Scope
	Session    string
	Key        string
}

// Slot returns the slot of r; a record without a key has none.
func (r *Record) Slot() (Slot, bool) {
	return Slot{r.Connection, r.Scope, r.Session, r.Key}, r.Key != ""
}

// dedupSlot is where r's dedup key counts (A6); the zero Slot: it has none.
func (r *Record) dedupSlot() Slot {
	if r.DedupKey == "" {
		return Slot{}
	}
	return Slot{r.Connection, r.Scope, r.Session, r.DedupKey}
}

// Newest is the newest occurrence of a key, pending or not.
type Newest struct {
	Occurrence int    `json:"occurrence"`
	RecordID   string `json:"record_id"`
}

// EventRef identifies one occurrence of an event of one session (A2). Turn ids of different sessions
// may be equal, so both belong to the identity.
type EventRef struct {
	Connection string
	Session    string
	Type       string
	Occurrence string
}

// EventRef returns the identity of r's event; ok is false where it has none.
func (r *Record) EventRef() (ref EventRef, ok bool) {
	if r.Event == nil {
		return EventRef{}, false
	}
	return EventRef{r.Connection, r.Session, r.Event.Type, r.Event.Occurrence}, true
}

// tells yields the identities of the events that a change of a record tells.
func (c *Change) tells() iter.Seq[EventRef] {
	return func(yield func(EventRef) bool) {
		if ref, ok := c.Record.EventRef(); ok && !yield(ref) {
			return
		}
		if c.Event != nil {
			yield(*c.Event)
		}
	}
}

// Rules are the limits that the owner can configure and that a decision depends on.
type Rules struct {
	// OrphanAfter is how long a connection may be away before what it left is dismissible (D7);
	// 0: DefaultOrphanAfter.
	OrphanAfter time.Duration
	// LinkSchemes are allowed beside http, https and file (S4).
	LinkSchemes []string
	// AllowRemoteURLs allows sessions_url, actions_url and callback_url outside the loopback.
	AllowRemoteURLs bool
}

// DefaultOrphanAfter is the orphan limit where none is configured (D7).
const DefaultOrphanAfter = 24 * time.Hour
