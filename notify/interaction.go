package notify

// Interaction is what is asked and how it may be answered (I1).
type Interaction struct {
	Kind          string   `json:"kind"` // free: question, plan_approval, permission, …
	Prompt        string   `json:"prompt"`
	Options       []Option `json:"options,omitempty"`
	Fields        []Field  `json:"fields,omitempty"`
	DefaultOption string   `json:"default_option,omitempty"`
	// TimeoutSeconds counts from the publication; 0: waits for ever.
	TimeoutSeconds float64 `json:"timeout_seconds,omitempty"`
	// TimeoutOption is taken when it times out; empty: none is (I2).
	TimeoutOption string `json:"timeout_option,omitempty"`
	// Auto, when set, was the answer given without the owner: the record is a quiet receipt (I6).
	Auto *Answer `json:"auto,omitempty"`
}

// Option is one way to answer.
type Option struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Style       string `json:"style"`   // default, primary or danger
	Comment     string `json:"comment"` // none, optional or required
	// SkipsFields says that who chooses it owes none of the fields, also of those that are required.
	SkipsFields bool `json:"skips_fields,omitempty"`
}

// FieldType is the type of a typed field.
type FieldType string

// The field types. Dates are YYYY-MM-DD; durations are Go or ISO 8601 durations.
const (
	FieldText     FieldType = "text"
	FieldNumber   FieldType = "number"
	FieldInteger  FieldType = "integer"
	FieldBoolean  FieldType = "boolean"
	FieldChoice   FieldType = "choice"
	FieldChoices  FieldType = "choices"
	FieldDate     FieldType = "date"
	FieldDuration FieldType = "duration"
)

// Field is one typed value that an answer may carry.
type Field struct {
	ID       string    `json:"id"`
	Label    string    `json:"label"`
	Type     FieldType `json:"type"`
	Required bool      `json:"required,omitempty"`
	Default  RawJSON   `json:"default,omitempty"` // a JSON value of Type
	Choices  []string  `json:"choices,omitempty"` // for choice and choices
	// Min and Max bound a number, an integer, a date or a duration, and the length of a text or of
	// choices; JSON values; nil: no bound.
	Min RawJSON `json:"min,omitempty"`
	Max RawJSON `json:"max,omitempty"`
}

// Answer is what the owner chose. Fields holds JSON values by field id.
type Answer struct {
	Option  string             `json:"option,omitempty"`
	Comment string             `json:"comment,omitempty"`
	Fields  map[string]RawJSON `json:"fields,omitempty"`
}

// InteractionState is where an interaction is (I2).
type InteractionState string

// The states. Every state but waiting is final.
const (
	InteractionWaiting      InteractionState = "waiting"
	InteractionAnswered     InteractionState = "answered"
	InteractionCancelled    InteractionState = "cancelled"
	InteractionTimedOut     InteractionState = "timed_out"
	InteractionResolved     InteractionState = "resolved"
	InteractionExpired      InteractionState = "expired"
	InteractionAutoAnswered InteractionState = "auto_answered"
	InteractionDismissed    InteractionState = "dismissed" // its connection was gone (D7)
)

// Waiting reports whether r is an interaction that waits for an answer.
func (r *Record) Waiting() bool {
	return r.Kind == KindInteraction && r.Status == Pending && r.InteractionState == InteractionWaiting
}

// Moved reports whether who waits for r since a revision has something to hear: r is of another one, it ended, or it
// was a question and waits no longer.
func (r *Record) Moved(sinceRevision int) bool {
	return r.Revision != sinceRevision || r.Status.Terminal() || r.Kind == KindInteraction && !r.Waiting()
}
