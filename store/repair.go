package store

import (
	"context"
	"fmt"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// loss is what a count found missing.
type loss struct {
	missing  int64
	from, to time.Time
}

func (r *Report) add(l loss) {
	if l.missing > 0 {
		r.lost(l.missing, l.from, l.to)
	}
}

// countLog looks for holes in the log: its numbers have none.
func countLog(ctx context.Context, db *badger.DB, st stateRow) (l loss, err error) {
	next := max(st.first, 1)
	var before int64 // when the change before a hole was made; 0: unknown
	hole := false
	err = db.View(func(txn *badger.Txn) error {
		return each(txn, []byte{pfxChange}, changeKey(next), false, true, func(key, value []byte) (bool, error) {
			seq, err := parseChangeKey(key)
			if err != nil {
				return false, err
			}
			r := reader{b: value}
			r.bytes(2)
			at := r.int64()
			if seq != next {
				l.missing += seq - next
				if !hole && before != 0 {
					l.from = instantTime(before)
				}
				hole = true
				l.to = instantTime(at)
			}
			before, next = at, seq+1
			return true, ctx.Err()
		})
	})
	if next <= st.seq {
		l.missing += st.seq + 1 - next
		if !hole && before != 0 {
			l.from = instantTime(before)
		}
		l.to = instantTime(st.at)
	}
	return l, err
}

// countIn counts the time rows.
func countIn(txn *badger.Txn) (n int64, err error) {
	err = each(txn, []byte{pfxTime}, nil, false, false, func(_, _ []byte) (bool, error) {
		n++
		return true, nil
	})
	return n, err
}

// repair makes the time rows and the pending rows agree with the records, after some were lost, and
// returns how many records there are and how many are missing.
func (s *Store) repair(ctx context.Context, db *badger.DB, st stateRow) (records, missing int64, err error) {
	var fix []row
	flush := func(least int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(fix) < least || len(fix) == 0 {
			return nil
		}
		err := s.writeRows(db, fix)
		fix = fix[:0]
		return err
	}
	have := func(txn *badger.Txn, key []byte) (bool, error) {
		return getWith(txn, key, func([]byte) error { return nil })
	}
	err = db.View(func(txn *badger.Txn) error {
		err := each(txn, []byte{pfxRecord}, nil, false, true, func(key, value []byte) (bool, error) {
			records++
			h, err := decodeHead(value)
			if err != nil {
				return false, err
			}
			parts, err := parseTexts(key, 1)
			if err != nil {
				return false, err
			}
			ok, err := have(txn, timeKey(h.updated, parts[0]))
			if err == nil && !ok {
				r, derr := decodeRecord(value)
				if derr != nil {
					return false, derr
				}
				fix = append(fix, row{timeKey(h.updated, parts[0]), encodeEntry(r)})
			}
			if err == nil && h.pending {
				if ok, err = have(txn, pendingKey(h.created, parts[0])); err == nil && !ok {
					fix = append(fix, row{pendingKey(h.created, parts[0]), []byte{}})
				}
			}
			if err != nil {
				return false, err
			}
			return true, flush(trimSlice)
		})
		if err != nil {
			return err
		}
		for _, prefix := range []byte{pfxTime, pfxPending} {
			err := each(txn, []byte{prefix}, nil, false, false, func(key, _ []byte) (bool, error) {
				at, parts, err := parseTimeTexts(key, 1)
				if err != nil {
					return false, err
				}
				good := false
				_, err = getWith(txn, recordKey(parts[0]), func(v []byte) error {
					h, err := decodeHead(v)
					good = prefix == pfxTime && h.updated == at || prefix == pfxPending && h.pending && h.created == at
					return err
				})
				if err != nil {
					return false, err
				}
				if !good {
					fix = append(fix, row{key: append([]byte(nil), key...)})
				}
				return true, flush(trimSlice)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = flush(0)
	}
	if err != nil {
		return 0, 0, fmt.Errorf("repair: %w", err)
	}
	return records, max(st.records-records, 0), nil
}
