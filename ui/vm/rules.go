package vm

import (
	"strings"

	"signalbox/notify"
)

// RuleText says what a rule does and when.
func RuleText(r notify.Rule) Msg {
	var when []string
	add := func(name, v string) {
		if v != "" {
			when = append(when, name+" "+v)
		}
	}
	m := r.Match
	add("connection", m.Connection)
	add("session", m.Session)
	add("kind", string(m.Kind))
	add("severity", string(m.Severity))
	add("tag", m.Tag)
	add("sender", m.Sender)
	add("event", m.Event)
	add("text", m.Text)
	key := "rule.other"
	switch r.Set {
	case "none":
		key = "rule.none"
	case "toast":
		key = "rule.toast"
	case "sound":
		key = "rule.sound"
	case "mute":
		key = "rule.mute"
	}
	if len(when) == 0 {
		return Msg{Key: key, A: "*", B: r.Set}
	}
	return Msg{Key: key, A: strings.Join(when, ", "), B: r.Set}
}
