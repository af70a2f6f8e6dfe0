package vm_test

import (
	"slices"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// elsewhereDesk has, beside what is on the rail of the active session, two questions, two failures and a note in other sessions.
func elsewhereDesk() *vm.Snapshot {
	s := busy()
	failed := func(r *notify.Record) { r.Severity = notify.SeverityError }
	asks := func(r *notify.Record) {
		r.Kind, r.Interaction = notify.KindInteraction, &notify.Interaction{Prompt: "?"}
	}
	s.Elsewhere = []*notify.Record{
		sample.Record("e-asks", "codex", "c-1", 7*time.Minute, "May I push 14 commits?", asks),
		sample.Record("e-aside", "codex", "c-1", 9*time.Minute, "Which name?", func(r *notify.Record) { asks(r); r.SetAsideUntil = notify.SetAsideForever }),
		sample.Record("e-failed", "claude", "s-docs", 3*time.Minute, "The turn failed", failed),
		sample.Record("e-read", "claude", "s-docs", 4*time.Minute, "An older failure", func(r *notify.Record) { failed(r); r.Read = true }),
		sample.Record("e-note", "claude", "s-docs", 5*time.Minute, "Commits are signed", nil),
	}
	return s
}

func lines(v vm.RailView) (out []string) {
	for _, r := range v.Rows {
		if r.Jump != nil && r.Jump.Unread == 0 {
			out = append(out, r.Jump.ID)
		}
	}
	return out
}

func tab(v vm.RailView, k notify.PlaceKind) vm.Tab {
	for _, t := range v.Tabs {
		if t.Place.Kind == k {
			return t
		}
	}
	return vm.Tab{}
}

// Each item that waits in another session and each failure there that is not read has a line, never a card; the places
// and their numbers have them too.
//
// Proves: P1, P5, I5
func TestOtherSessionsHaveLines(t *testing.T) {
	s := elsewhereDesk()
	all := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	if got := lines(all); !slices.Equal(got, []string{"e-asks", "e-failed", "e-aside"}) {
		t.Errorf("lines %v", got)
	}
	for _, id := range []string{"e-asks", "e-failed", "e-aside"} {
		if card(all, id) != nil {
			t.Errorf("%s has a card", id)
		}
	}
	for _, test := range []struct {
		place notify.PlaceKind
		want  []string
	}{{notify.PlaceWaiting, []string{"e-asks", "e-aside"}}, {notify.PlaceErrors, []string{"e-failed"}}, {notify.PlaceGeneral, nil}} {
		v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{Place: notify.Place{Kind: test.place}})
		if got := lines(v); !slices.Equal(got, test.want) {
			t.Errorf("%s: lines %v", test.place, got)
		}
		if n := tab(v, test.place).Count; n != len(v.Shown)+len(test.want) {
			t.Errorf("%s says %d, and shows %d", test.place, n, len(v.Shown)+len(test.want))
		}
	}
	if n := all.Tabs[0].Count; n != len(all.Shown)+3 {
		t.Errorf("all says %d, and shows %d", n, len(all.Shown)+3)
	}
}

// What waits in its terminal, and a turn that failed without an error, have lines beside another session too, the former behind what
// waits here; a line that stands for what is not read says the newest of it.
//
// Proves: P1
func TestLinesOfWhatIsNoQuestionAndNoError(t *testing.T) {
	s := elsewhereDesk()
	event := func(kind string, read bool) func(*notify.Record) {
		return func(r *notify.Record) { r.Event, r.Read = &notify.Event{Type: kind}, read }
	}
	s.Elsewhere = append(s.Elsewhere,
		sample.Record("e-terminal", "codex", "c-1", time.Minute, "Waits for permission: Bash", event(notify.EventClarificationRequested, true)),
		sample.Record("e-limit", "codex", "c-1", 2*time.Minute, "Rate limit reached", event(notify.EventTurnFailed, false)))
	if got := lines(vm.Rail(s, &vm.Memory{}, vm.RailFilter{})); !slices.Equal(got, []string{"e-asks", "e-terminal", "e-limit", "e-failed", "e-aside"}) {
		t.Errorf("lines %v", got)
	}
	s.Focus = notify.SessionRef{}
	m := &vm.Memory{}
	stands := func() *vm.Jump {
		for _, r := range vm.Rail(s, m, vm.RailFilter{}).Rows {
			if r.Jump != nil && r.Jump.Unread > 0 && r.Jump.Ref.Session == "s-docs" {
				return r.Jump
			}
		}
		return nil
	}
	for i := range s.Sessions["claude"] {
		if s.Sessions["claude"][i].ID == "s-docs" {
			s.Sessions["claude"][i].Unread = 3
		}
	}
	if j := stands(); j == nil || j.ID != "e-note" || j.Title != "Commits are signed" || j.Unread != 2 {
		t.Errorf("it says %+v", j)
	}
	m.Dismissals.Hold(s.Record("e-note"), sample.Now)
	if j := stands(); j == nil || j.ID != "" || j.Unread != 1 {
		t.Errorf("with that dismissed it says %+v", j)
	}
}

// A search finds what other sessions hold, as lines.
//
// Proves: P1
func TestASearchLooksThroughOtherSessions(t *testing.T) {
	s := elsewhereDesk()
	s.Searched = "commits"
	v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{Text: "commits"})
	if got := lines(v); !slices.Equal(got, []string{"e-asks", "e-note"}) || len(v.Shown) != 0 {
		t.Errorf("lines %v, cards %v", got, ids(v))
	}
	if len(v.Rows) > 0 && v.Rows[len(v.Rows)-1].Empty != nil {
		t.Error("it says that there is nothing")
	}
}

// Of a chosen connection there are its application items, and a line for what each of its sessions wants.
//
// Proves: P1
func TestAConnectionIsChosen(t *testing.T) {
	s := elsewhereDesk()
	v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{Connection: "claude"})
	if got := lines(v); !slices.Equal(got, []string{"03-plan", "01-permission", "e-failed"}) || len(v.Shown) != 0 {
		t.Errorf("claude: lines %v, cards %v", got, ids(v))
	}
	v = vm.Rail(s, &vm.Memory{}, vm.RailFilter{Connection: "codex"})
	if got := ids(v); !slices.Equal(got, []string{"02-question", "06-index", "09-update"}) {
		t.Errorf("codex: cards %v", got)
	}
	if n := tab(v, notify.PlaceWaiting).Count; n != 3 {
		t.Errorf("waiting says %d", n)
	}
	rows := vm.SidebarOf(s, &vm.Memory{}, "codex")
	for _, r := range rows {
		if r.Active != (r.Kind == vm.SideConnection && r.Ref.Connection == "codex") {
			t.Errorf("%+v is active: %v", r.Ref, r.Active)
		}
	}
}

// What the active session asks is first; what is set aside is behind all that waits, of that session too, with its deadline, and
// is what is chosen where nothing else waits there.
//
// Proves: P1, P6, I7
func TestTheActiveSessionsQuestionIsFirst(t *testing.T) {
	s := elsewhereDesk()
	s.Rail.Session = s.Rail.Session[:1]
	own := s.Rail.Session[0]
	v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	if v.Rows[1].ID != "01-permission" || v.Own != "01-permission" {
		t.Errorf("first is %q, own %q", v.Rows[1].ID, v.Own)
	}
	own.SetAsideUntil, own.InteractionDeadline = notify.SetAsideForever, sample.Now.Add(time.Minute)
	v = vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	c := card(v, "01-permission")
	if v.Rows[0].ID == "head.nothing" || v.Own != "01-permission" || c == nil || !c.Aside || c.Deadline != vm.Clock(time.Minute) {
		t.Errorf("own %q, %+v", v.Own, c)
	}
	for i, r := range v.Shown {
		if r == own && (i == 0 || v.Shown[i-1].Waiting() == false || i+1 < len(v.Shown) && v.Shown[i+1].Waiting()) {
			t.Errorf("it is at %d of %v", i, ids(v))
		}
	}
}

// What is dismissed here is not counted at the left any more, before the center knows.
//
// Proves: D3
func TestTheSidebarsNumbersFollowADismissal(t *testing.T) {
	s := elsewhereDesk()
	s.Attention.Unread = 9
	m := &vm.Memory{}
	before := vm.SidebarOf(s, m, "")
	m.Dismissals.Hold(s.Rail.Application[4], sample.Now) // of ci, unread
	after := vm.SidebarOf(s, m, "")
	for i := range before {
		want := before[i].Unread
		if before[i].Kind == vm.SideAll || before[i].Kind == vm.SideConnection && before[i].Ref.Connection == "ci" {
			want = max(want-1, 0)
		}
		if after[i].Unread != want {
			t.Errorf("%+v: %d, want %d", after[i].Ref, after[i].Unread, want)
		}
	}
}

// Rows keep their places while the owner points at them.
func TestSessionsKeepTheirOrder(t *testing.T) {
	row := func(k vm.SideKind, c, s string) vm.SideRow {
		return vm.SideRow{Kind: k, Ref: notify.SessionRef{Connection: c, Session: s}}
	}
	shown := []vm.SideRow{row(vm.SideAll, "", ""), row(vm.SideConnection, "a", ""), row(vm.SideSession, "a", "1"), row(vm.SideSession, "a", "2"),
		row(vm.SideConnection, "b", ""), row(vm.SideSession, "b", "3")}
	next := []vm.SideRow{shown[0], shown[1], row(vm.SideSession, "a", "new"), shown[3], shown[2], shown[4], shown[5]}
	var got []string
	for _, r := range vm.KeepOrder(next, shown) {
		got = append(got, r.Ref.Connection+r.Ref.Session)
	}
	if want := []string{"", "a", "a1", "a2", "anew", "b", "b3"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// What begins to ask is where it belongs at once, new or not: holding the order hides nothing that waits, and moves it only
// that once.
func TestWhatAsksIsNotHeldBack(t *testing.T) {
	row := func(s string, need notify.Need) vm.SideRow {
		return vm.SideRow{Kind: vm.SideSession, Ref: notify.SessionRef{Connection: "a", Session: s}, Need: need}
	}
	shown := []vm.SideRow{row("2", ""), row("1", "")}
	for i, c := range []struct {
		next []vm.SideRow
		want string
	}{
		{[]vm.SideRow{row("4", ""), row("3", notify.NeedReply), row("2", ""), row("1", "")}, "3214"},
		{[]vm.SideRow{row("4", notify.NeedReply), row("3", notify.NeedReply), row("2", ""), row("1", "")}, "4321"},
		{[]vm.SideRow{row("5", ""), row("4", notify.NeedReply), row("3", ""), row("2", ""), row("1", notify.NeedReply)}, "43215"},
	} {
		got := ""
		shown = vm.KeepOrder(c.next, shown)
		for _, r := range shown {
			got += r.Ref.Session
			if r.Last != (r.Ref == shown[len(shown)-1].Ref) {
				t.Errorf("%d: %s is the last stop: %v", i, r.Ref.Session, r.Last)
			}
		}
		if got != c.want {
			t.Errorf("%d: got %s, want %s", i, got, c.want)
		}
	}
}

// A line says what is asked: the start of the command that a permission is for, or of the question; and until when.
//
// Proves: P1
func TestALineSaysWhatIsAsked(t *testing.T) {
	s := elsewhereDesk()
	asks := func(kind, prompt string) func(*notify.Record) {
		return func(r *notify.Record) {
			r.Kind, r.Interaction = notify.KindInteraction, &notify.Interaction{Kind: kind, Prompt: prompt}
			r.InteractionDeadline = sample.Now.Add(4 * time.Minute)
			r.Body = "Clean up.\n\n```\nrm -rf build\ndocker system prune\n```"
		}
	}
	s.Elsewhere = []*notify.Record{
		sample.Record("e-perm", "codex", "c-1", time.Minute, "Clean the build outputs", asks("permission", "")),
		sample.Record("e-ask", "codex", "c-1", time.Minute, "Asks", func(r *notify.Record) { asks("question", "Which date library?\n\nOf three.")(r); r.Body = "" }),
	}
	got := map[string]*vm.Jump{}
	for _, r := range vm.Rail(s, &vm.Memory{}, vm.RailFilter{}).Rows {
		if r.Jump != nil {
			got[r.Jump.ID] = r.Jump
		}
	}
	if j := got["e-perm"]; j == nil || j.Code != "rm -rf build ⏎ docker system prune" || j.Text != "" || j.Deadline != vm.Clock(4*time.Minute) {
		t.Errorf("the permission says %+v", j)
	}
	s.Elsewhere[1].Title = "Asks: Which date library? (and 1 more)"
	for _, r := range vm.Rail(s, &vm.Memory{}, vm.RailFilter{}).Rows {
		if r.Jump != nil && r.Jump.ID == "e-ask" && r.Jump.Text != "" {
			t.Errorf("it says twice %q", r.Jump.Text)
		}
	}
	if j := got["e-ask"]; j == nil || j.Code != "" || j.Text != "Which date library? …" {
		t.Errorf("the question says %+v", j)
	}
}
