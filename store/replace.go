package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// replace moves the folder aside and puts the newest good snapshot in its place.
func (o *opening) replace(ctx context.Context, why error) (*badger.DB, Report, bool) {
	s := o.s
	s.log.Error("store is damaged", "err", why)
	if !o.room(0) { // to put back, and to make again; nothing is lost by waiting for it
		return nil, o.full(), false
	}
	o.report = Report{Condition: Recovered, Reason: ReasonDamage}
	s.step("replace")
	from := o.db
	if o.kept != "" {
		// Badger has been at it: what is worth keeping is the copy from before.
		if err := os.RemoveAll(o.db); err != nil {
			return nil, o.cause(err), false
		}
		from = o.kept
	}
	if _, err := os.Lstat(from); err == nil {
		aside, err := moveAside(o.dir, from, s.o.Now())
		if err != nil {
			return nil, o.cause(err), false
		}
		o.report.Aside = aside
	}
	if err := errors.Join(os.RemoveAll(indexDir(o.dir)), removeFile(filepath.Join(o.dir, checkedName))); err != nil {
		return nil, o.cause(err), false
	}
	for _, snap := range snapshots(o.dir) {
		db, err := o.restore(ctx, snap)
		if err == nil {
			o.salvage(ctx, db, o.report.Aside)
			return o.replaced(db)
		}
		if r, ok := o.passing(err); ok {
			return nil, r, false
		}
		s.log.Error("snapshot cannot be put back", "err", err)
		if err := os.RemoveAll(o.db); err != nil {
			return nil, o.cause(err), false
		}
	}
	o.report.Emptied = true
	db, err := o.openBadger(0)
	if err != nil {
		return nil, o.cause(err), false
	}
	if err := s.adopt(db); err != nil {
		return nil, o.cause(errors.Join(err, db.Close())), false
	}
	o.salvage(ctx, db, o.report.Aside)
	return o.replaced(db)
}

func (o *opening) restore(ctx context.Context, snap snapshotFile) (*badger.DB, error) {
	db, err := o.openBadger(0)
	if err != nil {
		return nil, err
	}
	if err = loadSnapshot(ctx, db, snap.Path); err == nil {
		err = o.s.adopt(db)
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	o.report.Snapshot = snap.At
	o.s.step("restored")
	return db, nil
}

func (o *opening) replaced(db *badger.DB) (*badger.DB, Report, bool) {
	st := o.s.state
	switch {
	case !o.hadHW:
		o.report.lost(-1, instantTime(st.at), o.s.o.Now())
	case o.hw.seq > st.seq:
		var from time.Time
		if st.seq > 0 {
			from = instantTime(st.at)
		}
		o.report.lost(o.hw.seq-st.seq, from, instantTime(o.hw.at))
	}
	err := o.s.jump(db, st, o.hw.seq)
	if err == nil {
		err = errors.Join(removeFile(o.sentinel()), removeFile(filepath.Join(o.dir, damagedName)))
	}
	if err != nil {
		return nil, o.cause(errors.Join(err, db.Close())), false
	}
	return db, Report{}, true
}
