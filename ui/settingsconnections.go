package ui

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

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

// offered are the colours for a connection: the usual ones, and the one that it has, so that one is marked.
func offered(c notify.ConnectionView) []string {
	has := widgets.ColourHex(c.Color, c.Label)
	if slices.ContainsFunc(connectionColours, func(o string) bool { return strings.EqualFold(o, has) }) {
		return connectionColours
	}
	return append([]string{has}, connectionColours...)
}

// presenceText says whether a connection is there, and when it was last.
func (u *UI) presenceText(c notify.ConnectionView) string {
	text := u.env.Presence(c.Presence, vm.HeardOf(c, u.now()))
	if c.Presence == notify.Revoked && !c.SeenAt.IsZero() {
		text += " · " + u.tr(vm.Ago(u.now(), c.SeenAt))
	}
	return text
}

func (u *UI) countsText(c notify.ConnectionView) string {
	return u.tr(vm.MN("connections.pending", c.Counts.Pending)) + " · " + u.tr(vm.MN("connections.waiting", c.Counts.Waiting))
}

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
