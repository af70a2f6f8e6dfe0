package index

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
)

// A segment file is, in this order:
//
//	the sets     of each term with two documents or more, in the order of the terms, as roaring bitmaps
//	the places   for each document 8 bytes of At, little-endian; then, for each and the end, 4 bytes of
//	             where its id begins; then the ids
//	the terms    in blocks of about 4 KiB with a checksum; each term with what it shares with the one before
//	             left out, the number of its documents, and the one document or where its set is
//	the blocks   where each block of terms is, and its first term
//	the footer   JSON, its length and checksum, and the magic
const (
	segmentMagic = "SBIDX01\n"
	blockSize    = 4 << 10
	footerTail   = 4 + 4 + len(segmentMagic)
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

type footer struct {
	Docs   int
	First  Place
	Last   Place
	Places int64 // where the places begin
	IDs    int64 // where the ids begin
	Terms  int64 // where the blocks of terms begin
	Blocks int64 // where the list of blocks begins
	Sum    uint32
	Count  int // of terms
}

// segment is an immutable file, and the marks of what was deleted from it since.
type segment struct {
	name    string
	f       *os.File
	foot    footer
	blocks  []block
	deleted *roaring.Bitmap // under the index's lock
	found   found           // under the index's lock, held for writing
}

type block struct {
	first string
	off   int64
	size  int32
}

// entry is a term of a segment.
type entry struct {
	term string
	n    uint32 // documents
	doc  uint32 // the only one, with n == 1
	off  int64  // of the set, with n > 1
	size uint32
	sum  uint32
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(format, args...))
}

func openSegment(dir, name string) (*segment, error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, damaged("%v", err)
	}
	s := &segment{name: name, f: f, deleted: roaring.New()}
	if err := s.readFooter(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

func (s *segment) readFooter() error {
	info, err := s.f.Stat()
	if err != nil {
		return err
	}
	size := info.Size()
	if size < int64(footerTail) {
		return damaged("segment is cut short")
	}
	tail := make([]byte, footerTail)
	if _, err := s.f.ReadAt(tail, size-int64(footerTail)); err != nil {
		return damaged("%v", err)
	}
	n, sum := int64(binary.LittleEndian.Uint32(tail)), binary.LittleEndian.Uint32(tail[4:])
	if string(tail[8:]) != segmentMagic || n > size-int64(footerTail) {
		return damaged("segment has no end")
	}
	foot := make([]byte, n)
	at := size - int64(footerTail) - n
	if _, err := s.f.ReadAt(foot, at); err != nil {
		return damaged("%v", err)
	}
	if crc32.Checksum(foot, castagnoli) != sum || json.Unmarshal(foot, &s.foot) != nil {
		return damaged("footer")
	}
	f := s.foot
	if f.Places < 0 || f.Places > f.IDs || f.IDs > f.Terms || f.Terms > f.Blocks || f.Blocks > at || f.Docs < 0 {
		return damaged("footer")
	}
	list := make([]byte, at-f.Blocks)
	if _, err := s.f.ReadAt(list, f.Blocks); err != nil || crc32.Checksum(list, castagnoli) != f.Sum {
		return damaged("list of blocks")
	}
	r := cutter{b: list}
	for len(r.b) > 0 {
		b := block{first: r.text(), off: int64(r.num()), size: int32(r.num())}
		if r.bad {
			return damaged("list of blocks")
		}
		s.blocks = append(s.blocks, b)
	}
	return nil
}

// cutter takes bytes apart; the first failure sticks.
type cutter struct {
	b   []byte
	bad bool
}

func (c *cutter) num() uint64 {
	n, used := binary.Uvarint(c.b)
	if used <= 0 {
		c.bad, c.b = true, nil
		return 0
	}
	c.b = c.b[used:]
	return n
}

func (c *cutter) take(n uint64) []byte {
	if n > uint64(len(c.b)) {
		c.bad, c.b = true, nil
		return nil
	}
	out := c.b[:n]
	c.b = c.b[n:]
	return out
}

func (c *cutter) text() string { return string(c.take(c.num())) }

// readBlock calls f with the terms of a block, in order, until it returns false. The entry's term is
// valid during the call only.
func (s *segment) readBlock(i int, f func(e *entry, term []byte) bool) error {
	b := s.blocks[i]
	if b.size < 4 || b.size > 1<<24 {
		return damaged("block of terms")
	}
	buf := make([]byte, b.size)
	if _, err := s.f.ReadAt(buf, b.off); err != nil {
		return damaged("block of terms: %v", err)
	}
	body := buf[:len(buf)-4]
	if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(buf[len(buf)-4:]) {
		return damaged("block of terms")
	}
	c := cutter{b: body}
	var term []byte
	for len(c.b) > 0 {
		shared := c.num()
		rest := c.take(c.num())
		if shared > uint64(len(term)) {
			return damaged("block of terms")
		}
		term = append(term[:shared], rest...)
		e := entry{n: uint32(c.num())}
		if e.n == 1 {
			e.doc = uint32(c.num())
		} else {
			e.off, e.size, e.sum = int64(c.num()), uint32(c.num()), uint32(c.num())
		}
		if c.bad {
			return damaged("block of terms")
		}
		if !f(&e, term) {
			return nil
		}
	}
	return nil
}

// blockOf is the block that would hold term.
func (s *segment) blockOf(term string) int {
	return sort.Search(len(s.blocks), func(i int) bool { return s.blocks[i].first > term }) - 1
}

// lookup finds a term.
func (s *segment) lookup(term string) (e entry, ok bool, err error) {
	i := s.blockOf(term)
	if i < 0 {
		return e, false, nil
	}
	err = s.readBlock(i, func(have *entry, t []byte) bool {
		switch c := bytes.Compare(t, []byte(term)); {
		case c < 0:
			return true
		case c == 0:
			e, ok = *have, true
		}
		return false
	})
	return e, ok, err
}

// set reads the documents of an entry.
func (s *segment) set(e entry) (*roaring.Bitmap, error) {
	if e.n == 1 {
		return roaring.BitmapOf(e.doc), nil
	}
	buf := make([]byte, e.size)
	if _, err := s.f.ReadAt(buf, e.off); err != nil {
		return nil, damaged("set: %v", err)
	}
	return parseSet(buf, e.sum)
}

func parseSet(buf []byte, sum uint32) (*roaring.Bitmap, error) {
	if crc32.Checksum(buf, castagnoli) != sum {
		return nil, damaged("set")
	}
	bm := roaring.New()
	if _, err := bm.FromBuffer(buf); err != nil {
		return nil, damaged("set: %v", err)
	}
	return bm, nil
}

// withPrefix is the union of the sets of all terms that start with prefix. The sets of a block of terms
// lie side by side, so each block costs one read, however many terms it has.
func (s *segment) withPrefix(prefix string) (*roaring.Bitmap, error) {
	out := roaring.New()
	var single []uint32
	var sets []*roaring.Bitmap
	p := []byte(prefix)
	for i := max(s.blockOf(prefix), 0); i < len(s.blocks); i++ {
		if first := s.blocks[i].first; first > prefix && !bytes.HasPrefix([]byte(first), p) {
			break
		}
		var many []entry
		err := s.readBlock(i, func(e *entry, term []byte) bool {
			if !bytes.HasPrefix(term, p) {
				return bytes.Compare(term, p) < 0
			}
			if e.n == 1 {
				single = append(single, e.doc)
			} else {
				many = append(many, *e)
			}
			return true
		})
		if err != nil {
			return nil, err
		}
		if len(many) == 0 {
			continue
		}
		from, last := many[0].off, many[len(many)-1]
		size := last.off + int64(last.size) - from
		if size < 0 || size > 1<<30 {
			return nil, damaged("sets of a block")
		}
		buf := make([]byte, size)
		if _, err := s.f.ReadAt(buf, from); err != nil {
			return nil, damaged("set: %v", err)
		}
		for _, e := range many {
			at := e.off - from
			if at < 0 || at+int64(e.size) > size {
				return nil, damaged("sets of a block")
			}
			bm, err := parseSet(buf[at:at+int64(e.size)], e.sum)
			if err != nil {
				return nil, err
			}
			if e.n < 64 {
				it := bm.Iterator()
				for it.HasNext() {
					single = append(single, it.Next())
				}
			} else {
				sets = append(sets, bm)
			}
		}
		if len(sets) > 64 {
			out = roaring.FastOr(append(sets, out)...)
			sets = nil
		}
	}
	if len(sets) > 0 {
		out = roaring.FastOr(append(sets, out)...)
	}
	slices.Sort(single)
	out.AddMany(single)
	return out, nil
}

func (s *segment) live() int { return s.foot.Docs - int(s.deleted.GetCardinality()) }

// verify reads the places, which carry no checksum of their own, and all sets.
func (s *segment) verify() error {
	var last Place
	var in ahead
	for i := range s.foot.Docs {
		p, err := in.place(s, uint32(i))
		if err != nil {
			return err
		}
		if i > 0 && last.Compare(p) >= 0 {
			return damaged("places are out of order")
		}
		last = p
	}
	for i := range s.blocks {
		var inner error
		err := s.readBlock(i, func(e *entry, _ []byte) bool {
			_, inner = s.set(*e)
			return inner == nil
		})
		if err := errors.Join(err, inner); err != nil {
			return err
		}
	}
	return nil
}

var _ io.Closer = (*segment)(nil)

// Close closes the file; a segment that was merged away is removed by the index.
func (s *segment) Close() error { return s.f.Close() }
