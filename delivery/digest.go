package delivery

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"signalbox/notify"
)

// lookBack bounds how many pending records are looked at when the engine begins.
const lookBack = 1000

// catchUp looks at what happened while nobody told: before the start, or while the feed was lost. What
// came meanwhile is told once, as a digest; nothing old is announced as new (A13). What is newer than seq
// comes by the feed.
func (e *Engine) catchUp(seq int64) {
	now := e.p.Now()
	if until, quiet := notify.QuietAt(e.p.Center.Settings(), now); quiet {
		e.quiet = until
	}
	e.lookAgain(now)
	e.recover(now)
	var missed []*notify.Record
	var cursor notify.Cursor
	for seen := 0; seen < lookBack; {
		page, err := e.p.Center.Query(e.ctx, notify.Filter{Statuses: []notify.Status{notify.Pending}}, cursor, 200)
		if err != nil {
			e.log.Warn("pending records not read", "err", err)
			break
		}
		for _, r := range page.Records {
			if r.Change <= seq && e.missed(r, now) {
				missed = append(missed, r)
			}
			e.planReminder(r, now)
		}
		seen += len(page.Records)
		if cursor = page.Next; cursor == (notify.Cursor{}) || len(page.Records) == 0 {
			break
		}
	}
	if !e.quiet.IsZero() {
		for _, r := range missed {
			e.live[r.ID], e.held[r.ID] = r, r
		}
		return
	}
	e.digest(missed, now, Words.away)
}

// lookAgain brings what is known of records up to date, for the changes that a lost feed did not bring:
// nothing that has ended stays on the screen or is reminded of.
func (e *Engine) lookAgain(now time.Time) {
	for _, id := range slices.Sorted(maps.Keys(e.live)) {
		known := e.live[id]
		r, err := e.p.Center.Record(e.ctx, id)
		switch {
		case notify.CodeOf(err) == notify.CodeNotFound, err == nil && r.Status.Terminal():
			e.forget(id, "it ended")
			continue
		case err != nil, r.Change == known.Change:
			continue
		}
		e.live[id] = r
		if _, ok := e.held[id]; ok {
			e.held[id] = r
		}
		e.planReminder(r, now)
		if leftFront(r, now) {
			e.withdraw(id, "it left the front")
			continue
		}
		for _, l := range e.inOrder() {
			l.replace(r)
		}
	}
}

// missed reports whether r would have been told by a toast and never was; what waits is told again
// when the owner comes back.
func (e *Engine) missed(r *notify.Record, now time.Time) bool {
	if _, known := e.live[r.ID]; known || r.Read && !r.Waiting() || !notify.PlaceOf(r, now).Front() {
		return false
	}
	a := notify.Announce(notify.AnnounceInput{
		Change: notify.Change{Name: notify.EvCreated, Record: r}, Provider: notify.ProviderToast, Settings: e.p.Center.Settings(),
		Connection: e.connection(r.Connection), Now: now, Away: true,
	})
	if a.Act != notify.ActTell && !a.Later {
		return false
	}
	rows, err := e.p.Ledger.Deliveries(e.ctx, notify.ProviderToast, r.ID, 20)
	if err != nil {
		return r.Waiting()
	}
	for _, d := range rows {
		if d.State == notify.DeliveryClaimed { // an earlier run ended in the middle of it
			d.State, d.Reason = notify.DeliveryFailed, string(notify.ReasonError)+": interrupted"
			e.settle(d)
		}
	}
	return r.Waiting() || !slices.ContainsFunc(rows, func(d notify.Delivery) bool {
		return d.State == notify.DeliveryDelivered || d.State == notify.DeliveryHeld && d.Reason == string(notify.ReasonFocus)
	})
}

// recover takes up the failed rows of an earlier run.
func (e *Engine) recover(now time.Time) {
	rows, err := e.p.Ledger.Retries(e.ctx, now.Add(retryMost+time.Hour))
	if err != nil {
		e.log.Warn("failed deliveries not read", "err", err)
		return
	}
	for _, row := range rows {
		l := e.lanes[row.Provider]
		if l == nil || slices.ContainsFunc(l.retries, func(j *job) bool { return j.row.ID == row.ID }) {
			continue
		}
		r, err := e.p.Center.Record(e.ctx, row.RecordID)
		if err != nil || r.Status.Terminal() {
			row.RetryAt = time.Time{}
			e.settle(row)
			continue
		}
		e.live[r.ID] = r
		l.retries = append(l.retries, &job{record: r, kind: Item, row: row})
	}
}

// endOfQuiet tells once what was held back (A8).
func (e *Engine) endOfQuiet(now time.Time) {
	records := values(e.held)
	clear(e.held)
	e.digest(records, now, Words.heldBack)
}

// digest tells of records once, under a title that says what their number is of, by toast and by a sound when something waits.
func (e *Engine) digest(records []*notify.Record, now time.Time, title func(Words) string) {
	d := notify.DigestOf(records, now)
	if d.Empty() {
		return
	}
	for _, l := range e.inOrder() {
		if l.name != notify.ProviderToast && l.name != notify.ProviderSound {
			continue
		}
		var jobs []*job
		for _, r := range d.Records {
			row, ok := l.heldRows[r.ID]
			delete(l.heldRows, r.ID)
			if !ok {
				if l.name == notify.ProviderSound {
					continue
				}
				a := notify.Announcement{ID: notify.AnnounceIDOf(notify.Change{Name: notify.EvCreated, Record: r}), Reason: notify.ReasonDigest}
				row = e.row(l, r, a, notify.DeliveryClaimed, now)
				if !e.claim(&row) {
					row.Occurrence += "@" + now.UTC().Format(time.RFC3339Nano) // told before: again, as a digest
					e.claim(&row)
				}
			}
			row.Reason = string(notify.ReasonDigest)
			e.live[r.ID] = r
			jobs = append(jobs, &job{record: r, kind: Digest, row: row})
		}
		if l.name == notify.ProviderSound && (d.Waiting == 0 || len(jobs) == 0) {
			continue
		}
		m := e.gather(l, Digest, d.Records, now)
		w := e.p.Words().orEnglish()
		m.Title = fmt.Sprintf(title(w), e.counted(d, w, w.DigestWaiting, w.DigestMore))
		m.Delivery = e.p.NewID()
		if len(jobs) > 0 {
			m.Delivery = jobs[0].row.ID
		}
		if l.name == notify.ProviderToast {
			e.beginSummary(now)
			for _, r := range d.Records {
				e.summary[r.ID] = r // it goes, or shrinks, as its items end
			}
		}
		l.send(outgoing{message: m, jobs: jobs})
	}
	// Webhooks and commands hear of each by itself: a machine needs no digest.
	for _, l := range e.inOrder() {
		for _, r := range d.Records {
			row, ok := l.heldRows[r.ID]
			if !ok {
				continue
			}
			delete(l.heldRows, r.ID)
			row.State, row.Reason = notify.DeliveryClaimed, string(notify.ReasonDigest)
			e.settle(row)
			l.offer(&job{record: r, kind: Item, row: row}, now)
		}
	}
}
