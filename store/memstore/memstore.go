// Package memstore keeps the center's state in memory: for tests of other rooms, and for a center
// that is not meant to remember anything. It implements the same contract as package store, proved
// by the same suite (storetest), and loses everything when the process ends.
package memstore

import (
	"cmp"
	"context"
	"io"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/notify"
)

// Store is a memory store. Make one with New.
type Store struct {
	mu sync.Mutex // protects all below

	closed        bool
	seq, first    int64
	records       map[string]*notify.Record
	slots         map[notify.Slot]notify.Newest
	told          map[notify.EventRef]string
	receipts      map[[2]string]*notify.Receipt
	connections   map[string]*notify.Connection
	sessions      map[notify.SessionRef]*notify.Session
	invalidations map[[2]string]*notify.Invalidation
	settings      notify.Settings
	changes       []notify.Change // the first has Seq first
	deliveries    map[identity]notify.Delivery

	fail    error // what the next writes answer; nil: nothing
	commits int
}

type identity struct{ provider, eventType, occurrence string }

// New returns an empty store.
func New() *Store {
	return &Store{
		first:         1,
		records:       map[string]*notify.Record{},
		slots:         map[notify.Slot]notify.Newest{},
		told:          map[notify.EventRef]string{},
		receipts:      map[[2]string]*notify.Receipt{},
		connections:   map[string]*notify.Connection{},
		sessions:      map[notify.SessionRef]*notify.Session{},
		invalidations: map[[2]string]*notify.Invalidation{},
		deliveries:    map[identity]notify.Delivery{},
	}
}

var errClosed = notify.Errorf(notify.CodeUnavailable, "The store is closed.")

// FailWrites lets every write fail with err until it is called with nil.
func (s *Store) FailWrites(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = err
}

// Commits is how often Commit succeeded with something to do.
func (s *Store) Commits() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.commits
}

func (s *Store) writable() error {
	if s.closed {
		return errClosed
	}
	return s.fail
}

func (s *Store) readable() error {
	if s.closed {
		return errClosed
	}
	return nil
}

// Load reads everything but terminal records and the log.
func (s *Store) Load(ctx context.Context) (*notify.Snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.readable()); err != nil {
		return nil, err
	}
	out := &notify.Snapshot{Sequence: s.seq, Settings: s.settings}
	out.Connections = sorted(s.connections, func(c *notify.Connection) string { return c.ID })
	out.Sessions = sorted(s.sessions, func(v *notify.Session) string { return v.Connection + "\x00" + v.ID })
	out.Invalidations = sorted(s.invalidations, func(v *notify.Invalidation) string { return v.Connection + "\x00" + v.ID })
	for _, r := range s.records {
		if r.Status == notify.Pending {
			out.Pending = append(out.Pending, r)
		}
	}
	slices.SortFunc(out.Pending, func(a, b *notify.Record) int {
		return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	return out, nil
}

func sorted[K comparable, V any](m map[K]V, key func(V) string) []V {
	return slices.SortedFunc(maps.Values(m), func(a, b V) int { return cmp.Compare(key(a), key(b)) })
}

// Commit applies the changes, all or none.
func (s *Store) Commit(ctx context.Context, changes []notify.Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.writable()); err != nil {
		return err
	}
	for i, c := range changes {
		if c.Seq != s.seq+1+int64(i) {
			return notify.Errorf(notify.CodeInternal, "Change %d does not follow %d.", c.Seq, s.seq+int64(i))
		}
	}
	if len(changes) > 0 {
		s.commits++
	}
	for _, c := range changes {
		s.apply(c)
	}
	return nil
}

func (s *Store) apply(c notify.Change) {
	s.seq = c.Seq
	switch {
	case c.Record != nil:
		c.Record = s.applyRecord(c)
	case c.Connection != nil:
		put(s.connections, c.Connection.ID, c.Connection, c.Removed)
		if c.Removed {
			s.forget(c.Connection.ID)
		}
	case c.Session != nil:
		put(s.sessions, c.Session.Ref(), c.Session, c.Removed)
	case c.Invalidation != nil:
		put(s.invalidations, [2]string{c.Invalidation.Connection, c.Invalidation.ID}, c.Invalidation, c.Removed)
	case c.Settings != nil:
		s.settings = *c.Settings
	}
	if c.Receipt != nil {
		s.receipts[[2]string{c.Receipt.Connection, c.Receipt.Key}] = c.Receipt
	}
	c.Receipt, c.Event, c.Before = nil, nil, nil
	s.changes = append(s.changes, c)
}

// forget drops what was remembered of a removed connection's keys, events and requests.
func (s *Store) forget(connection string) {
	maps.DeleteFunc(s.slots, func(slot notify.Slot, _ notify.Newest) bool { return slot.Connection == connection })
	maps.DeleteFunc(s.told, func(ref notify.EventRef, _ string) bool { return ref.Connection == connection })
	maps.DeleteFunc(s.receipts, func(key [2]string, _ *notify.Receipt) bool { return key[0] == connection })
}

func put[K comparable, V any](m map[K]V, k K, v V, removed bool) {
	if removed {
		delete(m, k)
		return
	}
	m[k] = v
}

// applyRecord returns the record as the log keeps it.
func (s *Store) applyRecord(c notify.Change) *notify.Record {
	r := c.Record
	if c.Removed {
		delete(s.records, r.ID)
		maps.DeleteFunc(s.deliveries, func(_ identity, d notify.Delivery) bool { return d.RecordID == r.ID })
		return &notify.Record{
			ID: r.ID, Connection: r.Connection, Scope: r.Scope, Session: r.Session, Key: r.Key,
			Occurrence: r.Occurrence, Revision: r.Revision, Status: r.Status,
			Content:   notify.Content{Kind: r.Kind, Severity: r.Severity, Silent: r.Silent},
			CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, ContentAt: r.ContentAt, EndedAt: r.EndedAt, Change: r.Change,
		}
	}
	s.records[r.ID] = r
	if slot, ok := r.Slot(); ok && s.slots[slot].Occurrence <= r.Occurrence {
		n := notify.Newest{Occurrence: r.Occurrence, RecordID: r.ID}
		if held, ok := s.records[s.slots[slot].RecordID]; ok && held.Status == notify.Pending && r.Status.Terminal() {
			n.RecordID = held.ID // r was imported beside it
		}
		s.slots[slot] = n
	}
	if ref, ok := r.EventRef(); ok {
		s.told[ref] = r.ID
	}
	if c.Event != nil {
		s.told[*c.Event] = r.ID
	}
	return r
}

// Record finds a record by its id.
func (s *Store) Record(id string) (*notify.Record, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.records[id]
	return r, ok, s.readable()
}

// Slot finds the newest occurrence of a key.
func (s *Store) Slot(slot notify.Slot) (notify.Newest, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.slots[slot]
	return n, ok, s.readable()
}

// Told finds the record of an event's occurrence.
func (s *Store) Told(ref notify.EventRef) (string, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, ok := s.told[ref]
	return id, ok, s.readable()
}

// Receipt finds what a publication with an idempotency key did.
func (s *Store) Receipt(connection, key string) (*notify.Receipt, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.receipts[[2]string{connection, key}]
	return r, ok, s.readable()
}

func oldestFirst(a, b *notify.Record) int {
	return cmp.Or(a.UpdatedAt.Compare(b.UpdatedAt), cmp.Compare(a.ID, b.ID))
}

// Query looks at every record.
func (s *Store) Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (page notify.Page, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.readable()); err != nil {
		return page, err
	}
	all := slices.SortedFunc(maps.Values(s.records), oldestFirst)
	place := &notify.Record{ID: after.ID, UpdatedAt: after.UpdatedAt}
	for _, r := range slices.Backward(all) {
		if after != (notify.Cursor{}) && oldestFirst(r, place) >= 0 || !f.Match(r) {
			continue
		}
		if len(page.Records) == limit {
			if limit > 0 {
				last := page.Records[limit-1]
				page.Next = notify.Cursor{UpdatedAt: last.UpdatedAt, ID: last.ID}
			}
			break
		}
		page.Records = append(page.Records, r)
	}
	return page, nil
}

// Entries yields the index entry of every record, oldest UpdatedAt first.
func (s *Store) Entries(ctx context.Context) iter.Seq2[notify.Entry, error] {
	s.mu.Lock()
	err := s.readable()
	all := slices.SortedFunc(maps.Values(s.records), oldestFirst)
	s.mu.Unlock()
	return func(yield func(notify.Entry, error) bool) {
		for _, r := range all {
			if err := cmp.Or(ctx.Err(), err); err != nil {
				yield(notify.Entry{}, err)
				return
			}
			e := notify.Entry{
				ID: r.ID, Connection: r.Connection, Session: r.Session, Scope: r.Scope, Status: r.Status,
				Severity: r.Severity, Kind: r.Kind, Read: r.Read, Silent: r.Silent,
				UpdatedAt: r.UpdatedAt, EndedAt: r.EndedAt, Deadline: r.Retention.Deadline,
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// Changes yields the logged changes with Seq > after, in order.
func (s *Store) Changes(ctx context.Context, after int64) iter.Seq2[notify.Change, error] {
	s.mu.Lock()
	err := s.readable()
	log := s.changes[min(max(after-s.first+1, 0), int64(len(s.changes))):]
	s.mu.Unlock()
	return func(yield func(notify.Change, error) bool) {
		for _, c := range log {
			if err := cmp.Or(ctx.Err(), err); err != nil {
				yield(notify.Change{}, err)
				return
			}
			if !yield(c, nil) {
				return
			}
		}
	}
}

// First is the oldest Seq kept; the next to come when none is.
func (s *Store) First() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.first
}

// Trim removes logged changes with Seq < before and receipts older than receiptsBefore.
func (s *Store) Trim(ctx context.Context, before int64, receiptsBefore time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.writable()); err != nil {
		return err
	}
	if before = min(before, s.seq+1); before > s.first {
		s.changes = slices.Clone(s.changes[before-s.first:])
		s.first = before
	}
	maps.DeleteFunc(s.receipts, func(_ [2]string, r *notify.Receipt) bool { return r.At.Before(receiptsBefore) })
	return nil
}

// Backup writes the records as JSON, one a line: enough for a test that something was written.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	for e, err := range s.Entries(ctx) {
		if err != nil {
			return err
		}
		if err := json.MarshalWrite(w, e); err != nil {
			return err
		}
	}
	return nil
}

// Close ends the store; later calls fail with CodeUnavailable.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	return nil
}

func identityOf(d notify.Delivery) identity { return identity{d.Provider, d.EventType, d.Occurrence} }

// Claim stores d unless a delivery with the same identity exists that is not failed.
func (s *Store) Claim(ctx context.Context, d notify.Delivery) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.writable()); err != nil {
		return false, err
	}
	if old, ok := s.deliveries[identityOf(d)]; ok && old.State != notify.DeliveryFailed {
		return false, nil
	}
	s.deliveries[identityOf(d)] = d
	return true, nil
}

// Settle replaces the row with d's identity.
func (s *Store) Settle(ctx context.Context, d notify.Delivery) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.writable()); err != nil {
		return err
	}
	s.deliveries[identityOf(d)] = d
	return nil
}

// Deliveries lists rows, newest first; empty provider or record id: any; limit 0: 500.
func (s *Store) Deliveries(ctx context.Context, provider, recordID string, limit int) ([]notify.Delivery, error) {
	if limit <= 0 {
		limit = 500
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.readable()); err != nil {
		return nil, err
	}
	var out []notify.Delivery
	for _, d := range s.deliveries {
		if (provider == "" || d.Provider == provider) && (recordID == "" || d.RecordID == recordID) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b notify.Delivery) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Provider, a.Provider),
			cmp.Compare(b.EventType, a.EventType), cmp.Compare(b.Occurrence, a.Occurrence))
	})
	return out[:min(limit, len(out))], nil
}

// Retries are the failed rows whose RetryAt is at or before now, the longest due first.
func (s *Store) Retries(ctx context.Context, now time.Time) ([]notify.Delivery, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := cmp.Or(ctx.Err(), s.readable()); err != nil {
		return nil, err
	}
	var out []notify.Delivery
	for _, d := range s.deliveries {
		if d.State == notify.DeliveryFailed && !d.RetryAt.IsZero() && !d.RetryAt.After(now) {
			out = append(out, d)
		}
	}
	slices.SortFunc(out, func(a, b notify.Delivery) int {
		return cmp.Or(a.RetryAt.Compare(b.RetryAt), cmp.Compare(a.Provider, b.Provider),
			cmp.Compare(a.EventType, b.EventType), cmp.Compare(a.Occurrence, b.Occurrence))
	})
	return out, nil
}
