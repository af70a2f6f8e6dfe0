package index

import (
	"cmp"
	"errors"
	"math"
)

// Place is where a document is in the order of lists: by At, then by ID.
type Place struct {
	At int64 // nanoseconds
	ID string
}

// End is after every place.
var End = Place{At: math.MaxInt64, ID: "\U0010ffff\U0010ffff"}

// Compare orders places, oldest first.
func (p Place) Compare(q Place) int {
	return cmp.Or(cmp.Compare(p.At, q.At), cmp.Compare(p.ID, q.ID))
}

// Doc is a document: terms are sorted, each once.
type Doc struct {
	Place
	Terms []string
}

// Op is one step: what is at Remove goes, then Add comes. Either may be nil.
type Op struct {
	Remove *Place
	Add    *Doc
}

// Query says which documents to find: those that have one term at least of every group of All, and for
// every prefix a term that starts with it, and none of None, at or after Since and before Until.
type Query struct {
	All      [][]string
	Prefixes []string
	None     []string
	Since    int64
	Until    int64
}

// ErrDamaged says that a file of the index cannot be read as it was written.
var ErrDamaged = errors.New("the search index is damaged")
