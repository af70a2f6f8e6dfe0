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

// Subscription says which announcements one provider gets.
type Subscription struct {
	Provider string `json:"provider"` // in_app, toast, sound, webhook:NAME, command:NAME
	// Events are event types. Absent: the default of the provider; empty: none.
	Events []string `json:"events,omitzero"`
	// Except are event types that it leaves out of those.
	Except      []string `json:"except,omitempty"`
	MinSeverity string   `json:"min_severity,omitzero"` // empty: any
	Severities  []string `json:"severities,omitempty"`  // empty: all from MinSeverity
	Connections []string `json:"connections,omitempty"` // empty: all
	Scopes      []string `json:"scopes,omitempty"`      // empty: both
	Disabled    bool     `json:"disabled,omitzero"`
}

// Subscriptions is the whole matrix.
type Subscriptions struct {
	Subscriptions []Subscription `json:"subscriptions"`
}

// Rule changes what is announced of the items that it matches, never the items.
// Rules are looked at in order.
type Rule struct {
	Name  string    `json:"name"`
	Match RuleMatch `json:"match,omitzero"`
	Set   string    `json:"set"`           // toast, sound, none or mute
	Stop  bool      `json:"stop,omitzero"` // no later rule is looked at
}

// RuleMatch holds the conditions of a rule. All that are given must hold.
type RuleMatch struct {
	Connection string `json:"connection,omitzero"`
	Session    string `json:"session,omitzero"`
	Kind       string `json:"kind,omitzero"`
	Severity   string `json:"severity,omitzero"`
	Tag        string `json:"tag,omitzero"`
	Sender     string `json:"sender,omitzero"`
	Event      string `json:"event,omitzero"`
	Text       string `json:"text,omitzero"` // a regular expression over title, body and lines
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
	DeliveryClaimed   = "claimed"   // being sent
	DeliveryDelivered = "delivered" // the provider took it; no proof that the owner saw it
	DeliveryFailed    = "failed"    // tried again at RetryAt, if that is given
	DeliveryHeld      = "held"      // not announced; Reason says why
	DeliveryWithdrawn = "withdrawn" // taken back because the item ended
)

// Delivery is one announcement of one occurrence by one provider.
type Delivery struct {
	ID           string `json:"id"`
	Provider     string `json:"provider"`
	Notification string `json:"notification,omitzero"`
	Revision     int    `json:"revision,omitzero"`
	Event        *Event `json:"event,omitzero"`
	State        string `json:"state"`
	// Reason names what decided: the rule, the subscription, quiet_hours, focus,
	// snooze, storm, duplicate, or the provider's error.
	Reason   string `json:"reason,omitzero"`
	Attempts int    `json:"attempts"`
	At       Time   `json:"at"` // when it came to its state
	RetryAt  Time   `json:"retry_at,omitzero"`
	ToldAt   Time   `json:"told_at,omitzero"` // when the provider took it
	Error    string `json:"error,omitzero"`
}

// Deliveries is the history of them, newest first.
type Deliveries struct {
	Deliveries []Delivery `json:"deliveries"`
}

// Trace is everything decided about the announcement of one item, oldest first.
type Trace struct {
	Notification string     `json:"notification"`
	Entries      []Delivery `json:"entries"`
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
