package ui

import (
	"slices"
	"strings"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

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
		up := widgets.NewIconButton("back", "", func() {
			put(func(list []notify.Rule) ([]notify.Rule, error) {
				i, err := find(list, i, r)
				if i > 0 {
					list[i-1], list[i] = list[i], list[i-1]
				}
				return list, err
			}, s.changed)
		})
		up.Disabled = i == 0
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

// ruleText says what a rule does, and when.
func (u *UI) ruleText(r notify.Rule) string { return u.tr(vm.RuleDoes(r, u.env.List(vm.RuleWhen(r)))) }
