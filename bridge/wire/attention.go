package wire

// Focus names the active session; both empty is none.
type Focus struct {
	Connection string `json:"connection,omitzero"`
	Session    string `json:"session,omitzero"`
}

// NeedsYou counts sessions by the reason for which they need the owner.
type NeedsYou struct {
	Reply   int `json:"reply"`
	Failed  int `json:"failed"`
	Confirm int `json:"confirm"`
}

// Counts is what asks for attention.
type Counts struct {
	Unread   int      `json:"unread"`
	Waiting  int      `json:"waiting"`
	NeedsYou NeedsYou `json:"needs_you"`
	Muted    int      `json:"muted"`
	Snoozed  int      `json:"snoozed"`
}

// Attention is the counts of everything, and of each connection by its id.
type Attention struct {
	Counts
	Connections map[string]Counts `json:"connections"`
}

// Subscription says what one provider announces. An empty list matches all.
type Subscription struct {
	Provider    string   `json:"provider"`
	Events      []string `json:"events,omitempty"`     // types; "session.*" matches a namespace
	Severities  []string `json:"severities,omitempty"` // empty: all
	Connections []string `json:"connections,omitempty"`
	Scopes      []string `json:"scopes,omitempty"`
	Enabled     bool     `json:"enabled"`
}

// Subscriptions is the whole matrix.
type Subscriptions struct {
	Subscriptions []Subscription `json:"subscriptions"`
}

// Rule changes what is announced of the items that it matches. Rules are tried
// in order; the first that matches decides.
type Rule struct {
	ID          string   `json:"id,omitzero"`
	Name        string   `json:"name,omitzero"`
	Enabled     bool     `json:"enabled"`
	Connections []string `json:"connections,omitempty"`
	Sessions    []string `json:"sessions,omitempty"`
	Kinds       []string `json:"kinds,omitempty"`
	Severities  []string `json:"severities,omitempty"`
	Events      []string `json:"events,omitempty"`
	Tags        []string `json:"tags,omitempty"`
	Text        string   `json:"text,omitzero"`  // contained in title or body
	Hours       string   `json:"hours,omitzero"` // local, as 22:00-07:00
	Effect      string   `json:"effect"`         // announce, hold, mute or silence
}

// Rules is the list of them, in order.
type Rules struct {
	Rules []Rule `json:"rules"`
}

// DoNotDisturb holds announcements back until an instant; zero is off.
type DoNotDisturb struct {
	Until Time `json:"until,omitzero"`
}

// States of a delivery.
const (
	DeliveryPending   = "pending"
	DeliveryDelivered = "delivered"
	DeliveryFailed    = "failed"
	DeliverySkipped   = "skipped"
)

// Delivery is one attempt to tell the owner of something.
type Delivery struct {
	ID           string `json:"id"`
	Provider     string `json:"provider"`
	Notification string `json:"notification,omitzero"`
	Revision     int    `json:"revision,omitzero"`
	Event        *Event `json:"event,omitzero"`
	Status       string `json:"status"`
	Attempt      int    `json:"attempt,omitzero"`
	At           Time   `json:"at"`
	NextAt       Time   `json:"next_at,omitzero"`
	Error        string `json:"error,omitzero"`
}

// Deliveries is the history of them, newest first.
type Deliveries struct {
	Deliveries []Delivery `json:"deliveries"`
	NextCursor string     `json:"next_cursor,omitzero"`
}

// TraceEntry says why one provider announced an item, or did not.
type TraceEntry struct {
	Provider string `json:"provider"`
	Decision string `json:"decision"`          // announced, held, skipped, failed, withdrawn
	Reason   string `json:"reason"`            // rule, subscription, quiet_hours, focus, snooze, storm, duplicate, error, …
	Detail   string `json:"detail,omitzero"`   // which rule, or what error
	Revision int    `json:"revision,omitzero"` // of the item then
	At       Time   `json:"at"`
}

// Trace is everything decided about the announcement of one item.
type Trace struct {
	Notification string       `json:"notification"`
	Entries      []TraceEntry `json:"entries"`
}

// Views that can be shown.
const (
	ViewRail     = "rail"
	ViewHistory  = "history"
	ViewSettings = "settings"
)

// Show is the body that shows the window.
type Show struct {
	View         string `json:"view,omitzero"`         // empty: the rail
	Notification string `json:"notification,omitzero"` // to select
}
