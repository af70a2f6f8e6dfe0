package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// Schema is the number of the layout that this version writes and the newest that it reads.
const Schema = 1

// opening is one attempt to open, with what it holds so far.
type opening struct {
	s       *Store
	dir, db string
	report  Report
	hw      mark
	hadHW   bool
	lock    *os.File
	trace   trace
	found   trace // as the last attempt left it
	noted   trace // as it is on the disk
}

func (s *Store) tryOpen(ctx context.Context) Report {
	o := &opening{s: s, dir: s.o.Dir, db: filepath.Join(s.o.Dir, "db"), report: Report{Condition: Healthy}}
	if r, ok := o.prepare(); !ok {
		return r
	}
	db, r, ok := o.open(ctx)
	if !ok {
		o.leave()
		_ = o.lock.Close()
		return r
	}
	s.step("note")
	st := s.state
	hw, err := openHighWater(o.dir, mark{seq: st.seq, at: st.at, records: st.records})
	if err != nil {
		r := o.cause(errors.Join(err, db.Close()))
		_ = o.lock.Close()
		return r
	}
	o.report.describe()
	s.mu.Lock()
	s.db, s.hw, s.lock, s.refusal = db, hw, o.lock, nil
	s.setState(st)
	s.setOpened(o.report)
	s.mu.Unlock()
	s.startMaintenance()
	s.readyOnce.Do(func() { close(s.ready) })
	return o.report
}

// prepare takes the folder: it is there, ours, local, has space, and nobody else holds it.
func (o *opening) prepare() (Report, bool) {
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return o.cause(err), false
	}
	info, err := os.Stat(o.dir)
	if err != nil {
		return o.cause(err), false
	}
	if foreign(info) {
		return refused(ReasonPermission, "The folder %s belongs to another user. Nothing can be stored until it is yours.", o.dir), false
	}
	if info.Mode().Perm() != 0o700 {
		if err := os.Chmod(o.dir, 0o700); err != nil {
			return o.cause(err), false
		}
		o.s.log.Warn("store folder was open to others; closed it")
	}
	sp, err := o.s.o.Space(o.dir)
	if err != nil {
		return o.cause(err), false
	}
	if sp.Remote {
		return refused(ReasonNetwork, "The folder %s is on a network file system (%s), where a database is not safe. Choose a folder on this computer.", o.dir, sp.Kind), false
	}
	if sp.Free < o.s.o.MinFree/2 {
		return o.full(), false
	}
	if v, err := readSchema(o.dir); err == nil && v > Schema {
		return o.newer(), false
	}
	f, err := os.OpenFile(filepath.Join(o.dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return o.cause(err), false
	}
	busy, err := lockFile(f)
	if err == nil && !busy {
		o.lock = f
		return Report{}, true
	}
	_ = f.Close()
	if busy {
		return refused(ReasonBusy, "Another Signalbox has the store in %s open.", o.dir), false
	}
	return o.cause(err), false
}

func (o *opening) newer() Report {
	return refused(ReasonNewer, "The store in %s was written by a newer version of Signalbox. It is left as it is; update Signalbox to use it.", o.dir)
}

func (o *opening) full() Report {
	return refused(ReasonSpace, "The disk is full, so the notification store in %s cannot be opened. It is opened by itself when there is space again.", o.dir)
}

// cause turns an error of the system into a refusal.
func (o *opening) cause(err error) Report {
	o.s.log.Error("store cannot be opened", "err", err)
	switch {
	case errors.Is(err, context.Canceled):
		return refused(ReasonOpening, "%s", textReading)
	case noSpace(err), errors.Is(err, errNoRoom):
		return o.full()
	case readOnly(err):
		return refused(ReasonReadOnly, "The folder %s is read-only, so nothing can be stored.", o.dir)
	case errors.Is(err, fs.ErrPermission):
		return refused(ReasonPermission, "Signalbox is not allowed to write to the folder %s, so nothing can be stored.", o.dir)
	}
	return refused(ReasonDisk, "The folder %s cannot be used, so nothing can be stored.", o.dir)
}

// giveUpAfter is how many opens may die before a folder that looks sound is moved aside. One can be
// somebody who pulled the plug; two in a row are the folder.
const giveUpAfter = 2

// open gets a database out of the folder, whatever became of it.
func (o *opening) open(ctx context.Context) (*badger.DB, Report, bool) {
	var err error
	if o.hw, o.hadHW, err = readHighWater(o.dir); err != nil {
		return nil, o.cause(err), false
	}
	if err := o.readTrace(); err != nil {
		return nil, o.cause(err), false
	}
	if o.trace.replace {
		return o.replace(ctx, errors.New("it was being replaced"))
	}
	died := o.trace.opens
	suspect := fileExists(o.dir, damagedName)
	o.s.step("inspect")
	pre, err := inspect(ctx, o.db, badgerOptions(o.db, o.s.log, nil), died > 0 || suspect)
	if err != nil {
		return nil, o.cause(err), false
	}
	if pre.damage == nil && died >= giveUpAfter && pre.data {
		pre.damage = fmt.Errorf("%d opens in a row did not come to an end", died)
	}
	if pre.damage == nil && !pre.data && o.hw.seq > 0 {
		pre.damage = errors.New("the database folder is gone")
	}
	if pre.damage != nil {
		return o.replace(ctx, pre.damage)
	}
	counted := pre.torn || o.hadHW && !o.hw.clean && pre.data
	if counted || died > 0 {
		o.keepCopy()
		if err := removeFile(filepath.Join(o.dir, checkedName)); err != nil {
			return nil, o.cause(err), false
		}
	}
	db, err := o.openBadger(false)
	if err != nil {
		if r, ok := o.passing(err); ok {
			return nil, r, false
		}
		return o.replace(ctx, err)
	}
	o.s.step("adopt")
	err = o.s.adopt(db)
	if errors.Is(err, errNewer) {
		_ = db.Close()
		return nil, o.newer(), false
	}
	if err == nil {
		err = o.account(ctx, db, counted, pre.torn)
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		_ = db.Close()
		if r, ok := o.passing(err); ok {
			return nil, r, false
		}
		return o.replace(ctx, err)
	}
	if err := o.settle(); err != nil {
		return nil, o.cause(errors.Join(err, db.Close())), false
	}
	return db, Report{}, true
}

// passing reports whether err is the system's and not the database's.
func (o *opening) passing(err error) (Report, bool) {
	if noSpace(err) || errors.Is(err, errNoRoom) || readOnly(err) || errors.Is(err, fs.ErrPermission) || errors.Is(err, context.Canceled) {
		return o.cause(err), true
	}
	if isBusy(err) {
		return refused(ReasonBusy, "Another program has the database in %s open.", o.db), true
	}
	return Report{}, false
}

// isBusy reports whether another process has Badger's folder open.
func isBusy(err error) bool { return strings.Contains(err.Error(), "Cannot acquire directory lock") }

// openBadger leaves a trace while it is at it; loads: for loadSnapshot. A log of no length, which a crash between making
// and writing it leaves, fails the first open and not the second.
func (o *opening) openBadger(loads bool) (*badger.DB, error) {
	o.trace.opens = o.found.opens + 1
	if o.trace.salvage {
		if err := os.RemoveAll(o.logCopies()); err != nil {
			return nil, err
		}
	}
	if err := o.note(); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.db, 0o700); err != nil {
		return nil, err
	}
	bo := badgerOptions(o.db, o.s.log, &o.s.merger).WithSyncWrites(!syncsLogs && !o.s.o.Unsynced)
	if loads {
		bo = bo.WithBaseTableSize(loadTable >> (bo.MaxLevels - 2)) // of the first level; they are twice as large in each
	}
	o.s.step("open")
	db, err := badger.Open(bo)
	if err != nil && strings.Contains(err.Error(), "Create a new file") {
		db, err = badger.Open(bo)
	}
	if err != nil {
		if isBusy(err) {
			o.trace.kept = false // nothing was cut off, and the other must find its folder
		}
		return nil, fmt.Errorf("open database: %w", err)
	}
	o.s.views.reset() // an attempt before may have failed in the middle of a write
	return db, nil
}

// behind reports whether a change that was acknowledged is not there.
func (o *opening) behind() bool { return o.hadHW && o.s.state.seq < o.hw.seq }

// account compares what was found with what was acknowledged.
func (o *opening) account(ctx context.Context, db *badger.DB, count, torn bool) error {
	s := o.s
	if o.behind() {
		s.working(textMending)
	}
	// A snapshot that is ahead of what was found is the better one.
	if snap, ok := newestSnapshot(o.dir); ok && o.behind() && snap.Sequence > s.state.seq {
		return fmt.Errorf("only %d of %d changes were found: %w", s.state.seq, o.hw.seq, errBehind)
	}
	if o.behind() {
		kept := ""
		if o.trace.kept {
			kept = o.before()
		}
		if o.salvage(ctx, db, kept); o.report.Salvaged > 0 {
			o.report.Condition, o.report.Reason = Recovered, ReasonDamage
			count = true
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	st := s.state
	if o.behind() {
		o.report.lost(o.hw.seq-st.seq, instantTime(st.at), instantTime(o.hw.at))
		count = true
	}
	if count {
		holes, err := countLog(ctx, db, st)
		if err != nil {
			return err
		}
		o.report.add(holes)
	}
	if count && (torn || o.report.Condition == Recovered) {
		fixed, missing, err := s.repair(ctx, db, st)
		if err != nil {
			return err
		}
		st.records = fixed
		if missing > 0 && o.report.Missing == 0 {
			o.report.lost(missing, time.Time{}, instantTime(max(o.hw.at, st.at)))
		}
	}
	if o.report.Condition != Recovered {
		return nil
	}
	// The index knows what is gone, and where records were in the lists that are older now.
	if err := os.RemoveAll(indexDir(o.dir)); err != nil {
		return err
	}
	return s.jump(db, st, o.hw.seq)
}

var errBehind = errors.New("a snapshot is newer")
