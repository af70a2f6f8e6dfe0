//go:build unix

package config

import (
	"errors"
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
