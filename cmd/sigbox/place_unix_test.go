//go:build unix

package main

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Proves: S1. What lies in the folder that an agent works in does not hold its hook.
func TestPlaceIsReadFromFilesOnly(t *testing.T) {
	pipe := func(path string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	linked, main := filepath.Join(t.TempDir(), "linked"), filepath.Join(t.TempDir(), "main")
	pipe(filepath.Join(linked, ".git"))
	pipe(filepath.Join(main, ".git", "HEAD"))
	for _, dir := range []string{linked, main} {
		done := make(chan string, 1)
		go func() { done <- placeOf(dir).Project }()
		select {
		case project := <-done:
			if project != filepath.Base(dir) {
				t.Errorf("project %q", project)
			}
		case <-time.After(patience):
			t.Fatal("the place of " + dir + " is waited for")
		}
	}
}
