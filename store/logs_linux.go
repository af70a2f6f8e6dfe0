package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/dgraph-io/badger/v4"
	"golang.org/x/sys/unix"
)

// syncsLogs says that a commit waits for the disk here and not in Badger. Badger waits for its value log as
// well, which holds nothing in this store, and a disk takes as long to say so as to write a commit.
const syncsLogs = true

// logs waits for the disk. The zero value is ready.
//
// What was committed is in a log, or in a table that was synced and named by the manifest before its log was
// removed. Badger may begin another log with any commit, and numbers them in a row; it takes many commits to fill
// one, so none comes and goes between two. So the log that is held here is the newest for as long as the next one is
// not there; when it is, all that are there are waited for. For a mapped file fdatasync is, on Linux, what msync is.
//
// Who comes while the disk is waited for waits for the next time together with all others who came: each takes
// a number, after it was committed, and every wait notes the highest number that it began after.
type logs struct {
	asked atomic.Int64 // the last number that was taken
	large atomic.Bool  // values went to the value log since the last wait began
	held  atomic.Int64 // see room

	mu     sync.Mutex // protects the rest, also while the disk is waited for
	done   int64      // the highest number whose commit is on the disk
	db     *badger.DB // whose logs they are
	newest *os.File   // nil: it has to be looked for
	next   string     // the name of the log that follows it
	failed error      // a failure of db's logs: there is no getting over it

	wait func(f *os.File) error // waits for a file's content; nil: syncData
}

const logExt = ".mem"

// noteLarge says that a value was committed to the value log. Only after the commit: a wait that takes the note before
// would not find the value there. And before sync, so that the wait that answers it knows.
func (l *logs) noteLarge() { l.large.Store(true) }

// sync returns when all that was committed to db before the call is on the disk, and lets vs be read as of then.
// After a failure it fails for ever: the system tells once of what it could not write, and takes it for written
// afterwards.
func (l *logs) sync(db *badger.DB, vs *views) error {
	number := l.asked.Add(1)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.db != db {
		l.forget()
		l.db, l.failed, l.done = db, nil, 0
	}
	if l.failed != nil || l.done >= number {
		return l.failed
	}
	began := l.asked.Load()
	next := vs.next(db)
	l.failed = l.syncNew(db.Opts().Dir, l.large.Swap(false))
	if l.failed != nil {
		next.end()
		return l.failed
	}
	l.done = began
	vs.advance(next)
	return nil
}

// syncNew waits for what may have been written since the last time.
func (l *logs) syncNew(dir string, large bool) error {
	if l.newest != nil && !large && !l.over() {
		return l.syncFile(l.newest)
	}
	l.forget()
	return l.syncAll(dir, large)
}

func (l *logs) syncFile(f *os.File) error {
	if l.wait != nil {
		return l.wait(f)
	}
	return syncData(f)
}

// over reports whether the newest log is the newest no more.
func (l *logs) over() bool {
	var st unix.Stat_t
	return unix.Fstat(int(l.newest.Fd()), &st) != nil || st.Nlink == 0 || !errors.Is(unix.Access(l.next, unix.F_OK), unix.ENOENT)
}

// syncAll waits for all that are there, and holds the newest.
func (l *logs) syncAll(dir string, large bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("sync logs: %w", err)
	}
	highest := -1
	for _, e := range entries {
		name, isLog := strings.CutSuffix(e.Name(), logExt)
		if !isLog && !(large && filepath.Ext(e.Name()) == ".vlog") {
			continue
		}
		f, err := os.OpenFile(filepath.Join(dir, e.Name()), os.O_RDWR, 0)
		if errors.Is(err, os.ErrNotExist) {
			continue // it became a table
		}
		if err != nil {
			return fmt.Errorf("sync logs: %w", err)
		}
		if err := l.syncFile(f); err != nil {
			return fmt.Errorf("sync logs: %w", errors.Join(err, f.Close()))
		}
		if n, err := strconv.Atoi(name); isLog && err == nil && n > highest {
			l.forget()
			highest, l.newest, l.next = n, f, filepath.Join(dir, fmt.Sprintf("%05d%s", n+1, logExt))
			continue
		}
		_ = f.Close()
	}
	if l.newest != nil && !l.over() { // what is removed must not keep room
		l.reserve()
	}
	return nil
}

// logRoom is what Badger writes to a log before it begins another: a memtable, and the commit that fills it.
const logRoom = memTable + memTable/4

// reserve lets the disk keep room for what is still to be written to the newest log, after its first commit. Badger maps
// it, and a page of which the disk has no room ends the process; somebody else may fill the disk quicker than is looked.
// A disk that cannot do that, or has no room any more, is no failure: writable sees to it.
func (l *logs) reserve() {
	for {
		err := unix.Fallocate(int(l.newest.Fd()), unix.FALLOC_FL_KEEP_SIZE, 0, logRoom)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err == nil {
			l.held.Store(logRoom)
		}
		return
	}
}

// room is how much of the disk is kept already for what comes next.
func (l *logs) room() int64 { return l.held.Load() }

// forget lets go of the log that is held.
func (l *logs) forget() {
	if l.newest != nil {
		_ = l.newest.Close() // what was in it is synced
		l.newest = nil
		l.held.Store(0)
	}
}

func (l *logs) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget()
	l.db = nil
}

// syncData waits for a file's content.
func syncData(f *os.File) error {
	for {
		err := unix.Fdatasync(int(f.Fd()))
		if !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
