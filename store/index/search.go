package index

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }
func le64(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// source yields places, newest first.
type source interface {
	// next returns the next place; ok is false at the end.
	next() (p Place, ok bool, err error)
}

// hits is what a segment has for a query, read from the newest end.
type hits struct {
	seg     *segment
	all     bool // every document: set is not looked at
	it      roaring.IntIterable
	doc     int64 // with all: the next to look at
	low     int64
	skip    []*roaring.Bitmap
	deleted *roaring.Bitmap
}

func (h *hits) next() (p Place, ok bool, err error) {
	for {
		var doc uint32
		if h.all {
			if h.doc < h.low {
				return p, false, nil
			}
			doc = uint32(h.doc)
			h.doc--
		} else {
			if !h.it.HasNext() {
				return p, false, nil
			}
			doc = h.it.Next()
			if int64(doc) < h.low {
				return p, false, nil
			}
		}
		if h.deleted.Contains(doc) || slices.ContainsFunc(h.skip, func(s *roaring.Bitmap) bool { return s.Contains(doc) }) {
			continue
		}
		p, err = h.seg.place(doc)
		return p, err == nil, err
	}
}

// few is a number of documents that is looked at one by one sooner than as a set.
const few = 256

// group is a condition of a query within one segment.
type group struct {
	entries []entry
	prefix  string // with no entries
	n       uint64
}

// search evaluates q in a segment, for places before p.
func (s *segment) search(q *Query, p Place) (source, error) {
	n := uint64(s.foot.Docs)
	high, err := s.rank(p)
	if err != nil {
		return nil, err
	}
	if until := (Place{At: q.Until}); until.Compare(p) < 0 {
		if high, err = s.rank(until); err != nil {
			return nil, err
		}
	}
	low, err := s.rank(Place{At: q.Since})
	if err != nil || low >= high {
		return nil, err
	}
	var groups []group
	for _, alternatives := range q.All {
		var g group
		for _, term := range alternatives {
			e, ok, err := s.lookup(term)
			if err != nil {
				return nil, err
			}
			if ok {
				g.entries = append(g.entries, e)
				g.n += uint64(e.n)
			}
		}
		if len(g.entries) == 0 {
			return nil, nil
		}
		groups = append(groups, g)
	}
	for _, prefix := range q.Prefixes {
		groups = append(groups, group{prefix: prefix, n: n + 1})
	}
	slices.SortStableFunc(groups, func(a, b group) int { return cmp.Compare(a.n, b.n) })

	var set *roaring.Bitmap
	for _, g := range groups {
		have, err := s.groupSet(g)
		if err != nil {
			return nil, err
		}
		if set == nil {
			set = have
			if high < uint32(n) {
				set.RemoveRange(uint64(high), n)
			}
		} else {
			set.And(have)
		}
		if set.IsEmpty() {
			return nil, nil
		}
	}
	h := &hits{seg: s, low: int64(low), deleted: s.deleted}
	for _, term := range q.None {
		e, ok, err := s.lookup(term)
		if err != nil {
			return nil, err
		}
		if !ok {
			continue
		}
		not, err := s.set(e)
		if err != nil {
			return nil, err
		}
		switch {
		case set != nil && e.n > few:
			set.AndNot(not)
		case set == nil && uint64(e.n) > n/4:
			set = roaring.Flip(not, 0, uint64(high))
			set.RemoveRange(uint64(high), n)
		default:
			h.skip = append(h.skip, not)
		}
	}
	if set == nil {
		if s.deleted.GetCardinality() > n/4 {
			set = roaring.Flip(s.deleted, 0, uint64(high))
			set.RemoveRange(uint64(high), n)
		} else {
			h.all, h.doc = true, int64(high)-1
			return h, nil
		}
	}
	if s.deleted.GetCardinality() > few {
		set.AndNot(s.deleted)
	}
	h.it = set.ReverseIterator()
	return h, nil
}

// groupSet returns the documents of a group, in a set of the caller's own.
func (s *segment) groupSet(g group) (*roaring.Bitmap, error) {
	if len(g.entries) == 0 {
		return s.withPrefix(g.prefix)
	}
	var out *roaring.Bitmap
	for _, e := range g.entries {
		set, err := s.set(e)
		if err != nil {
			return nil, err
		}
		if out == nil {
			out = set
		} else {
			out.Or(set)
		}
	}
	return out, nil
}

// matches reports whether a document in memory is one that q finds.
func (d *Doc) matches(q *Query) bool {
	if d.At < q.Since || d.At >= q.Until {
		return false
	}
	has := func(term string) bool {
		_, ok := slices.BinarySearch(d.Terms, term)
		return ok
	}
	for _, alternatives := range q.All {
		if !slices.ContainsFunc(alternatives, has) {
			return false
		}
	}
	if slices.ContainsFunc(q.None, has) {
		return false
	}
	for _, prefix := range q.Prefixes {
		i, _ := slices.BinarySearch(d.Terms, prefix)
		if i >= len(d.Terms) || !strings.HasPrefix(d.Terms[i], prefix) {
			return false
		}
	}
	return true
}

// fresh is the source of the documents in memory.
type fresh struct {
	docs []*Doc
	at   int
	q    *Query
}

func (f *fresh) next() (Place, bool, error) {
	for f.at > 0 {
		f.at--
		if d := f.docs[f.at]; d.matches(f.q) {
			return d.Place, true, nil
		}
	}
	return Place{}, false, nil
}
