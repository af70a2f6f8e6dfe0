package vm_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

func busy() *vm.Snapshot {
	return &vm.Snapshot{Rail: sample.Rail(), Elsewhere: sample.Elsewhere(), Connections: sample.Connections(), Sessions: sample.Sessions(),
		Focus: notify.SessionRef{Connection: "claude", Session: "s-checkout"}, Attention: sample.Attention(), At: sample.Now}
}

func ids(v vm.RailView) (out []string) {
	for _, r := range v.Shown {
		out = append(out, r.ID)
	}
	return out
}

func card(v vm.RailView, id string) *vm.Card {
	for _, r := range v.Rows {
		if r.Card != nil && r.ID == id {
			return r.Card
		}
	}
	return nil
}

// What the active session asks comes first; then what else waits, longest on top; then by latest activity, what the
// active session tells before the rest.
//
// Proves: P6
func TestTheRailIsOrderedByWhoWaitsLongest(t *testing.T) {
	got := ids(vm.Rail(busy(), &vm.Memory{}, vm.RailFilter{}))
	want := []string{"03-plan", "01-permission", "04-form", "02-question", "10-done", "11-warning", "05-progress", "06-index", "07-error", "08-critical", "09-update"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

// Of a session in which nothing waits, what it told stands first, under its name and before the lines of others.
//
// Proves: P1, P6
func TestWhatASessionToldIsFirst(t *testing.T) {
	s := busy()
	s.Rail.Session = slices.DeleteFunc(s.Rail.Session, func(r *notify.Record) bool { return r.Waiting() })
	s.Rail.Application = slices.DeleteFunc(s.Rail.Application, func(r *notify.Record) bool { return r.Waiting() })
	v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	var got []string
	for _, r := range v.Rows[:5] {
		got = append(got, r.ID)
	}
	if want := []string{"head.nothing", "10-done", "11-warning", "head.elsewhere", "jump:20-elsewhere"}; !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if v.Own != "10-done" {
		t.Errorf("own %q", v.Own)
	}
}

// Application items carry their connection's chip, those of the active session none; other sessions are
// not on the rail but lead there.
//
// Proves: P1, I5
func TestChipsAreOnApplicationItemsOnly(t *testing.T) {
	v := vm.Rail(busy(), &vm.Memory{}, vm.RailFilter{})
	if c := card(v, "02-question"); c.Chip == nil || c.Chip.Label != "Codex" {
		t.Errorf("application item: chip %+v", c.Chip)
	}
	if c := card(v, "01-permission"); c.Chip != nil {
		t.Errorf("session item: chip %+v", c.Chip)
	}
	if card(v, "20-elsewhere") != nil {
		t.Error("another session's item is on the rail")
	}
	var jumps []vm.Jump
	for _, r := range v.Rows {
		if r.Jump != nil {
			jumps = append(jumps, *r.Jump)
		}
	}
	if len(jumps) != 1 || jumps[0].Ref != (notify.SessionRef{Connection: "codex", Session: "c-1"}) || jumps[0].Clock != vm.MA("clock.exact", "7:00") {
		t.Errorf("jumps: %+v", jumps)
	}
}

// Proves: P5, A5
func TestEachItemIsInOnePlace(t *testing.T) {
	s := busy()
	s.Kept = []*notify.Record{
		sample.Record("m", "ci", "", time.Hour, "Muted", func(r *notify.Record) { r.Muted = true }),
		sample.Record("z", "ci", "", time.Hour, "Snoozed", func(r *notify.Record) { r.Muted = true; r.SnoozeUntil = sample.Now.Add(time.Hour) }),
	}
	s.Rail.Application = append(s.Rail.Application,
		sample.Record("t", "ci", "", time.Hour, "Tagged", func(r *notify.Record) { r.Tags = []string{"deploy", "main"} }),
		sample.Record("p", "ci", "", time.Hour, "Panel", func(r *notify.Record) { r.Panel = "costs"; r.Severity = notify.SeverityError }),
		sample.Record("q", "ci", "", time.Hour, "Silent", func(r *notify.Record) { r.Silent = true }))
	all := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	seen := map[string]int{}
	for _, tab := range all.Tabs[1:] {
		there := vm.Rail(s, &vm.Memory{}, vm.RailFilter{Place: tab.Place})
		got := ids(there)
		if len(got)+len(lines(there)) != tab.Count {
			t.Errorf("%v says %d and holds %v", tab.Place, tab.Count, got)
		}
		for _, id := range got {
			seen[id]++
		}
	}
	for _, id := range append(ids(all), "m", "z") {
		if seen[id] != 1 {
			t.Errorf("%s is in %d places", id, seen[id])
		}
	}
	for _, id := range []string{"m", "z", "q"} {
		if slices.Contains(ids(all), id) {
			t.Errorf("%s is among all", id)
		}
	}
	if got := ids(vm.Rail(s, &vm.Memory{}, vm.RailFilter{Place: notify.Place{Kind: notify.PlaceSnoozed}})); !slices.Equal(got, []string{"z"}) {
		t.Errorf("snoozed: %v", got)
	}
}

// Proves: D3, D5
func TestHiddenRevisionsAreNotOnTheRail(t *testing.T) {
	s, m := busy(), &vm.Memory{}
	m.Dismissals.Hold(s.Rail.Application[4], sample.Now)
	if slices.Contains(ids(vm.Rail(s, m, vm.RailFilter{})), "07-error") {
		t.Error("the dismissed revision is shown")
	}
	next := *s.Rail.Application[4]
	next.Revision++
	s.Rail.Application[4] = &next
	if !slices.Contains(ids(vm.Rail(s, m, vm.RailFilter{})), "07-error") {
		t.Error("the newer revision is hidden")
	}
}

// Clearing counts what it can dismiss and what it leaves waiting; what is set aside stands behind all that waits, before what
// is only news, and is still counted.
//
// Proves: I7, D7
func TestClearingLeavesWhatWaits(t *testing.T) {
	s := busy()
	s.Rail.Application[0].SetAsideUntil = notify.SetAsideForever
	s.Rail.Application[5].Dismissible = false
	v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	if v.Left != 4 || v.Clearable != 4 || v.Running != 2 {
		t.Errorf("left %d, clearable %d, running %d; want 4, 4 and 2", v.Left, v.Clearable, v.Running)
	}
	got := ids(v)
	if at := slices.Index(got, "02-question"); at < slices.Index(got, "03-plan") || at > slices.Index(got, "05-progress") {
		t.Errorf("set aside is not between what waits and what is news: %v", got)
	}
	if c := card(v, "02-question"); c.AsideFor.Key != "aside.minutes" || c.AsideFor.N != 1 {
		t.Errorf("it says %+v", c.AsideFor)
	}
	if c := card(v, "02-question"); !c.Aside || len(c.Buttons) == 0 || c.Clock.IsZero() {
		t.Errorf("set aside is not answerable any more: %+v", c)
	}
}

func TestSearchNarrowsByTheBeginningsOfWords(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"MIGRAT", []string{"01-permission", "03-plan"}},
		{"build red", []string{"07-error"}},
		{"edis", []string{}},
		{"  ", nil},
	} {
		got := ids(vm.Rail(busy(), &vm.Memory{}, vm.RailFilter{Text: test.text}))
		slices.Sort(got)
		if test.want != nil && !slices.Equal(got, test.want) {
			t.Errorf("%q: got %v, want %v", test.text, got, test.want)
		}
		if test.want == nil && len(got) != 11 {
			t.Errorf("%q narrows to %v", test.text, got)
		}
	}
}

func TestEveryEmptyStateSaysWhy(t *testing.T) {
	searched := busy()
	searched.Searched = "xyzzy"
	replies := &vm.Snapshot{At: sample.Now, Connections: sample.Connections()}
	replies.Attention.Reply = 2
	unread := &vm.Snapshot{At: sample.Now, Connections: sample.Connections(), Focus: notify.SessionRef{Connection: "claude", Session: "s"}}
	unread.Attention.Unread = 1
	for _, test := range []struct {
		name  string
		s     *vm.Snapshot
		f     vm.RailFilter
		title string
		want  string
	}{
		{"nobody is connected", &vm.Snapshot{At: sample.Now}, vm.RailFilter{}, "empty.first.title", "connect"},
		{"all clear", &vm.Snapshot{At: sample.Now, Connections: sample.Connections()}, vm.RailFilter{}, "empty.clear.title", "history"},
		{"all clear, and it is the owner's turn elsewhere", replies, vm.RailFilter{}, "empty.clear.title", "history"},
		{"nothing matches", searched, vm.RailFilter{Text: "xyzzy"}, "empty.search.title", "search"},
		{"the other sessions are being looked through", busy(), vm.RailFilter{Text: "xyzzy"}, "empty.searching", ""},
		{"an empty place", busy(), vm.RailFilter{Place: notify.Place{Kind: notify.PlaceTag, Name: "nowhere"}}, "empty.elsewhere.title", "unfilter"},
		{"an empty place, and nothing anywhere", &vm.Snapshot{At: sample.Now, Connections: sample.Connections()}, vm.RailFilter{Place: notify.Place{Kind: notify.PlaceErrors}}, "empty.done.title", "unfilter"},
		{"unread in other sessions", unread, vm.RailFilter{}, "empty.elsewhere.title", "history"},
		{"an agent with nothing", busy(), vm.RailFilter{Connection: "none"}, "empty.done.title", "unfilter"},
	} {
		t.Run(test.name, func(t *testing.T) {
			v := vm.Rail(test.s, &vm.Memory{}, test.f)
			last := v.Rows[len(v.Rows)-1]
			if last.Empty == nil || last.Empty.Do != test.want || last.Empty.Title != vm.M(test.title) {
				t.Fatalf("got %+v", last.Empty)
			}
		})
	}
}

// Equal text never merges two requests; only the key that their producer gave them says that they are the same.
//
// Proves: A10
func TestTheSamePermissionOfSeveralSessionsIsOneCardWithTheirResults(t *testing.T) {
	s := busy()
	mine := s.Rail.Session[0]
	mine.DedupKey = "perm:migrate"
	other := *mine
	other.ID, other.Session = "21-other", "s-docs"
	text := other
	text.ID, text.DedupKey = "22-equal-text", ""
	elsewhere := other
	elsewhere.ID, elsewhere.Connection = "23-other-agent", "codex"
	s.Elsewhere = []*notify.Record{&other, &text, &elsewhere}
	c := card(vm.Rail(s, &vm.Memory{}, vm.RailFilter{}), "01-permission")
	if len(c.Asked) != 2 || c.Asked[1].ID != "21-other" || c.Asked[1].Session != "Docs for the public API" {
		t.Errorf("asked by %+v", c.Asked)
	}
}

// Proves: P6
func TestRailProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		s := &vm.Snapshot{Connections: sample.Connections(), At: sample.Now}
		for i := range n {
			r := sample.Record(string(rune('a'+i)), "ci", "", time.Duration(rapid.IntRange(0, 500).Draw(t, "ago"))*time.Second, "T", func(r *notify.Record) {
				if rapid.Bool().Draw(t, "asks") {
					r.Kind = notify.KindInteraction
					r.Interaction = &notify.Interaction{Prompt: "?"}
				}
				r.Muted = rapid.IntRange(0, 9).Draw(t, "muted") == 0
			})
			s.Rail.Application = append(s.Rail.Application, r)
		}
		v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
		rows := map[string]bool{}
		for _, r := range v.Rows {
			if rows[r.ID] {
				t.Fatalf("two rows have the id %q", r.ID)
			}
			rows[r.ID] = true
		}
		for i := 1; i < len(v.Shown); i++ {
			a, b := v.Shown[i-1], v.Shown[i]
			if !a.Waiting() && b.Waiting() {
				t.Fatal("what waits stands below what doesn't")
			}
			if a.Waiting() && b.Waiting() && a.CreatedAt.After(b.CreatedAt) {
				t.Fatal("who waits longer stands below")
			}
		}
		if v.Clearable+v.Left != len(v.Shown) {
			t.Fatalf("%d + %d is not %d", v.Clearable, v.Left, len(v.Shown))
		}
	})
}

// What waits in a terminal is headed by that, and says so; it is no mere warning.
func TestWhatWaitsInATerminalSaysSo(t *testing.T) {
	s := busy()
	r := note("terminal", 7)
	r.Severity, r.Event = notify.SeverityWarning, &notify.Event{Type: notify.EventClarificationRequested, Occurrence: "1"}
	s.Rail.Session = append(s.Rail.Session, r)
	v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	head := vm.Msg{}
	for _, row := range v.Rows {
		if row.Kind == vm.RowHead {
			head = row.Head
		}
		if row.ID == "terminal" {
			if head != vm.M("head.terminal") || row.Card.Sign.Word != vm.M("ask.terminal") || row.Card.Sign.Icon != "terminal" {
				t.Errorf("under %v: %+v", head, row.Card.Sign)
			}
		}
	}
	over := *r
	over.Status = notify.Resolved
	if w := vm.SignOf(&over).Word; w == vm.M("ask.terminal") {
		t.Error("it still waits when it is over")
	}
}
