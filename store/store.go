package store

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// Options say where a store is and how it behaves. Dir is required; the rest may be zero.
type Options struct {
	Dir    string
	Logger *slog.Logger // nil: discards
	// Now is the clock for file names, reports and waiting; nil: time.Now.
	Now func() time.Time
	// MinFree is the space, in bytes, below which writes are refused; 0: 64 MiB. Below half of it
	// the store is not opened either, because Badger needs some room to open.
	MinFree int64
	// Space tells the free bytes and the kind of the file system at a path; nil: asks the system.
	Space func(path string) (Space, error)
	// OnReport is called with every new Report, one at a time, from a goroutine of the store.
	OnReport func(Report)
	// RetryEvery is how often opening is tried again after it was refused for a reason that can go
	// away; 0: 5 s.
	RetryEvery time.Duration
	// Unsynced leaves commits to the system's own time, for filling a store with generated history.
	Unsynced bool
}

// Store implements the center's storage and the delivery ledger. Its methods are safe for
// concurrent use. While it is not open (see Report) it is empty and refuses writes.
type Store struct {
	o   Options
	log *slog.Logger

	mu sync.RWMutex // protects db and refusal; held for reading through every use of db
	db *badger.DB
	// refusal is why db is nil, or why writes are refused for good; nil: neither.
	refusal *notify.Error

	wmu   sync.Mutex // serializes what rewrites the state row
	state stateRow   // under wmu; a copy for readers is in seen
	seen  seenState

	lmu sync.Mutex // serializes the ledger's read-decide-write
}

type seenState struct {
	sync.Mutex
	stateRow
}

func (s *Store) setState(st stateRow) {
	s.state = st
	s.seen.Lock()
	s.seen.stateRow = st
	s.seen.Unlock()
}

func (s *Store) readState() stateRow {
	s.seen.Lock()
	defer s.seen.Unlock()
	return s.seen.stateRow
}

var errClosed = notify.Errorf(notify.CodeUnavailable, "The store is closed.")

// use runs f with the open database; with none it returns the refusal.
func (s *Store) use(f func(db *badger.DB) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		if s.refusal != nil {
			return s.refusal
		}
		return errClosed
	}
	return f(s.db)
}

// read is use for queries: a store that was refused is empty, not an error.
func (s *Store) read(f func(txn *badger.Txn) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		if s.refusal != nil && s.refusal != errClosed {
			return nil
		}
		return errClosed
	}
	return s.db.View(f)
}

func badgerOptions(dir string, log *slog.Logger) badger.Options {
	// The figures are measured; see docs/storage.md. MemTableSize is never lowered: an open after a
	// crash would die with "Arena too small". ValueThreshold 1 MiB keeps every value in the tree.
	return badger.DefaultOptions(dir).
		WithLogger(badgerLog{log}).
		WithSyncWrites(true).
		WithDetectConflicts(false).
		WithMemTableSize(8 << 20).
		WithNumMemtables(2).
		WithNumLevelZeroTables(4).
		WithNumLevelZeroTablesStall(8).
		WithNumCompactors(2).
		WithBlockCacheSize(8 << 20).
		WithIndexCacheSize(0).
		WithValueLogFileSize(16 << 20).
		WithMetricsEnabled(false)
}

// get copies the value of key; ok is false when there is none.
func get(txn *badger.Txn, key []byte) (value []byte, ok bool, err error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	value, err = item.ValueCopy(nil)
	return value, err == nil, err
}

// getWith calls f with the value of key, valid during the call only.
func getWith(txn *badger.Txn, key []byte, f func(value []byte) error) (ok bool, err error) {
	item, err := txn.Get(key)
	if errors.Is(err, badger.ErrKeyNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, item.Value(f)
}

// each calls f with every key that starts with prefix, in order, or in the reverse order from the
// end. Key and value are valid during the call only. f returns false to stop.
func each(txn *badger.Txn, prefix, from []byte, reverse, values bool, f func(key, value []byte) (bool, error)) error {
	o := badger.IteratorOptions{Prefix: prefix, Reverse: reverse, PrefetchValues: false}
	it := txn.NewIterator(o)
	defer it.Close()
	if from == nil {
		from = prefix
		if reverse {
			from = append(append([]byte(nil), prefix...), 0xFF)
		}
	}
	for it.Seek(from); it.ValidForPrefix(prefix); it.Next() {
		item := it.Item()
		var more bool
		var err error
		if values {
			err = item.Value(func(v []byte) error {
				more, err = f(item.Key(), v)
				return err
			})
		} else {
			more, err = f(item.Key(), nil)
		}
		if err != nil || !more {
			return err
		}
	}
	return nil
}

// Backup streams a snapshot of everything.
func (s *Store) Backup(ctx context.Context, w io.Writer) error {
	return s.use(func(db *badger.DB) error {
		_, err := db.Backup(ctxWriter{ctx, w}, 0)
		return err
	})
}

// ctxWriter ends a copy when its context does.
type ctxWriter struct {
	ctx context.Context
	w   io.Writer
}

func (c ctxWriter) Write(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(b)
}

// badgerLog passes Badger's warnings and errors on, without its texts, which can hold keys.
type badgerLog struct{ log *slog.Logger }

func (l badgerLog) Errorf(format string, _ ...any)   { l.log.Error("badger", "format", format) }
func (l badgerLog) Warningf(format string, _ ...any) { l.log.Debug("badger", "format", format) }
func (l badgerLog) Infof(string, ...any)             {}
func (l badgerLog) Debugf(string, ...any)            {}
