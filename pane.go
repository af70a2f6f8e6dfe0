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
	p := newRoom(winlink.New(rw), logger, true)
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

// room is the windows, with their toolkit and their line to the center. Its loop runs on the main
// goroutine.
type room struct {
	line *winlink.Line
	log  *slog.Logger
	// leaves says that the process ends with its windows.
	leaves bool
	// onStart and onEnd, where set, run on the main goroutine when the loop begins and before it ends.
	onStart, onEnd func()

	app     fyne.App
	ui      *ui.UI
	started chan struct{} // closed when the loop runs
	ended   chan struct{} // closed when it has ended
	asked   atomic.Int32  // wishes for a window that are not fulfilled yet
	shown   atomic.Bool   // a window was shown
	leaving atomic.Bool
}

func newRoom(line *winlink.Line, logger *slog.Logger, leaves bool) *room {
	p := &room{line: line, log: logger, leaves: leaves, started: make(chan struct{}), ended: make(chan struct{})}
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
	p.app = app.NewWithID(appID)
	p.app.SetIcon(fyne.NewStaticResource("signalbox.png", assets.AppIcon()))
	port := winlink.Port{Line: p.line}
	p.ui = ui.New(p.app, port, p.options(port, about))
	chosen := p.app.Preferences().String("language")
	p.app.Preferences().AddChangeListener(func() {
		// The windows keep the language there; the tray and the toasts speak it too.
		if now := p.app.Preferences().String("language"); now != chosen {
			chosen = now
			go p.tell(callLanguage, now)
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
	life.SetOnEnteredForeground(func() { go p.tell(callLooking, true) })
	life.SetOnExitedForeground(func() { go p.tell(callLooking, false) })
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
}

// tell says something to the center; one that is gone needs no telling.
func (p *room) tell(method string, what any) {
	ctx, cancel := context.WithTimeout(context.Background(), actLimit)
	defer cancel()
	_, _ = winlink.Call[struct{}](ctx, p.line, method, what)
}

// watch ends the process when nobody needs it any more: the center is gone, or the last window closed.
func (p *room) watch() {
	if !p.leaves {
		return
	}
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	var since time.Time
	for {
		select {
		case <-p.ended:
			return
		case <-p.line.Done():
			if p.wait(context.Background()) == nil {
				fyne.Do(p.app.Quit)
			}
			return
		case now := <-tick.C:
			switch {
			case !p.shown.Load(), p.asked.Load() > 0, p.ui.Visible(): // making a window may take long
				since = time.Time{}
			case since.IsZero():
				since = now
			case now.Sub(since) >= linger:
				p.leave()
				return
			}
		}
	}
}

// leave saves what the windows hold and ends the loop.
func (p *room) leave() {
	if p.leaving.CompareAndSwap(false, true) {
		p.ui.Quit()
	}
}

// quit is what the windows call when they are done: because the process leaves, or because the owner
// chose to end the app.
func (p *room) quit() {
	if p.leaving.CompareAndSwap(false, true) {
		go p.tell(callQuitApp, struct{}{})
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
// the process instead.
func (p *room) show(ctx context.Context, a showArgs) error {
	if err := p.wait(ctx); err != nil {
		return err
	}
	p.asked.Add(1)
	defer p.asked.Add(-1)
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
	fyne.Do(func() { close(shown) }) // after what is in the queue before it
	select {
	case <-shown:
		p.shown.Store(true)
		return nil
	case <-p.ended:
		return errors.New("the windows are closing")
	case <-ctx.Done():
		return ctx.Err()
	}
}
