package wire

// Field types of an interaction.
const (
	FieldText     = "text"
	FieldNumber   = "number"
	FieldInteger  = "integer"
	FieldBoolean  = "boolean"
	FieldChoice   = "choice"   // one of Choices
	FieldChoices  = "choices"  // several of Choices
	FieldDate     = "date"     // 2006-01-02
	FieldDuration = "duration" // as 1h30m, or in ISO 8601
)

// Whether an option takes a comment.
const (
	CommentNone     = "none" // the default
	CommentOptional = "optional"
	CommentRequired = "required"
)

// States of an interaction.
const (
	InteractionWaiting   = "waiting"
	InteractionAnswered  = "answered"
	InteractionCancelled = "cancelled"
	InteractionTimedOut  = "timed_out"
	InteractionResolved  = "resolved"
	InteractionExpired   = "expired"

	InteractionAutoAnswered = "auto_answered"
	InteractionDismissed    = "dismissed" // its connection was gone
)

// Interaction is what is asked, what may be answered, and how far that is.
type Interaction struct {
	Kind           string   `json:"kind,omitzero"` // free: question, plan_approval, permission, …
	Prompt         string   `json:"prompt"`
	Options        []Option `json:"options,omitempty"`
	Fields         []Field  `json:"fields,omitempty"`
	DefaultOption  string   `json:"default_option,omitzero"`
	TimeoutSeconds float64  `json:"timeout_seconds,omitzero"` // 0: waits for ever
	TimeoutOption  string   `json:"timeout_option,omitzero"`  // taken at the timeout; empty: none

	// Auto is the answer that was given without the owner: the record is a quiet
	// receipt of it.
	Auto *Answer `json:"auto,omitzero"`

	// The following are the center's, and are ignored in what is published.

	State         string `json:"state,omitzero"`
	Deadline      Time   `json:"deadline,omitzero"`        // when it times out
	SetAsideUntil Time   `json:"set_aside_until,omitzero"` // off the front until then
	Error         string `json:"error,omitzero"`           // why the producer refused the last answer
}

// Option is one of the answers offered.
type Option struct {
	ID          string `json:"id"`
	Label       string `json:"label,omitzero"`
	Description string `json:"description,omitzero"`
	Style       string `json:"style,omitzero"`
	Comment     string `json:"comment,omitzero"` // CommentNone, CommentOptional or CommentRequired
	SkipsFields bool   `json:"skips_fields,omitzero"`
}

// Field is one value asked for.
type Field struct {
	ID       string   `json:"id"`
	Label    string   `json:"label,omitzero"`
	Type     string   `json:"type"`
	Required bool     `json:"required,omitzero"`
	Default  any      `json:"default,omitzero"`
	Choices  []string `json:"choices,omitempty"`
	Min      any      `json:"min,omitzero"` // a number, or a date or duration as text
	Max      any      `json:"max,omitzero"`
}

// Answer is what the owner chose and filled in.
type Answer struct {
	Option  string         `json:"option,omitzero"`
	Comment string         `json:"comment,omitzero"`
	Fields  map[string]any `json:"fields,omitempty"`
}
