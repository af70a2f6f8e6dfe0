package vm

import (
	"time"

	"signalbox/notify"
)

// Tone is the colour family of an item. Colour is never the only sign: each tone comes with an icon
// and a word.
type Tone string

// The tones, lightest first. Quiet is for what is over.
const (
	ToneQuiet    Tone = "quiet"
	ToneInfo     Tone = "info"
	ToneSuccess  Tone = "success"
	ToneWarning  Tone = "warning"
	ToneError    Tone = "error"
	ToneCritical Tone = "critical"
	ToneWaiting  Tone = "waiting"
)

// Sign is how an item is marked: a colour, an icon of the assets and a word.
type Sign struct {
	Tone Tone
	Icon string
	Word Msg
}

// SignOf is the sign of a record: that it waits comes first, then its kind where that says more than
// its severity, then its severity.
func SignOf(r *notify.Record) Sign {
	if r.Waiting() {
		return Sign{ToneWaiting, interactionIcon(r), interactionWord(r)}
	}
	if InTerminal(r) {
		return Sign{ToneWaiting, "terminal", M("ask.terminal")}
	}
	s := Sign{Tone: SeverityTone(r.Severity), Icon: severityIcon(r.Severity), Word: SeverityWord(r.Severity)}
	if r.Kind == notify.KindInteraction {
		// What was asked stays what it was: its severity said how much it mattered to answer it.
		return Sign{outcomeTone(r), interactionIcon(r), interactionWord(r)}
	}
	if r.Severity == notify.SeverityInfo || r.Severity == "" || r.Severity == notify.SeveritySuccess {
		switch r.Kind {
		case notify.KindProgress:
			s.Icon, s.Word = "progress", M("kind.progress")
		case notify.KindStatus:
			s.Icon, s.Word = "pin", M("kind.status")
		case notify.KindReport:
			s.Icon, s.Word = "report", M("kind.report")
		}
	}
	return s
}

// outcomeTone is the colour of how a question ended: of the answer by what was chosen, so that what was refused
// never looks as if it had been allowed.
func outcomeTone(r *notify.Record) Tone {
	o := r.Outcome
	if o == nil {
		return ToneQuiet
	}
	switch o.Kind {
	case notify.OutcomeAnswered, notify.OutcomeAutoAnswered:
		if refused(r) {
			return ToneError
		}
		return ToneSuccess
	case notify.OutcomeTimedOut:
		return ToneWarning
	}
	return ToneQuiet
}

// refused reports whether the answer of r was one that says no, or is dangerous by its producer's own word.
func refused(r *notify.Record) bool {
	if r.Outcome == nil || r.Outcome.Answer == nil || r.Interaction == nil {
		return false
	}
	chosen := notify.Option{ID: r.Outcome.Answer.Option}
	for _, o := range r.Interaction.Options {
		if o.ID == chosen.ID {
			chosen = o
		}
	}
	return chosen.Style == "danger" || chosen.Refuses()
}

// InTerminal reports whether r says that its agent waits where it cannot be answered from here.
func InTerminal(r *notify.Record) bool {
	return r.Asks() && !r.Waiting()
}

// SeverityTone is the colour family of a severity.
func SeverityTone(s notify.Severity) Tone {
	switch s {
	case notify.SeveritySuccess:
		return ToneSuccess
	case notify.SeverityWarning:
		return ToneWarning
	case notify.SeverityError:
		return ToneError
	case notify.SeverityCritical:
		return ToneCritical
	}
	return ToneInfo
}

func severityIcon(s notify.Severity) string {
	switch s {
	case notify.SeveritySuccess:
		return "success"
	case notify.SeverityWarning:
		return "warning"
	case notify.SeverityError:
		return "error"
	case notify.SeverityCritical:
		return "critical"
	}
	return "info"
}

// SeverityWord names a severity.
func SeverityWord(s notify.Severity) Msg {
	switch s {
	case notify.SeveritySuccess:
		return M("severity.success")
	case notify.SeverityWarning:
		return M("severity.warning")
	case notify.SeverityError:
		return M("severity.error")
	case notify.SeverityCritical:
		return M("severity.critical")
	}
	return M("severity.info")
}

func interactionIcon(r *notify.Record) string {
	if r.Interaction == nil {
		return "question"
	}
	if r.Interaction.Plans() {
		return "plan"
	}
	switch r.Interaction.Kind {
	case "permission", "privileged_command", "launch_approval":
		return "permission"
	}
	return "question"
}

func interactionWord(r *notify.Record) Msg {
	if r.Interaction == nil {
		return M("ask.question")
	}
	if r.Interaction.Plans() {
		return M("ask.plan")
	}
	switch r.Interaction.Kind {
	case "permission", "privileged_command":
		return M("ask.permission")
	case "launch_approval":
		return M("ask.launch")
	}
	return M("ask.question")
}

// StatusWord names a status.
func StatusWord(s notify.Status) Msg {
	switch s {
	case notify.Dismissed:
		return M("status.dismissed")
	case notify.Resolved:
		return M("status.resolved")
	case notify.Expired:
		return M("status.expired")
	}
	return M("status.pending")
}

// ScopeWord names a scope.
func ScopeWord(s notify.Scope) Msg {
	if s == notify.ScopeSession {
		return M("scope.session")
	}
	return M("scope.application")
}

// KindWord names a kind of item.
func KindWord(k notify.Kind) Msg {
	switch k {
	case notify.KindInteraction:
		return M("kind.interaction")
	case notify.KindReport:
		return M("kind.report")
	case notify.KindProgress:
		return M("kind.progress")
	case notify.KindStatus:
		return M("kind.status")
	}
	return M("kind.notice")
}

// HeardOf is how long ago a connection was heard of; zero: it is there, it never was, or it may not be.
func HeardOf(c notify.ConnectionView, now time.Time) Msg {
	if c.Presence != notify.Offline {
		return Msg{}
	}
	return Ago(now, c.SeenAt)
}

// PresenceWord names a presence. One that is not there is told by when it was heard of: a script comes and goes, and
// nothing is wrong with it.
func PresenceWord(p notify.Presence) Msg {
	switch p {
	case notify.Online:
		return M("presence.online")
	case notify.Revoked:
		return M("presence.revoked")
	}
	return M("presence.missing")
}

// NeedWord names why a session needs the owner (A4).
func NeedWord(n notify.Need) Msg {
	switch n {
	case notify.NeedConfirm:
		return M("need.confirm")
	case notify.NeedFailed:
		return M("need.failed")
	case notify.NeedReply:
		return M("need.reply")
	}
	return Msg{}
}

// NeedTone is the colour family of a need.
func NeedTone(n notify.Need) Tone {
	switch n {
	case notify.NeedConfirm:
		return ToneWaiting
	case notify.NeedFailed:
		return ToneError
	case notify.NeedReply:
		return ToneInfo
	}
	return ToneQuiet
}

// OutcomeWord says how a record ended (I8: a timeout is told as a timeout).
func OutcomeWord(k notify.OutcomeKind) Msg {
	switch k {
	case notify.OutcomeDismissed:
		return M("status.dismissed")
	case notify.OutcomeResolved:
		return M("status.resolved")
	case notify.OutcomeExpired:
		return M("status.expired")
	case notify.OutcomeAnswered:
		return M("outcome.answered")
	case notify.OutcomeCancelled:
		return M("outcome.cancelled")
	case notify.OutcomeTimedOut:
		return M("outcome.timed_out")
	case notify.OutcomeAutoAnswered:
		return M("outcome.auto_answered")
	}
	return Msg{}
}
