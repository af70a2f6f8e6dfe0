package storetest

import (
	"fmt"
	"testing"

	"signalbox/notify"
)

// pages walks a list with a small limit while nothing changes, and once more while it does.
func pages(t *testing.T, w *Writer) check {
	// Three instants, so that the ID decides within one.
	var want []int
	for i := range 30 {
		w.Put(With(New(i), func(r *notify.Record) { r.UpdatedAt = At(i / 10) }))
	}
	for i := 29; i >= 0; i-- {
		want = append(want, i)
	}
	return func(t *testing.T, s Store) {
		for _, limit := range []int{1, 7, 10, 29, 30, 31} {
			var got []*notify.Record
			var after notify.Cursor
			for {
				page := must(s.Query(t.Context(), notify.Filter{}, after, limit))(t)
				got = append(got, page.Records...)
				if page.Next == (notify.Cursor{}) {
					break
				}
				if len(page.Records) != limit {
					t.Fatalf("a page of %d with %d, and more to come", limit, len(page.Records))
				}
				after = page.Next
			}
			wantIDs(t, fmt.Sprintf("pages of %d", limit), got, want...)
		}
		// A cursor need not name a record that is still there.
		page := must(s.Query(t.Context(), notify.Filter{}, notify.Cursor{UpdatedAt: At(1), ID: ID(15) + "x"}, 2))(t)
		wantIDs(t, "after a place between two", page.Records, 15, 14)
		page = must(s.Query(t.Context(), notify.Filter{}, notify.Cursor{UpdatedAt: At(-5), ID: ID(1)}, 2))(t)
		wantIDs(t, "after the end", page.Records)
	}
}

func filters(t *testing.T, w *Writer) check {
	yes, no := true, false
	app := func(r *notify.Record) { r.Scope, r.Session = notify.ScopeApplication, "" }
	w.Put(
		With(New(1), func(r *notify.Record) { r.Severity, r.Tags = notify.SeverityError, []string{"ci", "deploy"} }),
		With(New(2), func(r *notify.Record) { app(r); r.Connection, r.Kind = "codex", notify.KindReport }),
		With(New(3), func(r *notify.Record) {
			r.Read, r.Event = true, &notify.Event{Type: notify.EventTurnFinished, Occurrence: "1"}
		}),
		With(New(4), func(r *notify.Record) { r.Silent = true }),
		With(New(5), func(r *notify.Record) { r.Title, r.Body = "Über den Wolken", "the quick brown fox" }),
		With(New(6), func(r *notify.Record) { r.Lines, r.Sender = []string{"quickest path"}, "build-bot" }),
	)
	return func(t *testing.T, s Store) {
		for _, c := range []struct {
			name string
			f    notify.Filter
			want []int
		}{
			{"all", notify.Filter{}, []int{6, 5, 3, 2, 1}},
			{"all, silent too", notify.Filter{IncludeSilent: true}, []int{6, 5, 4, 3, 2, 1}},
			{"connection", notify.Filter{Connections: []string{"codex"}}, []int{2}},
			{"connections", notify.Filter{Connections: []string{"codex", "claude", "none"}}, []int{6, 5, 3, 2, 1}},
			{"scope", notify.Filter{Scopes: []notify.Scope{notify.ScopeApplication}}, []int{2}},
			{"session", notify.Filter{Sessions: []string{"s1"}}, []int{6, 5, 3, 1}},
			{"no such session", notify.Filter{Sessions: []string{"s"}}, nil},
			{"severity", notify.Filter{Severities: []notify.Severity{notify.SeverityError}}, []int{1}},
			{"kind", notify.Filter{Kinds: []notify.Kind{notify.KindReport}}, []int{2}},
			{"tag", notify.Filter{Tags: []string{"deploy"}}, []int{1}},
			{"tags", notify.Filter{Tags: []string{"deploy", "none"}}, []int{1}},
			{"event", notify.Filter{Events: []string{notify.EventTurnFinished}}, []int{3}},
			{"read", notify.Filter{Read: &yes}, []int{3}},
			{"unread", notify.Filter{Read: &no}, []int{6, 5, 2, 1}},
			{"since", notify.Filter{Since: At(3)}, []int{6, 5, 3}},
			{"until", notify.Filter{Until: At(3)}, []int{2, 1}},
			{"between", notify.Filter{Since: At(2), Until: At(3)}, []int{2}},
			{"word", notify.Filter{Text: "quick"}, []int{6, 5}},
			{"words", notify.Filter{Text: "QUICK fo"}, []int{5}},
			{"accents and case", notify.Filter{Text: "über"}, []int{5}},
			{"sender", notify.Filter{Text: "bot"}, []int{6}},
			{"inside a word", notify.Filter{Text: "uick"}, nil},
			{"two that never meet", notify.Filter{Tags: []string{"ci"}, Connections: []string{"codex"}}, nil},
			{"several members", notify.Filter{Connections: []string{"claude"}, Severities: []notify.Severity{notify.SeverityInfo}, Text: "quick", Read: &no}, []int{6, 5}},
		} {
			wantIDs(t, c.name, query(t, s, c.f), c.want...)
		}
	}
}

// oddTexts proves that no text of a producer can touch the keys of another. All are UTF-8: what is not
// is refused or cleaned where it enters (S6).
func oddTexts(t *testing.T, w *Writer) check {
	odd := []string{"a", "a\x00", "a\x00b", "\x00", "\x00\x00", "\U0010ffff", "!badger!", "a/b", "ü", "\x00\u00ff"}
	n := 0
	for _, c := range odd {
		for _, k := range odd {
			w.Put(With(New(n), func(r *notify.Record) { r.Connection, r.Session, r.Key = c, k, k+c }))
			n++
		}
	}
	return func(t *testing.T, s Store) {
		n := 0
		for _, c := range odd {
			for _, k := range odd {
				slot := notify.Slot{Connection: c, Scope: notify.ScopeSession, Session: k, Key: k + c}
				if got, ok, err := s.Slot(slot); !ok || err != nil || got.RecordID != ID(n) {
					t.Errorf("Slot(%q) = %v, %v, %v; want %s", slot, got, ok, err, ID(n))
				}
				wantIDs(t, fmt.Sprintf("%q %q", c, k), query(t, s, notify.Filter{Connections: []string{c}, Sessions: []string{k}}), n)
				n++
			}
		}
	}
}
