package vm

import (
	"slices"
	"time"

	"signalbox/notify"
)

// Snapshot is what one refresh read from the center. Its values are shared and never modified.
type Snapshot struct {
	Rail notify.Rail
	// Elsewhere are the items of sessions other than the active one that have a line on the rail: what waits, failures
	// that are not read, and what the search of the rail finds.
	Elsewhere   []*notify.Record
	Searched    string           // what was searched for in Elsewhere
	Kept        []*notify.Record // muted and snoozed items, which the rail leaves out
	Connections []notify.ConnectionView
	Sessions    map[string][]notify.SessionView // by connection
	Focus       notify.SessionRef
	Attention   notify.Attention
	Settings    notify.Settings
	Old         map[string]OldLists // connections whose lists are old
	At          time.Time
	Reading     int64 // a reading that began later has a higher number
}

// Active are the records that the rail presents, in no order.
func (s *Snapshot) Active() []*notify.Record {
	return slices.Concat(s.Rail.Application, s.Rail.Session, s.Kept)
}

// Record finds what is current under an id, on the rail or elsewhere; nil when it is not there.
func (s *Snapshot) Record(id string) *notify.Record {
	list := slices.Concat(s.Active(), s.Elsewhere)
	if i := slices.IndexFunc(list, func(r *notify.Record) bool { return r.ID == id }); i >= 0 {
		return list[i]
	}
	return nil
}

// Connection finds a connection by its id.
func (s *Snapshot) Connection(id string) (c notify.ConnectionView, ok bool) {
	i := slices.IndexFunc(s.Connections, func(c notify.ConnectionView) bool { return c.ID == id })
	if i < 0 {
		return c, false
	}
	return s.Connections[i], true
}

// ConnectionLabel is the label of a connection, its id when it is gone.
func (s *Snapshot) ConnectionLabel(id string) string { return s.ChipOf(id).Label }

// SessionTitle names a session for people.
func (s *Snapshot) SessionTitle(ref notify.SessionRef) string {
	for _, v := range s.Sessions[ref.Connection] {
		if v.ID == ref.Session {
			return SessionLabel(v.Session, s.ConnectionLabel(ref.Connection))
		}
	}
	return NamelessSession(s.ConnectionLabel(ref.Connection), ref.Session)
}

// ChipOf is the chip of a connection.
func (s *Snapshot) ChipOf(id string) *ChipView {
	if c, ok := s.Connection(id); ok {
		return &ChipView{Label: OrID(c.Label, c.ID), Color: c.Color}
	}
	return &ChipView{Label: id}
}

// Memory is what the front end itself remembers.
type Memory struct {
	Dismissals Dismissals
	Revisions  Revisions
	Digests    Digests
	Armed      Armed
	Unfolded   map[string]bool // the senders whose plain items all have cards, by FoldKey
}

// Armed is a button that its key was pressed of once, and that takes two. The zero value is none.
type Armed struct {
	ID     string // of the item
	Seen   notify.Expectation
	Button Button
}

// Of is the key that was pressed once of r; 0: none. Another revision asks something else.
func (a Armed) Of(r *notify.Record) int {
	if a.ID != r.ID || a.Seen != r.Seen() || !r.Waiting() {
		return 0
	}
	return a.Button.Key
}
