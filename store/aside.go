package store

import (
	"errors"
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

// away moves the folder aside, so that it can be looked into and never gets in the way of the one that is made in its
// place. It says so first: a start that finds the trace begins anew with the new one.
func (o *opening) away() error {
	if err := o.putBack(); err != nil {
		return err
	}
	if !o.trace.replace {
		o.trace.replace = true
		if fileExists(o.db) {
			o.trace.aside = filepath.Base(asideName(o.dir, o.s.o.Now()))
		}
		if err := o.note(); err != nil {
			return err
		}
	}
	if o.trace.aside != "" {
		aside := filepath.Join(o.dir, o.trace.aside)
		if !fileExists(aside) && fileExists(o.db) {
			if err := os.Rename(o.db, aside); err != nil {
				return fmt.Errorf("move the damaged folder aside: %w", err)
			}
		}
		o.report.Aside = aside
	}
	if err := errors.Join(os.RemoveAll(o.db), syncDir(o.dir)); err != nil {
		return err
	}
	return pruneAside(o.dir, o.report.Aside)
}

// pruneAside removes folders that were moved aside, but for the newest and but.
func pruneAside(dir, but string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var bad []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), asidePrefix) && e.Name() != filepath.Base(but) {
			bad = append(bad, e.Name())
		}
	}
	slices.Sort(bad)
	most := keepAside
	if but != "" {
		most--
	}
	for len(bad) > most {
		if err := os.RemoveAll(filepath.Join(dir, bad[0])); err != nil {
			return fmt.Errorf("remove an old damaged folder: %w", err)
		}
		bad = bad[1:]
	}
	return nil
}
