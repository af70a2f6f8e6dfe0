package store

import (
	"context"
	"errors"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"signalbox/notify"
	"signalbox/store/index"
)

// Query lists the records that match, newest first by UpdatedAt and then by ID descending.
func (s *Store) Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error) {
	if limit <= 0 {
		return notify.Page{}, nil
	}
	if ix := s.index.upTo(ctx, s.readState().seq); ix != nil {
		page, err := s.search(ctx, ix, f, after, limit)
		if !errors.Is(err, index.ErrDamaged) {
			return page, wrap("query", err)
		}
		s.index.push(nil, nil) // lets the index be looked after
	}
	page, err := s.scan(ctx, f, after, limit)
	return page, wrap("query", err)
}

// search answers a query from the index.
func (s *Store) search(ctx context.Context, ix *index.Index, f notify.Filter, after notify.Cursor, limit int) (page notify.Page, err error) {
	q := indexQuery(&f)
	before := index.End
	if after != (notify.Cursor{}) {
		before = index.Place{At: instant(after.UpdatedAt), ID: after.ID}
	}
	for page.Next == (notify.Cursor{}) {
		if err := ctx.Err(); err != nil {
			return page, err
		}
		want := limit + 1 - len(page.Records)
		places, err := ix.Search(q, before, want)
		if err != nil {
			return page, err
		}
		err = s.read(func(txn *badger.Txn) error {
			for _, p := range places {
				r, ok, err := record(txn, p.ID)
				if err != nil {
					return err
				}
				if ok && instant(r.UpdatedAt) == p.At && f.Match(r) {
					addToPage(&page, r, limit)
				}
			}
			return nil
		})
		if err != nil || len(places) < want {
			return page, err
		}
		before = places[len(places)-1]
	}
	return page, nil
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
