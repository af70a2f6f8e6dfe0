package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// listQuery are the filters of a list.
type listQuery struct {
	Status   []string      `help:"pending, dismissed, resolved or expired; repeat for several."`
	Severity []string      `help:"Severity; repeat for several."`
	Kind     []string      `help:"Kind; repeat for several."`
	Scope    []string      `help:"application or session."`
	Session  []string      `help:"Session; repeat for several."`
	Of       []string      `placeholder:"CONNECTION" help:"Connection; repeat for several."`
	Tag      []string      `help:"Tag; repeat for several."`
	Event    []string      `help:"Type of event; repeat for several."`
	Text     string        `short:"q" help:"Text that it contains."`
	Newer    time.Duration `help:"Changed within this time."`
	Unread   bool          `help:"Only what is unread."`
	Silent   bool          `help:"Also what is silent."`
}

func (l listQuery) query(a *app) client.Query {
	q := client.Query{
		Statuses: l.Status, Severities: l.Severity, Kinds: l.Kind, Scopes: l.Scope, Sessions: l.Session, Connections: l.Of, Tags: l.Tag, Events: l.Event,
		Text: l.Text, IncludeSilent: l.Silent,
	}
	if l.Newer > 0 {
		q.Since = a.now().Add(-l.Newer)
	}
	if l.Unread {
		read := false
		q.Read = &read
	}
	return q
}

// eachNotification goes over all pages.
func eachNotification(a *app, center *client.Client, q client.Query, do func(wire.Notification) error) error {
	q.Limit = 500
	for {
		page, err := center.List(a.ctx, q)
		if err != nil {
			return err
		}
		for _, n := range page.Notifications {
			if err := do(n); err != nil {
				return err
			}
		}
		if q.Cursor = page.NextCursor; q.Cursor == "" {
			return nil
		}
	}
}

// listCmd lists notifications.
type listCmd struct {
	listQuery `embed:""`
	Limit     int  `default:"50" help:"At most so many; 0: all."`
	All       bool `help:"Also what ended (default: only what is pending)."`
}

func (c *listCmd) Run(a *app) error {
	if c.Limit < 0 {
		return usage("--limit wants a number from 0")
	}
	if len(c.Status) == 0 && !c.All {
		c.Status = []string{wire.StatusPending}
	}
	center, err := a.owner()
	if err != nil {
		return err
	}
	list := []wire.Notification{}
	q := c.query(a)
	for {
		q.Limit = 500
		if c.Limit > 0 {
			q.Limit = min(500, c.Limit-len(list))
		}
		page, err := center.List(a.ctx, q)
		if err != nil {
			return err
		}
		list = append(list, page.Notifications...)
		if q.Cursor = page.NextCursor; q.Cursor == "" || c.Limit > 0 && len(list) >= c.Limit {
			break
		}
	}
	if q.Cursor != "" {
		fmt.Fprintf(a.stderr, "sigbox: the newest %d of more; --limit 0 lists all\n", len(list))
	}
	if a.cli.JSON {
		return a.printJSON(wire.Page{Notifications: list, NextCursor: q.Cursor})
	}
	if !slices.Contains(c.Status, wire.StatusPending) && !c.All {
		table(a.stdout, list, a.now())
		return nil
	}
	// What waits goes first, also what is older than all that the limit lets through (P6).
	held, err := waitingItems(a, center, c.query(a))
	if err != nil {
		return err
	}
	table(a.stdout, waitingFirst(held, list, c.Limit), a.now())
	return nil
}

// waitingItems are the items of a query that wait for the owner, longest first: questions, and what is to be answered in its
// terminal.
func waitingItems(a *app, center *client.Client, q client.Query) ([]wire.Notification, error) {
	q.Statuses = []string{wire.StatusPending}
	byKind, byEvent := q, q
	byKind.Kinds, byEvent.Events = []string{wire.KindInteraction}, []string{wire.EventClarificationRequested}
	var list []wire.Notification
	known := map[string]bool{}
	for _, one := range []struct {
		q    client.Query
		fits bool
	}{
		{byKind, len(q.Kinds) == 0 || slices.Contains(q.Kinds, wire.KindInteraction)},
		{byEvent, len(q.Events) == 0 || slices.Contains(q.Events, wire.EventClarificationRequested)},
	} {
		if !one.fits {
			continue
		}
		err := eachNotification(a, center, one.q, func(n wire.Notification) error {
			if !known[n.ID] {
				known[n.ID] = true
				list = append(list, n)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b wire.Notification) int { return a.CreatedAt.Compare(b.CreatedAt.Time) })
	return list, nil
}

// waitingFirst is a list with what waits at its head, at most limit of all; 0: no limit.
func waitingFirst(waiting, list []wire.Notification, limit int) []wire.Notification {
	known := map[string]bool{}
	for _, n := range waiting {
		known[n.ID] = true
	}
	out := slices.Clone(waiting)
	for _, n := range list {
		if !known[n.ID] {
			out = append(out, n)
		}
	}
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out
}

// table prints notifications, a line each.
func table(w io.Writer, list []wire.Notification, now time.Time) {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, n := range list {
		since := n.UpdatedAt
		if n.Status == wire.StatusPending && n.Kind == wire.KindInteraction {
			since = n.CreatedAt // it has been waiting since then, whatever was done to it
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", n.ID, mark(n), ago(now.Sub(since.Time)), source(n), clean(n.Title))
	}
	t.Flush()
}

// clean is text without what a terminal would take for a command.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || misleads(r) {
			return -1
		}
		return r
	}, s)
}

func source(n wire.Notification) string {
	if n.Session == "" {
		return clean(n.Connection)
	}
	s := n.Session
	if len(s) > 8 {
		s = s[len(s)-8:]
	}
	return clean(n.Connection + "/" + s)
}

// mark says in a word how a notification stands.
func mark(n wire.Notification) string {
	switch {
	case n.Status != wire.StatusPending:
		if n.Outcome != nil {
			return n.Outcome.Kind
		}
		return n.Status
	case n.Kind == wire.KindInteraction:
		return "waiting"
	case n.Kind == wire.KindProgress && n.Progress != nil && n.Progress.Total != nil && *n.Progress.Total > 0:
		return fmt.Sprintf("%.0f%%", 100*n.Progress.Current/(*n.Progress.Total))
	}
	return n.Severity
}

// ago is a time in the past in few characters.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", max(0, int(d.Seconds())))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", int(d.Hours()))
	}
	return fmt.Sprintf("%dd", int(d.Hours()/24))
}

// railCmd shows what a fresh view presents.
type railCmd struct {
	Session string `help:"As if this session were the active one; needs --connection."`
}

func (c *railCmd) Run(a *app) error {
	center, err := a.owner()
	if err != nil {
		return err
	}
	var rail wire.Rail
	if c.Session != "" {
		rail, err = center.RailOf(a.ctx, wire.Focus{Connection: a.chosen().id, Session: c.Session})
	} else {
		rail, err = center.Rail(a.ctx)
	}
	if err != nil {
		return err
	}
	list, err := waitingItems(a, center, client.Query{})
	if err != nil {
		return err
	}
	shown := map[string]bool{}
	for _, n := range slices.Concat(rail.Application, rail.Session) {
		shown[n.ID] = true
	}
	// The rail is of one session: what waits in the others must not be missed where there is no window with their marks.
	elsewhere := slices.DeleteFunc(list, func(n wire.Notification) bool { return shown[n.ID] })
	if elsewhere == nil {
		elsewhere = []wire.Notification{}
	}
	type withOthers struct {
		wire.Rail
		Elsewhere []wire.Notification `json:"elsewhere"`
	}
	return a.result(withOthers{rail, elsewhere}, func(w io.Writer) {
		table(w, rail.Application, a.now())
		if len(rail.Session) > 0 {
			fmt.Fprintln(w, "-- of the active session")
			table(w, rail.Session, a.now())
		}
		if n := len(elsewhere); n > 0 {
			fmt.Fprintf(w, "-- %d waiting in other sessions\n", n)
			table(w, elsewhere, a.now())
		}
	})
}
