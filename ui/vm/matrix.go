package vm

import (
	"slices"
	"strings"

	"signalbox/notify"
)

// KnownEvents are the event types that the matrix has a row for; others, of any namespace, are told as
// their own. Those of notification are of items that tell of no event.
var KnownEvents = []struct {
	Type  string
	Label Msg
	// Sound says that a sound is the default as well; the other ways are for all of them.
	Sound bool
}{
	{notify.EventClarificationRequested, M("event.clarification"), true},
	{eventInteraction, M("event.waits"), true},
	{notify.EventTurnFailed, M("event.failed"), true},
	{notify.EventTurnFinished, M("event.finished"), false},
	{notify.EventUpdateAvailable, M("event.update"), false},
	{eventReport, M("event.report"), false},
	{eventNotice, M("event.plain"), false},
}

// What subscriptions call the kinds of items that tell of no event.
const (
	eventInteraction = "notification." + string(notify.KindInteraction)
	eventReport      = "notification." + string(notify.KindReport)
	eventNotice      = "notification." + string(notify.KindNotice)
)

// ProviderLabel names a provider; a webhook or command by its own name.
func ProviderLabel(name string) Msg {
	switch name {
	case notify.ProviderInApp:
		return M("provider.in_app")
	case notify.ProviderToast:
		return M("provider.toast")
	case notify.ProviderSound:
		return M("provider.sound")
	}
	if _, own, ok := strings.Cut(name, ":"); ok { // webhook:NAME and command:NAME
		name = own
	}
	return MA("provider.other", name)
}

// Cell is one crossing of the matrix.
type Cell struct {
	Provider, Event string
	On              bool
}

// MatrixRow is one event with its cells.
type MatrixRow struct {
	Event string
	Label Msg
	Cells []Cell
}

// Matrix crosses providers and events (A3). Events that a subscription names and the table doesn't have rows of
// their own, so that nothing is hidden.
func Matrix(subs []notify.Subscription, providers []string) []MatrixRow {
	rows := make([]MatrixRow, 0, len(KnownEvents))
	for _, e := range KnownEvents {
		rows = append(rows, MatrixRow{Event: e.Type, Label: e.Label})
	}
	for _, s := range subs {
		for _, e := range s.Events {
			if !slices.ContainsFunc(rows, func(r MatrixRow) bool { return r.Event == e }) {
				rows = append(rows, MatrixRow{Event: e, Label: MA("event.other", e)})
			}
		}
	}
	for i := range rows {
		for _, p := range providers {
			rows[i].Cells = append(rows[i].Cells, Cell{p, rows[i].Event, Subscribed(subs, p, rows[i].Event)})
		}
	}
	return rows
}

// Subscribed reports whether a provider is told of an event by any subscription. A provider without one, or
// with one that names no events, has its default.
func Subscribed(subs []notify.Subscription, provider, event string) bool {
	found := false
	for _, s := range subs {
		if s.Provider != provider {
			continue
		}
		found = true
		switch {
		case s.Disabled, slices.ContainsFunc(s.Except, covers(event)):
		case s.Events == nil && byDefault(provider, event), slices.ContainsFunc(s.Events, covers(event)):
			return true
		}
	}
	return !found && byDefault(provider, event)
}

// covers is whether a pattern of a subscription covers an event.
func covers(event string) func(pattern string) bool {
	return func(pattern string) bool {
		prefix, ok := strings.CutSuffix(pattern, ".*")
		return pattern == "*" || pattern == event || ok && strings.HasPrefix(event, prefix+".")
	}
}

// byDefault reports whether a provider is told of an event where the owner decided nothing, as the rules have it.
func byDefault(provider, event string) bool {
	for _, e := range KnownEvents {
		if e.Type == event {
			return e.Sound || provider != notify.ProviderSound
		}
	}
	return false
}

// Subscribe returns the subscriptions with one cell changed, and nothing else: what is the default stays so, as it
// weighs severities and the length of turns, and what a subscription narrows to stays.
func Subscribe(subs []notify.Subscription, provider, event string, on bool) []notify.Subscription {
	out := slices.Clone(subs)
	if Subscribed(out, provider, event) == on {
		return out
	}
	is := func(e string) bool { return e == event }
	if !slices.ContainsFunc(out, func(s notify.Subscription) bool { return s.Provider == provider }) {
		out = append(out, notify.Subscription{Provider: provider})
	}
	if !on {
		for i := range out {
			s := &out[i]
			if s.Provider != provider || s.Disabled {
				continue
			}
			if s.Events != nil {
				s.Events = append([]string{}, slices.DeleteFunc(slices.Clone(s.Events), is)...)
			}
			if s.Events == nil && byDefault(provider, event) || slices.ContainsFunc(s.Events, covers(event)) {
				s.Except = append(slices.Clone(s.Except), event)
			}
		}
		return out
	}
	for i := range out { // what left it out does so no longer
		if out[i].Provider == provider && !out[i].Disabled {
			out[i].Except = slices.DeleteFunc(slices.Clone(out[i].Except), is)
		}
	}
	if Subscribed(out, provider, event) {
		return out
	}
	for i := range out {
		if s := &out[i]; s.Provider == provider && !s.Disabled && s.Events != nil {
			s.Events = append(slices.Clone(s.Events), event)
			return out
		}
	}
	for i := range out {
		if s := &out[i]; s.Provider == provider && s.Disabled {
			s.Disabled, s.Events, s.Except = false, []string{event}, nil
			return out
		}
	}
	return append(out, notify.Subscription{Provider: provider, Events: []string{event}})
}
