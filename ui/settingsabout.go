package ui

import (
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// aboutPage says what this is.
func (s *settingsWindow) aboutPage() {
	u := s.u
	mark := canvas.NewImageFromResource(fyne.NewStaticResource("app.svg", appIcon()))
	mark.FillMode = canvas.ImageFillContain
	mark.SetMinSize(fyne.NewSquareSize(64))
	col := widgets.NewColumn(4, widgets.NewText("Signalbox", widgets.Look{Size: theme.SizeHero, Color: theme.ColorInk, Bold: true}), body(u.t("about.what")))
	s.box(widgets.NewRow(16, mark), col)
	pairs := widgets.NewColumn(0)
	for _, p := range [][2]string{{u.t("about.version"), u.o.Version}, {u.t("about.home"), u.o.Home}, {u.t("about.log"), u.o.Log}, {u.t("about.address"), u.o.Address}, {u.t("about.licence"), "Apache-2.0"}} {
		if p[1] != "" {
			pairs.Add(widgets.NewPair(p[0], p[1]))
		}
	}
	s.box(pairs)
	var links []fyne.CanvasObject
	link := func(icon, key, address string) {
		if address != "" {
			b := widgets.NewIconButton(icon, u.t(key), func() { u.confirmOpenOf(s.win, "open.own", address) })
			b.Style = widgets.Plain
			links = append(links, b)
		}
	}
	if u.o.Home != "" {
		link("external", "about.open_home", vm.FileAddress(u.o.Home))
		link("settings", "about.open_config", vm.FileAddress(filepath.Join(u.o.Home, "config.toml")))
	}
	if u.o.Log != "" {
		link("terminal", "about.open_log", vm.FileAddress(u.o.Log))
	}
	if len(links) > 0 {
		s.head("about.docs")
		s.box(widgets.NewRow(8, links...))
	}
	s.col.Add(caption(u.t("about.accessible")))
}
