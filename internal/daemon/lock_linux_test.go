package daemon

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// The lock is the system's: that the disk has no room for the number in its file keeps nobody from it.
func TestLockOnAFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("/dev/full", filepath.Join(dir, lockName)); err != nil {
		t.Fatal(err)
	}
	l, err := takeLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	var held *HeldError
	if _, err := takeLock(dir); !errors.As(err, &held) {
		t.Errorf("a second: %v", err)
	}
	if err := l.release(); err != nil {
		t.Error(err)
	}
}
