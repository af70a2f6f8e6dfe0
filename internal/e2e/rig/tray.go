//go:build linux

package rig

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"strings"

	"github.com/godbus/dbus/v5"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = dbus.ObjectPath("/StatusNotifierWatcher")
	itemName    = "org.kde.StatusNotifierItem"
	menuName    = "com.canonical.dbusmenu"
)

// TrayItem is an icon in the tray, reached over the bus as a panel reaches it.
type TrayItem struct {
	r    *Rig
	name string // the owner's name on the bus
	path dbus.ObjectPath
}

// TrayItem waits until the tray host has an item of a process.
func (r *Rig) TrayItem(pid int) *TrayItem {
	r.t.Helper()
	var item *TrayItem
	r.EventuallyErr(fmt.Sprintf("a tray item of process %d", pid), func() (err error) {
		item, err = r.findTrayItem(pid)
		return err
	})
	return item
}

// HasTrayItem tells whether the tray host has an item of a process now.
func (r *Rig) HasTrayItem(pid int) bool {
	_, err := r.findTrayItem(pid)
	return err == nil
}

var errNoItem = errors.New("the tray host has none")

func (r *Rig) findTrayItem(pid int) (*TrayItem, error) {
	v, err := r.property(watcherName, watcherPath, watcherName, "RegisteredStatusNotifierItems")
	if err != nil {
		return nil, err
	}
	names, _ := v.Value().([]string) // another type holds no item
	for _, n := range names {
		name, path, ok := strings.Cut(n, "/")
		if !ok {
			path = "StatusNotifierItem"
		}
		var owner uint32
		if err := r.call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetConnectionUnixProcessID", name).Store(&owner); err == nil && int(owner) == pid {
			return &TrayItem{r, name, dbus.ObjectPath("/" + path)}, nil
		}
	}
	return nil, errNoItem
}

func (i *TrayItem) get(prop string) (dbus.Variant, error) {
	return i.r.property(i.name, i.path, itemName, prop)
}

// Property is a property of the item: Title, Id, Status, ItemIsMenu, …
func (i *TrayItem) Property(name string) any {
	i.r.t.Helper()
	v, err := i.get(name)
	if err != nil {
		i.r.fail(fmt.Sprintf("tray property %s: %v", name, err))
	}
	return v.Value()
}

// ToolTip is the title and the text of its tooltip.
func (i *TrayItem) ToolTip() (title, text string) {
	i.r.t.Helper()
	v, ok := i.Property("ToolTip").([]any)
	if !ok || len(v) != 4 {
		return "", ""
	}
	title, _ = v[2].(string)
	text, _ = v[3].(string)
	return title, text
}

// Icon is the picture that it gives to the panel.
func (i *TrayItem) Icon() *image.NRGBA {
	i.r.t.Helper()
	img, err := i.icon()
	if err != nil {
		i.r.fail("tray icon: " + err.Error())
	}
	return img
}

func (i *TrayItem) icon() (*image.NRGBA, error) {
	v, err := i.get("IconPixmap")
	if err != nil {
		return nil, err
	}
	var maps []struct {
		W, H int32
		Data []byte
	}
	if err := dbus.Store([]any{v.Value()}, &maps); err != nil {
		return nil, err
	}
	if len(maps) == 0 || len(maps[0].Data) < int(4*maps[0].W*maps[0].H) {
		return nil, errors.New("no pixels")
	}
	m := maps[0]
	img := image.NewNRGBA(image.Rect(0, 0, int(m.W), int(m.H)))
	for p := 0; p < int(m.W*m.H); p++ {
		d := m.Data[4*p : 4*p+4] // ARGB
		img.SetNRGBA(p%int(m.W), p/int(m.W), color.NRGBA{R: d[1], G: d[2], B: d[3], A: d[0]})
	}
	return img, nil
}

// IconIs tells whether the item shows this PNG now. Compare with assets.TrayIcon.
func (i *TrayItem) IconIs(pngFile []byte) bool {
	i.r.t.Helper()
	want, err := decodePNG(pngFile)
	if err != nil {
		i.r.fail("the picture to compare with: " + err.Error())
	}
	got, err := i.icon()
	return err == nil && got.Rect == want.Rect && bytes.Equal(visible(got), visible(want))
}

// visible is the pixels with those that show nothing made equal.
func visible(img *image.NRGBA) []byte {
	out := bytes.Clone(img.Pix)
	for p := 0; p+3 < len(out); p += 4 {
		if out[p+3] == 0 {
			out[p], out[p+1], out[p+2] = 0, 0, 0
		}
	}
	return out
}

// Activate is a left click on the icon.
func (i *TrayItem) Activate() {
	i.r.t.Helper()
	i.call(i.path, itemName+".Activate", int32(0), int32(0))
}

func (i *TrayItem) call(path dbus.ObjectPath, method string, args ...any) *dbus.Call {
	i.r.t.Helper()
	c := i.r.call(i.name, path, method, args...)
	if c.Err != nil {
		i.r.fail(method + ": " + c.Err.Error())
	}
	return c
}

// MenuItem is a line of a tray menu.
type MenuItem struct {
	ID        int32
	Label     string
	Enabled   bool
	Visible   bool
	Separator bool
	Check     string // "checkmark" or "radio" where it can be checked
	Checked   bool
	Children  []MenuItem
}

// Menu is the item's menu as a panel would read it now.
func (i *TrayItem) Menu() []MenuItem {
	i.r.t.Helper()
	m, err := i.menu()
	if err != nil {
		i.r.fail("tray menu: " + err.Error())
	}
	return m
}

type layout struct {
	ID       int32
	Props    map[string]dbus.Variant
	Children []dbus.Variant
}

func (i *TrayItem) menuPath() dbus.ObjectPath {
	if v, err := i.get("Menu"); err == nil {
		if p, ok := v.Value().(dbus.ObjectPath); ok {
			return p
		}
	}
	return i.path + "/menu"
}

func (i *TrayItem) menu() ([]MenuItem, error) {
	var revision uint32
	var root layout
	// With no panel before, the first answer goes one level deep only.
	for range 2 {
		if err := i.r.call(i.name, i.menuPath(), menuName+".GetLayout", int32(0), int32(-1), []string{}).Store(&revision, &root); err != nil {
			return nil, err
		}
	}
	return menuItems(root)
}

func menuItems(l layout) ([]MenuItem, error) {
	var out []MenuItem
	for _, c := range l.Children {
		var k layout
		if err := dbus.Store([]any{c.Value()}, &k); err != nil {
			return nil, err
		}
		kids, err := menuItems(k)
		if err != nil {
			return nil, err
		}
		m := MenuItem{ID: k.ID, Enabled: true, Visible: true, Children: kids}
		prop(k, "label", &m.Label)
		prop(k, "enabled", &m.Enabled)
		prop(k, "visible", &m.Visible)
		prop(k, "toggle-type", &m.Check)
		var kind string
		var state int32
		prop(k, "type", &kind)
		prop(k, "toggle-state", &state)
		m.Separator, m.Checked = kind == "separator", state == 1
		out = append(out, m)
	}
	return out, nil
}

// prop sets v to a property when the line has it in v's type; else v keeps its default.
func prop[T any](l layout, name string, v *T) {
	if x, ok := l.Props[name].Value().(T); ok {
		*v = x
	}
}

// Labels are the visible lines, those of submenus after their parent as "Parent > Line".
func (i *TrayItem) Labels() []string {
	i.r.t.Helper()
	var out []string
	var walk func(prefix string, items []MenuItem)
	walk = func(prefix string, items []MenuItem) {
		for _, m := range items {
			if m.Visible && !m.Separator {
				out = append(out, prefix+m.Label)
				walk(prefix+m.Label+" > ", m.Children)
			}
		}
	}
	walk("", i.Menu())
	return out
}

// FindMenu is the first visible line whose label contains a text; "A > B" looks for B in the submenu of A.
func (i *TrayItem) FindMenu(label string) (MenuItem, bool) {
	i.r.t.Helper()
	m, err := i.menu()
	if err != nil {
		return MenuItem{}, false
	}
	return findMenu(m, strings.Split(label, " > "))
}

func findMenu(items []MenuItem, path []string) (MenuItem, bool) {
	for _, m := range items {
		if !m.Visible || m.Separator {
			continue
		}
		if strings.Contains(m.Label, path[0]) {
			if len(path) == 1 {
				return m, true
			}
			if k, ok := findMenu(m.Children, path[1:]); ok {
				return k, true
			}
		}
		if k, ok := findMenu(m.Children, path); ok {
			return k, true
		}
	}
	return MenuItem{}, false
}

// WaitMenu waits for a visible line whose label contains a text.
func (i *TrayItem) WaitMenu(label string) MenuItem {
	i.r.t.Helper()
	var m MenuItem
	i.r.EventuallyErr("the tray menu's line "+label, func() error {
		var ok bool
		if m, ok = i.FindMenu(label); ok {
			return nil
		}
		if items, err := i.menu(); err == nil {
			return fmt.Errorf("it has %v", items)
		}
		return errNotYet
	})
	return m
}

// ClickMenu waits for a line that is enabled and chooses it.
func (i *TrayItem) ClickMenu(label string) {
	i.r.t.Helper()
	var m MenuItem
	i.r.Eventually("the tray menu's line "+label+" to be enabled", func() bool {
		var ok bool
		m, ok = i.FindMenu(label)
		return ok && m.Enabled
	})
	i.ClickMenuItem(m)
}

// ClickMenuItem chooses a line that was read before, as a panel does whose menu was open meanwhile.
func (i *TrayItem) ClickMenuItem(m MenuItem) {
	i.r.t.Helper()
	i.call(i.menuPath(), menuName+".Event", m.ID, "clicked", dbus.MakeVariant(""), uint32(0))
}

// AboutToShow is what a panel says before it opens the menu.
func (i *TrayItem) AboutToShow() {
	i.r.t.Helper()
	i.call(i.menuPath(), menuName+".AboutToShow", int32(0))
}
