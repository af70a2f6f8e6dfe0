package private

import (
	"context"
	"errors"
	"os"
	"time"
)

// ErrLocked says that another has the lock.
var ErrLocked = errors.New("locked by another")

// lockTries is how often a lock is looked for that others take and leave meanwhile.
const lockTries = 10

// lockPoll is how often who waits looks whether a lock is free.
const lockPoll = 5 * time.Millisecond

// Lock makes the caller the only one that has a lock, of all processes and of all that ask for it in one. It does not
// wait: the error is ErrLocked while another has it, and another one where it cannot be made. The system gives it back
// when its process is gone, however that ended, so none is ever left behind; only its empty file may be, and that locks
// nobody out. unlock gives it back and removes the file. The folder must be there.
func Lock(path string) (unlock func(), err error) {
	for range lockTries {
		var f *os.File
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			// Such locks were folders once, and one that was left would stay for ever.
			if info, serr := os.Lstat(path); serr == nil && info.IsDir() && os.Remove(path) == nil {
				continue
			}
			return nil, err
		}
		if err = lockFile(f); err != nil {
			f.Close()
			return nil, err
		}
		// Who had it before may have removed the file between the two steps: then this is a lock that nobody else sees.
		opened, serr := f.Stat()
		if serr == nil {
			if there, lerr := os.Lstat(path); lerr == nil && os.SameFile(opened, there) {
				return func() { unlockFile(f, path) }, nil
			}
		}
		f.Close()
	}
	return nil, ErrLocked
}

// LockWait is Lock for a caller who waits while another has it: until ctx ends, whose error it is then.
func LockWait(ctx context.Context, path string) (unlock func(), err error) {
	for {
		unlock, err := Lock(path)
		if !errors.Is(err, ErrLocked) {
			return unlock, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}
