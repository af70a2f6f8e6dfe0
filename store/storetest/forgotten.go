package storetest

import (
	"testing"

	"signalbox/notify"
)

// What a removed connection had is forgotten with it: one that is registered under the same id later
// is another, and begins anew. An id that begins alike is nobody's relative.
//
// Proves: L4, A2
func forgotten(t *testing.T, w *Writer) check {
	of := func(n int, connection string) notify.Change {
		r := With(New(n), func(r *notify.Record) {
			r.Connection, r.Key = connection, "build"
			r.Event = &notify.Event{Type: notify.EventTurnFinished, Occurrence: "t1"}
		})
		return notify.Change{Name: notify.EvCreated, At: At(n), Record: r,
			Receipt: &notify.Receipt{Connection: connection, Key: "once", RecordID: r.ID, At: At(n)}}
	}
	// In the commit of the removal itself as well as before it.
	before, late, other := of(1, "claude"), of(2, "claude"), of(3, "claude2")
	before.Record.Occurrence = 7
	late.Record.Key, late.Record.Occurrence = "late", 7
	late.Record.Event.Occurrence, late.Receipt.Key = "t2", "late"
	w.Commit(before, other)
	gone := func(r *notify.Record) notify.Change {
		return notify.Change{Name: notify.EvPruned, At: At(4), Record: r, Before: r, Removed: true}
	}
	again := of(5, "claude")
	again.Record.Key, again.Record.Event, again.Receipt = "late", nil, nil
	w.Commit(late, gone(before.Record), gone(late.Record),
		notify.Change{Name: notify.EvConnection, At: At(4), Connection: &notify.Connection{ID: "claude"}, Removed: true}, again)
	return func(t *testing.T, s Store) {
		slot := notify.Slot{Connection: "claude", Scope: notify.ScopeSession, Session: "s1", Key: "build"}
		if got, ok, err := s.Slot(slot); ok || err != nil {
			t.Errorf("Slot of a removed connection = %v, %v; want none", got, err)
		}
		slot.Key = "late"
		if got, ok, err := s.Slot(slot); got != (notify.Newest{Occurrence: 1, RecordID: ID(5)}) || !ok || err != nil {
			t.Errorf("Slot of the next of that name = %v, %v, %v; want its own first occurrence", got, ok, err)
		}
		slot.Connection, slot.Key = "claude2", "build"
		if got, ok, err := s.Slot(slot); got.RecordID != ID(3) || !ok || err != nil {
			t.Errorf("Slot of another connection = %v, %v, %v", got, ok, err)
		}
		for _, r := range []*notify.Record{before.Record, late.Record} {
			ref, _ := r.EventRef()
			if id, ok, err := s.Told(ref); ok || err != nil {
				t.Errorf("Told of a removed connection = %q, %v; want none", id, err)
			}
		}
		ref, _ := other.Record.EventRef()
		if _, ok, err := s.Told(ref); !ok || err != nil {
			t.Errorf("Told of another connection = %v, %v", ok, err)
		}
		for _, key := range []string{"once", "late"} {
			if got, ok, err := s.Receipt("claude", key); ok || err != nil {
				t.Errorf("Receipt of a removed connection = %v, %v; want none", got, err)
			}
		}
		if _, ok, err := s.Receipt("claude2", "once"); !ok || err != nil {
			t.Errorf("Receipt of another connection = %v, %v", ok, err)
		}
	}
}
