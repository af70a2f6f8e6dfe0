package ui

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"
	"github.com/dustin/go-humanize"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// keepPage is history retention, the default and per connection (R4).
func (s *settingsWindow) keepPage() {
	u := s.u
	s.lead("keep.lead")
	if u.o.RetentionOf != nil && u.o.SetRetention != nil {
		s.head("keep.default")
		s.keep(u.o.RetentionOf(), false, func(age *time.Duration, count *int) {
			r := u.o.RetentionOf()
			if age != nil {
				r.Age = *age
			}
			if count != nil {
				r.Count = *count
			}
			background(u, func(context.Context) (struct{}, error) { return struct{}{}, u.o.SetRetention(r) }, func(_ struct{}, err error) { s.changed(err) })
		})
	}
	list := u.connections()
	if len(list) > 0 {
		s.head("keep.connections")
	}
	for _, c := range list {
		title := widgets.LookTitle
		title.Max = 1
		s.col.Add(widgets.NewText(c.Label, title))
		s.keep(Retention{c.KeepAge, c.KeepCount}, true, func(age *time.Duration, count *int) {
			u.do(notify.UpdateConnection{ID: c.ID, KeepAge: age, KeepCount: count}, func(_ notify.Result, err error) { s.changed(err) })
		})
	}
	if u.o.Backup != nil {
		s.head("keep.backup")
		s.box(body(u.t("keep.backup_text")), widgets.NewRow(8, widgets.NewButton(u.t("keep.backup_do"), widgets.Plain, func() {
			background(u, u.o.Backup, func(path string, err error) {
				if err != nil {
					s.say(u.tr(vm.Trouble(err)))
					return
				}
				s.say(u.tr(vm.MA("keep.backup_done", path)))
			})
		})))
	}
}

const day = 24 * time.Hour

// keep offers ages and counts; set is told which of the two was chosen, for the other may have changed meanwhile.
func (s *settingsWindow) keep(now Retention, inherit bool, set func(age *time.Duration, count *int)) {
	u := s.u
	ages := []time.Duration{7 * day, 30 * day, 90 * day, 365 * day}
	counts := []int{1_000, 10_000, 100_000, 1_000_000}
	zero := u.t("keep.forever")
	zeroCount := u.t("keep.any")
	if inherit {
		zero, zeroCount = u.t("keep.as_default"), u.t("keep.as_default")
	}
	if now.Age > 0 && !slices.Contains(ages, now.Age) {
		ages = append(ages, now.Age)
	}
	if now.Count > 0 && !slices.Contains(counts, now.Count) {
		counts = append(counts, now.Count)
	}
	ageNames, countNames := []string{zero}, []string{zeroCount}
	for _, a := range ages {
		ageNames = append(ageNames, u.tr(vm.MN("keep.days", int(a/day))))
	}
	for _, c := range counts {
		countNames = append(countNames, u.tr(vm.MA("keep.count", humanize.Comma(int64(c)))))
	}
	age, count := widget.NewSelect(ageNames, nil), widget.NewSelect(countNames, nil)
	age.SetSelectedIndex(slices.Index(ages, now.Age) + 1)
	count.SetSelectedIndex(slices.Index(counts, now.Count) + 1)
	age.OnChanged = func(string) {
		var v time.Duration
		if i := age.SelectedIndex(); i > 0 {
			v = ages[i-1]
		}
		set(&v, nil)
	}
	count.OnChanged = func(string) {
		v := 0
		if i := count.SelectedIndex(); i > 0 {
			v = counts[i-1]
		}
		set(nil, &v)
	}
	s.box(widgets.NewRow(8, wide(age), wide(count)))
}

// lookPage is appearance, language and start at login.
func (s *settingsWindow) lookPage() {
	u := s.u
	s.head("look.appearance")
	modes := []theme.Mode{theme.System, theme.Light, theme.Dark}
	mode := widgets.NewRow(6)
	var objs []fyne.CanvasObject
	for i, key := range []string{"look.system", "look.light", "look.dark"} {
		b := widgets.NewButton(u.t(key), widgets.Plain, func() { u.prefs.setMode(modes[i]); u.restyle() })
		b.Chosen = u.prefs.mode() == modes[i]
		objs = append(objs, b)
	}
	mode.Set(objs...)
	dense := widget.NewCheck(u.t("look.dense"), nil)
	dense.Checked = u.prefs.dense()
	dense.OnChanged = func(on bool) { u.prefs.setDense(on); u.restyle() }
	s.box(mode, dense)
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

// doctorPage says what is as it should be, and what to do about what isn't.
func (s *settingsWindow) doctorPage() {
	u := s.u
	s.lead("doctor.lead")
	for _, m := range u.missing {
		v := vm.MissingText(m.Part, m.Detail)
		s.col.Add(widgets.NewBanner(string(v.Tone), v.Icon, u.tr(v.Text), "", nil, nil))
	}
	if s.facts == nil && !s.busy["doctor"] {
		s.busy["doctor"] = true
		background(u, func(ctx context.Context) ([]Fact, error) { return u.o.Doctor(ctx), nil }, func(list []Fact, _ error) {
			s.busy["doctor"] = false
			s.facts = list
			s.fill()
		})
	}
	if s.busy["doctor"] {
		s.col.Add(caption(u.t("state.loading")))
	}
	for _, f := range s.facts {
		tone, icon := "success", "success"
		switch f.State {
		case FactWarn:
			tone, icon = "warning", "warning"
		case FactBad:
			tone, icon = "error", "error"
		}
		title := widgets.LookTitle
		title.Max = 1
		col := widgets.NewColumn(3, widgets.NewRow(8, widgets.NewSymbol(icon, theme.Tone(tone), 18), widgets.NewText(u.factName(f), title)))
		for _, text := range []string{u.tr(f.Text), f.Detail} {
			if text != "" {
				col.Add(body(text))
			}
		}
		for _, text := range []string{u.tr(f.FixText), f.Fix} {
			if text != "" {
				col.Add(caption(text))
			}
		}
		s.box(col)
	}
	again := widgets.NewButton(u.t("doctor.again"), widgets.Plain, func() { s.facts = nil; s.fill() })
	copyAll := widgets.NewButton(u.t("doctor.copy"), widgets.Plain, func() {
		var b strings.Builder
		for _, f := range s.facts {
			b.WriteString(strings.TrimSpace(string(f.State)+"\t"+u.factName(f)+"\t"+u.tr(f.Text)+" "+f.Detail) + "\n")
		}
		u.app.Clipboard().SetContent(b.String())
	})
	s.col.Add(widgets.NewRow(8, again, copyAll))
}

// fileAddress is the address of a path, as the system opens it.
func fileAddress(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // of a drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// factName names what a fact is of.
func (u *UI) factName(f Fact) string {
	if f.Last {
		return u.tr(vm.MA("doctor.name.last", u.tr(vm.ProviderLabel(f.Name))))
	}
	if key := factNames[f.Name]; key != "" {
		return u.t(key)
	}
	return f.Name
}

var factNames = map[string]string{
	"store": "doctor.name.store", "bridge": "doctor.name.bridge", "tray": "doctor.name.tray", "log": "doctor.name.log",
	"notifications": "doctor.name.notifications", "config": "doctor.name.config",
}

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
		link("external", "about.open_home", fileAddress(u.o.Home))
		link("settings", "about.open_config", fileAddress(filepath.Join(u.o.Home, "config.toml")))
	}
	if u.o.Log != "" {
		link("terminal", "about.open_log", fileAddress(u.o.Log))
	}
	if len(links) > 0 {
		s.head("about.docs")
		s.box(widgets.NewRow(8, links...))
	}
	s.col.Add(caption(u.t("about.accessible")))
}
