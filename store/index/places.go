package index

import (
	"slices"
	"sort"
)

// place reads where a document is.
func (s *segment) place(doc uint32) (Place, error) {
	list, err := s.places(doc, 1)
	if err != nil {
		return Place{}, err
	}
	return list[0], nil
}

// places reads where n documents are, from doc on.
func (s *segment) places(doc, n uint32) ([]Place, error) {
	total := int64(s.foot.Docs)
	ats := make([]byte, 8*n)
	offs := make([]byte, 4*(n+1))
	if _, err := s.f.ReadAt(ats, s.foot.Places+8*int64(doc)); err != nil {
		return nil, damaged("places: %v", err)
	}
	if _, err := s.f.ReadAt(offs, s.foot.Places+8*total+4*int64(doc)); err != nil {
		return nil, damaged("places: %v", err)
	}
	at := func(i uint32) int64 { return int64(le32(offs[4*i:])) }
	if at(0) > at(n) || at(n) > s.foot.Terms-s.foot.IDs {
		return nil, damaged("ids")
	}
	ids := make([]byte, at(n)-at(0))
	if _, err := s.f.ReadAt(ids, s.foot.IDs+at(0)); err != nil {
		return nil, damaged("ids: %v", err)
	}
	out := make([]Place, n)
	all := string(ids)
	for i := range n {
		lo, hi := at(i)-at(0), at(i+1)-at(0)
		if lo > hi || hi > int64(len(all)) {
			return nil, damaged("ids")
		}
		out[i] = Place{At: int64(le64(ats[8*i:])), ID: all[lo:hi]}
	}
	return out, nil
}

// readAhead is how many places are read at once.
const readAhead = 1024

// ahead holds the places around the one that was asked for last: who goes through a segment in order, whichever
// way, reads from the file once in readAhead. The zero value holds none; it is for one segment.
type ahead struct {
	base uint32
	list []Place
}

func (a *ahead) place(s *segment, doc uint32) (p Place, err error) {
	if doc < a.base || doc >= a.base+uint32(len(a.list)) {
		base := doc - doc%readAhead
		a.list, err = s.places(base, min(uint32(s.foot.Docs)-base, readAhead))
		if a.base = base; err != nil {
			return p, err
		}
	}
	return a.list[doc-a.base], nil
}

// search finds p among the places that are held.
func (a *ahead) search(p Place) (doc uint32, ok bool) {
	i, ok := slices.BinarySearchFunc(a.list, p, Place.Compare)
	return a.base + uint32(i), ok
}

// found is where the documents were that were removed from a segment last. Pruning removes one neighbour after the
// other, so what is near the last one is read ahead; what is not, by itself.
type found struct {
	last  uint32
	ahead ahead
}

// find is the number of the document at p. The index's lock is held for writing.
func (s *segment) find(p Place) (doc uint32, ok bool, err error) {
	if s.foot.Docs == 0 || s.foot.First.Compare(p) > 0 || s.foot.Last.Compare(p) < 0 {
		return 0, false, nil
	}
	if doc, ok := s.found.ahead.search(p); ok {
		s.found.last = doc
		return doc, true, nil
	}
	doc, err = s.rank(p)
	if err != nil || int(doc) >= s.foot.Docs {
		return 0, false, err
	}
	near := max(doc, s.found.last)-min(doc, s.found.last) < readAhead
	s.found.last = doc
	var q Place
	if near {
		q, err = s.found.ahead.place(s, doc)
	} else {
		q, err = s.place(doc)
	}
	return doc, err == nil && q == p, err
}

// rank is the number of documents before p.
func (s *segment) rank(p Place) (uint32, error) {
	if s.foot.Last.Compare(p) < 0 {
		return uint32(s.foot.Docs), nil
	}
	if s.foot.First.Compare(p) >= 0 {
		return 0, nil
	}
	var err error
	n := sort.Search(s.foot.Docs, func(i int) bool {
		if err != nil {
			return true
		}
		var at int64
		if at, err = s.at(uint32(i)); err != nil || at != p.At {
			return at > p.At
		}
		var q Place
		q, err = s.place(uint32(i))
		return q.Compare(p) >= 0
	})
	return uint32(n), err
}

// at is the first half of a document's place.
func (s *segment) at(doc uint32) (int64, error) {
	var b [8]byte
	if _, err := s.f.ReadAt(b[:], s.foot.Places+8*int64(doc)); err != nil {
		return 0, damaged("place: %v", err)
	}
	return int64(le64(b[:])), nil
}
