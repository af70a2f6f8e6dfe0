package ui

import (
	"context"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// toldPage is the matrix of providers and events, and the sounds.
func (s *settingsWindow) toldPage() {
	u := s.u
	s.lead("told.lead")
	set := u.snap.Settings
	var heads []string
	for _, p := range u.o.Providers {
		heads = append(heads, u.tr(vm.ProviderLabel(p)))
	}
	grid := widgets.NewMatrix(heads)
	for _, row := range vm.Matrix(set.Subscriptions, u.o.Providers) {
		var on []bool
		for _, c := range row.Cells {
			on = append(on, c.On)
		}
		grid.Row(u.tr(row.Label), on, func(i int, on bool) {
			u.change(func(now notify.Settings) (notify.SetSettings, error) {
				subs := vm.Subscribe(now.Subscriptions, row.Cells[i].Provider, row.Event, on)
				return notify.SetSettings{Subscriptions: &subs}, nil
			}, func(err error) {
				if err != nil {
					s.changed(err) // the cell is again as it was
				}
			})
		})
	}
	s.box(grid)
	s.col.Add(caption(u.t("told.note")))
	if u.o.TellingOf != nil && u.o.SetTelling != nil {
		s.telling()
	}
	if u.o.Agents != nil && u.o.Hold != nil {
		s.holding()
	}
	if len(u.o.Sounds) > 0 && u.o.PlaySound != nil {
		s.head("told.sounds")
		var objs []fyne.CanvasObject
		for _, name := range u.o.Sounds {
			b := widgets.NewIconButton("play", u.tr(vm.SoundName(name)), func() {
				background(u, func(context.Context) (struct{}, error) { return struct{}{}, u.o.PlaySound(name) }, func(_ struct{}, err error) {
					if err != nil {
						s.say(u.t("told.no_sound"))
					}
				})
			})
			b.Style = widgets.Plain
			objs = append(objs, b)
		}
		s.box(widgets.NewRow(8, objs...))
	}
	if u.o.TestNotification != nil {
		s.head("connect.test")
		s.box(s.testRow())
	}
}
