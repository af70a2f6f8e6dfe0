//go:build unix

package store

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes the lock that is the open file itself: it is gone when the process is, however
// that ended, so there is no stale one.
func lockFile(f *os.File) (busy bool, err error) {
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}

// foreign reports whether a folder belongs to another user.
func foreign(info os.FileInfo) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) != os.Geteuid()
}

func noSpace(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

func readOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
