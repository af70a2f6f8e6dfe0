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
	// To put back, and to make again; nothing is lost by waiting for it. What an earlier attempt made gives its room first.
	if !o.trace.replace && !o.room(0) {
		return nil, o.full(), false
	}
	o.report = Report{Condition: Recovered, Reason: ReasonDamage}
	s.step("replace")
	err := errors.Join(o.away(), os.RemoveAll(indexDir(o.dir)), removeFile(filepath.Join(o.dir, checkedName)))
	if err != nil {
		return nil, o.cause(err), false
	}
	for _, snap := range snapshots(o.dir) {
		s.working(restoring(snap.At))
		db, err := o.restore(ctx, snap)
		if err == nil {
			return o.replaced(ctx, db)
		}
		if r, ok := o.passing(err); ok {
			return nil, r, false
		}
		s.log.Error("snapshot cannot be put back", "err", err)
		if err := os.RemoveAll(o.db); err != nil {
			return nil, o.cause(err), false
		}
	}
	s.working(textMending)
	o.report.Emptied = true
	db, err := o.openBadger(false)
	if err != nil {
		return nil, o.cause(err), false
	}
	if err := s.adopt(db); err != nil {
		return nil, o.cause(errors.Join(err, db.Close())), false
	}
	return o.replaced(ctx, db)
}

func (o *opening) restore(ctx context.Context, snap snapshotFile) (*badger.DB, error) {
	db, err := o.openBadger(true)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(o.loadSnapshot(ctx, db, snap.Path), db.Close()); err != nil {
		return nil, err
	}
	if db, err = o.openBadger(false); err != nil {
		return nil, err
	}
	if err := o.s.adopt(db); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	o.report.Snapshot = snap.At
	o.s.step("restored")
	return db, nil
}

// replaced makes what is newer than db again, and counts what is missing then.
func (o *opening) replaced(ctx context.Context, db *badger.DB) (*badger.DB, Report, bool) {
	o.salvage(ctx, db, o.report.Aside)
	if err := ctx.Err(); err != nil {
		return nil, o.cause(errors.Join(err, db.Close())), false
	}
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
		err = o.settle()
	}
	if err != nil {
		return nil, o.cause(errors.Join(err, db.Close())), false
	}
	return db, Report{}, true
}
