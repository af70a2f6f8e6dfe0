package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/dgraph-io/badger/v4"
)

// Schema is the number of the layout that this version writes and the newest that it reads.
const Schema = 1

// Open opens the store in o.Dir. It always returns a store: where the folder can't be used, or
// holds what this version must not touch, the report says so and the store is empty and refuses
// writes. Where the reason can go away, opening is tried again by itself; Ready tells when it worked.
// The caller closes the store.
func Open(ctx context.Context, o Options) (*Store, Report) {
	s := newStore(o)
	r := s.tryOpen(ctx)
	if r.Condition == Refused {
		s.mu.Lock()
		s.refusal = r.refusal()
		s.mu.Unlock()
		s.log.Error("store is not open", "reason", r.Reason)
		if r.Reason.passes() {
			s.retry.start(s.o.RetryEvery, s.reopen)
		}
	}
	s.setOpened(r)
	return s, r
}

// reopen tries once more what was refused.
func (s *Store) reopen() (again bool) {
	if s.closed.Load() {
		return false
	}
	r := s.tryOpen(context.Background())
	if r.Condition == Refused {
		s.mu.Lock()
		s.refusal = r.refusal()
		s.mu.Unlock()
		if r.Text != s.Report().Text {
			s.publish(r)
		}
		return r.Reason.passes()
	}
	s.setOpened(r)
	s.publish(r)
	return false
}

// opening is one attempt to open, with what it holds so far.
type opening struct {
	s       *Store
	dir, db string
	report  Report
	hw      mark
	hadHW   bool
	lock    *os.File
	kept    string // a copy of the folder as it was before it was opened; empty: none
	opens   int    // how many opens in a row came to no end so far, with this one
	// salvageDied: one of them was at salvaging.
	salvageDied bool
}

func (s *Store) tryOpen(ctx context.Context) Report {
	o := &opening{s: s, dir: s.o.Dir, db: filepath.Join(s.o.Dir, "db"), report: Report{Condition: Healthy}}
	if r, ok := o.prepare(); !ok {
		return r
	}
	db, r, ok := o.open(ctx)
	if !ok {
		if o.lock != nil {
			_ = o.lock.Close()
		}
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
	case noSpace(err):
		return o.full()
	case readOnly(err):
		return refused(ReasonReadOnly, "The folder %s is read-only, so nothing can be stored.", o.dir)
	case errors.Is(err, fs.ErrPermission):
		return refused(ReasonPermission, "Signalbox is not allowed to write to the folder %s, so nothing can be stored.", o.dir)
	}
	return refused(ReasonDisk, "The folder %s cannot be used, so nothing can be stored.", o.dir)
}

func (o *opening) sentinel() string { return filepath.Join(o.dir, "opening") }

// salvaging in the sentinel says that an open died while it salvaged, or is at it.
const salvaging = "salvage"

// died is how many opens in a row did not come to an end.
func (o *opening) died() int {
	b, err := os.ReadFile(o.sentinel())
	if err != nil {
		return 0
	}
	number, what, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	o.salvageDied = what == salvaging
	n, err := strconv.Atoi(number)
	if err != nil {
		return 1
	}
	return max(n, 1)
}

// writeSentinel says which open in a row this is, and what it is at; empty: nothing to remember.
func (o *opening) writeSentinel(what string) error {
	return writeFile(o.sentinel(), []byte(strings.TrimSpace(strconv.Itoa(o.opens)+" "+what)+"\n"))
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
	died := o.died()
	suspect := fileExists(o.dir, damagedName)
	o.s.step("inspect")
	pre, err := inspect(o.db, badgerOptions(o.db, o.s.log, nil), died > 0 || suspect)
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
	db, err := o.openBadger(died)
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
	if err != nil {
		_ = db.Close()
		if r, ok := o.passing(err); ok {
			return nil, r, false
		}
		return o.replace(ctx, err)
	}
	o.s.step("settle")
	if err := errors.Join(removeFile(o.sentinel()), removeFile(filepath.Join(o.dir, damagedName))); err != nil {
		return nil, o.cause(errors.Join(err, db.Close())), false
	}
	return db, Report{}, true
}

// passing reports whether err is the system's and not the database's.
func (o *opening) passing(err error) (Report, bool) {
	if noSpace(err) || readOnly(err) || errors.Is(err, fs.ErrPermission) {
		return o.cause(err), true
	}
	if strings.Contains(err.Error(), "Cannot acquire directory lock") {
		return refused(ReasonBusy, "Another program has the database in %s open.", o.db), true
	}
	return Report{}, false
}

// openBadger leaves a sentinel while it is at it. A log of no length, which a crash between making
// and writing it leaves, fails the first open and not the second.
func (o *opening) openBadger(died int) (*badger.DB, error) {
	o.opens = died + 1
	what := ""
	if o.salvageDied {
		what = salvaging
		if err := os.RemoveAll(o.logCopies()); err != nil {
			return nil, err
		}
	}
	if err := o.writeSentinel(what); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.db, 0o700); err != nil {
		return nil, err
	}
	bo := badgerOptions(o.db, o.s.log, &o.s.merger).WithSyncWrites(!syncsLogs && !o.s.o.Unsynced)
	o.s.step("open")
	db, err := badger.Open(bo)
	if err != nil && strings.Contains(err.Error(), "Create a new file") {
		db, err = badger.Open(bo)
	}
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	o.s.views.reset() // an attempt before may have failed in the middle of a write
	return db, nil
}

// keepCopy keeps the folder as it is before Badger cuts from it what it cannot read.
func (o *opening) keepCopy() {
	to := filepath.Join(o.dir, "db.before")
	err := errors.Join(os.RemoveAll(to), keep(o.db, to))
	if err != nil {
		o.s.log.Warn("no copy of the folder before opening", "err", err)
		_ = os.RemoveAll(to)
		return
	}
	o.kept = to
}

// behind reports whether a change that was acknowledged is not there.
func (o *opening) behind() bool { return o.hadHW && o.s.state.seq < o.hw.seq }

// account compares what was found with what was acknowledged.
func (o *opening) account(ctx context.Context, db *badger.DB, count, torn bool) error {
	s := o.s
	// A snapshot that is ahead of what was found is the better one.
	if snap, ok := newestSnapshot(o.dir); ok && o.behind() && snap.Sequence > s.state.seq {
		return fmt.Errorf("only %d of %d changes were found: %w", s.state.seq, o.hw.seq, errBehind)
	}
	if o.behind() {
		if o.salvage(ctx, db, o.kept); o.report.Salvaged > 0 {
			o.report.Condition, o.report.Reason = Recovered, ReasonDamage
			count = true
		}
	}
	st := s.state
	if o.behind() {
		o.report.lost(o.hw.seq-st.seq, instantTime(st.at), instantTime(o.hw.at))
		count = true
	}
	if count {
		holes, err := countLog(db, st)
		if err != nil {
			return err
		}
		o.report.add(holes)
	}
	if count && (torn || o.report.Condition == Recovered) {
		fixed, missing, err := s.repair(db, st)
		if err != nil {
			return err
		}
		st.records = fixed
		if missing > 0 && o.report.Missing == 0 {
			o.report.lost(missing, time.Time{}, instantTime(max(o.hw.at, st.at)))
		}
	}
	if o.report.Condition != Recovered {
		return os.RemoveAll(filepath.Join(o.dir, "db.before"))
	}
	if o.kept != "" {
		to := asideName(o.dir, s.o.Now())
		if err := os.Rename(o.kept, to); err != nil {
			return err
		}
		o.report.Aside = to
		if err := pruneAside(o.dir); err != nil {
			return err
		}
	}
	// The index knows what is gone, and where records were in the lists that are older now.
	if err := os.RemoveAll(indexDir(o.dir)); err != nil {
		return err
	}
	return s.jump(db, st, o.hw.seq)
}

var errBehind = errors.New("a snapshot is newer")
