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
// or why they cannot be used. It watches the folder, since editors replace the file. ready, if not nil,
// is closed once no later change can be missed.
func Watch(ctx context.Context, dir string, ready chan<- struct{}, changed func(Config, error)) error {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer w.Close()
	if err := w.Add(dir); err != nil {
		return err
	}
	if ready != nil {
		close(ready)
	}
	name := filepath.Join(dir, FileName)
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
			if filepath.Clean(e.Name) == name && !e.Has(fsnotify.Chmod) {
				timer.Reset(settle)
			}
		case _, ok := <-w.Errors:
			if !ok {
				return nil
			}
			timer.Reset(settle) // events may have been lost
		case <-timer.C:
			changed(Load(dir))
		}
	}
}
