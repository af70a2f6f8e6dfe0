package private

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "token")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Replace(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := ReplaceMode(path, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o644 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := ReplaceUnsynced(path, []byte("y")); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "y" {
		t.Errorf("%q, %v", b, err)
	}
	// What cannot be replaced stays as it was, and nothing is left beside it.
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "folder", "in"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if Replace(filepath.Join(dir, "folder"), []byte("x")) == nil || Replace(filepath.Join(dir, "no", "file"), nil) == nil {
		t.Error("replaced what cannot be")
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 2 {
		t.Errorf("%v", entries)
	}
}

// A file is on the disk only when its name is: the folder is written after the new file has its name, and what
// goes wrong there is told.
func TestReplaceIsOnDiskWithItsName(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "token")
	usual := syncFolder
	defer func() { syncFolder = usual }()
	var folders []string
	broken := errors.New("no disk")
	syncFolder = func(folder string) error {
		b, err := os.ReadFile(path)
		if err != nil || string(b) != "new" {
			t.Errorf("the folder is written before it has the file: %q, %v", b, err)
		}
		folders = append(folders, folder)
		if len(folders) > 1 {
			return broken
		}
		return usual(folder)
	}
	if err := Replace(path, []byte("new")); err != nil {
		t.Error(err)
	}
	if err := Replace(path, []byte("new")); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	if len(folders) != 2 || folders[0] != dir {
		t.Errorf("written were %q", folders)
	}
}
