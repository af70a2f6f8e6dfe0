package widgets

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
)

// menuOver is the menu that is open over a window.
func menuOver(t *testing.T, c fyne.Canvas) *Menu {
	t.Helper()
	m, ok := c.Overlays().Top().(*Menu)
	if !ok {
		t.Fatalf("%T lies over the window", c.Overlays().Top())
	}
	return m
}

// edges are the places of the edges that are drawn of a menu.
func edges(m *Menu) (out []fyne.Size) {
	for _, o := range test.WidgetRenderer(m).Objects() {
		if r, ok := o.(*canvas.Rectangle); ok && r.StrokeWidth > 0 {
			out = append(out, r.Size())
		}
	}
	return out
}

// Symptom: a submenu over a card of its colour ended nowhere.
func TestMenusAndTheirSubmenusHaveAnEdge(t *testing.T) {
	desk(t)
	w := test.NewTempWindow(t, container.NewWithoutLayout())
	w.Resize(fyne.NewSize(600, 400))
	more := fyne.NewMenuItem("Snooze", nil)
	more.ChildMenu = fyne.NewMenu("", fyne.NewMenuItem("15 minutes", nil), fyne.NewMenuItem("An hour", nil))
	m := OpenMenu(w.Canvas(), fyne.NewPos(20, 20), fyne.NewMenuItem("Open", nil), more)
	key := func(k fyne.KeyName) { m.TypedKey(&fyne.KeyEvent{Name: k}) }
	if got := edges(m); len(got) != 1 || got[0] != m.menu.Size() {
		t.Errorf("the menu is %v, edges %v", m.menu.Size(), got)
	}
	key(fyne.KeyDown)
	key(fyne.KeyDown)
	key(fyne.KeyRight)
	if got := edges(m); len(got) != 2 || got[1] != m.menu.Items[1].(interface{ Child() *widget.Menu }).Child().Size() {
		t.Errorf("with its submenu open: edges %v", got)
	}
	key(fyne.KeyLeft)
	if got := edges(m); len(got) != 1 {
		t.Errorf("with its submenu closed: edges %v", got)
	}
}

func TestAChoiceOpensAMenuOfOurs(t *testing.T) {
	desk(t)
	var chosen []string
	s := NewSelect([]string{"a", "b"}, func(v string) { chosen = append(chosen, v) })
	f := newFieldSelect([]string{"a", "b"}, s.OnChanged, func(*fyne.KeyEvent) bool { return false })
	w := test.NewTempWindow(t, container.NewVBox(s, f))
	w.Resize(fyne.NewSize(300, 300))
	for _, o := range []interface {
		fyne.Tappable
		fyne.Focusable
	}{s, f} {
		test.Tap(o)
		m := menuOver(t, w.Canvas())
		if len(edges(m)) != 1 || len(m.Items()) != 2 || m.Items()[0].Checked {
			t.Errorf("%T: %d edges, lines %v", o, len(edges(m)), m.Items())
		}
		for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn} {
			m.TypedKey(&fyne.KeyEvent{Name: k})
		}
		if w.Canvas().Focused() != o {
			t.Errorf("%T: the keyboard is with %T", o, w.Canvas().Focused())
		}
		o.TypedKey(&fyne.KeyEvent{Name: fyne.KeySpace})
		if m := menuOver(t, w.Canvas()); !m.Items()[1].Checked {
			t.Errorf("%T: what is chosen is not marked", o)
		}
		menuOver(t, w.Canvas()).Hide()
	}
	if len(chosen) != 2 || chosen[0] != "b" || chosen[1] != "b" {
		t.Errorf("chose %v", chosen)
	}
}

// What does not fit is scrolled to.
func TestALongMenuStaysInTheWindow(t *testing.T) {
	desk(t)
	w := test.NewTempWindow(t, container.NewWithoutLayout())
	w.Resize(fyne.NewSize(300, 200))
	var items []*fyne.MenuItem
	for range 40 {
		items = append(items, fyne.NewMenuItem("line", nil))
	}
	m := OpenMenu(w.Canvas(), fyne.NewPos(20, 100), items...)
	if at, size := m.menu.Position(), m.menu.Size(); at.Y < 0 || at.Y+size.Height > 200 {
		t.Errorf("at %v, %v", at, size)
	}
}

// In the light and in the dark a menu and its submenu are seen where they end.
func TestMenuLooks(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		test.NewTempApp(t).Settings().SetTheme(theme.New(mode, 1))
		ground := newBox(theme.ColorCard, 0)
		ground.paint()
		w := test.NewTempWindow(t, ground.Rectangle)
		w.SetPadded(false)
		w.Resize(fyne.NewSize(320, 190))
		more := fyne.NewMenuItem("Snooze", nil)
		more.ChildMenu = fyne.NewMenu("", fyne.NewMenuItem("15 minutes", nil), fyne.NewMenuItem("1 hour", nil))
		m := OpenMenu(w.Canvas(), fyne.NewPos(30, 30), fyne.NewMenuItem("Open", nil), more, fyne.NewMenuItemSeparator(), fyne.NewMenuItem("Copy", nil))
		for _, k := range []fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyRight} {
			m.TypedKey(&fyne.KeyEvent{Name: k})
		}
		goldenImage(t, "menu-"+string(mode)+".png", w.Canvas().Capture())
	}
}
