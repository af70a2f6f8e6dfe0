package tray

import (
	"strings"
	"testing"

	"signalbox/notify"
)

// A line says which session it is of, by the windows' name for it, and the agent once; both are cut, what the item is about
// keeps its room.
func TestLinesSayWhichSession(t *testing.T) {
	// Proves: P4
	for _, c := range []struct{ session, want string }{
		{"", "Build failed · Claude Code"},
		{"api · aaa1", "Build failed · Claude Code › api · aaa1"},
		{"Claude Code · 4711", "Build failed · Claude Code › 4711"},
		{strings.Repeat("long name ", 9), "Build failed · Claude Code › long name long name…"},
	} {
		r := notice("a", "Build failed", 0)
		r.Session, r.Scope = "s", notify.ScopeSession
		in := input(r)
		in.Connections = map[string]*notify.Connection{r.Connection: {ID: r.Connection, Label: "Claude Code", Open: true}}
		in.Sessions = map[notify.SessionRef]string{r.Ref(): c.session}
		if got := Model(in).Slots[0].Item.Title; !strings.HasSuffix(got, c.want) {
			t.Errorf("%q: %q", c.session, got)
		}
	}
}
