package notify

import (
	"slices"
	"strconv"
	"time"
)

// QuietAt reports whether announcements are held back at an instant in the owner's own time zone, and
// until when (A8).
func QuietAt(s Settings, now time.Time) (until time.Time, quiet bool) {
	if s.QuietUntil.After(now) {
		until = s.QuietUntil
	}
	for {
		next := until
		from := now
		if !until.IsZero() {
			from = until.In(now.Location())
		}
		for _, h := range s.QuietHours {
			if end, ok := h.at(from); ok && end.After(next) {
				next = end
			}
		}
		// One stretch may lead into the next; a week of them is quiet for good.
		if !next.After(until) || next.Sub(now) > 7*24*time.Hour {
			return next, !next.IsZero()
		}
		until = next
	}
}

// QuietChoice is a preset of do not disturb.
type QuietChoice struct {
	Name  string    // one of the names below
	Until time.Time // zero: off
}

// The presets, in the order in which they are offered.
const (
	QuietOff      = "off"
	Quiet30       = "30m"
	Quiet60       = "1h"
	QuietTomorrow = "tomorrow" // eight in the morning
	QuietForever  = "forever"  // until the owner turns it off
)

// QuietEnd is when a do-not-disturb ends that has no end of its own.
var QuietEnd = SetAsideForever

// QuietChoices are the presets at an instant in the owner's own time zone; every place that offers do not
// disturb offers these. Before four it is still night, and tomorrow the same day's morning.
func QuietChoices(now time.Time) []QuietChoice {
	y, m, d := now.Date()
	if now.Hour() >= 4 {
		d++
	}
	return []QuietChoice{
		{Name: QuietOff},
		{Quiet30, now.Add(30 * time.Minute)},
		{Quiet60, now.Add(time.Hour)},
		{QuietTomorrow, time.Date(y, m, d, 8, 0, 0, 0, now.Location())},
		{QuietForever, QuietEnd},
	}
}

// at reports whether the stretch covers an instant, and when it ends. It may have begun the day before.
func (h QuietHours) at(now time.Time) (end time.Time, ok bool) {
	from, ok1 := clock(h.From)
	to, ok2 := clock(h.To)
	if !ok1 || !ok2 {
		return zeroTime, false
	}
	for back := range 2 {
		y, m, d := now.AddDate(0, 0, -back).Date()
		begin := time.Date(y, m, d, 0, from, 0, 0, now.Location())
		last := d
		if to <= from {
			last++
		}
		end := time.Date(y, m, last, 0, to, 0, 0, now.Location())
		if len(h.Days) > 0 && !slices.Contains(h.Days, begin.Weekday()) {
			continue
		}
		if !now.Before(begin) && now.Before(end) {
			return end, true
		}
	}
	return zeroTime, false
}

// clock reads HH:MM as minutes.
func clock(s string) (int, bool) {
	t, err := time.Parse("15:04", s)
	return t.Hour()*60 + t.Minute(), err == nil
}

func checkQuietHours(hours []QuietHours) error {
	var k checker
	if len(hours) > maxSettings {
		k.bad("/quiet_hours", "must be at most %d", maxSettings)
		return k.err()
	}
	for i, h := range hours {
		at := "/quiet_hours/" + strconv.Itoa(i)
		if _, ok := clock(h.From); !ok {
			k.bad(at+"/from", "must have the form HH:MM")
		}
		if _, ok := clock(h.To); !ok {
			k.bad(at+"/to", "must have the form HH:MM")
		}
		for _, d := range h.Days {
			if d < time.Sunday || d > time.Saturday {
				k.bad(at+"/days", "must be 0 (Sunday) to 6")
			}
		}
	}
	return k.err()
}

// Digest is what is told once when a quiet time, or an absence, ends (A8, A13): of what was held back,
// only what still matters.
type Digest struct {
	Waiting, Failed, Finished, Other int
	// Records are what it is about, what waits first, then in the order of P6.
	Records []*Record
}

// Empty reports whether there is nothing to tell.
func (d Digest) Empty() bool { return len(d.Records) == 0 }

// DigestOf gathers what was held back and is still to be told: pending, unread, and shown at the
// front. records may repeat a record; the newest of each counts.
func DigestOf(records []*Record, now time.Time) Digest {
	newest := map[string]*Record{}
	for _, r := range records {
		if o := newest[r.ID]; o == nil || r.Change > o.Change {
			newest[r.ID] = r
		}
	}
	var d Digest
	for _, r := range newest {
		if r.Read || !PlaceOf(r, now).Front() {
			continue
		}
		switch {
		case r.Waiting():
			d.Waiting++
		case failed(r):
			d.Failed++
		case r.Event != nil && r.Event.Type == EventTurnFinished:
			d.Finished++
		default:
			d.Other++
		}
		d.Records = append(d.Records, r)
	}
	slices.SortFunc(d.Records, func(a, b *Record) int { return Order(a, b, now) })
	return d
}

func failed(r *Record) bool {
	return severityRank(r.Severity) >= severityRank(SeverityError) || r.Event != nil && r.Event.Type == EventTurnFailed
}
