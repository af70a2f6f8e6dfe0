package ui

import (
	"fyne.io/fyne/v2"
	base "fyne.io/fyne/v2/theme"

	"signalbox/ui/theme"
	"signalbox/ui/widgets"
)

// popup shows a menu at a place of a window.
func popup(win fyne.Window, at fyne.Position, items ...*fyne.MenuItem) *widgets.Menu {
	return widgets.OpenMenu(win.Canvas(), at, items...)
}

// item is a line of a menu.
func item(icon, label string, do func()) *fyne.MenuItem {
	m := fyne.NewMenuItem(label, do)
	if icon != "" {
		m.Icon = theme.Symbol(icon, base.ColorNameForeground)
	}
	return m
}

// note is a line of a menu that says something and does nothing.
func note(icon, label string) *fyne.MenuItem {
	m := item(icon, label, nil)
	m.Disabled = true
	return m
}
