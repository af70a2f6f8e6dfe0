package bridge

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/center"
	"signalbox/notify"
)

const (
	// streamBatch is how many changes go out in one write, at most.
	streamBatch = 128
	streamBytes = 256 << 10
	// streamRetry is how soon a browser's reader tries again, in milliseconds.
	streamRetry = 1000
)

func (s *Server) allEvents(w http.ResponseWriter, r *http.Request) error {
	return s.stream(w, r, func(*notify.Change) bool { return true })
}

func (s *Server) connectionEvents(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("connection")
	return s.stream(w, r, func(c *notify.Change) bool { return connectionOf(c) == id })
}

// resumeAfter reads after which change to go on; -1: from now on. The header
// wins: a reader that reconnects sends the same address again.
func resumeAfter(r *http.Request) (int64, error) {
	name, text := "Last-Event-ID", r.Header.Get("Last-Event-ID")
	if text == "" {
		name, text = "after", r.URL.Query().Get("after")
	}
	if text == "" {
		return -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, notify.Invalid(name, "want the number of a change")
	}
	return n, nil
}

// stream writes the changes that want says as they come, until the client goes,
// is too slow, loses its token, or the server stops.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, want func(*notify.Change) bool) error {
	after, err := resumeAfter(r)
	if err != nil {
		return err
	}
	c := callerOf(r)
	ctx, one, err := s.stay(r, c, true)
	if err != nil {
		return err
	}
	if after < 0 {
		after = s.cfg.Center.Sequence()
	}
	place := &place{center: s.cfg.Center, after: after}
	if err := place.join(); err != nil {
		s.standing.leave(one)
		return err
	}
	defer place.close()
	s.standing.lasts(one)
	defer func() {
		s.standing.leave(one)
		s.present(ctx, c)
	}()
	s.present(ctx, c)

	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	// From where this reads: a client that never got an event can resume, too.
	h.Set(wire.ChangeHeader, strconv.FormatInt(min(after, s.cfg.Center.Sequence()), 10))
	h.Set("X-Accel-Buffering", "no") // a proxy that the owner put before it must not hold events back
	patient(w)
	e := &events{w: w, rc: http.NewResponseController(w), now: s.now, each: s.cfg.timeouts.stream}
	w.WriteHeader(http.StatusOK)
	// The first bytes at once, so that the client knows that it is connected.
	e.buf.WriteString("retry: " + strconv.Itoa(streamRetry) + "\n\n")
	if e.flush() != nil {
		return nil
	}
	for {
		if err := s.nextEvents(ctx, place, e, c, want); err != nil {
			return nil // told by the end of the stream; the client resumes or finds that it may not
		}
	}
}

// nextEvents waits for changes and writes them, or a comment when none came.
func (s *Server) nextEvents(ctx context.Context, place *place, e *events, c caller, want func(*notify.Change) bool) error {
	quiet, cancel := context.WithTimeout(ctx, s.cfg.KeepAlive)
	change, err := place.next(quiet)
	cancel()
	var taken []*notify.Record
	for n := 1; ; n++ {
		switch {
		case err == nil && ctx.Err() != nil:
			return ctx.Err() // a token that was revoked sees nothing more
		case err == nil:
			if want(&change) {
				e.event(change.Seq, string(change.Name), s.encoder.data(&change))
				if change.Name == notify.EvAnswered {
					taken = append(taken, change.Record)
				}
			}
		case errors.Is(err, center.ErrReset):
			// What is kept follows, and from there all that comes.
			data, _ := json.Marshal(wire.StreamData{Change: s.cfg.Center.Sequence(), At: wire.At(s.now())})
			e.event(0, wire.StreamReset, data)
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, context.DeadlineExceeded):
			return e.comment()
		case errors.Is(err, context.Canceled):
			// Nothing more is waiting.
			if err := e.flush(); err != nil {
				return err
			}
			s.delivered(ctx, c, taken...)
			return nil
		default:
			return err
		}
		if n >= streamBatch || e.buf.Len() >= streamBytes {
			change, err = notify.Change{}, context.Canceled
			continue
		}
		change, err = place.next(gone) // what is there already, without waiting
	}
}

// place is how far a stream has come in the change sequence. Where changes came
// faster than the client read, it goes on from the log; a client that does not
// read at all is dropped by the deadline of a write.
type place struct {
	center Center
	feed   *center.Feed
	after  int64
}

func (p *place) join() error {
	feed, err := p.center.Subscribe(p.after)
	if err == nil {
		p.feed = feed
	}
	return err
}

func (p *place) close() { p.feed.Close() }

func (p *place) next(ctx context.Context) (notify.Change, error) {
	change, err := p.feed.Next(ctx)
	if errors.Is(err, center.ErrSlow) {
		p.feed.Close()
		if err := p.join(); err != nil {
			return notify.Change{}, err
		}
		change, err = p.feed.Next(ctx)
	}
	if err == nil {
		p.after = change.Seq
	}
	return change, err
}

// gone is a context that has ended.
var gone = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// present tells the center how many streams of a connection are open: its
// presence. It is best effort; a hello or a publication shows it too. It is to
// be called after each change of that number.
func (s *Server) present(ctx context.Context, c caller) {
	if c.owner {
		return
	}
	s.standing.tell(c.connection, func(streams int) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		_, _ = s.cfg.Center.Do(ctx, notify.Center, notify.SetPresence{Connection: c.connection, Streams: streams})
	})
}

// events writes Server-Sent Events. Every write has its own deadline, since a
// deadline for the whole answer would end every stream.
type events struct {
	w   http.ResponseWriter
	rc  *http.ResponseController
	now func() time.Time
	// each bounds one write. A client that does not read for so long is dropped:
	// it resumes from the last id that it had.
	each time.Duration
	buf  bytes.Buffer
}

// event appends one event; id 0: none. data is one line.
func (e *events) event(id int64, name string, data []byte) {
	if id > 0 {
		e.buf.WriteString("id: ")
		e.buf.WriteString(strconv.FormatInt(id, 10))
		e.buf.WriteByte('\n')
	}
	e.buf.WriteString("event: ")
	e.buf.WriteString(name)
	e.buf.WriteString("\ndata: ")
	e.buf.Write(data)
	e.buf.WriteString("\n\n")
}

// comment shows that the stream lives.
func (e *events) comment() error {
	e.buf.WriteString(": \n\n")
	return e.flush()
}

func (e *events) flush() error {
	if e.buf.Len() == 0 {
		return nil
	}
	if err := e.rc.SetWriteDeadline(e.now().Add(e.each)); err != nil {
		return err
	}
	_, err := e.w.Write(e.buf.Bytes())
	e.buf.Reset()
	if err != nil {
		return err
	}
	return e.rc.Flush()
}
