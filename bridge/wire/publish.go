package wire

import "encoding/json"

// What to do when the key or dedup key of a publication is pending already.
const (
	OnRepeatUpdate      = "update" // the next revision of it; the default
	OnRepeatCorroborate = "corroborate"
)

// Results of a change.
const (
	ResultCreated      = "created"
	ResultUpdated      = "updated"
	ResultCorroborated = "corroborated"
	ResultUnchanged    = "unchanged"
	ResultResolved     = "resolved"
	ResultExpired      = "expired"
	ResultCancelled    = "cancelled"
	ResultDismissed    = "dismissed"
	ResultCompleted    = "completed"
)

// IdempotencyKey is the header that makes a publication safe to send again:
// the same key with the same body is answered as unchanged, with another body
// it is refused with idempotency_mismatch.
const IdempotencyKey = "Idempotency-Key"

// Publish is the body of a publication: content, and where it goes. Only Title
// is required.
type Publish struct {
	Key     string `json:"key,omitzero"`     // empty: an item of its own
	Scope   string `json:"scope,omitzero"`   // empty: session when Session is given, else application
	Session string `json:"session,omitzero"` // required for session scope

	Kind             string          `json:"kind,omitzero"`     // empty: notice
	Severity         string          `json:"severity,omitzero"` // empty: info
	Title            string          `json:"title"`             // 1 to 200 characters, one line
	Body             string          `json:"body,omitzero"`     // Markdown, at most 16 KiB
	Lines            []string        `json:"lines,omitempty"`   // at most 50 of 500 characters
	Sender           string          `json:"sender,omitzero"`
	Event            *Event          `json:"event,omitzero"`
	Request          string          `json:"request,omitzero"`
	Icon             string          `json:"icon,omitzero"`
	Color            string          `json:"color,omitzero"`
	Tags             []string        `json:"tags,omitempty"` // at most 20
	Panel            string          `json:"panel,omitzero"`
	Chip             *Chip           `json:"chip,omitzero"`
	Progress         *Progress       `json:"progress,omitzero"`
	Attachments      []Attachment    `json:"attachments,omitempty"` // at most 50
	Links            []Link          `json:"links,omitempty"`
	Actions          []Action        `json:"actions,omitempty"` // at most 8
	Interaction      *Interaction    `json:"interaction,omitzero"`
	Report           *Report         `json:"report,omitzero"`       // at most 256 KiB
	Presentation     string          `json:"presentation,omitzero"` // empty: banner
	Dismissible      *bool           `json:"dismissible,omitzero"`  // nil: true, but false for an interaction
	DismissibleAfter Time            `json:"dismissible_after,omitzero"`
	Retention        *Retention      `json:"retention,omitzero"` // nil: until_resolved
	Refresh          *Refresh        `json:"refresh,omitzero"`
	Data             json.RawMessage `json:"data,omitzero"` // an object, at most 64 KiB

	DedupKey string `json:"dedup_key,omitzero"`
	OnRepeat string `json:"on_repeat,omitzero"` // empty: update
	Note     string `json:"note,omitzero"`      // of the +1, when this corroborates; empty: the title

	Silent      bool `json:"silent,omitzero"` // stored and listed only
	Muted       bool `json:"muted,omitzero"`
	SnoozeUntil Time `json:"snooze_until,omitzero"` // born snoozed

	// OccurredAt is the original instant of a publication that could not be made
	// then; absent: now. An old one is not announced any more.
	OccurredAt Time `json:"occurred_at,omitzero"`

	ExpectedRevision Expected `json:"expected_revision,omitzero"`
}

// PublishResult answers a publication.
type PublishResult struct {
	Result       string       `json:"result"` // ResultCreated, …Updated, …Corroborated or …Unchanged
	Notification Notification `json:"notification"`
	Masked       []string     `json:"masked,omitempty"` // fields in which a credential was masked, as JSON pointers
}

// Changes is the body of a change of content: absent fields stay, null clears.
type Changes struct {
	Kind             Optional[string]          `json:"kind,omitzero"`
	Severity         Optional[string]          `json:"severity,omitzero"`
	Title            Optional[string]          `json:"title,omitzero"`
	Body             Optional[string]          `json:"body,omitzero"`
	Lines            Optional[[]string]        `json:"lines,omitzero"`
	Sender           Optional[string]          `json:"sender,omitzero"`
	Event            Optional[Event]           `json:"event,omitzero"`
	Request          Optional[string]          `json:"request,omitzero"`
	Icon             Optional[string]          `json:"icon,omitzero"`
	Color            Optional[string]          `json:"color,omitzero"`
	Tags             Optional[[]string]        `json:"tags,omitzero"`
	Panel            Optional[string]          `json:"panel,omitzero"`
	Chip             Optional[Chip]            `json:"chip,omitzero"`
	Progress         Optional[Progress]        `json:"progress,omitzero"`
	Attachments      Optional[[]Attachment]    `json:"attachments,omitzero"`
	Links            Optional[[]Link]          `json:"links,omitzero"`
	Actions          Optional[[]Action]        `json:"actions,omitzero"`
	Interaction      Optional[Interaction]     `json:"interaction,omitzero"`
	Report           Optional[Report]          `json:"report,omitzero"`
	Presentation     Optional[string]          `json:"presentation,omitzero"`
	Dismissible      Optional[bool]            `json:"dismissible,omitzero"`
	DismissibleAfter Optional[Time]            `json:"dismissible_after,omitzero"`
	Retention        Optional[Retention]       `json:"retention,omitzero"`
	Refresh          Optional[Refresh]         `json:"refresh,omitzero"`
	Data             Optional[json.RawMessage] `json:"data,omitzero"`
	DedupKey         Optional[string]          `json:"dedup_key,omitzero"`
	Silent           Optional[bool]            `json:"silent,omitzero"`

	ExpectedRevision Expected `json:"expected_revision,omitzero"`
}

// Operations of a batch.
const (
	OpPublish         = "publish"
	OpUpdate          = "update"
	OpResolve         = "resolve"
	OpExpire          = "expire"
	OpCancel          = "cancel"
	OpCompleteRequest = "complete_request"
	OpDismiss         = "dismiss" // the owner's
)

// Batch is one transaction: all of its operations happen, or none.
type Batch struct {
	Operations []Operation `json:"operations"` // at most 500
	// Session is one that was looked at to choose the operations, and ExpectedChange the newest change of its pending
	// notifications, 0: there were none. The batch is refused where one that is not silent changed later.
	Session        string `json:"session,omitzero"`
	ExpectedChange int64  `json:"expected_change,omitzero"`
}

// Operation is one change of a batch. Which fields belong to it depends on Op.
type Operation struct {
	Op           string   `json:"op"`
	Notification *Publish `json:"notification,omitzero"` // publish
	ID           string   `json:"id,omitzero"`           // update, resolve, expire, cancel, dismiss
	Key          string   `json:"key,omitzero"`          // resolve, expire, cancel: instead of ID
	Session      string   `json:"session,omitzero"`      // with Key: of session scope
	Changes      *Changes `json:"changes,omitzero"`      // update
	Request      string   `json:"request,omitzero"`      // complete_request
	Reason       string   `json:"reason,omitzero"`

	ExpectedRevision Expected `json:"expected_revision,omitzero"`
}

// OperationResult answers one operation.
type OperationResult struct {
	Result       string        `json:"result"`
	Notification *Notification `json:"notification,omitzero"`
	Masked       []string      `json:"masked,omitempty"`
	Expired      *int          `json:"expired,omitzero"` // complete_request: how many ended
}

// BatchResult answers a batch, a result for each operation in order.
type BatchResult struct {
	Results []OperationResult `json:"results"`
}

// Ending is the body of resolve, expire, cancel and dismiss on a record, and of
// an action. Dismissing and acting need ExpectedRevision.
type Ending struct {
	ExpectedRevision Expected `json:"expected_revision,omitzero"`
	Reason           string   `json:"reason,omitzero"`
}

// AnswerRequest is the body of an answer.
type AnswerRequest struct {
	ExpectedRevision Expected `json:"expected_revision,omitzero"`
	Answer           Answer   `json:"answer"`
}

// Rejection is the body with which a producer refuses an answer.
type Rejection struct {
	Reason string `json:"reason"`
}

// Snooze is the body of a snooze: exactly one of the three.
type Snooze struct {
	Until   Time    `json:"until,omitzero"`
	Seconds float64 `json:"seconds,omitzero"`
	// UntilEvent is until the next event of the item's session; one of no session is refused.
	UntilEvent bool `json:"until_event,omitzero"`
}

// SetAside is the body of setting an interaction aside. 0 is the usual time.
type SetAside struct {
	Seconds float64 `json:"seconds,omitzero"`
}

// DismissItem names a revision to dismiss.
type DismissItem struct {
	ID               string   `json:"id"`
	ExpectedRevision Expected `json:"expected_revision,omitzero"`
}

// Dismiss is the body of a dismissal of several, each for itself.
type Dismiss struct {
	Items []DismissItem `json:"items"`
}

// DismissResult answers one of them: the record, or the problem.
type DismissResult struct {
	ID           string        `json:"id"`
	Status       int           `json:"status"` // the HTTP status that it would have had alone
	Notification *Notification `json:"notification,omitzero"`
	Error        *Problem      `json:"error,omitzero"`
}

// DismissResults answers Dismiss, a result for each item in order.
type DismissResults struct {
	Results []DismissResult `json:"results"`
}

// Completed answers the completion of a request.
type Completed struct {
	Expired int `json:"expired"` // how many pending items ended
}

// Page is one page of a list of notifications, newest first.
type Page struct {
	Notifications []Notification `json:"notifications"`
	NextCursor    string         `json:"next_cursor,omitzero"` // absent at the end
}

// Rail is what a fresh view presents.
type Rail struct {
	Application []Notification `json:"application"`
	Session     []Notification `json:"session"` // of the active session
}

// Import is the body that stores records from elsewhere as they are, all or
// none: ids, times and endings are kept, nothing is announced, and an id that is
// known already is left alone. A record may lack an integer revision, or an id.
type Import struct {
	Records []Notification `json:"records"` // at most 500
}

// Imported answers it.
type Imported struct {
	Imported int `json:"imported"` // how many are new
}
