package notify

import "time"

// ConnectionView is a connection as the owner and its producer see it.
type ConnectionView struct {
	*Connection
	Presence Presence
	Counts   Counts
}

// SessionView is a session with what is derived from its pending items (A4).
type SessionView struct {
	*Session
	Waiting int
	Unread  int
	Needs   Need
}

// Entry is what a list or a plan needs to know of a record without reading it. The store keeps one
// for each record in a time-ordered index.
type Entry struct {
	ID         string
	Connection string
	Session    string
	Scope      Scope
	Status     Status
	Severity   Severity
	Kind       Kind
	Read       bool
	Silent     bool
	UpdatedAt  time.Time
	EndedAt    time.Time // zero while pending
	Deadline   time.Time // of policy ttl; zero: none
}

// DeliveryState says how an announcement went.
type DeliveryState string

// The delivery states.
const (
	DeliveryClaimed   DeliveryState = "claimed"   // being sent
	DeliveryDelivered DeliveryState = "delivered" // the provider took it; no proof that the owner saw it (A12)
	DeliveryFailed    DeliveryState = "failed"    // will be tried again at RetryAt, if that is set
	DeliveryHeld      DeliveryState = "held"      // not announced, and why (A11)
	DeliveryWithdrawn DeliveryState = "withdrawn" // taken back because the item ended (A9)
)

// Delivery is a row of the ledger: one provider, one occurrence (A2, A3). Its identity is
// (Provider, EventType, Occurrence); Occurrence is scoped by connection and session.
type Delivery struct {
	ID         string        `json:"id"`
	Provider   string        `json:"provider"`
	EventType  string        `json:"event_type"`
	Occurrence string        `json:"occurrence"`
	RecordID   string        `json:"record_id"`
	Revision   int           `json:"revision"`
	State      DeliveryState `json:"state"`
	// Reason names what decided (A11): the rule, the subscription, quiet hours, focus, snooze, storm,
	// duplicate, or the provider's error.
	Reason   string    `json:"reason"`
	Attempts int       `json:"attempts"`
	At       time.Time `json:"at"`                // when it came to its state
	RetryAt  time.Time `json:"retry_at,omitzero"` // zero: never
	ToldAt   time.Time `json:"told_at,omitzero"`  // when the provider took it; zero: it has not, or was not noted
	Error    string    `json:"error,omitempty"`
}
