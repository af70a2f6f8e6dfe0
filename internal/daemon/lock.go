package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// lockName is the file whose lock says that a center runs in its folder. The lock is the system's and
// goes with the process; the file stays, and holds the process id of who has it.
const lockName = "signalbox.lock"

// HeldError says that another process runs a center in the data directory.
type HeldError struct {
	Dir string
	PID int // 0: not known
}

// Error names who has it.
func (e *HeldError) Error() string {
	who := "another process"
	if e.PID > 0 {
		who = "process " + strconv.Itoa(e.PID)
	}
	return fmt.Sprintf("a center runs in %s already: %s has it", e.Dir, who)
}

var errLocked = errors.New("locked")

// lock is the held lock of a data directory.
type lock struct{ file *os.File }

// takeLock takes the lock, or returns a *HeldError at once.
func takeLock(dir string) (*lock, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the lock: %w", err)
	}
	if err := lockFile(f); err != nil {
		defer f.Close()
		if errors.Is(err, errLocked) {
			return nil, &HeldError{Dir: dir, PID: holder(f)}
		}
		return nil, fmt.Errorf("lock the data directory: %w", err)
	}
	// Who reads it between these two sees no number, which is told as not known; as it is when the disk
	// is too full for one.
	if f.Truncate(0) == nil {
		_, _ = f.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	return &lock{f}, nil
}

func holder(f *os.File) int {
	b := make([]byte, 32)
	n, _ := f.ReadAt(b, 0)
	pid, err := strconv.Atoi(strings.TrimSpace(string(b[:n])))
	if err != nil {
		return 0
	}
	return pid
}

// release gives the lock up.
func (l *lock) release() error {
	_ = l.file.Truncate(0) // the number is for people
	return l.file.Close()
}
