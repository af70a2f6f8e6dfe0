package delivery

import (
	"context"
	"errors"
	"time"

	"signalbox/notify"
)

// Provider is one way to tell the owner (A3). Implementations are safe for concurrent use; the engine
// makes one call of Tell at a time, and withdraws beside it.
type Provider interface {
	// Name is notify.ProviderToast and so on, or webhook:NAME or command:NAME.
	Name() string
	// Tell tells m and returns within a bounded time. nil means that the provider took it, no more.
	Tell(ctx context.Context, m Message) error
	// Withdraw takes back what is shown of a record; a provider that cannot does nothing.
	Withdraw(ctx context.Context, recordID string) error
}

// MessageKind says what a message is about.
type MessageKind string

// The kinds of messages.
const (
	Item     MessageKind = "item"     // one record, for the first time
	Reminder MessageKind = "reminder" // one record that still waits
	Summary  MessageKind = "summary"  // several records at once (A8)
	Digest   MessageKind = "digest"   // what a quiet time or an absence held back (A13)
	Trial    MessageKind = "trial"    // the owner tests the provider
)

// Message is what a provider is asked to tell.
type Message struct {
	Kind MessageKind
	// Delivery is the id of the row in the ledger, the same for every try; of a Summary or Digest that
	// of its first record's.
	Delivery string
	// Record is that of an Item or a Reminder, nil otherwise. It holds everything; a provider that
	// shows or sends text uses Title and Body, which hold what the owner's privacy setting allows.
	Record *notify.Record
	// Records are those of a Summary or a Digest, what waits first.
	Records []*notify.Record
	// Connection is the label of the record's connection, empty where privacy withholds it.
	Connection  string
	Title, Body string
	// Whole says that Title and Body hold all that an interaction asks, so that it can be answered where they are shown.
	Whole bool
	// InPlace only brings up to date what is still shown; where nothing is, nothing is to be done.
	InPlace bool
	At      time.Time
}

// Waits reports whether m is about something that waits for the owner.
func (m Message) Waits() bool {
	if m.Record != nil {
		return m.Record.Waiting()
	}
	for _, r := range m.Records {
		if r.Waiting() {
			return true
		}
	}
	return false
}

// ErrNobody is what a provider answers when nobody listens: a failed delivery (A12).
var ErrNobody = errors.New("nobody was listening")

// Privacy says how much of a text leaves the app.
type Privacy string

// The levels. The empty one is PrivacyTitle, which holds the title and whose it is, and nothing of the text beneath it.
const (
	PrivacyFull  Privacy = "full"
	PrivacyTitle Privacy = "title"
	PrivacyNone  Privacy = "none"
)
