package vm

import "signalbox/notify"

// RuleWhen are the conditions of a rule, each in words; one text where it has none.
func RuleWhen(r notify.Rule) []Msg {
	var when []Msg
	add := func(key, v string) {
		if v != "" {
			when = append(when, MA(key, v))
		}
	}
	m := r.Match
	add("rule.connection", m.Connection)
	add("rule.session", m.Session)
	add("rule.kind", string(m.Kind))
	add("rule.severity", string(m.Severity))
	add("rule.tag", m.Tag)
	add("rule.sender", m.Sender)
	add("rule.event", m.Event)
	add("rule.text", m.Text)
	if when == nil {
		when = []Msg{M("rule.all")}
	}
	return when
}

// RuleDoes says what a rule does where its conditions hold.
func RuleDoes(r notify.Rule, when string) Msg {
	key := "rule.other"
	switch r.Set {
	case notify.RuleNone:
		key = "rule.none"
	case notify.RuleToast:
		key = "rule.toast"
	case notify.RuleSound:
		key = "rule.sound"
	case notify.RuleMute:
		key = "rule.mute"
	}
	return Msg{Key: key, A: when, B: r.Set}
}

// SoundName names one of our sounds.
func SoundName(name string) Msg {
	switch name {
	case "question":
		return M("sound.question")
	case "permission":
		return M("sound.permission")
	case "failure":
		return M("sound.failure")
	case "finished":
		return M("sound.finished")
	case "reminder":
		return M("sound.reminder")
	}
	return MA("provider.other", name)
}
