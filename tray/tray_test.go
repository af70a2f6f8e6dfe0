package tray

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	// Each line of the real tray has a goroutine for as long as the process runs, and so has its bus.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("signalbox/tray.waitFor.func1"),
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.(*Conn).inWorker"), goleak.IgnoreAnyFunction("fyne.io/systray.stayRegistered"),
		goleak.IgnoreAnyFunction("github.com/godbus/dbus/v5.newConn.func1"))
}

// screen is a backend that remembers.
type screen struct {
	mu      sync.Mutex // protects what follows
	lines   []*screenLine
	iconSet string
	tips    []string
	calls   int
	dead    bool // every call panics, as the library does without its bus

	openings chan struct{}
	tapped   func()
}

type screenLine struct {
	s       *screen
	title   string
	visible bool
	click   func()
}

func (s *screen) call() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dead {
		panic("dbus: connection closed by user")
	}
	s.calls++
}

func (s *screen) add(click func()) item {
	s.call()
	l := &screenLine{s: s, click: click, visible: true}
	s.lines = append(s.lines, l)
	return l
}
func (s *screen) under(_ item, click func()) item { return s.add(click) }
func (s *screen) separator()                      { s.call() }
func (s *screen) icon(b []byte)                   { s.call(); s.iconSet = string(b) }
func (s *screen) tooltip(t string)                { s.call(); s.tips = append(s.tips, t) }
func (s *screen) title(string)                    { s.call() }
func (s *screen) opened() <-chan struct{}         { return s.openings }
func (s *screen) onTapped(f func())               { s.tapped = f }

func (l *screenLine) SetTitle(t string) { l.s.call(); l.title = t }
func (l *screenLine) Show()             { l.s.call(); l.visible = true }
func (l *screenLine) Hide()             { l.s.call(); l.visible = false }
func (l *screenLine) Enable()           { l.s.call() }
func (l *screenLine) Disable()          { l.s.call() }

func start(t *testing.T) (*Tray, *screen, *[]Command) {
	var got []Command
	s := &screen{openings: make(chan struct{})}
	tr := New(Options{OnCommand: func(c Command) { got = append(got, c) }, Icon: func(state string) []byte { return []byte(state) }})
	tr.back = s
	tr.beforeStart()
	tr.make()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); tr.pump(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return tr, s, &got
}

// pause lets time pass, and what comes due in it be done.
func pause(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// itemLine is the first line of the first slot.
const itemLine, dismissLine = 1, 1 + 3 + SlotOptions

func TestClickActsOnWhatWasShown(t *testing.T) {
	// Proves: P4, D1
	synctest.Test(t, func(t *testing.T) {
		tr, s, got := start(t)
		a := notice("a", "A", 0)
		tr.Update(Model(input(a)))
		pause(time.Second)
		s.lines[dismissLine].click()
		if len(*got) != 1 || (*got)[0].ID != "a" || (*got)[0].Expect.Revision != 1 {
			t.Fatalf("got %+v", *got)
		}
		if s.iconSet != "1" || !s.lines[itemLine].visible {
			t.Errorf("icon %s", s.iconSet)
		}

		// T55: the item is replaced by another; a click in the same moment was meant for the old one.
		tr.Update(Model(input(notice("b", "B", 0))))
		pause(MinGap)
		s.lines[dismissLine].click()
		if len(*got) != 1 {
			t.Fatalf("the wrong item was hit: %+v", *got)
		}
		pause(Settle)
		s.lines[dismissLine].click()
		if len(*got) != 2 || (*got)[1].ID != "b" {
			t.Fatalf("got %+v", *got)
		}
		s.tapped()
		if (*got)[2].Verb != ShowWindow {
			t.Errorf("got %+v", *got)
		}
	})
}

// The question changed under the line that allows it: a click in the same moment was meant for the old one. What
// dismisses is bound to its revision by the center (D1), and stays live.
//
// Proves: P4, I4
func TestAClickIsNoAnswerToWhatWasAskedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, s, got := start(t)
		const allow = itemLine + 2
		tr.Update(Model(input(asks("a", "ls", 0))))
		pause(time.Second)
		r2 := asks("a", "rm -rf .", 0)
		r2.Revision = 2
		tr.Update(Model(input(r2)))
		pause(MinGap)
		s.lines[allow].click()
		if len(*got) != 0 {
			t.Fatalf("answered: %+v", *got)
		}
		pause(Settle)
		s.lines[allow].click()
		if len(*got) != 1 || (*got)[0].Verb != Answer || (*got)[0].Expect.Revision != 2 {
			t.Fatalf("got %+v", *got)
		}
		n := notice("n", "N", 0)
		tr.Update(Model(input(n)))
		pause(2 * time.Second)
		n2 := notice("n", "N changed", 0)
		n2.Revision = 2
		tr.Update(Model(input(n2)))
		pause(MinGap)
		s.lines[dismissLine].click()
		if len(*got) != 2 || (*got)[1].Verb != Dismiss {
			t.Fatalf("a progress could not be dismissed while it moves: %+v", *got)
		}
	})
}

func TestOpenMenuIsLeftAlone(t *testing.T) {
	// Proves: P4
	synctest.Test(t, func(t *testing.T) {
		tr, s, got := start(t)
		tr.Update(Model(input(notice("a", "A", 0))))
		pause(time.Second)
		s.openings <- struct{}{}
		r2 := notice("a", "A changed", 0)
		r2.Revision = 2
		tr.Update(Model(input(notice("b", "B", -time.Minute), r2)))
		pause(2 * time.Second)
		if s.iconSet != "2" {
			t.Errorf("the icon waits for the menu: %s", s.iconSet)
		}
		s.lines[dismissLine].click()
		if len(*got) != 1 || (*got)[0].ID != "a" || (*got)[0].Expect.Revision != 1 {
			t.Fatalf("got %+v, want what the menu showed", *got)
		}
		pause(OpenFor + time.Second)
		s.lines[dismissLine].click()
		if len(*got) != 2 || (*got)[1].ID != "b" {
			t.Fatalf("after it closed: %+v", *got)
		}

		// A menu that closes without a word is brought up to date after a while.
		s.openings <- struct{}{}
		tr.Update(Model(input(notice("c", "C", 0))))
		pause(OpenFor + time.Second)
		if s.lines[itemLine].title != Model(input(notice("c", "C", 0))).Slots[0].Item.Title {
			t.Errorf("still %q", s.lines[itemLine].title)
		}
	})
}

func TestBurstIsCoalesced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tr, s, _ := start(t)
		for i := range 1000 {
			tr.Update(Model(input(notice("a", fmt.Sprint(i), 0))))
			pause(time.Millisecond)
		}
		pause(time.Second)
		if n := s.calls; n > 250 {
			t.Errorf("%d calls", n)
		}
		before := s.calls
		tr.Update(Model(input(notice("a", "999", 0))))
		pause(time.Second)
		if s.calls != before {
			t.Error("an equal menu was drawn again")
		}
	})
}

func TestLostBus(t *testing.T) {
	// T48: the library panics; the driver goes on, and draws everything when it is started again.
	synctest.Test(t, func(t *testing.T) {
		tr, s, _ := start(t)
		tr.Update(Model(input(notice("a", "A", 0))))
		pause(time.Second)
		s.mu.Lock()
		s.dead = true
		s.mu.Unlock()
		tr.Update(Model(input(notice("a", "A", 0), notice("b", "B", 0))))
		pause(time.Second)
		s.mu.Lock()
		s.dead = false
		s.mu.Unlock()
		tr.redraw()
		pause(time.Second)
		if s.iconSet != "2" {
			t.Errorf("icon %s", s.iconSet)
		}
		m := Model(input(notice("a", "A", 0), notice("b", "B", 0)))
		for i, l := range m.flat() {
			if l.Visible && s.lines[i].title != l.Title {
				t.Errorf("line %d is %q, want %q", i, s.lines[i].title, l.Title)
			}
		}
	})
}

func TestSafely(t *testing.T) {
	if err := safely(func() { panic("nil connection") }); err == nil {
		t.Error("no error")
	}
	if err := safely(func() {}); err != nil {
		t.Error(err)
	}
}
