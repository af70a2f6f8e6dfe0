package ui

import (
	"context"
	"io"
	"slices"
	"time"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// Port is the center as the windows need it. Its values are shared and never modified. It may be slow, silent or gone:
// then a method returns an error, never an empty value, and none is called on the main goroutine.
type Port interface {
	Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error)
	Record(ctx context.Context, id string) (*notify.Record, error)
	Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error)
	Rail(ctx context.Context, focus notify.SessionRef) (notify.Rail, error)
	Attention(ctx context.Context) (notify.Attention, error)
	Connections(ctx context.Context) ([]notify.ConnectionView, error)
	Sessions(ctx context.Context, connection string) ([]notify.SessionView, error)
	Settings(ctx context.Context) (notify.Settings, error)
}

// Feed is the ordered sequence of changes. Any error but that of ctx means: reload, and subscribe anew
// unless the next call goes on.
type Feed interface {
	Next(ctx context.Context) (notify.Change, error)
	Close()
}

// Agent is a coding agent that can be connected.
type Agent struct {
	ID, Name  string
	Program   string // what is looked for on the path
	Installed bool
	Connected bool
	// Note is what the owner should know about the agent; data, not translated.
	Note string
	// Holds says that a question can hold the agent, Hold for how long it does.
	Holds bool
	Hold  time.Duration
}

// Fact is a line of the doctor page.
type Fact struct {
	Name  string // what it is of: store, bridge, tray, notifications, config, log, or a provider
	State FactState
	// Text says what is so, where there are words of our own for it; Detail is data beside it, such as a path.
	Text   vm.Msg
	Detail string
	// FixText is what the owner can do, or should know; Fix the same as data. Zero: nothing.
	FixText vm.Msg
	Fix     string
	Last    bool // the newest delivery of the provider
}

// FactState says whether a fact is as it should be.
type FactState string

// The states of a fact.
const (
	FactGood FactState = "good"
	FactWarn FactState = "warn"
	FactBad  FactState = "bad"
)

// LastTold is the fact of the newest delivery of a provider. nobody says that it failed because no window was open,
// which is no fault.
func LastTold(d notify.Delivery, nobody bool, now time.Time) Fact {
	at := vm.Stamp(now, d.At)
	f := Fact{Name: d.Provider, State: FactGood, Last: true, Text: vm.MA("doctor.delivered", at)}
	switch {
	case d.State == notify.DeliveryFailed && nobody:
		f.Text = vm.M("doctor.nobody")
	case d.State == notify.DeliveryFailed:
		f.State, f.Text, f.FixText = FactWarn, vm.MA("doctor.failed", at), vm.TellError(d.Error)
		if f.FixText.IsZero() {
			f.Detail = d.Error
		}
	case d.State == notify.DeliveryDelivered:
	case d.State == notify.DeliveryWithdrawn:
		f.Text = vm.MA("doctor.withdrawn", at)
	case now.Sub(d.At) > onItsWay:
		f.State, f.Text = FactWarn, vm.MA("doctor.lost", at)
	default:
		f.Text = vm.MA("doctor.pending", at)
	}
	return f
}

// onItsWay is how long a delivery may be under way: what was begun longer ago was cut off.
const onItsWay = 2 * time.Minute

// Retention is how long terminal records are kept where a connection says nothing else.
type Retention struct {
	Age   time.Duration // 0: for ever
	Count int           // 0: any number
}

// Telling is how the owner is told, beside what the center keeps of it.
type Telling struct {
	Privacy string          // how much of a text toasts show: full, title or none
	Remind  []time.Duration // waits after which what waits is told again; empty: never
	// After StormCount toasts within StormWindow, what does not wait becomes one summary a window; 0: never.
	StormCount  int
	StormWindow time.Duration
}

// AppActions are a connection's application actions as last loaded.
type AppActions struct {
	Actions []notify.Action
	Stale   bool   // a newer definition is asked for, and has not been loaded yet
	Problem string // why the last load failed; empty: it did not
	// SessionsProblem is the same of the connection's list of sessions.
	SessionsProblem string
}

func (a AppActions) same(b AppActions) bool {
	return slices.Equal(a.Actions, b.Actions) && a.Stale == b.Stale && a.Problem == b.Problem && a.SessionsProblem == b.SessionsProblem
}

// Options are what main gives the windows beside the center. A nil function means that the part is not
// there: its control is left out, never drawn dead.
type Options struct {
	// Subscribe opens the feed of changes after a sequence number; < 0: from now on. Required.
	Subscribe func(after int64) (Feed, error)
	// Dispatch runs a function on the toolkit's main goroutine, later. nil: fyne.Do.
	Dispatch func(func())
	// Now is the clock, in the owner's time zone. Required.
	Now func() time.Time
	// After is a timer; nil: time.After.
	After func(time.Duration) <-chan time.Time
	// Locale is the system's language, such as "de_DE.UTF-8".
	Locale string

	// Deliveries is the trace of a record: why it was announced or not (A11).
	Deliveries func(ctx context.Context, id string) ([]notify.Delivery, error)
	// Revisions are the stored changes of a record, oldest first.
	Revisions func(ctx context.Context, id string) ([]notify.Change, error)
	// OpenURL opens an address that the owner confirmed. nil: the app's own.
	OpenURL func(address string) error
	// Schemes are allowed for links beside http, https and file (S4).
	Schemes []string
	// ReadFile reads at most limit bytes of a local file, for live reports and image previews. The owner asked for it
	// or has the detail open.
	ReadFile func(path string, limit int64) ([]byte, error)

	// SaveFile makes a new file, the owner's alone; fs.ErrExist where there is one. SaveDir is the folder that is
	// proposed.
	SaveFile func(path string) (io.WriteCloser, error)
	SaveDir  string

	// NewToken makes a token and its hash, for a new connection or a rotated token.
	NewToken func() (token string, hash []byte, err error)
	// Agents lists the agents that can be connected; Setup connects one, or disconnects it when undo is set,
	// and says what it changed.
	Agents func(ctx context.Context) ([]Agent, error)
	Setup  func(ctx context.Context, agent string, undo bool) (string, error)
	// AppActions are the application actions that a connection offers now (E2); InvokeApp invokes one that has no
	// address of its own.
	AppActions func(ctx context.Context, connection string) (AppActions, error)
	InvokeApp  func(ctx context.Context, connection, action string) error
	// OldLists are the connections whose sessions or actions are old, because their server cannot be reached.
	OldLists func(ctx context.Context) (map[string]vm.OldLists, error)
	// TestNotification sends a test through one provider.
	TestNotification func(ctx context.Context, provider string) error
	// Providers are the names of the providers that there are. Empty: in_app, toast, sound.
	Providers []string
	// Doctor looks at the parts and their surroundings.
	Doctor func(ctx context.Context) []Fact
	// Backup writes a snapshot and says where.
	Backup func(ctx context.Context) (string, error)
	// RetentionOf and SetRetention are the center's own defaults (R4). What is the same in was and now stays as it is.
	RetentionOf  func() Retention
	SetRetention func(was, now Retention) error
	// TellingOf and SetTelling read and change how the owner is told, in the same way.
	TellingOf  func() Telling
	SetTelling func(was, now Telling) error
	// Hold sets how long a question may hold an agent; 0: not at all.
	Hold func(ctx context.Context, agent string, d time.Duration) error
	// Sounds are the names that can be played; PlaySound plays one.
	Sounds    []string
	PlaySound func(name string) error
	// StartAtLogin and SetStartAtLogin read and change whether the app starts at login.
	StartAtLogin    func() (bool, error)
	SetStartAtLogin func(bool) error
	// Quit ends the app; nil: the app's own.
	Quit func()

	// Version, Home, Address and Log, the path of the log file, are shown in about and doctor.
	Version, Home, Address, Log string
}
