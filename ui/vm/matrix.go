package vm

import (
	"slices"

	"signalbox/notify"
)

// KnownEvents are the event types that the matrix has a row for; others, of any namespace, are told as
// their own.
var KnownEvents = []struct {
	Type  string
	Label Msg
}{
	{notify.EventClarificationRequested, M("event.clarification")},
	{notify.EventTurnFinished, M("event.finished")},
	{notify.EventTurnFailed, M("event.failed")},
	{notify.EventUpdateAvailable, M("event.update")},
}

// ProviderLabel names a provider; a webhook or command by its own name.
func ProviderLabel(name string) Msg {
	switch name {
	case "in_app":
		return M("provider.in_app")
	case "toast":
		return M("provider.toast")
	case "sound":
		return M("provider.sound")
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

// Subscribed reports whether a provider is told of an event by any subscription. A provider without
// one, or with one that names no events, has its default: the known events.
func Subscribed(subs []notify.Subscription, provider, event string) bool {
	found := false
	for _, s := range subs {
		if s.Provider != provider {
			continue
		}
		found = true
		if s.Disabled {
			continue
		}
		if s.Events == nil && isKnown(event) || slices.Contains(s.Events, event) || slices.Contains(s.Events, "*") {
			return true
		}
	}
	return !found && isKnown(event)
}

func isKnown(event string) bool {
	for _, e := range KnownEvents {
		if e.Type == event {
			return true
		}
	}
	return false
}

// Subscribe returns the subscriptions with one cell changed. What a subscription narrows to stays.
func Subscribe(subs []notify.Subscription, provider, event string, on bool) []notify.Subscription {
	out := make([]notify.Subscription, 0, len(subs)+1)
	done := false
	for _, s := range subs {
		if s.Provider == provider {
			events := s.Events
			if events == nil {
				events = knownTypes()
			}
			if s.Disabled && on {
				s.Disabled, events = false, nil
			}
			events = slices.DeleteFunc(slices.Clone(events), func(e string) bool { return e == event })
			if on && !done {
				events = append(events, event)
			}
			if events == nil {
				events = []string{}
			}
			s.Events, done = events, true
		}
		out = append(out, s)
	}
	if !done {
		events := slices.DeleteFunc(knownTypes(), func(e string) bool { return e == event })
		if on {
			events = append(events, event)
		}
		out = append(out, notify.Subscription{Provider: provider, Events: events})
	}
	return out
}

func knownTypes() []string {
	var out []string
	for _, e := range KnownEvents {
		out = append(out, e.Type)
	}
	return out
}
