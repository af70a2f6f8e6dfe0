package delivery

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"signalbox/notify"
)

// reminder is the next time that an item which waits is told again.
type reminder struct {
	at   time.Time
	told int // reminders given
}

// planReminder begins, keeps or ends the reminders of a record.
func (e *Engine) planReminder(r *notify.Record, now time.Time) {
	if !r.Waiting() || r.Silent || len(e.p.Remind) == 0 {
		delete(e.remind, r.ID)
		return
	}
	e.live[r.ID] = r
	m := e.remind[r.ID]
	if m == nil {
		m = &reminder{at: now.Add(e.p.Remind[0])}
		e.remind[r.ID] = m
	}
	// Not before it is at the front again (I7, A5).
	for _, t := range []time.Time{r.SetAsideUntil, r.SnoozeUntil} {
		if t.After(m.at) {
			m.at = t
		}
	}
	if r.SetAsideUntil.Equal(notify.SetAsideForever) {
		delete(e.remind, r.ID)
	}
}

// remindTogether is how much before its time an item is told again together with one whose time has come.
const remindTogether = time.Minute

// remindDue tells again what still waits: one item in place of the toast that is there, if one is; several in one toast, in
// the place of their own.
func (e *Engine) remindDue(now time.Time) {
	due := false
	for _, m := range e.remind {
		due = due || !m.at.After(now)
	}
	if !due {
		return
	}
	var jobs []*job // of the toasts
	for _, id := range slices.Sorted(maps.Keys(e.remind)) {
		m, r := e.remind[id], e.live[id]
		early := m.at.After(now)
		if early && (m.at.Sub(now) > remindTogether || r == nil || m.told >= len(e.p.Remind) || leftFront(r, now)) {
			continue
		}
		if r == nil || !r.Waiting() || m.told >= len(e.p.Remind) {
			delete(e.remind, id)
			continue
		}
		wait := e.p.Remind[min(m.told+1, len(e.p.Remind)-1)]
		if until, quiet := notify.QuietAt(e.p.Center.Settings(), now); quiet {
			m.at = until.Add(wait) // the digest tells of it first
			continue
		}
		m.told++
		m.at = now.Add(wait)
		for _, l := range e.inOrder() {
			if l.name != notify.ProviderToast && l.name != notify.ProviderSound {
				continue
			}
			a := e.onceMore(l.name, r, now)
			if a.Act != notify.ActTell {
				continue // muted, in focus, unsubscribed: as for the item itself
			}
			a.ID.EventType, a.Detail = "reminder", "reminder "+strconv.Itoa(m.told)
			a.ID.Occurrence += "#" + strconv.FormatInt(now.UnixMilli(), 10)
			if l.name == notify.ProviderSound {
				e.tell(l, r, a, Reminder, now)
				continue
			}
			j := &job{record: r, kind: Reminder, row: e.row(l, r, a, notify.DeliveryClaimed, now)}
			if e.claim(&j.row) {
				jobs = append(jobs, j)
			}
		}
	}
	if len(jobs) > 0 {
		e.lanes[notify.ProviderToast].remind(jobs, now)
	}
}

// onceMore is what a provider does about an item that still waits.
func (e *Engine) onceMore(provider string, r *notify.Record, now time.Time) notify.Announcement {
	return notify.Announce(notify.AnnounceInput{Change: notify.Change{Name: notify.EvResurfaced, Record: r}, Settings: e.p.Center.Settings(),
		Connection: e.connection(r.Connection), Now: now, Away: e.away(), Provider: provider})
}

// remind tells again what still waits. Where other items were told again before, and still wait, all of them are one toast.
func (l *lane) remind(jobs []*job, now time.Time) {
	e := l.e
	records := map[string]*notify.Record{}
	for _, j := range jobs {
		records[j.record.ID] = j.record
	}
	for id, m := range e.remind {
		if r := e.live[id]; m.told > 0 && r != nil && r.Waiting() && !leftFront(r, now) && len(l.shown[id]) > 0 && e.onceMore(l.name, r, now).Act == notify.ActTell {
			records[id] = r
		}
	}
	said := len(e.summary) > 0 // all that stands in the toast of several, which may be a digest
	for id := range e.summary {
		said = said && records[id] != nil
	}
	if e.reminding || said { // whatever it still says stands in the new one
		clear(e.summary)
		e.reminding = false
		l.refresh = false
		if len(records) == 1 {
			l.send(outgoing{withdraw: string(Summary)})
		}
	}
	switch {
	case len(records) == 1:
		l.offer(jobs[0], now)
		return
	case !l.storm.Offer(jobs[0].record, now): // they are told in a second, as one, with what else came
		for _, j := range jobs {
			l.storm.Hold(j.record)
			l.waiting[j.record.ID] = j
		}
		return
	}
	for id := range records {
		if len(l.shown[id]) > 0 {
			l.send(outgoing{withdraw: id}) // the toast of its own; what the ledger says of it stays
		}
	}
	clear(e.summary)
	maps.Copy(e.summary, records)
	e.summed, e.reminding = now, true
	for _, j := range jobs {
		j.row.Reason = strings.TrimSuffix(j.row.Reason, inSummary) + inSummary
	}
	l.toasted = append(l.toasted, now)
	l.sendSummary(jobs, false, now)
}
