package delivery

import (
	"time"

	"signalbox/notify"
)

// changed takes one change of the feed.
func (e *Engine) changed(c notify.Change) {
	now := e.p.Now()
	if c.Settings != nil {
		e.settingsChanged(now)
		return
	}
	r := c.Record
	if r == nil {
		return
	}
	if r.Kind == notify.KindInteraction && len(e.summary) > 0 {
		e.refreshSummary() // it says how many wait in all
	}
	if r.Status.Terminal() || c.Removed {
		e.forget(r.ID, "it ended")
		return
	}
	if _, known := e.live[r.ID]; known {
		e.live[r.ID] = r
		if _, ok := e.held[r.ID]; ok {
			e.held[r.ID] = r
		}
	}
	connection := e.connection(r.Connection)
	in := notify.AnnounceInput{Change: c, Settings: e.p.Center.Settings(), Connection: connection, Now: now, Away: e.away()}
	withdrawn := false
	for _, l := range e.inOrder() {
		in.Provider = l.name
		switch a := notify.Announce(in); a.Act {
		case notify.ActTell:
			e.tell(l, r, a, Item, now)
		case notify.ActReplace:
			l.replace(r)
		case notify.ActWithdraw:
			withdrawn = true
		case notify.ActHold:
			e.hold(l, r, a, now)
		}
	}
	switch {
	case withdrawn, c.Name == notify.EvRead && r.Read && !r.Waiting():
		// Muted, snoozed, set aside, or read in the window: what is on the screen has done its work. What
		// waits is reminded of when it comes back to the front.
		e.withdraw(r.ID, "it left the front")
	}
	e.planReminder(r, now)
}

// settingsChanged looks whether it became quiet, or loud again.
func (e *Engine) settingsChanged(now time.Time) {
	until, quiet := notify.QuietAt(e.p.Center.Settings(), now)
	switch {
	case quiet:
		e.quiet = until
	case !e.quiet.IsZero():
		e.quiet = time.Time{}
		e.endOfQuiet(now)
	}
}

func (e *Engine) away() bool { return e.p.Looking != nil && !e.p.Looking() }

func (e *Engine) connection(id string) *notify.Connection {
	v, ok := e.p.Center.Connection(id)
	if !ok {
		return nil
	}
	return v.Connection
}

// tell claims the row of an announcement and hands it to the provider's lane. A row that is claimed
// already was told, or is being told (A2).
func (e *Engine) tell(l *lane, r *notify.Record, a notify.Announcement, kind MessageKind, now time.Time) {
	j := &job{record: r, kind: kind, row: e.row(l, r, a, notify.DeliveryClaimed, now)}
	if !e.claim(&j.row) {
		return
	}
	e.live[r.ID] = r
	l.offer(j, now)
}

// hold keeps why something that would have been told was not. What the owner never asked to hear needs
// no row: Deliveries works it out again when it is asked.
func (e *Engine) hold(l *lane, r *notify.Record, a notify.Announcement, now time.Time) {
	switch {
	case a.Later:
		if until, quiet := notify.QuietAt(e.p.Center.Settings(), now); quiet {
			e.quiet = until
		}
		row := e.row(l, r, a, notify.DeliveryHeld, now)
		if e.claim(&row) {
			e.live[r.ID] = r
			e.held[r.ID] = r
			l.heldRows[r.ID] = row
		}
	case a.Reason == notify.ReasonFocus:
		row := e.row(l, r, a, notify.DeliveryHeld, now)
		if e.claim(&row) {
			e.live[r.ID] = r
		}
	}
}

// row makes a row of the ledger.
func (e *Engine) row(l *lane, r *notify.Record, a notify.Announcement, s notify.DeliveryState, now time.Time) notify.Delivery {
	return notify.Delivery{
		ID: e.p.NewID(), Provider: l.name, EventType: a.ID.EventType, Occurrence: a.ID.Occurrence,
		RecordID: r.ID, Revision: r.Revision, State: s, Reason: reason(a), At: now.UTC(),
	}
}

func reason(a notify.Announcement) string {
	if a.Detail == "" {
		return string(a.Reason)
	}
	return string(a.Reason) + ": " + a.Detail
}

// claim takes a row before anything is sent. A ledger that cannot write must not keep a question from
// the owner: without it the announcement is made, and may be repeated after a restart.
func (e *Engine) claim(row *notify.Delivery) bool {
	ok, err := e.p.Ledger.Claim(e.ctx, *row)
	if err != nil {
		e.log.Warn("delivery not claimed", "provider", row.Provider, "err", err)
		return e.ctx.Err() == nil
	}
	return ok
}

func (e *Engine) settle(row notify.Delivery) {
	if err := e.p.Ledger.Settle(e.ctx, row); err != nil && e.ctx.Err() == nil {
		e.log.Warn("delivery not settled", "provider", row.Provider, "err", err)
	}
}

// forget drops a record that ended, and takes back what is shown of it (A9).
func (e *Engine) forget(id, why string) {
	e.withdraw(id, why)
	delete(e.live, id)
	delete(e.held, id)
	delete(e.remind, id)
	for _, l := range e.lanes {
		delete(l.heldRows, id)
	}
}

// withdraw takes back what was told of a record and what is about to be.
func (e *Engine) withdraw(id, why string) {
	now := e.p.Now()
	for _, l := range e.inOrder() {
		l.withdraw(id, why, now)
	}
	if _, ok := e.summary[id]; ok {
		delete(e.summary, id)
		e.refreshSummary()
	}
}

// refreshSummary brings the summary on the screen up to date, soon.
func (e *Engine) refreshSummary() {
	if l := e.lanes[notify.ProviderToast]; l != nil {
		l.refresh = true
	}
}
