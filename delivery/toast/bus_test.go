//go:build unix

package toast

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"go.uber.org/goleak"

	"signalbox/delivery/toast/bustest"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m)
}

type rig struct {
	*Bus
	t      *testing.T
	events chan Event
	avail  chan bool
	clock  *clock
}

// clock is moved by hand; only what compares instants uses it, not the limits of calls.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time { c.mu.Lock(); defer c.mu.Unlock(); return c.now }
func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func serve(t *testing.T, bus *bustest.Bus, change func(*Options)) *rig {
	t.Helper()
	r := &rig{t: t, events: make(chan Event, 100), avail: make(chan bool, 100), clock: &clock{now: time.Unix(1e9, 0)}}
	opt := Options{
		Address: bus.Address, AppName: "Signalbox", Limit: 300 * time.Millisecond, Now: r.clock.Now,
		OnEvent:     func(e Event) { r.events <- e },
		OnAvailable: func(up bool) { r.avail <- up },
		Logger:      slog.New(slog.NewTextHandler(io.Discard, nil)),
	}
	if change != nil {
		change(&opt)
	}
	r.Bus = NewBus(opt)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = r.Serve(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return r
}

func (r *rig) show(t Toast) error {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 3*time.Second)
	defer cancel()
	return r.Show(ctx, t)
}

func (r *rig) mustShow(t Toast) {
	r.t.Helper()
	if err := r.show(t); err != nil {
		r.t.Fatalf("show %s/%d: %v", t.Key, t.Revision, err)
	}
}

func next[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(5 * time.Second):
		t.Fatalf("no %s came", what)
		panic("unreachable")
	}
}

// nothing holds that no event came of the signals sent so far: a further toast's event is the next.
func (r *rig) nothing(d *bustest.Daemon) {
	r.t.Helper()
	r.mustShow(Toast{Key: "fence", Revision: 7, Title: "fence"})
	for {
		c := next(r.t, d.Calls, "call")
		if c.Summary == "fence" {
			d.Close(c.ID, 2)
			break
		}
	}
	if e := next(r.t, r.events, "event"); e.Key != "fence" {
		r.t.Fatalf("got %+v, want none", e)
	}
}

func TestShowReplaceWithdraw(t *testing.T) {
	// Proves: A9, D1
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{Caps: []string{"actions", "body", "body-markup"}}).Start(t, bus)
	r := serve(t, bus, nil)
	r.mustShow(Toast{Key: "a", Revision: 1, Title: "-one & <b>", Body: "a < b && c", Urgency: Critical, Sticky: true,
		Actions: []Action{{Key: ActionOpen, Label: "Open"}, {Key: ActionDismiss, Label: "Dis_miss & go"}}})
	c := next(t, d.Calls, "call")
	if c.Replaces != 0 || c.Summary != "-one & <b>" || c.Body != "a &lt; b &amp;&amp; c" || c.Expire != 0 {
		t.Fatalf("got %+v", c)
	}
	if u, _ := c.Hints["urgency"].Value().(byte); u != 2 {
		t.Errorf("urgency %v", c.Hints["urgency"])
	}
	if got := c.Actions[3]; got != "Dis miss + go" {
		t.Errorf("label %q", got)
	}
	r.mustShow(Toast{Key: "a", Revision: 2, Title: "two"})
	if c2 := next(t, d.Calls, "call"); c2.Replaces != c.ID {
		t.Fatalf("revision 2 replaces %d, want %d", c2.Replaces, c.ID)
	}
	r.mustShow(Toast{Key: "b", Revision: 1, Title: "other"})
	next(t, d.Calls, "call")
	if err := r.Withdraw(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if id := next(t, d.Closed, "close"); id != c.ID {
		t.Fatalf("closed %d, want %d", id, c.ID)
	}
	if err := r.Withdraw(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if d.Asked() != 1 {
		t.Errorf("capabilities asked %d times, want 1", d.Asked())
	}
	if s := r.Status(); !s.Available || s.Server != "bustest 1" {
		t.Errorf("status %+v", s)
	}
	r.nothing(d) // a close that we asked for dismisses nothing
}

func TestNoCapabilities(t *testing.T) {
	// T53: the same visible text with and without markup; no buttons where none are understood.
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{}).Start(t, bus)
	r := serve(t, bus, nil)
	r.mustShow(Toast{Key: "a", Title: "x", Body: "a < b && c", Actions: []Action{{Key: ActionOpen, Label: "Open"}}})
	if c := next(t, d.Calls, "call"); c.Body != "a < b && c" || len(c.Actions) != 0 {
		t.Fatalf("got %+v", c)
	}
}

func TestOwnerActs(t *testing.T) {
	// Proves: D1, S4
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{Caps: []string{"actions", "body"}}).Start(t, bus)
	r := serve(t, bus, nil)
	toast := Toast{Key: "a", Revision: 3, Title: "t", Actions: []Action{{Key: "option:yes", Label: "Allow", Decides: true}}}
	show := func() uint32 { t.Helper(); r.mustShow(toast); return next(t, d.Calls, "call").ID }

	id := show()
	d.Close(id, 1) // expired: nothing
	d.Close(id, 2) // and what comes after is unknown
	r.nothing(d)

	id = show()
	d.Close(id, 2)
	d.Close(id, 2) // some daemons say it twice
	if e := next(t, r.events, "event"); e != (Event{Kind: ClosedByOwner, Key: "a", Revision: 3}) {
		t.Fatalf("got %+v", e)
	}
	r.nothing(d)

	id = show()
	d.Invoke(id+1000, "option:yes") // of another program
	r.clock.Add(InertFor)
	d.Invoke(id, "option:yes")
	d.Invoke(id, "option:yes")
	d.Close(id, 2) // the echo of the action, not a dismissal
	if e := next(t, r.events, "event"); e != (Event{Kind: Invoked, Key: "a", Revision: 3, Action: "option:yes"}) {
		t.Fatalf("got %+v", e)
	}
	r.nothing(d)

	id = show()
	r.clock.Add(InertFor - time.Millisecond)
	d.Invoke(id, "option:yes") // under the pointer as it appeared
	if e := next(t, r.events, "event"); e.Action != ActionOpen {
		t.Fatalf("too early, got %+v", e)
	}
}

func TestForeignSignals(t *testing.T) {
	// Signals of another program on the bus, with an id of ours, mean nothing.
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{Caps: []string{"actions"}}).Start(t, bus)
	r := serve(t, bus, nil)
	r.mustShow(Toast{Key: "a", Revision: 1, Title: "t"})
	id := next(t, d.Calls, "call").ID
	conn, err := dbus.Connect(bus.Address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.Emit(busPath, busName+".NotificationClosed", id, uint32(2))
	_ = conn.BusObject().Call(dbusSvc+".GetId", 0) // ordered after the signal
	r.nothing(d)
}

func TestReusedID(t *testing.T) {
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{FixedID: 1}).Start(t, bus)
	r := serve(t, bus, nil)
	r.mustShow(Toast{Key: "a", Revision: 1, Title: "a"})
	r.mustShow(Toast{Key: "b", Revision: 5, Title: "b"})
	d.Close(1, 2)
	if e := next(t, r.events, "event"); e.Key != "b" || e.Revision != 5 {
		t.Fatalf("got %+v", e)
	}
}

func TestHungDaemon(t *testing.T) {
	// Proves: A12
	// T50: the call fails within its limit, others do not wait for it in turn, and what the daemon
	// shows when it wakes is not shown a second time.
	bus := bustest.StartBus(t)
	hold := make(chan struct{})
	d := (&bustest.Daemon{Hold: hold}).Start(t, bus)
	r := serve(t, bus, nil)
	begin := time.Now()
	if err := r.show(Toast{Key: "a", Revision: 1, Title: "a"}); !errors.Is(err, ErrHung) {
		t.Fatalf("got %v", err)
	}
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
	begin = time.Now()
	for i := range 20 {
		if err := r.show(Toast{Key: strconv.Itoa(i), Title: "x"}); !errors.Is(err, ErrHung) {
			t.Fatalf("got %v", err)
		}
	}
	if took := time.Since(begin); took > time.Second {
		t.Errorf("20 toasts to a hung daemon took %v", took)
	}
	if r.Status().Available {
		t.Error("a hung daemon counts as available")
	}
	next(t, d.Calls, "call")
	r.clock.Add(time.Minute)
	if err := r.show(Toast{Key: "a", Revision: 1, Title: "a"}); !errors.Is(err, ErrHung) {
		t.Fatalf("a second call for the same item: %v", err)
	}
	next(t, r.avail, "available")
	close(hold)
	for !next(t, r.avail, "available again") {
	}
	r.mustShow(Toast{Key: "a", Revision: 1, Title: "a"})
	r.mustShow(Toast{Key: "c", Revision: 1, Title: "c"})
	if c := next(t, d.Calls, "call"); c.Summary != "c" {
		t.Fatalf("shown again: %+v", c)
	}
	r.mustShow(Toast{Key: "a", Revision: 2, Title: "a2"})
	if c := next(t, d.Calls, "call"); c.Replaces != 1 {
		t.Fatalf("the late toast is not replaced: %+v", c)
	}
}

func TestWithdrawnWhileHung(t *testing.T) {
	// Proves: A9
	bus := bustest.StartBus(t)
	hold := make(chan struct{})
	d := (&bustest.Daemon{Hold: hold}).Start(t, bus)
	r := serve(t, bus, nil)
	_ = r.show(Toast{Key: "a", Revision: 1, Title: "a"})
	if err := r.Withdraw(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	close(hold)
	if id := next(t, d.Closed, "close"); id != 1 {
		t.Fatalf("closed %d", id)
	}
}

// What appeared late and was taken back is shown again when it is told again.
func TestShownAgainAfterALateAnswer(t *testing.T) {
	// Proves: I7
	bus := bustest.StartBus(t)
	hold := make(chan struct{})
	d := (&bustest.Daemon{Hold: hold}).Start(t, bus)
	r := serve(t, bus, nil)
	toast := Toast{Key: "a", Revision: 1, Title: "a"}
	if err := r.show(toast); !errors.Is(err, ErrHung) {
		t.Fatalf("got %v", err)
	}
	next(t, d.Calls, "call")
	next(t, r.avail, "available")
	close(hold)
	for !next(t, r.avail, "available again") {
	}
	if err := r.Withdraw(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	next(t, d.Closed, "close")
	r.mustShow(toast)
	if c := next(t, d.Calls, "call"); c.Summary != "a" {
		t.Fatalf("got %+v", c)
	}
}

func TestDaemonDiesMidCallAndRestarts(t *testing.T) {
	// T51: its ids are forgotten, the failed toast can be tried again at once.
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{}).Start(t, bus)
	r := serve(t, bus, nil)
	r.mustShow(Toast{Key: "a", Revision: 1, Title: "a"})
	if !next(t, r.avail, "available") {
		t.Fatal("not available")
	}
	d.DieNext()
	if err := r.show(Toast{Key: "b", Revision: 1, Title: "b"}); !errors.Is(err, ErrNoDaemon) {
		t.Fatalf("got %v", err)
	}
	if next(t, r.avail, "gone") {
		t.Fatal("still available")
	}
	if err := r.show(Toast{Key: "b", Revision: 1, Title: "b"}); !errors.Is(err, ErrNoDaemon) {
		t.Fatalf("without a daemon: %v", err)
	}
	d2 := (&bustest.Daemon{Caps: []string{"body-markup"}}).Start(t, bus)
	if !next(t, r.avail, "available") {
		t.Fatal("not available again")
	}
	r.mustShow(Toast{Key: "a", Revision: 2, Title: "a", Body: "<"})
	if c := next(t, d2.Calls, "call"); c.Replaces != 0 || c.Body != "&lt;" {
		t.Fatalf("old id or old capabilities used: %+v", c)
	}
}

func TestRefused(t *testing.T) {
	bus := bustest.StartBus(t)
	(&bustest.Daemon{Refuse: true}).Start(t, bus)
	r := serve(t, bus, nil)
	if err := r.show(Toast{Key: "a", Title: "a"}); !errors.Is(err, ErrRefused) {
		t.Fatalf("got %v", err)
	}
}

func TestNoDaemonFallback(t *testing.T) {
	bus := bustest.StartBus(t)
	shown := make(chan string, 1)
	r := serve(t, bus, func(o *Options) {
		o.Fallback = func(title, body string) error { shown <- title + "|" + body; return nil }
	})
	r.mustShow(Toast{Key: "a", Title: "--help", Body: "$(calc)"})
	if got := next(t, shown, "fallback"); got != "\u2010-help|$(calc)" {
		t.Fatalf("got %q", got)
	}
}

func TestNothingIsMissingBeforeItWasLookedFor(t *testing.T) {
	if s := NewBus(Options{}).Status(); s.Available || s.Problem != "" {
		t.Errorf("status %+v", s)
	}
}

func TestNoBusThenNone(t *testing.T) {
	// T48: no bus is a failed toast, not a stop; none is launched.
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{}).Start(t, bus)
	r := serve(t, bus, nil)
	r.mustShow(Toast{Key: "a", Title: "a"})
	next(t, d.Calls, "call")
	next(t, r.avail, "available")
	bus.Kill()
	if next(t, r.avail, "gone") {
		t.Fatal("available without a bus")
	}
	if err := r.show(Toast{Key: "a", Title: "a"}); !errors.Is(err, ErrNoBus) {
		t.Fatalf("got %v", err)
	}
	if s := r.Status(); s.Available || s.Problem != ErrNoBus.Error() {
		t.Errorf("status %+v", s)
	}
}

func TestEnd(t *testing.T) {
	// Buttons that would lead nowhere are taken off the screen with the app.
	bus := bustest.StartBus(t)
	d := (&bustest.Daemon{}).Start(t, bus)
	b := NewBus(Options{Address: bus.Address})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = b.Serve(ctx) }()
	if err := b.Show(t.Context(), Toast{Key: "a", Title: "a"}); err != nil {
		t.Fatal(err)
	}
	cancel()
	<-done
	if id := next(t, d.Closed, "close"); id != 1 {
		t.Errorf("closed %d", id)
	}
	if err := b.Show(t.Context(), Toast{Key: "a"}); !errors.Is(err, ErrStopped) {
		t.Errorf("after the end: %v", err)
	}
}

func TestThousandToasts(t *testing.T) {
	// T52: a thousand toasts leave a bounded number on the screen and in the books.
	bus := bustest.StartBus(t)
	(&bustest.Daemon{}).Start(t, bus)
	r := serve(t, bus, nil)
	for i := range 1000 {
		r.mustShow(Toast{Key: strconv.Itoa(i), Title: "t"})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.byID) > 15 || len(r.byKey) > 15 || len(r.late) != 0 {
		t.Errorf("%d ids, %d keys, %d late", len(r.byID), len(r.byKey), len(r.late))
	}
}
