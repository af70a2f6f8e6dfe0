package notify

import "time"

// Filter selects records for lists. Empty members select all; values within one member are
// alternatives; members narrow each other.
type Filter struct {
	Connections []string
	Scopes      []Scope
	Sessions    []string
	Statuses    []Status
	Severities  []Severity
	Kinds       []Kind
	Tags        []string
	Events      []string
	// Text is searched in title, body, lines and sender: every word of it must begin a word there,
	// without regard to case.
	Text string
	// Since and Until bound UpdatedAt: Since inclusive, Until exclusive; zero: no bound.
	Since, Until time.Time
	Read         *bool // nil: either
	// IncludeSilent lists silent records as well (A5).
	IncludeSilent bool
}

// Page is a slice of a list, newest first by UpdatedAt and then by ID, descending.
type Page struct {
	Records []*Record
	Next    Cursor // zero: the end
}

// Cursor is a place in the order of lists: after the record with this instant and id. A record that
// did not change meanwhile is neither repeated nor skipped.
type Cursor struct {
	UpdatedAt time.Time
	ID        string
}

// Counts is the badge (P5, A5): everything that counts anywhere comes from here.
type Counts struct {
	Unread  int
	Waiting int
	Pending int // all pending records, silent ones included
	Reply   int // sessions that need the owner, by reason
	Failed  int
	Confirm int
	Muted   int
	Snoozed int
}

// Attention is the badge, whole and per connection.
type Attention struct {
	Counts
	Connections map[string]Counts
}

// Rail is what a fresh view presents now (P1), in the order of P6.
type Rail struct {
	Application []*Record
	Session     []*Record
}
