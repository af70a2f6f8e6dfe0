// Package storetest is the contract of a store, as tests: every implementation runs Run. A new
// method, or a new promise of an old one, is specified here first.
package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"testing"
	"time"

	"signalbox/notify"
)

// Store is what a center and the delivery room ask of a store.
type Store interface {
	Load(ctx context.Context) (*notify.Snapshot, error)
	Commit(ctx context.Context, changes []notify.Change) error
	Record(id string) (*notify.Record, bool, error)
	Slot(slot notify.Slot) (notify.Newest, bool, error)
	Told(ref notify.EventRef) (recordID string, ok bool, err error)
	Receipt(connection, key string) (*notify.Receipt, bool, error)
	Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error)
	Entries(ctx context.Context) iter.Seq2[notify.Entry, error]
	Changes(ctx context.Context, after int64) iter.Seq2[notify.Change, error]
	First() int64
	Trim(ctx context.Context, before int64, receiptsBefore time.Time) error
	Backup(ctx context.Context, w io.Writer) error
	Close() error

	Claim(ctx context.Context, d notify.Delivery) (ok bool, err error)
	Settle(ctx context.Context, d notify.Delivery) error
	Deliveries(ctx context.Context, provider, recordID string, limit int) ([]notify.Delivery, error)
	Retries(ctx context.Context, now time.Time) ([]notify.Delivery, error)
}

// Start is the first instant of the suite.
var Start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// At is Start and n seconds.
func At(n int) time.Time { return Start.Add(time.Duration(n) * time.Second) }

// ID is a UUIDv7 in shape, the nth.
func ID(n int) string { return fmt.Sprintf("019cb000-0000-7000-8000-%012x", n) }

// New is a plain pending record, the nth.
func New(n int) *notify.Record {
	return &notify.Record{
		ID: ID(n), Connection: "claude", Scope: notify.ScopeSession, Session: "s1", Occurrence: 1, Revision: 1,
		Status: notify.Pending,
		Content: notify.Content{
			Kind: notify.KindNotice, Severity: notify.SeverityInfo, Title: fmt.Sprintf("Item %d", n),
			Presentation: notify.PresentBanner, Dismissible: true, Retention: notify.Retention{Policy: notify.UntilResolved},
		},
		CreatedAt: At(n), UpdatedAt: At(n), ContentAt: At(n),
	}
}

// With returns a copy of r with f done to it.
func With(r *notify.Record, f func(r *notify.Record)) *notify.Record {
	c := *r
	f(&c)
	return &c
}

// Writer commits changes with the numbers they need.
type Writer struct {
	T   testing.TB
	S   Store
	Seq int64
}

// Put commits each record in a change of its own, all in one commit.
func (w *Writer) Put(records ...*notify.Record) {
	w.T.Helper()
	var changes []notify.Change
	for _, r := range records {
		changes = append(changes, notify.Change{Name: notify.EvCreated, At: r.UpdatedAt, Record: r})
	}
	w.Commit(changes...)
}

// Prune commits the removal of each record.
func (w *Writer) Prune(records ...*notify.Record) {
	w.T.Helper()
	var changes []notify.Change
	for _, r := range records {
		changes = append(changes, notify.Change{Name: notify.EvPruned, At: r.UpdatedAt, Record: r, Before: r, Removed: true})
	}
	w.Commit(changes...)
}

// Commit numbers the changes and commits them.
func (w *Writer) Commit(changes ...notify.Change) {
	w.T.Helper()
	for i := range changes {
		changes[i].Seq = w.Seq + 1 + int64(i)
		if r := changes[i].Record; r != nil && !changes[i].Removed {
			changes[i].Record = With(r, func(r *notify.Record) { r.Change = changes[i].Seq })
		}
	}
	if err := w.S.Commit(context.Background(), changes); err != nil {
		w.T.Fatalf("Commit: %v", err)
	}
	w.Seq += int64(len(changes))
}

// Run runs the suite. open returns an empty store; reopen, which may be nil, closes one and opens
// what it left behind.
func Run(t *testing.T, open func(t *testing.T) Store, reopen func(t *testing.T, s Store) Store) {
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			s := open(t)
			w := &Writer{T: t, S: s}
			check := test(t, w)
			check(t, w.S)
			if reopen != nil {
				w.S = reopen(t, w.S)
				t.Run("reopened", func(t *testing.T) { check(t, w.S) })
			}
			if err := w.S.Close(); err != nil {
				t.Errorf("Close: %v", err)
			}
		})
	}
	t.Run("closed", func(t *testing.T) { closed(t, open(t)) })
}

type check = func(t *testing.T, s Store)

var cases = map[string]func(t *testing.T, w *Writer) check{
	"empty":              empty,
	"load":               load,
	"update and end":     updateAndEnd,
	"slots":              slots,
	"told":               told,
	"forgotten":          forgotten,
	"receipts":           receipts,
	"log":                changeLog,
	"trim":               trim,
	"trim all":           trimAll,
	"order of numbers":   numbers,
	"all or none":        allOrNone,
	"big commit":         bigCommit,
	"prune":              prune,
	"entries":            entries,
	"pages":              pages,
	"filters":            filters,
	"odd texts":          oddTexts,
	"ledger":             ledger,
	"ledger of a record": ledgerOfRecord,
}

func empty(t *testing.T, w *Writer) check {
	return func(t *testing.T, s Store) {
		snap := must(s.Load(t.Context()))(t)
		if snap.Sequence != 0 || len(snap.Pending)+len(snap.Connections)+len(snap.Sessions)+len(snap.Invalidations) != 0 {
			t.Errorf("Load of an empty store = %+v", snap)
		}
		if s.First() != 1 {
			t.Errorf("First = %d, want 1", s.First())
		}
		wantNone(t, s, "x")
		if p := query(t, s, notify.Filter{}); len(p) != 0 {
			t.Errorf("Query = %v", p)
		}
	}
}

func wantNone(t *testing.T, s Store, id string) {
	t.Helper()
	if r, ok, err := s.Record(id); ok || err != nil {
		t.Errorf("Record(%q) = %v, %v, %v; want none", id, r, ok, err)
	}
}

// Proves: L8
func load(t *testing.T, w *Writer) check {
	c := &notify.Connection{ID: "claude", Label: "Claude", TokenHash: []byte{1, 2}, Open: true, SeenAt: At(1), CreatedAt: At(0), Change: 1}
	sess := &notify.Session{Connection: "claude", ID: "s1", Title: "Parser", Sequence: 3, Seen: 2, Told: 3, CreatedAt: At(0), UpdatedAt: At(2), Change: 2}
	gone := &notify.Session{Connection: "claude", ID: "s2", CreatedAt: At(0), UpdatedAt: At(2), Change: 3}
	inv := &notify.Invalidation{ID: "i", Connection: "claude", Kind: notify.InvalidSession, Session: "s1", Change: 4, At: At(3)}
	set := notify.Settings{Focus: sess.Ref(), Subscriptions: []notify.Subscription{{Provider: "toast"}, {Provider: "sound", Events: []string{}}}}
	late, early, done := New(3), New(2), With(New(1), func(r *notify.Record) { r.Status, r.EndedAt = notify.Resolved, At(5) })
	w.Commit(
		notify.Change{Name: notify.EvConnection, At: At(0), Connection: c},
		notify.Change{Name: notify.EvSession, At: At(0), Session: sess},
		notify.Change{Name: notify.EvSession, At: At(0), Session: gone},
		notify.Change{Name: notify.EvInvalidation, At: At(0), Invalidation: inv},
		notify.Change{Name: notify.EvAttention, At: At(0), Settings: &set},
		notify.Change{Name: notify.EvSession, At: At(0), Session: gone, Removed: true},
	)
	w.Put(late, early, done)
	return func(t *testing.T, s Store) {
		got := must(s.Load(t.Context()))(t)
		want := &notify.Snapshot{
			Sequence: 9, Connections: []*notify.Connection{c}, Sessions: []*notify.Session{sess},
			Invalidations: []*notify.Invalidation{inv}, Settings: set,
			Pending: []*notify.Record{
				With(early, func(r *notify.Record) { r.Change = 8 }),
				With(late, func(r *notify.Record) { r.Change = 7 }),
			},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("Load = %+v\nwant %+v", got, want)
		}
	}
}

func updateAndEnd(t *testing.T, w *Writer) check {
	r := New(1)
	w.Put(r, New(2))
	r2 := With(r, func(r *notify.Record) { r.Revision, r.UpdatedAt, r.Title = 2, At(10), "Changed" })
	r3 := With(r2, func(r *notify.Record) { r.Status, r.UpdatedAt, r.EndedAt = notify.Dismissed, At(11), At(11) })
	w.Commit(
		notify.Change{Name: notify.EvUpdated, At: At(10), Record: r2, Before: r},
		notify.Change{Name: notify.EvDismissed, At: At(11), Record: r3, Before: r2},
	)
	return func(t *testing.T, s Store) {
		got, ok, err := s.Record(r.ID)
		want := With(r3, func(r *notify.Record) { r.Change = 4 })
		if !ok || err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Record = %+v, %v, %v\nwant %+v", got, ok, err, want)
		}
		wantIDs(t, "all", query(t, s, notify.Filter{}), 1, 2)
		wantIDs(t, "dismissed", query(t, s, notify.Filter{Statuses: []notify.Status{notify.Dismissed}}), 1)
		wantIDs(t, "pending", query(t, s, notify.Filter{Statuses: []notify.Status{notify.Pending}}), 2)
		if snap := must(s.Load(t.Context()))(t); len(snap.Pending) != 1 || snap.Pending[0].ID != ID(2) {
			t.Errorf("pending after the end of one of two = %v", snap.Pending)
		}
	}
}

// Proves: L4
func slots(t *testing.T, w *Writer) check {
	key := func(n, occurrence int) *notify.Record {
		return With(New(n), func(r *notify.Record) { r.Key, r.Occurrence = "build", occurrence })
	}
	w.Put(key(1, 1), key(2, 2))
	w.Put(key(3, 1)) // imported later, but older: the newest occurrence stays
	other := With(New(4), func(r *notify.Record) { r.Key, r.Session, r.Scope = "build", "", notify.ScopeApplication })
	w.Put(other)
	w.Prune(key(2, 2))
	// Imported beside a pending one: newer by its number, and ended. The pending one keeps the slot.
	deploy := func(n, occurrence int, s notify.Status) *notify.Record {
		return With(New(n), func(r *notify.Record) { r.Key, r.Occurrence, r.Status = "deploy", occurrence, s })
	}
	w.Put(deploy(5, 1, notify.Pending), deploy(6, 8, notify.Resolved))
	w.Put(deploy(7, 9, notify.Expired))
	return func(t *testing.T, s Store) {
		for _, c := range []struct {
			slot notify.Slot
			want notify.Newest
			ok   bool
		}{
			{notify.Slot{Connection: "claude", Scope: notify.ScopeSession, Session: "s1", Key: "build"}, notify.Newest{Occurrence: 2, RecordID: ID(2)}, true},
			{notify.Slot{Connection: "claude", Scope: notify.ScopeApplication, Key: "build"}, notify.Newest{Occurrence: 1, RecordID: ID(4)}, true},
			{notify.Slot{Connection: "claude", Scope: notify.ScopeSession, Session: "s1", Key: "deploy"}, notify.Newest{Occurrence: 9, RecordID: ID(5)}, true},
			{notify.Slot{Connection: "claude", Scope: notify.ScopeSession, Session: "s", Key: "1build"}, notify.Newest{}, false},
		} {
			if got, ok, err := s.Slot(c.slot); got != c.want || ok != c.ok || err != nil {
				t.Errorf("Slot(%v) = %v, %v, %v; want %v, %v", c.slot, got, ok, err, c.want, c.ok)
			}
		}
	}
}

// Proves: A2
func told(t *testing.T, w *Writer) check {
	r := With(New(1), func(r *notify.Record) { r.Event = &notify.Event{Type: notify.EventTurnFinished, Occurrence: "t1"} })
	w.Put(r, New(2))
	again := With(New(2), func(r *notify.Record) { r.PlusOnes = []notify.PlusOne{{At: r.UpdatedAt}} })
	beside := notify.EventRef{Connection: again.Connection, Type: "acme.disk_full", Occurrence: "2"}
	w.Commit(notify.Change{Name: notify.EvCorroborated, Record: again, Before: New(2), Event: &beside})
	w.Prune(r)
	return func(t *testing.T, s Store) {
		ref, _ := r.EventRef()
		if id, ok, err := s.Told(ref); id != r.ID || !ok || err != nil {
			t.Errorf("Told = %q, %v, %v; want the record, though it was pruned", id, ok, err)
		}
		if id, ok, err := s.Told(beside); id != again.ID || !ok || err != nil {
			t.Errorf("Told of what a change tells beside its record = %q, %v, %v", id, ok, err)
		}
		ref.Session = "s2"
		if id, ok, err := s.Told(ref); ok || err != nil {
			t.Errorf("Told of another session = %q, %v, %v; want none", id, ok, err)
		}
	}
}

func receipts(t *testing.T, w *Writer) check {
	old := &notify.Receipt{Connection: "claude", Key: "a", Digest: []byte{1}, RecordID: ID(1), At: At(1)}
	again := &notify.Receipt{Connection: "claude", Key: "b", Digest: []byte{2}, RecordID: ID(1), At: At(1)}
	later := &notify.Receipt{Connection: "claude", Key: "b", Digest: []byte{3}, RecordID: ID(2), At: At(9)}
	w.Commit(
		notify.Change{Name: notify.EvCreated, At: At(1), Record: New(1), Receipt: old},
		notify.Change{Name: notify.EvCreated, At: At(1), Record: New(2), Receipt: again},
		notify.Change{Name: notify.EvCreated, At: At(9), Record: New(3), Receipt: later},
	)
	if got, ok, err := w.S.Receipt("claude", "a"); !ok || err != nil || !reflect.DeepEqual(got, old) {
		t.Errorf("Receipt = %v, %v, %v", got, ok, err)
	}
	if err := w.S.Trim(t.Context(), 0, At(5)); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, s Store) {
		if got, ok, err := s.Receipt("claude", "a"); ok || err != nil {
			t.Errorf("old receipt after Trim = %v, %v, %v; want none", got, ok, err)
		}
		if got, ok, err := s.Receipt("claude", "b"); !ok || err != nil || !reflect.DeepEqual(got, later) {
			t.Errorf("young receipt after Trim = %v, %v, %v; want %v", got, ok, err, later)
		}
		if got, ok, _ := s.Receipt("", "claude"); ok {
			t.Errorf("receipt of nobody = %v", got)
		}
	}
}

// Proves: L8
func changeLog(t *testing.T, w *Writer) check {
	r1, r2 := New(1), With(New(1), func(r *notify.Record) { r.Title, r.Revision, r.UpdatedAt = "Second", 2, At(8) })
	w.Put(r1)
	w.Commit(notify.Change{Name: notify.EvUpdated, At: At(8), By: "claude", Record: r2, Before: r1, Quiet: true})
	w.Commit(notify.Change{Name: notify.EvAction, At: At(9), By: "owner", Action: "open", Record: r2, Before: r2})
	c := &notify.Connection{ID: "claude", CreatedAt: At(0)}
	w.Commit(notify.Change{Name: notify.EvConnection, At: At(9), Connection: c, Removed: true})
	return func(t *testing.T, s Store) {
		got := changes(t, s, 0)
		if len(got) != 4 {
			t.Fatalf("%d changes, want 4", len(got))
		}
		if got[0].Record.Title != "Item 1" {
			t.Errorf("change 1 has the record as of another change: %q", got[0].Record.Title)
		}
		if got[1].Record.Title != "Second" || !got[1].Quiet || got[1].By != "claude" || !got[1].At.Equal(At(8)) {
			t.Errorf("change 2 = %+v", got[1])
		}
		if got[2].Action != "open" || got[2].Name != notify.EvAction {
			t.Errorf("change 3 = %+v", got[2])
		}
		if !got[3].Removed || !reflect.DeepEqual(got[3].Connection, c) {
			t.Errorf("change 4 = %+v", got[3])
		}
		for i, c := range got {
			if c.Seq != int64(i+1) || c.Before != nil || c.Receipt != nil {
				t.Errorf("change %d = %+v", i+1, c)
			}
		}
		if rest := changes(t, s, 3); len(rest) != 1 || rest[0].Seq != 4 {
			t.Errorf("changes after 3 = %v", rest)
		}
		if rest := changes(t, s, 4); len(rest) != 0 {
			t.Errorf("changes after the last = %v", rest)
		}
	}
}

func trim(t *testing.T, w *Writer) check {
	const n = 1300 // more than one slice of a trim
	for i := 0; i < n; i += 100 {
		var rs []*notify.Record
		for j := range 100 {
			rs = append(rs, New(i+j))
		}
		w.Put(rs...)
	}
	if err := w.S.Trim(t.Context(), 1201, time.Time{}); err != nil {
		t.Fatal(err)
	}
	return func(t *testing.T, s Store) {
		if s.First() != 1201 {
			t.Errorf("First = %d, want 1201", s.First())
		}
		got := changes(t, s, 0)
		if len(got) != 100 || got[0].Seq != 1201 {
			t.Errorf("%d changes from %v, want 100 from 1201", len(got), got[0].Seq)
		}
		if len(query(t, s, notify.Filter{})) != 1000 { // what query asks for at most
			t.Errorf("records went with the log")
		}
		if must(s.Load(t.Context()))(t).Sequence != n {
			t.Errorf("trimming moved the sequence")
		}
	}
}

func trimAll(t *testing.T, w *Writer) check {
	w.Put(New(1), New(2))
	for _, before := range []int64{1 << 40, 1} {
		if err := w.S.Trim(t.Context(), before, time.Time{}); err != nil {
			t.Fatal(err)
		}
	}
	return func(t *testing.T, s Store) {
		if s.First() != 3 || len(changes(t, s, 0)) != 0 {
			t.Errorf("after trimming all: First = %d, %d changes", s.First(), len(changes(t, s, 0)))
		}
	}
}

func numbers(t *testing.T, w *Writer) check {
	w.Put(New(1))
	for _, seq := range []int64{0, 1, 3} {
		if err := w.S.Commit(t.Context(), []notify.Change{{Seq: seq, Name: notify.EvCreated, Record: New(2)}}); err == nil {
			t.Errorf("Commit of number %d after 1 was accepted", seq)
		}
	}
	if err := w.S.Commit(t.Context(), nil); err != nil {
		t.Errorf("Commit of nothing: %v", err)
	}
	return func(t *testing.T, s Store) {
		wantIDs(t, "all", query(t, s, notify.Filter{}), 1)
		if got := must(s.Load(t.Context()))(t).Sequence; got != 1 {
			t.Errorf("Sequence = %d, want 1", got)
		}
	}
}

// Proves: L9
func allOrNone(t *testing.T, w *Writer) check {
	w.Put(New(1))
	err := w.S.Commit(t.Context(), []notify.Change{
		{Seq: 2, Name: notify.EvCreated, Record: New(2)},
		{Seq: 4, Name: notify.EvCreated, Record: New(3)},
	})
	if err == nil {
		t.Error("a gap was accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := w.S.Commit(ctx, []notify.Change{{Seq: 2, Name: notify.EvCreated, Record: New(2)}}); !errors.Is(err, context.Canceled) {
		t.Errorf("Commit with a dead context = %v", err)
	}
	return func(t *testing.T, s Store) {
		wantIDs(t, "all", query(t, s, notify.Filter{}), 1)
		if got := changes(t, s, 0); len(got) != 1 {
			t.Errorf("%d changes, want 1", len(got))
		}
	}
}

// Proves: L9
func bigCommit(t *testing.T, w *Writer) check {
	// 500 operations of 16 KiB are 8 MiB, and 16 with their log: more than a transaction of Badger takes.
	var rs []*notify.Record
	for i := range notify.MaxBatch {
		rs = append(rs, With(New(i), func(r *notify.Record) { r.Body = string(bytes.Repeat([]byte{byte('a' + i%26)}, notify.MaxBody)) }))
	}
	w.Put(rs...)
	w.Put(New(1000))
	return func(t *testing.T, s Store) {
		if got := must(s.Load(t.Context()))(t); len(got.Pending) != notify.MaxBatch+1 || got.Sequence != notify.MaxBatch+1 {
			t.Errorf("%d pending at %d", len(got.Pending), got.Sequence)
		}
		if got := changes(t, s, 0); len(got) != notify.MaxBatch+1 || got[499].Record.Body != rs[499].Body {
			t.Errorf("%d changes", len(got))
		}
	}
}

// Proves: R4
func prune(t *testing.T, w *Writer) check {
	rs := []*notify.Record{New(1), With(New(2), func(r *notify.Record) { r.Status, r.EndedAt = notify.Dismissed, At(2) }), New(3)}
	w.Put(rs...)
	w.Prune(rs[0], rs[1])
	return func(t *testing.T, s Store) {
		wantIDs(t, "all", query(t, s, notify.Filter{}), 3)
		wantNone(t, s, ID(1))
		wantNone(t, s, ID(2))
		if snap := must(s.Load(t.Context()))(t); len(snap.Pending) != 1 {
			t.Errorf("%d pending, want 1", len(snap.Pending))
		}
		last := changes(t, s, 3)
		if len(last) != 2 || !last[0].Removed || last[0].Record.ID != ID(1) || last[0].Record.Connection != "claude" || last[0].Record.Title != "" {
			t.Errorf("the log of a pruned record = %+v; want its identity without its content", last)
		}
	}
}

func entries(t *testing.T, w *Writer) check {
	const n = 1100 // more than one slice of a read
	var want []notify.Entry
	for i := 0; i < n; i += 100 {
		var rs []*notify.Record
		for j := i; j < i+100; j++ {
			r := With(New(j), func(r *notify.Record) {
				r.Read, r.Silent = j%3 == 0, j%5 == 0
				r.Severity = notify.SeverityCritical
				r.Retention = notify.Retention{Policy: notify.TTL, Deadline: At(j + 60)}
				if j%2 == 0 {
					r.Status, r.EndedAt = notify.Expired, At(j+1)
				}
				if j%7 == 0 {
					r.Scope, r.Session, r.Kind = notify.ScopeApplication, "", notify.KindReport
				}
			})
			rs = append(rs, r)
			want = append(want, notify.Entry{
				ID: r.ID, Connection: r.Connection, Session: r.Session, Scope: r.Scope, Status: r.Status, Severity: r.Severity,
				Kind: r.Kind, Read: r.Read, Silent: r.Silent, UpdatedAt: r.UpdatedAt, EndedAt: r.EndedAt, Deadline: r.Retention.Deadline,
			})
		}
		w.Put(rs...)
	}
	return func(t *testing.T, s Store) {
		var got []notify.Entry
		for e, err := range s.Entries(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, e)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%d entries, want %d, or they differ", len(got), len(want))
		}
		for range s.Entries(t.Context()) {
			break
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		n := 0
		var last error
		for _, err := range s.Entries(ctx) {
			n, last = n+1, err
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("with a dead context: %d entries, then %v", n, last)
		}
	}
}

func must[T any](v T, err error) func(t *testing.T) T {
	return func(t *testing.T) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func changes(t *testing.T, s Store, after int64) (out []notify.Change) {
	t.Helper()
	for c, err := range s.Changes(t.Context(), after) {
		if err != nil {
			t.Fatalf("Changes: %v", err)
		}
		out = append(out, c)
	}
	return out
}

func query(t *testing.T, s Store, f notify.Filter) []*notify.Record {
	t.Helper()
	page, err := s.Query(t.Context(), f, notify.Cursor{}, 1000)
	if err != nil {
		t.Fatalf("Query: %v", err)
	}
	return page.Records
}

func wantIDs(t *testing.T, what string, got []*notify.Record, want ...int) {
	t.Helper()
	var g, w []string
	for _, r := range got {
		g = append(g, r.ID)
	}
	for _, n := range want {
		w = append(w, ID(n))
	}
	if !reflect.DeepEqual(g, w) {
		t.Errorf("%s = %v\nwant %v", what, g, w)
	}
}

func closed(t *testing.T, s Store) {
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	_, err := s.Load(context.Background())
	if notify.CodeOf(err) != notify.CodeUnavailable {
		t.Errorf("Load after Close = %v", err)
	}
	err = s.Commit(context.Background(), []notify.Change{{Seq: 1, Name: notify.EvCreated, Record: New(1)}})
	if notify.CodeOf(err) != notify.CodeUnavailable {
		t.Errorf("Commit after Close = %v", err)
	}
	if _, _, err := s.Record("x"); notify.CodeOf(err) != notify.CodeUnavailable {
		t.Errorf("Record after Close = %v", err)
	}
}
