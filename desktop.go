package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"sync"
	"time"

	"signalbox/assets"
	"signalbox/bridge/wire"
	"signalbox/client"
	"signalbox/delivery"
	"signalbox/delivery/sound"
	"signalbox/delivery/toast"
	"signalbox/internal/daemon"
	"signalbox/notify"
	"signalbox/tray"
	"signalbox/ui"
)

// desktop is everything around the center in its process.
type desktop struct {
	o    options
	log  *slog.Logger
	quit context.CancelFunc // ends the app

	d      *daemon.Daemon
	toasts toast.Sender
	tray   *tray.Tray
	inApp  *delivery.InApp
	player *sound.Player
	win    *windows
	words  languages
	wg     sync.WaitGroup
	ready  chan struct{} // closed when the center runs
	redraw chan struct{} // wakes the feed of the tray

	mu      sync.Mutex // protects what follows
	trouble string     // why no window can be shown; empty: it can
}

// trayIconSize is the size of the tray's icon in pixels. The library hands the panel one picture: panels of 22, 24 and
// 32 make it smaller and stay crisp, those of 48, and of 24 on a screen of twice the density, show it as it is.
const trayIconSize = 48

// runDesktop runs the app until ctx ends or the owner quits.
func runDesktop(ctx context.Context, o options, logger *slog.Logger, level *slog.LevelVar, stderr io.Writer) int {
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	k := newDesktop(o, logger, quit)
	k.win = newWindows(k, func() (io.ReadWriteCloser, func() error, error) { return childProcess(stderr) })
	return k.run(ctx, level, stderr, nil)
}

func newDesktop(o options, logger *slog.Logger, quit context.CancelFunc) *desktop {
	k := &desktop{o: o, log: logger, quit: quit, ready: make(chan struct{}), redraw: make(chan struct{}, 1), inApp: &delivery.InApp{}}
	if err := k.words.set(language()); err != nil {
		logger.Warn("texts not read", "err", err)
	}
	k.player = &sound.Player{Source: assets.Sound}
	k.toasts = toast.New(toast.Options{
		AppName: "Signalbox", DesktopEntry: appID, Icon: assets.AppIconSize(64), Logger: logger,
		OnEvent:     func(e toast.Event) { k.act(toast.ActOf(e)) },
		OnAvailable: func(up bool) { k.toastsChanged(up) },
	})
	k.tray = tray.New(tray.Options{
		OnCommand: k.command, OnStatus: func(tray.Status) { k.missingChanged() }, Logger: logger,
		Icon: func(state string) []byte { return assets.TrayIcon(state, runtime.GOOS, trayIconSize) },
	})
	return k
}

// run starts everything, waits, and stops everything in the opposite order. started, when set, is called
// once the center runs.
func (k *desktop) run(ctx context.Context, level *slog.LevelVar, stderr io.Writer, started func()) int {
	d, err := daemon.Start(ctx, daemon.Options{
		Home: k.o.home, Listen: k.o.listen, Version: version, Logger: k.log, Level: level, Now: time.Now,
		Desktop: k, Lenient: true, Attach: k.attach, Problem: k.missingChanged, Looking: k.win.isLooking,
		ListsChanged: func(string) { k.win.listsChanged() },
		Words:        func() delivery.Words { return k.words.get().told },
	})
	var held *daemon.HeldError
	if errors.As(err, &held) {
		return k.showOther(ctx, stderr, held)
	}
	if err != nil {
		fmt.Fprintln(stderr, "signalbox:", err)
		return exitFailed
	}
	if started != nil {
		started()
	}
	if !k.o.hidden {
		k.wg.Go(func() { k.show(ctx, wire.ViewRail, "") })
	}
	code := exitDone
	select {
	case <-ctx.Done():
	case err := <-d.Failed():
		k.log.Error("the bridge ended", "err", err)
		code = exitFailed
	}
	k.quit()
	k.win.close()
	if err := d.Close(); err != nil {
		k.log.Error("not everything was stopped", "err", err)
		code = exitFailed
	}
	k.wg.Wait()
	return code
}

// attach joins the desktop to a center that is about to listen.
func (k *desktop) attach(ctx context.Context, d *daemon.Daemon) error {
	k.d = d
	if k.o.logs != nil { // the directory is ours from here on
		if err := k.o.logs.open(d.Dir); err != nil {
			k.log.Warn("the log cannot be kept", "err", err)
		}
	}
	close(k.ready)
	ctx, cancel := context.WithCancel(ctx)
	var parts sync.WaitGroup
	d.OnClose(func() { cancel(); parts.Wait() })
	k.inApp.OnListening = func() { d.Announcer().Kick(notify.ProviderInApp) }
	for _, part := range []func(context.Context) error{k.toasts.Serve, k.tray.Serve, k.followTray, k.followTerminals} {
		parts.Go(func() {
			if err := part(ctx); err != nil {
				k.log.Error("a part of the desktop ended", "err", err)
			}
		})
	}
	return d.AddProviders(ctx, k.providers()...)
}

// providers are those that need a desktop.
func (k *desktop) providers() []delivery.Provider {
	return []delivery.Provider{
		k.inApp,
		toast.Provider{Sender: k.toasts, Labels: func() toast.Labels { return k.words.get().labels }, Answers: func() bool {
			return k.d.Privacy(notify.ProviderToast) == delivery.PrivacyFull
		}},
		sound.Provider{Player: k.player},
	}
}

// toastsChanged tries again what could not be shown, and says what is missing.
func (k *desktop) toastsChanged(up bool) {
	select {
	case <-k.ready:
	default:
		return // nothing has been told yet
	}
	if up {
		k.d.Announcer().Kick(notify.ProviderToast)
	}
	k.missingChanged()
}

// Show is what the bridge shows windows by.
func (k *desktop) Show(ctx context.Context, view, notification string) error {
	return k.show(ctx, view, notification)
}

// showLimit bounds how long a window may take to appear.
const showLimit = 30 * time.Second

func (k *desktop) show(ctx context.Context, view, notification string) error {
	ctx, cancel := context.WithTimeout(ctx, showLimit)
	defer cancel()
	err := k.win.show(ctx, view, notification)
	trouble := ""
	if err != nil && ctx.Err() == nil {
		trouble = "The window cannot be shown: " + err.Error() + ". Everything else works; sigbox and the tray reach the center."
		k.log.Error("the window cannot be shown", "err", err)
		err = notify.Errorf(notify.CodeUnavailable, "%s", trouble)
	}
	k.mu.Lock()
	changed := k.trouble != trouble
	k.trouble = trouble
	k.mu.Unlock()
	if changed {
		k.missingChanged()
	}
	return err
}

// missing lists the parts that are not there, for the window and the doctor.
func (k *desktop) missing() []ui.Missing {
	var list []ui.Missing
	select {
	case <-k.ready:
		for _, p := range k.d.Problems() {
			list = append(list, ui.Missing{Part: partOf(p), Detail: p.Text})
		}
	default:
	}
	if s := k.tray.Status(); !s.Available && s.Problem != "" {
		list = append(list, ui.Missing{Part: "tray", Detail: s.Problem})
	}
	if s := k.toasts.Status(); !s.Available && s.Problem != "" {
		list = append(list, ui.Missing{Part: "notifications", Detail: s.Problem})
	}
	return list
}

// partOf is what the windows call the part that has a problem.
func partOf(p daemon.Problem) string {
	if p.Key == daemon.ProblemSettings {
		return "config"
	}
	return p.Key
}

// problem is what the tray says is wrong; empty: nothing.
func (k *desktop) problem() string {
	k.mu.Lock()
	trouble := k.trouble
	k.mu.Unlock()
	for _, p := range k.d.Problems() {
		return p.Text
	}
	return trouble
}

// missingChanged tells the windows and the tray. It is called from any goroutine, early and late.
func (k *desktop) missingChanged() {
	if k.win != nil {
		k.win.missingChanged()
	}
	k.wake()
}

func (k *desktop) wake() {
	select {
	case k.redraw <- struct{}{}:
	default:
	}
}

// showOther asks the center that has the data directory to show its window: this is a second start. One
// that has only just begun may not listen yet.
func (k *desktop) showOther(ctx context.Context, stderr io.Writer, held *daemon.HeldError) int {
	ctx, cancel := context.WithTimeout(ctx, showLimit)
	defer cancel()
	err := error(held)
	for ctx.Err() == nil {
		var c *client.Client
		if c, err = client.Discover(ctx, client.Environment{Dir: held.Dir, Getenv: func(string) string { return "" }}); err == nil {
			view := wire.Show{View: wire.ViewRail}
			if k.o.hidden {
				c.Close()
				return exitDone // it runs already, which is all that was asked for
			}
			err = c.Show(ctx, view)
			c.Close()
			if err == nil {
				return exitDone
			}
			if client.Code(err) != "" {
				break // it answered, and said no
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	fmt.Fprintf(stderr, "signalbox: %v; its window cannot be shown: %v\n", held, err)
	return exitFailed
}
