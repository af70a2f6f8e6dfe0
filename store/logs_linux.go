package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// syncsLogs says that a commit waits for the disk here and not in Badger. Badger waits for its value log as
// well, which holds nothing in this store, and a disk takes as long to say so as to write a commit.
const syncsLogs = true

// syncLogs returns when all that was committed to the database in dir is on the disk.
//
// What was committed is in a log, or in a table that was synced and named by the manifest before its log was
// removed. Badger may have begun another log since, so all that are there are waited for; there is one, but for
// the moments in which one becomes a table. Values so large that they went to the value log are waited for only
// where there are some. For a mapped file fdatasync is, on Linux, what msync is.
func syncLogs(dir string, large bool) error {
	folder, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync logs: %w", err)
	}
	names, err := folder.Readdirnames(-1)
	err = errors.Join(err, folder.Close())
	for _, name := range names {
		if ext := filepath.Ext(name); ext == ".mem" || large && ext == ".vlog" {
			err = errors.Join(err, syncData(filepath.Join(dir, name)))
		}
	}
	if err != nil {
		return fmt.Errorf("sync logs: %w", err)
	}
	return nil
}

// syncData waits for a file's content; one that is gone became a table.
func syncData(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for {
		err = unix.Fdatasync(int(f.Fd()))
		if !errors.Is(err, unix.EINTR) {
			return errors.Join(err, f.Close())
		}
	}
}
