package ui

import (
	"context"
	"strings"

	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

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
