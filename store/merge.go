package store

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// Tables are merged by Badger's Flatten, one step after the other: a step moves all of level 0, or one
// table of another level, down. Flatten knows no end but its own; but before each step it tells the
// log, from its own goroutine and with no lock held, and there a merge rests, so that commits come
// through, and ends, when the store closes or there is nothing left that is worth it. TestMergeEnds
// fails when a new version of Badger does it otherwise.
type merger struct {
	mu   sync.Mutex // protects step
	step func(level int) (more bool)
}

// stepFormat begins the text that Flatten logs before a step; its argument has the level.
const stepFormat = "Attempting to compact with"

// errMergeEnds is what ends Flatten from within the log.
var errMergeEnds = errors.New("the merge ends")

// logged is called with what Badger logs.
func (m *merger) logged(format string, args []any) {
	if !strings.HasPrefix(format, stepFormat) {
		return
	}
	m.mu.Lock()
	step := m.step
	m.mu.Unlock()
	if step != nil && !step(stepLevel(args)) {
		panic(errMergeEnds)
	}
}

// stepLevel is the level that a step takes tables from; -1: not to be told.
func stepLevel(args []any) int {
	if len(args) != 1 {
		return -1
	}
	v := reflect.ValueOf(args[0])
	if v.Kind() != reflect.Struct {
		return -1
	}
	if v = v.FieldByName("level"); !v.IsValid() || !v.CanInt() {
		return -1
	}
	return int(v.Int())
}

// flatten merges tables until step says no more, or it comes to its own end.
func (m *merger) flatten(db *badger.DB, step func(level int) (more bool)) (err error) {
	m.mu.Lock()
	m.step = step
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		m.step = nil
		m.mu.Unlock()
		if r := recover(); r == errMergeEnds {
			err = nil
		} else if r != nil {
			panic(r)
		}
	}()
	return db.Flatten(1)
}

// maxMergeRest bounds the rest after a step of a merge, which is as long as the step was.
const maxMergeRest = 5 * time.Second

// merge merges tables: all that there are, or only what keeps the levels in shape. It is left, which it reports, when
// the disk has no room for it, and ends between two steps when ctx does.
func (s *Store) merge(ctx context.Context, all bool) (left bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil || ctx.Err() != nil {
		return false
	}
	// A step writes no more than what is there before it removes anything. Writes must leave it that
	// much while it runs, or a page without a block behind it ends the process.
	if !s.roomFor(s.db, mergeNeeds) {
		s.log.Warn("no room to merge tables")
		return true
	}
	need := tablesSize(s.db)
	s.reserve.Store(need)
	defer s.reserve.Store(0)
	if s.o.Merging != nil {
		defer s.o.Merging()()
	}
	began := time.Time{}
	err := s.merger.flatten(s.db, func(level int) bool {
		s.step("step")
		if !began.IsZero() {
			s.rest(ctx, min(s.o.Now().Sub(began), maxMergeRest))
		}
		began = s.o.Now()
		if ctx.Err() != nil || !all && !outOfShape(s.db.Levels(), level) {
			return false
		}
		if left = !s.roomFor(s.db, 1); left { // somebody else took it
			s.log.Warn("no room to go on merging tables")
		}
		return !left
	})
	if err != nil {
		s.log.Warn("tables were not merged", "err", err)
	}
	return left
}

// mergeNeeds is how many times as much as all tables a disk must have free for a merge to begin.
const mergeNeeds = 2

// hasRoom reports whether the disk has, beside MinFree, so many times as much free as all tables take.
func (s *Store) hasRoom(times int64) (yes bool) {
	_ = s.use(func(db *badger.DB) error {
		yes = s.roomFor(db, times)
		return nil
	})
	return yes
}

func (s *Store) roomFor(db *badger.DB, times int64) bool {
	sp, err := s.o.Space(s.o.Dir)
	return err == nil && sp.Free >= s.o.MinFree+times*tablesSize(db)
}

// outOfShape reports whether a step from level is due: level 0 has many tables, or a level from there
// down holds more than it should. The last one holds what there is.
func outOfShape(levels []badger.LevelInfo, level int) bool {
	if level <= 0 {
		return level < 0 || levels[0].NumTables >= tidyFrom
	}
	for _, l := range levels[level : len(levels)-1] {
		if l.Size > l.TargetSize {
			return true
		}
	}
	return false
}

func (s *Store) rest(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	select {
	case <-ctx.Done():
	case <-s.o.After(d):
	}
}

// tablesSize is what all tables take. (Badger's own Size is up to a minute old, and 0 at first.)
func tablesSize(db *badger.DB) (n int64) {
	for _, l := range db.Levels() {
		n += l.Size
	}
	return n
}

// Space that is given back by a merge is what it drops: removals, and what they removed. It may not
// drop what somebody who began to read before the removal might still read (a backup, the search index
// while it is built, a check), and a merge of everything leaves it in the last level, which no later
// merge touches by itself. Removals that were left are counted by every table, as stale; while they
// are many, the tables that have them are merged again.
const staleFrom = 256 << 10

// stale is how many bytes of removals were left in tables.
func stale(db *badger.DB) (bytes int64) {
	for _, l := range db.Levels() {
		bytes += l.StaleDatSize
	}
	return bytes
}

func (s *Store) isStale() (yes bool) {
	_ = s.use(func(db *badger.DB) error {
		yes = stale(db) >= staleFrom
		return nil
	})
	return yes
}

const (
	// fillPart is how much of Badger's memory is filled at once: what a commit may have to wait for.
	fillPart = 64 << 10
	// fillWait is how many parts are written before the disk is waited for: a commit meanwhile waits for them too.
	fillWait = 16
)

// rotate makes Badger write what it holds in memory as a table, so that a merge takes in the newest
// removals too, and waits for it. It has no call for that, so its memory is filled up with a row that
// is written again and again: some milliseconds, and nothing is left of it after the merge. Beside every
// stale table a row is removed that there is none of, so that the merge rewrites that table.
func (s *Store) rotate(ctx context.Context) error {
	var wanted uint64
	err := s.use(func(db *badger.DB) error {
		var marks []row
		for _, t := range db.Tables() {
			if t.StaleDataSize > 0 {
				marks = append(marks, row{key: besides(t.Left)})
			}
		}
		marks = append(marks, row{keyFiller, []byte{}})
		if err := s.writable(); err != nil {
			return err
		}
		for len(marks) > 0 {
			n := min(len(marks), trimSlice)
			if err := s.put(db, marks[:n]); err != nil {
				return s.failed(err)
			}
			marks = marks[n:]
		}
		err := db.View(func(txn *badger.Txn) error {
			item, err := txn.Get(keyFiller)
			if err == nil {
				wanted = item.Version()
			}
			return err
		})
		if err != nil {
			return err
		}
		for n := 0; n <= memTable/fillPart && ctx.Err() == nil; n++ {
			if err := s.writable(); err != nil {
				return err
			}
			err := s.put(db, []row{{keyFiller, make([]byte, fillPart)}})
			if err == nil && n%fillWait == fillWait-1 {
				err = s.wait(db)
			}
			if err != nil {
				return s.failed(err)
			}
		}
		return s.failed(s.writeRows(db, []row{{key: keyFiller}}))
	})
	if err != nil {
		return err
	}
	return s.awaitTable(ctx, wanted)
}

// flushPoll is how often it is looked whether a table is there, which nothing tells, and flushPolls how often at most:
// a minute. What is not there by then goes with a later merge.
const (
	flushPoll  = 20 * time.Millisecond
	flushPolls = 3000
)

// awaitTable returns when what was written up to a version is in a table.
func (s *Store) awaitTable(ctx context.Context, version uint64) error {
	for range flushPolls {
		if ctx.Err() != nil || s.newestInTables() >= version {
			return nil
		}
		s.rest(ctx, flushPoll)
	}
	return errors.New("the memory was not written as a table")
}

// newestInTables is the newest version that is in a table; the highest, when the store is not open.
func (s *Store) newestInTables() uint64 {
	var newest uint64
	err := s.use(func(db *badger.DB) error {
		for _, t := range db.Tables() {
			newest = max(newest, t.MaxVersion)
		}
		return nil
	})
	if err != nil {
		return ^uint64(0)
	}
	return newest
}

// besides is a key that is none of ours (they don't end like that), right behind the one that a table
// begins with. Badger's keys have 8 bytes of version at their end.
func besides(left []byte) []byte {
	key := left[:len(left)-8]
	return append(append(make([]byte, 0, len(key)+1), key...), 0)
}
