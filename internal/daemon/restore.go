package daemon

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"signalbox/store"
)

// Restore puts a snapshot in the place of the store of a data directory, while no center runs in it (a *HeldError
// when one does). What was there is kept aside.
func Restore(ctx context.Context, o Options, snapshot string) (info store.SnapshotInfo, err error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	d := &Daemon{options: o, log: o.Logger}
	if d.Dir, err = Home(o.Home); err != nil {
		return info, err
	}
	if _, err = prepare(d.Dir); err != nil {
		return info, err
	}
	if d.lock, err = takeLock(d.Dir); err != nil {
		return info, err
	}
	defer func() { err = errors.Join(err, d.lock.release()) }()
	if err = d.configure(); err != nil {
		return info, err
	}
	return store.Restore(ctx, store.Options{Dir: d.config.StorePath(d.Dir), Logger: d.log, Now: o.Now}, snapshot)
}
