package ui

import (
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// connectPage is the first run: connect an agent, in two clicks.
func (s *settingsWindow) connectPage() {
	u := s.u
	s.lead("connect.lead")
	if u.o.Agents != nil && u.o.Setup != nil {
		s.head("connect.agents")
		s.loadAgents()
		if s.busy["agents"] {
			s.col.Add(caption(u.t("state.loading")))
		}
		unfound := 0
		for _, a := range s.agents {
			if a.Installed || a.Connected || s.result[a.ID] != "" {
				s.agent(a)
			} else {
				unfound++
			}
		}
		s.unfoundAgents(unfound)
		if s.agents != nil && len(s.agents) == 0 {
			s.col.Add(caption(u.t("connect.none")))
		}
	}
	s.head("connect.by_hand")
	s.lead("connect.by_hand_text")
	name := s.drafts.entry("connect:name", "")
	name.SetPlaceHolder(u.t("connect.name"))
	make := widgets.NewButton(u.t("connect.make"), widgets.Primary, func() { s.makeConnection(strings.TrimSpace(name.Text)) })
	name.OnSubmitted = func(string) { make.Tapped(nil) }
	s.box(name, widgets.NewRow(8, make))
	s.newToken()
	if u.o.TestNotification != nil {
		s.head("connect.test")
		s.box(body(u.t("connect.test_text")), s.testRow())
	}
}

// loadAgents reads which agents there are, and makes the page anew when it is known.
func (s *settingsWindow) loadAgents() {
	u := s.u
	if s.agents != nil || s.busy["agents"] {
		return
	}
	s.busy["agents"] = true
	background(u, u.o.Agents, func(list []Agent, err error) {
		s.busy["agents"] = false
		s.agents = sortedAgents(list)
		if err != nil {
			s.note = u.tr(vm.Trouble(err))
		}
		if len(list) == 0 {
			s.agents = []Agent{}
		}
		s.fill()
	})
}

// seekEvery is how often the page that is open looks again which agents there are: sigbox setup may run beside it.
const seekEvery = 3 * time.Second

// sortedAgents has those first that can be used.
func sortedAgents(list []Agent) []Agent {
	return vm.SortedBy(list, func(a Agent) bool { return a.Connected || a.Installed })
}

// seek looks again which agents there are, and makes the page anew if others are, or are connected. It waits while the
// owner types or one is being connected.
func (s *settingsWindow) seek() {
	u := s.u
	s.sought = u.now()
	if s.page != "connect" || s.agents == nil || u.o.Agents == nil || s.seeking {
		return
	}
	s.seeking = true
	background(u, u.o.Agents, func(list []Agent, err error) {
		s.seeking = false
		_, typing := s.win.Canvas().Focused().(*widgets.Entry)
		for _, busy := range s.busy {
			typing = typing || busy
		}
		if list = sortedAgents(list); err != nil || typing || s.agents == nil || slices.Equal(list, s.agents) {
			return
		}
		s.agents = list
		s.fill()
	})
}

// seekAgents has the pages that list agents and are on screen look again; every so often, or at once.
func (u *UI) seekAgents(atOnce bool) {
	var pages []*settingsWindow
	if u.open["rail"] && u.rail.first != nil {
		pages = append(pages, u.rail.first)
	}
	if u.open["settings"] {
		pages = append(pages, u.sets)
	}
	for _, s := range pages {
		if atOnce || u.now().Sub(s.sought) >= seekEvery {
			s.seek()
		}
	}
}

// Entered says that the owner came to one of the windows, from wherever.
func (u *UI) Entered() { u.dispatch(func() { u.seekAgents(true) }) }

// unfoundAgents are the agents that are not on this computer: one line, which opens.
func (s *settingsWindow) unfoundAgents(n int) {
	if n == 0 {
		return
	}
	icon := "expand"
	if s.unfound {
		icon = "collapse"
	}
	s.col.Add(widgets.NewRow(8, widgets.NewIconButton(icon, s.u.tr(vm.MN("connect.not_found_some", n)), func() {
		s.unfound = !s.unfound
		s.fill()
	})))
	if !s.unfound {
		return
	}
	for _, a := range s.agents {
		if !a.Installed && !a.Connected && s.result[a.ID] == "" {
			s.agent(a)
		}
	}
	s.col.Add(caption(s.u.t("connect.not_found_hint")))
}

// nextStep is what to do once an agent was connected, for it reads its settings when it starts.
func (s *settingsWindow) nextStep(a Agent) fyne.CanvasObject {
	u := s.u
	text := body(u.tr(vm.MA("connect.restart", a.Name)))
	if u.o.TestNotification == nil || len(u.o.Providers) == 0 {
		return text
	}
	way := u.o.Providers[0]
	if slices.Contains(u.o.Providers, notify.ProviderToast) {
		way = notify.ProviderToast
	}
	return widgets.NewColumn(8, text, widgets.NewRow(8, widgets.NewButton(u.t("connect.send_test"), widgets.Plain, func() { s.sendTest(way) })))
}

// sendTest sends the owner a notification by one way.
func (s *settingsWindow) sendTest(way string) {
	u := s.u
	background(u, func(ctx context.Context) (struct{}, error) { return struct{}{}, u.o.TestNotification(ctx, way) }, func(_ struct{}, err error) {
		if err != nil {
			s.say(u.tr(vm.Trouble(err)))
			return
		}
		s.say(u.tr(vm.MA("connect.tested", u.tr(vm.ProviderLabel(way)))))
	})
}

func (s *settingsWindow) testRow() *widgets.Row {
	u := s.u
	var objs []fyne.CanvasObject
	for _, p := range u.o.Providers {
		b := widgets.NewIconButton("bell", u.tr(vm.ProviderLabel(p)), func() { s.sendTest(p) })
		b.Style = widgets.Plain
		objs = append(objs, b)
	}
	return widgets.NewRow(8, objs...)
}

func (s *settingsWindow) agent(a Agent) {
	u := s.u
	state, tone := u.tr(vm.MA("connect.not_found", a.Program)), "quiet"
	switch {
	case a.Connected:
		state, tone = u.t("connect.connected"), "success"
	case a.Installed:
		state, tone = u.t("connect.ready"), "info"
	}
	label, style, undo := u.t("connect.do"), widgets.Plain, false
	switch {
	case a.Connected:
		label, undo = u.t("connect.undo"), true
	case a.Installed:
		style = widgets.Primary
	}
	btn := widgets.NewButton(label, style, func() {
		s.busy[a.ID] = true
		s.fill()
		background(u, func(ctx context.Context) (string, error) { return u.o.Setup(ctx, a.ID, undo) }, func(out string, err error) {
			s.busy[a.ID] = false
			s.result[a.ID] = out
			s.fresh[a.ID] = err == nil && !undo
			if err != nil {
				s.result[a.ID] = strings.TrimSpace(out + "\n" + u.tr(vm.Trouble(err)))
			}
			s.agents = nil
			s.fill()
		})
	})
	btn.Disabled = s.busy[a.ID]
	title := widgets.LookTitle
	title.Max = 1
	left := widgets.NewColumn(3, widgets.NewText(a.Name, title), widgets.NewRow(6, widgets.NewChip(state, nil, tone)))
	if a.Note != "" {
		left.Add(caption(a.Note))
	}
	objs := []fyne.CanvasObject{widgets.NewSplitRow(left, btn)}
	if out := s.result[a.ID]; out != "" {
		objs = append(objs, widgets.Code(out))
	}
	if s.fresh[a.ID] && a.Connected {
		objs = append(objs, s.nextStep(a))
	}
	s.box(objs...)
}

func (s *settingsWindow) makeConnection(label string) {
	u := s.u
	if u.o.NewToken == nil {
		return
	}
	if label == "" {
		s.say(u.t("connect.name_missing"))
		return
	}
	token, hash, err := u.o.NewToken()
	if err != nil {
		s.say(u.tr(vm.Trouble(err)))
		return
	}
	u.do(notify.CreateConnection{Label: label, TokenHash: hash}, func(res notify.Result, err error) {
		if err != nil {
			s.say(u.tr(vm.Trouble(err)))
			return
		}
		s.token, s.tokOf = token, res.Connection.Label
		s.drafts.forget("connect:")
		s.fill()
	})
}

// newToken shows a token, this once.
func (s *settingsWindow) newToken() {
	u := s.u
	if s.token == "" {
		return
	}
	text := s.token
	if u.o.Address != "" {
		text = "SIGNALBOX_URL=" + u.o.Address + "\nSIGNALBOX_TOKEN=" + s.token
	}
	s.box(body(u.tr(vm.MA("token.made", s.tokOf))), widgets.Code(text), caption(u.t("token.once")),
		widgets.NewRow(8, widgets.NewButton(u.t("token.copy"), widgets.Primary, func() {
			u.app.Clipboard().SetContent(text)
			s.say(u.t("token.copied"))
		}), widgets.NewButton(u.t("token.done"), widgets.Plain, func() { s.token = ""; s.fill() })))
}
