package store

import (
	"context"
	"iter"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// Load reads what the center keeps in memory: everything but terminal records and the log.
func (s *Store) Load(ctx context.Context) (*notify.Snapshot, error) {
	out := new(notify.Snapshot)
	err := s.read(func(txn *badger.Txn) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, ok, err := get(txn, keyState)
		if err != nil {
			return err
		}
		if ok {
			st, err := decodeState(v)
			if err != nil {
				return err
			}
			out.Sequence = st.seq
		}
		if _, err := getWith(txn, keySettings, func(v []byte) error { return decodeJSON(v, &out.Settings) }); err != nil {
			return err
		}
		if err := objects(txn, pfxConnection, &out.Connections); err != nil {
			return err
		}
		if err := objects(txn, pfxSession, &out.Sessions); err != nil {
			return err
		}
		if err := objects(txn, pfxInvalidation, &out.Invalidations); err != nil {
			return err
		}
		return each(txn, []byte{pfxPending}, nil, false, false, func(key, _ []byte) (bool, error) {
			_, parts, err := parseTimeTexts(key, 1)
			if err != nil {
				return false, err
			}
			r, ok, err := record(txn, parts[0])
			if ok {
				out.Pending = append(out.Pending, r)
			}
			return true, err
		})
	})
	if err != nil {
		return nil, wrap("load", err)
	}
	return out, nil
}

func objects[T any](txn *badger.Txn, prefix byte, out *[]*T) error {
	return each(txn, []byte{prefix}, nil, false, true, func(_, value []byte) (bool, error) {
		v := new(T)
		if err := decodeJSON(value, v); err != nil {
			return false, err
		}
		*out = append(*out, v)
		return true, nil
	})
}

func record(txn *badger.Txn, id string) (r *notify.Record, ok bool, err error) {
	ok, err = getWith(txn, recordKey(id), func(v []byte) error {
		r, err = decodeRecord(v)
		return err
	})
	return r, ok, err
}

// Record finds a record by its id.
func (s *Store) Record(id string) (r *notify.Record, ok bool, err error) {
	err = s.read(func(txn *badger.Txn) error {
		r, ok, err = record(txn, id)
		return err
	})
	return r, ok, wrap("read record", err)
}

// Slot finds the newest occurrence of a key.
func (s *Store) Slot(slot notify.Slot) (n notify.Newest, ok bool, err error) {
	err = s.read(func(txn *badger.Txn) error {
		ok, err = getWith(txn, slotKey(slot), func(v []byte) error { return decodeJSON(v, &n) })
		return err
	})
	return n, ok, wrap("read slot", err)
}

// Told finds the record of an event's occurrence.
func (s *Store) Told(ref notify.EventRef) (id string, ok bool, err error) {
	err = s.read(func(txn *badger.Txn) error {
		ok, err = getWith(txn, toldKey(ref), func(v []byte) error {
			v, err := checkForm(v)
			id = string(v)
			return err
		})
		return err
	})
	return id, ok, wrap("read occurrence", err)
}

// Receipt finds what a publication with an idempotency key did.
func (s *Store) Receipt(connection, key string) (r *notify.Receipt, ok bool, err error) {
	err = s.read(func(txn *badger.Txn) error {
		ok, err = getWith(txn, receiptKey(connection, key), func(v []byte) error {
			r = new(notify.Receipt)
			return decodeJSON(v, r)
		})
		return err
	})
	return r, ok, wrap("read receipt", err)
}

// slice is how many rows a long read takes from one transaction: rows are handed out with no
// transaction open, so that a slow reader holds nothing back.
const slice = 512

// Entries yields the index entry of every record, oldest UpdatedAt first. A record that changes
// meanwhile may be yielded again, with its new entry.
func (s *Store) Entries(ctx context.Context) iter.Seq2[notify.Entry, error] {
	return func(yield func(notify.Entry, error) bool) {
		var from []byte
		for {
			var batch []notify.Entry
			err := s.read(func(txn *badger.Txn) error {
				return each(txn, []byte{pfxTime}, from, false, true, func(key, value []byte) (bool, error) {
					e, err := decodeEntry(key, value)
					if err != nil {
						return false, err
					}
					batch = append(batch, e)
					from = append(append(from[:0:0], key...), 0)
					return len(batch) < slice, ctx.Err()
				})
			})
			for _, e := range batch {
				if !yield(e, nil) {
					return
				}
			}
			if err != nil {
				yield(notify.Entry{}, wrap("list entries", err))
				return
			}
			if len(batch) < slice {
				return
			}
		}
	}
}
