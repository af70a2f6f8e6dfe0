package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"signalbox/assets"
	"signalbox/bridge/wire"
	"signalbox/internal/winlink"
	"signalbox/ui"
)

// What the center's process asks of the one with the windows, beside what is in backstage.go.
const (
	callShow         = "show"
	callMissing      = "missing"
	callListsChanged = "lists_changed"
	callQuit         = "quit"
)

type showArgs struct {
	View, Notification string
	Missing            []ui.Missing
}

// linger is how long the process stays after the last window was closed, so that one that is opened
// again at once is there at once.
const linger = 3 * time.Second

// runPane is the process of the windows: its standard input and output are the line to the center.
func runPane(ctx context.Context, logger *slog.Logger) int {
	rw := stdio{os.Stdin, os.Stdout}
	os.Stdout = os.Stderr // what a library prints must not come between the frames
	p := newRoom(winlink.New(rw), logger, fyneToolkit, true)
	go func() { _ = p.line.Serve(ctx) }()
	if err := p.prepare(ctx); err != nil {
		logger.Error("the center does not answer", "err", err)
		return exitFailed
	}
	defer func() { _ = p.line.Close() }() // the process ends; a line that has ended is no matter
	if err := p.tryRun(); err != nil {
		logger.Error("the toolkit gave up", "err", err)
		return exitFailed
	}
	return exitDone
}

// tryRun is run, with a panic as an error: without a display the toolkit panics, and without OpenGL it
// ends the process.
func (p *room) tryRun() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	p.run()
	return nil
}

type stdio struct {
	io.Reader
	io.WriteCloser
}

// toolkit is what windows are made with.
type toolkit struct {
	newApp func() fyne.App
	// do runs a function in the loop of the app, later. Once the loop has ended it may be forgotten.
	do func(func())
}

var fyneToolkit = toolkit{func() fyne.App { return app.NewWithID(appID) }, fyne.Do}

// room is the windows, with their toolkit and their line to the center. Its loop runs on the main
// goroutine.
type room struct {
	line *winlink.Line
	log  *slog.Logger
	kit  toolkit
	// leaves says that the process ends with its windows.
	leaves bool
	// onStart and onEnd, where set, run on the main goroutine when the loop begins and before it ends.
	onStart, onEnd func()

	app     fyne.App
	ui      *ui.UI
	started chan struct{}  // closed when the loop runs
	ended   chan struct{}  // closed when it has ended
	shown   atomic.Bool    // a window was shown
	last    sync.WaitGroup // what is said before the process ends

	looking  newest[bool]   // whether a window of ours is in front
	language newest[string] // what the windows speak

	mu      sync.Mutex // protects what follows
	asked   int        // wishes for a window that are not fulfilled yet
	leaving bool       // no wish is fulfilled any more
}

func newRoom(line *winlink.Line, logger *slog.Logger, kit toolkit, leaves bool) *room {
	p := &room{line: line, log: logger, kit: kit, leaves: leaves, started: make(chan struct{}), ended: make(chan struct{})}
	p.looking.say = func(on bool) { p.tell(callLooking, on) }
	p.language.say = func(chosen string) { p.tell(callLanguage, chosen) }
	winlink.Handle(line, callShow, func(ctx context.Context, a showArgs) (struct{}, error) { return struct{}{}, p.show(ctx, a) })
	winlink.Handle(line, callMissing, func(_ context.Context, list []ui.Missing) (struct{}, error) {
		if p.wait(ctxDone) == nil {
			p.ui.SetMissing(list)
		}
		return struct{}{}, nil
	})
	winlink.Handle(line, callListsChanged, func(context.Context, struct{}) (struct{}, error) {
		if p.wait(ctxDone) == nil {
			p.ui.ListsChanged()
		}
		return struct{}{}, nil
	})
	winlink.Handle(line, callQuit, func(ctx context.Context, _ struct{}) (struct{}, error) {
		if p.wait(ctx) == nil {
			p.leave()
		}
		return struct{}{}, nil
	})
	return p
}

// ctxDone ends at once: a wait with it only looks.
var ctxDone = func() context.Context { ctx, cancel := context.WithCancel(context.Background()); cancel(); return ctx }()

// prepare makes the app and its windows, none of them shown. Call it on the main goroutine.
func (p *room) prepare(ctx context.Context) error {
	about, err := winlink.Call[about](ctx, p.line, callAbout, struct{}{})
	if err != nil {
		return err
	}
	p.app = p.kit.newApp()
	p.app.SetIcon(fyne.NewStaticResource("signalbox.png", assets.AppIcon()))
	port := winlink.Port{Line: p.line}
	o := p.options(port, about)
	o.Dispatch = p.kit.do
	p.ui = ui.New(p.app, port, o)
	chosen := p.app.Preferences().String("language")
	p.app.Preferences().AddChangeListener(func() {
		// The windows keep the language there; the tray and the toasts speak it too.
		if now := p.app.Preferences().String("language"); now != chosen {
			chosen = now
			p.language.tell(now)
		}
	})
	life := p.app.Lifecycle()
	life.SetOnStarted(func() {
		if p.onStart != nil {
			p.onStart()
		}
		close(p.started)
		go p.tell(callReady, struct{}{})
	})
	life.SetOnEnteredForeground(func() {
		p.looking.tell(true)
		p.ui.Entered()
	})
	life.SetOnExitedForeground(func() { p.looking.tell(false) })
	return nil
}

// run runs the loop until the app quits. Call it on the main goroutine.
func (p *room) run() {
	p.ui.Start()
	var followers sync.WaitGroup
	followers.Go(p.watch)
	p.app.Run()
	close(p.ended)
	p.ui.Close()
	followers.Wait()
	p.last.Wait()
}

// tell says something to the center; one that is gone needs no telling.
func (p *room) tell(method string, what any) { _ = tell(p.line, method, what) }

// watch ends the loop when nobody needs it any more: the center is gone, or the last window closed and the process leaves
// with it.
func (p *room) watch() {
	var ticks <-chan time.Time
	if p.leaves {
		tick := time.NewTicker(500 * time.Millisecond)
		defer tick.Stop()
		ticks = tick.C
	}
	var since time.Time
	for {
		select {
		case <-p.ended:
			return
		case <-p.line.Done():
			if p.wait(context.Background()) == nil {
				p.kit.do(p.app.Quit)
			}
			return
		case now := <-ticks:
			switch {
			case !p.shown.Load() || !p.idle():
				since = time.Time{}
			case since.IsZero():
				since = now
			case now.Sub(since) >= linger:
				if p.close(true) {
					p.ui.Quit()
					return
				}
			}
		}
	}
}

// idle reports whether no window is on screen, and none is wished for: making one may take long.
func (p *room) idle() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked == 0 && !p.ui.Visible()
}

// close refuses wishes from now on, and reports whether that is new. With ifIdle it does so only when nothing is wished
// for or seen.
func (p *room) close(ifIdle bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.leaving || ifIdle && (p.asked > 0 || p.ui.Visible()) {
		return false
	}
	p.leaving = true
	return true
}

// wish takes a wish for a window, which is fulfilled when done is called. Windows that are leaving take none.
func (p *room) wish() (done func(), ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.leaving {
		return nil, false
	}
	p.asked++
	return func() {
		p.mu.Lock()
		p.asked--
		p.mu.Unlock()
	}, true
}

// leave saves what the windows hold and ends the loop.
func (p *room) leave() {
	if p.close(false) {
		p.ui.Quit()
	}
}

// quit is what the windows call when they are done: because the process leaves, or because the owner
// chose to end the app.
func (p *room) quit() {
	if p.close(false) {
		p.last.Go(func() { p.tell(callQuitApp, struct{}{}) })
	}
	if p.onEnd != nil {
		p.onEnd()
	}
	p.app.Quit()
}

// wait waits until the loop runs.
func (p *room) wait(ctx context.Context) error {
	select {
	case <-p.started:
		return nil
	default:
	}
	select {
	case <-p.started:
		return nil
	case <-p.ended:
		return errors.New("the windows are closing")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// show shows a view, and returns when its window is there: where there is no OpenGL the toolkit ends
// the process instead. Windows that are leaving end the line when they have left, so that whoever wished for one begins
// anew.
func (p *room) show(ctx context.Context, a showArgs) error {
	if err := p.wait(ctx); err != nil {
		return err
	}
	done, ok := p.wish()
	if !ok {
		return p.left(ctx)
	}
	defer done()
	p.ui.SetMissing(a.Missing)
	switch {
	case a.Notification != "":
		p.ui.ShowItem(a.Notification)
	case a.View == wire.ViewHistory:
		p.ui.ShowHistory()
	case a.View == wire.ViewSettings:
		p.ui.ShowSettings()
	default:
		p.ui.Show()
	}
	shown := make(chan struct{})
	p.kit.do(func() { close(shown) }) // after what is in the queue before it
	select {
	case <-shown:
		p.shown.Store(true)
		return nil
	case <-p.ended:
		return p.left(ctx)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// left waits until the windows have saved what they hold, and ends the line.
func (p *room) left(ctx context.Context) error {
	select {
	case <-p.ended:
	case <-ctx.Done():
		return ctx.Err()
	}
	_ = p.line.Close() // one that has ended is no matter
	return winlink.ErrClosed
}
