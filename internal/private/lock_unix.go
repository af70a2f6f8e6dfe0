//go:build unix

package private

import (
	"os"

	"golang.org/x/sys/unix"
)

// lockFile takes the lock of the open file, without waiting.
func lockFile(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch err {
		case unix.EINTR:
			continue
		case unix.EWOULDBLOCK:
			return ErrLocked
		}
		return err
	}
}

// unlockFile removes the file while it is still locked: who opened it before sees that it is not there any more.
func unlockFile(f *os.File, path string) {
	os.Remove(path)
	f.Close()
}
