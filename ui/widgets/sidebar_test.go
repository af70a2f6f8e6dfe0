package widgets

import (
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"signalbox/ui/internal/sample"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
)

// oldSnapshot is the busy afternoon, with a server that does not answer.
func oldSnapshot() *vm.Snapshot {
	s := snapshot()
	s.Old = map[string]vm.OldLists{"claude": {Sessions: true}}
	return s
}

// Every state of the sidebar's rows: what is pointed at, what has the keyboard, and a list that is old.
func TestSidebarStates(t *testing.T) {
	for name, state := range map[string]func(*Sidebar){
		"sidebar-dots":    func(s *Sidebar) { s.items[1].MouseIn(at(s.items[1].Size().Width - 20)) },
		"sidebar-numbers": func(s *Sidebar) { s.items[2].MouseIn(at(s.items[2].numbers + 2)) },
		"sidebar-keys": func(s *Sidebar) {
			s.FocusGained()
			s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
		},
	} {
		golden(t, name, 280, 420, func() fyne.CanvasObject {
			s := NewSidebar(env(t))
			s.Set(vm.Sidebar(oldSnapshot()))
			s.Resize(fyne.NewSize(280, 420))
			state(s)
			return s
		})
	}
}

func at(x float32) *desktop.MouseEvent {
	return &desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 10)}}
}

// A connection and a session are chosen by a click on the row, or Return; the menu is reached by the dots, by the other
// mouse button, by the right arrow and the menu key.
func TestTheMenuOfASidebarRowIsReached(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	s := NewSidebar(env(t))
	win := test.NewTempWindow(t, s)
	win.Resize(fyne.NewSize(280, 600))
	var got []string
	s.OnChoose = func(r vm.SideRow) { got = append(got, "choose "+r.Ref.Connection+"/"+r.Ref.Session) }
	s.OnMenu = func(r vm.SideRow, _ fyne.Position) { got = append(got, "menu "+r.Ref.Connection+"/"+r.Ref.Session) }
	s.Set(vm.Sidebar(snapshot()))
	connection := slices.IndexFunc(s.rows, func(r vm.SideRow) bool { return r.Kind == vm.SideConnection })
	c, session := s.items[connection], s.items[connection+1]
	id, chat := c.row.Ref.Connection, session.row.Ref.Session
	dots := func(i *sideItem) *fyne.PointEvent {
		return &fyne.PointEvent{Position: fyne.NewPos(i.Size().Width-20, 10)}
	}
	want := func(what, event string) {
		t.Helper()
		if !slices.Equal(got, []string{event}) {
			t.Errorf("%s: %q, want %q", what, got, event)
		}
		got = nil
	}
	c.Tapped(dots(c))
	want("the dots of a connection", "menu "+id+"/")
	c.Tapped(&fyne.PointEvent{Position: fyne.NewPos(60, 10)})
	want("a connection", "choose "+id+"/")
	c.TappedSecondary(&fyne.PointEvent{})
	want("the other button", "menu "+id+"/")
	session.Tapped(&fyne.PointEvent{Position: fyne.NewPos(60, 10)})
	want("a session", "choose "+id+"/"+chat)
	session.MouseIn(at(60))
	session.Tapped(dots(session))
	want("the dots of a session that is pointed at", "menu "+id+"/"+chat)
	s.FocusGained()
	s.cursor = connection
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	want("Return on a connection", "choose "+id+"/")
	for _, key := range []fyne.KeyName{fyne.KeyRight, desktop.KeyMenu} {
		s.TypedKey(&fyne.KeyEvent{Name: key})
		want(string(key)+" on a connection", "menu "+id+"/")
	}
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	want("Return on a session", "choose "+id+"/"+chat)
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	want("the right arrow on a session", "menu "+id+"/"+chat)
	s.items[0].TappedSecondary(&fyne.PointEvent{})
	if len(got) != 0 {
		t.Errorf("the overview has a menu: %q", got)
	}
}

// The numbers of a row are explained when they are pointed at, and no longer when they are gone.
func TestTheNumbersOfTheSidebarAreExplained(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	s := NewSidebar(env(t))
	win := test.NewTempWindow(t, s)
	win.Resize(fyne.NewSize(280, 600))
	rows := []vm.SideRow{{Kind: vm.SideAll, Label: "All", Waiting: 1, Unread: 3}}
	s.Set(rows)
	i := s.items[0]
	i.MouseIn(at(i.numbers + 1))
	if !s.tip.Visible() || s.tip.text.Content() != "1 waits for you · 3 unread" {
		t.Errorf("it says %q", s.tip.text.Content())
	}
	rows = slices.Clone(rows)
	rows[0].Waiting, rows[0].Unread = 0, 4
	s.Set(rows)
	if s.tip.text.Content() != "4 unread" {
		t.Errorf("it still says %q", s.tip.text.Content())
	}
	i.MouseMoved(at(60))
	if s.tip.Visible() {
		t.Error("the name is explained")
	}
	if !s.legend.Visible() {
		t.Error("no legend beside numbers")
	}
	s.Set([]vm.SideRow{{Kind: vm.SideAll, Label: "All"}})
	if s.legend.Visible() {
		t.Error("a legend without numbers")
	}
}

// Nothing moves away from under the pointer; the order is made good when the pointer has left.
func TestTheSidebarDoesNotMoveUnderThePointer(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	s := NewSidebar(env(t))
	test.NewTempWindow(t, s).Resize(fyne.NewSize(280, 600))
	rows := vm.Sidebar(snapshot())
	at := slices.IndexFunc(rows, func(r vm.SideRow) bool { return r.Kind == vm.SideSession })
	next := slices.Clone(rows)
	next[at], next[at+1] = next[at+1], next[at]
	s.Set(rows)
	s.items[at].MouseIn(&desktop.MouseEvent{})
	s.Set(next)
	if got := s.items[at].row.Ref; got != rows[at].Ref {
		t.Errorf("%+v came under the pointer", got)
	}
	s.items[at].MouseOut()
	s.Set(next)
	if got := s.items[at].row.Ref; got != next[at].Ref {
		t.Errorf("%+v is still first", got)
	}
}

// A key counts like the pointer for a second, and the keyboard stays with its row wherever that comes to stand.
func TestTheSidebarDoesNotMoveUnderAKey(t *testing.T) {
	app := test.NewTempApp(t)
	app.Settings().SetTheme(theme.New(theme.Light, 1))
	now := sample.Now
	e := env(t)
	e.Now = func() time.Time { return now }
	s := NewSidebar(e)
	win := test.NewTempWindow(t, s)
	win.Resize(fyne.NewSize(280, 600))
	rows := vm.Sidebar(snapshot())
	at := slices.IndexFunc(rows, func(r vm.SideRow) bool { return r.Kind == vm.SideSession })
	next := slices.Clone(rows)
	next[at], next[at+1] = next[at+1], next[at]
	s.Set(rows)
	win.Canvas().Focus(s)
	s.cursor = at - 1
	s.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	s.Set(next)
	if got := s.items[at].row.Ref; got != rows[at].Ref || s.cursor != at {
		t.Errorf("%+v came under the keyboard, which is at %d", got, s.cursor)
	}
	now = now.Add(time.Second)
	s.Set(next)
	if s.items[at].row.Ref != next[at].Ref || s.cursor != at+1 {
		t.Errorf("%+v is first, the keyboard at %d", s.items[at].row.Ref, s.cursor)
	}
}

// The number that tells two sessions apart is not cut away.
func TestANameIsCutBeforeItsNumber(t *testing.T) {
	for _, c := range []struct {
		name string
		room int
		want string
	}{
		{"landing-page · 0002", 19, "landing-page · 0002"},
		{"landing-page · 0002", 14, "landin… · 0002"},
		{"landing-page · 0002", 10, "landing-page · 0002"},
		{"landing-page", 5, "landing-page"},
		{"my landing · 0002", 11, "my… · 0002"},
	} {
		if got := cutInside(c.name, func(s string) bool { return len([]rune(s)) <= c.room }); got != c.want {
			t.Errorf("%q in %d: got %q, want %q", c.name, c.room, got, c.want)
		}
	}
}

// Who is not there is told by when it was heard of, in as many words as there is room for.
func TestWhoWasHeardOfIsToldInTheRoomThereIs(t *testing.T) {
	desk(t)
	s := NewSidebar(env(t))
	w := test.NewTempWindow(t, s)
	w.SetPadded(false)
	s.Set(vm.Sidebar(snapshot()))
	for width, want := range map[float32]string{300: "last heard 12 min ago", 200: "12 min ago", 130: ""} {
		w.Resize(fyne.NewSize(width, 700))
		w.Canvas().Capture()
		got := ""
		for _, i := range s.items {
			if i.row.Label == "CI" && slices.Contains(i.objs, fyne.CanvasObject(i.presence)) {
				got = i.presence.Content()
			}
		}
		if got != want {
			t.Errorf("in %v it says %q, want %q", width, got, want)
		}
	}
}
