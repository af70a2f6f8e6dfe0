//go:build unix

package client

import (
	"context"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"signalbox/bridge/wire"
)

// Proves: S1. A discovery file that is none does not hold the caller.
func TestDiscoverReadsAFileOnly(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, wire.BridgeFile), 0o600); err != nil {
		t.Fatal(err)
	}
	found := make(chan error, 1)
	go func() {
		_, err := Discover(context.Background(), Environment{Dir: dir, Getenv: func(string) string { return "" }})
		found <- err
	}()
	select {
	case err := <-found:
		if err == nil {
			t.Error("a center was found")
		}
	case <-time.After(time.Minute):
		t.Fatal("it is waited for")
	}
}
