package bridge

import (
	"context"
	"io"

	"signalbox/center"
	"signalbox/notify"
)

// Center is what the bridge asks of the center. Everything that it returns is
// shared and never modified. Methods without an error read what is in memory.
type Center interface {
	// Do decides one command of op and returns after its changes are on the disk.
	Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error)
	// Authenticate finds the connection of a token.
	Authenticate(token string) (connection string, ok bool)

	Connection(id string) (notify.ConnectionView, bool)
	Connections() []notify.ConnectionView
	Sessions(connection string) []notify.SessionView
	Invalidations(connection string) []*notify.Invalidation
	Attention() notify.Attention
	Settings() notify.Settings
	// Rail is what a fresh view of that session presents now.
	Rail(focus notify.SessionRef) notify.Rail

	// Record finds any record; an unknown one is CodeNotFound.
	Record(ctx context.Context, id string) (*notify.Record, error)
	// Wait returns the record once it is of another revision or has ended; at the
	// end of ctx as it is.
	Wait(ctx context.Context, id string, sinceRevision int) (*notify.Record, error)
	Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error)

	// Backup streams a snapshot of everything.
	Backup(ctx context.Context, w io.Writer) error

	// Subscribe returns a feed of every change after that one; after < 0: from now on.
	Subscribe(after int64) (*center.Feed, error)
	// Sequence is the number of the newest change.
	Sequence() int64
}

var _ Center = (*center.Center)(nil)

// Ledger is the history of deliveries.
type Ledger interface {
	// Deliveries lists rows, newest first; empty provider or record: any.
	Deliveries(ctx context.Context, provider, recordID string, limit int) ([]notify.Delivery, error)
}

// Providers tells the owner of things.
type Providers interface {
	// Test announces a trial by one provider. It has CodeNotFound for a provider
	// that there is not.
	Test(ctx context.Context, provider string) (notify.Delivery, error)
}

// Desktop is the windows of this process.
type Desktop interface {
	// Show brings a view to the front and selects a notification; empty: none.
	Show(ctx context.Context, view, notification string) error
}
