package ui

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// menuOf is the menu that is open over a window; nil: none.
func menuOf(win fyne.Window) *widgets.Menu {
	m, _ := win.Canvas().Overlays().Top().(*widgets.Menu)
	return m
}

// menuLines are the texts of an open menu, with "-" for a line between.
func menuLines(m *widgets.Menu) []string {
	var out []string
	for _, i := range m.Items() {
		if i.IsSeparator {
			out = append(out, "-")
		} else {
			out = append(out, i.Label)
		}
	}
	return out
}

// The menu of a connection opens at once, says what it waits for, and follows what becomes of it.
//
// Proves: E2
func TestTheMenuOfAConnection(t *testing.T) {
	deploy := notify.Action{ID: "deploy", Label: "Deploy"}
	rest := []string{"History", "Agent settings…", "Hide this agent"}
	and := func(lines ...string) []string { return slices.Concat(rest, []string{"-"}, lines) }
	for _, c := range []struct {
		name   string
		says   AppActions
		err    error
		offers bool
		want   []string
	}{
		{"none are offered", AppActions{}, nil, false, rest},
		{"none in the list", AppActions{}, nil, true, rest},
		{"loading", AppActions{Stale: true}, nil, true, and("Loading its actions…")},
		{"a list", AppActions{Actions: []notify.Action{deploy}}, nil, true, and("Deploy")},
		{"a list that is loaded anew", AppActions{Actions: []notify.Action{deploy}, Stale: true}, nil, true,
			and("Deploy", "Loading its actions anew…")},
		{"failed", AppActions{Stale: true, Problem: "no answer"}, nil, true,
			and("Its actions could not be loaded; trying again")},
		{"an old list", AppActions{Actions: []notify.Action{deploy}, Stale: true, Problem: "no answer", SessionsProblem: "no answer"}, nil, true,
			and("Deploy", "Old list: its server does not answer; trying again", "Its sessions are not up to date; trying again")},
		{"the center does not answer", AppActions{}, errors.New("gone"), true,
			and("Its actions could not be loaded; trying again")},
	} {
		t.Run(c.name, func(t *testing.T) {
			var asked atomic.Int32
			o := Options{AppActions: func(context.Context, string) (AppActions, error) { asked.Add(1); return c.says, c.err },
				InvokeApp: func(context.Context, string, string) error { return nil }}
			onDesk(t, o, func(d *desk) {
				if c.offers {
					address := "http://127.0.0.1:1/actions"
					d.do(notify.Hello{Connection: "claude", Lifetime: "1", ActionsURL: &address})
				}
				r := d.show()
				r.sideMenu(vm.SideRow{Kind: vm.SideConnection, Ref: notify.SessionRef{Connection: "claude"}}, fyne.NewPos(40, 100))
				m := menuOf(r.win)
				if m == nil {
					t.Fatal("the menu did not open at once")
				}
				if c.offers && asked.Load() == 0 && !strings.HasPrefix(menuLines(m)[4], "Loading") {
					t.Errorf("before anything is known: %q", menuLines(m))
				}
				d.wait(time.Second)
				if got := menuLines(m); !slices.Equal(got, c.want) {
					t.Errorf("got  %q\nwant %q", got, c.want)
				}
				if !c.offers && asked.Load() > 0 {
					t.Error("asked for actions that nobody offers")
				}
				r.letGo() // what goes on in the window behind leaves the keyboard with the menu
				if r.win.Canvas().Focused() != fyne.Focusable(m) {
					t.Fatalf("the keyboard is with %T", r.win.Canvas().Focused())
				}
				m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
				if menuOf(r.win) != nil {
					t.Error("Escape leaves it open")
				}
				was := asked.Load()
				d.wait(10 * time.Second)
				if now := asked.Load(); now > was+1 {
					t.Errorf("asked %d times more after it was closed", now-was)
				}
			})
		})
	}
}

// What is loading comes into the open menu, under its other lines, which stay where they are; it is chosen by keys or
// by mouse, but not by a press that was meant for what was there before, and its server hears of it.
//
// Proves: E2, S4
func TestActionsComeIntoTheOpenMenu(t *testing.T) {
	for _, c := range []struct {
		name string
		tap  bool
	}{{"by mouse", true}, {"by keys", false}} {
		t.Run(c.name, func(t *testing.T) { actionsCome(t, c) })
	}
}

// placeOf is a place on a line of an open menu.
func placeOf(t *testing.T, m *widgets.Menu, label string) (at fyne.Position) {
	t.Helper()
	walk(m, func(o fyne.CanvasObject) {
		if text, ok := o.(*canvas.Text); ok && text.Text == label {
			at = fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(3, 3)
		}
	})
	if at.IsZero() {
		t.Fatalf("no line %q", label)
	}
	return at
}

func actionsCome(t *testing.T, c struct {
	name string
	tap  bool
}) {
	says, invoked := AppActions{Stale: true}, ""
	o := Options{AppActions: func(context.Context, string) (AppActions, error) { return says, nil },
		InvokeApp: func(_ context.Context, connection, action string) error {
			invoked = connection + "/" + action
			return nil
		}}
	onDesk(t, o, func(d *desk) {
		address := "http://127.0.0.1:1/actions"
		d.do(notify.Hello{Connection: "claude", Lifetime: "1", ActionsURL: &address})
		r := d.show()
		r.sideMenu(vm.SideRow{Kind: vm.SideConnection, Ref: notify.SessionRef{Connection: "claude"}}, fyne.NewPos(40, 100))
		m := menuOf(r.win)
		d.wait(time.Second)
		history := placeOf(t, m, "History")
		says = AppActions{Actions: []notify.Action{{ID: "deploy", Label: "Deploy"}}}
		for range 100 {
			if slices.Contains(menuLines(m), "Deploy") {
				break
			}
			d.wait(20 * time.Millisecond)
		}
		if got := placeOf(t, m, "History"); got != history {
			t.Errorf("what was there moved from %v to %v", history, got)
		}
		at := placeOf(t, m, "Deploy")
		test.TapCanvas(r.win.Canvas(), at)
		m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyUp})
		m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		d.wait(100 * time.Millisecond)
		if invoked != "" || menuOf(r.win) != m {
			t.Fatalf("invoked %q by a press that was meant for something else, open %v", invoked, menuOf(r.win) != nil)
		}
		d.wait(time.Second)
		if c.tap {
			test.TapCanvas(r.win.Canvas(), at)
		} else {
			m.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		}
		d.wait(time.Second)
		if invoked != "claude/deploy" || menuOf(r.win) != nil {
			t.Errorf("invoked %q, open %v", invoked, menuOf(r.win) != nil)
		}
	})
}

// The row says which list is old.
//
// Proves: E2
func TestTheSidebarSaysWhatIsOld(t *testing.T) {
	old := map[string]vm.OldLists{"claude": {Sessions: true, Actions: true}}
	onDesk(t, Options{OldLists: func(context.Context) (map[string]vm.OldLists, error) { return old, nil }}, func(d *desk) {
		address := "http://127.0.0.1:1/sessions"
		d.do(notify.Hello{Connection: "claude", Lifetime: "1", SessionsURL: &address})
		d.show()
		says := func() string {
			for _, row := range vm.Sidebar(d.u.snap) {
				if row.Kind == vm.SideConnection {
					return d.u.tr(row.Old)
				}
			}
			return ""
		}
		d.wait(time.Second)
		if says() != "sessions not up to date" {
			t.Errorf("it says %q", says())
		}
		old = nil
		d.u.ListsChanged()
		d.wait(time.Second)
		if says() != "" {
			t.Errorf("it still says %q", says())
		}
	})
}

// The welcome is a page of the window, for a newcomer alone, and gives way to what an agent says.
func TestTheWelcomeIsInTheWindow(t *testing.T) {
	agents := func(context.Context) ([]Agent, error) {
		return []Agent{{ID: "claude", Name: "Claude Code", Program: "claude"}}, nil
	}
	setup := func(context.Context, string, bool) (string, error) { return "", nil }
	onDesk(t, Options{Agents: agents, Setup: setup}, func(d *desk) {
		if r := d.show(); r.first != nil {
			t.Error("one who has a connection is welcomed")
		}
	})
	onDesk(t, Options{Agents: agents, Setup: setup}, func(d *desk) {
		d.do(notify.RevokeConnection{ID: "claude", Purge: true})
		d.do(notify.RemoveConnection{ID: "claude"})
		r := d.show()
		d.wait(time.Second)
		if r.first == nil || d.u.open["settings"] {
			t.Fatalf("welcomed %v, settings open %v", r.first != nil, d.u.open["settings"])
		}
		d.do(notify.CreateConnection{ID: "claude", Label: "Claude", TokenHash: []byte("x")})
		d.wait(time.Second)
		if r.first == nil {
			t.Error("the welcome went before an agent said anything")
		}
		d.do(notify.Publish{Connection: "claude", Content: notify.Content{Title: "Hello"}})
		d.wait(time.Second)
		if r.first != nil || !d.u.prefs.firstRunDone() {
			t.Error("the welcome hides what an agent says")
		}
	})
}

type sink struct{ strings.Builder }

func (*sink) Close() error { return nil }

// The history is exported into a new file that the owner names; one that exists is told, and Escape closes the
// question also from its entry.
func TestTheExportAsksForAFile(t *testing.T) {
	var out sink
	saved := []string{}
	o := Options{SaveDir: "/home/me", SaveFile: func(path string) (io.WriteCloser, error) {
		saved = append(saved, path)
		if len(saved) == 1 {
			return nil, fs.ErrExist
		}
		return &out, nil
	}}
	onDesk(t, o, func(d *desk) {
		d.notice("Kept")
		d.u.ShowHistory()
		d.wait(time.Second)
		h := d.u.history
		entry := func() *searchEntry {
			t.Helper()
			h.exportAll()
			e, ok := h.win.Canvas().Focused().(*searchEntry)
			if !ok || !strings.HasPrefix(e.Text, "/home/me/signalbox-history-") {
				t.Fatalf("the keyboard is with %T", h.win.Canvas().Focused())
			}
			return e
		}
		entry().TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		if d.u.dialog != nil || h.win.Canvas().Overlays().Top() != nil {
			t.Fatal("Escape leaves the question open")
		}
		for range 2 {
			e := entry()
			d.wait(time.Second) // the button that decides is inert at first
			e.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
			d.wait(time.Second)
		}
		if len(saved) != 2 || !strings.Contains(out.String(), `"Kept"`) {
			t.Errorf("saved to %q: %s", saved, out.String())
		}
	})
}
