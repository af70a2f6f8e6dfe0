package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
	"signalbox/store/index"
)

// indexer keeps the search index behind the commits: each commit leaves its records in a queue, and a
// goroutine of its own takes words apart and feeds the index, so that a publish does not wait for
// that. A query waits until the index has come to what was committed before it. What the queue does
// not hold, after a start or when it ran over, is read from the log.
type indexer struct {
	mu    sync.Mutex // protects what follows
	cond  *sync.Cond // of mu; told when the index went on or the state changed
	ix    *index.Index
	ready bool // the index has come to the log once, and is being fed
	off   bool // there is none: queries scan
	queue []step
	want  int64 // somebody waits for this change
	wake  chan struct{}

	terms terms // of runIndex alone
}

// step is what the index must know of one change.
type step struct {
	seq    int64
	was    int64 // see encodeChange
	gone   bool
	record *notify.Record // nil: not about a record
}

// queueMost bounds the queue; what is more is read from the log when its turn comes.
const queueMost = 8192

// The index follows the commits in groups: what was committed is in no hurry to be found, unless somebody
// looks for it, and the work keeps from a core who waits for an answer.
const (
	gatherMost = 256
	gatherFor  = 100 * time.Millisecond
)

func newIndexer() *indexer {
	x := &indexer{wake: make(chan struct{}, 1)}
	x.cond = sync.NewCond(&x.mu)
	return x
}

func (x *indexer) push(changes []notify.Change, was []int64) {
	x.mu.Lock()
	if len(x.queue) > queueMost {
		x.queue = nil
	}
	for i := range changes {
		c := &changes[i]
		x.queue = append(x.queue, step{c.Seq, was[i], c.Removed, c.Record})
	}
	x.mu.Unlock()
	x.nudge()
}

func (x *indexer) nudge() {
	select {
	case x.wake <- struct{}{}:
	default:
	}
}

// hurry lets the index come to seq without a pause; x.mu is held.
func (x *indexer) hurry(seq int64) {
	if seq > x.want {
		x.want = seq
		x.nudge()
	}
}

// due says whether there is enough to do, or somebody waits for it.
func (x *indexer) due(seq int64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.queue) >= gatherMost || x.want > seq
}

// upTo returns the index when it has come to seq; nil when there is none to be had now.
func (x *indexer) upTo(ctx context.Context, seq int64) *index.Index {
	stop := context.AfterFunc(ctx, x.cond.Broadcast)
	defer stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.hurry(seq)
	for x.ready && !x.off && x.ix.Seq() < seq && ctx.Err() == nil {
		x.cond.Wait()
	}
	if !x.ready || x.off || ctx.Err() != nil {
		return nil
	}
	return x.ix
}

func (x *indexer) set(ix *index.Index, ready, off bool) {
	x.mu.Lock()
	x.ix, x.ready, x.off = ix, ready, off
	x.mu.Unlock()
	x.cond.Broadcast()
}

// place is where a record is in the order of lists.
func place(r *notify.Record) index.Place { return index.Place{At: instant(r.UpdatedAt), ID: r.ID} }

func (x *indexer) op(st step) (op index.Op) {
	if st.record == nil {
		return op
	}
	if st.was != 0 {
		op.Remove = &index.Place{At: st.was, ID: st.record.ID}
	}
	if !st.gone {
		op.Add = x.terms.document(st.record)
	}
	return op
}

// The terms of a record: a letter for the field, and the value.
const (
	termConnection = "c"
	termSession    = "s"
	termScope      = "o"
	termStatus     = "x"
	termSeverity   = "v"
	termKind       = "k"
	termTag        = "g"
	termEvent      = "e"
	termRead       = "r"
	termSilent     = "z"
	termWord       = "w"
	termInitial    = "i" // the first character of a word: as a prefix it would be a union of very many
)

// terms makes the terms of records. Most of them come again and again, and are kept, so that a document
// takes no memory but for the list of its terms. Not safe for concurrent use.
type terms struct {
	known map[string]string
	buf   []byte
	list  []string
}

// termsMost bounds what is kept: with more, it begins anew.
const termsMost = 8192

func (t *terms) word(field string, value []byte) string {
	t.buf = append(append(t.buf[:0], field...), value...)
	return t.keep()
}

func (t *terms) text(field, value string) string {
	t.buf = append(append(t.buf[:0], field...), value...)
	return t.keep()
}

// keep is the term in buf.
func (t *terms) keep() string {
	if term, ok := t.known[string(t.buf)]; ok {
		return term
	}
	if t.known == nil || len(t.known) >= termsMost {
		t.known = make(map[string]string)
	}
	term := string(t.buf)
	t.known[term] = term
	return term
}

func (t *terms) document(r *notify.Record) *index.Doc {
	event := ""
	if r.Event != nil {
		event = r.Event.Type
	}
	all := append(t.list[:0], t.text(termConnection, r.Connection), t.text(termSession, r.Session), t.text(termScope, string(r.Scope)),
		t.text(termStatus, string(r.Status)), t.text(termSeverity, string(r.Severity)), t.text(termKind, string(r.Kind)), t.text(termEvent, event))
	for _, tag := range r.Tags {
		all = append(all, t.text(termTag, tag))
	}
	if r.Read {
		all = append(all, termRead)
	}
	if r.Silent {
		all = append(all, termSilent)
	}
	notify.EachToken(r, func(word []byte) {
		all = append(all, t.word(termWord, word), t.word(termInitial, initial(word)))
	})
	slices.Sort(all)
	t.list = slices.Compact(all)
	return &index.Doc{Place: place(r), Terms: slices.Clone(t.list)}
}

func initial[T string | []byte](word T) T {
	_, n := utf8.DecodeRuneInString(string(word[:min(len(word), utf8.UTFMax)]))
	return word[:n]
}

// indexQuery says in terms what f says. It may find more than f, never less: what is found is
// compared with f once more.
func indexQuery(f *notify.Filter) index.Query {
	q := index.Query{Since: instant(time.Time{}), Until: instant(maxInstant)}
	if !f.Since.IsZero() {
		q.Since = instant(f.Since)
	}
	if !f.Until.IsZero() {
		q.Until = instant(f.Until)
	}
	addGroup(&q, termConnection, f.Connections)
	addGroup(&q, termScope, f.Scopes)
	addGroup(&q, termSession, f.Sessions)
	addGroup(&q, termStatus, f.Statuses)
	addGroup(&q, termSeverity, f.Severities)
	addGroup(&q, termKind, f.Kinds)
	addGroup(&q, termTag, f.Tags)
	addGroup(&q, termEvent, f.Events)
	switch {
	case f.Read == nil:
	case *f.Read:
		addGroup(&q, termRead, []string{""})
	default:
		q.None = append(q.None, termRead)
	}
	if !f.IncludeSilent {
		q.None = append(q.None, termSilent)
	}
	for _, w := range notify.Tokens(f.Text) {
		if w == initial(w) {
			addGroup(&q, termInitial, []string{w})
		} else {
			q.Prefixes = append(q.Prefixes, termWord+w)
		}
	}
	return q
}

func addGroup[T ~string](q *index.Query, field string, values []T) {
	if len(values) == 0 {
		return
	}
	group := make([]string, len(values))
	for i, v := range values {
		group[i] = field + string(v)
	}
	q.All = append(q.All, group)
}

func indexDir(dir string) string { return filepath.Join(dir, "index") }

// runIndex opens the index, or builds it, and feeds it until ctx ends.
func (s *Store) runIndex(ctx context.Context) {
	x := s.index
	for ctx.Err() == nil {
		ix, err := s.openIndex(ctx)
		if err == nil {
			x.set(ix, false, false)
			err = s.feed(ctx, ix)
			x.set(nil, false, false)
			err = errors.Join(err, ix.Close())
		}
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, index.ErrDamaged), errors.Is(err, errMissed):
			s.log.Warn("search index is built anew", "why", err)
			if err := os.RemoveAll(indexDir(s.o.Dir)); err == nil {
				continue
			}
			fallthrough
		default:
			s.log.Error("no search index", "err", err)
			x.set(nil, false, true)
			select {
			case <-ctx.Done():
			case <-s.o.After(time.Minute):
			}
		}
	}
}

// errMissed says that the log no longer holds what the index must know.
var errMissed = errors.New("the log was cut before the index had read it")

func (s *Store) openIndex(ctx context.Context) (*index.Index, error) {
	st := s.readState()
	ix, err := index.Open(indexDir(s.o.Dir), index.Options{Logger: s.log, Unsynced: s.o.Unsynced})
	if err != nil {
		return nil, err
	}
	switch seq := ix.Seq(); {
	case seq > st.seq, // the store was put back from a snapshot
		seq == 0 && ix.Len() > 0: // building it was cut short
		return nil, errors.Join(errMissed, ix.Close())
	case seq+1 >= max(st.first, 1):
		return ix, nil
	case seq > 0:
		return nil, errors.Join(errMissed, ix.Close())
	}
	if err := s.build(ctx, ix); err != nil {
		return nil, errors.Join(err, ix.Close())
	}
	return ix, nil
}

// build fills an empty index from all records, as of one moment.
func (s *Store) build(ctx context.Context, ix *index.Index) error {
	var seq int64
	var docs []*index.Doc
	err := s.read(func(txn *badger.Txn) error {
		v, ok, err := get(txn, keyState)
		if err != nil || !ok {
			return err
		}
		st, err := decodeState(v)
		if err != nil {
			return err
		}
		seq = st.seq
		return each(txn, []byte{pfxTime}, nil, false, false, func(key, _ []byte) (bool, error) {
			_, parts, err := parseTimeTexts(key, 1)
			if err != nil {
				return false, err
			}
			r, ok, err := record(txn, parts[0])
			if err != nil {
				return false, err
			}
			if ok {
				docs = append(docs, s.index.terms.document(r))
			}
			if len(docs) >= slice {
				if err := ix.Bulk(docs); err != nil {
					return false, err
				}
				docs = nil
			}
			return true, ctx.Err()
		})
	})
	if err == nil {
		err = ix.Bulk(docs)
	}
	if err == nil && seq > 0 {
		err = errors.Join(ix.Apply(seq, nil), ix.Flush())
	}
	return err
}

// feed brings the index to the log, and then follows the commits.
func (s *Store) feed(ctx context.Context, ix *index.Index) error {
	x := s.index
	for {
		x.mu.Lock()
		steps := x.queue
		x.queue = nil
		x.mu.Unlock()
		seq := ix.Seq()
		if last := s.readState().seq; len(steps) == 0 && last > seq || len(steps) > 0 && steps[0].seq > seq+1 {
			if err := s.followLog(ctx, ix); err != nil {
				return err
			}
		}
		if err := s.index.apply(ctx, ix, steps); err != nil {
			return err
		}
		if err := ix.Err(); err != nil {
			return err
		}
		x.mu.Lock()
		if len(x.queue) == 0 {
			x.ready = true
		}
		x.mu.Unlock()
		x.cond.Broadcast()
		if !s.gather(ctx, ix) {
			return nil
		}
	}
}

// gather waits until there is something to do, and then for more, for a moment; false: ctx has ended.
func (s *Store) gather(ctx context.Context, ix *index.Index) bool {
	select {
	case <-ctx.Done():
		return false
	case <-s.index.wake:
	}
	if s.index.due(ix.Seq()) {
		return true
	}
	moment := s.o.After(gatherFor)
	for {
		select {
		case <-ctx.Done():
			return false
		case <-moment:
			return true
		case <-s.index.wake:
			if s.index.due(ix.Seq()) {
				return true
			}
		}
	}
}

func (x *indexer) apply(ctx context.Context, ix *index.Index, steps []step) error {
	for chunk := range slices.Chunk(steps, 256) {
		if ctx.Err() != nil {
			return nil // the log has it
		}
		ops := make([]index.Op, 0, len(chunk))
		for _, st := range chunk {
			if st.seq > ix.Seq() {
				ops = append(ops, x.op(st))
			}
		}
		if err := ix.Apply(chunk[len(chunk)-1].seq, ops); errors.Is(err, index.ErrDamaged) {
			return err
		}
	}
	return nil
}

func (s *Store) followLog(ctx context.Context, ix *index.Index) (err error) {
	if s.First() > ix.Seq()+1 {
		return errMissed
	}
	var steps []step
	s.eachChange(ctx, ix.Seq(), func(c notify.Change, was int64, e error) bool {
		if e != nil {
			err = e
			return false
		}
		steps = append(steps, step{c.Seq, was, c.Removed, c.Record})
		if len(steps) >= 256 {
			err = s.index.apply(ctx, ix, steps)
			steps = steps[:0]
		}
		return err == nil
	})
	if err == nil && len(steps) > 0 {
		err = s.index.apply(ctx, ix, steps)
	}
	return err
}

// Settled waits until the search index has come to the newest change, or ctx ends. Until then queries
// read the history entry by entry, which is right and slow.
func (s *Store) Settled(ctx context.Context) error {
	x := s.index
	seq := s.readState().seq
	stop := context.AfterFunc(ctx, x.cond.Broadcast)
	defer stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.hurry(seq)
	for (!x.ready || x.ix.Seq() < seq) && ctx.Err() == nil {
		x.cond.Wait()
	}
	return ctx.Err()
}

// settleIndex lets the index come to change upTo and to the disk, so that the log can be cut before
// it. It waits a moment for one that is being built; false: not yet.
func (s *Store) settleIndex(ctx context.Context, upTo int64) (seq int64, ok bool) {
	upTo = min(upTo, s.readState().seq)
	const patience = 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	x := s.index
	stop := context.AfterFunc(ctx, x.cond.Broadcast)
	defer stop()
	x.mu.Lock()
	x.hurry(upTo)
	behind := func() bool { return !x.ready || x.ix.Seq() < upTo }
	for !x.off && behind() && ctx.Err() == nil {
		x.cond.Wait()
	}
	ix, off, ready := x.ix, x.off, x.ready
	x.mu.Unlock()
	if off {
		return s.readState().seq, true
	}
	if !ready {
		return 0, false
	}
	if err := ix.Flush(); err != nil {
		s.log.Warn("search index was not written", "err", err)
	}
	return ix.Durable(), true
}
