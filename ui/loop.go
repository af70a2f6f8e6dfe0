package ui

import (
	"context"
	"errors"
	"slices"
	"time"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// RefreshEvery is the least time between two refreshes while changes keep coming: a burst is one refresh each. What
// comes when it is quiet is shown at once, and the next one after half of that.
const RefreshEvery = 80 * time.Millisecond

// failedPause is how long after a reading that failed another is tried, where nobody asks for one sooner.
const failedPause = 5 * time.Second

// searchPause is how long the owner must pause before a search is asked.
const searchPause = 180 * time.Millisecond

// elsewhereLimit and keptLimit bound what a refresh reads beside the rail.
const (
	elsewhereLimit = 200
	keptLimit      = 500
)

// loop is the background of the windows: one goroutine consumes the feed, one reads and hands over.
type loop struct {
	u    *UI
	wake chan struct{} // capacity 1: something changed
	show chan struct{} // capacity 1: a window came on screen
}

// touch asks for a refresh. It never blocks.
func (l *loop) touch() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// listen consumes the feed. What changed does not matter here: a refresh reads the whole picture, so that changes
// coalesce by themselves and a lost one is no loss.
func (l *loop) listen() {
	ctx := l.u.ctx
	wait := 100 * time.Millisecond
	for ctx.Err() == nil {
		feed, err := l.u.o.Subscribe(-1)
		if err == nil {
			l.touch()
			for {
				change, err := feed.Next(ctx)
				if err != nil {
					break // reset, too slow or gone: read all anew and subscribe again
				}
				wait = 100 * time.Millisecond
				l.u.note(change)
				l.touch()
			}
			feed.Close()
		}
		select {
		case <-ctx.Done():
		case <-l.u.o.After(wait):
			wait = min(wait*2, 5*time.Second)
		}
	}
}

// refresh reads a snapshot for each wake, as often as RefreshEvery says, and only while a window is on screen; the first
// window that is shown wakes it.
func (l *loop) refresh() {
	ctx := l.u.ctx
	var again <-chan time.Time // nil: the last reading went well
	pause := RefreshEvery / 2
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.wake:
		case <-again:
		}
		again = nil
		if l.u.shown.Load() == 0 {
			continue
		}
		snap, err := l.read(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			again = l.u.o.After(failedPause)
		}
		l.u.dispatch(func() { l.u.take(snap, err) })
		select {
		case <-ctx.Done():
			return
		case <-l.u.o.After(pause):
		}
		pause = RefreshEvery / 2
		if len(l.wake) > 0 {
			pause = RefreshEvery
		}
	}
}

// tick moves the clocks once a second while a window is on screen.
func (l *loop) tick() {
	ctx := l.u.ctx
	for ctx.Err() == nil {
		if l.u.shown.Load() == 0 { // nothing ticks while nothing is on screen
			select {
			case <-ctx.Done():
			case <-l.show:
			}
			continue
		}
		select {
		case <-ctx.Done():
		case <-l.u.o.After(time.Second):
			l.u.dispatch(l.u.step)
		}
	}
}

// read reads a snapshot. One that could not be read is nil: nothing is known then, which is not the same as nothing
// being there. With a snapshot, an error says that something beside the rail is not in it.
func (l *loop) read(ctx context.Context) (*vm.Snapshot, error) {
	p := l.u.port
	s := &vm.Snapshot{Reading: l.u.readings.Add(1), Sessions: map[string][]notify.SessionView{}}
	var err error
	if s.Connections, err = p.Connections(ctx); err != nil {
		return nil, err
	}
	s.Connections = widgets.Coloured(s.Connections)
	if s.Attention, err = p.Attention(ctx); err != nil {
		return nil, err
	}
	if s.Settings, err = p.Settings(ctx); err != nil {
		return nil, err
	}
	s.At, s.Focus = l.u.now(), s.Settings.Focus
	if !isOpen(s, s.Focus.Connection) {
		s.Focus = notify.SessionRef{} // what the owner closed has no place at the left, and counts nowhere
	}
	if s.Rail, err = p.Rail(ctx, s.Focus); err != nil {
		return nil, err
	}
	for _, c := range s.Connections {
		if s.Sessions[c.ID], err = p.Sessions(ctx, c.ID); err != nil {
			return nil, err
		}
	}
	var errs []error
	if l.u.o.OldLists != nil && slices.ContainsFunc(s.Connections, offersLists) {
		old, err := l.u.o.OldLists(ctx)
		errs = append(errs, err)
		s.Old = old
	}
	s.Searched = l.u.searchedFor()
	for _, f := range elsewhereFilters(s) {
		f.Statuses, f.Scopes = []notify.Status{notify.Pending}, []notify.Scope{notify.ScopeSession}
		page, err := p.Query(ctx, f, notify.Cursor{}, elsewhereLimit)
		errs = append(errs, err)
		s.Elsewhere = appendElsewhere(s.Elsewhere, page.Records, s)
	}
	if s.Attention.Muted+s.Attention.Snoozed > 0 {
		page, err := p.Query(ctx, notify.Filter{Statuses: []notify.Status{notify.Pending}}, notify.Cursor{}, keptLimit)
		errs = append(errs, err)
		for _, r := range page.Records {
			if k := notify.PlaceOf(r, s.At).Kind; isOpen(s, r.Connection) && (k == notify.PlaceMuted || k == notify.PlaceSnoozed) {
				s.Kept = append(s.Kept, r)
			}
		}
	}
	return s, errors.Join(errs...)
}

// elsewhereFilters ask for what has a line on the rail: what waits, here or in its terminal, failures that are not read, the
// newest that is not read, and what is searched for. What cannot be there is not asked for.
func elsewhereFilters(s *vm.Snapshot) (list []notify.Filter) {
	if s.Attention.Waiting > 0 {
		list = append(list, notify.Filter{Kinds: []notify.Kind{notify.KindInteraction}})
	}
	if s.Attention.Confirm > 0 {
		list = append(list, notify.Filter{Events: []string{notify.EventClarificationRequested}})
	}
	unread := false
	for _, sessions := range s.Sessions {
		for _, v := range sessions {
			unread = unread || v.Unread > 0 && v.Ref() != s.Focus
		}
	}
	if unread {
		list = append(list, notify.Filter{Severities: []notify.Severity{notify.SeverityError, notify.SeverityCritical}, Read: new(bool)},
			notify.Filter{Events: []string{notify.EventTurnFailed}, Read: new(bool)},
			notify.Filter{Read: new(bool)})
	}
	if s.Searched != "" {
		list = append(list, notify.Filter{Text: s.Searched})
	}
	return list
}

// appendElsewhere adds the records of sessions that are not the active one, of open connections, each once.
func appendElsewhere(list, records []*notify.Record, s *vm.Snapshot) []*notify.Record {
	for _, r := range records {
		if r.Ref() != s.Focus && isOpen(s, r.Connection) && !slices.ContainsFunc(list, func(o *notify.Record) bool { return o.ID == r.ID }) {
			list = append(list, r)
		}
	}
	return list
}

// isOpen reports whether a connection is among those that the owner has not closed.
func isOpen(s *vm.Snapshot, id string) bool {
	c, ok := s.Connection(id)
	return ok && c.Open
}

// note is called on the feed's goroutine for every change. The history is told of a burst at once, as often as the rest is
// refreshed.
func (u *UI) note(c notify.Change) {
	if c.Record == nil || !u.historyOn.Load() {
		return
	}
	u.noting.Lock()
	u.noted = append(u.noted, c)
	first := len(u.noted) == 1
	u.noting.Unlock()
	if !first {
		return
	}
	u.after(RefreshEvery, func() {
		u.noting.Lock()
		list := u.noted
		u.noted = nil
		u.noting.Unlock()
		if u.history != nil {
			u.history.changed(list)
		}
	})
}

// take shows what a refresh read. Where nothing could be read, what was read before stays, and that it is old is said.
func (u *UI) take(s *vm.Snapshot, err error) {
	first, failed := u.snap == nil && s != nil, u.failed != nil || err != nil
	u.failed = err
	if s != nil {
		u.snap = s
		active := s.Active()
		u.memory.Revisions.Note(active)
		u.sendDismissals(u.memory.Dismissals.Seen(active, u.now()))
	}
	if u.rail != nil && failed {
		u.rail.banners()
	}
	if u.rail != nil && s != nil {
		u.rail.greet()
	}
	if u.history != nil && first {
		u.history.filterBar() // it was made before there was anything to choose from
	}
	u.fresh = s != nil
	u.redraw()
	u.fresh = false
	if u.open["settings"] {
		u.sets.refreshed()
	}
}

// step is the tick of the clocks.
func (u *UI) step() {
	u.sendDismissals(u.memory.Dismissals.Due(u.now()))
	u.seekAgents(false)
	if u.snap == nil {
		return
	}
	s := *u.snap
	s.At = u.now()
	u.snap = &s
	if u.open["rail"] {
		u.rail.render()
	}
}

// offersLists reports whether a connection announced where its actions or sessions are loaded from, so that they can be old.
func offersLists(c notify.ConnectionView) bool { return c.SessionsURL != "" || c.ActionsURL != "" }
