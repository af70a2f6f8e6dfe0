//go:build unix

package main

import (
	"context"
	"os"
	"time"
)

// parentEvery is how often a hook that waits looks whether its agent is still there. An agent that was killed cannot
// say so.
const parentEvery = 5 * time.Second

// cancelWithParent ends the wait when the process that started the hook is gone.
func cancelWithParent(ctx context.Context, cancel context.CancelFunc) {
	parent := os.Getppid()
	t := time.NewTicker(parentEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
			if os.Getppid() != parent {
				cancel()
				return
			}
		}
	}
}
