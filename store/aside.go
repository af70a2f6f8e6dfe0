package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// asidePrefix names damaged folders; the newest keepAside are kept, the rest is removed.
const (
	asidePrefix = "db.bad-"
	keepAside   = 2
)

func asideName(dir string, now time.Time) string {
	base := filepath.Join(dir, asidePrefix+now.UTC().Format("20060102T150405.000"))
	name := base
	for n := 2; ; n++ {
		if _, err := os.Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

// moveAside renames the database folder, so that it can be looked into and never gets in the way.
func moveAside(dir, db string, now time.Time) (string, error) {
	to := asideName(dir, now)
	if err := os.Rename(db, to); err != nil {
		return "", fmt.Errorf("move the damaged folder aside: %w", err)
	}
	if err := syncDir(dir); err != nil {
		return "", err
	}
	return to, pruneAside(dir)
}

func pruneAside(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var bad []string
	for _, e := range entries {
		if e.IsDir() && strings.HasPrefix(e.Name(), asidePrefix) {
			bad = append(bad, e.Name())
		}
	}
	slices.Sort(bad)
	for len(bad) > keepAside {
		if err := os.RemoveAll(filepath.Join(dir, bad[0])); err != nil {
			return fmt.Errorf("remove an old damaged folder: %w", err)
		}
		bad = bad[1:]
	}
	return nil
}
