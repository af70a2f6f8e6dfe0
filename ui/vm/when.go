package vm

import (
	"strconv"
	"time"

	"signalbox/notify"
)

// Ago says how long ago t was, coarsely. A future instant (another clock) counts as now.
func Ago(now, t time.Time) Msg {
	d := now.Sub(t)
	switch {
	case d < time.Minute:
		return M("ago.now")
	case d < time.Hour:
		return MN("ago.minutes", int(d/time.Minute))
	case d < 24*time.Hour:
		return MN("ago.hours", int(d/time.Hour))
	case d < 7*24*time.Hour:
		return MN("ago.days", int(d/(24*time.Hour)))
	}
	return Msg{Key: "ago.date", A: t.In(now.Location()).Format("2006-01-02")}
}

// exactFor is how long a clock shows seconds: for longer they tell nobody anything, and would have everything drawn
// anew each second.
const exactFor = 10 * time.Minute

// Clock says how long something waits, or has left: 0:07, 9:59, from ten minutes on whole minutes: 12 min, 1 h 5 min.
// It never goes below zero.
func Clock(d time.Duration) Msg {
	d = max(d, 0)
	if d < exactFor {
		s := int(d/time.Second) % 60
		two := strconv.Itoa(s)
		if s < 10 {
			two = "0" + two
		}
		return MA("clock.exact", strconv.Itoa(int(d/time.Minute))+":"+two)
	}
	minutes := int(d / time.Minute)
	switch hours := minutes / 60; {
	case hours == 0:
		return MN("clock.minutes", minutes)
	case minutes%60 == 0:
		return MN("clock.hours", hours)
	default:
		return Msg{Key: "clock.hours_minutes", N: hours, A: strconv.Itoa(minutes % 60)}
	}
}

// endingFrom is how much time is left when it is said louder.
const endingFrom = time.Minute

// ending reports whether r, which has a deadline, has little time left.
func ending(r *notify.Record, now time.Time) bool { return r.InteractionDeadline.Sub(now) < endingFrom }

// Stamp writes an instant in the owner's zone (that of now): the time alone for today, else with the date.
func Stamp(now, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2006-01-02 15:04")
}

// FullStamp writes an instant with its date and seconds in the zone of now.
func FullStamp(now, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(now.Location()).Format("2006-01-02 15:04:05")
}

// Snooze is a preset of the snooze menu.
type Snooze struct {
	Label Msg
	// Until is when the item comes back. UntilChange: it is set aside, until the session says
	// something new, and Until is zero.
	Until       time.Time
	UntilChange bool
}

// Snoozes are the presets at an instant, in the owner's zone (that of now). "This evening" is 18:00
// and is not offered from 17:30 on; "tomorrow" is 9:00.
func Snoozes(now time.Time) []Snooze {
	y, m, d := now.Date()
	at := func(day, hour int) time.Time { return time.Date(y, m, d+day, hour, 0, 0, 0, now.Location()) }
	list := []Snooze{
		{Label: MN("snooze.minutes", 15), Until: now.Add(15 * time.Minute)},
		{Label: MN("snooze.hours", 1), Until: now.Add(time.Hour)},
	}
	if evening := at(0, 18); now.Add(30 * time.Minute).Before(evening) {
		list = append(list, Snooze{Label: M("snooze.evening"), Until: evening})
	}
	return append(list,
		Snooze{Label: M("snooze.tomorrow"), Until: at(1, 9)},
		Snooze{Label: M("snooze.event"), UntilChange: true})
}

// SnoozesOf are the presets that all of some items can have at an instant, and when the first of them ends by itself, where that
// leaves presets out: nothing is put off beyond its end. Zero: it leaves out none.
func SnoozesOf(now time.Time, records ...*notify.Record) (list []Snooze, ends time.Time) {
	var end time.Time
	events := true
	for _, r := range records {
		if d := r.InteractionDeadline; r.Waiting() && !d.IsZero() && (end.IsZero() || d.Before(end)) {
			end = d
		}
		events = events && (r.Session != "" || r.Waiting()) // else it has no session that says something
	}
	for _, s := range Snoozes(now) {
		switch {
		case s.UntilChange:
			if events {
				list = append(list, s)
			}
		case !end.IsZero() && !s.Until.Before(end):
			ends = end
		default:
			list = append(list, s)
		}
	}
	return list, ends
}

// QuietChoice is a preset of do not disturb.
type QuietChoice struct {
	Label Msg
	Until time.Time // zero: off
}

var quietLabels = map[string]Msg{
	notify.QuietOff: M("quiet.off"), notify.Quiet30: MN("snooze.minutes", 30), notify.Quiet60: MN("snooze.hours", 1),
	notify.QuietTomorrow: M("quiet.tomorrow"), notify.QuietForever: M("quiet.forever"),
}

// QuietChoices are the presets of do not disturb at an instant, the same as in the tray; the first turns it off.
func QuietChoices(now time.Time) []QuietChoice {
	var list []QuietChoice
	for _, c := range notify.QuietChoices(now) {
		list = append(list, QuietChoice{quietLabels[c.Name], c.Until})
	}
	return list
}

// QuietWord says until when do not disturb lasts, or that it has no end of its own.
func QuietWord(now, until time.Time) Msg {
	if notify.Endless(until) {
		return M("banner.quiet_forever")
	}
	return MA("banner.quiet", Stamp(now, until))
}
