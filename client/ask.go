package client

import (
	"context"
	"errors"
	"time"

	"signalbox/bridge/wire"
)

// waitEach is how long one request of a longer wait takes.
const waitEach = 4 * time.Minute

// Ask publishes an interaction and waits until it has ended: by an answer, a
// cancellation, a timeout, or otherwise. The record that is returned says which.
// It waits over restarts of the center. When ctx ends, the question goes on
// waiting: cancel it, or wait for it again by its id with Await.
func (c *Client) Ask(ctx context.Context, connection string, p wire.Publish) (wire.Notification, error) {
	key := NewKey()
	var out wire.PublishResult
	err := persist(ctx, func() (err error) {
		out, err = c.PublishOnce(ctx, connection, key, p)
		return err
	})
	if err != nil {
		return out.Notification, err
	}
	if n := out.Notification; over(n) {
		return n, nil
	}
	return c.Await(ctx, out.Notification.ID)
}

// Await waits until an interaction has ended, over restarts of the center, and
// returns it. When ctx ends, it returns what is known and the reason.
func (c *Client) Await(ctx context.Context, id string) (n wire.Notification, err error) {
	err = persist(ctx, func() (err error) {
		n, err = c.Get(ctx, id)
		return err
	})
	for err == nil && !over(n) {
		known := n
		err = persist(ctx, func() (err error) {
			n, err = c.Wait(ctx, id, known.Revision, waitEach)
			return err
		})
		if err != nil {
			return known, err
		}
	}
	return n, err
}

// over says that nobody waits for an answer any more.
func over(n wire.Notification) bool {
	return n.Status != wire.StatusPending || n.Interaction == nil || n.Interaction.State != wire.InteractionWaiting
}

// persist repeats what is safe to repeat until it succeeds, is refused for good,
// or ctx ends.
func persist(ctx context.Context, try func() error) error {
	for wait := backoffFirst; ; wait = min(2*wait, backoffMost) {
		err := try()
		if err == nil || ctx.Err() != nil || final(err) {
			return err
		}
		var p *wire.Problem
		if !errors.Is(err, ErrUnreachable) && !errors.As(err, &p) {
			return err
		}
		if pause(ctx, wait) != nil {
			return err
		}
	}
}
