package widgets

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// many are a connection and n sessions of it, of which one is active; -1: none.
func many(n, active int) []vm.SideRow {
	rows := []vm.SideRow{{Kind: vm.SideAll, Label: "All", Active: active < 0}, {Kind: vm.SideConnection, Ref: notify.SessionRef{Connection: "c"}, Label: "c"}}
	for i := range n {
		rows = append(rows, vm.SideRow{Kind: vm.SideSession, Ref: notify.SessionRef{Connection: "c", Session: fmt.Sprint(i)}, Label: fmt.Sprint("s", i), Active: i == active})
	}
	return rows
}

// A pointer that does not move for a while has left, for the toolkit does not tell when it leaves the window: the row shows it no
// more, and new sessions take their places. One that rested there goes on where it is, by moving or by a press.
func TestAPointerThatRestsHasLeftTheSidebar(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Light, 1))
	now := sample.Now
	e := env(t)
	e.Now = func() time.Time { return now }
	s := NewSidebar(e)
	test.NewTempWindow(t, s).Resize(fyne.NewSize(280, 600))
	menus := 0
	s.OnMenu = func(vm.SideRow, fyne.Position) { menus++ }
	rows := many(3, -1)
	s.Set(rows)
	i := s.items[3]
	dots := at(i.Size().Width - 20)
	i.MouseIn(at(60))
	now = now.Add(2 * time.Second)
	i.MouseMoved(dots)
	now = now.Add(2 * time.Second)
	next := slices.Insert(slices.Clone(rows), 2, vm.SideRow{Kind: vm.SideSession, Ref: notify.SessionRef{Connection: "c", Session: "new"}, Label: "new"})
	s.Set(next)
	if !i.dots() || !s.tip.Visible() || s.rows[2].Ref.Session != "0" {
		t.Errorf("it has left too soon: dots %v, tip %v, first is %q", i.dots(), s.tip.Visible(), s.rows[2].Ref.Session)
	}
	now = now.Add(time.Second)
	s.Set(next)
	if i.dots() || s.tip.Visible() || s.rows[2].Ref.Session != "new" {
		t.Errorf("it has not left: dots %v, tip %v, first is %q", i.dots(), s.tip.Visible(), s.rows[2].Ref.Session)
	}
	i.Tapped(&dots.PointEvent)
	if menus != 1 {
		t.Error("a press on the dots, which were there when the pointer came to rest, opens no menu")
	}
	now = now.Add(3 * time.Second)
	s.Set(next)
	if i.MouseMoved(at(60)); !i.dots() {
		t.Error("it does not come back by moving")
	}
}

// The session that becomes the active one is brought into view, once: the owner may scroll away from it.
func TestTheActiveSessionIsInView(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(theme.New(theme.Light, 1))
	s := NewSidebar(env(t))
	s.Set(many(40, 35)) // before there is any room
	w := test.NewTempWindow(t, s)
	inView := func(session int) bool {
		i := s.items[session+2]
		top := i.Position().Y - s.scroll.Offset.Y
		return top >= 0 && top+i.Size().Height <= s.scroll.Size().Height
	}
	w.Resize(fyne.NewSize(280, 400))
	if !inView(35) {
		t.Errorf("not in view when the window opens, at %v", s.scroll.Offset.Y)
	}
	for _, active := range []int{0, 39, 20} {
		s.Set(many(40, active))
		if !inView(active) {
			t.Errorf("%d is not in view, at %v", active, s.scroll.Offset.Y)
		}
	}
	s.scroll.ScrollToOffset(fyne.NewPos(0, 0))
	rows := many(40, 20)
	rows[5].Unread = 1
	if s.Set(rows); s.scroll.Offset.Y != 0 {
		t.Error("it scrolls back to the active session")
	}
}
