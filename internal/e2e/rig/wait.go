//go:build linux

package rig

import (
	"context"
	"fmt"
	"time"
)

const pollEvery = 20 * time.Millisecond

// Eventually waits until f is true, and fails the test with what was waited for when it is not in time.
func (r *Rig) Eventually(what string, f func() bool) {
	r.t.Helper()
	r.EventuallyErr(what, func() error {
		if f() {
			return nil
		}
		return errNotYet
	})
}

var errNotYet = fmt.Errorf("not yet")

// EventuallyErr waits until f is nil; the last error is part of the failure.
func (r *Rig) EventuallyErr(what string, f func() error) {
	r.t.Helper()
	if err := r.poll(r.opts.Timeout, f); err != nil {
		r.fail(fmt.Sprintf("waited %v for %s: %v", r.opts.Timeout, what, err))
	}
}

// Never holds that f stays false for as long as given: for what must not happen.
func (r *Rig) Never(what string, d time.Duration, f func() bool) {
	r.t.Helper()
	err := r.poll(d, func() error {
		if f() {
			return nil
		}
		return errNotYet
	})
	if err == nil {
		r.fail("must not happen, but did: " + what)
	}
}

// poll asks f again and again until it is nil or the time is over.
func (r *Rig) poll(d time.Duration, f func() error) error {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		err := f()
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-tick.C:
		}
	}
}

// fail ends the test with a picture of how it looked.
func (r *Rig) fail(msg string) {
	r.t.Helper()
	if r.Display != "" {
		if p, err := r.capture("failed", "root"); err == nil {
			msg += "\nscreen: " + p
		}
	}
	r.t.Fatalf("%s\nlogs: %s", msg, r.Artefacts)
}
