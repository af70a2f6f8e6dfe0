package tray

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// The pace of the driver.
const (
	// MinGap is the time between two updates of the menu.
	MinGap = 500 * time.Millisecond
	// Settle is how long a line does nothing after it came to mean another item: nobody can have read
	// the new text and clicked it so soon.
	Settle = 700 * time.Millisecond
	// OpenFor is how long an opened menu is left as it is. Hosts tell when a menu opens and not all of
	// them when it closes; a click ends it earlier.
	OpenFor = 15 * time.Second
)

// Options configure a Tray.
type Options struct {
	// OnCommand gets every click. It must return quickly.
	OnCommand func(Command)
	// OnStatus hears when the tray becomes available or is lost; it must return quickly. May be nil.
	OnStatus func(Status)
	// Icon returns the bytes of an icon state for this system.
	Icon func(state string) []byte
	// Address of the message bus to probe on Linux; empty: the session's. The tray itself always uses
	// the session's.
	Address string
	Now     func() time.Time // nil: time.Now
	Logger  *slog.Logger     // nil: none
}

// Status says whether the owner can see the tray. Its zero value says that it is not known yet.
type Status struct {
	Available bool
	Problem   string // in plain words; empty when available
}

// item is one line as a backend knows it.
type item interface {
	SetTitle(string)
	Show()
	Hide()
	Enable()
	Disable()
}

// backend is what puts lines on the screen. Its methods may panic; the driver recovers.
type backend interface {
	// add makes a line at the end; click is called for every click on it.
	add(click func()) item
	// under makes a line in the submenu of another.
	under(parent item, click func()) item
	separator()
	icon([]byte)
	tooltip(string)
	title(string)
	// opened and tapped tell of the menu being opened, and of the icon being clicked.
	opened() <-chan struct{}
	onTapped(func())
}

// Tray keeps the system's tray as the newest Menu says.
type Tray struct {
	opt  Options
	back backend

	wake chan struct{}

	lines []*boundLine // made once; what they mean is protected by mu

	mu     sync.Mutex // protects what follows
	menu   Menu       // the newest
	have   bool
	made   bool
	drawn  drawn
	opened time.Time // zero: not open, as far as we know
	status Status
	lost   bool // a call panicked since the last status
}

// drawn is what is on the screen apart from the lines.
type drawn struct{ icon, tooltip string }

// boundLine is a line of the menu and what it means. Command is a snapshot: it changes together with
// the text, never by itself.
type boundLine struct {
	item    item
	title   string
	visible bool
	enabled bool
	command Command
	since   time.Time // when it came to mean another item
	stale   bool      // the screen may show something else: say everything again
}

// New returns a Tray that does nothing until it is started.
func New(opt Options) *Tray {
	t := &Tray{opt: opt, wake: make(chan struct{}, 1)}
	if t.opt.Logger == nil {
		t.opt.Logger = slog.New(slog.DiscardHandler)
	}
	if t.opt.OnStatus == nil {
		t.opt.OnStatus = func(Status) {}
	}
	if t.opt.Now == nil {
		t.opt.Now = time.Now
	}
	t.back = systrayBackend{}
	return t
}

// Update makes m what the tray shows, soon: at most two changes a second reach the screen.
func (t *Tray) Update(m Menu) {
	t.mu.Lock()
	t.menu, t.have = m, true
	t.mu.Unlock()
	t.poke()
}

func (t *Tray) poke() {
	select {
	case t.wake <- struct{}{}:
	default:
	}
}

// Status says whether the owner can see the tray.
func (t *Tray) Status() Status {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.status
}

func (t *Tray) setStatus(s Status) {
	t.mu.Lock()
	changed := t.status != s
	t.status = s
	t.mu.Unlock()
	if changed {
		t.opt.Logger.Info("tray", "available", s.Available, "problem", s.Problem)
		t.opt.OnStatus(s)
	}
}

// pump applies updates until ctx ends.
func (t *Tray) pump(ctx context.Context) {
	gap := time.NewTimer(0)
	defer gap.Stop()
	<-gap.C
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.back.opened():
			t.open()
			continue
		case <-t.wake:
		}
		wait := t.apply(t.opt.Now())
		if wait < MinGap {
			wait = MinGap
		} else {
			t.poke() // what was left out while the menu is open
		}
		gap.Reset(wait)
		for paused := true; paused; {
			select {
			case <-ctx.Done():
				return
			case <-t.back.opened():
				t.open()
			case <-gap.C:
				paused = false
			}
		}
	}
}

// open notes that the menu was opened.
func (t *Tray) open() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.opened = t.opt.Now()
}

// make creates the lines, once.
func (t *Tray) make() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.made {
		return
	}
	t.made = true
	keep := func(place func(click func()) item) {
		b := &boundLine{enabled: true}
		b.item = place(func() { t.clicked(b) })
		b.item.Hide()
		t.lines = append(t.lines, b)
	}
	add := func() { keep(t.back.add) }
	add() // head
	t.back.separator()
	for i := range Slots {
		add()
		own := t.lines[len(t.lines)-1].item
		for range 3 + SlotOptions {
			if i == 0 {
				add()
			} else {
				keep(func(click func()) item { return t.back.under(own, click) })
			}
		}
	}
	add() // more
	t.back.separator()
	add() // open
	add() // do not disturb
	quiet := t.lines[len(t.lines)-1].item
	for range len(Menu{}.Quiet) {
		keep(func(click func()) item { return t.back.under(quiet, click) })
	}
	for range 4 {
		add() // do not disturb off, dismiss all, history, settings
	}
	t.back.separator()
	add() // quit
}

// beforeStart sets what must be known when the icon appears: whether a click on it is for us, and its
// name, under which desktops remember whether to show it.
func (t *Tray) beforeStart() {
	t.back.onTapped(func() { t.opt.OnCommand(Command{Verb: ShowWindow}) })
	t.back.title(title)
}

// flat lists the lines of m in the order in which make created them.
func (m *Menu) flat() []Line {
	lines := []Line{m.Head}
	for _, s := range m.Slots {
		lines = append(lines, s.Item, s.Detail)
		lines = append(lines, s.Options[:]...)
		lines = append(lines, s.Read, s.Dismiss)
	}
	lines = append(lines, m.More, m.Open, m.QuietMenu)
	lines = append(lines, m.Quiet[:]...)
	return append(lines, m.QuietOff, m.DismissAll, m.History, m.Settings, m.Quit)
}

// apply puts the newest menu on the screen, and says in how long to come back for what had to wait
// because the menu is open; 0: nothing had to. Only pump calls it. The system is never called with mu
// held, so that a bus that hangs stops the tray and nothing else.
func (t *Tray) apply(now time.Time) time.Duration {
	t.mu.Lock()
	m, ok, before := t.menu, t.have && t.made, t.drawn
	var wait time.Duration
	if !t.opened.IsZero() {
		if wait = t.opened.Add(OpenFor).Sub(now); wait <= 0 {
			wait, t.opened = 0, time.Time{}
		}
	}
	if !ok {
		t.mu.Unlock()
		return 0
	}
	t.drawn = drawn{m.Icon, m.Tooltip}
	t.mu.Unlock()
	if m.Icon != before.icon {
		t.guard(func() { t.back.icon(t.opt.Icon(m.Icon)) })
	}
	if m.Tooltip != before.tooltip {
		t.guard(func() { t.back.tooltip(m.Tooltip) })
	}
	if wait > 0 {
		return wait
	}
	for i, l := range m.flat() {
		b := t.lines[i]
		t.mu.Lock()
		steps := b.set(l, now)
		t.mu.Unlock()
		for _, step := range steps {
			t.guard(step)
		}
	}
	return 0
}

// set notes what l means and returns the calls that make it visible. Callers hold mu.
func (b *boundLine) set(l Line, now time.Time) []func() {
	if b.visible && another(b.command, l.Command) {
		b.since = now
	}
	b.command = l.Command
	var steps []func()
	stale := b.stale
	b.stale = false
	if l.Visible && (stale || l.Title != b.title) {
		b.title = l.Title
		steps = append(steps, func() { b.item.SetTitle(l.Title) })
	}
	if stale || l.Enabled != b.enabled {
		b.enabled = l.Enabled
		if l.Enabled {
			steps = append(steps, b.item.Enable)
		} else {
			steps = append(steps, b.item.Disable)
		}
	}
	if stale || l.Visible != b.visible {
		b.visible = l.Visible
		if l.Visible {
			steps = append(steps, b.item.Show)
		} else {
			steps = append(steps, b.item.Hide)
		}
	}
	return steps
}

// another reports whether a click on b means something else than one on a. An answer is to one revision of a question
// alone; what is dismissed is the same item however often it moves on, and the center checks its revision.
func another(a, b Command) bool {
	if a.ID != b.ID || a.Verb != b.Verb || a.Option != b.Option {
		return true
	}
	return a.Verb == Answer && (a.Expect != b.Expect)
}

func (t *Tray) clicked(b *boundLine) {
	t.mu.Lock()
	t.opened = time.Time{}
	c := b.command
	live := b.visible && b.enabled && c.Verb != "" && (c.ID == "" || t.opt.Now().Sub(b.since) >= Settle)
	t.mu.Unlock()
	t.poke()
	if live {
		t.opt.OnCommand(c)
	}
}

// redraw puts everything on the screen again, after a new start on another connection.
func (t *Tray) redraw() {
	t.mu.Lock()
	t.drawn, t.lost = drawn{}, false
	for _, b := range t.lines {
		b.stale = true
	}
	t.mu.Unlock()
	t.poke()
}

// guard runs f, which talks to the system: the library panics when the bus is gone.
func (t *Tray) guard(f func()) {
	if err := safely(f); err != nil {
		t.mu.Lock()
		again := t.lost
		t.lost = true
		t.mu.Unlock()
		if !again {
			t.opt.Logger.Warn("the tray was lost", "cause", err)
		}
	}
}
