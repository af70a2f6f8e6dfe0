package ui

import (
	"context"
	"slices"
	"time"

	"github.com/dustin/go-humanize"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// keepPage is history retention, the default and per connection (R4).
func (s *settingsWindow) keepPage() {
	u := s.u
	s.lead("keep.lead")
	if u.o.RetentionOf != nil && u.o.SetRetention != nil {
		s.head("keep.default")
		s.keep(u.o.RetentionOf(), false, func(age *time.Duration, count *int) {
			was := u.o.RetentionOf()
			r := was
			if age != nil {
				r.Age = *age
			}
			if count != nil {
				r.Count = *count
			}
			background(u, func(context.Context) (struct{}, error) { return struct{}{}, u.o.SetRetention(was, r) }, func(_ struct{}, err error) { s.changed(err) })
		})
	}
	list := u.connections()
	if len(list) > 0 {
		s.head("keep.connections")
	}
	for _, c := range list {
		title := widgets.LookTitle
		title.Max = 1
		s.col.Add(widgets.NewText(c.Label, title))
		s.keep(Retention{c.KeepAge, c.KeepCount}, true, func(age *time.Duration, count *int) {
			u.do(notify.UpdateConnection{ID: c.ID, KeepAge: age, KeepCount: count}, func(_ notify.Result, err error) { s.changed(err) })
		})
	}
	if u.o.Backup != nil {
		s.head("keep.backup")
		s.box(body(u.t("keep.backup_text")), widgets.NewRow(8, widgets.NewButton(u.t("keep.backup_do"), widgets.Plain, func() {
			background(u, u.o.Backup, func(path string, err error) {
				if err != nil {
					s.say(u.tr(vm.Trouble(err)))
					return
				}
				s.say(u.tr(vm.MA("keep.backup_done", path)))
			})
		})))
	}
}

const day = 24 * time.Hour

// keep offers ages and counts; set is told which of the two was chosen, for the other may have changed meanwhile.
func (s *settingsWindow) keep(now Retention, inherit bool, set func(age *time.Duration, count *int)) {
	u := s.u
	ages := []time.Duration{7 * day, 30 * day, 90 * day, 365 * day}
	counts := []int{1_000, 10_000, 100_000, 1_000_000}
	zero := u.t("keep.forever")
	zeroCount := u.t("keep.any")
	if inherit {
		zero, zeroCount = u.t("keep.as_default"), u.t("keep.as_default")
	}
	if now.Age > 0 && !slices.Contains(ages, now.Age) {
		ages = append(ages, now.Age)
	}
	if now.Count > 0 && !slices.Contains(counts, now.Count) {
		counts = append(counts, now.Count)
	}
	ageNames, countNames := []string{zero}, []string{zeroCount}
	for _, a := range ages {
		ageNames = append(ageNames, u.tr(vm.MN("keep.days", int(a/day))))
	}
	for _, c := range counts {
		countNames = append(countNames, u.tr(vm.MA("keep.count", humanize.Comma(int64(c)))))
	}
	age, count := widgets.NewSelect(ageNames, nil), widgets.NewSelect(countNames, nil)
	age.SetSelectedIndex(slices.Index(ages, now.Age) + 1)
	count.SetSelectedIndex(slices.Index(counts, now.Count) + 1)
	age.OnChanged = func(string) {
		var v time.Duration
		if i := age.SelectedIndex(); i > 0 {
			v = ages[i-1]
		}
		set(&v, nil)
	}
	count.OnChanged = func(string) {
		v := 0
		if i := count.SelectedIndex(); i > 0 {
			v = counts[i-1]
		}
		set(nil, &v)
	}
	s.box(widgets.NewRow(8, wide(age), wide(count)))
}
