package store

import (
	"bytes"
	"context"
	"iter"
	"time"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// First is the oldest change kept; the next one to come when none is.
func (s *Store) First() int64 { return max(s.readState().first, 1) }

// Changes yields the logged changes with Seq > after, in order. It ends with those that were there
// when it was asked for the last of them.
func (s *Store) Changes(ctx context.Context, after int64) iter.Seq2[notify.Change, error] {
	return func(yield func(notify.Change, error) bool) {
		s.eachChange(ctx, after, func(c notify.Change, _ int64, err error) bool { return yield(c, err) })
	}
}

// eachChange is Changes, with where the record was before (see encodeChange).
func (s *Store) eachChange(ctx context.Context, after int64, yield func(notify.Change, int64, error) bool) {
	type logged struct {
		c   notify.Change
		was int64
	}
	after = max(after, s.First()-1)
	for {
		var batch []logged
		last := s.readState().seq
		err := s.read(func(txn *badger.Txn) error {
			return each(txn, []byte{pfxChange}, changeKey(after+1), false, true, func(key, value []byte) (bool, error) {
				seq, err := parseChangeKey(key)
				if err != nil || seq > last {
					return false, err
				}
				c, was, err := decodeChange(seq, value)
				if err != nil {
					return false, err
				}
				batch = append(batch, logged{c, was})
				return len(batch) < slice/2, ctx.Err()
			})
		})
		for _, l := range batch {
			if !yield(l.c, l.was, nil) {
				return
			}
			after = l.c.Seq
		}
		if err != nil {
			yield(notify.Change{}, 0, wrap("read changes", err))
			return
		}
		if len(batch) == 0 || after >= last {
			return
		}
	}
}

// trimSlice is how many rows one transaction removes: small enough to hold no commit up.
const trimSlice = 500

// Trim removes logged changes with Seq < before and receipts older than receiptsBefore. Changes that
// the search index must still read stay until the next call.
func (s *Store) Trim(ctx context.Context, before int64, receiptsBefore time.Time) error {
	if err := s.sweepLog(ctx); err != nil {
		return wrap("trim changes", err)
	}
	if before > s.First() {
		seq, ok := s.settleIndex(ctx, before-1)
		if !ok {
			seq = 0
		}
		before = min(before, seq+1)
	}
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, err := s.trimChanges(before)
		if err != nil {
			return wrap("trim changes", err)
		}
		if !more {
			break
		}
	}
	for !receiptsBefore.IsZero() {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, err := s.trimReceipts(receiptsBefore)
		if err != nil {
			return wrap("trim receipts", err)
		}
		if !more {
			break
		}
	}
	return nil
}

// sweepLog removes logged changes before the oldest that is kept: where some were lost, the log was begun
// anew and the rows of the old one were left. It looks once in a run.
func (s *Store) sweepLog(ctx context.Context) error {
	for !s.swept.Load() {
		if err := ctx.Err(); err != nil {
			return err
		}
		err := s.use(func(db *badger.DB) error {
			if err := s.writable(); err != nil {
				return err
			}
			first := s.First()
			var rows []row
			err := db.View(func(txn *badger.Txn) error {
				return each(txn, []byte{pfxChange}, nil, false, false, func(key, _ []byte) (bool, error) {
					seq, err := parseChangeKey(key)
					if err != nil || seq >= first {
						return false, err
					}
					rows = append(rows, row{key: bytes.Clone(key)})
					return len(rows) < trimSlice, nil
				})
			})
			if err != nil {
				return err
			}
			if len(rows) > 0 {
				err = s.failed(s.writeRows(db, rows))
			}
			s.swept.Store(err == nil && len(rows) < trimSlice)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) trimChanges(before int64) (more bool, err error) {
	s.wmu.Lock()
	defer s.wmu.Unlock()
	err = s.use(func(db *badger.DB) error {
		if err := s.writable(); err != nil {
			return err
		}
		st := s.state
		from := max(st.first, 1)
		until := min(before, st.seq+1, from+trimSlice)
		if from >= until {
			return nil
		}
		var rows []row
		for seq := from; seq < until; seq++ {
			rows = append(rows, row{key: changeKey(seq)})
		}
		st.first = until
		rows = append(rows, row{keyState, st.encode()})
		if err := s.writeRows(db, rows); err != nil {
			return s.failed(err)
		}
		s.setState(st)
		more = until < min(before, st.seq+1)
		return nil
	})
	return more, err
}

func (s *Store) trimReceipts(before time.Time) (more bool, err error) {
	err = s.use(func(db *badger.DB) error {
		if err := s.writable(); err != nil {
			return err
		}
		limit := instant(before)
		var rows []row
		err := db.View(func(txn *badger.Txn) error {
			return each(txn, []byte{pfxReceiptAge}, nil, false, false, func(key, _ []byte) (bool, error) {
				at, parts, err := parseTimeTexts(key, 2)
				if err != nil || at >= limit {
					return false, err
				}
				rows = append(rows, row{key: append([]byte(nil), key...)})
				// The key may have been used again since: then the receipt is younger than this row.
				var r notify.Receipt
				rk := receiptKey(parts[0], parts[1])
				ok, err := getWith(txn, rk, func(v []byte) error { return decodeJSON(v, &r) })
				if ok && instant(r.At) == at {
					rows = append(rows, row{key: rk})
				}
				return len(rows) < trimSlice, err
			})
		})
		if err != nil || len(rows) == 0 {
			return err
		}
		more = len(rows) >= trimSlice
		return s.failed(s.writeRows(db, rows))
	})
	return more, err
}
