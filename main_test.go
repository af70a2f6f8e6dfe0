package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
	"signalbox/delivery/toast"
	"signalbox/internal/winlink"
	"signalbox/notify"
	"signalbox/tray"
	"signalbox/ui"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want options
		ok   bool
	}{
		{nil, options{}, true},
		{[]string{"--home", "/x", "--listen", "127.0.0.1:0", "--hidden"}, options{home: "/x", listen: "127.0.0.1:0", hidden: true}, true},
		{[]string{"--no-such"}, options{}, false},
		{[]string{"file"}, options{}, false},
	} {
		got, err := parse(c.args, io.Discard)
		if (err == nil) != c.ok || c.ok && got != c.want {
			t.Errorf("%q: %+v %v", c.args, got, err)
		}
	}
	var out bytes.Buffer
	if code := run([]string{"--version"}, &out, io.Discard); code != exitDone || !strings.HasPrefix(out.String(), "signalbox ") {
		t.Errorf("%d %q", code, out.String())
	}
	if code := run([]string{"--bad"}, io.Discard, io.Discard); code != exitUsage {
		t.Errorf("%d", code)
	}
}

// screenless is a desktop without a screen, a bus and a tray: what a server, or a broken session, has.
type screenless struct {
	*desktop
	t      *testing.T
	code   chan int
	opened chan *winlink.Line // a process of windows was started; its end of the line
	shown  chan showArgs
	fail   error  // the process cannot be started
	dies   bool   // it ends before it shows anything, as one without OpenGL does
	before func() // runs when the process is about to be started; nil: nothing
	hangs  bool   // its loop never runs
}

func startDesktop(t *testing.T) *screenless {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
	t.Setenv("PULSE_SERVER", "unix:/nonexistent/pulse")
	ctx, cancel := context.WithCancel(context.Background())
	k := newDesktop(options{home: t.TempDir(), listen: "127.0.0.1:0", hidden: true}, slog.New(slog.DiscardHandler), cancel)
	s := &screenless{desktop: k, t: t, code: make(chan int, 1), opened: make(chan *winlink.Line, 10), shown: make(chan showArgs, 10)}
	k.win = newWindows(k, s.open)
	started := make(chan struct{})
	go func() { s.code <- k.run(ctx, nil, io.Discard, func() { close(started) }) }()
	select {
	case <-started:
	case <-time.After(20 * time.Second):
		t.Fatal("the center did not start")
	}
	t.Cleanup(func() {
		cancel()
		select {
		case c := <-s.code:
			if c != exitDone {
				t.Errorf("exit code %d", c)
			}
		case <-time.After(20 * time.Second):
			t.Error("the app does not end")
		}
	})
	return s
}

// open plays the process of the windows.
func (s *screenless) open() (io.ReadWriteCloser, func() error, error) {
	if s.fail != nil {
		return nil, nil, s.fail
	}
	if s.before != nil {
		s.before()
	}
	here, there := net.Pipe()
	l := winlink.New(there)
	winlink.Handle(l, callShow, func(_ context.Context, a showArgs) (struct{}, error) {
		if s.dies {
			l.Close()
			return struct{}{}, nil
		}
		s.shown <- a
		return struct{}{}, nil
	})
	winlink.Handle(l, callMissing, func(context.Context, []ui.Missing) (struct{}, error) { return struct{}{}, nil })
	winlink.Handle(l, callQuit, func(context.Context, struct{}) (struct{}, error) { go l.Close(); return struct{}{}, nil })
	done := make(chan struct{})
	go func() { _ = l.Serve(context.Background()); close(done) }()
	if !s.hangs {
		go func() { _, _ = winlink.Call[struct{}](context.Background(), l, callReady, struct{}{}) }()
	}
	s.opened <- l
	return here, func() error { <-done; return nil }, nil
}

// Windows that do not come are given up, and the next wish starts others.
func TestWindowsThatHangAreGivenUp(t *testing.T) {
	s := startDesktop(t)
	s.hangs = true
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := s.show(ctx, wire.ViewRail, ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	select {
	case <-(<-s.opened).Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the windows stay")
	}
	s.hangs = false
	if err := s.show(t.Context(), wire.ViewRail, ""); err != nil {
		t.Error(err)
	}
}

// Windows that are started just when the app ends do not outlive it.
func TestNoWindowsAreLeftBehind(t *testing.T) {
	s := startDesktop(t)
	s.before = s.win.close
	if _, _, err := s.win.get(t.Context()); !errors.Is(err, errEnding) {
		t.Errorf("got %v", err)
	}
	select {
	case <-(<-s.opened).Done():
	case <-time.After(10 * time.Second):
		t.Error("the windows stay")
	}
}

func (s *screenless) client() *client.Client {
	s.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(10 * time.Second); ; {
		c, err := client.Discover(s.t.Context(), client.Environment{Dir: s.d.Dir, Getenv: func(string) string { return "" }})
		if err == nil {
			s.t.Cleanup(c.Close)
			return c
		}
		select {
		case <-tick.C: // the bridge writes its file when it serves, a moment after it listens
		case <-limit:
			s.t.Fatal(err)
		}
	}
}

func (s *screenless) publish(c notify.Content) *notify.Record {
	s.t.Helper()
	if _, ok := s.d.Center.Connection("c"); !ok {
		if _, err := s.d.Center.Do(s.t.Context(), notify.Owner, notify.CreateConnection{ID: "c", Label: "C", TokenHash: make([]byte, 32)}); err != nil {
			s.t.Fatal(err)
		}
	}
	r, err := s.d.Center.Do(s.t.Context(), notify.Producer("c"), notify.Publish{Connection: "c", Session: "s", Scope: notify.ScopeSession, Content: c})
	if err != nil {
		s.t.Fatal(err)
	}
	return r.Record
}

// becomes waits for the state of a record.
func (s *screenless) becomes(id string, what func(*notify.Record) bool) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 10*time.Second)
	defer cancel()
	feed, err := s.d.Center.Subscribe(-1)
	if err != nil {
		s.t.Fatal(err)
	}
	defer feed.Close()
	for {
		r, err := s.d.Center.Record(ctx, id)
		if err != nil {
			s.t.Fatal(err)
		}
		if what(r) {
			return
		}
		if _, err := feed.Next(ctx); err != nil {
			s.t.Fatalf("it did not happen: %s", r.Status)
		}
	}
}

func ask() notify.Content {
	return notify.Content{Kind: notify.KindInteraction, Title: "q", Interaction: &notify.Interaction{Kind: "permission", Prompt: "rm", Options: []notify.Option{{ID: "yes", Label: "Yes"}}}}
}

func TestClicks(t *testing.T) {
	// Proves: P4, D1, I7
	s := startDesktop(t)
	dismissed := func(r *notify.Record) bool { return r.Status == notify.Dismissed }

	r := s.publish(notify.Content{Title: "a"})
	s.command(tray.Command{Verb: tray.Dismiss, Seen: tray.Seen{ID: r.ID, Expect: r.Seen()}})
	s.becomes(r.ID, dismissed)

	r = s.publish(notify.Content{Title: "b"})
	if _, err := s.d.Center.Do(t.Context(), notify.Producer("c"), notify.Update{ID: r.ID, Changes: notify.Content{Title: "b2"}, Fields: []string{"title"}}); err != nil {
		t.Fatal(err)
	}
	s.act(toast.Act{Kind: toast.ActClosed, RecordID: r.ID, Revision: 1}) // of the revision before
	s.act(toast.Act{Kind: toast.ActClosed, RecordID: ""})                // of a summary
	other := s.publish(notify.Content{Title: "c"})
	s.command(tray.Command{Verb: tray.DismissAll, Items: []tray.Seen{{ID: other.ID, Expect: other.Seen()}}})
	s.becomes(other.ID, dismissed)
	s.becomes(r.ID, func(r *notify.Record) bool { return r.Status == notify.Pending })

	q := s.publish(ask())
	s.act(toast.Act{Kind: toast.ActClosed, RecordID: q.ID, Revision: 1})
	s.becomes(q.ID, func(r *notify.Record) bool { return r.Waiting() && !r.SetAsideUntil.IsZero() })
	s.command(tray.Command{Verb: tray.Answer, Seen: tray.Seen{ID: q.ID, Expect: q.Seen()}, Option: "yes"})
	s.becomes(q.ID, func(r *notify.Record) bool { return r.Outcome != nil && r.Outcome.Kind == notify.OutcomeAnswered })

	s.command(tray.Command{Verb: tray.Quit})
	select {
	case c := <-s.code:
		s.code <- c
	case <-time.After(20 * time.Second):
		t.Fatal("the app does not quit")
	}
}

func TestShow(t *testing.T) {
	// T15: a second start shows the window of the first and ends; nothing but a window is opened.
	s := startDesktop(t)
	s.act(toast.Act{Kind: toast.ActOpen, RecordID: "x"})
	if a := <-s.shown; a.Notification != "x" || len(a.Missing) < 2 {
		t.Errorf("%+v", a)
	}
	var stderr bytes.Buffer
	second := newDesktop(options{home: s.d.Dir, listen: "127.0.0.1:0"}, slog.New(slog.DiscardHandler), func() {})
	second.win = newWindows(second, func() (io.ReadWriteCloser, func() error, error) { panic("a second window") })
	if code := second.run(t.Context(), nil, &stderr, nil); code != exitDone {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	if a := <-s.shown; a.View != wire.ViewRail {
		t.Errorf("%+v", a)
	}
	if len(s.opened) != 1 {
		t.Errorf("%d processes of windows", len(s.opened))
	}

	// It is looked at, then closed; the next wish starts another.
	l := <-s.opened
	if _, err := winlink.Call[struct{}](t.Context(), l, callLooking, true); err != nil || !s.win.isLooking() {
		t.Errorf("%v, looking %v", err, s.win.isLooking())
	}
	l.Close()
	if err := s.client().Show(t.Context(), wire.Show{View: wire.ViewHistory}); err != nil {
		t.Fatal(err)
	}
	if a := <-s.shown; a.View != wire.ViewHistory {
		t.Errorf("%+v", a)
	}
	if len(s.opened) != 1 || s.win.isLooking() {
		t.Errorf("%d processes, looking %v", len(s.opened), s.win.isLooking())
	}
}

func TestNoWindowIsNoEnd(t *testing.T) {
	// T48, T57: without a bus, a tray, a notification service and OpenGL the center runs, and says so.
	s := startDesktop(t)
	for _, broken := range []func(){func() { s.fail = errors.New("no such program") }, func() { s.fail, s.dies = nil, true }} {
		broken()
		err := s.client().Show(t.Context(), wire.Show{})
		if client.Code(err) != string(notify.CodeUnavailable) {
			t.Errorf("got %v", err)
		}
		if s.problem() == "" {
			t.Error("nobody is told")
		}
	}
	s.publish(notify.Content{Title: "it works"})
	var parts []string
	for _, m := range s.missing() {
		parts = append(parts, m.Part)
	}
	if got := strings.Join(parts, " "); got != "tray notifications" {
		t.Errorf("missing: %s", got)
	}
	s.dies = false
	if err := s.client().Show(t.Context(), wire.Show{}); err != nil || s.problem() != "" {
		t.Errorf("%v, %q", err, s.problem())
	}
}

func TestBackstage(t *testing.T) {
	s := startDesktop(t)
	if err := s.client().Show(t.Context(), wire.Show{}); err != nil {
		t.Fatal(err)
	}
	l := <-s.opened
	p := &room{line: l}
	a, err := winlink.Call[about](t.Context(), l, callAbout, struct{}{})
	if err != nil || a.Home != s.d.Dir || !strings.Contains(strings.Join(a.Providers, " "), "toast") {
		t.Fatalf("%+v %v", a, err)
	}
	o := p.options(winlink.Port{Line: l}, a)
	r := s.publish(ask())
	rows, err := o.Deliveries(t.Context(), r.ID)
	if err != nil || len(rows) == 0 {
		t.Errorf("%v %v", rows, err)
	}
	if err := o.TestNotification(t.Context(), "toast"); err == nil {
		t.Error("a toast without a bus arrived")
	}
	facts := o.Doctor(t.Context())
	b, _ := json.Marshal(facts)
	for _, want := range []string{`"store"`, `"bridge"`, `"tray"`, `"notifications"`} {
		if !bytes.Contains(b, []byte(want)) {
			t.Errorf("the doctor says nothing of %s", want)
		}
	}
	if where, err := o.Backup(t.Context()); err != nil || where == "" {
		t.Errorf("%q %v", where, err)
	}
	if _, err := o.Agents(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTrayInput(t *testing.T) {
	// Proves: P5
	s := startDesktop(t)
	s.publish(notify.Content{Title: "a"})
	s.publish(ask())
	in, next := s.trayInput(t.Context())
	if len(in.Items) != 2 || in.Counts.Waiting != 1 || in.Connections["c"] == nil || next != trayAge {
		t.Errorf("%d items, %+v, %v", len(in.Items), in.Counts, next)
	}
}

func TestReadFile(t *testing.T) {
	// Proves: S4
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := readFile(file, 5); err != nil || string(b) != "12345" {
		t.Errorf("%q %v", b, err)
	}
	if _, err := readFile(file, 4); err == nil {
		t.Error("a file that is too long was read")
	}
	if _, err := readFile(filepath.Dir(file), 4); err == nil {
		t.Error("a folder was read")
	}
}
