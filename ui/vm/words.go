package vm

import (
	"strings"

	"signalbox/notify"
)

// What the center keeps in words for machines is said here in words for people.

// WayWord names the way in which something is told.
func WayWord(provider string) Msg {
	kind, name, named := strings.Cut(provider, ":")
	switch {
	case named && kind == "webhook":
		return MA("provider.webhook", name)
	case named && kind == "command":
		return MA("provider.command", name)
	}
	return ProviderLabel(provider)
}

// inSummaryMark ends the reason of what was told together with others.
const inSummaryMark = " (told in a summary)"

// WhyWord says why something was told or not, from the reason that a delivery keeps ("rule: night"): what decided, what
// belongs to it (a name; empty: nothing), and whether it was told together with others.
func WhyWord(reason string) (why Msg, name string, together bool) {
	reason, together = strings.CutSuffix(reason, inSummaryMark)
	key, detail, _ := strings.Cut(reason, ": ")
	switch notify.Reason(key) {
	case notify.ReasonDefault:
		return defaultWord(detail), "", together
	case notify.ReasonSubscription:
		switch {
		case strings.HasPrefix(detail, "reminder"):
			return M("why.reminder"), "", together
		case detail == "":
			return M("why.subscription"), "", together
		}
		return M("why.subscribed"), detail, together
	case notify.ReasonRule:
		return M("why.rule"), detail, together
	case notify.ReasonError:
		return M("why.error"), "", together
	}
	if w, ok := whyWords[notify.Reason(key)]; ok {
		return w, "", together
	}
	return MA("why.other", reason), "", together
}

var whyWords = map[notify.Reason]Msg{
	notify.ReasonNoNews: M("why.no_news"), notify.ReasonEnded: M("why.ended"), notify.ReasonReplay: M("why.replay"),
	notify.ReasonSilent: M("why.silent"), notify.ReasonMuted: M("why.muted"), notify.ReasonSnoozed: M("why.snooze"),
	notify.ReasonSetAside: M("why.set_aside"), notify.ReasonLapsed: M("why.ttl"), notify.ReasonDuplicate: M("why.duplicate"),
	notify.ReasonSubagent: M("why.sub_agent"), notify.ReasonShortTurn: M("why.short_turn"), notify.ReasonQuiet: M("why.quiet_hours"),
	notify.ReasonFocus: M("why.focus"), notify.ReasonClosed: M("why.connection_closed"), notify.ReasonStorm: M("why.storm"),
	notify.ReasonDigest: M("why.digest"),
}

// defaultWord says what decided where the owner set nothing.
func defaultWord(detail string) Msg {
	switch {
	case detail == notify.DetailWaits:
		return M("why.waits")
	case detail == notify.DetailError, detail == notify.EventTurnFailed:
		return M("why.failed")
	case detail == notify.EventClarificationRequested:
		return M("why.asks")
	case detail == notify.EventTurnFinished:
		return M("why.finished")
	case detail == notify.DetailNoSound:
		return M("why.no_sound")
	case detail == notify.DetailHistory:
		return M("why.history_only")
	case detail == notify.DetailGoesOn:
		return M("why.goes_on")
	case strings.HasPrefix(detail, "reminder"):
		return M("why.reminder")
	}
	return M("why.default")
}

// EventWord names what happened: the types that every agent knows, or the namespaced type of the agent's own.
func EventWord(event string) Msg {
	for _, k := range KnownEvents {
		if k.Type == event {
			return k.Label
		}
	}
	return MA("event.other", event)
}

// EndWord says how a notification ends by itself (R1).
func EndWord(p notify.Policy) Msg {
	switch p {
	case notify.TTL:
		return M("ends.ttl")
	case notify.RequestBound:
		return M("ends.request")
	case notify.ServerLifetime:
		return M("ends.lifetime")
	}
	return M("ends.resolved")
}

// PartWord names the part of a notification that a JSON pointer leads to, such as "/lines/2".
func PartWord(pointer string) Msg {
	first, _, _ := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	switch first {
	case "title":
		return M("part.title")
	case "body":
		return M("part.text")
	case "lines":
		return M("part.lines")
	case "progress":
		return M("part.progress")
	case "interaction":
		return M("part.question")
	case "actions":
		return M("part.actions")
	case "attachments", "links":
		return M("part.attachments")
	case "report":
		return M("part.report")
	case "data":
		return M("part.data")
	}
	return MA("part.other", first)
}
