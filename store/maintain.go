package store

import (
	"context"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// damagedName is a file that says that a check found damage while the store was open: the next
// start reads every table and puts a snapshot in place.
const damagedName = "damaged"

// checkedName is a file that says when all tables were found good. A start after an end that was not
// in good order removes it.
const checkedName = "checked"

// The pace of what a store does for itself.
const (
	checkAfter   = 15 * time.Second // after the start, when what shows at once has been shown
	checkEvery   = 24 * time.Hour   // unless the store was not closed in good order
	quietFor     = 5 * time.Second  // without a removal before space is given back
	shrinkWithin = 30 * time.Minute // even if removals go on: a merge of everything is felt by publishers
	shrinkFrom   = 5000             // removed records that are worth it

	shrinkAgain  = 20 * time.Second // after one that left removals, which were being read or had no room to be merged
	shrinkSeldom = 10 * time.Minute // the longest such pause; each is twice as long as the one before

	// shrinkShare is less than tidyShare: space that records left is waited for.
	shrinkShare = 2 // after a merge, no shrink begins for so many times as long

	tidyFrom   = 4               // tables of level 0 that are worth it
	tidyAtOnce = 24              // that don't wait for quiet
	tidyAfter  = 2 * time.Second // of quiet
	tidyWithin = 2 * time.Minute // even without
	tidyShare  = 30              // after a merge, none for tidiness begins for so many times as long
)

// repeater runs one thing again and again until it says that it is done.
type repeater struct {
	mu      sync.Mutex // protects running and ended
	running bool
	ended   bool
	quit    chan struct{}
	wg      sync.WaitGroup
}

func (r *repeater) start(every time.Duration, f func() (again bool)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running || r.ended {
		return
	}
	r.running = true
	if r.quit == nil {
		r.quit = make(chan struct{})
	}
	r.wg.Go(func() {
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-r.quit:
				return
			case <-t.C:
			}
			if !f() {
				r.mu.Lock()
				r.running = false
				r.mu.Unlock()
				return
			}
		}
	})
}

func (r *repeater) stop() {
	r.mu.Lock()
	if !r.ended && r.quit != nil {
		close(r.quit)
	}
	r.ended = true
	r.mu.Unlock()
	r.wg.Wait()
}

func (s *Store) startMaintenance() {
	ctx, cancel := context.WithCancel(context.Background())
	s.mu.Lock()
	s.endMaintenance = cancel
	s.mu.Unlock()
	s.maintenance.Go(func() { s.maintain(ctx) })
	s.maintenance.Go(func() { s.runIndex(ctx) })
}

// stopMaintenance reports whether all that a store does for itself has ended. A step of a merge cannot
// be stopped; it is waited for, but not for ever.
func (s *Store) stopMaintenance() bool {
	s.mu.RLock()
	cancel := s.endMaintenance
	s.mu.RUnlock()
	if cancel != nil {
		cancel()
	}
	s.step("ending")
	return within(closeWithin, s.maintenance.Wait)
}

func (s *Store) wake(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}

// levelZero is the number of tables that were written and not merged yet.
func (s *Store) levelZero() (n int) {
	_ = s.use(func(db *badger.DB) error {
		n = db.Levels()[0].NumTables
		return nil
	})
	return n
}

// maintain checks the tables once, writes snapshots when they are due, and merges tables: when some
// have gathered or records were removed, in quiet moments if there are any. Badger's own compactors
// are off, because they look for work several hundred times a second for ever, and because they don't
// look whether the disk has room. It sleeps in between.
func (s *Store) maintain(ctx context.Context) {
	check := s.o.After(s.untilCheck())
	snap := s.o.After(s.untilSnapshot())
	var shrink, tidy <-chan time.Time
	var removing, untidy, merged time.Time
	var took time.Duration // of the merge that ended at merged
	again := shrinkAgain
	s.wake(s.wrote) // an earlier run may have left something
	if s.isStale() {
		s.wake(s.removed)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-check:
			check = nil // what was damaged stays so until the next start
			if s.check(ctx) {
				check = s.o.After(s.untilCheck())
			}
			debug.FreeOSMemory() // reading every block left much behind, and it may be quiet for hours now
		case <-snap:
			if s.snapshotDue() {
				if _, err := s.Snapshot(ctx); err != nil && ctx.Err() == nil {
					s.log.Warn("snapshot was not written", "err", err)
				}
				s.step("snapshot")
			}
			snap = s.o.After(max(s.untilSnapshot(), time.Minute))
		case <-s.removed:
			now := s.o.Now()
			if removing.IsZero() {
				removing = now
			}
			again = shrinkAgain
			if now.Sub(removing) < shrinkWithin || shrink == nil {
				shrink = s.o.After(quietFor)
			}
		case <-shrink:
			// That removals are told of seldom does not say that they ended.
			now := s.o.Now()
			if wait := quietFor - time.Duration(now.UnixNano()-s.removedAt.Load()); wait > 0 && now.Sub(removing) < shrinkWithin {
				shrink = s.o.After(min(wait, quietFor))
				continue
			}
			if wait := merged.Add(shrinkShare * took).Sub(now); wait > 0 {
				shrink = s.o.After(wait)
				continue
			}
			shrink, removing = nil, time.Time{}
			left := !s.hasRoom(mergeNeeds) // then rotating would leave a table each time that is never merged
			if !left {
				if err := s.rotate(ctx); err != nil {
					s.log.Warn("the newest removals were not written as a table", "err", err)
				}
				left = s.merge(ctx, true)
			}
			debug.FreeOSMemory()
			merged = s.o.Now()
			took = merged.Sub(now)
			if (left || s.isStale()) && shrink == nil {
				shrink = s.o.After(again)
				again = min(2*again, shrinkSeldom)
			}
			s.step("shrunk")
		case <-s.wrote:
			if tidy == nil && s.levelZero() >= tidyFrom {
				tidy, untidy = s.o.After(tidyAfter), s.o.Now()
			}
		case <-tidy:
			now := s.o.Now()
			quiet := now.UnixNano()-s.commitAt.Load() >= int64(tidyAfter)
			if !quiet && s.levelZero() < tidyAtOnce && now.Sub(untidy) < tidyWithin || now.Before(merged.Add(tidyShare*took)) {
				tidy = s.o.After(tidyAfter)
				continue
			}
			tidy = nil
			if left := s.merge(ctx, false); left {
				tidy = s.o.After(shrinkSeldom)
			}
			debug.FreeOSMemory()
			if s.isStale() && shrink == nil {
				s.wake(s.removed)
			}
			s.step("tidied")
			merged = s.o.Now()
			took = merged.Sub(now)
		}
	}
}

// untilSnapshot is how long it is until the next snapshot.
func (s *Store) untilSnapshot() time.Duration {
	if s.o.SnapshotEvery < 0 {
		return 1000 * time.Hour
	}
	snap, ok := newestSnapshot(s.o.Dir)
	if !ok {
		return min(s.o.SnapshotEvery, 10*time.Minute)
	}
	return max(s.o.SnapshotEvery-s.o.Now().Sub(snap.At), 0)
}

func (s *Store) snapshotDue() bool {
	if s.o.SnapshotEvery < 0 {
		return false
	}
	snap, ok := newestSnapshot(s.o.Dir)
	return !ok || snap.Sequence != s.readState().seq && s.o.Now().Sub(snap.At) >= s.o.SnapshotEvery
}

// untilCheck is how long it is until the next check of all tables, which costs some seconds of a core
// with a million records.
func (s *Store) untilCheck() time.Duration {
	b, err := os.ReadFile(filepath.Join(s.o.Dir, checkedName))
	if err != nil {
		return checkAfter
	}
	at, err := time.Parse(time.RFC3339, strings.TrimSpace(string(b)))
	if err != nil {
		return checkAfter
	}
	return min(max(checkEvery-s.o.Now().Sub(at), checkAfter), checkEvery)
}

// check compares every table with its checksums, and the records with their count. What it finds is
// told; the next start puts a snapshot in place of damaged tables.
func (s *Store) check(ctx context.Context) (good bool) {
	err := s.use(verifyTables)
	if ctx.Err() != nil || s.closed.Load() {
		return false
	}
	if err != nil {
		s.log.Error("store is damaged", "err", err)
		if err := writeFile(filepath.Join(s.o.Dir, damagedName), []byte("found by a check\n")); err != nil {
			s.log.Error("damage could not be noted", "err", err)
		}
		s.publish(Report{Condition: Recovered, Reason: ReasonDamage, Missing: -1,
			Text: "Part of the stored history is damaged and cannot be read. Start Signalbox again to put back the newest snapshot."})
		return false
	}
	s.checkCount()
	if err := writeFile(filepath.Join(s.o.Dir, checkedName), []byte(s.o.Now().UTC().Format(time.RFC3339)+"\n")); err != nil {
		s.log.Warn("the check was not noted", "err", err)
	}
	return true
}

// verifyTables compares every block with its checksum. Badger's own reader falls over a nil block after
// it met a bad one (4.9.6), here, where that can be caught.
func verifyTables(db *badger.DB) (err error) {
	defer caught(&err)
	return db.VerifyChecksum()
}

// checkCount compares the number of records with what the state says, both as of one moment.
func (s *Store) checkCount() {
	var l loss
	err := s.read(func(txn *badger.Txn) error {
		v, ok, err := get(txn, keyState)
		if err != nil || !ok {
			return err
		}
		st, err := decodeState(v)
		if err != nil {
			return err
		}
		n, err := countIn(txn)
		if n < st.records {
			l = loss{missing: st.records - n, to: instantTime(st.at)}
		}
		return err
	})
	if err != nil {
		s.log.Warn("records were not counted", "err", err)
		return
	}
	if l.missing > 0 {
		r := Report{Condition: Recovered}
		r.add(l)
		r.describe()
		s.log.Error("records are missing", "missing", l.missing)
		s.publish(r)
	}
}
