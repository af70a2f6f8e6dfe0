package wire

// Presences of a connection.
const (
	PresenceOnline  = "online"
	PresenceOffline = "offline"
	PresenceRevoked = "revoked"
	PresenceMissing = "missing" // never seen
)

// Connection is one agent server.
type Connection struct {
	ID          string   `json:"id"`
	Label       string   `json:"label"`
	Color       string   `json:"color,omitzero"` // #RRGGBB
	Presence    string   `json:"presence"`
	Open        bool     `json:"open"`              // until the owner closes it
	Lifetime    string   `json:"lifetime,omitzero"` // names one run of the hosting process
	SessionsURL string   `json:"sessions_url,omitzero"`
	ActionsURL  string   `json:"actions_url,omitzero"`
	CallbackURL string   `json:"callback_url,omitzero"`
	Retention   *History `json:"retention,omitzero"` // nil: the center's own
	Pending     int      `json:"pending"`
	Unread      int      `json:"unread"`
	Waiting     int      `json:"waiting"`
	CreatedAt   Time     `json:"created_at,omitzero"`
	LastSeenAt  Time     `json:"last_seen_at,omitzero"`
	Change      int64    `json:"change,omitzero"`
}

// History is how long records that ended are kept. In each, 0 means no limit.
type History struct {
	MaxAgeSeconds float64 `json:"max_age_seconds,omitzero"`
	MaxCount      int     `json:"max_count,omitzero"`
}

// Connections is the list of them.
type Connections struct {
	Connections []Connection `json:"connections"`
}

// ConnectionCreate is the body that makes one.
type ConnectionCreate struct {
	Label string `json:"label"`
	ID    string `json:"id,omitzero"` // empty: the center chooses
	Color string `json:"color,omitzero"`
}

// ConnectionCreated answers it. Token is told this once.
type ConnectionCreated struct {
	Connection Connection `json:"connection"`
	Token      string     `json:"token"`
}

// ConnectionPatch is the body that changes one; absent fields stay.
type ConnectionPatch struct {
	Label     Optional[string]  `json:"label,omitzero"`
	Color     Optional[string]  `json:"color,omitzero"`
	Open      Optional[bool]    `json:"open,omitzero"`
	Retention Optional[History] `json:"retention,omitzero"`
}

// Token answers a rotation. The former token is refused from then on.
type Token struct {
	Token string `json:"token"`
}

// Hello is the body with which a connection says that it runs. Absent fields
// stay; an address that is empty is no more.
type Hello struct {
	Lifetime    string  `json:"lifetime"`
	Label       string  `json:"label,omitzero"`
	SessionsURL *string `json:"sessions_url,omitzero"`
	ActionsURL  *string `json:"actions_url,omitzero"`
	CallbackURL *string `json:"callback_url,omitzero"`
}

// HelloResult answers it.
type HelloResult struct {
	Connection Connection `json:"connection"`
	Expired    int        `json:"expired"` // items of an earlier lifetime that ended
}

// Reasons why a session needs the owner.
const (
	NeedsReply   = "reply"
	NeedsFailed  = "failed"
	NeedsConfirm = "confirm"
)

// Session is one chat of a connection.
type Session struct {
	ID           string `json:"id"`
	Connection   string `json:"connection,omitzero"`
	Title        string `json:"title,omitzero"`
	URL          string `json:"url,omitzero"`
	State        string `json:"state,omitzero"` // the producer's word: working, idle, …
	Sequence     int64  `json:"sequence"`       // how far it has come
	SeenSequence int64  `json:"seen_sequence"`  // how far the owner has seen it
	Waiting      int    `json:"waiting"`
	Unread       int    `json:"unread"`
	NeedsYou     string `json:"needs_you,omitzero"` // absent when it doesn't
	UpdatedAt    Time   `json:"updated_at,omitzero"`
}

// Sessions is the list of them.
type Sessions struct {
	Sessions []Session `json:"sessions"`
}

// SessionPut is the body that makes or changes a session; absent fields stay.
type SessionPut struct {
	Title    *string `json:"title,omitzero"`
	URL      *string `json:"url,omitzero"`
	State    *string `json:"state,omitzero"`
	Sequence *int64  `json:"sequence,omitzero"`
}

// Seen is the body that says how far the owner has seen a session.
type Seen struct {
	Sequence int64 `json:"sequence"`
}

// Kinds of an invalidation.
const (
	InvalidSession     = "session"
	InvalidSessionList = "session_list"
	InvalidActions     = "actions"
)

// Invalidation says that something is to be loaded again.
type Invalidation struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"`
	Session string `json:"session,omitzero"`
}

// Invalidations is the list of those not yet acknowledged.
type Invalidations struct {
	Invalidations []Invalidation `json:"invalidations"`
}

// Acknowledge is the body that says what was loaded again.
type Acknowledge struct {
	IDs []string `json:"ids"`
}
