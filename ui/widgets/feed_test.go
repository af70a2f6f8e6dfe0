package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

func sessionRef(c, s string) notify.SessionRef { return notify.SessionRef{Connection: c, Session: s} }

func TestFeedLooks(t *testing.T) {
	for _, c := range []struct {
		name string
		w, h float32
	}{{"feed-wide", 720, 1500}, {"feed-narrow", 360, 1100}} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name, c.w, c.h, func() fyne.CanvasObject {
				f := NewFeed(env(t))
				s := snapshot()
				f.Set(vm.Rail(s, &vm.Memory{}, vm.RailFilter{}).Rows)
				return f
			})
		})
	}
}

func TestSidebarLooks(t *testing.T) {
	golden(t, "sidebar", 260, 420, func() fyne.CanvasObject {
		s := NewSidebar(env(t))
		s.Set(vm.Sidebar(snapshot()))
		bg := newBox(theme.ColorSide, 0)
		return container.NewStack(bg.Rectangle, s)
	})
}
