//go:build unix

package config

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the place of the file is refused, instead of being waited for when the program is to end.
func TestLoadDoesNotWaitForAPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, FileName), 0o600); err != nil {
		t.Fatal(err)
	}
	var e *Error
	if _, err := Load(dir); !errors.As(err, &e) {
		t.Errorf("got %v", err)
	}
	if err := SetRetention(dir, 0, 0); !errors.As(err, &e) {
		t.Errorf("to set retention: got %v", err)
	}
}

// Settings that are kept elsewhere, behind a link, are followed there, also when the link comes to lead to others.
func TestWatchFollowsALink(t *testing.T) {
	dir, kept := t.TempDir(), t.TempDir()
	path := filepath.Join(dir, FileName)
	write := func(name, text string) string {
		t.Helper()
		file := filepath.Join(kept, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	if err := os.Symlink(write("one.toml", "rate_limit = 1"), path); err != nil {
		t.Fatal(err)
	}
	rates := make(chan float64)
	ctx, cancel := context.WithCancel(t.Context())
	ready, done := make(chan struct{}), make(chan error, 1)
	go func() { done <- Watch(ctx, dir, ready, func(c Config, err error) { rates <- c.RateLimit }) }()
	<-ready
	write("one.toml", "rate_limit = 2")
	if got := <-rates; got != 2 {
		t.Errorf("after the file it leads to changed: %v", got)
	}
	kept = t.TempDir()
	other := filepath.Join(dir, "other")
	if err := os.Symlink(write("two.toml", "rate_limit = 3"), other); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if got := <-rates; got != 3 {
		t.Errorf("after it leads to another: %v", got)
	}
	write("two.toml", "rate_limit = 4")
	if got := <-rates; got != 4 {
		t.Errorf("after that one changed: %v", got)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
