package store

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// Schema is the number of the layout that this version writes.
const Schema = 1

// Report says, in words for the owner, how a store is.
type Report struct {
	// Text is what the owner must be told; empty: all is well.
	Text string
}

// Open opens the store in o.Dir.
func Open(ctx context.Context, o Options) (*Store, Report, error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	s := &Store{o: o, log: o.Logger}
	dir := filepath.Join(o.Dir, "db")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, Report{}, err
	}
	db, err := badger.Open(badgerOptions(dir, s.log).WithSyncWrites(!o.Unsynced))
	if err != nil {
		return nil, Report{}, err
	}
	if err := s.adopt(db); err != nil {
		return nil, Report{}, errors.Join(err, db.Close())
	}
	return s, Report{}, nil
}

// adopt takes an opened database: checks its schema, finishes what was begun, reads the state.
func (s *Store) adopt(db *badger.DB) error {
	var st stateRow
	fresh := false
	err := db.View(func(txn *badger.Txn) error {
		v, ok, err := get(txn, keySchema)
		if err != nil {
			return err
		}
		if !ok {
			fresh = true
			return nil
		}
		if len(v) != 4 || binary.BigEndian.Uint32(v) > Schema {
			return errNewer
		}
		return nil
	})
	if err != nil {
		return err
	}
	if fresh {
		st.first = 1
		if err := writeRows(db, []row{{keySchema, binary.BigEndian.AppendUint32(nil, Schema)}, {keyState, st.encode()}}); err != nil {
			return fmt.Errorf("write schema: %w", err)
		}
	} else if err := finishJournal(db); err != nil {
		return err
	}
	err = db.View(func(txn *badger.Txn) error {
		v, ok, err := get(txn, keyState)
		if err != nil || !ok {
			return errors.Join(err, fmt.Errorf("state row is missing"))
		}
		st, err = decodeState(v)
		return err
	})
	if err != nil {
		return err
	}
	s.setState(st)
	s.db = db
	return nil
}

var errNewer = errors.New("written by a newer version")

func (s *Store) writable() error { return nil }

func (s *Store) committed(changes []notify.Change, was []int64) {}

// Close ends the store; later calls fail with CodeUnavailable.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return nil
	}
	db := s.db
	s.db, s.refusal = nil, errClosed
	if err := db.Close(); err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}
