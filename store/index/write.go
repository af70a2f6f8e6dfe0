package index

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// writer writes a segment: first each term with its documents, in order, then the places.
type writer struct {
	f      *os.File
	w      *bufio.Writer
	off    int64
	err    error
	synced bool

	terms  []byte // the blocks so far
	cur    []byte // the block that is being filled
	last   string
	begins string
	blocks []block
	foot   footer
}

func newWriter(dir, name string, synced bool) (*writer, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, err
	}
	return &writer{f: f, synced: synced, w: bufio.NewWriterSize(f, 256<<10)}, nil
}

func (w *writer) write(b []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(b)
		w.off += int64(len(b))
	}
}

// runFrom is the size from which a set is worth looking at for runs.
const runFrom = 4096

// add writes a term; docs are sorted, each once, and not empty.
func (w *writer) add(term string, docs []uint32) {
	shared := 0
	if len(w.cur) == 0 {
		w.begins = term
	} else {
		for shared < len(term) && shared < len(w.last) && term[shared] == w.last[shared] {
			shared++
		}
	}
	w.last = term
	w.foot.Count++
	w.cur = binary.AppendUvarint(w.cur, uint64(shared))
	w.cur = binary.AppendUvarint(w.cur, uint64(len(term)-shared))
	w.cur = append(w.cur, term[shared:]...)
	w.cur = binary.AppendUvarint(w.cur, uint64(len(docs)))
	if len(docs) == 1 {
		w.cur = binary.AppendUvarint(w.cur, uint64(docs[0]))
	} else {
		bm := roaring.New()
		bm.AddMany(docs)
		if len(docs) >= runFrom {
			bm.RunOptimize()
		}
		b, err := bm.ToBytes()
		if err != nil {
			w.err = errors.Join(w.err, err)
			return
		}
		w.cur = binary.AppendUvarint(w.cur, uint64(w.off))
		w.cur = binary.AppendUvarint(w.cur, uint64(len(b)))
		w.cur = binary.AppendUvarint(w.cur, uint64(crc32.Checksum(b, castagnoli)))
		w.write(b)
	}
	if len(w.cur) >= blockSize {
		w.endBlock()
	}
}

func (w *writer) endBlock() {
	if len(w.cur) == 0 {
		return
	}
	at := int64(len(w.terms))
	w.terms = append(w.terms, w.cur...)
	w.terms = binary.LittleEndian.AppendUint32(w.terms, crc32.Checksum(w.cur, castagnoli))
	w.blocks = append(w.blocks, block{w.begins, at, int32(int64(len(w.terms)) - at)})
	w.cur = w.cur[:0]
}

// finish writes the places, n of them in order, and all that follows, and waits for the disk when it is asked to.
func (w *writer) finish(n int, place func(i int) (Place, error)) error {
	w.endBlock()
	w.foot.Docs, w.foot.Places = n, w.off
	ids := make([]byte, 0, 40*n)
	offs := make([]byte, 0, 4*(n+1))
	for i := range n {
		p, err := place(i)
		if err != nil {
			w.err = errors.Join(w.err, err)
			break
		}
		if i == 0 {
			w.foot.First = p
		}
		w.foot.Last = p
		w.write(binary.LittleEndian.AppendUint64(nil, uint64(p.At)))
		offs = binary.LittleEndian.AppendUint32(offs, uint32(len(ids)))
		ids = append(ids, p.ID...)
	}
	w.write(binary.LittleEndian.AppendUint32(offs, uint32(len(ids))))
	w.foot.IDs = w.off
	w.write(ids)
	w.foot.Terms = w.off
	w.write(w.terms)
	w.foot.Blocks = w.off
	var list []byte
	for _, b := range w.blocks {
		list = binary.AppendUvarint(list, uint64(len(b.first)))
		list = append(list, b.first...)
		list = binary.AppendUvarint(list, uint64(b.off+w.foot.Terms))
		list = binary.AppendUvarint(list, uint64(b.size))
	}
	w.foot.Sum = crc32.Checksum(list, castagnoli)
	w.write(list)
	foot, err := json.Marshal(w.foot)
	if err != nil {
		return err
	}
	tail := binary.LittleEndian.AppendUint32(slices.Clone(foot), uint32(len(foot)))
	tail = binary.LittleEndian.AppendUint32(tail, crc32.Checksum(foot, castagnoli))
	w.write(append(tail, segmentMagic...))
	err = errors.Join(w.err, w.w.Flush())
	if w.synced {
		err = errors.Join(err, w.f.Sync())
	}
	err = errors.Join(err, w.f.Close())
	if err != nil {
		return fmt.Errorf("write segment: %w", err)
	}
	return nil
}

func (w *writer) abandon() {
	_ = w.f.Close()
	_ = os.Remove(w.f.Name())
}

// writeDocs writes documents, in the order of their places, as a segment.
func writeDocs(dir, name string, docs []*Doc, synced bool) error {
	w, err := newWriter(dir, name, synced)
	if err != nil {
		return err
	}
	// Terms repeat, so it is the few different ones that are sorted, not all of them.
	sets := make(map[string][]uint32, 8*len(docs))
	for i, d := range docs {
		for _, t := range d.Terms {
			sets[t] = append(sets[t], uint32(i))
		}
	}
	for _, term := range slices.Sorted(maps.Keys(sets)) {
		w.add(term, sets[term])
	}
	if err := w.finish(len(docs), func(i int) (Place, error) { return docs[i].Place, nil }); err != nil {
		w.abandon()
		return err
	}
	return nil
}
