package ui

import (
	"context"
	"time"

	"signalbox/notify"
)

// Port is the center as the windows need it. Its values are shared and never modified. A method that
// takes no context answers from memory.
type Port interface {
	Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error)
	Record(ctx context.Context, id string) (*notify.Record, error)
	Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error)
	Rail(focus notify.SessionRef) notify.Rail
	Attention() notify.Attention
	Connections() []notify.ConnectionView
	Connection(id string) (notify.ConnectionView, bool)
	Sessions(connection string) []notify.SessionView
	Settings() notify.Settings
	Sequence() int64
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
	Installed bool
	Connected bool
	// Note is what the owner should know about the agent; data, not translated.
	Note string
}

// Fact is a line of the doctor page.
type Fact struct {
	Name   string
	State  FactState
	Detail string
	Fix    string // what the owner can do; empty: nothing to do
}

// FactState says whether a fact is as it should be.
type FactState string

// The states of a fact.
const (
	FactGood FactState = "good"
	FactWarn FactState = "warn"
	FactBad  FactState = "bad"
)

// Retention is how long terminal records are kept where a connection says nothing else.
type Retention struct {
	Age   time.Duration // 0: for ever
	Count int           // 0: any number
}

// AppActions are a connection's application actions as last loaded.
type AppActions struct {
	Actions []notify.Action
	Stale   bool   // a newer definition is asked for, and has not been loaded yet
	Problem string // why the last load failed; empty: it did not
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
	// TestNotification sends a test through one provider.
	TestNotification func(ctx context.Context, provider string) error
	// Providers are the names of the providers that there are. Empty: in_app, toast, sound.
	Providers []string
	// Doctor looks at the parts and their surroundings.
	Doctor func(ctx context.Context) []Fact
	// Backup writes a snapshot and says where.
	Backup func(ctx context.Context) (string, error)
	// RetentionOf and SetRetention are the center's own defaults (R4).
	RetentionOf  func() Retention
	SetRetention func(Retention) error
	// Sounds are the names that can be played; PlaySound plays one.
	Sounds    []string
	PlaySound func(name string) error
	// StartAtLogin and SetStartAtLogin read and change whether the app starts at login.
	StartAtLogin    func() (bool, error)
	SetStartAtLogin func(bool) error
	// Quit ends the app; nil: the app's own.
	Quit func()

	// Version, Home and Address are shown in about and doctor.
	Version, Home, Address string
}
