package store

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"signalbox/notify"
)

// Options say where a store is and how it behaves. Dir is required; the rest may be zero.
type Options struct {
	Dir    string
	Logger *slog.Logger // nil: discards
	// Now and After are the clock, for names, reports and pauses; nil: the system's.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
	// MinFree is the space, in bytes, below which writes are refused; 0: DefaultMinFree. Below half
	// of it the store is not opened either, because Badger needs some room to open.
	MinFree int64
	// Space tells the free bytes and the kind of the file system at a path; nil: asks the system.
	Space func(path string) (Space, error)
	// OnReport is called with every Report after the one that Open returned, one at a time and in
	// order; nil: nobody is told.
	OnReport func(Report)
	// OpenWithin is how long Open waits for an opening that takes long, as after damage; 0: DefaultOpenWithin; negative:
	// until it has come to its end.
	OpenWithin time.Duration
	// RetryEvery is how often a refused opening is tried again, and how often space is asked for
	// while there is too little; 0: 5 s.
	RetryEvery time.Duration
	// SnapshotEvery is the time between snapshots; 0: 6 h; negative: none are made.
	SnapshotEvery time.Duration
	SnapshotKeep  int // 0: 3
	// Merging is called when tables begin to be merged, which takes all cores, and what it returns when that has ended,
	// one merge at a time; nil: nobody is told.
	Merging func() (ended func())
	// Unsynced leaves commits to the system's own time: for filling a store with generated history.
	Unsynced bool
}

// DefaultOpenWithin is how long Open waits, where nothing is said.
const DefaultOpenWithin = 2 * time.Second

// Store implements the center's storage and the delivery ledger. Its methods are safe for
// concurrent use. While it is not open (see Report) it is empty and refuses writes.
type Store struct {
	o   Options
	log *slog.Logger

	mu sync.RWMutex // protects what follows; held for reading through every use of db
	db *badger.DB
	hw *highWater
	// lock is held while db is open.
	lock    *os.File
	refusal *notify.Error // why db is nil; nil: it is open, or closed
	// endMaintenance stops the goroutine that maintenance waits for.
	endMaintenance context.CancelFunc
	maintenance    sync.WaitGroup

	// life ends with die: what is done to open the store does.
	life    context.Context
	die     context.CancelFunc
	attempt sync.WaitGroup // the opening that Open began

	closed    atomic.Bool
	ready     chan struct{} // closed when the store is open
	readyOnce sync.Once
	retry     repeater
	removed   chan struct{} // says that records were removed
	wrote     chan struct{} // says that about a memtable was written
	// commitAt is when the last commit was, on the store's clock, in nanoseconds.
	commitAt atomic.Int64
	// removedAt is when the last one was that removed a record.
	removedAt atomic.Int64
	swept     atomic.Bool  // the log holds nothing before the first change kept
	reserve   atomic.Int64 // space that writes must leave to a merge beside MinFree

	wmu     sync.Mutex // serializes what rewrites the state row
	state   stateRow   // under wmu; a copy for readers is in seen
	pruned  int        // under wmu: removed since removed was told
	written int        // under wmu: bytes since wrote was told
	seen    seenState
	snapMu  sync.Mutex // one snapshot at a time
	lmu     sync.Mutex // serializes the ledger's read-decide-write
	space   spaceState
	reports reports
	index   *indexer
	logs    logs
	merger  merger
	views   views
	watcher atomic.Pointer[func(name string)] // see step
}

type spaceState struct {
	sync.Mutex // protects the rest
	at         time.Time
	free       int64
	full       bool
	failed     *notify.Error // writes failed for good; nil: they didn't
}

func newStore(o Options) *Store {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.After == nil {
		o.After = time.After
	}
	if o.Space == nil {
		o.Space = systemSpace
	}
	o.MinFree = cmp.Or(o.MinFree, DefaultMinFree)
	o.OpenWithin = cmp.Or(o.OpenWithin, DefaultOpenWithin)
	o.RetryEvery = cmp.Or(o.RetryEvery, 5*time.Second)
	o.SnapshotEvery = cmp.Or(o.SnapshotEvery, 6*time.Hour)
	o.SnapshotKeep = cmp.Or(o.SnapshotKeep, 3)
	s := &Store{
		o: o, log: o.Logger, ready: make(chan struct{}), removed: make(chan struct{}, 1), wrote: make(chan struct{}, 1), index: newIndexer(),
	}
	s.life, s.die = context.WithCancel(context.Background())
	return s
}

// step says, by name, that the store is at a point where a crash is worth a test, or that it did something for itself
// that one waits for.
func (s *Store) step(name string) {
	if f := s.watcher.Load(); f != nil {
		(*f)(name)
	}
}

// Ready is closed when the store is open, at once or later. A center that was started while it was
// refused holds nothing, and must load again.
func (s *Store) Ready() <-chan struct{} { return s.ready }

type seenState struct {
	sync.Mutex // protects the rest
	stateRow
}

// setState lets everybody see st. Before the store is open, state alone is set.
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

// use runs f with the open database; with none it returns the refusal.
func (s *Store) use(f func(db *badger.DB) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case s.closed.Load():
		return errClosed
	case s.db != nil:
		return f(s.db)
	case s.refusal != nil:
		return s.refusal
	}
	return errClosed
}

// read is use for queries: a store that was refused is empty, not an error.
func (s *Store) read(f func(txn *badger.Txn) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	switch {
	case s.closed.Load():
		return errClosed
	case s.db != nil:
		v := s.views.begin(s.db)
		defer v.end()
		return f(v.txn)
	case s.refusal != nil:
		return nil
	}
	return errClosed
}

// committed does what follows a commit; wmu is held.
func (s *Store) committed(changes []notify.Change, was []int64, bytes int) {
	s.hw.note(s.state)
	s.commitAt.Store(s.o.Now().UnixNano())
	if s.written += bytes; s.written >= memTable {
		s.written = 0
		s.wake(s.wrote)
	}
	s.index.push(changes, was)
	for i := range changes {
		if changes[i].Removed && changes[i].Record != nil {
			s.pruned++
			s.removedAt.Store(s.commitAt.Load())
		}
	}
	if s.pruned >= shrinkFrom {
		s.pruned = 0
		s.wake(s.removed)
	}
}

const memTable = 8 << 20

// badgerOptions are those of the database in dir; m hears of merges and may be nil.
func badgerOptions(dir string, log *slog.Logger, m *merger) badger.Options {
	// The figures are measured; see docs/storage.md. MemTableSize is never lowered: an open after a
	// crash would die with "Arena too small". ValueThreshold 1 MiB keeps every value in the tree.
	return badger.DefaultOptions(dir).
		WithLogger(badgerLog{log, m}).
		WithSyncWrites(true).
		WithDetectConflicts(false).
		WithMemTableSize(memTable).
		WithNumMemtables(2).
		WithNumLevelZeroTables(1). // Flatten merges what is all in level 0 only when there are more
		WithNumLevelZeroTablesStall(10 * tidyAtOnce).
		WithNumCompactors(0). // see merge
		WithBlockCacheSize(8 << 20).
		WithIndexCacheSize(0).
		WithValueLogFileSize(16 << 20).
		WithMetricsEnabled(false).
		WithChecksumVerificationMode(options.OnBlockRead)
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

// badgerLog passes Badger's warnings and errors on, without its texts, which can hold keys.
type badgerLog struct {
	log    *slog.Logger
	merger *merger
}

func (l badgerLog) Errorf(format string, _ ...any)   { l.log.Error("badger", "format", format) }
func (l badgerLog) Warningf(format string, _ ...any) { l.log.Debug("badger", "format", format) }
func (l badgerLog) Debugf(string, ...any)            {}
func (l badgerLog) Infof(format string, args ...any) {
	if l.merger != nil {
		l.merger.logged(format, args)
	}
}
