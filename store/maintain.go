package store

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// damagedName is a file that says that a check found damage while the store was open: the next
// start reads every table and puts a snapshot in place.
const damagedName = "damaged"

// The pace of what a store does for itself.
const (
	checkAfter   = 15 * time.Second // after the start, when what shows at once has been shown
	quietFor     = 5 * time.Second  // without a removal before space is given back
	shrinkWithin = 3 * time.Minute  // even if removals go on
	shrinkFrom   = 5000             // removed records that are worth it
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

func (s *Store) stopMaintenance() {
	s.mu.RLock()
	cancel := s.endMaintenance
	s.mu.RUnlock()
	if cancel != nil {
		cancel()
	}
	s.maintenance.Wait()
}

// maintain checks the tables once, writes snapshots when they are due, and gives space back after
// records were removed. It sleeps in between.
func (s *Store) maintain(ctx context.Context) {
	check := s.o.After(checkAfter)
	snap := s.o.After(s.untilSnapshot())
	var shrink <-chan time.Time
	var removing time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-check:
			check = nil
			s.check(ctx)
		case <-snap:
			if s.snapshotDue() {
				if _, err := s.Snapshot(ctx); err != nil && ctx.Err() == nil {
					s.log.Warn("snapshot was not written", "err", err)
				}
			}
			snap = s.o.After(max(s.untilSnapshot(), time.Minute))
		case <-s.removed:
			now := s.o.Now()
			if removing.IsZero() {
				removing = now
			}
			if now.Sub(removing) < shrinkWithin || shrink == nil {
				shrink = s.o.After(quietFor)
			}
		case <-shrink:
			shrink, removing = nil, time.Time{}
			s.shrink()
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

// check compares every table with its checksums, and the records with their count. What it finds is
// told; the next start puts a snapshot in place of damaged tables.
func (s *Store) check(ctx context.Context) {
	err := s.use(func(db *badger.DB) error { return db.VerifyChecksum() })
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.log.Error("store is damaged", "err", err)
		if err := writeFile(filepath.Join(s.o.Dir, damagedName), []byte("found by a check\n")); err != nil {
			s.log.Error("damage could not be noted", "err", err)
		}
		s.publish(Report{Condition: Recovered, Reason: ReasonDamage, Missing: -1,
			Text: "Part of the stored history is damaged and cannot be read. Start Signalbox again to put back the newest snapshot."})
		return
	}
	s.checkCount()
}

// checkCount compares the number of records with what the state says, both as of one moment.
func (s *Store) checkCount() {
	var l loss
	err := s.use(func(db *badger.DB) error {
		return db.View(func(txn *badger.Txn) error {
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

// shrink gives back the space of what was removed. It waits for quiet, because moving tables takes
// the disk from those who publish, and is left when the disk has no room to move them.
func (s *Store) shrink() {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.db == nil {
		return
	}
	const most = 256 << 20
	lsm, _ := s.db.Size()
	if sp, err := s.o.Space(s.o.Dir); err != nil || sp.Free < s.o.MinFree+min(lsm, most) {
		s.log.Warn("no room to give space back")
		return
	}
	if err := s.db.Flatten(1); err != nil {
		s.log.Warn("space was not given back", "err", err)
	}
	for {
		if err := s.db.RunValueLogGC(0.5); err != nil {
			if !errors.Is(err, badger.ErrNoRewrite) && !errors.Is(err, badger.ErrRejected) {
				s.log.Warn("value log was not collected", "err", err)
			}
			return
		}
	}
}
