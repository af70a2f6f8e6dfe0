package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"signalbox/internal/winlink"
)

// opener starts what shows windows, and returns the line to it and a function that waits for its end.
// It ends when the line does.
type opener func() (rw io.ReadWriteCloser, wait func() error, err error)

// windows is the process of the windows, as the center's process has it: none, or one.
type windows struct {
	k    *desktop
	open opener

	starting sync.Mutex // held while one is started, so that two wishes start one

	mu      sync.Mutex // protects what follows
	pane    *pane      // nil: none
	looking bool
	closed  bool
}

// pane is one running process of windows.
type pane struct {
	line  *winlink.Line
	ready chan struct{} // closed when its loop runs
	gone  chan struct{} // closed when it has ended
	err   error         // how; after gone

	missing, lists newest[struct{}] // what it is told without being waited for
	listening      sync.Once
}

// listen makes the windows the listener of what is told in the app, until they are gone. They follow the
// records themselves; that somebody can see them is what counts.
func (p *pane) listen(k *desktop) {
	p.listening.Do(func() {
		messages, end := k.inApp.Listen()
		k.wg.Go(func() {
			defer end()
			for {
				select {
				case <-messages:
				case <-p.gone:
					return
				}
			}
		})
	})
}

// errNoWindow is what can be said when it ended before it showed anything. Its own words, in the log, say
// more.
var errNoWindow = errors.New("there is no display, or no OpenGL on it")

var errEnding = errors.New("the app is ending")

func newWindows(k *desktop, open opener) *windows { return &windows{k: k, open: open} }

// show brings a view to the front, in a process that is there or is started now.
func (w *windows) show(ctx context.Context, view, notification string) error {
	for try := 0; ; try++ {
		p, fresh, err := w.get(ctx)
		if err != nil {
			return err
		}
		_, err = winlink.Call[struct{}](ctx, p.line, callShow, showArgs{View: view, Notification: notification, Missing: w.k.missing()})
		switch {
		case err == nil:
			p.listen(w.k)
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case !errors.Is(err, winlink.ErrClosed):
			return err
		case fresh || try > 0:
			<-p.gone
			return errNoWindow
		}
		<-p.gone // it was just closing; begin anew
	}
}

// get returns the running process, or starts one; fresh says that it did.
func (w *windows) get(ctx context.Context) (_ *pane, fresh bool, err error) {
	w.starting.Lock()
	defer w.starting.Unlock()
	w.mu.Lock()
	running, closed := w.pane, w.closed
	w.mu.Unlock()
	if closed {
		return nil, false, errEnding
	}
	if running != nil {
		select {
		case <-running.gone:
		default:
			return running, false, nil
		}
	}
	rw, wait, err := w.open()
	if err != nil {
		return nil, false, err
	}
	p := &pane{line: winlink.New(rw), ready: make(chan struct{}), gone: make(chan struct{})}
	p.missing.say = func(struct{}) { _ = tell(p.line, callMissing, w.k.missing()) }
	p.lists.say = func(struct{}) { _ = tell(p.line, callListsChanged, struct{}{}) }
	w.k.serveWindows(p.line, sync.OnceFunc(func() { close(p.ready) }), w.setLooking)
	w.k.wg.Go(func() {
		_ = p.line.Serve(context.Background())
		p.err = wait()
		w.k.log.Debug("the process of the windows ended", "err", p.err)
		w.mu.Lock()
		if w.pane == p {
			w.pane = nil
		}
		w.looking = false
		w.mu.Unlock()
		close(p.gone)
	})
	w.mu.Lock()
	if closed = w.closed; !closed {
		w.pane = p
	}
	w.mu.Unlock()
	if closed { // while it was being started: whoever closes has not seen it
		p.line.Close()
		return nil, true, errEnding
	}
	select {
	case <-p.ready:
	case <-p.gone:
		w.k.log.Warn("the process of the windows ended", "err", p.err)
		return nil, true, errNoWindow
	case <-ctx.Done():
		p.line.Close()
		return nil, true, ctx.Err()
	}
	return p, true, nil
}

// isLooking reports whether a window of ours is in front.
func (w *windows) isLooking() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.looking
}

func (w *windows) setLooking(on bool) {
	w.mu.Lock()
	w.looking = on
	w.mu.Unlock()
}

// missingChanged tells the windows what is missing, if there are any.
func (w *windows) missingChanged() {
	if p := w.running(); p != nil {
		p.missing.tell(struct{}{})
	}
}

// listsChanged tells the windows that lists of a connection became old, or current again.
func (w *windows) listsChanged() {
	if p := w.running(); p != nil {
		p.lists.tell(struct{}{})
	}
}

func (w *windows) running() *pane {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.pane
}

// tell says something to the other end of a line, and waits until it was heard or actLimit is over.
func tell(line *winlink.Line, method string, what any) error {
	ctx, cancel := context.WithTimeout(context.Background(), actLimit)
	defer cancel()
	_, err := winlink.Call[struct{}](ctx, line, method, what)
	return err
}

// closeLimit bounds how long the windows get to save what they have to.
const closeLimit = 4 * time.Second

// close asks the windows to end, and sees that they do.
func (w *windows) close() {
	w.mu.Lock()
	p := w.pane
	w.closed = true
	w.mu.Unlock()
	if p == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	_, _ = winlink.Call[struct{}](ctx, p.line, callQuit, struct{}{})
	select {
	case <-p.gone:
	case <-ctx.Done():
		p.line.Close()
		<-p.gone
	}
}

// child is the line to a process: its input and output.
type child struct {
	io.Reader
	in  io.WriteCloser
	cmd *exec.Cmd
}

func (c *child) Write(b []byte) (int, error) { return c.in.Write(b) }

// Close closes the process's input, upon which it ends by itself. One that hangs in its graphics does
// not, and is ended.
func (c *child) Close() error {
	time.AfterFunc(closeLimit, func() { _ = c.cmd.Process.Kill() }) // an error says that it has ended
	return c.in.Close()
}

// childProcess starts this program again to show windows; what it logs goes to logs.
func childProcess(logs io.Writer) (io.ReadWriteCloser, func() error, error) {
	exe, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.Command(exe, "--window")
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	cmd.Stderr = logs
	cmd.WaitDelay = time.Second // what it started may hold its output open
	cmd.Env = withLocale(os.Environ())
	if err := cmd.Start(); err != nil {
		return nil, nil, err
	}
	return &child{out, in, cmd}, cmd.Wait, nil
}

// withLocale is an environment in which the toolkit finds a language: it logs an error where the locale is C or
// POSIX, which name none. What the owner chose is told apart, by options.
func withLocale(env []string) []string {
	value := localeOf(func(name string) string {
		for _, kv := range env {
			if v, ok := strings.CutPrefix(kv, name+"="); ok && v != "" {
				return v
			}
		}
		return ""
	})
	switch language, _, _ := strings.Cut(value, "."); language {
	case "", "C", "POSIX":
		return append(slices.Clone(env), "LC_ALL=en_US.UTF-8")
	}
	return env
}
