package ui

import (
	"context"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/theme"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

func (s *settingsWindow) lead(key string) {
	s.col.Add(widgets.NewText(s.u.t(key), widgets.LookBody))
}

func (s *settingsWindow) head(key string) {
	s.col.Add(widgets.NewGap(6), widgets.NewText(s.u.t(key), widgets.LookTitle))
}

func (s *settingsWindow) box(objs ...fyne.CanvasObject) {
	s.col.Add(widgets.NewFramed(widgets.NewColumn(10, objs...), theme.ColorCard, theme.ColorLine, 10, 16, 14))
}

func caption(text string) *widgets.Text {
	look := widgets.LookCaption
	look.Max = 0
	return widgets.NewText(text, look)
}

func body(text string) *widgets.Text {
	look := widgets.LookBody
	look.Color = theme.ColorInk
	return widgets.NewText(text, look)
}

// connectPage is the first run: connect an agent, in two clicks.
func (s *settingsWindow) connectPage() {
	u := s.u
	s.lead("connect.lead")
	if u.o.Agents != nil && u.o.Setup != nil {
		s.head("connect.agents")
		if s.agents == nil && !s.busy["agents"] {
			s.busy["agents"] = true
			background(u, u.o.Agents, func(list []Agent, err error) {
				s.busy["agents"] = false
				s.agents = vm.SortedBy(list, func(a Agent) bool { return a.Connected || a.Installed })
				if err != nil {
					s.note = u.tr(vm.Trouble(err))
				}
				if len(list) == 0 {
					s.agents = []Agent{}
				}
				s.fill()
			})
		}
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
	row := widgets.NewRow(8)
	var objs []fyne.CanvasObject
	for _, p := range u.o.Providers {
		objs = append(objs, widgets.NewIconButton("bell", u.tr(vm.ProviderLabel(p)), func() { s.sendTest(p) }))
	}
	for _, o := range objs {
		o.(*widgets.Button).Style = widgets.Plain
	}
	row.Set(objs...)
	return row
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

// connectionsPage lists the connections: label, colour, open or closed, token.
func (s *settingsWindow) connectionsPage() {
	u := s.u
	s.lead("connections.lead")
	s.newToken()
	list := u.connections()
	if len(list) == 0 {
		s.col.Add(caption(u.t("connections.none")))
	}
	for _, c := range list {
		s.connection(c)
	}
	s.col.Add(widgets.NewRow(8, widgets.NewIconButton("plus", u.t("connections.add"), func() { s.open("connect") })))
}

// connectionColours are offered for a line.
var connectionColours = []string{"#d97757", "#3f8fd0", "#35a063", "#a85cc0", "#d0a02b", "#1d969e", "#c74e7c", "#6b74d6"}

func (s *settingsWindow) connection(c notify.ConnectionView) {
	u := s.u
	told := func(_ notify.Result, err error) {
		if err != nil {
			s.say(u.tr(vm.Trouble(err)))
			return
		}
		s.again()
	}
	name := s.drafts.entry("connections."+c.ID, c.Label)
	name.OnSubmitted = func(v string) {
		s.drafts.forget("connections." + c.ID)
		if v = strings.TrimSpace(v); v != "" && v != c.Label {
			u.do(notify.UpdateConnection{ID: c.ID, Label: &v}, told)
		}
	}
	tone := "quiet"
	if c.Presence == notify.Online {
		tone = "success"
	}
	colours := widgets.NewSwatches(offered(c), widgets.ColourHex(c.Color, c.Label), func(v string) { u.do(notify.UpdateConnection{ID: c.ID, Color: &v}, told) })
	state, counts := widgets.NewChip(u.presenceText(c), nil, tone), widgets.NewChip(u.countsText(c), nil, "")
	s.moving = append(s.moving, func() bool {
		now, ok := u.connection(c.ID)
		if !ok {
			return false
		}
		said := state.SetLabel(u.presenceText(now))
		return counts.SetLabel(u.countsText(now)) || said
	})
	var buttons []fyne.CanvasObject
	open, label := !c.Open, u.t("side.close")
	if open {
		label = u.t("side.reopen")
	}
	buttons = append(buttons, widgets.NewButton(label, widgets.Plain, func() { u.do(notify.UpdateConnection{ID: c.ID, Open: &open}, told) }))
	if u.o.NewToken != nil {
		buttons = append(buttons, widgets.NewButton(u.t("connections.rotate"), widgets.Plain, func() {
			u.ask(s.win, u.tr(vm.MA("connections.rotate_of", c.Label)), body(u.t("connections.rotate_text")), widgets.NewButton(u.t("connections.rotate"), widgets.Danger, nil), func() { s.rotate(c) })
		}))
	}
	if !c.Revoked {
		buttons = append(buttons, widgets.NewButton(u.t("connections.revoke"), widgets.Danger, func() {
			u.ask(s.win, u.tr(vm.MA("connections.revoke_of", c.Label)), body(u.t("connections.revoke_text")), widgets.NewButton(u.t("connections.revoke"), widgets.Danger, nil), func() {
				u.do(notify.RevokeConnection{ID: c.ID}, told)
			})
		}))
	} else {
		buttons = append(buttons, widgets.NewButton(u.t("connections.purge"), widgets.Danger, func() {
			u.ask(s.win, u.tr(vm.MA("connections.purge_of", c.Label)), body(u.t("connections.purge_text")), widgets.NewButton(u.t("connections.purge"), widgets.Danger, nil), func() {
				u.do(notify.RevokeConnection{ID: c.ID, Purge: true}, told)
			})
		}))
	}
	s.box(widgets.NewSplitRow(widgets.NewRow(8, widgets.NewChip(c.ID, widgets.LineColour(c.Color, c.Label), ""), state), counts),
		name, colours, widgets.NewRow(8, buttons...))
}

// presenceText says whether a connection is there, and when it was last.
func (u *UI) presenceText(c notify.ConnectionView) string {
	text := u.tr(vm.PresenceWord(c.Presence))
	if !c.SeenAt.IsZero() && c.Presence != notify.Online {
		text += " · " + u.tr(vm.Ago(u.now(), c.SeenAt))
	}
	return text
}

func (u *UI) countsText(c notify.ConnectionView) string {
	return u.tr(vm.MN("connections.pending", c.Counts.Pending)) + " · " + u.tr(vm.MN("connections.waiting", c.Counts.Waiting))
}

// offered are the colours for a connection: the usual ones, and the one that it has, so that one is marked.
func offered(c notify.ConnectionView) []string {
	has := widgets.ColourHex(c.Color, c.Label)
	if slices.ContainsFunc(connectionColours, func(o string) bool { return strings.EqualFold(o, has) }) {
		return connectionColours
	}
	return append([]string{has}, connectionColours...)
}

// ruleText says what a rule does, and when.
func (u *UI) ruleText(r notify.Rule) string {
	var when []string
	for _, m := range vm.RuleWhen(r) {
		when = append(when, u.tr(m))
	}
	return u.tr(vm.RuleDoes(r, strings.Join(when, ", ")))
}

func caption1(text string) fyne.CanvasObject { return widgets.NewChip(text, nil, "") }

func (s *settingsWindow) rotate(c notify.ConnectionView) {
	u := s.u
	token, hash, err := u.o.NewToken()
	if err != nil {
		s.say(u.tr(vm.Trouble(err)))
		return
	}
	u.do(notify.RotateToken{ID: c.ID, TokenHash: hash}, func(_ notify.Result, err error) {
		if err != nil {
			s.say(u.tr(vm.Trouble(err)))
			return
		}
		s.token, s.tokOf = token, c.Label
		s.fill()
		s.pane.Top()
	})
}

// toldPage is the matrix of providers and events, and the sounds.
func (s *settingsWindow) toldPage() {
	u := s.u
	s.lead("told.lead")
	set := u.snap.Settings
	var heads []string
	for _, p := range u.o.Providers {
		heads = append(heads, u.tr(vm.ProviderLabel(p)))
	}
	grid := widgets.NewMatrix(heads)
	for _, row := range vm.Matrix(set.Subscriptions, u.o.Providers) {
		var on []bool
		for _, c := range row.Cells {
			on = append(on, c.On)
		}
		grid.Row(u.tr(row.Label), on, func(i int, on bool) {
			u.change(func(now notify.Settings) (notify.SetSettings, error) {
				subs := vm.Subscribe(now.Subscriptions, row.Cells[i].Provider, row.Event, on)
				return notify.SetSettings{Subscriptions: &subs}, nil
			}, func(err error) {
				if err != nil {
					s.changed(err) // the cell is again as it was
				}
			})
		})
	}
	s.box(grid)
	s.col.Add(caption(u.t("told.note")))
	if len(u.o.Sounds) > 0 && u.o.PlaySound != nil {
		s.head("told.sounds")
		var objs []fyne.CanvasObject
		for _, name := range u.o.Sounds {
			b := widgets.NewIconButton("play", u.tr(vm.SoundName(name)), func() {
				background(u, func(context.Context) (struct{}, error) { return struct{}{}, u.o.PlaySound(name) }, func(_ struct{}, err error) {
					if err != nil {
						s.say(u.t("told.no_sound"))
					}
				})
			})
			b.Style = widgets.Plain
			objs = append(objs, b)
		}
		s.box(widgets.NewRow(8, objs...))
	}
	if u.o.TestNotification != nil {
		s.head("connect.test")
		s.box(s.testRow())
	}
}

// rulesPage lists the ordered rules.
func (s *settingsWindow) rulesPage() {
	u := s.u
	s.lead("rules.lead")
	rules := u.snap.Settings.Rules
	put := func(edit func([]notify.Rule) ([]notify.Rule, error), then func(error)) {
		u.change(func(now notify.Settings) (notify.SetSettings, error) {
			list, err := edit(slices.Clone(now.Rules))
			return notify.SetSettings{Rules: &list}, err
		}, then)
	}
	for i, r := range rules {
		up := widgets.NewIconButton("collapse", "", func() {
			put(func(list []notify.Rule) ([]notify.Rule, error) {
				i, err := find(list, i, r)
				if i > 0 {
					list[i-1], list[i] = list[i], list[i-1]
				}
				return list, err
			}, s.changed)
		})
		up.Disabled = i == 0
		up.Icon = "back"
		del := widgets.NewIconButton("trash", "", func() {
			put(func(list []notify.Rule) ([]notify.Rule, error) {
				i, err := find(list, i, r)
				if err != nil {
					return nil, err
				}
				return slices.Delete(list, i, i+1), nil
			}, s.changed)
		})
		title := widgets.LookTitle
		title.Max = 1
		s.box(widgets.NewSplitRow(widgets.NewColumn(2, widgets.NewText(r.Name, title), caption(u.ruleText(r))), widgets.NewRow(4, up, del)))
	}
	if len(rules) == 0 {
		s.col.Add(caption(u.t("rules.none")))
	}
	s.head("rules.add")
	d := s.drafts
	name, text, tag, sender := d.entry("rules:name", ""), d.entry("rules:text", ""), d.entry("rules:tag", ""), d.entry("rules:sender", "")
	kindKeys := []notify.Kind{"", notify.KindInteraction, notify.KindNotice, notify.KindReport, notify.KindProgress, notify.KindStatus}
	kinds := []string{u.t("rules.kind")}
	for _, k := range kindKeys[1:] {
		kinds = append(kinds, u.tr(vm.KindWord(k)))
	}
	kind := choice(d, "rules:kind", kindKeys, kinds)
	eventKeys, events := []string{""}, []string{u.t("rules.event")}
	for _, e := range vm.KnownEvents {
		if !strings.HasPrefix(e.Type, "notification.") { // those are the kinds
			eventKeys, events = append(eventKeys, e.Type), append(events, u.tr(e.Label))
		}
	}
	event := choice(d, "rules:event", eventKeys, events)
	name.SetPlaceHolder(u.t("rules.name"))
	text.SetPlaceHolder(u.t("rules.text"))
	tag.SetPlaceHolder(u.t("rules.tag"))
	sender.SetPlaceHolder(u.t("rules.sender"))
	conns := u.connections()
	ids, labels := []string{""}, []string{u.t("history.any_connection")}
	for _, c := range conns {
		ids, labels = append(ids, c.ID), append(labels, c.Label)
	}
	conn := choice(d, "rules:connection", ids, labels)
	sevKeys := []notify.Severity{"", "info", "success", "warning", "error", "critical"}
	sevs := []string{u.t("history.any_severity")}
	for _, k := range sevKeys[1:] {
		sevs = append(sevs, u.tr(vm.SeverityWord(k)))
	}
	sev := choice(d, "rules:severity", sevKeys, sevs)
	setKeys := []string{notify.RuleNone, notify.RuleToast, notify.RuleSound}
	do := choice(d, "rules:set", setKeys, []string{u.t("rules.none_do"), u.t("rules.toast_do"), u.t("rules.sound_do")})
	stop := d.check("rules:stop", u.t("rules.stop"))
	add := widgets.NewButton(u.t("rules.save"), widgets.Primary, func() {
		r := notify.Rule{Name: strings.TrimSpace(name.Text), Set: setKeys[max(do.SelectedIndex(), 0)], Stop: stop.Checked,
			Match: notify.RuleMatch{Text: text.Text, Tag: strings.TrimSpace(tag.Text), Sender: strings.TrimSpace(sender.Text), Severity: sevKeys[max(sev.SelectedIndex(), 0)],
				Kind: kindKeys[max(kind.SelectedIndex(), 0)], Event: eventKeys[max(event.SelectedIndex(), 0)]}}
		if i := conn.SelectedIndex(); i > 0 {
			r.Match.Connection = conns[i-1].ID
		}
		if r.Name == "" {
			r.Name = u.t("rules.unnamed")
		}
		put(func(list []notify.Rule) ([]notify.Rule, error) { return append(list, r), nil }, func(err error) {
			if err == nil {
				s.drafts.forget("rules:")
			}
			s.changed(err)
		})
	})
	s.box(name, caption(u.t("rules.when")), widgets.NewRow(8, wide(conn), wide(sev)), widgets.NewRow(8, wide(kind), wide(event)), text, widgets.NewRow(8, fixed{tag, 150}.object(), fixed{sender, 180}.object()), widgets.NewRow(8, wide(do), stop), widgets.NewRow(8, add))
}
