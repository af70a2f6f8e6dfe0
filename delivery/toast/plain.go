package toast

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Plain shows toasts where the system's service has no buttons that come back to us, no replacing and
// no withdrawing: Windows, macOS, and whatever else there is. One worker, a bounded queue, one limit.
type Plain struct {
	show   func(title, body string) error
	limit  time.Duration
	reqs   chan request
	done   chan struct{}
	logger *slog.Logger

	mu      sync.Mutex // protects what follows
	problem string
	running chan error // a call that was given up but has not returned; nil: none
}

var _ Sender = (*Plain)(nil)

// NewPlain returns a Plain that shows by calling show, which may block. limit 0: 5 s, because macOS is
// asked for up to 2 s whether the toast arrived. logger may be nil.
func NewPlain(show func(title, body string) error, limit time.Duration, logger *slog.Logger) *Plain {
	if limit <= 0 {
		limit = 5 * time.Second
	}
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	return &Plain{show: show, limit: limit, reqs: make(chan request, 64), done: make(chan struct{}), logger: logger}
}

// Serve sends until ctx ends.
func (p *Plain) Serve(ctx context.Context) error {
	defer close(p.done)
	for {
		select {
		case <-ctx.Done():
			return nil
		case r := <-p.reqs:
			if r.ctx.Err() != nil {
				r.done <- ErrBusy
				continue
			}
			r.done <- p.send(ctx, *r.toast)
		}
	}
}

// send makes one call. A call that hangs is left behind, and no other is made until it returns.
func (p *Plain) send(ctx context.Context, t Toast) error {
	p.mu.Lock()
	running := p.running
	p.mu.Unlock()
	if running != nil {
		select {
		case <-running:
		default:
			return ErrHung
		}
	}
	done := make(chan error, 1)
	go func() { done <- p.show(clean(t.Title, MaxTitle, false), clean(t.Body, MaxBody, true)) }()
	limit := time.NewTimer(p.limit)
	defer limit.Stop()
	var err error
	running = nil
	select {
	case e := <-done:
		if e != nil {
			p.logger.Debug("toast refused", "err", e)
			err = ErrRefused
		}
	case <-limit.C:
		err, running = ErrHung, done
	case <-ctx.Done():
		err, running = ErrStopped, done
	}
	p.mu.Lock()
	p.running, p.problem = running, ""
	if err != nil {
		p.problem = err.Error()
	}
	p.mu.Unlock()
	return err
}

// Show shows t. Replacing is not possible here: each revision is a toast of its own.
func (p *Plain) Show(ctx context.Context, t Toast) error {
	if t.OnlyIfShown {
		return nil
	}
	r := request{ctx: ctx, toast: &t, done: make(chan error, 1)}
	select {
	case <-p.done:
		return ErrStopped
	default:
	}
	select {
	case p.reqs <- r:
	default:
		return ErrBusy
	}
	select {
	case err := <-r.done:
		return err
	case <-ctx.Done():
		return ErrHung
	case <-p.done:
		return ErrStopped
	}
}

// Withdraw does nothing: the system keeps what it shows.
func (p *Plain) Withdraw(context.Context, string) error { return nil }

// Status is what the last call told; available until one has failed.
func (p *Plain) Status() Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	return Status{Available: p.problem == "", Problem: p.problem}
}
