package ui

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// fake is a center on the rules alone: every command is decided as the real one decides it.
type fake struct {
	mu      sync.Mutex // protects all below
	mem     *notify.Memory
	records map[string]*notify.Record
	log     []notify.Change
	ids     int
	ops     []notify.Op
	fail    func(notify.Op) error // nil: nothing fails
	queries int
	reads   int
	feeds   []*fakeFeed
	failQ   error
}

func newFake() *fake { return &fake{mem: notify.NewMemory(), records: map[string]*notify.Record{}} }

func (f *fake) Do(_ context.Context, by notify.Actor, op notify.Op) (notify.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ops = append(f.ops, op)
	if f.fail != nil {
		if err := f.fail(op); err != nil {
			return notify.Result{}, err
		}
	}
	f.ids++
	d, err := notify.Decide(f.mem, notify.Rules{}, notify.Command{At: time.Now().UTC().Truncate(time.Millisecond), By: by,
		IDs: []string{fmt.Sprintf("id-%04d", f.ids)}, Op: op})
	if err != nil {
		return notify.Result{}, err
	}
	f.mem.Apply(d.Changes)
	f.log = append(f.log, d.Changes...)
	for _, c := range d.Changes {
		if c.Record != nil {
			f.records[c.Record.ID] = c.Record
		}
		for _, feed := range f.feeds {
			feed.in <- c
		}
	}
	return d.Result, nil
}

func (f *fake) Record(_ context.Context, id string) (*notify.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.records[id]; r != nil {
		return r, nil
	}
	return nil, notify.Errorf(notify.CodeNotFound, "There is no such notification.")
}

func (f *fake) Query(_ context.Context, q notify.Filter, after notify.Cursor, limit int) (p notify.Page, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queries++
	if f.failQ != nil {
		return p, f.failQ
	}
	var list []*notify.Record
	for _, r := range f.records {
		if len(q.Statuses) > 0 && !slices.Contains(q.Statuses, r.Status) || len(q.Kinds) > 0 && !slices.Contains(q.Kinds, r.Kind) ||
			len(q.Scopes) > 0 && !slices.Contains(q.Scopes, r.Scope) || len(q.Connections) > 0 && !slices.Contains(q.Connections, r.Connection) ||
			len(q.Severities) > 0 && !slices.Contains(q.Severities, r.Severity) || q.Read != nil && *q.Read != r.Read ||
			len(q.Events) > 0 && (r.Event == nil || !slices.Contains(q.Events, r.Event.Type)) || !vm.MatchText(r, q.Text) {
			continue
		}
		list = append(list, r)
	}
	slices.SortFunc(list, func(a, b *notify.Record) int {
		return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID))
	})
	for _, r := range list {
		if after != (notify.Cursor{}) && (r.UpdatedAt.After(after.UpdatedAt) || r.UpdatedAt.Equal(after.UpdatedAt) && r.ID >= after.ID) {
			continue
		}
		if len(p.Records) == limit {
			last := p.Records[limit-1]
			p.Next = notify.Cursor{UpdatedAt: last.UpdatedAt, ID: last.ID}
			break
		}
		p.Records = append(p.Records, r)
	}
	return p, nil
}

func (f *fake) Rail(focus notify.SessionRef) notify.Rail {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.reads++
	return f.mem.Rail(focus, time.Now())
}

func (f *fake) Attention() notify.Attention {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mem.Attention(time.Now())
}

func (f *fake) Connections() []notify.ConnectionView {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mem.ConnectionViews(time.Now())
}

func (f *fake) Connection(id string) (notify.ConnectionView, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mem.ConnectionView(id, time.Now())
}

func (f *fake) Sessions(c string) []notify.SessionView {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mem.SessionViews(c, time.Now())
}

func (f *fake) Settings() notify.Settings {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mem.Settings()
}

func (f *fake) Sequence() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mem.Sequence()
}

type fakeFeed struct{ in chan notify.Change }

func (f *fakeFeed) Next(ctx context.Context) (notify.Change, error) {
	select {
	case c := <-f.in:
		return c, nil
	case <-ctx.Done():
		return notify.Change{}, ctx.Err()
	}
}
func (f *fakeFeed) Close() {}

func (f *fake) subscribe(after int64) (Feed, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	feed := &fakeFeed{in: make(chan notify.Change, 4096+len(f.log))}
	for _, c := range f.log {
		if after >= 0 && c.Seq > after {
			feed.in <- c
		}
	}
	f.feeds = append(f.feeds, feed)
	return feed, nil
}

// sent are the commands of one type that reached the center.
func sent[T notify.Op](f *fake) (out []T) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, op := range f.ops {
		if o, ok := op.(T); ok {
			out = append(out, o)
		}
	}
	return out
}

// desk is a UI under test: its own clock in a bubble, its main goroutine the test's.
type desk struct {
	t    *testing.T
	f    *fake
	u    *UI
	app  fyne.App
	mu   sync.Mutex
	work []func()
}

// onDesk runs a test in a bubble, with a connection "claude" that has a session "s".
func onDesk(t *testing.T, o Options, body func(*desk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := &desk{t: t, f: newFake(), app: test.NewTempApp(t)}
		o.Subscribe, o.Now = d.f.subscribe, time.Now
		o.Dispatch = func(f func()) {
			d.mu.Lock()
			d.work = append(d.work, f)
			d.mu.Unlock()
		}
		o.Locale = "en_US.UTF-8"
		d.do(notify.CreateConnection{ID: "claude", Label: "Claude Code", TokenHash: make([]byte, 32)})
		title := "Checkout"
		d.do(notify.PutSession{Connection: "claude", Session: "s", Title: &title})
		d.u = New(d.app, &lineTo{fake: d.f}, o)
		d.u.Start()
		body(d)
		d.u.Close()
	})
}

func (d *desk) do(op notify.Op) notify.Result {
	d.t.Helper()
	r, err := d.f.Do(context.Background(), notify.Owner, op)
	if err != nil {
		d.t.Fatalf("%T: %v", op, err)
	}
	return r
}

// settle runs what was handed to the main goroutine until nothing moves.
func (d *desk) settle() {
	for {
		synctest.Wait()
		d.mu.Lock()
		work := d.work
		d.work = nil
		d.mu.Unlock()
		if len(work) == 0 {
			return
		}
		for _, f := range work {
			f()
		}
	}
}

// wait lets time pass, running what comes due.
func (d *desk) wait(t time.Duration) {
	for end := time.Now().Add(t); time.Now().Before(end); {
		d.settle()
		time.Sleep(min(20*time.Millisecond, time.Until(end)))
	}
	d.settle()
}

func (d *desk) show() *railWindow {
	d.u.Show()
	d.wait(RefreshEvery)
	d.u.rail.win.Resize(fyne.NewSize(900, 700))
	d.settle()
	return d.u.rail
}

func (d *desk) notice(title string) string {
	return d.do(notify.Publish{Connection: "claude", Key: title, Content: notify.Content{Title: title}}).Record.ID
}

func (d *desk) question(title string, change func(*notify.Interaction)) string {
	in := &notify.Interaction{Kind: "permission", Prompt: title, Options: []notify.Option{{ID: "allow", Label: "Allow", Style: "primary", Comment: "none"}, {ID: "deny", Label: "Deny", Style: "danger", Comment: "required"}}}
	if change != nil {
		change(in)
	}
	return d.do(notify.Publish{Connection: "claude", Content: notify.Content{Kind: notify.KindInteraction, Title: title, Interaction: in}}).Record.ID
}

func (d *desk) record(id string) *notify.Record {
	r, err := d.f.Record(context.Background(), id)
	if err != nil {
		d.t.Fatal(err)
	}
	return r
}

func (d *desk) shown() (out []string) {
	for _, r := range d.u.rail.view.Shown {
		out = append(out, r.Title)
	}
	return out
}

func (d *desk) wantShown(want ...string) {
	d.t.Helper()
	got := d.shown()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		d.t.Errorf("the rail shows %v, want %v", got, want)
	}
}

func button(t *testing.T, card *widgets.Card, label string) *widgets.Press {
	t.Helper()
	if card == nil {
		t.Fatal("the card is not in view")
	}
	for _, b := range card.Buttons() {
		if b.Label == label {
			return b
		}
	}
	t.Fatalf("no button %q", label)
	return nil
}

// openNext chooses the next item and opens it.
func (r *railWindow) openNext() {
	r.feed.MoveSelection(1)
	r.key(fyne.KeyReturn)
}
