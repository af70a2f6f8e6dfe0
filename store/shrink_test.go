package store_test

import (
	"cmp"
	"sync/atomic"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/store"
	"signalbox/store/storetest"
)

// paced is a clock on which every pause lasts until the test ends it, but those that are too short to
// matter. It also takes what a store says that it did.
type paced struct {
	*ticker
	free    atomic.Int64 // bytes of the disk; 0: plenty
	merges  atomic.Int32 // that began
	merging atomic.Int32 // that have not ended
	did     chan string
	tell    func(what string) // nil: nobody else is told
}

func newPaced() *paced { return &paced{ticker: newTicker(), did: make(chan string, 10000)} }

func (p *paced) After(d time.Duration) <-chan time.Time {
	if d < time.Second {
		return time.After(time.Millisecond)
	}
	return p.ticker.After(d)
}

func (p *paced) open(t *testing.T, dir string) *store.Store {
	t.Helper()
	space := func(string) (store.Space, error) { return store.Space{Free: cmp.Or(p.free.Load(), 1<<40)}, nil }
	merging := func() func() {
		p.merges.Add(1)
		p.merging.Add(1)
		return func() { p.merging.Add(-1) }
	}
	o := store.Options{Dir: dir, Now: p.Now, After: p.After, Space: space, Merging: merging, SnapshotEvery: -1, OpenWithin: -1, Unsynced: true}
	s, report := store.Open(t.Context(), o)
	store.Watch(s, func(what string) {
		if p.tell != nil {
			p.tell(what)
		}
		p.did <- what
	})
	if report.Condition != store.Healthy {
		t.Fatalf("Open: %+v", report)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func (p *paced) await(t *testing.T, what string) {
	t.Helper()
	for {
		select {
		case got := <-p.did:
			if got == what {
				return
			}
		case <-time.After(time.Minute):
			t.Fatalf("the store did not do it: %s", what)
		}
	}
}

// fill writes n records of some size, and prune removes the first of them.
func fill(w *storetest.Writer, n int) {
	rnd := noise(1)
	for from := 0; from < n; from += 200 {
		var rs []*notify.Record
		for i := from; i < from+200; i++ {
			rs = append(rs, storetest.With(storetest.New(i), func(r *notify.Record) { r.Body = rnd(2000) }))
		}
		w.Put(rs...)
	}
}

func prune(w *storetest.Writer, n int) {
	for from := 0; from < n; from += 200 {
		var rs []*notify.Record
		for i := from; i < from+200; i++ {
			rs = append(rs, storetest.New(i))
		}
		w.Prune(rs...)
	}
}

// emptied removes the first n records of a store, with what was logged of them.
func emptied(t *testing.T, s *store.Store, w *storetest.Writer, n int) {
	t.Helper()
	prune(w, n)
	mustDo(t, s.Settled(t.Context())) // what the index has not read yet stays in the log
	mustDo(t, s.Trim(t.Context(), w.Seq, time.Time{}))
}

func left(t *testing.T, s *store.Store, want int) {
	t.Helper()
	if page, err := s.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 2*want); err != nil || len(page.Records) != want {
		t.Errorf("%d records are left, %v; want %d", len(page.Records), err, want)
	}
}

// TestShrink prunes most of a store: its tables shrink by themselves, at once, also when the removals are
// still in memory, and a little later, when somebody was reading what went.
// Proves: T46
func TestShrink(t *testing.T) {
	for _, c := range []struct {
		name    string
		reading bool
	}{{"nobody reads", false}, {"somebody reads", true}} {
		t.Run(c.name, func(t *testing.T) {
			dir, p := t.TempDir(), newPaced()
			w := &storetest.Writer{T: t, S: p.open(t, dir)}
			fill(w, 6000)
			mustDo(t, w.S.(*store.Store).Close())
			p = newPaced()
			s := p.open(t, dir)
			w.S = s
			before := store.TablesSize(s)
			read := func() {}
			if c.reading {
				read = store.Reading(s)
			}
			emptied(t, s, w, 5600)
			p.end(t, 5*time.Second)
			p.await(t, "shrunk")
			if c.reading {
				if after := store.TablesSize(s); after < before {
					t.Errorf("what is being read is gone: %d bytes of %d", after, before)
				}
				// Longer and longer, as long as it is read.
				p.end(t, 20*time.Second)
				p.await(t, "shrunk")
				read()
				p.end(t, 40*time.Second)
				p.await(t, "shrunk")
			}
			if after := store.TablesSize(s); after > before/4 {
				t.Errorf("tables take %d bytes of %d", after, before)
			}
			left(t, s, 400)
			mustDo(t, s.Close())
			left(t, p.open(t, dir), 400)
		})
	}
}

// TestShrinkWaitsForTheLastRemoval removes slowly: space is given back when the removals have ended, and not between
// two times that they are told of.
func TestShrinkWaitsForTheLastRemoval(t *testing.T) {
	p := newPaced()
	s := p.open(t, t.TempDir())
	w := &storetest.Writer{T: t, S: s}
	fill(w, 6000)
	prune(w, 5200)
	p.now.Add(int64(3 * time.Second))
	w.Prune(storetest.New(5200))
	p.now.Add(-int64(3 * time.Second)) // end lets the whole pause pass
	p.end(t, 5*time.Second)
	p.end(t, 3*time.Second)
	p.await(t, "shrunk")
	left(t, s, 799)
}

// TestShrinkAfterStart goes on with what an earlier run did not come to.
func TestShrinkAfterStart(t *testing.T) {
	dir, p := t.TempDir(), newPaced()
	s := p.open(t, dir)
	w := &storetest.Writer{T: t, S: s}
	fill(w, 6000)
	emptied(t, s, w, 5600)
	before := store.TablesSize(s)
	mustDo(t, s.Close()) // nothing has been merged

	p = newPaced()
	s = p.open(t, dir)
	p.end(t, 2*time.Second) // no quiet is waited for after a start
	p.await(t, "tidied")
	if after := store.TablesSize(s); after > before/4 {
		t.Errorf("tables take %d bytes of %d", after, before)
	}
	left(t, s, 400)
}

// TestMergeEnds closes a store in the middle of a merge: it ends after the step that it is at, and the
// store is closed in good order and opens again in the same process. Badger's own Flatten knows no
// end but its own, so a version that does not log its steps any more fails here.
func TestMergeEnds(t *testing.T) {
	dir, p := t.TempDir(), newPaced()
	s := p.open(t, dir)
	w := &storetest.Writer{T: t, S: s}
	fill(w, 12000)
	prune(w, 6000)
	steps, closed, ending := 0, make(chan error, 1), make(chan struct{})
	p.tell = func(what string) {
		switch {
		case what == "ending":
			close(ending)
		case what == "step":
			if steps++; steps == 1 {
				go func() { closed <- s.Close() }()
				<-ending
			}
		}
	}
	p.end(t, 5*time.Second)
	mustDo(t, <-closed)
	if steps != 1 {
		t.Errorf("%d steps were asked for, want only that in which the store was closed", steps)
	}
	if p.merges.Load() != 1 || p.merging.Load() != 0 {
		t.Errorf("%d merges were told of, and %d of them without their end", p.merges.Load(), p.merging.Load())
	}
	left(t, newPaced().open(t, dir), 6000)
}

// TestMergeWithoutRoom lets somebody else take the disk in the middle of a merge: it ends before its next step, and is
// made when there is room again.
// Proves: T41
func TestMergeWithoutRoom(t *testing.T) {
	p := newPaced()
	s := p.open(t, t.TempDir())
	w := &storetest.Writer{T: t, S: s}
	fill(w, 6000)
	emptied(t, s, w, 5600)
	before := store.TablesSize(s)
	var steps atomic.Int32
	p.tell = func(what string) {
		if what == "step" && steps.Add(1) == 1 {
			p.free.Store(store.DefaultMinFree + 1<<20)
		}
	}
	p.end(t, 5*time.Second)
	p.await(t, "shrunk")
	if after := store.TablesSize(s); steps.Load() != 1 || after < before {
		t.Errorf("%d steps without room, %d bytes of %d are left", steps.Load(), after, before)
	}
	tables := store.Tables(s)
	for pause := 20 * time.Second; pause < 10*time.Minute; pause *= 2 {
		p.end(t, pause)
		p.await(t, "shrunk")
	}
	if n := store.Tables(s); n != tables {
		t.Errorf("tries without room left %d tables of %d", n, tables)
	}
	p.free.Store(0)
	p.end(t, 10*time.Minute)
	p.await(t, "shrunk")
	if after := store.TablesSize(s); after > before/4 {
		t.Errorf("with room again, tables take %d bytes of %d", after, before)
	}
	left(t, s, 400)
}
