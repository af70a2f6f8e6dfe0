// Package private replaces files that are their owner's alone, tokens, addresses, states, and locks them. It promises
// that such a file is there whole or as it was, readable by nobody else unless its caller asks for another mode, and on
// disk, with its name, before it says so, unless its loss harms nothing (ReplaceUnsynced). It never follows what lies in the place of the new file.
package private

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// Replace replaces a file in one step, readable by the owner only. Its folder must be there.
func Replace(path string, b []byte) error { return ReplaceMode(path, b, 0o600) }

// ReplaceMode is Replace for a file with another mode, which may let others read it.
func ReplaceMode(path string, b []byte, mode fs.FileMode) error {
	return replace(path, b, mode, true)
}

// ReplaceUnsynced is Replace for a file whose loss harms nothing: it does not wait for the disk.
func ReplaceUnsynced(path string, b []byte) error { return replace(path, b, 0o600, false) }

func replace(path string, b []byte, mode fs.FileMode, sync bool) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil && mode != 0o600 {
		err = f.Chmod(mode)
	}
	if err == nil && sync {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return err
	}
	if !sync {
		return nil
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the names in a folder durable: without it, a loss of power may bring back the file that was
// replaced. Windows has no such call, and needs none. Tests look on.
var syncFolder = func(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
