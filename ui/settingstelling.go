package ui

import (
	"context"
	"slices"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// telling is what toasts show, when what waits is told again, and when many become one.
func (s *settingsWindow) telling() {
	u := s.u
	now := u.o.TellingOf()
	put := func(edit func(*Telling)) {
		was := u.o.TellingOf()
		t := was // what else was chosen since this was drawn stays
		edit(&t)
		background(u, func(context.Context) (struct{}, error) { return struct{}{}, u.o.SetTelling(was, t) }, func(_ struct{}, err error) { s.changed(err) })
	}
	s.head("told.toasts")
	var objs []fyne.CanvasObject
	for _, c := range []struct{ level, key string }{{"full", "told.toast_full"}, {"title", "told.toast_title"}, {"none", "told.toast_none"}} {
		b := widgets.NewButton(u.t(c.key), widgets.Plain, func() { put(func(t *Telling) { t.Privacy = c.level }) })
		b.Chosen = now.Privacy == c.level
		objs = append(objs, b)
	}
	s.box(widgets.NewRow(6, objs...), caption(u.t("told.toast_note")))

	const m = time.Minute
	reminders := [][]time.Duration{nil, {3 * m, 10 * m, 30 * m}, {10 * m, 30 * m}, {30 * m}}
	s.head("told.remind")
	s.box(pick(u, reminders, now.Remind, slices.Equal, vm.RemindWord, func(d []time.Duration) { put(func(t *Telling) { t.Remind = d }) }),
		caption(u.t("told.remind_note")))

	type storm struct {
		count  int
		window time.Duration
	}
	storms := []storm{{0, now.StormWindow}, {3, 10 * time.Second}, {5, 10 * time.Second}, {10, 10 * time.Second}}
	same := func(a, b storm) bool { return a == b || a.count == 0 && b.count == 0 }
	s.head("told.storms")
	s.box(pick(u, storms, storm{now.StormCount, now.StormWindow}, same, func(c storm) vm.Msg { return vm.StormWord(c.count, c.window) },
		func(c storm) { put(func(t *Telling) { t.StormCount, t.StormWindow = c.count, c.window }) }), caption(u.t("told.storms_note")))
}

// holding is how long a question may hold each agent that is connected.
func (s *settingsWindow) holding() {
	u := s.u
	s.loadAgents()
	var rows []fyne.CanvasObject
	for _, a := range s.agents {
		if !a.Connected || !a.Holds {
			continue
		}
		holds := []time.Duration{0, 45 * time.Second, 2 * time.Minute, 5 * time.Minute, 590 * time.Second}
		same := func(x, y time.Duration) bool { return x == y }
		rows = append(rows, widgets.NewSplitRow(body(a.Name), pick(u, holds, a.Hold, same, vm.HoldWord, func(d time.Duration) {
			background(u, func(ctx context.Context) (struct{}, error) { return struct{}{}, u.o.Hold(ctx, a.ID, d) }, func(_ struct{}, err error) {
				s.agents = nil // they are read anew
				s.changed(err)
			})
		})))
	}
	if len(rows) > 0 {
		s.head("told.hold")
		s.box(append(rows, caption(u.t("told.hold_note")))...)
	}
}

// pick offers values, and what is so beside them where it is none of them.
func pick[T any](u *UI, values []T, now T, same func(a, b T) bool, word func(T) vm.Msg, set func(T)) fyne.CanvasObject {
	at := slices.IndexFunc(values, func(v T) bool { return same(v, now) })
	if at < 0 {
		values, at = append(values, now), len(values)
	}
	var names []string
	for _, v := range values {
		names = append(names, u.tr(word(v)))
	}
	c := widgets.NewSelect(names, nil)
	c.SetSelectedIndex(at)
	c.OnChanged = func(string) {
		if i := c.SelectedIndex(); i >= 0 && i != at {
			set(values[i])
		}
	}
	return wide(c)
}
