package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Restore puts the snapshot at path in the place of the store in o.Dir. What was there is moved
// aside and kept. It is refused while a center has the store open, and when the snapshot is
// incomplete or written by a newer version. Numbers of changes go on where the old store was, so
// that no reader takes a new change for one it has seen. What fails or is canceled leaves the store as it was; after a
// kill in the middle the next start puts together what there was.
func Restore(ctx context.Context, o Options, path string) (SnapshotInfo, error) {
	return newStore(o).restore(ctx, path)
}

func (s *Store) restore(ctx context.Context, path string) (SnapshotInfo, error) {
	f, err := os.Open(path)
	if err != nil {
		return SnapshotInfo{}, fmt.Errorf("open snapshot: %w", err)
	}
	defer f.Close()
	info, err := VerifySnapshot(ctx, f)
	if err != nil {
		return info, err
	}
	op := &opening{s: s, dir: s.o.Dir, db: filepath.Join(s.o.Dir, "db"), report: Report{Condition: Healthy}}
	if r, ok := op.prepare(); !ok {
		return info, r.refusal()
	}
	defer op.lock.Close()
	if op.hw, op.hadHW, err = readHighWater(s.o.Dir); err != nil {
		return info, err
	}
	if err := op.readTrace(); err != nil {
		return info, err
	}
	if err := op.put(ctx, snapshotFile{info, path}); err != nil {
		return info, errors.Join(err, op.comeBack())
	}
	st := s.state
	hw, err := openHighWater(s.o.Dir, mark{seq: st.seq, at: st.at, records: st.records})
	if err != nil {
		return info, err
	}
	return info, hw.close(true)
}

// put puts a snapshot in the place of the folder.
func (o *opening) put(ctx context.Context, snap snapshotFile) error {
	if err := errors.Join(o.away(), os.RemoveAll(indexDir(o.dir))); err != nil {
		return err
	}
	db, err := o.restore(ctx, snap)
	if err != nil {
		return err
	}
	err = o.s.jump(db, o.s.state, o.hw.seq)
	if err := errors.Join(err, db.Close(), ctx.Err()); err != nil {
		return err
	}
	return o.settle()
}

// comeBack undoes a put that failed.
func (o *opening) comeBack() error {
	if !o.trace.replace || o.found.replace {
		return nil // nothing was moved, or what there was is still to be replaced
	}
	if err := os.RemoveAll(o.db); err != nil {
		return err
	}
	if o.report.Aside != "" {
		if err := os.Rename(o.report.Aside, o.db); err != nil {
			return err
		}
	}
	o.trace = o.found
	return o.note()
}
