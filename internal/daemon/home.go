package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"signalbox/client"
)

// Home names the data directory: the given one, else that of SIGNALBOX_HOME, else the platform's own
// application-data folder.
func Home(given string) (string, error) {
	dir := given
	if dir == "" {
		dir = client.DataDir(os.Getenv)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find the data directory: %w", err)
	}
	return abs, nil
}

// prepare makes the data directory, the owner's alone. It reports whether others could enter it before.
func prepare(dir string) (wasOpen bool, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return false, fmt.Errorf("make the data directory: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return false, fmt.Errorf("look at the data directory: %w", err)
	}
	if !info.IsDir() {
		return false, fmt.Errorf("%s is no folder", dir)
	}
	// Windows keeps a profile's folders apart by itself.
	if runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return false, nil
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return true, fmt.Errorf("make the data directory private: %w", err)
	}
	return true, nil
}
