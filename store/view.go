package store

import (
	"sync"

	"github.com/dgraph-io/badger/v4"
)

// A commit that went through the journal is applied part by part. Until it is whole, everybody reads the
// store as it was before: views hands out a reading transaction of that moment instead of new ones.
type views struct {
	mu   sync.RWMutex // protects held, and the beginning of a transaction against hold
	held *view        // nil: everybody reads what is newest
}

// view is a reading transaction that several use; the last one ends it. (Reading from one in several
// goroutines is safe: only a writing transaction keeps notes.)
type view struct {
	txn  *badger.Txn
	mu   sync.Mutex // protects uses
	uses int
}

func (v *view) use() *view {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.uses++
	return v
}

func (v *view) end() {
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
	return &view{txn: db.NewTransaction(false), uses: 1}
}

// hold lets everybody who begins to read from now on read what is there now, until release is called.
func (vs *views) hold(db *badger.DB) (release func()) {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	vs.held = &view{txn: db.NewTransaction(false), uses: 1}
	return func() {
		vs.mu.Lock()
		v := vs.held
		vs.held = nil
		vs.mu.Unlock()
		v.end()
	}
}
