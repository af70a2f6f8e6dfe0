package vm

import (
	"strings"
	"unicode/utf8"

	"signalbox/notify"
)

// SessionLabel names a session for people: its title; where its agent told none, the folder that it works in, or the
// agent, with the start of the id, which tells two of them apart.
func SessionLabel(v *notify.Session, agent string) string {
	switch {
	case v.Title != "" && v.Title != v.ID:
		return v.Title
	case len(WorkChips(v.URL)) > 0:
		return WorkChips(v.URL)[0] + " · " + ShortID(v.ID)
	}
	return NamelessSession(agent, v.ID)
}

// NamelessSession names a session of which nothing but its id is known.
func NamelessSession(agent, id string) string {
	if agent == "" || !looksRandom(id) {
		return id
	}
	return agent + " · " + ShortID(id)
}

// chipsBeside are the chips of a session's folder, without the one that its label says.
func chipsBeside(label, address string) []string {
	chips := WorkChips(address)
	if len(chips) > 0 && strings.HasPrefix(label, chips[0]+" · ") {
		return chips[1:]
	}
	return chips
}

// WithoutAgent is a session's name where the agent's stands beside it.
func WithoutAgent(label, agent string) string { return strings.TrimPrefix(label, agent+" · ") }

const shortID = 8

// ShortID is the start of a long id.
func ShortID(id string) string {
	if utf8.RuneCountInString(id) <= shortID+4 {
		return id
	}
	return string([]rune(id)[:shortID])
}

// looksRandom reports whether an id is no word: it has a digit.
func looksRandom(id string) bool {
	for _, r := range id {
		if r >= '0' && r <= '9' {
			return true
		}
	}
	return false
}

// StateOf is the agent's own word for what a session does, where it says more than the reason for which the session
// needs the owner, and where it is still so: nothing waits any more once the answer is given, whatever the agent
// said last.
func StateOf(v notify.SessionView) Msg {
	switch v.State {
	case "":
		return Msg{}
	case "waiting":
		if v.Needs == notify.NeedConfirm || v.Waiting == 0 {
			return Msg{}
		}
		return M("session.waiting")
	case "failed":
		if v.Needs == notify.NeedFailed {
			return Msg{}
		}
		return M("session.failed")
	case "idle":
		if v.Needs == notify.NeedReply {
			return Msg{}
		}
		return M("session.idle")
	case "working":
		return M("session.working")
	}
	return MA("session.other", v.State)
}
