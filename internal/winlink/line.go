package winlink

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"signalbox/notify"
)

// ErrClosed is returned by calls on a line that has ended.
var ErrClosed = errors.New("the line to the other process has ended")

// frame is one line of JSON. Exactly one of Method, Cancel and an answer (neither) is meant.
type frame struct {
	ID     uint64          `json:"id"`
	Method string          `json:"method,omitempty"`
	Cancel bool            `json:"cancel,omitempty"`
	Data   json.RawMessage `json:"data,omitempty"`
	Err    *fault          `json:"err,omitempty"`
}

// fault is an error on the line.
type fault struct {
	Code    notify.Code         `json:"code,omitempty"` // empty: not of the domain
	Detail  string              `json:"detail"`
	Fields  []notify.FieldError `json:"fields,omitempty"`
	Current *notify.Record      `json:"current,omitempty"`
}

func toFault(err error) *fault {
	var e *notify.Error
	if errors.As(err, &e) {
		return &fault{Code: e.Code, Detail: e.Detail, Fields: e.Fields, Current: e.Current}
	}
	return &fault{Detail: err.Error()}
}

func (f *fault) error() error {
	if f.Code == "" {
		return errors.New(f.Detail)
	}
	return &notify.Error{Code: f.Code, Detail: f.Detail, Fields: f.Fields, Current: f.Current}
}

// Line is one end. It is safe for concurrent use. Handlers are added before Serve.
type Line struct {
	rw       io.ReadWriteCloser
	handlers map[string]func(context.Context, json.RawMessage) (any, error)
	done     chan struct{}

	write sync.Mutex // protects writing to rw

	mu      sync.Mutex // protects what follows
	next    uint64
	calls   map[uint64]chan frame
	running map[uint64]context.CancelFunc
	over    bool
}

// New returns an end of the line on rw, which Serve closes.
func New(rw io.ReadWriteCloser) *Line {
	return &Line{rw: rw, handlers: map[string]func(context.Context, json.RawMessage) (any, error){},
		done: make(chan struct{}), calls: map[uint64]chan frame{}, running: map[uint64]context.CancelFunc{}}
}

// Handle answers the calls of a method.
func Handle[In, Out any](l *Line, method string, f func(context.Context, In) (Out, error)) {
	l.handlers[method] = func(ctx context.Context, data json.RawMessage) (any, error) {
		var in In
		if len(data) > 0 {
			if err := json.Unmarshal(data, &in); err != nil {
				return nil, fmt.Errorf("%s: %w", method, err)
			}
		}
		return f(ctx, in)
	}
}

// Call calls a method of the other side.
func Call[Out any](ctx context.Context, l *Line, method string, in any) (out Out, err error) {
	data, err := l.call(ctx, method, in)
	if err != nil {
		return out, err
	}
	if len(data) > 0 {
		err = json.Unmarshal(data, &out)
	}
	return out, err
}

func (l *Line) call(ctx context.Context, method string, in any) (json.RawMessage, error) {
	data, err := json.Marshal(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", method, err)
	}
	answer := make(chan frame, 1)
	l.mu.Lock()
	if l.over {
		l.mu.Unlock()
		return nil, ErrClosed
	}
	l.next++
	id := l.next
	l.calls[id] = answer
	l.mu.Unlock()
	defer func() {
		l.mu.Lock()
		delete(l.calls, id)
		l.mu.Unlock()
	}()
	if err := l.send(frame{ID: id, Method: method, Data: data}); err != nil {
		return nil, err
	}
	select {
	case f := <-answer:
		if f.Err != nil {
			return nil, f.Err.error()
		}
		return f.Data, nil
	case <-ctx.Done():
		_ = l.send(frame{ID: id, Cancel: true})
		return nil, ctx.Err()
	case <-l.done:
		return nil, ErrClosed
	}
}

func (l *Line) send(f frame) error {
	b, err := json.Marshal(f)
	if err != nil {
		return err
	}
	l.write.Lock()
	defer l.write.Unlock()
	if _, err := l.rw.Write(append(b, '\n')); err != nil {
		return ErrClosed
	}
	return nil
}

// Serve reads the line until it or ctx ends, and returns when every handler has returned.
func (l *Line) Serve(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { l.rw.Close() })
	defer stop()
	var handlers sync.WaitGroup
	defer handlers.Wait()
	defer func() {
		cancel()
		l.mu.Lock()
		l.over = true
		l.mu.Unlock()
		close(l.done)
		l.rw.Close()
	}()
	in := bufio.NewReaderSize(l.rw, 64<<10)
	for {
		b, err := in.ReadBytes('\n')
		if err != nil {
			if ctx.Err() != nil || errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		var f frame
		if err := json.Unmarshal(b, &f); err != nil {
			return fmt.Errorf("frame: %w", err)
		}
		switch {
		case f.Cancel:
			l.mu.Lock()
			stop := l.running[f.ID]
			l.mu.Unlock()
			if stop != nil {
				stop()
			}
		case f.Method != "":
			call, end := context.WithCancel(ctx)
			l.mu.Lock()
			l.running[f.ID] = end
			l.mu.Unlock()
			handlers.Go(func() {
				defer func() {
					end()
					l.mu.Lock()
					delete(l.running, f.ID)
					l.mu.Unlock()
				}()
				l.answer(call, f)
			})
		default:
			l.mu.Lock()
			answer := l.calls[f.ID]
			l.mu.Unlock()
			if answer != nil {
				select {
				case answer <- f:
				default: // answered already
				}
			}
		}
	}
}

func (l *Line) answer(ctx context.Context, f frame) {
	back := frame{ID: f.ID}
	h := l.handlers[f.Method]
	if h == nil {
		back.Err = &fault{Detail: "no such method: " + f.Method}
	} else if out, err := h(ctx, f.Data); err != nil {
		back.Err = toFault(err)
	} else if back.Data, err = json.Marshal(out); err != nil {
		back.Err = &fault{Detail: err.Error()}
	}
	_ = l.send(back) // a line that has ended has nobody to tell
}

// Done is closed when the line has ended.
func (l *Line) Done() <-chan struct{} { return l.done }

// Close ends the line.
func (l *Line) Close() error { return l.rw.Close() }
