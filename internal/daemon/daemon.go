package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"signalbox/bridge"
	"signalbox/center"
	"signalbox/delivery"
	"signalbox/internal/config"
	"signalbox/mask"
	"signalbox/notify"
	"signalbox/reload"
	"signalbox/retention"
	"signalbox/store"
)

// Daemon is a running center with what belongs to it. Close ends it.
type Daemon struct {
	Center *center.Center
	Store  *store.Store
	// Dir is the data directory.
	Dir string

	late     atomic.Bool // the center does not hold yet what is in the store
	gone     bool        // the store of an earlier run is not there any more
	options  Options
	log      *slog.Logger
	lock     *lock
	bridge   *bridge.Server
	runner   *retention.Runner
	reload   *reload.Service
	problems problems
	memory   *memoryKeeper // nil: there is none

	announcer *delivery.Engine

	// stopBridge and stopRest end the goroutines of served and rest.
	stopBridge, stopRest context.CancelFunc
	served, rest         sync.WaitGroup
	failed               chan error // the bridge's end, when it was not asked for

	mu      sync.Mutex // protects what follows
	config  config.Config
	added   []delivery.Provider // of a desktop
	closers []func()
	closed  bool
}

// Start takes the data directory and starts everything; the bridge listens when it returns. Its errors
// are those of the data directory (a *HeldError when another process has it), of the settings (a
// *config.Error) and of the listener. A store that cannot be used is no error: the center runs without
// it, refuses to write, and tells why as a problem. ctx ends the starting only; the caller calls Close.
func Start(ctx context.Context, o Options) (d *Daemon, err error) {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	d = &Daemon{options: o, log: o.Logger, failed: make(chan error, 1),
		stopBridge: func() {}, stopRest: func() {}}
	d.problems.changed = o.Problem
	// What was started is stopped again when a later step fails.
	defer func() {
		if err != nil {
			err = errors.Join(err, d.Close())
			d = nil
		}
	}()
	if d.Dir, err = Home(o.Home); err != nil {
		return d, err
	}
	wasOpen, err := prepare(d.Dir)
	if err != nil {
		return d, err
	}
	if wasOpen {
		d.log.Warn("made the data directory private")
	}
	if d.lock, err = takeLock(d.Dir); err != nil {
		return d, err
	}
	if err = d.configure(); err != nil {
		return d, err
	}
	d.openStore(ctx)
	d.Center, err = center.Open(ctx, center.Config{
		Storage: d.Store, Clock: newClock(o.Now),
		Mask: mask.Content, Rules: rules(d.config), Logger: d.log,
	})
	if err != nil {
		return d, fmt.Errorf("open the center: %w", err)
	}
	var rest context.Context
	rest, d.stopRest = context.WithCancel(context.WithoutCancel(ctx))
	d.runner = retention.New(retention.Config{Center: d.Center, Storage: d.Store, Limits: limits(d.config), Now: o.Now, Logger: d.log})
	d.rest.Go(func() { _ = d.runner.Run(rest) })
	d.rest.Go(func() { d.followStore(rest) })
	d.startCompanions(rest)
	d.prepareDelivery()
	if o.Attach != nil {
		err = o.Attach(rest, d)
	}
	d.rest.Go(func() { _ = d.announcer.Serve(rest) })
	if err != nil {
		return d, err
	}
	if err = d.listen(ctx); err != nil {
		return d, err
	}
	d.watchConfig(rest)
	if o.Desktop == nil {
		d.memory = keepMemory(nil)
	}
	return d, nil
}

// listen opens the bridge, the last thing to start.
func (d *Daemon) listen(ctx context.Context) error {
	c := d.config
	address := c.Listen
	if d.options.Listen != "" {
		address = d.options.Listen
	}
	b, err := bridge.Open(ctx, bridge.Config{
		Center: d.Center, Loading: d.loading, Ledger: d.announcer, Providers: d.providers(), Desktop: d.options.Desktop,
		Dir: d.Dir, Listen: address, TLSCertFile: inDir(d.Dir, c.TLSCert), TLSKeyFile: inDir(d.Dir, c.TLSKey), Hosts: c.Hosts,
		Live: d.live(c), Version: d.options.Version, Now: d.options.Now, Log: d.log,
	})
	if err != nil {
		return err
	}
	d.bridge = b
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	d.stopBridge = stop
	d.served.Go(func() {
		if err := b.Serve(serving); err != nil {
			d.failed <- err
		}
	})
	d.log.Info("center runs", "url", b.URL())
	return nil
}

// URL is where the bridge listens.
func (d *Daemon) URL() string { return d.bridge.URL() }

// OwnerToken may do everything at the bridge.
func (d *Daemon) OwnerToken() string { return d.bridge.OwnerToken() }

// Config is the settings in force.
func (d *Daemon) Config() config.Config {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.config
}

// Retention tells how the last retention run went.
func (d *Daemon) Retention() retention.Report { return d.runner.Last() }

// Failed receives when the bridge ended by itself.
func (d *Daemon) Failed() <-chan error { return d.failed }

// OnClose calls f when the daemon closes: after the bridge has ended, while the center still runs, the
// latest given first.
func (d *Daemon) OnClose(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closers = append(d.closers, f)
}

// Close stops everything, the bridge first, and returns when nothing runs any more. Commands that were
// taken are finished.
func (d *Daemon) Close() error {
	d.mu.Lock()
	closed, closers := d.closed, d.closers
	d.closed = true
	d.mu.Unlock()
	if closed {
		return nil
	}
	d.memory.stop()
	d.stopBridge()
	d.served.Wait()
	for i := len(closers) - 1; i >= 0; i-- {
		closers[i]()
	}
	d.stopRest()
	d.rest.Wait()
	var errs []error
	if d.Center != nil {
		d.rememberStore()
		errs = append(errs, d.Center.Close())
	}
	if d.Store != nil {
		errs = append(errs, d.Store.Close())
	}
	if d.lock != nil {
		errs = append(errs, d.lock.release())
	}
	return errors.Join(errs...)
}

// Run starts a daemon and waits until ctx ends, which is no error, or the bridge fails.
func Run(ctx context.Context, o Options) error {
	d, err := Start(ctx, o)
	if err != nil {
		return err
	}
	select {
	case <-ctx.Done():
	case err = <-d.failed:
	}
	return errors.Join(err, d.Close())
}

func rules(c config.Config) notify.Rules {
	return notify.Rules{OrphanAfter: c.OrphanAfter.Std(), LinkSchemes: c.LinkSchemes, AllowRemoteURLs: c.AllowRemoteURLs}
}

func limits(c config.Config) retention.Limits {
	return retention.Limits{Policy: retention.Policy{KeepAge: c.Retention.KeepAge.Std(), KeepCount: c.Retention.KeepCount},
		LogCount: c.Retention.LogCount, LogAge: c.Retention.LogAge.Std(), ReceiptsAge: c.Retention.ReceiptsAge.Std()}
}

func (d *Daemon) live(c config.Config) bridge.Live {
	rate := c.RateLimit
	if d.options.RateLimit != nil {
		rate = *d.options.RateLimit
	}
	return bridge.Live{AllowedOrigins: c.AllowedOrigins, RatePerSecond: rate, AllowRemoteURLs: c.AllowRemoteURLs}
}
