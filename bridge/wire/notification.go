package wire

import "encoding/json"

// Kinds of a notification.
const (
	KindNotice      = "notice"      // something to know; the default
	KindProgress    = "progress"    // work under way; needs Progress
	KindStatus      = "status"      // a lasting state
	KindInteraction = "interaction" // waits for an answer; needs Interaction
	KindReport      = "report"      // a structured report
)

// Severities, mildest first.
const (
	SeverityInfo     = "info" // the default
	SeveritySuccess  = "success"
	SeverityWarning  = "warning"
	SeverityError    = "error"
	SeverityCritical = "critical"
)

// Scopes: what a notification belongs to.
const (
	ScopeApplication = "application" // to the connection as a whole
	ScopeSession     = "session"     // to one session of it
)

// Statuses. All but StatusPending are final.
const (
	StatusPending   = "pending"
	StatusDismissed = "dismissed"
	StatusResolved  = "resolved"
	StatusExpired   = "expired"
)

// Outcome kinds: how a notification ended.
const (
	OutcomeDismissed    = "dismissed"
	OutcomeResolved     = "resolved"
	OutcomeExpired      = "expired"
	OutcomeAnswered     = "answered"
	OutcomeCancelled    = "cancelled"
	OutcomeTimedOut     = "timed_out"
	OutcomeAutoAnswered = "auto_answered"
)

// Presentations.
const (
	PresentationBanner = "banner" // the default
	PresentationInline = "inline"
	PresentationModal  = "modal"
)

// Retention policies: what ends a notification.
const (
	RetentionUntilResolved  = "until_resolved"  // its producer or the owner; the default
	RetentionTTL            = "ttl"             // a deadline, for fresh presentation only
	RetentionRequest        = "request"         // the end of its request
	RetentionServerLifetime = "server_lifetime" // another lifetime of its connection
)

// Styles of an action or an option.
const (
	StyleDefault = "default"
	StylePrimary = "primary"
	StyleDanger  = "danger"
)

// Notification is a record as it is now. Only the center gives values to ID,
// Occurrence, Revision, Status and the times.
type Notification struct {
	ID         string `json:"id"`         // UUIDv7
	Connection string `json:"connection"` // id of the connection that published it
	Scope      string `json:"scope"`
	Session    string `json:"session,omitzero"` // present for session scope only
	Key        string `json:"key,omitzero"`     // stable within connection, scope and session
	Occurrence int    `json:"occurrence"`       // counts the occurrences of a key from 1; 1 without a key
	Revision   int    `json:"revision"`         // from 1; 0 for an imported record not changed since
	Status     string `json:"status"`

	Kind             string          `json:"kind"`
	Severity         string          `json:"severity"`
	Title            string          `json:"title"`
	Body             string          `json:"body,omitzero"` // Markdown
	Lines            []string        `json:"lines,omitempty"`
	Sender           string          `json:"sender,omitzero"` // who within the connection
	Event            *Event          `json:"event,omitzero"`
	Request          string          `json:"request,omitzero"` // the request that it belongs to
	Icon             string          `json:"icon,omitzero"`    // one grapheme or an icon name
	Color            string          `json:"color,omitzero"`   // #RRGGBB
	Tags             []string        `json:"tags,omitempty"`
	Panel            string          `json:"panel,omitzero"` // the tab it is listed under
	Chip             *Chip           `json:"chip,omitzero"`
	Progress         *Progress       `json:"progress,omitzero"`
	Attachments      []Attachment    `json:"attachments,omitempty"`
	Links            []Link          `json:"links,omitempty"`
	Actions          []Action        `json:"actions,omitempty"`
	Interaction      *Interaction    `json:"interaction,omitzero"`
	Report           *Report         `json:"report,omitzero"`
	Presentation     string          `json:"presentation"`
	Dismissible      bool            `json:"dismissible"`
	DismissibleAfter Time            `json:"dismissible_after,omitzero"` // when it becomes dismissible
	Retention        Retention       `json:"retention"`
	Refresh          *Refresh        `json:"refresh,omitzero"`
	Data             json.RawMessage `json:"data,omitzero"` // the producer's own object, as it was given

	DedupKey        string    `json:"dedup_key,omitzero"`
	PlusOnes        []PlusOne `json:"plus_ones,omitempty"`        // newest last; the newest 50
	PlusOnesDropped int       `json:"plus_ones_dropped,omitzero"` // older ones, counted only

	Read        bool `json:"read"`
	Silent      bool `json:"silent"`
	Muted       bool `json:"muted"`
	SnoozeUntil Time `json:"snooze_until,omitzero"`
	// SnoozeEvent says that the next event of its session ends the snooze, before snooze_until.
	SnoozeEvent  bool `json:"snooze_until_event,omitzero"`
	ResurfacedAt Time `json:"resurfaced_at,omitzero"`

	Outcome   *Outcome `json:"outcome,omitzero"` // once it ended
	CreatedAt Time     `json:"created_at"`       // never changes
	UpdatedAt Time     `json:"updated_at"`
	EndedAt   Time     `json:"ended_at,omitzero"`
	Change    int64    `json:"change"` // the change sequence number that last touched it
}

// Event is the semantic event that a notification tells of. The pair is told
// once per provider, whatever becomes of the record.
type Event struct {
	Type       string `json:"type"`       // as session.turn_finished; namespaced
	Occurrence string `json:"occurrence"` // which one: a turn, request or version
}

// Event types that the product knows. Any further namespaced type is allowed.
const (
	EventTurnFinished           = "session.turn_finished"
	EventTurnFailed             = "session.turn_failed"
	EventClarificationRequested = "session.clarification_requested"
	EventUpdateAvailable        = "system.update_available"
)

// Chip is a small label drawn with the title.
type Chip struct {
	Glyph string `json:"glyph,omitzero"`
	Label string `json:"label,omitzero"`
	Color string `json:"color,omitzero"` // #RRGGBB
}

// Progress is how far work has come.
type Progress struct {
	Current float64  `json:"current"`
	Total   *float64 `json:"total,omitzero"` // absent: indeterminate
	Text    string   `json:"text,omitzero"`
}

// Attachment names a file or a page by exactly one of Path and URL. It is never
// read or opened without the owner's click, previews of local images apart.
type Attachment struct {
	Path      string `json:"path,omitzero"`
	URL       string `json:"url,omitzero"`
	Name      string `json:"name,omitzero"`
	MediaType string `json:"media_type,omitzero"`
}

// Link is a page that the owner may open.
type Link struct {
	Title  string `json:"title,omitzero"`
	URL    string `json:"url"`
	Status string `json:"status,omitzero"` // as "open" or "merged"; the producer's word
}

// Action is something the owner may set off. With a URL it opens that; without,
// the producer hears of it by an event.
type Action struct {
	ID        string  `json:"id"`
	Label     string  `json:"label"`
	Style     string  `json:"style,omitzero"`
	URL       string  `json:"url,omitzero"`
	InHistory bool    `json:"in_history,omitzero"` // valid on a record that ended, too
	Confirm   Confirm `json:"confirm,omitzero"`    // ask again before it runs
}

// Report is a structured report, as a snapshot (Blocks), as the path of a live
// document that wins while it is readable and valid, or both. A block is an
// object with a "type"; those of an unknown type are shown as their text.
type Report struct {
	Title  string            `json:"title,omitzero"`
	Blocks []json.RawMessage `json:"blocks,omitempty"`
	Path   string            `json:"path,omitzero"`
}

// Retention names how a notification ends. For RetentionTTL exactly one of
// TTLSeconds and Deadline is given.
type Retention struct {
	Policy     string  `json:"policy"`
	TTLSeconds float64 `json:"ttl_seconds,omitzero"`
	Deadline   Time    `json:"deadline,omitzero"`
}

// Refresh asks consumers to load something again. It belongs to one revision.
type Refresh struct {
	Sessions    []string `json:"sessions,omitempty"`
	SessionList bool     `json:"session_list,omitzero"`
	Actions     bool     `json:"actions,omitzero"`
}

// PlusOne is one corroboration of a pending record.
type PlusOne struct {
	Sender string `json:"sender,omitzero"`
	Note   string `json:"note,omitzero"`
	At     Time   `json:"at"`
}

// Outcome says how a notification ended, who ended it, and when.
type Outcome struct {
	Kind   string  `json:"kind"`
	By     string  `json:"by,omitzero"` // owner, the id of the connection, or center
	Answer *Answer `json:"answer,omitzero"`
	Reason string  `json:"reason,omitzero"`
	At     Time    `json:"at"`
	// Delivered says whether whoever asked has had the answer; nil where there
	// is none.
	Delivered *bool `json:"delivered,omitzero"`
}
