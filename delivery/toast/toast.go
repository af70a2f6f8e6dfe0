// Package toast shows native desktop notifications and says what the owner did with them.
//
// It owns the conversation with the system's notification service: on Linux and the BSDs a D-Bus
// connection of its own ([Bus]), elsewhere the system's own interface ([Plain]). It promises that no
// call takes longer than its limit, that the queue is bounded, that a toast is never shown twice for
// one revision because a slow daemon answered late, and that text is only ever data: it reaches no
// shell, no script and, where the daemon reads markup, is escaped.
//
// It never decides whether to tell, never touches a record, and a shown toast proves nothing (A12).
package toast

import (
	"context"
	"errors"
	"time"
)

// Toast is what is shown for one revision of one item.
type Toast struct {
	// Key names the item; a later toast with the same key replaces the one on the screen.
	Key string
	// Revision is what an Event about this toast is bound to (D1).
	Revision int
	Title    string // plain text, one line
	Body     string // plain text; may be empty
	Urgency  Urgency
	// Sticky asks the daemon to keep it on the screen until it is withdrawn.
	Sticky  bool
	Actions []Action
	// OnlyIfShown brings a toast up to date that is on the screen, and does nothing where none is.
	OnlyIfShown bool
}

// Urgency is how loudly the daemon should show it.
type Urgency byte

// The urgencies, as they leave the process.
const (
	Low      Urgency = 0
	Normal   Urgency = 1
	Critical Urgency = 2
)

// Action is a button. The key ActionOpen is the click on the toast itself.
type Action struct {
	Key   string
	Label string
	// Decides marks a button that answers something: it is inert for the first moments, so that a
	// click meant for what was there before does not decide (see InertFor).
	Decides bool
}

// The keys of actions that every item may have.
const (
	ActionOpen    = "default"
	ActionDismiss = "dismiss"
)

// InertFor is how long a deciding button does nothing after it appeared.
const InertFor = 700 * time.Millisecond

// EventKind says what happened to a toast.
type EventKind int

// The kinds of events.
const (
	// Invoked: the owner chose Action.
	Invoked EventKind = iota
	// ClosedByOwner: the owner closed it, which means dismissed for that revision.
	ClosedByOwner
)

// Event is something that the owner did with a toast.
type Event struct {
	Kind     EventKind
	Key      string
	Revision int
	Action   string // of Invoked
}

// Sender shows toasts. Implementations are safe for concurrent use.
type Sender interface {
	// Serve does the work until ctx ends; call it once.
	Serve(ctx context.Context) error
	// Show shows t, or replaces the toast with its key. It returns within the sender's limit.
	Show(ctx context.Context, t Toast) error
	// Withdraw closes the toast with that key; nil when there is none.
	Withdraw(ctx context.Context, key string) error
	// Status says what is known of the service without asking it.
	Status() Status
}

// Status is what is known of the notification service.
type Status struct {
	Available    bool
	Server       string // its name and version, where it told
	Capabilities []string
	Problem      string // why it is not available, in plain words; empty when it is, and while it is looked for
}

// What can go wrong. Each is a failed delivery, to be tried again when that changes (A12).
var (
	ErrNoBus    = errors.New("there is no session bus")
	ErrNoDaemon = errors.New("no notification service is running")
	ErrHung     = errors.New("the notification service does not answer")
	ErrBusy     = errors.New("too many toasts are waiting to be shown")
	ErrRefused  = errors.New("the notification service refused the toast")
	ErrStopped  = errors.New("toasts are shut down")
)
