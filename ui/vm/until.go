package vm

import (
	"slices"
	"time"

	"signalbox/notify"
)

// UntilEvent is an item that was snoozed until its session's next event. It holds identity and the
// session's position only.
type UntilEvent struct {
	ID         string `json:"id"`
	Connection string `json:"connection"`
	Session    string `json:"session"`
	Sequence   int64  `json:"sequence"`
}

// UntilEventFor is the snooze of an item until its session's next event: a bound for a session that has none.
const UntilEventFor = 5 * 365 * 24 * time.Hour

// Woken splits the list by what a fresh read says of the sessions: those whose session moved on, or is gone,
// come back.
func Woken(list []UntilEvent, sessions map[string][]notify.SessionView) (woken, rest []UntilEvent) {
	for _, u := range list {
		i := slices.IndexFunc(sessions[u.Connection], func(v notify.SessionView) bool { return v.ID == u.Session })
		if i < 0 || sessions[u.Connection][i].Sequence > u.Sequence || sessions[u.Connection][i].Ended {
			woken = append(woken, u)
		} else {
			rest = append(rest, u)
		}
	}
	return woken, rest
}
