package config

import (
	"context"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a file must be left alone before it is read: editors write in several steps.
const settle = 150 * time.Millisecond

// Watch reads the file again each time it changed, until ctx ends, and tells changed: the new settings,
// or why they cannot be used. It watches the folder, since editors replace the file, and where the file is a link that
// of the file it leads to. ready, if not nil, is closed once no later change can be missed.
func Watch(ctx context.Context, dir string, ready chan<- struct{}, changed func(Config, error)) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer w.Close()
	if err := w.Add(dir); err != nil {
		return err
	}
	name := filepath.Join(dir, FileName)
	real := follow(w, name, "")
	if ready != nil {
		close(ready)
	}
	timer := time.NewTimer(settle)
	timer.Stop()
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case e, ok := <-w.Events:
			if !ok {
				return nil
			}
			if changed := filepath.Clean(e.Name); (changed == name || changed == real) && !e.Has(fsnotify.Chmod) {
				timer.Reset(settle)
			}
		case _, ok := <-w.Errors:
			if !ok {
				return nil
			}
			timer.Reset(settle) // events may have been lost
		case <-timer.C:
			real = follow(w, name, real)
			changed(Load(dir))
		}
	}
}

// follow has the folder of the file watched that name leads to, where that is another than its own, instead of that of
// the file that it led to before, and returns the file.
func follow(w *fsnotify.Watcher, name, before string) string {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return before // nothing is there for now: it is looked for again when something is
	}
	if was, is := filepath.Dir(before), filepath.Dir(real); was != is {
		if before != "" && was != filepath.Dir(name) {
			_ = w.Remove(was)
		}
		if is != filepath.Dir(name) {
			_ = w.Add(is) // where it cannot be watched, what changes there is read at the next start
		}
	}
	return real
}
