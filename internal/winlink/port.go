package winlink

import (
	"context"
	"errors"
	"sync"
	"time"

	"signalbox/notify"
)

// Center is what windows ask of the center.
type Center interface {
	Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error)
	Record(ctx context.Context, id string) (*notify.Record, error)
	Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error)
	Rail(focus notify.SessionRef) notify.Rail
	Attention() notify.Attention
	Connections() []notify.ConnectionView
	Sessions(connection string) []notify.SessionView
	Settings() notify.Settings
}

// Feed is an ordered stream of changes.
type Feed interface {
	Next(ctx context.Context) (notify.Change, error)
	Close()
}

type query struct {
	Filter notify.Filter
	After  notify.Cursor
	Limit  int
}

// connection carries what the connection's own JSON leaves out.
type connection struct {
	View    notify.ConnectionView
	Streams int
}

func fromView(v notify.ConnectionView) connection {
	c := connection{View: v}
	if v.Connection != nil {
		c.Streams = v.Streams
	}
	return c
}

func (c connection) view() notify.ConnectionView {
	if c.View.Connection != nil {
		c.View.Streams = c.Streams
	}
	return c.View
}

type none struct{}

// maxBatch bounds the changes of one answer to a reader of a feed.
const maxBatch = 100

// Offer answers the calls of a Port at the other end. subscribe opens a feed.
func Offer(l *Line, c Center, subscribe func(after int64) (Feed, error)) {
	Handle(l, "do", func(ctx context.Context, in command) (notify.Result, error) {
		op, err := in.decode()
		if err != nil {
			return notify.Result{}, err
		}
		return c.Do(ctx, in.By, op)
	})
	Handle(l, "record", func(ctx context.Context, id string) (*notify.Record, error) { return c.Record(ctx, id) })
	Handle(l, "query", func(ctx context.Context, q query) (notify.Page, error) {
		return c.Query(ctx, q.Filter, q.After, q.Limit)
	})
	Handle(l, "rail", func(_ context.Context, f notify.SessionRef) (notify.Rail, error) { return c.Rail(f), nil })
	Handle(l, "attention", func(context.Context, none) (notify.Attention, error) { return c.Attention(), nil })
	Handle(l, "connections", func(context.Context, none) ([]connection, error) {
		var out []connection
		for _, v := range c.Connections() {
			out = append(out, fromView(v))
		}
		return out, nil
	})
	Handle(l, "sessions", func(_ context.Context, id string) ([]notify.SessionView, error) { return c.Sessions(id), nil })
	Handle(l, "settings", func(context.Context, none) (notify.Settings, error) { return c.Settings(), nil })
	offerFeeds(l, subscribe)
}

// offerFeeds keeps the feeds of the other end, which end with the line.
func offerFeeds(l *Line, subscribe func(after int64) (Feed, error)) {
	var mu sync.Mutex // protects what follows
	feeds, next := map[int]Feed{}, 0
	find := func(id int) Feed { mu.Lock(); defer mu.Unlock(); return feeds[id] }
	Handle(l, "subscribe", func(ctx context.Context, after int64) (int, error) {
		f, err := subscribe(after)
		if err != nil {
			return 0, err
		}
		mu.Lock()
		defer mu.Unlock()
		select {
		case <-l.Done(): // what the line had open is being closed already
			f.Close()
			return 0, ErrClosed
		default:
		}
		next++
		feeds[next] = f
		return next, nil
	})
	drop := func(id int) {
		mu.Lock()
		f := feeds[id]
		delete(feeds, id)
		mu.Unlock()
		if f != nil {
			f.Close()
		}
	}
	Handle(l, "unsubscribe", func(_ context.Context, id int) (none, error) { drop(id); return none{}, nil })
	// One answer holds what is there at once: a burst is few answers.
	Handle(l, "next", func(ctx context.Context, id int) ([]notify.Change, error) {
		f := find(id)
		if f == nil {
			return nil, ErrClosed
		}
		c, err := f.Next(ctx)
		if err != nil {
			return nil, err
		}
		out := []notify.Change{c}
		for len(out) < maxBatch {
			more, cancel := context.WithTimeout(ctx, time.Millisecond)
			c, err := f.Next(more)
			cancel()
			if errors.Is(err, context.DeadlineExceeded) {
				break
			}
			if err != nil {
				return out, nil // it is told again by the next call
			}
			out = append(out, c)
		}
		return out, nil
	})
	go func() {
		<-l.Done()
		mu.Lock()
		ids := make([]int, 0, len(feeds))
		for id := range feeds {
			ids = append(ids, id)
		}
		mu.Unlock()
		for _, id := range ids {
			drop(id)
		}
	}()
}

// Port is the center at the other end of a line. Nothing is ever answered in its place: what cannot be asked, or is not
// answered in time, is an error, of the kind unavailable where the line is to blame.
type Port struct{ Line *Line }

// memoryLimit bounds the calls that the other end answers from memory.
const memoryLimit = 5 * time.Second

// ask calls a method that is answered from memory.
func ask[Out any](ctx context.Context, p Port, method string, in any) (Out, error) {
	ctx, cancel := context.WithTimeout(ctx, memoryLimit)
	defer cancel()
	return call[Out](ctx, p, method, in)
}

// call calls a method, and tells a line that is silent or has ended from a refusal.
func call[Out any](ctx context.Context, p Port, method string, in any) (Out, error) {
	out, err := Call[Out](ctx, p.Line, method, in)
	if errors.Is(err, ErrClosed) || errors.Is(err, context.DeadlineExceeded) {
		err = &notify.Error{Code: notify.CodeUnavailable, Detail: "The center does not answer.", Cause: err}
	}
	return out, err
}

// Do sends a command.
func (p Port) Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error) {
	c, err := encodeOp(by, op)
	if err != nil {
		return notify.Result{}, err
	}
	return call[notify.Result](ctx, p, "do", c)
}

// Record finds any record.
func (p Port) Record(ctx context.Context, id string) (*notify.Record, error) {
	return call[*notify.Record](ctx, p, "record", id)
}

// Query lists records.
func (p Port) Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error) {
	return call[notify.Page](ctx, p, "query", query{f, after, limit})
}

// Rail is what a fresh view presents.
func (p Port) Rail(ctx context.Context, focus notify.SessionRef) (notify.Rail, error) {
	return ask[notify.Rail](ctx, p, "rail", focus)
}

// Attention is the badge.
func (p Port) Attention(ctx context.Context) (notify.Attention, error) {
	return ask[notify.Attention](ctx, p, "attention", none{})
}

// Connections are all connections.
func (p Port) Connections(ctx context.Context) ([]notify.ConnectionView, error) {
	list, err := ask[[]connection](ctx, p, "connections", none{})
	var out []notify.ConnectionView
	for _, c := range list {
		out = append(out, c.view())
	}
	return out, err
}

// Sessions are those of a connection.
func (p Port) Sessions(ctx context.Context, id string) ([]notify.SessionView, error) {
	return ask[[]notify.SessionView](ctx, p, "sessions", id)
}

// Settings are the owner's.
func (p Port) Settings(ctx context.Context) (notify.Settings, error) {
	return ask[notify.Settings](ctx, p, "settings", none{})
}

// Subscribe opens a feed at the other end.
func (p Port) Subscribe(after int64) (Feed, error) {
	ctx, cancel := context.WithTimeout(context.Background(), memoryLimit)
	defer cancel()
	id, err := Call[int](ctx, p.Line, "subscribe", after)
	if err != nil {
		return nil, err
	}
	return &feed{line: p.Line, id: id}, nil
}

// feed pulls from the other end. It has one reader.
type feed struct {
	line  *Line
	id    int
	batch []notify.Change
}

func (f *feed) Next(ctx context.Context) (notify.Change, error) {
	for len(f.batch) == 0 {
		b, err := Call[[]notify.Change](ctx, f.line, "next", f.id)
		if err != nil {
			return notify.Change{}, err
		}
		f.batch = b
	}
	c := f.batch[0]
	f.batch = f.batch[1:]
	return c, nil
}

func (f *feed) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), memoryLimit)
	defer cancel()
	_, _ = Call[none](ctx, f.line, "unsubscribe", f.id) // a line that has ended has closed it
}
