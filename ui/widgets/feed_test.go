package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

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

// What ends soon is bold and in the tone of an error: on a card, on a line, and set aside.
func TestWhatEndsSoonIsLoud(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Light, 1))
	soon := theme.Tone("error")
	for _, aside := range []vm.Msg{{}, vm.M("aside.now")} {
		for _, ending := range []bool{false, true} {
			card := NewCard(env(t))
			card.Set(vm.Card{ID: "x", Waiting: true, Aside: !aside.IsZero(), AsideFor: aside, Clock: vm.MA("clock.exact", "9:12"), Deadline: vm.MA("clock.exact", "0:21"),
				Ending: ending, Sign: vm.Sign{Tone: vm.ToneWaiting}}, false, false, false, nil)
			line := newLineRow(env(t), vm.RowJump, nil)
			line.set(&vm.Row{Kind: vm.RowJump, Jump: &vm.Jump{Aside: aside, Clock: vm.MA("clock.exact", "9:12"), Deadline: vm.MA("clock.exact", "0:21"), Ending: ending}}, false)
			for on, got := range map[string]Look{"card": card.clock.look, "line": line.clock.look} {
				if got.Bold != ending || (got.Color == soon) != ending {
					t.Errorf("%s, aside %v, ending %v: %+v", on, !aside.IsZero(), ending, got)
				}
			}
		}
	}
}
