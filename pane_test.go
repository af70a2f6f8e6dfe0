package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/bridge/wire"
	"signalbox/internal/winlink"
)

// loopApp is a toolkit whose loop is that of a real one, and whose windows are nowhere.
type loopApp struct {
	fyne.App
	work chan func()
	end  func()
	over chan struct{}

	started, stopped, front, back func()
}

func newLoopApp(t *testing.T) *loopApp {
	a := &loopApp{App: test.NewTempApp(t), work: make(chan func(), 10_000), over: make(chan struct{})}
	a.end = sync.OnceFunc(func() { close(a.over) })
	return a
}

func (a *loopApp) kit() toolkit {
	return toolkit{func() fyne.App { return a }, func(f func()) { a.work <- f }}
}

func (a *loopApp) Run() {
	a.started()
	for {
		select {
		case f := <-a.work:
			f()
		case <-a.over:
			return
		}
	}
}

func (a *loopApp) Quit()                              { a.end() }
func (a *loopApp) Lifecycle() fyne.Lifecycle          { return a }
func (a *loopApp) SetOnStarted(f func())              { a.started = f }
func (a *loopApp) SetOnStopped(f func())              { a.stopped = f }
func (a *loopApp) SetOnEnteredForeground(f func())    { a.front = f }
func (a *loopApp) SetOnExitedForeground(f func())     { a.back = f }
func (a *loopApp) NewWindow(title string) fyne.Window { return a.App.NewWindow(title) }

// Center and windows in one process end together: when the app is told to, and when the line between them ends.
func TestAllInOneEnds(t *testing.T) {
	for _, c := range []struct {
		name string
		end  func(cancel func(), a *loopApp)
	}{
		{"the app is told to", func(cancel func(), _ *loopApp) { cancel() }},
		{"the windows end", func(_ func(), a *loopApp) { a.Quit() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
			t.Setenv("PULSE_SERVER", "unix:/nonexistent/pulse")
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			a := newLoopApp(t)
			running := make(chan struct{})
			code := make(chan int, 1)
			kit := a.kit()
			newApp := kit.newApp
			kit.newApp = func() fyne.App { defer close(running); return newApp() }
			o := options{home: t.TempDir(), listen: "127.0.0.1:0", hidden: true}
			go func() { code <- runInOne(ctx, o, slog.New(slog.DiscardHandler), nil, io.Discard, kit) }()
			select {
			case <-running:
			case <-time.After(20 * time.Second):
				t.Fatal("no app was made")
			}
			c.end(cancel, a)
			select {
			case c := <-code:
				if c != exitDone {
					t.Errorf("exit code %d", c)
				}
			case <-time.After(20 * time.Second):
				t.Error("it does not end")
				a.Quit()
			}
		})
	}
}

// A wish that comes when the windows have begun to leave is fulfilled by others.
func TestAWishWhileTheWindowsLeave(t *testing.T) {
	s := startDesktop(t)
	a := newLoopApp(t)
	rooms := make(chan *room, 1)
	s.win.open = func() (io.ReadWriteCloser, func() error, error) {
		s.win.open = s.open
		here, there := net.Pipe()
		p := newRoom(winlink.New(there), slog.New(slog.DiscardHandler), a.kit(), true)
		served := make(chan struct{})
		go func() { _ = p.line.Serve(context.Background()); close(served) }()
		go func() {
			if err := p.prepare(t.Context()); err != nil {
				t.Error(err)
				return
			}
			p.run()
			_ = p.line.Close()
		}()
		rooms <- p
		return here, func() error { <-served; return nil }, nil
	}
	if err := s.show(t.Context(), wire.ViewHistory, ""); err != nil {
		t.Fatal(err)
	}
	p := <-rooms
	if !p.close(false) {
		t.Fatal("it leaves already")
	}
	shown := make(chan error, 1)
	go func() { shown <- s.show(t.Context(), wire.ViewSettings, "") }()
	select {
	case err := <-shown:
		t.Errorf("shown by windows that leave: %v", err)
	case <-time.After(100 * time.Millisecond): // it waits for their end
	}
	p.ui.Quit()
	select {
	case v := <-s.shown:
		if v.View != wire.ViewSettings {
			t.Errorf("shown: %+v", v)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("nobody fulfils the wish")
	}
	if err := <-shown; err != nil {
		t.Error(err)
	}
}

// The center hears last what is so, however often the windows come to the front and go.
func TestTheCenterKnowsWhoLooks(t *testing.T) {
	s := startDesktop(t)
	l := windowsOf(t, s)
	p := &room{line: l}
	p.looking.say = func(on bool) { p.tell(callLooking, on) }
	for range 50 {
		p.looking.tell(false)
		p.looking.tell(true)
	}
	eventually(t, "the center to know", s.win.isLooking)
	for range 50 {
		p.looking.tell(true)
		p.looking.tell(false)
	}
	eventually(t, "the center to know", func() bool { return !s.win.isLooking() })
}
