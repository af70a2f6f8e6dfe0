package daemon

import (
	"context"
	"log/slog"
	"path/filepath"
	"slices"

	"signalbox/internal/config"
)

// configure reads the settings for the start.
func (d *Daemon) configure() error {
	if err := config.WriteSample(d.Dir); err != nil {
		d.log.Warn("the sample of the settings was not written", "error", err)
	}
	c, err := config.Load(d.Dir)
	if err != nil {
		if !d.options.Lenient {
			return err
		}
		d.problems.set(ProblemSettings, "The settings cannot be used, so the defaults hold. "+err.Error())
		c = config.Default()
	}
	d.config = c
	d.setLevel(c)
	return nil
}

func (d *Daemon) setLevel(c config.Config) {
	if d.options.Level == nil {
		return
	}
	var level slog.Level
	if level.UnmarshalText([]byte(c.LogLevel)) == nil {
		d.options.Level.Set(level)
	}
}

// watchConfig starts to take changed settings up; what cannot be used changes nothing and is told. No
// change after its return is missed.
func (d *Daemon) watchConfig(ctx context.Context) {
	ready, failed := make(chan struct{}), make(chan struct{})
	d.rest.Go(func() {
		defer close(failed)
		d.follow(ctx, ready)
	})
	select {
	case <-ready:
	case <-failed:
	}
}

func (d *Daemon) follow(ctx context.Context, ready chan<- struct{}) {
	err := config.Watch(ctx, d.Dir, ready, func(c config.Config, err error) {
		if err != nil {
			d.log.Warn("settings cannot be used, the earlier ones stay in force", "error", err)
			d.problems.set(ProblemSettings, "The settings cannot be used, so those before stay in force. "+err.Error())
			return
		}
		d.apply(c)
	})
	if err != nil {
		d.log.Warn("settings are not watched", "error", err)
	}
}

// apply puts new settings in force, and says which of them wait for a restart.
func (d *Daemon) apply(c config.Config) {
	d.mu.Lock()
	old := d.config
	later := needRestart(old, c)
	if slices.Contains(later, "store.path") {
		c.Store.Path = old.Store.Path // the open store stays in use
	}
	d.config = c
	d.mu.Unlock()
	d.setLevel(c)
	d.Center.SetRules(rules(c))
	d.runner.SetLimits(limits(c))
	d.reconfigure(c)
	if d.options.Reloaded != nil {
		d.options.Reloaded(c)
	}
	d.log.Info("settings reloaded")
	text := ""
	for _, key := range later {
		d.log.Warn("setting needs a restart", "key", key)
		text += "\n" + key
	}
	if text != "" {
		text = "These settings hold from the next start:" + text
	}
	d.problems.set(ProblemSettings, text)
}

// needRestart names the settings that differ and cannot change while the center runs.
func needRestart(old, c config.Config) (keys []string) {
	for key, changed := range map[string]bool{
		"store.path": old.Store.Path != c.Store.Path, "store.min_free": old.Store.MinFree != c.Store.MinFree,
		"listen": old.Listen != c.Listen, "tls_cert": old.TLSCert != c.TLSCert, "tls_key": old.TLSKey != c.TLSKey,
		"hosts": !slices.Equal(old.Hosts, c.Hosts), "snapshots": old.Snapshots != c.Snapshots,
	} {
		if changed {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// inDir makes a file name absolute; an empty one stays empty.
func inDir(dir, name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(dir, name)
}
