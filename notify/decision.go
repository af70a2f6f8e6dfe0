package notify

import "time"

// EventName names a change in the feed and on the streams.
type EventName string

// The events.
const (
	EvCreated      EventName = "created"
	EvUpdated      EventName = "updated"
	EvCorroborated EventName = "corroborated"
	EvDismissed    EventName = "dismissed"
	EvResolved     EventName = "resolved"
	EvExpired      EventName = "expired"
	EvAnswered     EventName = "answered"
	EvCancelled    EventName = "cancelled"
	EvAction       EventName = "action"
	EvRead         EventName = "read" // read and unread
	EvMuted        EventName = "muted"
	EvSnoozed      EventName = "snoozed" // snoozed and set aside
	EvResurfaced   EventName = "resurfaced"
	EvPruned       EventName = "pruned"
	EvSession      EventName = "session"
	EvConnection   EventName = "connection"
	EvInvalidation EventName = "invalidation"
	EvAttention    EventName = "attention" // settings, focus, counts
)

// Change is one step of the ordered, durable change sequence: what happened and the state after it.
// Exactly one of Record, Connection, Session, Invalidation and Settings is set, the object that the
// name says; the rest are details.
type Change struct {
	Seq  int64     `json:"seq"` // strictly rising, without gaps
	At   time.Time `json:"at"`
	Name EventName `json:"name"`
	By   string    `json:"by,omitempty"` // Actor.Name

	Record       *Record       `json:"record,omitempty"`
	Connection   *Connection   `json:"connection,omitempty"`
	Session      *Session      `json:"session,omitempty"`
	Invalidation *Invalidation `json:"invalidation,omitempty"`
	Settings     *Settings     `json:"settings,omitempty"`

	// Action is the id of an invoked action (EvAction).
	Action string `json:"action,omitempty"`
	// Removed: the object is gone from the state (EvPruned, an ended session, an acknowledged
	// invalidation, a purged connection); the object here is as it last was.
	Removed bool `json:"removed,omitempty"`

	// Receipt, when set, is stored with the change (idempotency).
	Receipt *Receipt `json:"-"`
	// Event, when set, is stored as told with the change, by the record: that of a corroboration, which leaves the
	// record's own as it is (A2, A6).
	Event *EventRef `json:"-"`
	// Before is the record as it was; nil: it is new. For indexes; not part of the sequence.
	Before *Record `json:"-"`
	// Quiet marks what must never be announced: imports, old replays, receipts (A13, I6).
	Quiet bool `json:"quiet,omitempty"`
}

// Verdict says what a publication did.
type Verdict string

// The verdicts of a publication.
const (
	Created      Verdict = "created"
	Updated      Verdict = "updated"
	Corroborated Verdict = "corroborated"
	Unchanged    Verdict = "unchanged" // a replay (A2, idempotency, D2)
)

// Result is what the caller of a command gets. Which fields are set depends on the operation.
type Result struct {
	Verdict    Verdict
	Record     *Record
	Connection *Connection
	Session    *Session
	SessionNew bool // PutSession created it
	Count      int  // expired by Hello, CompleteRequest; removed by Prune; imported by Import
	Masked     []string
	Results    []Result // of a Batch, one for each operation
}

// Decision is what a command does: the changes to make, in order, and the answer. A decision with no
// changes is a success that changes nothing.
type Decision struct {
	Result  Result
	Changes []Change
}
