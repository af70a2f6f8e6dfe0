package ui

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// quietPage is do not disturb, now and by schedule.
func (s *settingsWindow) quietPage() {
	u := s.u
	s.lead("quiet.lead")
	set := u.snap.Settings
	s.head("quiet.now")
	var objs []fyne.CanvasObject
	quiet := set.QuietUntil.After(u.now())
	for _, q := range vm.QuietChoices(u.now()) {
		b := widgets.NewButton(u.tr(q.Label), widgets.Plain, func() {
			until := q.Until.UTC()
			u.do(notify.SetSettings{QuietUntil: &until}, func(_ notify.Result, err error) { s.changed(err) })
		})
		b.Chosen = q.Until.IsZero() && !quiet || q.Until.Equal(notify.QuietEnd) && set.QuietUntil.Equal(notify.QuietEnd)
		objs = append(objs, b)
	}
	state := u.t("quiet.is_off")
	if quiet {
		state = u.tr(vm.QuietWord(u.now(), set.QuietUntil))
	}
	s.box(body(state), widgets.NewRow(8, objs...))
	s.head("quiet.hours")
	put := func(edit func([]notify.QuietHours) ([]notify.QuietHours, error), then func(error)) {
		u.change(func(now notify.Settings) (notify.SetSettings, error) {
			list, err := edit(slices.Clone(now.QuietHours))
			return notify.SetSettings{QuietHours: &list}, err
		}, then)
	}
	for i, h := range set.QuietHours {
		del := widgets.NewIconButton("trash", "", func() {
			put(func(list []notify.QuietHours) ([]notify.QuietHours, error) {
				i, err := find(list, i, h)
				if err != nil {
					return nil, err
				}
				return slices.Delete(list, i, i+1), nil
			}, s.changed)
		})
		s.box(widgets.NewSplitRow(body(u.daysText(h.Days)+"  "+h.From+" – "+h.To), del))
	}
	from, to := s.drafts.entry("quiet:from", "22:00"), s.drafts.entry("quiet:to", "07:00")
	days := []time.Weekday{time.Monday, time.Tuesday, time.Wednesday, time.Thursday, time.Friday, time.Saturday, time.Sunday}
	var keys, names []string
	for _, d := range days {
		keys, names = append(keys, strconv.Itoa(int(d))), append(names, u.dayName(d))
	}
	group := several(s.drafts, "quiet:days", keys, names)
	group.Horizontal = true
	add := widgets.NewButton(u.t("quiet.add"), widgets.Primary, func() {
		h := notify.QuietHours{From: strings.TrimSpace(from.Text), To: strings.TrimSpace(to.Text)}
		for i, n := range names {
			if slices.Contains(group.Selected, n) {
				h.Days = append(h.Days, days[i])
			}
		}
		put(func(list []notify.QuietHours) ([]notify.QuietHours, error) { return append(list, h), nil }, func(err error) {
			if err == nil {
				s.drafts.forget("quiet:")
			}
			s.changed(err)
		})
	})
	s.box(widgets.NewRow(8, label(u.t("quiet.from")), fixed{from, 80}.object(), label(u.t("quiet.to")), fixed{to, 80}.object()), group, caption(u.t("quiet.days_note")), widgets.NewRow(8, add))
}

func (u *UI) dayName(d time.Weekday) string {
	switch d {
	case time.Monday:
		return u.t("day.mon")
	case time.Tuesday:
		return u.t("day.tue")
	case time.Wednesday:
		return u.t("day.wed")
	case time.Thursday:
		return u.t("day.thu")
	case time.Friday:
		return u.t("day.fri")
	case time.Saturday:
		return u.t("day.sat")
	}
	return u.t("day.sun")
}

func (u *UI) daysText(days []time.Weekday) string {
	if len(days) == 0 || len(days) == 7 {
		return u.t("day.every")
	}
	var out []string
	for _, d := range days {
		out = append(out, u.dayName(d))
	}
	return strings.Join(out, ", ")
}
