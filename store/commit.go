package store

import (
	"bytes"
	"context"
	"errors"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// row is one write: a nil value deletes.
type row struct {
	key, value []byte
}

// Commit makes the changes durable, all or none, and returns after they are on the disk. Their Seq
// must be the next numbers.
func (s *Store) Commit(ctx context.Context, changes []notify.Change) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(changes) == 0 {
		return nil
	}
	s.wmu.Lock()
	defer s.wmu.Unlock()
	return wrap("commit", s.use(func(db *badger.DB) error {
		if err := s.writable(); err != nil {
			return err
		}
		b, err := s.rows(db, changes)
		if err != nil {
			return err
		}
		if err := s.apply(db, b.rows, b.state.seq); err != nil {
			return s.failed(err)
		}
		s.setState(b.state)
		s.committed(changes, b.was, size(b.rows))
		return nil
	}))
}

// rows makes the rows of changes, and of the state after them.
func (s *Store) rows(db *badger.DB, changes []notify.Change) (*builder, error) {
	b := &builder{state: s.state}
	err := db.View(func(txn *badger.Txn) error {
		b.txn = txn
		defer b.close()
		for i := range changes {
			if err := b.add(&changes[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	b.set(keyState, b.state.encode())
	return b, nil
}

// apply writes rows as one transaction, or through the journal when they don't fit into one.
func (s *Store) apply(db *badger.DB, rows []row, seq int64) error {
	err := s.writeRows(db, rows)
	if errors.Is(err, badger.ErrTxnTooBig) {
		return s.writeJournaled(db, rows, seq)
	}
	return err
}

func size(rows []row) (n int) {
	for _, r := range rows {
		n += len(r.key) + len(r.value)
	}
	return n
}

// writeRows writes rows as one transaction, and returns when they are on the disk.
func (s *Store) writeRows(db *badger.DB, rows []row) error {
	s.views.enter(db)
	err := s.put(db, rows)
	if err == nil {
		err = s.wait(db)
	}
	var unsure unsureError
	if !errors.As(err, &unsure) {
		s.views.leave()
	}
	return err
}

// put is writeRows without the wait for the disk.
func (s *Store) put(db *badger.DB, rows []row) error {
	txn := db.NewTransaction(true)
	defer txn.Discard()
	large := false
	for _, r := range rows {
		if err := setRow(txn, r); err != nil {
			return err
		}
		large = large || isLarge(db, r)
	}
	return s.commitTxn(txn, large)
}

// isLarge reports whether a value goes to the value log, not into the tree.
func isLarge(db *badger.DB, r row) bool { return int64(len(r.value)) >= db.Opts().ValueThreshold }

// commitTxn commits, and has the next wait take in the value log where a value was large.
func (s *Store) commitTxn(txn *badger.Txn, large bool) error {
	switch err := txn.Commit(); {
	case err == nil:
		if large {
			s.logs.noteLarge()
		}
		return nil
	case errors.Is(err, badger.ErrTxnTooBig), errors.Is(err, badger.ErrBlockedWrites), errors.Is(err, badger.ErrDBClosed):
		return err // nothing was written
	default:
		return unsureError{err}
	}
}

// wait returns when all that was put is on the disk, and lets it be read.
func (s *Store) wait(db *badger.DB) error {
	if s.o.Unsynced {
		s.views.advance(s.views.next(db))
		return nil
	}
	if err := s.logs.sync(db, &s.views); err != nil {
		return unsureError{err}
	}
	return nil
}

// unsureError is the failure of a write of which nobody knows how much is on the disk.
type unsureError struct{ error }

func (e unsureError) Unwrap() error { return e.error }

func setRow(txn *badger.Txn, r row) error {
	if r.value == nil {
		return txn.Delete(r.key)
	}
	return txn.Set(r.key, r.value)
}

// builder turns changes into rows. It looks up what the store holds instead of trusting the
// change's Before, so that no row of an index can be left behind.
type builder struct {
	txn   *badger.Txn
	state stateRow
	rows  []row
	was   []int64               // for each change: where its record was in the order of lists; 0: nowhere
	heads map[string]recordHead // of records that this commit touched; zero: gone
	// newest holds the slots that this commit set, by key.
	newest map[string]notify.Newest
	// deliveries is for dropDeliveries; nil until it is needed.
	deliveries *badger.Iterator
}

func (b *builder) close() {
	if b.deliveries != nil {
		b.deliveries.Close()
	}
}

func (b *builder) set(key, value []byte) { b.rows = append(b.rows, row{key, value}) }
func (b *builder) del(key []byte)        { b.rows = append(b.rows, row{key: key}) }

func (b *builder) setJSON(key []byte, v any) error {
	value, err := encodeJSON(v)
	if err == nil {
		b.set(key, value)
	}
	return err
}

func (b *builder) head(id string) (h recordHead, ok bool, err error) {
	if h, seen := b.heads[id]; seen {
		return h, h != recordHead{}, nil
	}
	ok, err = getWith(b.txn, recordKey(id), func(v []byte) error {
		h, err = decodeHead(v)
		return err
	})
	return h, ok, err
}

func (b *builder) add(c *notify.Change) error {
	if c.Seq != b.state.seq+1 {
		return notify.Errorf(notify.CodeInternal, "Change %d does not follow %d.", c.Seq, b.state.seq)
	}
	b.state.seq = c.Seq
	b.state.at = max(b.state.at, instant(c.At))
	var was int64
	var json []byte
	var err error
	switch {
	case c.Record != nil:
		was, json, err = b.addRecord(c)
	case c.Connection != nil:
		err = b.addObject(c, connectionKey(c.Connection.ID), c.Connection)
		if err == nil && c.Removed {
			err = b.forget(c.Connection.ID)
		}
	case c.Session != nil:
		err = b.addObject(c, sessionKey(c.Session.Connection, c.Session.ID), c.Session)
	case c.Invalidation != nil:
		err = b.addObject(c, invalidationKey(c.Invalidation.Connection, c.Invalidation.ID), c.Invalidation)
	case c.Settings != nil:
		err = b.addObject(c, keySettings, c.Settings)
	}
	if err != nil {
		return err
	}
	if r := c.Receipt; r != nil {
		if err := b.setJSON(receiptKey(r.Connection, r.Key), r); err != nil {
			return err
		}
		b.set(receiptAgeKey(instant(r.At), r.Connection, r.Key), []byte{})
	}
	value, err := encodeChange(c, was, json)
	if err != nil {
		return err
	}
	b.set(changeKey(c.Seq), value)
	b.was = append(b.was, was)
	return nil
}

func (b *builder) addObject(c *notify.Change, key []byte, v any) error {
	if c.Removed {
		b.del(key)
		return nil
	}
	return b.setJSON(key, v)
}

func (b *builder) addRecord(c *notify.Change) (was int64, json []byte, err error) {
	r := c.Record
	old, had, err := b.head(r.ID)
	if err != nil {
		return 0, nil, err
	}
	if had {
		was = old.updated
		b.del(timeKey(old.updated, r.ID))
	}
	if b.heads == nil {
		b.heads = map[string]recordHead{}
	}
	if c.Removed {
		b.heads[r.ID] = recordHead{}
		if had {
			b.state.records--
			b.del(recordKey(r.ID))
			if old.pending {
				b.del(pendingKey(old.created, r.ID))
			}
			if err := b.dropDeliveries(r.ID); err != nil {
				return 0, nil, err
			}
		}
		value, err := encodeRecord(slim(r))
		if err != nil {
			return 0, nil, err
		}
		return was, value[recordHeadSize:], nil
	}

	value, err := encodeRecord(r)
	if err != nil {
		return 0, nil, err
	}
	now := headOf(r)
	b.heads[r.ID] = now
	b.set(recordKey(r.ID), value)
	b.set(timeKey(now.updated, r.ID), encodeEntry(r))
	if had && old.pending && (!now.pending || now.created != old.created) {
		b.del(pendingKey(old.created, r.ID))
	}
	if now.pending {
		b.set(pendingKey(now.created, r.ID), []byte{})
	}
	if !had {
		b.state.records++
	}
	if slot, ok := r.Slot(); ok && (!had || old.occurrence != r.Occurrence) {
		if err := b.setNewest(slot, r); err != nil {
			return 0, nil, err
		}
	}
	if ref, ok := r.EventRef(); ok && (!had || c.Before == nil || c.Before.Event == nil || *c.Before.Event != *r.Event) {
		b.set(toldKey(ref), append([]byte{form1}, r.ID...))
	}
	if c.Event != nil {
		b.set(toldKey(*c.Event), append([]byte{form1}, r.ID...))
	}
	return was, value[recordHeadSize:], nil
}

// forget removes what was remembered of a removed connection's keys, events and requests, by earlier
// changes of this commit too. The ages of its receipts go when they are trimmed.
func (b *builder) forget(connection string) error {
	for _, kind := range []byte{pfxSlot, pfxTold, pfxReceipt} {
		prefix := textKey(kind, connection)
		for _, r := range b.rows {
			if bytes.HasPrefix(r.key, prefix) {
				b.drop(r.key)
			}
		}
		err := each(b.txn, prefix, nil, false, false, func(key, _ []byte) (bool, error) {
			b.drop(bytes.Clone(key))
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// drop deletes a row, and lets no later change of the commit read it from before.
func (b *builder) drop(key []byte) {
	b.del(key)
	if key[0] == pfxSlot {
		b.note(key, notify.Newest{})
	}
}

// note remembers what this commit makes of a slot.
func (b *builder) note(key []byte, n notify.Newest) {
	if b.newest == nil {
		b.newest = map[string]notify.Newest{}
	}
	b.newest[string(key)] = n
}

// setNewest lets the slot name r, unless it names a later occurrence, or a pending one beside which r
// came ended: an import may bring both.
func (b *builder) setNewest(slot notify.Slot, r *notify.Record) error {
	key := slotKey(slot)
	n, seen := b.newest[string(key)]
	if !seen {
		if _, err := getWith(b.txn, key, func(v []byte) error { return decodeJSON(v, &n) }); err != nil {
			return err
		}
	}
	if n.Occurrence > r.Occurrence {
		return nil
	}
	n.Occurrence = r.Occurrence
	keeps := false
	if r.Status.Terminal() && n.RecordID != "" && n.RecordID != r.ID {
		h, ok, err := b.head(n.RecordID)
		if err != nil {
			return err
		}
		keeps = ok && h.pending
	}
	if !keeps {
		n.RecordID = r.ID
	}
	b.note(key, n)
	return b.setJSON(key, n)
}
