package store

import (
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// What is committed to Badger can be read before it is on the disk, and a commit that went through the journal is
// applied part by part. Until it is on the disk, and whole, everybody reads the store as it was before: while
// somebody writes, views hands out a reading transaction of the newest moment of which all is on the disk instead
// of new ones. So who was told that something is stored also reads it, and nobody reads what a power cut may take.
type views struct {
	mu      sync.RWMutex // protects what follows, and the beginning of a transaction against it
	writers int          // how many are between the beginning of a write and its end
	held    *view        // what is read while there are writers
	pinned  bool         // a commit is applied in parts: held stays until it is whole
}

// view is a reading transaction that several use; the last one ends it. (Reading from one in several
// goroutines is safe: only a writing transaction keeps notes.)
type view struct {
	txn  *badger.Txn
	mu   sync.Mutex // protects uses
	uses int
}

// reset forgets what was written to a database that is open no more.
func (vs *views) reset() {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.writers, vs.held, vs.pinned = 0, nil, false
}

func newView(db *badger.DB) *view { return &view{txn: db.NewTransaction(false), uses: 1} }

func (v *view) use() *view {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.uses++
	return v
}

// end lets go of a view; nil is none.
func (v *view) end() {
	if v == nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.uses--; v.uses == 0 {
		v.txn.Discard()
	}
}

// begin starts to read; the caller ends the view.
func (vs *views) begin(db *badger.DB) *view {
	vs.mu.RLock()
	defer vs.mu.RUnlock()
	if vs.held != nil {
		return vs.held.use()
	}
	return newView(db)
}

// enter begins a write: it is not seen before the next advance that began after it was committed, and leave. Who
// does not know how much of it is on the disk never leaves, and nobody sees any of it.
func (vs *views) enter(db *badger.DB) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	if vs.writers++; vs.held == nil {
		vs.held = newView(db)
	}
}

// pin keeps what is read as it is, until unpin; the caller has entered.
func (vs *views) pin() { vs.setPinned(true) }

// unpin ends pin; what was written since is whole.
func (vs *views) unpin() { vs.setPinned(false) }

func (vs *views) setPinned(to bool) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.pinned = to
}

// next is what may be read when all that is committed now is on the disk; nil: nothing new. It is handed to
// advance, or ended.
func (vs *views) next(db *badger.DB) *view {
	vs.mu.RLock()
	defer vs.mu.RUnlock()
	if vs.writers == 0 || vs.pinned {
		return nil
	}
	return newView(db)
}

// advance lets v be read: what it holds is on the disk.
func (vs *views) advance(v *view) {
	if v == nil {
		return
	}
	vs.mu.Lock()
	if vs.writers == 0 || vs.pinned {
		vs.mu.Unlock()
		v.end()
		return
	}
	old := vs.held
	vs.held = v
	vs.mu.Unlock()
	old.end()
}

// leave ends a write. With the last one, everybody reads what is newest.
func (vs *views) leave() {
	vs.mu.Lock()
	vs.writers--
	var old *view
	if vs.writers == 0 {
		old, vs.held = vs.held, nil
	}
	vs.mu.Unlock()
	old.end()
}
