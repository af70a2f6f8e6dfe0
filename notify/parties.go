package notify

import "time"

// Presence says whether an agent server is there.
type Presence string

// The presences.
const (
	Online  Presence = "online"  // an open stream, or a recent hello
	Offline Presence = "offline" // was online, is not now
	Revoked Presence = "revoked" // its token is void
	Missing Presence = "missing" // never seen
)

// Connection is one agent server.
type Connection struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	// OwnLabel says that the owner chose the label; a hello leaves it alone (X3).
	OwnLabel bool   `json:"own_label,omitempty"`
	Color    string `json:"color,omitempty"`
	// TokenHash is the SHA-256 of the token; empty once revoked.
	TokenHash []byte `json:"token_hash,omitempty"`
	Open      bool   `json:"open"` // until the owner closes it in the app (P1)
	Revoked   bool   `json:"revoked,omitempty"`
	// Lifetime names one run of the hosting process (R3); empty: never announced.
	Lifetime string `json:"lifetime,omitempty"`
	// Streams counts open event streams; kept in memory only, 0 after a start.
	Streams int `json:"-"`
	// Streaming says that streams were open; it outlives a crash, so that the next start knows that they
	// have closed since.
	Streaming bool `json:"streaming,omitempty"`
	// Away says that it was told that the presence ran out.
	Away bool `json:"away,omitempty"`
	// Purging says that its records are being removed; then it is itself.
	Purging bool `json:"purging,omitempty"`
	// SeenAt is the last hello, publication or end of a stream; zero: never.
	SeenAt time.Time `json:"seen_at,omitzero"`
	// SessionsURL, ActionsURL and CallbackURL are where to reload from (E2) and where answers go.
	SessionsURL string `json:"sessions_url,omitempty"`
	ActionsURL  string `json:"actions_url,omitempty"`
	CallbackURL string `json:"callback_url,omitempty"`
	// KeepAge and KeepCount bound the history of terminal records (R4); 0: the center's default.
	KeepAge   time.Duration `json:"keep_age,omitempty"`
	KeepCount int           `json:"keep_count,omitempty"`
	CreatedAt time.Time     `json:"created_at"`
	Change    int64         `json:"change"`
}

// OnlineFor is how long a hello or a publication counts as presence without a stream.
const OnlineFor = 2 * time.Minute

// PresenceAt says what the owner is shown at an instant.
func (c *Connection) PresenceAt(now time.Time) Presence {
	switch {
	case c.Revoked:
		return Revoked
	case c.Streams > 0:
		return Online
	case c.SeenAt.IsZero():
		return Missing
	case now.Sub(c.SeenAt).Abs() < OnlineFor: // further ahead it was seen by a clock that was set back since
		return Online
	}
	return Offline
}

// SessionRef names a session of a connection; with an empty Session, the connection itself.
type SessionRef struct {
	Connection string `json:"connection"`
	Session    string `json:"session,omitempty"`
}

// Session is one chat of one connection.
type Session struct {
	Connection string `json:"connection"`
	ID         string `json:"id"`
	Title      string `json:"title,omitempty"`
	URL        string `json:"url,omitempty"`
	State      string `json:"state,omitempty"` // the producer's own word: working, idle, …
	// Sequence counts what happened that concerns the owner; Seen and Told are the positions that
	// the owner has seen and was told of (A4).
	Sequence int64 `json:"sequence"`
	Seen     int64 `json:"seen_sequence"`
	Told     int64 `json:"told_sequence"`
	// FinishedAt and FailedAt are the positions of the newest finished and failed turn; 0: none.
	FinishedAt int64     `json:"finished_at,omitempty"`
	FailedAt   int64     `json:"failed_at,omitempty"`
	Ended      bool      `json:"ended,omitempty"`
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"`
	Change     int64     `json:"change"`
}

// The states that a rule knows (A4); any other is the producer's own.
const (
	SessionWorking = "working"
	SessionWaiting = "waiting"
)

// Ref names s.
func (s *Session) Ref() SessionRef { return SessionRef{s.Connection, s.ID} }

// Ref names the session that a record belongs to; Session is empty where it belongs to none.
func (r *Record) Ref() SessionRef { return SessionRef{r.Connection, r.Session} }

// Need is why a session needs the owner (A4); empty: it doesn't.
type Need string

// The reasons, weightiest first: confirm, failed, reply.
const (
	NeedConfirm Need = "confirm"
	NeedFailed  Need = "failed"
	NeedReply   Need = "reply"
)

// InvalidationKind says what must be reloaded (E1).
type InvalidationKind string

// The kinds of invalidation.
const (
	InvalidSession     InvalidationKind = "session"
	InvalidSessionList InvalidationKind = "session_list"
	InvalidActions     InvalidationKind = "actions"
)

// Invalidation is a durable request to reload (E2). Its ID is derived from what it names, so that
// invalidations of the same thing coalesce; Change tells an acknowledgement of an older request
// from one of the newest.
type Invalidation struct {
	ID         string           `json:"id"`
	Connection string           `json:"connection"`
	Kind       InvalidationKind `json:"kind"`
	Session    string           `json:"session,omitempty"`
	Change     int64            `json:"change"`
	At         time.Time        `json:"at"`
}

// Receipt remembers what a publication with an idempotency key did.
type Receipt struct {
	Connection string    `json:"connection"`
	Key        string    `json:"key"`
	Digest     []byte    `json:"digest"` // of the request; another digest is a mismatch
	RecordID   string    `json:"record_id"`
	At         time.Time `json:"at"`
}

// Settings is what the owner has decided about being told. One value for the whole center.
type Settings struct {
	Focus SessionRef `json:"focus,omitzero"` // the active session; zero: none
	// QuietUntil holds announcements back until then; zero: not quiet (A8).
	QuietUntil    time.Time      `json:"quiet_until,omitzero"`
	Subscriptions []Subscription `json:"subscriptions,omitempty"` // of a provider without one: what makes sense on the first day, see Announce
	Rules         []Rule         `json:"rules,omitempty"`
	QuietHours    []QuietHours   `json:"quiet_hours,omitempty"` // when it is quiet by schedule
	// MinTurn is how long a turn must have run for its end to be told by default; 0: DefaultMinTurn.
	MinTurn time.Duration `json:"min_turn,omitempty"`
}

// QuietHours is a stretch of local time in which it is quiet, on the days on which it begins.
type QuietHours struct {
	Days []time.Weekday `json:"days,omitempty"` // empty: every day
	From string         `json:"from"`           // HH:MM
	To   string         `json:"to"`             // HH:MM; not after From: on the next day
}

// Subscription says which announcements one provider gets (A3).
type Subscription struct {
	Provider string `json:"provider"` // in_app, toast, sound, webhook:NAME, command:NAME
	// Events are event types; nil: the default of the provider; empty, not nil: none.
	Events []string `json:"events"`
	// Except are event types that it leaves out of those.
	Except      []string   `json:"except,omitempty"`
	MinSeverity Severity   `json:"min_severity,omitempty"` // empty: any
	Connections []string   `json:"connections,omitempty"`  // empty: all
	Scopes      []Scope    `json:"scopes,omitempty"`       // empty: both
	Severities  []Severity `json:"severities,omitempty"`   // empty: all from MinSeverity
	Disabled    bool       `json:"disabled,omitempty"`
}

// Rule is one ordered, named rule of the owner: it changes the announcement, never the record.
type Rule struct {
	Name  string    `json:"name"`
	Match RuleMatch `json:"match"`
	// Set names what to do: toast, sound, none, mute.
	Set  string `json:"set"`
	Stop bool   `json:"stop,omitempty"` // no later rule is looked at
	// Through lets what it tells break through do-not-disturb.
	Through bool `json:"through,omitempty"`
}

// RuleMatch holds the conditions of a rule; all that are given must hold; empty: any.
type RuleMatch struct {
	Connection string   `json:"connection,omitempty"`
	Session    string   `json:"session,omitempty"`
	Kind       Kind     `json:"kind,omitempty"`
	Severity   Severity `json:"severity,omitempty"`
	Tag        string   `json:"tag,omitempty"`
	Sender     string   `json:"sender,omitempty"`
	Event      string   `json:"event,omitempty"`
	Text       string   `json:"text,omitempty"` // a regular expression over title, body and lines
}
