package index

import (
	"container/heap"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// gone marks a document that a merge leaves out.
const gone = ^uint32(0)

// part is a segment that is being merged: what was deleted when the merge began, and where each of its
// documents goes.
type part struct {
	seg     *segment
	deleted *roaring.Bitmap
	to      []uint32
}

// merge writes the documents of the parts that are not deleted as one segment.
func merge(ctx context.Context, dir, name string, parts []*part, synced bool) (docs int, err error) {
	from, err := number(parts)
	if err != nil {
		return 0, err
	}
	w, err := newWriter(dir, name, synced)
	if err != nil {
		return 0, err
	}
	if err := mergeTerms(ctx, w, parts); err != nil {
		w.abandon()
		return 0, err
	}
	in := make([]ahead, len(parts))
	err = w.finish(len(from), func(i int) (Place, error) {
		one := from[i] >> 32
		return in[one].place(parts[one].seg, uint32(from[i]))
	})
	if err != nil {
		w.abandon()
		return 0, err
	}
	return len(from), nil
}

// number decides the new numbers: it walks the parts in the order of places. from says, for each new
// number, the part and the old number.
func number(parts []*part) (from []uint64, err error) {
	total := 0
	for _, p := range parts {
		p.to = make([]uint32, p.seg.foot.Docs)
		total += p.seg.foot.Docs - int(p.deleted.GetCardinality())
	}
	from = make([]uint64, 0, total)
	h := &walkers{}
	for i, p := range parts {
		w := &walker{part: p, index: uint64(i)}
		if err := w.advance(0); err != nil {
			return nil, err
		}
		if w.doc < uint32(p.seg.foot.Docs) {
			h.list = append(h.list, w)
		}
	}
	heap.Init(h)
	for len(h.list) > 0 {
		w := h.list[0]
		w.part.to[w.doc] = uint32(len(from))
		from = append(from, w.index<<32|uint64(w.doc))
		if err := w.advance(w.doc + 1); err != nil {
			return nil, err
		}
		if w.doc >= uint32(w.part.seg.foot.Docs) {
			heap.Pop(h)
		} else {
			heap.Fix(h, 0)
		}
	}
	return from, nil
}

// walker walks the documents of a part.
type walker struct {
	part  *part
	index uint64
	doc   uint32
	place Place
	ahead ahead
}

func (w *walker) advance(doc uint32) (err error) {
	n := uint32(w.part.seg.foot.Docs)
	for ; doc < n && w.part.deleted.Contains(doc); doc++ {
		w.part.to[doc] = gone
	}
	w.doc = doc
	if doc >= n {
		return nil
	}
	w.place, err = w.ahead.place(w.part.seg, doc)
	return err
}

type walkers struct{ list []*walker }

func (h *walkers) Len() int           { return len(h.list) }
func (h *walkers) Less(i, j int) bool { return h.list[i].place.Compare(h.list[j].place) < 0 }
func (h *walkers) Swap(i, j int)      { h.list[i], h.list[j] = h.list[j], h.list[i] }
func (h *walkers) Push(x any)         { h.list = append(h.list, x.(*walker)) }
func (h *walkers) Pop() any {
	x := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	return x
}

// terms walks the terms of a segment, a block at a time.
type terms struct {
	part    *part
	block   int
	entries []entry
	at      int
	sets    []byte // of the block's entries
	setsAt  int64
}

func (t *terms) fill() error {
	for t.at >= len(t.entries) && t.block < len(t.part.seg.blocks) {
		t.entries, t.at = t.entries[:0], 0
		err := t.part.seg.readBlock(t.block, func(e *entry, term []byte) bool {
			c := *e
			c.term = string(term)
			t.entries = append(t.entries, c)
			return true
		})
		if err != nil {
			return err
		}
		t.block++
		t.sets, t.setsAt = nil, -1
		var end int64
		for _, e := range t.entries {
			if e.n > 1 {
				if t.setsAt < 0 {
					t.setsAt = e.off
				}
				end = e.off + int64(e.size)
			}
		}
		if t.setsAt >= 0 {
			if end < t.setsAt || end-t.setsAt > 1<<30 {
				return damaged("sets of a block")
			}
			t.sets = make([]byte, end-t.setsAt)
			if _, err := t.part.seg.f.ReadAt(t.sets, t.setsAt); err != nil {
				return damaged("set: %v", err)
			}
		}
	}
	return nil
}

func (t *terms) more() bool { return t.at < len(t.entries) }

// append adds the new numbers of the current term's documents.
func (t *terms) append(out []uint32) ([]uint32, error) {
	e := t.entries[t.at]
	if e.n == 1 {
		if int(e.doc) >= len(t.part.to) {
			return nil, damaged("document of a term")
		}
		if n := t.part.to[e.doc]; n != gone {
			out = append(out, n)
		}
		return out, nil
	}
	at := e.off - t.setsAt
	if at < 0 || at+int64(e.size) > int64(len(t.sets)) {
		return nil, damaged("sets of a block")
	}
	bm, err := parseSet(t.sets[at:at+int64(e.size)], e.sum)
	if err != nil {
		return nil, err
	}
	it := bm.ManyIterator()
	var buf [256]uint32
	for {
		n := it.NextMany(buf[:])
		if n == 0 {
			return out, nil
		}
		for _, doc := range buf[:n] {
			if int(doc) >= len(t.part.to) {
				return nil, damaged("document of a term")
			}
			if n := t.part.to[doc]; n != gone {
				out = append(out, n)
			}
		}
	}
}

func mergeTerms(ctx context.Context, w *writer, parts []*part) error {
	var list []*terms
	for _, p := range parts {
		t := &terms{part: p}
		if err := t.fill(); err != nil {
			return err
		}
		list = append(list, t)
	}
	var docs []uint32
	for n := 0; ; n++ {
		if n%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		var least *string
		for _, t := range list {
			if t.more() && (least == nil || t.entries[t.at].term < *least) {
				least = &t.entries[t.at].term
			}
		}
		if least == nil {
			return nil
		}
		term := *least
		docs = docs[:0]
		for _, t := range list {
			if !t.more() || t.entries[t.at].term != term {
				continue
			}
			var err error
			if docs, err = t.append(docs); err != nil {
				return err
			}
			t.at++
			if err := t.fill(); err != nil {
				return err
			}
		}
		if len(docs) == 0 {
			continue
		}
		// Segments follow one another in time as a rule, so this is sorted already.
		if !slices.IsSorted(docs) {
			slices.Sort(docs)
		}
		w.add(term, docs)
		if w.err != nil {
			return w.err
		}
	}
}
