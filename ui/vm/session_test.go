package vm_test

import (
	"testing"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// A session that told no title is named by its folder or its agent, never by a bare id.
func TestSessionLabel(t *testing.T) {
	const id = "0193ab77-1111-7000-8000-aaaa00000001"
	for _, c := range []struct {
		name    string
		session notify.Session
		want    string
	}{
		{"a title", notify.Session{ID: id, Title: "Finish the checkout"}, "Finish the checkout"},
		{"a folder", notify.Session{ID: id, URL: "file:///home/me/shop#main"}, "shop · 0193ab77"},
		{"nothing", notify.Session{ID: id}, "Claude Code · 0193ab77"},
		{"the id as title", notify.Session{ID: id, Title: id}, "Claude Code · 0193ab77"},
		{"a title that is the id", notify.Session{ID: "api-refactor", Title: "api-refactor"}, "api-refactor"},
		{"words as id", notify.Session{ID: "move-the-api-to-v"}, "move-the-api-to-v"},
		{"a word as id", notify.Session{ID: "docs"}, "docs"},
	} {
		if got := vm.SessionLabel(&c.session, "Claude Code"); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A session has one name: at the left, on its lines and in its detail.
func TestASessionHasOneName(t *testing.T) {
	s := busy()
	s.Sessions["codex"] = nil
	for _, id := range []string{"api-refactor", "0193ab77-1111-7000-8000-aaaa00000001", "docs"} {
		s.Sessions["codex"] = append(s.Sessions["codex"], notify.SessionView{Session: &notify.Session{Connection: "codex", ID: id, Title: id}, Waiting: 1})
	}
	for _, row := range vm.Sidebar(s) {
		if row.Kind != vm.SideSession || row.Ref.Connection != "codex" {
			continue
		}
		r := sample.Question()
		r.Connection, r.Session = row.Ref.Connection, row.Ref.Session
		if d := vm.DetailOf(r, vm.DetailInput{Snapshot: s, Now: sample.Now}); row.Label != d.Session {
			t.Errorf("%s is %q at the left and %q in the detail", row.Ref.Session, row.Label, d.Session)
		}
	}
}

// No status is said twice, and what was answered does not go on waiting.
func TestStateOf(t *testing.T) {
	for _, c := range []struct {
		state   string
		need    notify.Need
		waiting int
		want    string
	}{
		{"waiting", notify.NeedConfirm, 1, ""},
		{"waiting", "", 0, ""},
		{"waiting", notify.NeedReply, 1, "session.waiting"},
		{"failed", notify.NeedFailed, 0, ""},
		{"failed", "", 0, "session.failed"},
		{"idle", notify.NeedReply, 0, ""},
		{"working", notify.NeedConfirm, 1, "session.working"},
		{"compacting", "", 0, "session.other"},
		{"", "", 0, ""},
	} {
		v := notify.SessionView{Session: &notify.Session{State: c.state}, Needs: c.need, Waiting: c.waiting}
		if got := vm.StateOf(v); got.Key != c.want {
			t.Errorf("%s, needs %q: got %+v, want %q", c.state, c.need, got, c.want)
		}
	}
}

// The folder that names a session is not said once more beside it.
func TestTheFolderIsSaidOnce(t *testing.T) {
	s := busy()
	s.Sessions["claude"] = []notify.SessionView{{Session: &notify.Session{Connection: "claude", ID: "0193ab77-1111-7000", URL: "file:///home/me/shop#main"}, Waiting: 1}}
	for _, row := range vm.Sidebar(s) {
		if row.Kind == vm.SideSession && row.Ref.Connection == "claude" && (row.Label != "shop · 0193ab77" || len(row.Chips) != 1 || row.Chips[0] != "main") {
			t.Errorf("%q, %q", row.Label, row.Chips)
		}
	}
}

// Setting aside is told as that, and coming back too.
func TestTheHistoryTellsSnoozesApart(t *testing.T) {
	r := sample.Question()
	aside, snoozed := *r, *r
	aside.SetAsideUntil, snoozed.SnoozeUntil = notify.SetAsideForever, sample.Now
	d := vm.DetailOf(r, vm.DetailInput{Snapshot: busy(), Now: sample.Now, Changes: []notify.Change{
		{Name: notify.EvSnoozed, Record: &aside}, {Name: notify.EvSnoozed, Record: r}, {Name: notify.EvSnoozed, Record: &snoozed}}})
	for i, want := range []string{"head.aside", "change.woken", "change.snoozed"} {
		if got := d.History[i].What.Key; got != want {
			t.Errorf("%d: got %s, want %s", i, got, want)
		}
	}
}
