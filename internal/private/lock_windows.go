package private

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lockFile takes the lock of the open file, without waiting.
func lockFile(f *os.File) error {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, new(windows.Overlapped))
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return ErrLocked
	}
	return err
}

// unlockFile closes the file first: an open one cannot be removed here, so neither can one that another has locked since.
func unlockFile(f *os.File, path string) {
	f.Close()
	os.Remove(path)
}
