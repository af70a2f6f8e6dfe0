package store

import (
	"context"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
)

// Query lists the records that match, newest first by UpdatedAt and then by ID descending.
func (s *Store) Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error) {
	page, err := s.scan(ctx, f, after, limit)
	return page, wrap("query", err)
}

// scan answers a query from the time rows: each entry is looked at, and the records of those that
// may match are read. It needs no index, and serves while there is none.
func (s *Store) scan(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (page notify.Page, err error) {
	err = s.read(func(txn *badger.Txn) error {
		var from []byte
		if after != (notify.Cursor{}) {
			from = timeKey(instant(after.UpdatedAt), after.ID)
		}
		return each(txn, []byte{pfxTime}, from, true, true, func(key, value []byte) (bool, error) {
			e, err := decodeEntry(key, value)
			if err != nil {
				return false, err
			}
			if from != nil && string(from) == string(key) {
				return true, nil
			}
			if !f.Since.IsZero() && e.UpdatedAt.Before(f.Since) {
				return false, nil
			}
			if !mayMatch(&f, &e) {
				return true, ctx.Err()
			}
			r, ok, err := record(txn, e.ID)
			if err != nil {
				return false, err
			}
			if ok && f.Match(r) {
				addToPage(&page, r, limit)
			}
			return page.Next == (notify.Cursor{}), ctx.Err()
		})
	})
	return page, err
}

// addToPage appends r, or, when the page is full, says that there is more.
func addToPage(page *notify.Page, r *notify.Record, limit int) {
	if len(page.Records) < limit {
		page.Records = append(page.Records, r)
		return
	}
	if n := len(page.Records); n > 0 {
		last := page.Records[n-1]
		page.Next = notify.Cursor{UpdatedAt: last.UpdatedAt, ID: last.ID}
	}
}

// mayMatch is false for entries whose records cannot match.
func mayMatch(f *notify.Filter, e *notify.Entry) bool {
	return oneOf(f.Connections, e.Connection) && oneOf(f.Scopes, e.Scope) && oneOf(f.Sessions, e.Session) &&
		oneOf(f.Statuses, e.Status) && oneOf(f.Severities, e.Severity) && oneOf(f.Kinds, e.Kind) &&
		(f.Until.IsZero() || e.UpdatedAt.Before(f.Until)) &&
		(f.Read == nil || *f.Read == e.Read) && (f.IncludeSilent || !e.Silent)
}

func oneOf[T comparable](wanted []T, v T) bool { return len(wanted) == 0 || slices.Contains(wanted, v) }
