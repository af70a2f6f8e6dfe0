package daemon

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/reload"
	"signalbox/watchdog"
)

// Reload is the app as a consumer of refresh effects (E2).
func (d *Daemon) Reload() *reload.Service { return d.reload }

// startCompanions starts what follows the change feed beside the front ends: the reloading of what
// connections ask to reload, and the watch for sessions that fell silent.
func (d *Daemon) startCompanions(ctx context.Context) {
	d.reload = reload.New(reload.Config{
		Center:    d.Center,
		Subscribe: func() (reload.Feed, error) { return d.Center.Subscribe(-1) },
		Fetcher:   reload.NewHTTP(func() bool { return d.Config().AllowRemoteURLs }),
		Logger:    d.log,
		Changed:   d.options.ListsChanged,
	})
	d.rest.Go(func() {
		if err := d.reload.Serve(ctx); err != nil {
			d.log.Error("refresh effects stopped", "error", err)
		}
	})
	silences := filepath.Join(d.Dir, "silences.json")
	d.rest.Go(func() {
		err := watchdog.Serve(ctx, watchdog.Config{
			Center:    d.Center,
			Subscribe: func() (watchdog.Feed, error) { return d.Center.Subscribe(-1) },
			Now:       d.options.Now,
			Load:      func() map[string][]time.Duration { return d.loadSilences(silences) },
			Save:      func(m map[string][]time.Duration) { d.saveSilences(silences, m) },
			Logger:    d.log,
		})
		if err != nil {
			d.log.Error("watch for silence stopped", "error", err)
		}
	})
}

// loadSilences reads what the watchdog learned, in nanoseconds. A file that is missing or damaged
// costs the learning only.
func (d *Daemon) loadSilences(path string) map[string][]time.Duration {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var raw map[string][]int64
	if err == nil {
		err = json.Unmarshal(b, &raw)
	}
	if err != nil {
		d.log.Warn("learned silences not read", "error", err)
		return nil
	}
	learned := make(map[string][]time.Duration, len(raw))
	for connection, pauses := range raw {
		for _, p := range pauses {
			learned[connection] = append(learned[connection], time.Duration(p))
		}
	}
	return learned
}

func (d *Daemon) saveSilences(path string, learned map[string][]time.Duration) {
	raw := make(map[string][]int64, len(learned))
	for connection, pauses := range learned {
		for _, p := range pauses {
			raw[connection] = append(raw[connection], int64(p))
		}
	}
	b, err := json.Marshal(raw)
	if err == nil {
		err = os.WriteFile(path+".new", b, 0o600)
	}
	if err == nil {
		err = os.Rename(path+".new", path)
	}
	if err != nil {
		d.log.Warn("learned silences not kept", "error", err)
	}
}
