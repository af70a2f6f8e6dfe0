package center

import (
	"context"
	"io"
	"iter"
	"time"

	"signalbox/notify"
)

// Storage keeps the state. Implementations are safe for concurrent use; Commit has one caller at a
// time. A refused write because of little space is a *notify.Error with CodeStorageFull, one because
// the store is closed, read-only or damaged has CodeUnavailable.
type Storage interface {
	// Load reads what the center keeps in memory: everything but terminal records and the log.
	Load(ctx context.Context) (*notify.Snapshot, error)
	// Commit makes the changes durable, all or none, with their indexes and receipts, and returns
	// after they are on the disk. Their Seq are the next numbers, in order.
	Commit(ctx context.Context, changes []notify.Change) error

	// Record, Slot, Told and Receipt find what notify.State asks for; false: there is none.
	Record(id string) (*notify.Record, bool, error)
	Slot(slot notify.Slot) (notify.Newest, bool, error)
	Told(ref notify.EventRef) (recordID string, ok bool, err error)
	Receipt(connection, key string) (*notify.Receipt, bool, error)

	// Query lists the records that match, newest first by UpdatedAt and then by ID descending, after the cursor (zero:
	// from the start), at most limit.
	Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error)
	// Entries yields the index entry of every record, oldest UpdatedAt first. The sequence ends after
	// its first error. The caller may stop early.
	Entries(ctx context.Context) iter.Seq2[notify.Entry, error]
	// Changes yields the logged changes with Seq > after, in order. First is the oldest Seq kept; a
	// reader with after < First-1 has missed some.
	Changes(ctx context.Context, after int64) iter.Seq2[notify.Change, error]
	First() int64
	// Trim removes logged changes with Seq < before and receipts older than receiptsBefore.
	Trim(ctx context.Context, before int64, receiptsBefore time.Time) error

	// Backup streams a snapshot of everything.
	Backup(ctx context.Context, w io.Writer) error
	Close() error
}

// Ledger keeps the deliveries (A2, A3); the store implements it, the delivery room uses it.
type Ledger interface {
	// Claim stores d unless a delivery with the same identity exists that is not failed; ok reports
	// whether it was stored.
	Claim(ctx context.Context, d notify.Delivery) (ok bool, err error)
	// Settle replaces the row with d's identity.
	Settle(ctx context.Context, d notify.Delivery) error
	// Deliveries lists rows, newest first; empty provider or record id: any; limit 0: 500.
	Deliveries(ctx context.Context, provider, recordID string, limit int) ([]notify.Delivery, error)
	// Retries are the failed rows whose RetryAt is at or before now.
	Retries(ctx context.Context, now time.Time) ([]notify.Delivery, error)
}
