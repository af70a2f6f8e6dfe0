package notify

import "time"

// Actor is who sends a command.
type Actor struct {
	// Connection is the id of the producer; empty together with Owner false: the center itself.
	Connection string
	Owner      bool
}

// Owner and Center are the two actors that are no connection.
var (
	Owner  = Actor{Owner: true}
	Center = Actor{}
)

// Producer is the actor for a connection.
func Producer(connection string) Actor { return Actor{Connection: connection} }

// Name is how the actor is written in an Outcome: "owner", "center" or the connection's id.
func (a Actor) Name() string {
	switch {
	case a.Owner:
		return "owner"
	case a.Connection != "":
		return a.Connection
	}
	return "center"
}

// Command is one request to change the state. It carries its own instant and ids, so that deciding
// it is a pure function. At is in UTC, whole milliseconds.
type Command struct {
	At time.Time
	By Actor
	// IDs are fresh ids (UUIDv7, in order) for what the command may create: one for Publish, one for
	// each operation of a Batch, one for each record of an Import without an id.
	IDs []string
	Op  Op
}

// Op is the closed set of what a command can ask for.
type Op interface{ op() }

// Expectation is the revision that a producer or the owner expects; the zero value expects none (L5, D1).
type Expectation struct {
	Expect   bool
	Revision int
	// UpdatedAt is the token for a record without an integer revision (L7).
	UpdatedAt time.Time
}

// Expecting is what was seen of a record: its revision, or where it has none the token updatedAt (L7).
func Expecting(revision int, updatedAt time.Time) Expectation {
	if revision == 0 {
		return Expectation{Expect: true, UpdatedAt: updatedAt}
	}
	return Expectation{Expect: true, Revision: revision}
}

// The operations on notifications. Those marked "producer" may come from the connection that owns
// the record or from the owner; those marked "owner" from the owner alone.
type (
	// Publish creates an occurrence or updates the pending one of its key (L3–L7, producer).
	Publish struct {
		Connection  string
		Scope       Scope // empty: session when Session is given, else application
		Session     string
		Key         string
		Content     Content // Kind, Severity, Presentation, Retention.Policy may be empty: defaults
		Dismissible *bool   // nil: the default of the kind; overrides Content.Dismissible
		Expect      Expectation
		Corroborate bool      // on_repeat: "corroborate" (A6); needs Content.DedupKey
		Note        string    // of a corroboration; empty: the title
		Muted       bool      // born muted (A5)
		SnoozeUntil time.Time // born snoozed (A5); zero: not
		// IdempotencyKey and Digest make a repeat of the same request harmless; empty: none.
		IdempotencyKey string
		Digest         []byte
		Masked         []string // fields already masked (S2)
		// OccurredAt is the original instant of a replayed publication; zero: At. It becomes
		// CreatedAt where it is earlier than At, and the item is born without announcement when older
		// than ReplayQuietAfter (A13).
		OccurredAt time.Time
	}

	// Update changes parts of a pending record's content (producer).
	Update struct {
		ID      string
		Changes Content  // the values of the fields named in Fields; zero clears
		Fields  []string // JSON names of the Content fields to set: "title", "body", …
		Expect  Expectation
		Masked  []string
	}

	// Dismiss hides exactly the revision that the owner saw (D1, D2, owner).
	Dismiss struct {
		ID     string
		Expect Expectation // required
	}

	// Resolve ends a record because its reason is gone (producer). Target by ID, or by Key (and
	// Session, Connection).
	Resolve struct {
		Target Target
		Reason string
		Expect Expectation
	}

	// Expire ends a record because its time is over (producer).
	Expire struct {
		Target Target
		Reason string
		Expect Expectation
	}

	// Cancel withdraws an interaction, with a reason (I2, producer).
	Cancel struct {
		Target Target
		Reason string
		Expect Expectation
	}

	// AnswerOp answers an interaction (I1–I4, owner).
	AnswerOp struct {
		ID     string
		Expect Expectation
		Answer Answer
	}

	// RejectAnswer is the producer's refusal of an answer: pending again, with the reason (I3).
	RejectAnswer struct {
		ID     string
		Reason string
	}

	// DeliverAnswer records that the producer has had the answer (I9, producer or center).
	DeliverAnswer struct{ ID string }

	// InvokeAction invokes an action of the record (P3, owner).
	InvokeAction struct {
		ID     string
		Action string
		Expect Expectation
	}

	// SetRead marks read or unread (A7, owner).
	SetRead struct {
		ID   string
		Read bool
	}

	// SetMuted mutes or unmutes (A5, owner).
	SetMuted struct {
		ID    string
		Muted bool
	}

	// Snooze mutes until an instant (A5, owner), or with UntilEvent until the next event of the item's session
	// (X2). Exactly one of Until, For and UntilEvent.
	Snooze struct {
		ID         string
		Until      time.Time
		For        time.Duration
		UntilEvent bool
	}

	// Unsnooze brings a snoozed item back now (A5, owner).
	Unsnooze struct{ ID string }

	// SetAside moves an active interaction from the front (I7, owner); For 0: until it changes.
	SetAside struct {
		ID  string
		For time.Duration
	}

	// CompleteRequest expires the pending request items of a request (R3, producer).
	CompleteRequest struct{ Connection, Request string }

	// Batch decides its operations in order, as one: all or none (L9, producer). At most MaxBatch.
	Batch struct {
		Ops []Op
		// Session is one whose pending records the producer looked at to choose the operations, and Through the newest
		// change that it saw of them, 0: none was there. Where one that is not silent changed later, the batch is
		// refused (L5). Zero: it depends on none.
		Session SessionRef
		Through int64
	}

	// Import stores records from elsewhere as they are (L7, owner): ids, times and statuses are
	// kept; an id that exists already is left alone.
	Import struct{ Records []*Record }
)

// Target names a record by ID, or the pending occurrence of a key.
type Target struct {
	ID         string
	Connection string
	Session    string // empty: application scope
	Key        string
}

// The operations on connections, sessions and settings.
type (
	// CreateConnection registers an agent server (owner). ID empty: derived from the label.
	CreateConnection struct {
		ID, Label, Color string
		TokenHash        []byte
	}

	// UpdateConnection changes what is not nil (owner).
	UpdateConnection struct {
		ID        string
		Label     *string
		Color     *string
		Open      *bool
		KeepAge   *time.Duration
		KeepCount *int
	}

	// RevokeConnection voids the token (owner); with Purge, its records go as well. A purge goes in
	// slices: the center repeats Prune until nothing is left.
	RevokeConnection struct {
		ID    string
		Purge bool
	}

	// RemoveConnection removes a revoked connection whose records are gone (center, at the end of a
	// purge), with its sessions and invalidations, and all that was remembered of its keys and events.
	RemoveConnection struct{ ID string }

	// RotateToken replaces the token (owner).
	RotateToken struct {
		ID        string
		TokenHash []byte
	}

	// Hello announces a run of the hosting process (R3, producer).
	Hello struct {
		Connection, Lifetime                 string
		Label                                *string
		SessionsURL, ActionsURL, CallbackURL *string
	}

	// PutSession creates or changes a session (producer). nil: left alone.
	PutSession struct {
		Connection, Session string
		Title, URL, State   *string
		Sequence            *int64
	}

	// EndSession ends a session and what it left open (producer).
	EndSession struct{ Connection, Session string }

	// SeeSession records the position that the owner has seen (A4).
	SeeSession struct {
		Connection, Session string
		Sequence            int64
	}

	// TellSession records the position that the owner was told of (A4, center).
	TellSession struct {
		Connection, Session string
		Sequence            int64
	}

	// SetFocus says which session the owner is in (P1, owner); zero: none.
	SetFocus struct{ Focus SessionRef }

	// AckInvalidations removes invalidations that were reloaded (E2, producer or owner). One that was
	// asked for again after Through stays; Through 0: no such limit.
	AckInvalidations struct {
		Connection string
		IDs        []string
		Through    int64
	}

	// SetSettings changes what is not nil (owner).
	SetSettings struct {
		QuietUntil    *time.Time
		Subscriptions *[]Subscription
		Rules         *[]Rule
		QuietHours    *[]QuietHours
		MinTurn       *time.Duration
	}

	// SetPresence records that a stream of the connection opened or closed (center).
	SetPresence struct {
		Connection string
		Streams    int
	}

	// Tick does what has come due at the command's instant: snoozes that end, interactions that time
	// out, items that become dismissible, presence that ran out (center).
	Tick struct {
		// SetBack says that the clock may have been set back since the last command: what was meant as a length lasts
		// no longer than that from now on.
		SetBack bool
	}

	// Prune removes records, all of them or none; a pending one that may be pruned is expired first
	// (R4, center). It is planned by the retention room.
	Prune struct{ IDs []string }
)

func (Publish) op()          {}
func (Update) op()           {}
func (Dismiss) op()          {}
func (Resolve) op()          {}
func (Expire) op()           {}
func (Cancel) op()           {}
func (AnswerOp) op()         {}
func (RejectAnswer) op()     {}
func (DeliverAnswer) op()    {}
func (InvokeAction) op()     {}
func (SetRead) op()          {}
func (SetMuted) op()         {}
func (Snooze) op()           {}
func (Unsnooze) op()         {}
func (SetAside) op()         {}
func (CompleteRequest) op()  {}
func (Batch) op()            {}
func (Import) op()           {}
func (CreateConnection) op() {}
func (UpdateConnection) op() {}
func (RevokeConnection) op() {}
func (RemoveConnection) op() {}
func (RotateToken) op()      {}
func (Hello) op()            {}
func (PutSession) op()       {}
func (EndSession) op()       {}
func (SeeSession) op()       {}
func (TellSession) op()      {}
func (SetFocus) op()         {}
func (AckInvalidations) op() {}
func (SetSettings) op()      {}
func (SetPresence) op()      {}
func (Tick) op()             {}
func (Prune) op()            {}

// ReplayQuietAfter is the age at which a replayed publication is no longer announced (A13).
const ReplayQuietAfter = 2 * time.Minute
