package notify

import "time"

// Status says where a record is in its life (L1). All but Pending are terminal.
type Status string

// The statuses, as they leave the process.
const (
	Pending   Status = "pending"
	Dismissed Status = "dismissed"
	Resolved  Status = "resolved"
	Expired   Status = "expired"
)

// Terminal reports whether a record with this status can never change status again (L1).
func (s Status) Terminal() bool { return s != Pending }

// Scope says what a record belongs to (L2).
type Scope string

// The scopes.
const (
	ScopeApplication Scope = "application" // belongs to a connection
	ScopeSession     Scope = "session"     // belongs to one session of a connection
)

// Kind is the form of an item.
type Kind string

// The kinds. The empty kind in a command means KindNotice.
const (
	KindNotice      Kind = "notice"
	KindProgress    Kind = "progress"
	KindStatus      Kind = "status"
	KindInteraction Kind = "interaction"
	KindReport      Kind = "report"
)

// Severity orders items by weight. The empty severity in a command means SeverityInfo.
type Severity string

// The severities, lightest first.
const (
	SeverityInfo     Severity = "info"
	SeveritySuccess  Severity = "success"
	SeverityWarning  Severity = "warning"
	SeverityError    Severity = "error"
	SeverityCritical Severity = "critical"
)

// Presentation asks for a form of display.
type Presentation string

// The presentations. Modal is shown inline as well: nothing takes focus by itself (P2).
const (
	PresentBanner Presentation = "banner"
	PresentInline Presentation = "inline"
	PresentModal  Presentation = "modal"
)

// Record is one occurrence of a notification as the center keeps it. A *Record that was handed out
// is never modified; a change makes a new one.
type Record struct {
	ID         string `json:"id"` // UUIDv7, given with the command that created it
	Connection string `json:"connection"`
	Scope      Scope  `json:"scope"`
	Session    string `json:"session,omitempty"` // empty for ScopeApplication
	Key        string `json:"key,omitempty"`     // L4; empty: never updated by a publication
	Occurrence int    `json:"occurrence"`        // L4; 1 for an item without a key
	// Revision counts accepted changes of content, from 1 (L3). 0 means imported from elsewhere
	// without one: UpdatedAt is then the token that an expected revision is compared with (L7).
	Revision int    `json:"revision"`
	Status   Status `json:"status"`

	Content

	PlusOnes        []PlusOne `json:"plus_ones,omitempty"`         // A6, the newest MaxPlusOnes, oldest first
	PlusOnesDropped int       `json:"plus_ones_dropped,omitempty"` // A6

	Read          bool      `json:"read,omitempty"`           // A7
	Muted         bool      `json:"muted,omitempty"`          // A5
	SnoozeUntil   time.Time `json:"snooze_until,omitzero"`    // A5; zero: not snoozed
	SnoozeEvent   bool      `json:"snooze_event,omitempty"`   // X2: its session's next event ends the snooze
	ResurfacedAt  time.Time `json:"resurfaced_at,omitzero"`   // A5; zero: never
	SetAsideUntil time.Time `json:"set_aside_until,omitzero"` // I7; zero: at the front. See SetAsideForever.
	// SnoozeFor and SetAsideFor are the lengths that were asked for; 0: an instant was, or none.
	SnoozeFor   time.Duration `json:"snooze_for,omitempty"`
	SetAsideFor time.Duration `json:"set_aside_for,omitempty"`

	InteractionState InteractionState `json:"interaction_state,omitempty"` // KindInteraction only
	// InteractionError is why the producer refused the last answer (I3); empty: it didn't.
	InteractionError string `json:"interaction_error,omitempty"`
	// InteractionDeadline is when the interaction times out (I8); zero: never.
	InteractionDeadline time.Time `json:"interaction_deadline,omitzero"`
	// AnswerDelivered says that the producer has had the answer (I9).
	AnswerDelivered bool `json:"answer_delivered,omitempty"`

	Outcome *Outcome `json:"outcome,omitempty"` // how it ended; nil while pending
	// Position is the session's sequence number that this record's event took (A4); 0: none.
	Position int64 `json:"position,omitempty"`
	// Lifetime is the connection's lifetime when it was published (R1 server_lifetime).
	Lifetime string `json:"lifetime,omitempty"`

	CreatedAt time.Time `json:"created_at"` // never changes
	UpdatedAt time.Time `json:"updated_at"` // of the last change of any sort; orders lists
	// ContentAt is the instant of the last change of content, ("updated 2 min ago").
	ContentAt time.Time `json:"content_at"`
	EndedAt   time.Time `json:"ended_at,omitzero"` // zero while pending
	Change    int64     `json:"change"`            // the change number that last touched it
	// Masked names the fields in which a credential was masked (S2), as JSON pointers.
	Masked []string `json:"masked,omitempty"`
}

// Content is what a producer writes: a publication sets all of it, an update parts of it.
type Content struct {
	Kind             Kind         `json:"kind"`
	Severity         Severity     `json:"severity"`
	Title            string       `json:"title"`           // 1 to MaxTitle characters, one line
	Body             string       `json:"body,omitempty"`  // Markdown, at most MaxBody bytes
	Lines            []string     `json:"lines,omitempty"` // at most MaxLines of MaxLine characters
	Sender           string       `json:"sender,omitempty"`
	Event            *Event       `json:"event,omitempty"`   // A1, A2
	Request          string       `json:"request,omitempty"` // R1
	Icon             string       `json:"icon,omitempty"`    // one grapheme or an icon name
	Color            string       `json:"color,omitempty"`   // #RRGGBB
	Tags             []string     `json:"tags,omitempty"`
	Panel            string       `json:"panel,omitempty"`
	Chip             *Chip        `json:"chip,omitempty"`
	Progress         *Progress    `json:"progress,omitempty"` // required for KindProgress
	Attachments      []Attachment `json:"attachments,omitempty"`
	Links            []Link       `json:"links,omitempty"`
	Actions          []Action     `json:"actions,omitempty"`
	Interaction      *Interaction `json:"interaction,omitempty"` // required for KindInteraction
	Report           *Report      `json:"report,omitempty"`
	Presentation     Presentation `json:"presentation"`
	Dismissible      bool         `json:"dismissible"`                // D6, D7; the default depends on Kind
	DismissibleAfter time.Time    `json:"dismissible_after,omitzero"` // D7; zero: no such time
	Retention        Retention    `json:"retention"`
	Refresh          *Refresh     `json:"refresh,omitempty"` // E1
	DedupKey         string       `json:"dedup_key,omitempty"`
	Silent           bool         `json:"silent,omitempty"` // A5
	// Data is the producer's own JSON object, at most MaxData bytes, returned as given.
	Data RawJSON `json:"data,omitempty"`
}

// RawJSON is a JSON value kept as the text that was given.
type RawJSON []byte

// MarshalJSON returns the text; nil is null.
func (r RawJSON) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

// UnmarshalJSON keeps a copy of the text.
func (r *RawJSON) UnmarshalJSON(b []byte) error {
	*r = append((*r)[:0], b...)
	return nil
}

// Event is what happened, semantically (A1), and which time it was (A2).
type Event struct {
	Type       string `json:"type"`
	Occurrence string `json:"occurrence"`
}

// The known event types (A1). Any further namespaced type is allowed.
const (
	EventTurnFinished           = "session.turn_finished"
	EventTurnFailed             = "session.turn_failed"
	EventClarificationRequested = "session.clarification_requested"
	EventUpdateAvailable        = "system.update_available"
	EventWaitingForInput        = "session.waiting_for_input" // retired: refused (A1)
)

// Chip is a small label on an item.
type Chip struct {
	Glyph string `json:"glyph,omitempty"`
	Label string `json:"label"`
	Color string `json:"color,omitempty"`
}

// Progress is how far some work is.
type Progress struct {
	Current float64  `json:"current"`
	Total   *float64 `json:"total,omitempty"` // nil: indeterminate
	Text    string   `json:"text,omitempty"`
}

// Attachment names a file or an address; never read or opened without the owner's click (S4).
type Attachment struct {
	Path      string `json:"path,omitempty"` // exactly one of Path and URL
	URL       string `json:"url,omitempty"`
	Name      string `json:"name,omitempty"`
	MediaType string `json:"media_type,omitempty"`
}

// Link is an address that the owner may open.
type Link struct {
	Title  string `json:"title,omitempty"`
	URL    string `json:"url"`
	Status string `json:"status,omitempty"`
}

// Action is a verb the producer offers; invoking it tells the producer by event.
type Action struct {
	ID        string `json:"id"`
	Label     string `json:"label"`
	Style     string `json:"style"` // default, primary or danger
	URL       string `json:"url,omitempty"`
	InHistory bool   `json:"in_history,omitempty"` // P3: valid on a terminal record
	Confirm   string `json:"confirm,omitempty"`    // asked before it is invoked; empty: not asked
}

// Report is a structured report: a stored snapshot and, perhaps, a live document that wins over it.
type Report struct {
	Title  string  `json:"title,omitempty"`
	Blocks RawJSON `json:"blocks,omitempty"` // the stored snapshot, a JSON array
	Path   string  `json:"path,omitempty"`   // live document; at most MaxReport bytes are read
}

// Policy names how a record ends (R1).
type Policy string

// The retention policies.
const (
	UntilResolved  Policy = "until_resolved"
	TTL            Policy = "ttl"
	RequestBound   Policy = "request"
	ServerLifetime Policy = "server_lifetime"
)

// Retention names how a record ends (R1). A relative TTL is turned into Deadline when the command
// is decided.
type Retention struct {
	Policy   Policy    `json:"policy"`
	Deadline time.Time `json:"deadline,omitzero"` // policy ttl only
	// TTL is the relative form as published; 0: Deadline was given.
	TTL time.Duration `json:"ttl,omitempty"`
}

// Refresh asks consumers to reload something (E1).
type Refresh struct {
	Sessions    []string `json:"sessions,omitempty"`
	SessionList bool     `json:"session_list,omitempty"`
	Actions     bool     `json:"actions,omitempty"`
}

// PlusOne is one corroboration (A6).
type PlusOne struct {
	At     time.Time `json:"at"`
	Sender string    `json:"sender,omitempty"`
	Note   string    `json:"note,omitempty"`
}

// OutcomeKind says how a record ended.
type OutcomeKind string

// The outcomes.
const (
	OutcomeDismissed    OutcomeKind = "dismissed"
	OutcomeResolved     OutcomeKind = "resolved"
	OutcomeExpired      OutcomeKind = "expired"
	OutcomeAnswered     OutcomeKind = "answered"
	OutcomeCancelled    OutcomeKind = "cancelled"
	OutcomeTimedOut     OutcomeKind = "timed_out"
	OutcomeAutoAnswered OutcomeKind = "auto_answered"
)

// Outcome is how, by whom and when a record ended.
type Outcome struct {
	Kind   OutcomeKind `json:"kind"`
	By     string      `json:"by,omitempty"`     // "owner", "center" or a connection id
	Answer *Answer     `json:"answer,omitempty"` // answered, auto_answered, timed_out with an option
	Reason string      `json:"reason,omitempty"`
	At     time.Time   `json:"at"`
}

// Sizes that content may have. A character is a Unicode code point.
const (
	MaxTitle       = 200
	MaxBody        = 16 << 10
	MaxLines       = 50
	MaxLine        = 500
	MaxTags        = 20
	MaxAttachments = 50
	MaxActions     = 8
	MaxData        = 64 << 10
	MaxReport      = 256 << 10
	MaxPlusOnes    = 50
	MaxKey         = 512 // bytes, of keys, sessions, requests and other names
	MaxBatch       = 500 // operations
)

// SetAsideForever is a set-aside without an end of its own: until the item changes.
var SetAsideForever = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// Endless reports whether a set-aside or a do-not-disturb ends by itself at no time that anybody waits for. A year is
// allowed for time zones and for clients that count in whole units.
func Endless(until time.Time) bool { return !until.Before(SetAsideForever.AddDate(-1, 0, 0)) }
