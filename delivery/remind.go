package delivery

import (
	"strconv"
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

// remindDue tells again what still waits: in place of the toast that is there, if one is.
func (e *Engine) remindDue(now time.Time) {
	for id, m := range e.remind {
		if m.at.After(now) {
			continue
		}
		r := e.live[id]
		if r == nil || !r.Waiting() || m.told >= len(e.p.Remind) {
			delete(e.remind, id)
			continue
		}
		in := notify.AnnounceInput{Change: notify.Change{Name: notify.EvResurfaced, Record: r}, Settings: e.p.Center.Settings(),
			Connection: e.connection(r.Connection), Now: now, Away: e.away()}
		wait := e.p.Remind[min(m.told+1, len(e.p.Remind)-1)]
		if until, quiet := notify.QuietAt(in.Settings, now); quiet {
			m.at = until.Add(wait) // the digest tells of it first
			continue
		}
		m.told++
		m.at = now.Add(wait)
		for _, l := range e.inOrder() {
			if l.name != notify.ProviderToast && l.name != notify.ProviderSound {
				continue
			}
			in.Provider = l.name
			a := notify.Announce(in)
			if a.Act != notify.ActTell {
				continue // muted, in focus, unsubscribed: as for the item itself
			}
			a.ID.EventType, a.Detail = "reminder", "reminder "+strconv.Itoa(m.told)
			a.ID.Occurrence += "#" + strconv.FormatInt(now.UnixMilli(), 10)
			e.tell(l, r, a, Reminder, now)
		}
	}
}
