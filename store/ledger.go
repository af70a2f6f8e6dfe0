package store

import (
	"context"
	"time"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// Claim stores d unless a delivery with the same identity exists that is not failed; ok reports
// whether it was stored.
func (s *Store) Claim(ctx context.Context, d notify.Delivery) (ok bool, err error) {
	err = s.putDelivery(ctx, d, func(old *notify.Delivery) bool {
		ok = old == nil || old.State == notify.DeliveryFailed
		return ok
	})
	return ok && err == nil, wrap("claim delivery", err)
}

// Settle replaces the row with d's identity.
func (s *Store) Settle(ctx context.Context, d notify.Delivery) error {
	return wrap("settle delivery", s.putDelivery(ctx, d, func(*notify.Delivery) bool { return true }))
}

func (s *Store) putDelivery(ctx context.Context, d notify.Delivery, store func(old *notify.Delivery) bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.lmu.Lock()
	defer s.lmu.Unlock()
	return s.use(func(db *badger.DB) error {
		if err := s.writable(); err != nil {
			return err
		}
		var old *notify.Delivery
		err := db.View(func(txn *badger.Txn) error {
			_, err := getWith(txn, deliveryKey(d), func(v []byte) error {
				old = new(notify.Delivery)
				return decodeJSON(v, old)
			})
			return err
		})
		if err != nil || !store(old) {
			return err
		}
		value, err := encodeJSON(d)
		if err != nil {
			return err
		}
		var rows []row
		if old != nil {
			rows = deliveryIndexes(rows, *old, nil)
		}
		rows = append(rows, row{deliveryKey(d), value})
		return s.failed(s.writeRows(db, deliveryIndexes(rows, d, []byte{})))
	})
}

// deliveryIndexes appends the index rows of d; value nil removes them.
func deliveryIndexes(rows []row, d notify.Delivery, value []byte) []row {
	rows = append(rows, row{deliveryTimeKey(d), value})
	if d.RecordID != "" {
		rows = append(rows, row{deliveryRecordKey(d), value})
	}
	if d.State == notify.DeliveryFailed && !d.RetryAt.IsZero() {
		rows = append(rows, row{retryKey(d), value})
	}
	return rows
}

// dropDeliveries removes the deliveries of a record that is pruned. That its event was told stays
// known (the e row), so nothing is announced twice. One iterator serves all records of a commit: making
// one looks at every table, which a hundred records at once would have the publishers wait for.
func (b *builder) dropDeliveries(recordID string) error {
	if b.deliveries == nil {
		b.deliveries = b.txn.NewIterator(badger.IteratorOptions{Prefix: []byte{pfxDeliveryRec}})
	}
	prefix := textKey(pfxDeliveryRec, recordID)
	for b.deliveries.Seek(prefix); b.deliveries.ValidForPrefix(prefix); b.deliveries.Next() {
		_, _, parts, err := parseDeliveryRecordKey(b.deliveries.Item().Key())
		if err != nil {
			return err
		}
		d, ok, err := delivery(b.txn, parts)
		if err != nil {
			return err
		}
		if ok {
			b.rows = append(deliveryIndexes(b.rows, d, nil), row{key: deliveryKey(d)})
		}
	}
	return nil
}

func delivery(txn *badger.Txn, identity []string) (d notify.Delivery, ok bool, err error) {
	ok, err = getWith(txn, textKey(pfxDelivery, identity...), func(v []byte) error { return decodeJSON(v, &d) })
	return d, ok, err
}

// deliveriesDefault is how many rows a list has where no limit is given.
const deliveriesDefault = 500

// Deliveries lists rows, newest first; empty provider or record id: any; limit 0: 500.
func (s *Store) Deliveries(ctx context.Context, provider, recordID string, limit int) ([]notify.Delivery, error) {
	if limit <= 0 {
		limit = deliveriesDefault
	}
	prefix, skip := []byte{pfxDeliveryTime}, 1
	if recordID != "" {
		prefix = textKey(pfxDeliveryRec, recordID)
		skip = len(prefix)
	}
	var out []notify.Delivery
	err := s.read(func(txn *badger.Txn) error {
		return each(txn, prefix, nil, true, false, func(key, _ []byte) (bool, error) {
			_, rest, err := takeInstant(key[skip:])
			if err != nil {
				return false, err
			}
			parts, err := takeTexts(rest, 3)
			if err != nil {
				return false, err
			}
			if provider == "" || parts[0] == provider {
				d, ok, err := delivery(txn, parts)
				if err != nil {
					return false, err
				}
				if ok {
					out = append(out, d)
				}
			}
			return len(out) < limit, ctx.Err()
		})
	})
	return out, wrap("list deliveries", err)
}

// Retries are the failed rows whose RetryAt is at or before now, the longest due first.
func (s *Store) Retries(ctx context.Context, now time.Time) ([]notify.Delivery, error) {
	var out []notify.Delivery
	err := s.read(func(txn *badger.Txn) error {
		return each(txn, []byte{pfxRetry}, nil, false, false, func(key, _ []byte) (bool, error) {
			at, parts, err := parseTimeTexts(key, 3)
			if err != nil || at > instant(now) {
				return false, err
			}
			d, ok, err := delivery(txn, parts)
			if ok {
				out = append(out, d)
			}
			if err != nil {
				return false, err
			}
			return true, ctx.Err()
		})
	})
	return out, wrap("list retries", err)
}
