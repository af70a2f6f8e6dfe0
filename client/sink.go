package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"signalbox/bridge/wire"
)

// SinkConfig is what a Sink needs. Connection and Dir are required.
type SinkConfig struct {
	// Open finds the center; nil: Discover with Environment. It is called when
	// first needed, and again after the center could not be reached.
	Open        func(context.Context) (*Client, error)
	Environment Environment
	Connection  string
	// Dir keeps what could not be delivered, one file each, readable by the owner
	// only. Several processes may share it.
	Dir string
	// Timeout bounds one call, replaying and all; 0: one second.
	Timeout time.Duration
	// MaxCount and MaxBytes bound what is kept; the oldest make room. 0: 1000, and
	// 16 MiB.
	MaxCount int
	MaxBytes int64
	// Now tells the time; nil: time.Now.
	Now func() time.Time
	// Log hears, without content, of what could not be delivered; nil: nobody.
	Log *slog.Logger
}

// Outcome says what became of what a Sink was given.
type Outcome string

// The outcomes.
const (
	Delivered Outcome = "delivered" // the center has it
	Kept      Outcome = "kept"      // it is on the disk, and is delivered when the center is back
	Refused   Outcome = "refused"   // the center will not have it: sending it again does not help
	Lost      Outcome = "lost"      // it could be neither delivered nor kept
)

// Told is the answer of a Sink.
type Told struct {
	Outcome Outcome
	// Notification is the record, where the center said.
	Notification *wire.Notification
	// Err is why it was not delivered; for information only.
	Err error
}

// Sink tells the owner without ever harming the caller's work: no call fails,
// panics, or takes longer than its timeout, whether the center is there, hangs,
// or was never installed. What cannot be delivered is kept on the disk, bounded,
// and delivered later: in order, once, with its original instant, so that the
// center announces nothing old as new.
//
// A Sink is safe for concurrent use, also by several processes with one Dir.
type Sink struct {
	cfg   SinkConfig
	spool spool
	turn  chan struct{} // holds the one turn of this process to send
	open  *Client       // held with the turn; nil: to be found
}

// NewSink returns a sink. It does no I/O.
func NewSink(cfg SinkConfig) *Sink {
	if cfg.Open == nil {
		env := cfg.Environment
		cfg.Open = func(ctx context.Context) (*Client, error) { return Discover(ctx, env) }
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = time.Second
	}
	if cfg.MaxCount <= 0 {
		cfg.MaxCount = 1000
	}
	if cfg.MaxBytes <= 0 {
		cfg.MaxBytes = 16 << 20
	}
	if cfg.Now == nil {
		cfg.Now = time.Now // the SDK's usable default; programs of ours pass their own
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	return &Sink{
		cfg:   cfg,
		spool: spool{dir: cfg.Dir, maxCount: cfg.MaxCount, maxBytes: cfg.MaxBytes, now: cfg.Now},
		turn:  make(chan struct{}, 1),
	}
}

// Publish tells the owner something.
func (s *Sink) Publish(ctx context.Context, p wire.Publish) Told {
	return s.tell(ctx, entry{Key: NewKey(), Publish: &p})
}

// Resolve ends the pending occurrence of a key; that none is pending is fine.
func (s *Sink) Resolve(ctx context.Context, session, key, reason string) Told {
	return s.tell(ctx, entry{Key: NewKey(), Resolve: &keyEnd{Session: session, Key: key, Reason: reason}})
}

// CompleteRequest ends what belongs to a request.
func (s *Sink) CompleteRequest(ctx context.Context, request string) Told {
	return s.tell(ctx, entry{Key: NewKey(), Request: request})
}

// Flush delivers what was kept, as far as it gets within ctx and the timeout. It
// returns how much is left.
func (s *Sink) Flush(ctx context.Context) (left int) {
	defer s.survive("flush")
	ctx, cancel := context.WithTimeout(ctx, s.cfg.Timeout)
	defer cancel()
	defer func() { left = s.spool.count() }()
	if done, ok := s.take(ctx); ok {
		defer done()
		_ = s.replay(ctx) // what is left is the answer
	}
	return left
}

// Close gives up the connection. What is kept stays.
func (s *Sink) Close() {
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if s.open != nil {
		s.open.Close()
		s.open = nil
	}
}

// survive keeps a fault of ours from the caller.
func (s *Sink) survive(what string) {
	if v := recover(); v != nil {
		s.cfg.Log.Error("signalbox: sink failed", "doing", what, "error", fmt.Sprint(v))
	}
}

// tell delivers or keeps one entry.
func (s *Sink) tell(ctx context.Context, e entry) (told Told) {
	// A panic leaves the answer that stands here.
	told = Told{Outcome: Lost, Err: errors.New("the sink failed")}
	defer s.survive("tell")
	e.At = wire.At(s.cfg.Now())
	// The caller's own end is no reason to lose it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.cfg.Timeout)
	defer cancel()

	told = s.send(ctx, e)
	if told.Outcome != "" {
		return told
	}
	s.cfg.Log.Info("signalbox: not delivered, kept", "error", told.Err)
	if err := s.spool.add(e); err != nil {
		return Told{Outcome: Lost, Err: errors.Join(told.Err, err)}
	}
	told.Outcome = Kept
	return told
}

// take waits for the turn to send: of this process, and of the spool's lock
// among processes, so that what was kept goes first, in order.
func (s *Sink) take(ctx context.Context) (done func(), ok bool) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, false
	}
	if s.spool.count() == 0 {
		// Nothing to keep in order with other processes.
		return func() { <-s.turn }, true
	}
	unlock, ok := s.spool.lock(ctx)
	if !ok {
		<-s.turn
		return nil, false
	}
	return func() { unlock(); <-s.turn }, true
}

// send delivers what was kept and then e. An outcome of "" says that e is to be
// kept.
func (s *Sink) send(ctx context.Context, e entry) Told {
	done, ok := s.take(ctx)
	if !ok {
		return Told{Err: fmt.Errorf("another is delivering: %w", context.DeadlineExceeded)}
	}
	defer done()
	if err := s.replay(ctx); err != nil {
		return Told{Err: err}
	}
	n, err := s.deliver(ctx, e)
	switch {
	case err == nil:
		return Told{Outcome: Delivered, Notification: n}
	case final(err):
		s.cfg.Log.Warn("signalbox: the center refuses it", "code", Code(err))
		return Told{Outcome: Refused, Err: err}
	}
	return Told{Err: err}
}

// replay delivers what was kept, oldest first, and stops at the first that
// cannot be delivered yet. What the center refuses for good is given up: it must
// not hold up the rest. A refused token is not the entry's fault, and keeps it.
func (s *Sink) replay(ctx context.Context) error {
	for _, name := range s.spool.names() {
		e, err := s.spool.read(name)
		if err == nil {
			_, err = s.deliver(ctx, e)
			switch code := Code(err); {
			case err == nil:
			case code == wire.CodeUnauthorized || code == wire.CodeForbidden || !final(err):
				return err
			default:
				s.cfg.Log.Warn("signalbox: the center refuses what was kept", "code", code)
			}
		}
		if err := s.spool.remove(name); err != nil {
			return err
		}
	}
	return nil
}

// deliver sends one entry. That what it would end has ended is a success.
func (s *Sink) deliver(ctx context.Context, e entry) (*wire.Notification, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.open == nil {
		c, err := s.cfg.Open(ctx)
		if err != nil {
			return nil, err
		}
		s.open = c
	}
	n, err := e.send(ctx, s.open, s.cfg.Connection)
	if err != nil && Code(err) == "" {
		// It may be elsewhere the next time.
		s.open.Close()
		s.open = nil
	}
	return n, err
}
