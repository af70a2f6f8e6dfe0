package notify

import "strings"

// EventPromptSubmitted and EventToolFinished are further events that prove that a prompt of their
// session was answered elsewhere (A9).
const (
	EventPromptSubmitted = "session.prompt_submitted"
	EventToolFinished    = "session.tool_finished"
)

// TagSubagent marks what a sub-agent said: it is history, unless the owner asks for more (A10).
const TagSubagent = "subagent"

// Subagent reports whether r comes from a sub-agent.
func (r *Record) Subagent() bool {
	for _, t := range r.Tags {
		if t == TagSubagent {
			return true
		}
	}
	return false
}

// checkEvent refuses an event that is none (A1). Start-up and idle are lifecycle states, not events;
// whoever tells them gives them a namespaced type and gets no more than history.
func checkEvent(k *checker, e *Event, scope Scope) {
	switch {
	case e.Type == "":
		k.bad("/event/type", "is required")
	case !namespaced(e.Type):
		k.bad("/event/type", "must be a namespaced type of small letters, digits, _ and -, such as session.turn_finished")
	case e.Type == EventClarificationRequested && scope != ScopeSession:
		k.bad("/session", "is required for this event: it is asked in a session")
	case e.Type == EventUpdateAvailable && scope == ScopeSession:
		k.bad("/session", "must be absent for this event: it concerns no session")
	}
	k.name("/event/occurrence", e.Occurrence, true)
}

// namespaced reports whether s is two or more words joined by dots.
func namespaced(s string) bool {
	if len(s) > 200 || !strings.Contains(s, ".") {
		return false
	}
	for word := range strings.SplitSeq(s, ".") {
		if word == "" {
			return false
		}
		for i := 0; i < len(word); i++ {
			if c := word[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '_' && c != '-' {
				return false
			}
		}
	}
	return true
}

// retired is the refusal of a retired event (A1).
func retired() *Error {
	return &Error{Code: CodeRetiredEvent,
		Detail: "The event session.waiting_for_input is retired; publish session.clarification_requested where something is asked.",
		Fields: []FieldError{{Field: "/event/type", Detail: "is retired"}}}
}

// position advances a session for an event that concerns the owner (A4).
func position(s *Session, r *Record) bool {
	if r.Event == nil || r.Silent || r.Subagent() {
		return false
	}
	switch r.Event.Type {
	case EventTurnFinished:
		s.Sequence++
		s.FinishedAt = s.Sequence
	case EventTurnFailed:
		s.Sequence++
		s.FailedAt = s.Sequence
	case EventClarificationRequested:
		s.Sequence++
	default:
		return false
	}
	return true
}

// proves reports whether r's event proves that a prompt of the same session was answered in the
// agent's own terminal (A9): the turn went on or ended, a new prompt was given, or its tool ran. It
// proves so of its own sender alone: a sub-agent in the background may wait beyond the end of a turn.
func proves(r, prompt *Record) bool {
	if r.Event == nil || r.Subagent() != prompt.Subagent() || r.Sender != prompt.Sender || prompt.ID == r.ID || !prompt.clarifies() {
		return false
	}
	switch r.Event.Type {
	case EventTurnFinished, EventTurnFailed:
		return !r.Silent // the end of a turn that is kept from the owner is not that of the turn that asked
	case EventPromptSubmitted:
		return true
	case EventToolFinished:
		return r.Request != "" && r.Request == prompt.Request || r.Event.Occurrence == prompt.Event.Occurrence
	}
	return false
}

// clarifies reports whether r is a pending request for clarification, whether it can be answered here
// or in the agent's own terminal only.
func (r *Record) clarifies() bool {
	return r.Status == Pending && r.Event != nil && r.Event.Type == EventClarificationRequested
}

// Asks reports whether r waits for the owner: an interaction, or a request for clarification.
func (r *Record) Asks() bool { return r.Waiting() || r.clarifies() }

// settlePrompts resolves the prompts of r's session that its event proves answered, with the event as
// the reason. Those of no other session are touched.
func (d *decider) settlePrompts(r *Record) {
	if r.Scope != ScopeSession || r.Event == nil {
		return
	}
	switch r.Event.Type {
	case EventTurnFinished, EventTurnFailed, EventPromptSubmitted, EventToolFinished:
	default:
		return
	}
	for _, p := range d.collect(SessionRef{r.Connection, r.Session}, func(p *Record) bool { return proves(r, p) }) {
		if p = d.settle(p); p.Status == Pending {
			d.endResolved(p, "answered in the terminal, as "+r.Event.Type+" ("+r.Event.Occurrence+") showed")
		}
	}
}

// MigrateSubscriptions turns stored subscriptions to the retired event into subscriptions to
// clarifications alone (A1). It leaves its argument as it is.
func MigrateSubscriptions(subs []Subscription) []Subscription {
	out := make([]Subscription, len(subs))
	copy(out, subs)
	for i, s := range out {
		if s.Events == nil {
			continue
		}
		events := make([]string, 0, len(s.Events))
		seen := map[string]bool{}
		for _, e := range s.Events {
			if e == EventWaitingForInput {
				e = EventClarificationRequested
			}
			if !seen[e] {
				seen[e] = true
				events = append(events, e)
			}
		}
		out[i].Events = events
	}
	if subs == nil {
		return nil
	}
	return out
}
