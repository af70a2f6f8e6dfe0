package ui

import (
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// lookPage is appearance, language and start at login.
func (s *settingsWindow) lookPage() {
	u := s.u
	s.head("look.appearance")
	modes := []theme.Mode{theme.System, theme.Light, theme.Dark}
	var objs []fyne.CanvasObject
	for i, key := range []string{"look.system", "look.light", "look.dark"} {
		b := widgets.NewButton(u.t(key), widgets.Plain, func() { u.prefs.setMode(modes[i]); u.restyle() })
		b.Chosen = u.prefs.mode() == modes[i]
		objs = append(objs, b)
	}
	dense := widget.NewCheck(u.t("look.dense"), nil)
	dense.Checked = u.prefs.dense()
	dense.OnChanged = func(on bool) { u.prefs.setDense(on); u.restyle() }
	s.box(widgets.NewRow(6, objs...), dense)
	s.head("look.text")
	scales := []float32{0.85, 1, 1.15, 1.3, 1.5, 2}
	objs = nil
	for _, f := range scales {
		b := widgets.NewButton(strconv.Itoa(int(f*100+0.5))+" %", widgets.Plain, func() { u.prefs.setTextScale(f); u.restyle() })
		b.Chosen = u.prefs.textScale() == f
		objs = append(objs, b)
	}
	s.box(widgets.NewRow(6, objs...))
	s.head("look.language")
	objs = nil
	sys := widgets.NewButton(u.t("look.system"), widgets.Plain, func() { u.prefs.setLanguage(""); u.restyle() })
	sys.Chosen = u.prefs.language() == ""
	objs = append(objs, sys)
	for _, l := range vm.Languages {
		b := widgets.NewButton(l.Name, widgets.Plain, func() { u.prefs.setLanguage(l.Code); u.restyle() })
		b.Chosen = u.prefs.language() == l.Code
		objs = append(objs, b)
	}
	s.box(widgets.NewRow(6, objs...))
	if u.o.StartAtLogin != nil && u.o.SetStartAtLogin != nil {
		s.head("look.start")
		on, err := u.o.StartAtLogin()
		c := widget.NewCheck(u.t("look.start_text"), nil)
		c.Checked = on
		c.OnChanged = func(on bool) {
			if err := u.o.SetStartAtLogin(on); err != nil {
				s.note = u.tr(vm.Trouble(err))
			}
			s.fill()
		}
		box := []fyne.CanvasObject{c}
		if err != nil {
			box = append(box, caption(u.tr(vm.Trouble(err))))
		}
		s.box(box...)
	}
}

// restyle takes a change of appearance or language over, at once, in every window.
func (u *UI) restyle() {
	u.setLanguage()
	u.setTheme()
	if u.rail != nil {
		u.rail.build()
	}
	if u.history != nil {
		u.history.win.SetTitle("Signalbox — " + u.t("history.title"))
		u.history.build()
		u.history.render()
	}
	if u.sets != nil {
		u.sets.win.SetTitle("Signalbox — " + u.t("settings.title"))
		u.sets.build()
	}
}
