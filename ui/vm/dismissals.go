package vm

import (
	"cmp"
	"slices"
	"time"

	"signalbox/notify"
)

// UndoFor is how long a dismissal can be taken back: the item is hidden at once (D3), the request is
// held for this long and then sent.
const UndoFor = 5 * time.Second

// retryAfter is the least time between two tries of one failed dismissal, so that a burst of refreshes
// is not a burst of requests.
const retryAfter = 5 * time.Second

// keepDone is how long a confirmed dismissal goes on hiding its revision: a snapshot that was read
// before the confirmation may still arrive after it.
const keepDone = time.Minute

// maxSaved bounds what is kept over a restart: what is never seen again must not pile up.
const maxSaved = 500

// DismissalState is where a cached dismissal is.
type DismissalState string

// The states.
const (
	DismissalHeld   DismissalState = "held"   // hidden, can be undone, not sent
	DismissalSent   DismissalState = "sent"   // hidden, waiting for the center
	DismissalFailed DismissalState = "failed" // hidden, sent again when seen again
	DismissalDone   DismissalState = "done"   // confirmed
)

// Dismissal is one entry of the cache: identity, scope, revision and retry data, never content (D4).
type Dismissal struct {
	ID         string         `json:"id"`
	Connection string         `json:"connection"`
	Scope      notify.Scope   `json:"scope"`
	Session    string         `json:"session,omitempty"`
	Revision   int            `json:"revision"`
	UpdatedAt  time.Time      `json:"updated_at"` // the token of a record without a revision (L7)
	State      DismissalState `json:"state"`
	At         time.Time      `json:"at"` // when the state began
	Tries      int            `json:"tries,omitempty"`
}

// Op is the request that the dismissal makes: always for the revision that the owner saw (D1).
func (d Dismissal) Op() notify.Dismiss {
	return notify.Dismiss{ID: d.ID, Expect: notify.Expecting(d.Revision, d.UpdatedAt)}
}

func (d Dismissal) matches(r *notify.Record) bool {
	if r.Revision == 0 || d.Revision == 0 {
		return r.Revision == d.Revision && r.UpdatedAt.Equal(d.UpdatedAt)
	}
	return r.Revision == d.Revision
}

func (d Dismissal) newer(r *notify.Record) bool {
	if r.Revision == 0 || d.Revision == 0 {
		return r.Revision > 0 || r.UpdatedAt.After(d.UpdatedAt)
	}
	return r.Revision > d.Revision
}

// Dismissals is the dismissal cache of one front end (D3–D5). It is not safe for use by several
// goroutines. The zero value is empty and ready.
type Dismissals struct{ by map[string]*Dismissal }

// Hold hides exactly the revision of r, at once; the request becomes due UndoFor later.
func (c *Dismissals) Hold(r *notify.Record, now time.Time) {
	if c.by == nil {
		c.by = map[string]*Dismissal{}
	}
	c.by[r.ID] = &Dismissal{ID: r.ID, Connection: r.Connection, Scope: r.Scope, Session: r.Session,
		Revision: r.Revision, UpdatedAt: r.UpdatedAt, State: DismissalHeld, At: now}
}

// Undo takes a held dismissal back. It reports whether it was in time.
func (c *Dismissals) Undo(id string) bool {
	if d := c.by[id]; d != nil && d.State == DismissalHeld {
		delete(c.by, id)
		return true
	}
	return false
}

// Hides reports whether r's very revision is hidden here. A newer one never is (D3).
func (c *Dismissals) Hides(r *notify.Record) bool {
	d := c.by[r.ID]
	return d != nil && d.matches(r)
}

// Due are the requests to send now: what was held long enough. They count as sent.
func (c *Dismissals) Due(now time.Time) []Dismissal { return c.send(now, UndoFor) }

// Flush are all held requests, due or not: the window is closing or something else will decide.
func (c *Dismissals) Flush(now time.Time) []Dismissal { return c.send(now, 0) }

func (c *Dismissals) send(now time.Time, held time.Duration) (out []Dismissal) {
	for _, d := range c.by {
		if d.State == DismissalHeld && now.Sub(d.At) >= held {
			d.State, d.At = DismissalSent, now
			d.Tries++
			out = append(out, *d)
		}
	}
	return sortDismissals(out)
}

// Result records what the center said to a request. It reports whether the item must be shown again
// because the center refused by a rule: it waits for an answer, or cannot be dismissed. Any other
// failure keeps it hidden and is tried again (D3); a conflict means that a newer revision is there,
// which makes the entry obsolete.
func (c *Dismissals) Result(sent Dismissal, code notify.Code, now time.Time) (refused bool) {
	d := c.by[sent.ID]
	if d == nil || d.Revision != sent.Revision || !d.UpdatedAt.Equal(sent.UpdatedAt) {
		return false // obsolete meanwhile
	}
	switch code {
	case "":
		d.State, d.At = DismissalDone, now
	case notify.CodeRevisionConflict, notify.CodeNotFound, notify.CodeTerminal, notify.CodeAlreadyAnswered:
		delete(c.by, d.ID)
	case notify.CodeNotDismissible, notify.CodeInteractionActive, notify.CodeForbidden, notify.CodeUnauthorized:
		delete(c.by, d.ID)
		return true
	default:
		d.State, d.At = DismissalFailed, now
	}
	return false
}

// Seen compares the cache with the records that a fresh read shows as active: a newer revision drops
// its entry, a failed one whose revision is seen again is due again. The requests count as sent.
func (c *Dismissals) Seen(active []*notify.Record, now time.Time) (again []Dismissal) {
	for _, r := range active {
		d := c.by[r.ID]
		switch {
		case d == nil:
		case d.newer(r):
			delete(c.by, r.ID)
		case !d.matches(r):
		case d.State == DismissalFailed && now.Sub(d.At) >= retryAfter:
			d.State, d.At = DismissalSent, now
			d.Tries++
			again = append(again, *d)
		}
	}
	for id, d := range c.by {
		if d.State == DismissalDone && now.Sub(d.At) > keepDone {
			delete(c.by, id)
		}
	}
	return sortDismissals(again)
}

// Save is what must survive a restart: what has not been confirmed. A held or sent one comes back as failed,
// so that it is sent when it is seen again.
func (c *Dismissals) Save() []Dismissal {
	out := []Dismissal{}
	for _, d := range c.by {
		if d.State == DismissalDone {
			continue
		}
		s := *d
		s.State = DismissalFailed
		out = append(out, s)
	}
	out = sortDismissals(out)
	return out[max(len(out)-maxSaved, 0):] // ids rise with time: the oldest are let go
}

// Restore takes over what Save gave. Entries that are already there win.
func (c *Dismissals) Restore(saved []Dismissal) {
	if c.by == nil {
		c.by = map[string]*Dismissal{}
	}
	for _, d := range saved {
		if _, there := c.by[d.ID]; !there && d.ID != "" {
			d.State, d.At = DismissalFailed, time.Time{}
			c.by[d.ID] = &d
		}
	}
}

func sortDismissals(list []Dismissal) []Dismissal {
	slices.SortFunc(list, func(a, b Dismissal) int { return cmp.Compare(a.ID, b.ID) })
	return list
}
