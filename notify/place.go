package notify

import "time"

// PlaceKind is the sort of place in which the window shows an item (P5).
type PlaceKind string

// The places. PlaceNone is that of what is not shown among what is current: ended, silent, or past
// its TTL (R2, A5).
const (
	PlaceNone    PlaceKind = ""
	PlaceSnoozed PlaceKind = "snoozed"
	PlaceMuted   PlaceKind = "muted"
	PlaceWaiting PlaceKind = "waiting"
	PlacePanel   PlaceKind = "panel"
	PlaceErrors  PlaceKind = "errors"
	PlaceTag     PlaceKind = "tag"
	PlaceGeneral PlaceKind = "general"
)

// Place is where the window shows an item: exactly one (P5).
type Place struct {
	Kind PlaceKind
	Name string // of a panel or a tag
}

// Front reports whether the place is among those that a fresh view presents and that count as
// unread; not snoozed, muted or none.
func (p Place) Front() bool {
	switch p.Kind {
	case PlaceNone, PlaceSnoozed, PlaceMuted:
		return false
	}
	return true
}

// PlaceOf is the one classifier: the badge, the tray, the lists and the attention counts all use it,
// so that they can never disagree (P5).
func PlaceOf(r *Record, now time.Time) Place {
	switch {
	case r.Status.Terminal(), r.Silent, Lapsed(r, now):
		return Place{}
	case r.SnoozeUntil.After(now):
		return Place{Kind: PlaceSnoozed}
	case r.Muted && r.SnoozeUntil.IsZero(): // a snooze that ended has unmuted it, told or not yet
		return Place{Kind: PlaceMuted}
	case r.Waiting():
		return Place{Kind: PlaceWaiting}
	case r.Panel != "":
		return Place{Kind: PlacePanel, Name: r.Panel}
	case r.Severity == SeverityError, r.Severity == SeverityCritical:
		return Place{Kind: PlaceErrors}
	case len(r.Tags) > 0:
		return Place{Kind: PlaceTag, Name: r.Tags[0]}
	}
	return Place{Kind: PlaceGeneral}
}

// Lapsed reports whether r's TTL has passed: a fresh view does not present it (R2). What waits for an
// answer never lapses; its timeout ends it.
func Lapsed(r *Record, now time.Time) bool {
	return r.Retention.Policy == TTL && !r.Retention.Deadline.IsZero() && !r.Retention.Deadline.After(now) && !r.Waiting()
}

// nextShift is the earliest instant after now at which PlaceOf changes by itself; zero: never.
func nextShift(r *Record, now time.Time) time.Time {
	var t time.Time
	for _, u := range [...]time.Time{r.SnoozeUntil, r.Retention.Deadline} {
		if u.After(now) && (t.IsZero() || u.Before(t)) {
			t = u
		}
	}
	return t
}

// Activity is the latest activity of r, which orders it (P6): its content, a corroboration, or its
// resurfacing. Reading or muting is none.
func (r *Record) Activity() time.Time {
	t := r.ContentAt
	if n := len(r.PlusOnes); n > 0 && r.PlusOnes[n-1].At.After(t) {
		t = r.PlusOnes[n-1].At
	}
	if r.ResurfacedAt.After(t) {
		t = r.ResurfacedAt
	}
	return t
}

// SetAsideAt reports whether r is set aside at an instant (I7).
func (r *Record) SetAsideAt(now time.Time) bool { return r.Waiting() && r.SetAsideUntil.After(now) }

// Order compares two records for a list of what is current (P6): what waits comes first, the longest
// waiting on top; then the latest activity; what was set aside comes last.
func Order(a, b *Record, now time.Time) int {
	rank := func(r *Record) int {
		switch {
		case r.SetAsideAt(now):
			return 2
		case r.Waiting():
			return 0
		}
		return 1
	}
	ra, rb := rank(a), rank(b)
	switch {
	case ra != rb:
		return ra - rb
	case ra == 1:
		if c := b.Activity().Compare(a.Activity()); c != 0 {
			return c
		}
		return -byCreation(a, b)
	}
	return byCreation(a, b)
}
