package store

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/dgraph-io/badger/v4"
)

// The journal makes a commit atomic that is too big for one transaction. Its rows are written as
// parts; then one row says that the parts are whole, which is the moment of the commit; then the
// rows are applied and the journal is removed. An open that finds the row applies the parts again,
// one that finds parts without it drops them. Parts that an earlier journal left when it failed are
// overwritten by the next, or behind its own, and no part of it.
//
// What was written after the last wait for the disk may be there after a power cut without what was written before
// it. So each of these steps is waited for, and no write within one.
var keyJournal = []byte("mjournal")

const journalPart = 256 << 10

func (s *Store) writeJournaled(db *badger.DB, rows []row, seq int64) error {
	var part []byte
	var parts uint32
	flush := func() error {
		if len(part) == 0 {
			return nil
		}
		err := s.put(db, []row{{journalKey(parts), part}})
		parts++
		part = nil
		return err
	}
	for _, r := range rows {
		part = append(part, bit(r.value != nil))
		part = appendString(part, string(r.key))
		part = appendString(part, string(r.value))
		if len(part) >= journalPart {
			if err := flush(); err != nil {
				return fmt.Errorf("write journal: %w", err)
			}
		}
	}
	err := flush()
	if err == nil {
		err = s.wait(db)
	}
	if err != nil {
		return fmt.Errorf("write journal: %w", err)
	}
	s.step("journal written")
	mark := binary.BigEndian.AppendUint32([]byte{form1}, parts)
	mark = binary.BigEndian.AppendUint64(mark, uint64(seq))
	if err := s.writeRows(db, []row{{keyJournal, mark}}); err != nil {
		return fmt.Errorf("close journal: %w", err)
	}
	s.views.enter(db)
	s.views.pin()
	s.step("journal closed")
	if err := s.finishJournal(db); err != nil {
		return unsureError{err} // it is committed, and the next open applies it; until then nobody sees a part of it
	}
	s.views.leave()
	return nil
}

// finishJournal applies a whole journal and drops an unfinished one.
func (s *Store) finishJournal(db *badger.DB) error {
	var mark []byte
	var found [][]byte
	err := db.View(func(txn *badger.Txn) (err error) {
		if mark, _, err = get(txn, keyJournal); err != nil {
			return err
		}
		return each(txn, []byte{pfxJournal}, nil, false, false, func(key, _ []byte) (bool, error) {
			found = append(found, append([]byte(nil), key...))
			return true, nil
		})
	})
	if err != nil {
		return fmt.Errorf("read journal: %w", err)
	}
	if mark != nil {
		r := reader{b: mark}
		if r.byte() != form1 || len(mark) != 13 {
			return fmt.Errorf("read journal: its end is damaged")
		}
		parts := binary.BigEndian.Uint32(mark[1:])
		if uint32(len(found)) < parts || parts > 0 && string(found[parts-1]) != string(journalKey(parts-1)) {
			return fmt.Errorf("read journal: parts are missing")
		}
		for _, key := range found[:parts] {
			if err := s.applyPart(db, key); err != nil {
				return fmt.Errorf("apply journal: %w", err)
			}
			s.step("journal part applied")
		}
		if err := s.wait(db); err != nil {
			return fmt.Errorf("apply journal: %w", err)
		}
		// The next commit must not be undone by an open that finds the journal still whole.
		err := s.put(db, []row{{key: keyJournal}})
		if err == nil {
			s.step("journal ended")
			s.views.unpin()
			err = s.wait(db)
		}
		if err != nil {
			return fmt.Errorf("end journal: %w", err)
		}
	}
	for _, key := range found {
		if err := s.put(db, []row{{key: key}}); err != nil {
			return fmt.Errorf("drop journal: %w", err)
		}
	}
	return nil
}

// applyPart writes the rows of a part, without a wait.
func (s *Store) applyPart(db *badger.DB, key []byte) error {
	var part []byte
	err := db.View(func(txn *badger.Txn) (err error) {
		part, _, err = get(txn, key)
		return err
	})
	if err != nil {
		return err
	}
	txn := db.NewTransaction(true)
	defer func() { txn.Discard() }()
	large := false
	r := reader{b: part}
	for len(r.b) > 0 && !r.bad {
		set := r.byte() == 1
		w := row{key: []byte(r.string())}
		value := r.string()
		if set {
			w.value = []byte(value)
		}
		if r.bad {
			break
		}
		large = large || isLarge(db, w)
		err := setRow(txn, w)
		if errors.Is(err, badger.ErrTxnTooBig) {
			if err := s.commitTxn(txn, large); err != nil {
				return err
			}
			txn = db.NewTransaction(true)
			err = setRow(txn, w)
		}
		if err != nil {
			return err
		}
	}
	if r.bad {
		return fmt.Errorf("part is cut short")
	}
	return s.commitTxn(txn, large)
}
