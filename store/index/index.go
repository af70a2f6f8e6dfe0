package index

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/bits"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
)

// Options say how an index behaves.
type Options struct {
	Logger *slog.Logger // nil: discards
	// Fresh is how many documents are kept in memory before they become a segment; 0: 2048.
	Fresh int
	// Unsynced leaves files to the system's own time.
	Unsynced bool
}

// fanIn is how many segments of about one size are merged into one.
const fanIn = 8

// Index is an open index. Its methods are safe for concurrent use.
type Index struct {
	dir string
	o   Options

	mu       sync.RWMutex // protects what follows
	segments []*segment   // oldest first
	fresh    []*Doc       // in the order of places
	seq      int64        // what Apply has come to
	flushed  int64        // what the files have come to
	next     int          // number of the next file
	again    int          // fresh documents at which a flush that failed is tried again
	failed   error        // a merge or a search found damage

	amu   sync.Mutex // serializes Apply, Bulk and Flush; taken before fmu
	fmu   sync.Mutex // serializes the writing of the manifest; taken before mu
	kick  chan struct{}
	stop  context.CancelFunc
	merge sync.WaitGroup
}

// Open opens the index in dir, which is made if need be. The caller closes it. With ErrDamaged the
// caller removes dir and opens an empty one.
func Open(dir string, o Options) (*Index, error) {
	if o.Fresh <= 0 {
		o.Fresh = 2048
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make index folder: %w", err)
	}
	m, err := readManifest(dir)
	if err != nil {
		return nil, err
	}
	ix := &Index{dir: dir, o: o, seq: m.Seq, flushed: m.Seq, next: m.Next, kick: make(chan struct{}, 1)}
	for _, line := range m.Segments {
		s, err := openSegment(dir, line.Name)
		if err == nil && len(line.Deleted) > 0 {
			if err = s.deleted.UnmarshalBinary(line.Deleted); err != nil {
				err = damaged("marks of deletion: %v", err)
			}
		}
		if s != nil {
			ix.segments = append(ix.segments, s)
		}
		if err != nil {
			return nil, errors.Join(err, ix.closeFiles())
		}
	}
	ix.sweep()
	ctx, cancel := context.WithCancel(context.Background())
	ix.stop = cancel
	ix.merge.Go(func() { ix.merges(ctx) })
	ix.wake()
	return ix, nil
}

// sweep removes files that no manifest names: what a crash left.
func (ix *Index) sweep() {
	entries, err := os.ReadDir(ix.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		known := e.Name() == manifestName || slices.ContainsFunc(ix.segments, func(s *segment) bool { return s.name == e.Name() })
		if !known && (strings.HasSuffix(e.Name(), segmentExt) || strings.HasSuffix(e.Name(), ".tmp")) {
			_ = os.Remove(filepath.Join(ix.dir, e.Name()))
		}
	}
}

// Seq is what the index has come to; Durable is what it would have come to after a crash: the owner's
// log must keep all that follows.
func (ix *Index) Seq() int64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.seq
}

// Durable: see Seq.
func (ix *Index) Durable() int64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.flushed
}

// Err is the damage that was found since the index was opened; nil: none.
func (ix *Index) Err() error {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.failed
}

func (ix *Index) fail(err error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.failed == nil {
		ix.failed = err
		ix.o.Logger.Error("search index is damaged", "err", err)
	}
}

// Len is the number of documents.
func (ix *Index) Len() int {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	n := len(ix.fresh)
	for _, s := range ix.segments {
		n += s.live()
	}
	return n
}

// Apply does the steps that bring the index to seq; it does nothing when the index is there already.
// After a start, steps that follow Seq are to be done again: that some of their removals are in the
// files does no harm.
func (ix *Index) Apply(seq int64, ops []Op) error {
	ix.amu.Lock()
	defer ix.amu.Unlock()
	ix.mu.Lock()
	if seq <= ix.seq {
		ix.mu.Unlock()
		return nil
	}
	err := ix.failed
	for i := 0; i < len(ops) && err == nil; i++ {
		if p := ops[i].Remove; p != nil {
			err = ix.remove(*p)
		}
		if d := ops[i].Add; d != nil {
			ix.insert(d)
		}
	}
	if err == nil {
		ix.seq = max(ix.seq, seq)
	}
	full := len(ix.fresh) >= max(ix.o.Fresh, ix.again)
	ix.mu.Unlock()
	if err != nil {
		ix.fail(err)
		return err
	}
	if full {
		return ix.flush()
	}
	return nil
}

// Bulk adds documents while an index is built from nothing. Its Seq stays 0 until the first Apply,
// so that an index with documents and without a Seq is one whose building was cut short.
func (ix *Index) Bulk(docs []*Doc) error {
	ix.amu.Lock()
	defer ix.amu.Unlock()
	ix.mu.Lock()
	for _, d := range docs {
		ix.insert(d)
	}
	full := len(ix.fresh) >= max(ix.o.Fresh, ix.again)
	ix.mu.Unlock()
	if full {
		return ix.flush()
	}
	return nil
}

func (ix *Index) insert(d *Doc) {
	if n := len(ix.fresh); n == 0 || ix.fresh[n-1].Compare(d.Place) < 0 {
		ix.fresh = append(ix.fresh, d)
		return
	}
	i, found := ix.findFresh(d.Place)
	if found {
		ix.fresh[i] = d
		return
	}
	ix.fresh = slices.Insert(ix.fresh, i, d)
}

func (ix *Index) findFresh(p Place) (int, bool) {
	return slices.BinarySearchFunc(ix.fresh, p, func(d *Doc, p Place) int { return d.Compare(p) })
}

func (ix *Index) remove(p Place) error {
	if i, found := ix.findFresh(p); found {
		ix.fresh = slices.Delete(ix.fresh, i, i+1)
	}
	for _, s := range ix.segments {
		doc, ok, err := s.find(p)
		if err != nil {
			return err
		}
		if ok {
			s.deleted.Add(doc)
		}
	}
	return nil
}

// Search returns the places of the newest documents that q finds before a place, at most n, newest first.
func (ix *Index) Search(q Query, before Place, n int) (out []Place, err error) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.failed != nil {
		return nil, ix.failed
	}
	defer func() {
		// A set whose checksum is right and whose content is not would be a fault of ours.
		if r := recover(); r != nil {
			err = damaged("panic: %v", r)
			ix.o.Logger.Error("search failed", "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
		}
		if err != nil {
			go ix.fail(err)
		}
	}()
	at, _ := ix.findFresh(before)
	m := &merger{q: &q, before: before, rest: slices.Clone(ix.segments)}
	if err := m.push(&fresh{docs: ix.fresh, at: at, q: &q}); err != nil {
		return nil, err
	}
	slices.SortFunc(m.rest, func(a, b *segment) int { return a.foot.Last.Compare(b.foot.Last) })
	for len(out) < n {
		p, ok, err := m.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			break
		}
		out = append(out, p)
	}
	return out, nil
}

// merger merges sources by place. A segment is evaluated only when it may hold the next place.
type merger struct {
	q      *Query
	before Place
	rest   []*segment // not looked at yet, the newest at the end
	heads  []head
}

type head struct {
	place Place
	from  source
}

func (m *merger) Len() int           { return len(m.heads) }
func (m *merger) Less(i, j int) bool { return m.heads[i].place.Compare(m.heads[j].place) > 0 }
func (m *merger) Swap(i, j int)      { m.heads[i], m.heads[j] = m.heads[j], m.heads[i] }
func (m *merger) Push(x any)         { m.heads = append(m.heads, x.(head)) }
func (m *merger) Pop() any {
	x := m.heads[len(m.heads)-1]
	m.heads = m.heads[:len(m.heads)-1]
	return x
}

func (m *merger) push(s source) error {
	p, ok, err := s.next()
	if err != nil || !ok {
		return err
	}
	heap.Push(m, head{p, s})
	return nil
}

func (m *merger) next() (p Place, ok bool, err error) {
	for len(m.rest) > 0 {
		s := m.rest[len(m.rest)-1]
		if len(m.heads) > 0 && m.heads[0].place.Compare(s.foot.Last) > 0 {
			break
		}
		m.rest = m.rest[:len(m.rest)-1]
		if s.live() == 0 {
			continue
		}
		src, err := s.search(m.q, m.before)
		if err != nil {
			return p, false, err
		}
		if src != nil {
			if err := m.push(src); err != nil {
				return p, false, err
			}
		}
	}
	if len(m.heads) == 0 {
		return p, false, nil
	}
	h := m.heads[0]
	p = h.place
	q, more, err := h.from.next()
	if err != nil {
		return p, false, err
	}
	if more {
		m.heads[0].place = q
		heap.Fix(m, 0)
	} else {
		heap.Pop(m)
	}
	return p, true, nil
}

// Flush writes what is in memory, so that Durable is what Seq was when it was called.
func (ix *Index) Flush() error {
	ix.amu.Lock()
	defer ix.amu.Unlock()
	return ix.flush()
}

// flush writes what is fresh. Where that fails, since the disk is full, it is not tried again with
// every document: each try is work for all that are fresh, and who reads waits for it.
func (ix *Index) flush() error {
	err := ix.write()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.again = 0; err != nil {
		ix.again = 2 * len(ix.fresh)
	}
	return err
}

func (ix *Index) write() error {
	ix.mu.RLock()
	docs, seq, failed := slices.Clone(ix.fresh), ix.seq, ix.failed
	settled := seq == ix.flushed && len(docs) == 0
	ix.mu.RUnlock()
	if failed != nil || settled {
		return failed
	}
	var s *segment
	if len(docs) > 0 {
		name := ix.name()
		if err := writeDocs(ix.dir, name, docs, !ix.o.Unsynced); err != nil {
			return err
		}
		var err error
		if s, err = openSegment(ix.dir, name); err != nil {
			return err
		}
	}
	ix.fmu.Lock()
	defer ix.fmu.Unlock()
	ix.mu.Lock()
	if s != nil {
		ix.segments = append(ix.segments, s)
	}
	ix.fresh, ix.flushed = nil, seq
	for _, s := range ix.segments {
		s.found = found{} // nobody may remove from it for long
	}
	m := ix.manifest()
	ix.mu.Unlock()
	if err := writeManifest(ix.dir, m, !ix.o.Unsynced); err != nil {
		return err
	}
	ix.wake()
	return nil
}

func (ix *Index) name() string {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.next++
	return fmt.Sprintf("%08d%s", ix.next, segmentExt)
}

func (ix *Index) wake() {
	select {
	case ix.kick <- struct{}{}:
	default:
	}
}

// merges merges segments until none need be, each time it is woken.
func (ix *Index) merges(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-ix.kick:
		}
		for ctx.Err() == nil {
			parts := ix.pick()
			if len(parts) == 0 {
				break
			}
			if err := ix.mergeParts(ctx, parts); err != nil {
				if errors.Is(err, ErrDamaged) {
					ix.fail(err)
				} else if ctx.Err() == nil {
					ix.o.Logger.Warn("segments were not merged", "err", err)
				}
				break
			}
		}
	}
}

// tier is the class of size of a segment.
func (ix *Index) tier(s *segment) int {
	return bits.Len(uint(s.live()/ix.o.Fresh)) / (bits.Len(fanIn) - 1)
}

// pick chooses what to merge: as many of one size as fanIn, or one of which a third was deleted.
func (ix *Index) pick() (parts []*part) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	tiers := map[int][]*segment{}
	var chosen []*segment
	for _, s := range ix.segments {
		if d := int(s.deleted.GetCardinality()); d > s.foot.Docs/3 && len(chosen) < fanIn {
			chosen = append(chosen, s)
		}
		t := ix.tier(s)
		if tiers[t] = append(tiers[t], s); len(tiers[t]) == fanIn {
			chosen = tiers[t]
			break
		}
	}
	for _, s := range chosen {
		parts = append(parts, &part{seg: s, deleted: s.deleted.Clone()})
	}
	return parts
}

func (ix *Index) mergeParts(ctx context.Context, parts []*part) error {
	name := ix.name()
	n, err := merge(ctx, ix.dir, name, parts, !ix.o.Unsynced)
	if err != nil {
		return err
	}
	var merged *segment
	if n > 0 {
		if merged, err = openSegment(ix.dir, name); err != nil {
			return err
		}
	} else if err := os.Remove(filepath.Join(ix.dir, name)); err != nil {
		return err
	}
	ix.fmu.Lock()
	defer ix.fmu.Unlock()
	ix.mu.Lock()
	var rest []*segment
	for _, s := range ix.segments {
		i := slices.IndexFunc(parts, func(p *part) bool { return p.seg == s })
		if i < 0 {
			rest = append(rest, s)
			continue
		}
		// What was deleted while the merge ran.
		since := roaring.AndNot(s.deleted, parts[i].deleted)
		for it := since.Iterator(); it.HasNext(); {
			merged.deleted.Add(parts[i].to[it.Next()])
		}
	}
	if merged != nil {
		rest = append(rest, merged)
	}
	ix.segments = rest
	m := ix.manifest()
	ix.mu.Unlock()
	// The old files go after the manifest stopped to name them.
	if err := writeManifest(ix.dir, m, !ix.o.Unsynced); err != nil {
		return err
	}
	for _, p := range parts {
		_ = p.seg.Close()
		_ = os.Remove(filepath.Join(ix.dir, p.seg.name))
	}
	return nil
}

// Verify reads the files whole and compares them with what they say of themselves.
func (ix *Index) Verify() error {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	for _, s := range ix.segments {
		if err := s.verify(); err != nil {
			go ix.fail(err)
			return err
		}
	}
	return ix.failed
}

// closeFrom is how many steps must have been done since the last flush for Close to flush: fewer are
// done again from the owner's log sooner than they are a segment.
const closeFrom = 256

// Close closes the index; the owner's log must go on to keep what follows Durable.
func (ix *Index) Close() error {
	ix.stop()
	ix.merge.Wait()
	var err error
	if ix.Seq()-ix.Durable() >= closeFrom {
		err = ix.Flush()
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	return errors.Join(err, ix.closeFiles())
}

func (ix *Index) closeFiles() (err error) {
	for _, s := range ix.segments {
		err = errors.Join(err, s.Close())
	}
	ix.segments = nil
	return err
}
