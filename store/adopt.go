package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/dgraph-io/badger/v4"
)

// jump continues the numbers after the newest that was ever acknowledged, so that none is used
// twice, and drops the log, so that every reader loads afresh instead of missing what is gone.
func (s *Store) jump(db *badger.DB, st stateRow, seq int64) error {
	st.seq = max(st.seq, seq)
	st.first = st.seq + 1
	if err := s.writeRows(db, []row{{keyState, st.encode()}}); err != nil {
		return fmt.Errorf("write state: %w", err)
	}
	s.state = st
	return nil
}

var errNewer = errors.New("written by a newer version")

// adopt takes an opened database: checks its schema, finishes what was begun, reads the state.
func (s *Store) adopt(db *badger.DB) error {
	fresh := false
	err := db.View(func(txn *badger.Txn) error {
		v, ok, err := get(txn, keySchema)
		if err != nil {
			return err
		}
		if fresh = !ok; fresh {
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
		rows := []row{{keySchema, binary.BigEndian.AppendUint32(nil, Schema)}, {keyState, stateRow{first: 1}.encode()}}
		if err := s.writeRows(db, rows); err != nil {
			return fmt.Errorf("write schema: %w", err)
		}
	} else if err := s.finishJournal(db); err != nil {
		return err
	}
	var st stateRow
	err = db.View(func(txn *badger.Txn) error {
		v, ok, err := get(txn, keyState)
		if err == nil && !ok {
			err = errors.New("state row is missing")
		}
		if err == nil {
			st, err = decodeState(v)
		}
		return err
	})
	if err != nil {
		return err
	}
	s.state = st
	return writeSchema(s.o.Dir)
}

// The schema number is kept outside of Badger as well: opening would already change the folder.
func schemaPath(dir string) string { return filepath.Join(dir, "schema") }

func readSchema(dir string) (int, error) {
	b, err := os.ReadFile(schemaPath(dir))
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(b)))
}

func writeSchema(dir string) error {
	if v, err := readSchema(dir); err == nil && v == Schema {
		return nil
	}
	return writeFile(schemaPath(dir), []byte(strconv.Itoa(Schema)+"\n"))
}

func fileExists(parts ...string) bool {
	_, err := os.Lstat(filepath.Join(parts...))
	return err == nil
}
