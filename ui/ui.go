package ui

import (
	"context"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/assets"
	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// UI is the windows of one app. Its exported methods may be called from any goroutine.
type UI struct {
	app      fyne.App
	port     Port
	o        Options
	dispatch func(func())
	prefs    prefs

	ctx  context.Context
	stop context.CancelFunc
	wg   sync.WaitGroup
	loop loop

	ending sync.Mutex // protects ended
	ended  bool       // nothing begins any more

	noting sync.Mutex      // protects noted
	noted  []notify.Change // what the history has not been told yet

	// Below belongs to the main goroutine.
	catalog  *vm.Catalog
	variant  fyne.ThemeVariant
	env      *widgets.Env
	memory   vm.Memory
	snap     *vm.Snapshot  // nil: nothing was read yet
	failed   error         // why the last reading was not whole; nil: it was
	changing chan struct{} // closed when the last change of the settings is through; nil: there was none
	fresh    bool          // what is being drawn was just read: it is no tick of the clock
	missing  []Missing
	rail     *railWindow
	history  *historyWindow
	sets     *settingsWindow
	open     map[string]bool // windows on screen, by name
	dialog   *question       // the question that was asked last of those that are open; nil: none

	shown     atomic.Int32 // windows on screen, for the loop
	historyOn atomic.Bool
	searching atomic.Pointer[string] // what is searched for on the rail, for the loop
	readings  atomic.Int64           // how many readings began
}

// Missing is a part of Signalbox that is not there, told in a banner.
type Missing struct {
	// Part is one of "tray", "bus", "notifications", "store", "config", "bridge".
	Part string
	// Detail is what is missing, in plain words; data, not translated.
	Detail string
}

// New makes the windows of an app. Nothing is shown and nothing runs before Start.
func New(app fyne.App, port Port, o Options) *UI {
	u := &UI{app: app, port: port, o: o, prefs: prefs{app.Preferences()}, open: map[string]bool{}}
	later := o.Dispatch
	if later == nil {
		later = fyne.Do // the one place where the toolkit's queue is named
	}
	// Once the app ends there is no main goroutine to run on: the toolkit would run functions where they are handed over,
	// several at once.
	u.dispatch = func(f func()) {
		if u.ctx.Err() != nil {
			return
		}
		later(func() {
			if u.ctx.Err() == nil {
				f()
			}
		})
	}
	if u.o.After == nil {
		u.o.After = time.After
	}
	if len(u.o.Providers) == 0 {
		u.o.Providers = []string{notify.ProviderInApp, notify.ProviderToast, notify.ProviderSound}
	}
	u.ctx, u.stop = context.WithCancel(context.Background())
	u.env = &widgets.Env{Tr: func(m vm.Msg) string { return u.catalog.Text(m) }, Now: o.Now}
	u.setLanguage()
	u.setTheme()
	u.memory.Dismissals.Restore(u.prefs.dismissals())
	u.variant = app.Settings().ThemeVariant()
	app.Settings().AddListener(func(s fyne.Settings) {
		u.dispatch(func() {
			if v := s.ThemeVariant(); v != u.variant { // the desktop went dark, or light
				u.variant = v
				u.restyle()
			}
		})
	})
	u.loop = loop{u: u, wake: make(chan struct{}, 1), show: make(chan struct{}, 1)}
	return u
}

// Start consumes the feed of changes until Close. It shows nothing.
func (u *UI) Start() {
	u.wg.Go(u.loop.listen)
	u.wg.Go(u.loop.refresh)
	u.wg.Go(u.loop.tick)
}

// Close ends what Start began, and waits for what still runs; nothing is handed to the main goroutine after it, and
// nothing begins. The windows stay as they are: the app is ending. Dismissals that are still held for undo are sent by
// Quit, not here; those that were not sent by then are kept, and sent when they are seen again.
func (u *UI) Close() {
	u.stop()
	u.ending.Lock()
	u.ended = true
	u.ending.Unlock()
	u.wg.Wait()
}

// spawn runs work beside the main goroutine. After Close it does not.
func (u *UI) spawn(work func()) {
	u.ending.Lock()
	defer u.ending.Unlock()
	if !u.ended {
		u.wg.Go(work)
	}
}

// Show shows the rail, on the owner's request; it never takes focus by itself.
func (u *UI) Show() { u.dispatch(func() { u.showRail("") }) }

// ShowItem shows the rail with one item selected.
func (u *UI) ShowItem(id string) { u.dispatch(func() { u.showRail(id) }) }

// ShowHistory shows the history.
func (u *UI) ShowHistory() { u.dispatch(func() { u.showHistory() }) }

// ShowSettings shows the settings.
func (u *UI) ShowSettings() { u.dispatch(func() { u.showSettings("") }) }

// ShowSettingsPage shows one page of the settings: connect, connections, told, rules, quiet, keep, look,
// doctor or about.
func (u *UI) ShowSettingsPage(page string) { u.dispatch(func() { u.showSettings(page) }) }

// Hide hides all windows.
func (u *UI) Hide() {
	u.dispatch(func() {
		for _, w := range []hider{u.rail, u.history, u.sets} {
			w.hide()
		}
	})
}

type hider interface{ hide() }

// Quit saves what is to be saved and ends the app.
func (u *UI) Quit() {
	u.dispatch(func() {
		held := u.memory.Dismissals.Flush(u.now())
		u.saveDismissals()
		u.spawn(func() { // nothing that the owner dismissed is lost by quitting at once
			ctx, cancel := context.WithTimeout(u.ctx, quitPatience)
			defer cancel()
			for _, d := range held {
				if _, err := u.port.Do(ctx, notify.Owner, d.Op()); err != nil {
					break // the cache has it: it is sent again when it is seen again
				}
			}
			u.dispatch(func() {
				u.stop() // nothing is drawn any more
				if u.o.Quit != nil {
					u.o.Quit()
					return
				}
				u.app.Quit()
			})
		})
	})
}

// quitPatience bounds how long quitting waits for the last dismissals.
const quitPatience = 2 * time.Second

// SetMissing says which parts are not there.
func (u *UI) SetMissing(list []Missing) {
	u.dispatch(func() {
		u.missing = list
		if u.rail != nil {
			u.rail.banners()
		}
	})
}

// ListsChanged says that lists of a connection became old, or current again.
func (u *UI) ListsChanged() { u.loop.touch() }

// Visible reports whether a window is on screen, so that what it shows need not be announced again (A8).
func (u *UI) Visible() bool { return u.shown.Load() > 0 }

func (u *UI) setLanguage() {
	language := u.prefs.language()
	if language == "" {
		language = u.o.Locale
	}
	c, err := vm.LoadCatalog(assets.Translations, language)
	if err != nil {
		fyne.LogError("load the texts", err)
		c = &vm.Catalog{}
	}
	u.catalog = c
}

func (u *UI) setTheme() {
	th := theme.New(u.prefs.mode(), u.prefs.textScale())
	if u.prefs.dense() {
		th = th.Dense()
	}
	u.app.Settings().SetTheme(th)
}

func (u *UI) tr(m vm.Msg) string  { return u.catalog.Text(m) }
func (u *UI) t(key string) string { return u.catalog.Text(vm.M(key)) }
func (u *UI) now() time.Time      { return u.o.Now() }

// markOpen counts a window as on screen, or not.
func (u *UI) markOpen(name string, on bool) {
	if u.open[name] == on {
		return
	}
	u.open[name] = on
	if name == "history" {
		u.historyOn.Store(on)
	}
	if on {
		u.shown.Add(1)
		select {
		case u.loop.show <- struct{}{}:
		default:
		}
		u.loop.touch() // D5: what is newly shown is loaded afresh
		return
	}
	u.shown.Add(-1)
	if name == "rail" || u.shown.Load() == 0 {
		u.flush()
	}
}

// do sends a command of the owner and hands the answer back on the main goroutine.
func (u *UI) do(op notify.Op, then func(notify.Result, error)) {
	u.spawn(func() {
		res, err := u.port.Do(u.ctx, notify.Owner, op)
		if then == nil {
			return
		}
		u.dispatch(func() { then(res, err) })
	})
}

// background runs work elsewhere and hands its value back on the main goroutine.
func background[T any](u *UI, work func(context.Context) (T, error), then func(T, error)) {
	u.spawn(func() {
		v, err := work(u.ctx)
		u.dispatch(func() { then(v, err) })
	})
}

// after runs a function on the main goroutine after a while, unless the app ends first.
func (u *UI) after(d time.Duration, f func()) {
	timer := u.o.After(d)
	u.spawn(func() {
		select {
		case <-timer:
			u.dispatch(f)
		case <-u.ctx.Done():
		}
	})
}

// openURL opens an address that has been checked and confirmed.
func (u *UI) openURL(address string) error {
	if u.o.OpenURL != nil {
		return u.o.OpenURL(address)
	}
	parsed, err := url.Parse(address)
	if err != nil {
		return err
	}
	return u.app.OpenURL(parsed)
}

// sendDismissals sends requests of the dismissal cache and records what became of them.
func (u *UI) sendDismissals(list []vm.Dismissal) {
	for _, d := range list {
		u.do(d.Op(), func(_ notify.Result, err error) {
			if u.memory.Dismissals.Result(d, notify.CodeOf(err), u.now()) {
				u.say(u.tr(vm.Trouble(err)), "", nil)
			}
			u.saveDismissals()
			u.redraw()
		})
	}
	if len(list) > 0 {
		u.saveDismissals()
	}
}

func (u *UI) saveDismissals() { u.prefs.setDismissals(u.memory.Dismissals.Save()) }

// flush sends the dismissals that are held for undo: nobody can undo them any more.
func (u *UI) flush() { u.sendDismissals(u.memory.Dismissals.Flush(u.now())) }

// searchedFor is what the owner searches the rail for; empty: nothing.
func (u *UI) searchedFor() string {
	if s := u.searching.Load(); s != nil {
		return *s
	}
	return ""
}

// redraw lays the windows out anew from what was read last.
func (u *UI) redraw() {
	if u.snap == nil && u.failed == nil {
		return
	}
	if u.open["rail"] {
		u.rail.render()
	}
	if u.open["history"] {
		u.history.render()
	}
}

// say shows a short word on a window that is on screen: on the rail, if it can.
func (u *UI) say(text, action string, do func()) {
	if text == "" {
		return
	}
	switch {
	case u.open["rail"]:
		u.rail.say(text, action, do)
	case u.open["history"]:
		u.history.say(text)
	case u.open["settings"]:
		u.sets.say(text)
	}
}

// sayOn shows a short word on the window in which the owner did what it is about, or on another if it is gone.
func (u *UI) sayOn(win fyne.Window, text string) {
	switch {
	case u.open["history"] && u.history.win == win:
		u.history.say(text)
	case u.open["settings"] && u.sets.win == win:
		u.sets.say(text)
	default:
		u.say(text, "", nil)
	}
}
