package client

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
)

const (
	// silence is how long a stream may be quiet: the center writes at least every
	// 15 seconds. A stream that is silent for longer is dead.
	silence = 45 * time.Second
	// backoffFirst and backoffMost bound the wait before a stream is opened again.
	backoffFirst = 250 * time.Millisecond
	backoffMost  = 10 * time.Second
)

// Events yields the changes of a connection, or with an empty connection (owner
// only) all changes: those after that change number, then as they come;
// after < 0: from now on. It reconnects by itself and goes on without loss or
// repeat. An event named wire.StreamReset says that some changes are gone: load
// what you show anew.
//
// It ends when ctx does, or with an error that no reconnecting mends, such as a
// token that was revoked.
func (c *Client) Events(ctx context.Context, connection string, after int64) iter.Seq2[wire.StreamEvent, error] {
	return func(yield func(wire.StreamEvent, error) bool) {
		s := stream{client: c, path: wire.PathEvents, after: after, seen: after, yield: yield}
		if connection != "" {
			s.path = wire.Path(wire.PathConnectionEvents, connection)
		}
		wait := backoffFirst
		for {
			got, err := s.read(ctx)
			switch {
			case s.stopped || ctx.Err() != nil:
				return
			case final(err):
				yield(wire.StreamEvent{}, err)
				return
			}
			if got {
				wait = backoffFirst
			}
			if pause(ctx, wait) != nil {
				return
			}
			wait = min(2*wait, backoffMost)
		}
	}
}

// final says that trying again will not help.
func final(err error) bool {
	var p *wire.Problem
	return errors.As(err, &p) && !Passing(err)
}

// pause waits, or returns why ctx ended.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// stream is the state of one Events over its connections.
type stream struct {
	client  *Client
	path    string
	after   int64 // from where it is resumed
	seen    int64 // the newest that was yielded, against repeats
	yield   func(wire.StreamEvent, error) bool
	stopped bool // yield said so
}

// read opens the stream and yields its events until it breaks. got says that it
// was open.
func (s *stream) read(ctx context.Context) (got bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	header := http.Header{"Accept": {"text/event-stream"}}
	if s.after >= 0 {
		header.Set("Last-Event-ID", strconv.FormatInt(s.after, 10))
	}
	watchdog := time.AfterFunc(silence, func() { cancel(errors.New("the stream is silent")) })
	defer watchdog.Stop()
	resp, err := s.client.send(ctx, call{method: http.MethodGet, path: s.path, header: header, sure: true})
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	if s.after < 0 {
		// From where it is read, so that nothing is lost when it breaks before
		// its first event.
		if n, err := strconv.ParseInt(resp.Header.Get(wire.ChangeHeader), 10, 64); err == nil {
			s.after = n
		}
	}
	reader := newEventReader(resp.Body, func() { watchdog.Reset(silence) })
	for {
		raw, err := reader.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = &unreachable{io.ErrUnexpectedEOF}
			}
			return true, err
		}
		ev := wire.StreamEvent{Name: raw.name}
		if err := json.Unmarshal(raw.data, &ev.StreamData); err != nil {
			return true, &unreachable{err}
		}
		if raw.name != wire.StreamReset && raw.id > 0 {
			if raw.id <= s.seen {
				continue // had already
			}
			s.after, s.seen = raw.id, raw.id
		}
		if raw.name == wire.StreamReset {
			// Numbers may begin anew: a store was restored. Until one is known, a
			// broken stream is resumed from where this was told.
			s.seen = -1
		}
		if !s.yield(ev, nil) {
			s.stopped = true
			return true, nil
		}
	}
}
