package delivery

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/notify"
)

// world is a center in memory, run by the real rules, with a ledger and recording providers.
type world struct {
	t testing.TB

	mu     sync.Mutex // protects what follows
	state  *notify.Memory
	ids    int
	feeds  map[*feed]bool
	rows   []notify.Delivery
	broken bool // the ledger refuses to write
}

func newWorld(t testing.TB) *world {
	w := &world{t: t, state: notify.NewMemory(), feeds: map[*feed]bool{}}
	w.must(notify.Owner, notify.CreateConnection{ID: "claude", Label: "Claude Code", TokenHash: make([]byte, 32)})
	return w
}

func (w *world) id() string {
	w.ids++
	return fmt.Sprintf("01900000-0000-7000-8000-%012d", w.ids)
}

func (w *world) NewID() string { w.mu.Lock(); defer w.mu.Unlock(); return w.id() }

func (w *world) Do(_ context.Context, by notify.Actor, op notify.Op) (notify.Result, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	d, err := notify.Decide(w.state, notify.Rules{}, notify.Command{At: time.Now().UTC().Truncate(time.Millisecond), By: by, IDs: []string{w.id()}, Op: op})
	if err != nil {
		return notify.Result{}, err
	}
	w.state.Apply(d.Changes)
	for _, c := range d.Changes {
		for f := range w.feeds {
			f.push(c)
		}
	}
	return d.Result, nil
}

func (w *world) must(by notify.Actor, op notify.Op) notify.Result {
	w.t.Helper()
	r, err := w.Do(context.Background(), by, op)
	if err != nil {
		w.t.Fatalf("%T: %v", op, err)
	}
	return r
}

func (w *world) Record(_ context.Context, id string) (*notify.Record, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r, ok := w.state.Record(id)
	if !ok {
		return nil, notify.Errorf(notify.CodeNotFound, "no such record")
	}
	return r, nil
}

func (w *world) Query(context.Context, notify.Filter, notify.Cursor, int) (notify.Page, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return notify.Page{Records: slices.Collect(w.state.Pending(notify.SessionRef{}))}, nil
}

func (w *world) Settings() notify.Settings {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.Settings()
}

func (w *world) Sequence() int64 { w.mu.Lock(); defer w.mu.Unlock(); return w.state.Sequence() }

func (w *world) Connection(id string) (notify.ConnectionView, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.ConnectionView(id, time.Now())
}

func (w *world) Session(ref notify.SessionRef) (notify.SessionView, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.SessionView(ref, time.Now())
}

func (w *world) Attention() notify.Attention {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.Attention(time.Now())
}

// feed is an unbounded queue of changes.
type feed struct {
	w     *world
	mu    sync.Mutex
	queue []notify.Change
	lost  bool // Next fails
	more  chan struct{}
}

// lose breaks the feeds there are, as a reader that is too slow finds them.
func (w *world) lose() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for f := range w.feeds {
		f.mu.Lock()
		f.lost = true
		f.mu.Unlock()
		close(f.more)
		delete(w.feeds, f)
	}
}

func (w *world) Subscribe() (Feed, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := &feed{w: w, more: make(chan struct{}, 1)}
	w.feeds[f] = true
	return f, nil
}

func (f *feed) push(c notify.Change) {
	f.mu.Lock()
	f.queue = append(f.queue, c)
	f.mu.Unlock()
	select {
	case f.more <- struct{}{}:
	default:
	}
}

func (f *feed) Next(ctx context.Context) (notify.Change, error) {
	for {
		f.mu.Lock()
		if f.lost {
			f.mu.Unlock()
			return notify.Change{}, errors.New("too slow")
		}
		if len(f.queue) > 0 {
			c := f.queue[0]
			f.queue = f.queue[1:]
			f.mu.Unlock()
			return c, nil
		}
		f.mu.Unlock()
		select {
		case <-f.more:
		case <-ctx.Done():
			return notify.Change{}, ctx.Err()
		}
	}
}

func (f *feed) Close() { f.w.mu.Lock(); defer f.w.mu.Unlock(); delete(f.w.feeds, f) }

func same(a, b notify.Delivery) bool {
	return a.Provider == b.Provider && a.EventType == b.EventType && a.Occurrence == b.Occurrence
}

func (w *world) Claim(_ context.Context, d notify.Delivery) (bool, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken {
		return false, errors.New("no space")
	}
	for i := range w.rows {
		if same(w.rows[i], d) {
			if w.rows[i].State != notify.DeliveryFailed {
				return false, nil
			}
			w.rows[i] = d
			return true, nil
		}
	}
	w.rows = append(w.rows, d)
	return true, nil
}

func (w *world) Settle(_ context.Context, d notify.Delivery) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.broken {
		return errors.New("no space")
	}
	for i := range w.rows {
		if same(w.rows[i], d) {
			w.rows[i] = d
			return nil
		}
	}
	w.rows = append(w.rows, d)
	return nil
}

func (w *world) Deliveries(_ context.Context, provider, record string, _ int) ([]notify.Delivery, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []notify.Delivery
	for _, d := range w.rows {
		if (provider == "" || provider == d.Provider) && (record == "" || record == d.RecordID) {
			out = append(out, d)
		}
	}
	slices.SortStableFunc(out, func(a, b notify.Delivery) int { return b.At.Compare(a.At) })
	return out, nil
}

func (w *world) Retries(_ context.Context, now time.Time) ([]notify.Delivery, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []notify.Delivery
	for _, d := range w.rows {
		if d.State == notify.DeliveryFailed && !d.RetryAt.IsZero() && !d.RetryAt.After(now) {
			out = append(out, d)
		}
	}
	return out, nil
}

// row is the newest row of a provider and a record.
func (w *world) row(provider, record string) notify.Delivery {
	w.t.Helper()
	rows, _ := w.Deliveries(context.Background(), provider, record, 0)
	if len(rows) == 0 {
		w.t.Fatalf("no row of %s for %s", provider, record)
	}
	return rows[0]
}

// recorder is a provider that remembers, and fails as told.
type recorder struct {
	name string
	took time.Duration // of each call

	mu    sync.Mutex // protects what follows
	err   error
	told  []Message
	taken []string // withdrawn
}

func (r *recorder) Name() string { return r.name }

func (r *recorder) fail(err error) { r.mu.Lock(); defer r.mu.Unlock(); r.err = err }

func (r *recorder) Tell(ctx context.Context, m Message) error {
	if r.took > 0 {
		select {
		case <-time.After(r.took):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.err != nil {
		return r.err
	}
	m.At = time.Now()
	r.told = append(r.told, m)
	return nil
}

func (r *recorder) Withdraw(_ context.Context, id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.taken = append(r.taken, id)
	return nil
}

// all returns and forgets what was told.
func (r *recorder) all() []Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	told := r.told
	r.told = nil
	return told
}

func (r *recorder) withdrawn() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	taken := r.taken
	r.taken = nil
	return taken
}

// kinds are the kinds of messages, those in place marked.
func kinds(ms []Message) string {
	s := ""
	for _, m := range ms {
		s += string(m.Kind)
		if m.InPlace {
			s += "*"
		}
		s += " "
	}
	return s
}

// run starts an engine in the bubble of the test.
func (w *world) run(change func(*Params), ps ...Provider) *Engine {
	p := Params{Center: w, Subscribe: w.Subscribe, Ledger: w, Providers: ps, NewID: w.NewID, Now: time.Now}
	if change != nil {
		change(&p)
	}
	e := New(p)
	ctx, cancel := context.WithCancel(w.t.Context())
	go func() { _ = e.Serve(ctx) }()
	w.t.Cleanup(func() { cancel(); <-e.done })
	synctest.Wait()
	return e
}

// publish makes a record of the connection claude.
func (w *world) publish(c notify.Content, session string) *notify.Record {
	w.t.Helper()
	if c.Title == "" {
		c.Title = "title"
	}
	p := notify.Publish{Connection: "claude", Session: session, Content: c}
	r := w.must(notify.Producer("claude"), p).Record
	synctest.Wait()
	return r
}

func question(id string) notify.Content {
	return notify.Content{Kind: notify.KindInteraction, Title: "Question " + id,
		Event: &notify.Event{Type: notify.EventClarificationRequested, Occurrence: id},
		Interaction: &notify.Interaction{Kind: "question", Prompt: "Which of the two secret plans?",
			Options: []notify.Option{{ID: "a", Label: "A"}, {ID: "b", Label: "B"}}}}
}

func (w *world) answer(r *notify.Record) {
	w.t.Helper()
	w.must(notify.Owner, notify.AnswerOp{ID: r.ID, Expect: notify.Expectation{Expect: true, Revision: r.Revision}, Answer: notify.Answer{Option: "a"}})
	synctest.Wait()
}
