package winlink

import (
	"context"
	"errors"
	"io"
	"net"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"signalbox/notify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// center answers with what a test put into it.
type center struct {
	by     notify.Actor
	op     notify.Op
	err    error
	record *notify.Record
	filter notify.Filter
}

func (c *center) Do(_ context.Context, by notify.Actor, op notify.Op) (notify.Result, error) {
	c.by, c.op = by, op
	return notify.Result{Verdict: notify.Updated, Record: c.record}, c.err
}
func (c *center) Record(context.Context, string) (*notify.Record, error) { return c.record, c.err }
func (c *center) Query(ctx context.Context, f notify.Filter, _ notify.Cursor, limit int) (notify.Page, error) {
	if limit == 0 {
		<-ctx.Done()
		return notify.Page{}, ctx.Err()
	}
	c.filter = f
	return notify.Page{Records: []*notify.Record{c.record}, Next: notify.Cursor{ID: "next"}}, nil
}
func (c *center) Rail(notify.SessionRef) notify.Rail {
	return notify.Rail{Application: []*notify.Record{c.record}}
}
func (c *center) Attention() notify.Attention {
	return notify.Attention{Counts: notify.Counts{Waiting: 3}, Connections: map[string]notify.Counts{"c": {Unread: 2}}}
}
func (c *center) Connections() []notify.ConnectionView {
	return []notify.ConnectionView{{Connection: &notify.Connection{ID: "c", Label: "L", Streams: 2, TokenHash: []byte{1, 2}}, Presence: notify.Online, Counts: notify.Counts{Pending: 4}}}
}
func (c *center) Sessions(string) []notify.SessionView {
	return []notify.SessionView{{Session: &notify.Session{Connection: "c", ID: "s", Told: 5}, Waiting: 1, Needs: notify.NeedConfirm}}
}
func (c *center) Settings() notify.Settings {
	return notify.Settings{Subscriptions: []notify.Subscription{{Provider: "toast", Events: []string{}}, {Provider: "sound"}}, MinTurn: time.Minute}
}

// changes is a feed of what is sent into it.
type changes struct {
	c      chan notify.Change
	closed chan struct{}
}

func (f changes) Next(ctx context.Context) (notify.Change, error) {
	select {
	case c, ok := <-f.c:
		if !ok {
			return notify.Change{}, errors.New("reset")
		}
		return c, nil
	case <-ctx.Done():
		return notify.Change{}, ctx.Err()
	}
}
func (f changes) Close() { close(f.closed) }

// connect joins two lines and serves both.
func connect(t *testing.T, c Center, subscribe func(int64) (Feed, error)) (Port, func()) {
	a, b := net.Pipe()
	server, client := New(a), New(b)
	Offer(server, c, subscribe)
	done := make(chan struct{}, 2)
	go func() { _ = server.Serve(context.Background()); done <- struct{}{} }()
	go func() { _ = client.Serve(context.Background()); done <- struct{}{} }()
	end := func() { client.Close(); <-done; <-done }
	return Port{client}, end
}

func full() *notify.Record {
	at := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)
	total := 4.5
	r := &notify.Record{ID: "r", Connection: "c", Scope: notify.ScopeSession, Session: "s", Revision: 3, Status: notify.Pending, CreatedAt: at, UpdatedAt: at, ContentAt: at, Change: 9,
		SetAsideUntil: notify.SetAsideForever, Outcome: &notify.Outcome{Kind: notify.OutcomeAnswered, Answer: &notify.Answer{Fields: map[string]notify.RawJSON{"f": notify.RawJSON(`[1,2]`)}}, At: at}}
	r.Content = notify.Content{Kind: notify.KindInteraction, Severity: notify.SeverityError, Title: "t <b> \u2028", Progress: &notify.Progress{Current: 1, Total: &total},
		Interaction: &notify.Interaction{Kind: "question", Options: []notify.Option{{ID: "a"}}, Fields: []notify.Field{{ID: "f", Type: notify.FieldNumber, Default: notify.RawJSON(`3`)}}},
		Retention:   notify.Retention{Policy: notify.TTL, Deadline: at, TTL: time.Minute}, Data: notify.RawJSON(`{"a":[1,2]}`)}
	return r
}

func TestRoundTrip(t *testing.T) {
	c := &center{record: full()}
	p, end := connect(t, c, nil)
	defer end()
	ctx := t.Context()
	off, title := false, "x"
	var until time.Time
	for _, op := range []notify.Op{
		notify.Dismiss{ID: "r", Expect: notify.Expectation{Expect: true, Revision: 3}},
		notify.UpdateConnection{ID: "c", Open: &off, Label: &title},
		notify.SetSettings{QuietUntil: &until, Subscriptions: &[]notify.Subscription{{Provider: "toast", Events: []string{}}, {Provider: "sound", Events: nil}}},
		notify.AnswerOp{ID: "r", Answer: notify.Answer{Option: "a", Fields: map[string]notify.RawJSON{"f": notify.RawJSON(`"v"`)}}},
		notify.Snooze{ID: "r", For: time.Hour}, notify.SetFocus{}, notify.CreateConnection{Label: "L", TokenHash: []byte{1}},
	} {
		r, err := p.Do(ctx, notify.Owner, op)
		if err != nil || r.Verdict != notify.Updated {
			t.Fatalf("%T: %v", op, err)
		}
		if !reflect.DeepEqual(c.op, op) || c.by != notify.Owner {
			t.Errorf("got %#v, want %#v", c.op, op)
		}
		if !reflect.DeepEqual(r.Record, c.record) {
			t.Errorf("got %+v, want %+v", r.Record, c.record)
		}
	}
	read := true
	f := notify.Filter{Statuses: []notify.Status{notify.Pending}, Text: "x", Read: &read, Since: time.Unix(5, 0).UTC()}
	page, err := p.Query(ctx, f, notify.Cursor{}, 10)
	if err != nil || page.Next.ID != "next" || !reflect.DeepEqual(page.Records[0], c.record) || !reflect.DeepEqual(c.filter, f) {
		t.Errorf("%+v %v", page, err)
	}
	rail, err1 := p.Rail(ctx, notify.SessionRef{})
	attention, err2 := p.Attention(ctx)
	connections, err3 := p.Connections(ctx)
	sessions, err4 := p.Sessions(ctx, "c")
	settings, err5 := p.Settings(ctx)
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2]any{
		"rail":        {rail, c.Rail(notify.SessionRef{})},
		"attention":   {attention, c.Attention()},
		"connections": {connections, c.Connections()},
		"sessions":    {sessions, c.Sessions("c")},
		"settings":    {settings, c.Settings()},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			t.Errorf("%s: got %+v, want %+v", what, pair[0], pair[1])
		}
	}
}

// A line that has ended, and one that is silent, are never taken for a center that has nothing.
//
// Proves: D5
func TestNothingReadIsAnError(t *testing.T) {
	reads := func(p Port) map[string]error {
		ctx := context.Background()
		_, rail := p.Rail(ctx, notify.SessionRef{})
		_, attention := p.Attention(ctx)
		_, connections := p.Connections(ctx)
		_, sessions := p.Sessions(ctx, "c")
		_, settings := p.Settings(ctx)
		return map[string]error{"rail": rail, "attention": attention, "connections": connections, "sessions": sessions, "settings": settings}
	}
	check := func(t *testing.T, p Port, cause error) {
		for what, err := range reads(p) {
			if notify.CodeOf(err) != notify.CodeUnavailable || !errors.Is(err, cause) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
	t.Run("ended", func(t *testing.T) {
		p, end := connect(t, &center{}, nil)
		end()
		check(t, p, ErrClosed)
	})
	t.Run("silent", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b := net.Pipe()
			go func() { _, _ = io.Copy(io.Discard, a) }() // it hears, and says nothing
			line := New(b)
			done := make(chan struct{})
			go func() { _ = line.Serve(context.Background()); close(done) }()
			check(t, Port{line}, context.DeadlineExceeded)
			line.Close()
			a.Close()
			<-done
		})
	})
}

func TestErrorsKeepTheirKind(t *testing.T) {
	c := &center{err: &notify.Error{Code: notify.CodeRevisionConflict, Detail: "stale", Current: full(), Fields: []notify.FieldError{{Field: "/x", Detail: "y"}}}}
	p, end := connect(t, c, nil)
	defer end()
	_, err := p.Do(t.Context(), notify.Owner, notify.Dismiss{})
	var e *notify.Error
	if !errors.As(err, &e) || !reflect.DeepEqual(e, c.err) {
		t.Errorf("got %#v", err)
	}
	c.err = errors.New("plain")
	if _, err := p.Do(t.Context(), notify.Owner, notify.Dismiss{}); err == nil || err.Error() != "plain" {
		t.Errorf("got %v", err)
	}
	if _, err := p.Do(t.Context(), notify.Owner, notify.Tick{}); err == nil {
		t.Error("a command of the center was sent")
	}
}

func TestContextEndsACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, end := connect(t, &center{}, nil)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := p.Query(ctx, notify.Filter{}, notify.Cursor{}, 0); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		synctest.Wait() // the handler at the other end has ended as well, or end would wait for ever
		end()
		if _, err := p.Do(context.Background(), notify.Owner, notify.Dismiss{}); !errors.Is(err, ErrClosed) {
			t.Errorf("after the end: %v", err)
		}
	})
}

func TestFeed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := changes{make(chan notify.Change, 1000), make(chan struct{})}
		p, end := connect(t, &center{}, func(int64) (Feed, error) { return f, nil })
		got, err := p.Subscribe(-1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 250 {
			f.c <- notify.Change{Seq: int64(i)}
		}
		for i := range 250 {
			c, err := got.Next(t.Context())
			if err != nil || c.Seq != int64(i) {
				t.Fatalf("%d: %+v %v", i, c, err)
			}
		}
		close(f.c)
		if _, err := got.Next(t.Context()); err == nil {
			t.Error("the error of the feed was lost")
		}
		end()
		<-f.closed
	})
}

// A feed that is opened while its line ends is closed all the same.
func TestAFeedThatOpensAsItsLineEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		f := changes{closed: make(chan struct{})}
		p, end := connect(t, &center{}, func(int64) (Feed, error) { <-open; return f, nil })
		go func() { _, _ = p.Subscribe(0) }()
		synctest.Wait()
		ended := make(chan struct{})
		go func() { end(); close(ended) }()
		synctest.Wait()
		close(open)
		<-ended
		synctest.Wait()
		select {
		case <-f.closed:
		default:
			t.Error("it stays open")
		}
	})
}
