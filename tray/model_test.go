package tray

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"signalbox/assets"
	"signalbox/notify"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func notice(id, title string, age time.Duration) *notify.Record {
	at := noon.Add(-age)
	r := &notify.Record{ID: id, Connection: "c1", Scope: notify.ScopeApplication, Revision: 1, Status: notify.Pending, CreatedAt: at, UpdatedAt: at, ContentAt: at}
	r.Kind, r.Severity, r.Title, r.Dismissible = notify.KindNotice, notify.SeverityInfo, title, true
	return r
}

func asks(id, prompt string, age time.Duration) *notify.Record {
	r := notice(id, "Permission "+id, age)
	r.Kind, r.Dismissible, r.InteractionState = notify.KindInteraction, false, notify.InteractionWaiting
	r.Interaction = &notify.Interaction{Kind: "permission", Prompt: prompt, Options: []notify.Option{
		{ID: "allow", Label: "Allow"}, {ID: "always", Label: "Always", Style: "danger"}, {ID: "deny", Label: "Deny", Style: "danger", Comment: "optional"}, {ID: "edit", Label: "Edit", Comment: "required"}}}
	return r
}

var connections = map[string]*notify.Connection{"c1": {ID: "c1", Label: "Claude Code", Open: true, Streams: 1}}

func input(items ...*notify.Record) Input {
	in := Input{Items: items, Connections: connections, Now: noon}
	for _, r := range items {
		if r.Waiting() {
			in.Counts.Waiting++
		}
		if !r.Read {
			in.Counts.Unread++
		}
	}
	return in
}

// shown are the ids of the slots, in order.
func shown(m Menu) string {
	var ids []string
	for _, s := range m.Slots {
		if s.Item.Visible {
			ids = append(ids, s.Item.Command.ID)
		}
	}
	return strings.Join(ids, " ")
}

func TestWhatNeedsTheOwnerFirst(t *testing.T) {
	// Proves: P4, P5, P6, A5
	silent, muted := notice("silent", "x", 0), notice("muted", "x", 0)
	silent.Silent, muted.Muted = true, true
	snoozed := notice("snoozed", "x", 0)
	snoozed.SnoozeUntil = noon.Add(time.Hour)
	aside := asks("aside", "?", 9*time.Hour)
	aside.SetAsideUntil = noon.Add(time.Hour)
	lapsed := notice("lapsed", "x", 0)
	lapsed.Retention = notify.Retention{Policy: notify.TTL, Deadline: noon.Add(-time.Second)}
	m := Model(input(notice("old", "x", time.Hour), asks("young", "?", time.Minute), silent, muted, snoozed, lapsed,
		asks("longest", "?", 5*time.Hour), notice("new", "x", time.Minute), aside))
	if got := shown(m); got != "longest young aside new old" {
		t.Errorf("got %s", got)
	}
	if !strings.Contains(m.Slots[2].Item.Title, "set aside") || strings.Contains(m.Slots[0].Item.Title, "set aside") {
		t.Errorf("marked %q, %q", m.Slots[0].Item.Title, m.Slots[2].Item.Title)
	}
	if m.Icon != assets.TrayWaiting || !strings.Contains(m.Tooltip, "3 waiting for you") {
		t.Errorf("icon %s, %s", m.Icon, m.Tooltip)
	}
}

func TestLinesAreBoundToRevision(t *testing.T) {
	// Proves: P4, D1
	r := notice("a", "Build <b>broken</b>\nsecond line", 0)
	r.Revision = 7
	s := Model(input(r)).Slots[0]
	if got := s.Dismiss.Command; got.Verb != Dismiss || got.Seen != (Seen{"a", notify.Expecting(7, r.UpdatedAt)}) {
		t.Errorf("got %+v", got)
	}
	if strings.TrimSpace(s.Dismiss.Title) != "Dismiss" || !strings.Contains(s.Item.Title, "Build <b>broken</b> second line · Claude Code") {
		t.Errorf("%q %q", s.Item.Title, s.Dismiss.Title)
	}
}

func TestAnswersAreOfferedWhereTheQuestionIsSeen(t *testing.T) {
	// Proves: I2, I7, S4
	s := Model(input(asks("a", "rm -rf build", time.Minute))).Slots[0]
	var got []string
	for _, o := range s.Options {
		if o.Visible {
			got = append(got, o.Command.Option)
		}
	}
	if !slices.Equal(got, []string{"allow", "deny"}) || !strings.Contains(s.Item.Title+s.Detail.Title, "rm -rf build") {
		t.Errorf("%q under %q", got, s.Item.Title)
	}
	if s.Dismiss.Command.Verb != SetAside {
		t.Errorf("what waits can be %s", s.Dismiss.Command.Verb)
	}
	for name, change := range map[string]func(*notify.Record){
		"long":  func(r *notify.Record) { r.Interaction.Prompt = strings.Repeat("long ", 40) },
		"field": func(r *notify.Record) { r.Interaction.Fields = []notify.Field{{ID: "f", Required: true}} },
		"many": func(r *notify.Record) {
			r.Interaction.Options = append(r.Interaction.Options, notify.Option{ID: "x"}, notify.Option{ID: "y"})
		},
	} {
		r := asks("a", "rm", time.Minute)
		change(r)
		want := 0
		if name == "long" {
			want = 1 // no is safe unseen
		}
		s := Model(input(r)).Slots[0]
		n := 0
		for _, o := range s.Options {
			if o.Visible {
				n++
			}
		}
		if n != want || n == 1 && s.Options[0].Command.Option != "deny" || !s.Read.Visible || s.Read.Command.Verb != ShowItem {
			t.Errorf("%s: %+v, read %+v", name, s.Options, s.Read)
		}
	}
}

// Nothing is allowed from the menu for longer than once, nothing unseen, and no plan unread; no can always be said.
func TestOnlySafeAnswersAreOffered(t *testing.T) {
	// Proves: I2, P4
	options := func(list ...notify.Option) []notify.Option { return list }
	o := func(id, label, style, comment string) notify.Option {
		return notify.Option{ID: id, Label: label, Style: style, Comment: comment}
	}
	for _, c := range []struct {
		name, kind, title, prompt, body string
		options                         []notify.Option
		want                            string
		read                            bool
		item, detail                    string
	}{
		{"a permission", "permission", "Run a command in api", "", "```\nnpm test\n```",
			options(o("allow", "Allow once", "primary", ""), o("allow-session", "Allow npm for this session", "", ""), o("deny", "Deny", "danger", "optional"),
				o("deny-stop", "Deny and stop", "danger", "optional")),
			"allow deny", true, "Run a command in api", "npm test"},
		{"a permission for what is too long to show", "permission", "Run a command in api", "", "```\n" + strings.Repeat("rm -rf x && ", 9) + "\n```",
			options(o("allow", "Allow once", "", ""), o("deny", "Deny", "danger", "")), "deny", true, "Run a command in api", "rm -rf x && rm"},
		{"another's words", "permission", "Push 14 commits to origin/main?", "", "",
			options(o("a", "Allow", "", ""), o("b", "Always allow in this repository", "", ""), o("c", "Deny", "danger", "optional")), "a c", true,
			"Push 14 commits to origin/main?", ""},
		{"a plan", "plan_approval", "Plan to approve: design-system", "Is this the plan to follow?", "# Plan",
			options(o("approve", "Approve", "primary", ""), o("approve-accept-edits", "Approve, and accept edits", "", ""), o("keep-planning", "Keep planning", "", "optional")),
			"", true, "Plan to approve", "Is this the plan to follow?"},
		{"a question told twice", "question", "Asks: Which charting library?", "Which charting library?", "**Which charting library?**",
			options(o("1", "visx", "", ""), o("2", "ECharts", "", "")), "1 2", false, "Asks: Which charting library?", ""},
		{"a long question", "question", "Asks: Which charting library should replace Recharts?", "Which charting library should replace Recharts?", "",
			options(o("1", "visx", "", ""), o("2", "ECharts", "", "")), "1 2", false, "Asks: Which charting", "Which charting library should replace Recharts?"},
		{"a danger that begins with no", "question", "Deploy", strings.Repeat("A long question that no menu shows. ", 9), "",
			options(o("no-backup", "No backup: deploy now", "danger", ""), o("wait", "Wait", "", "")), "", true, "Deploy", "A long question"},
		{"a danger that says it cancels", "question", "Deploy", strings.Repeat("A long question that no menu shows. ", 9), "",
			options(o("c", "Cancel everything and delete", "danger", ""), o("no", "Stop here", "danger", "")), "no", true, "Deploy", "A long question"},
		{"a no that belongs to what follows", "question", "Deploy", strings.Repeat("A long question that no menu shows. ", 9), "",
			options(o("1", "No backup, deploy now", "", ""), o("2", "Don't ask again", "", ""), o("3", "No, wait", "", "")), "3", true, "Deploy", "A long question"},
		{"a no with its key", "permission", "Deploy", strings.Repeat("A long question that no menu shows. ", 9), "",
			options(o("1", "Yes", "", ""), o("2", "No (esc)", "danger", ""), o("3", "Decline", "danger", "")), "3", true, "Deploy", "A long question"},
		{"code that only nearly is the title", "permission", "Wants to run rm -rf /tmp", "Wants to run rm -rf /tmp", "```\nrm -rf / tmp\n```",
			options(o("allow", "Allow once", "", ""), o("deny", "Deny", "danger", "")), "allow deny", false, "Wants to run rm -rf /tmp", "rm -rf / tmp"},
		{"code in another case", "permission", "Wants to run git checkout -B main", "", "```\ngit checkout -b main\n```",
			options(o("allow", "Allow once", "", ""), o("deny", "Deny", "danger", "")), "allow deny", false, "Wants to run git checkout -B", "git checkout -b main"},
		{"only words of one's own", "question", "What name?", "", "", nil, "", true, "What name?", ""},
	} {
		r := asks("a", c.prompt, 10*time.Minute)
		r.Title, r.Body = c.title, c.body
		r.Interaction.Kind, r.Interaction.Options = c.kind, c.options
		s := Model(input(r)).Slots[0]
		var got []string
		for _, l := range s.Options {
			if l.Visible {
				got = append(got, l.Command.Option)
			}
		}
		if strings.Join(got, " ") != c.want || s.Read.Visible != c.read {
			t.Errorf("%s: %q, read %v", c.name, got, s.Read.Visible)
		}
		if !strings.Contains(s.Item.Title, c.item) || !strings.Contains(s.Detail.Title, c.detail) || s.Detail.Visible != (c.detail != "") {
			t.Errorf("%s: %q, %q", c.name, s.Item.Title, s.Detail.Title)
		}
	}
}

func TestPermanentIsNotDismissed(t *testing.T) {
	// Proves: D7
	r := notice("a", "x", 0)
	r.Dismissible = false
	if m := Model(input(r)); m.Slots[0].Dismiss.Visible || m.DismissAll.Enabled {
		t.Errorf("%+v", m.Slots[0].Dismiss)
	}
	in := input(r)
	in.Connections = nil // its connection is gone: no dead end
	if m := Model(in); !m.Slots[0].Dismiss.Visible || len(m.DismissAll.Command.Items) != 1 {
		t.Errorf("%+v", m.Slots[0].Dismiss)
	}
}

func TestDismissAllLeavesWhatWaits(t *testing.T) {
	// Proves: D1, I7
	m := Model(input(notice("a", "x", 0), asks("q", "?", 0), notice("b", "x", 0)))
	if len(m.DismissAll.Command.Items) != 2 || m.DismissAll.Title != "Dismiss all 2 (questions stay: 1)" {
		t.Errorf("%q %+v", m.DismissAll.Title, m.DismissAll.Command)
	}
}

// What was set aside is still among the lines when more is active than there are lines.
func TestWhatWasSetAsideKeepsItsLine(t *testing.T) {
	// Proves: P4, I7
	aside := asks("aside", "?", time.Hour)
	aside.SetAsideUntil = notify.SetAsideForever
	all := []*notify.Record{aside}
	for i := range 2 * Slots {
		all = append(all, notice(fmt.Sprintf("n%d", i), "x", 0))
	}
	permanent := notice("permanent", "x", 0)
	permanent.Dismissible = false
	m := Model(input(append(all, permanent)...))
	if got := m.Slots[0].Item.Command.ID; got != "aside" {
		t.Errorf("the first line is %s", got)
	}
	if want := fmt.Sprintf("Dismiss all %d (2 others stay)", 2*Slots); m.DismissAll.Title != want {
		t.Errorf("%q, want %q", m.DismissAll.Title, want)
	}
	if m := Model(input(aside)); m.DismissAll.Visible {
		t.Errorf("with nothing to dismiss: %+v", m.DismissAll)
	}
}

func TestIcon(t *testing.T) {
	// Proves: P5
	failed := notice("e", "x", 0)
	failed.Severity = notify.SeverityError
	for _, c := range []struct {
		name   string
		in     Input
		change func(*Input)
		want   string
	}{
		{"nothing", input(), nil, assets.TrayIdle},
		{"three", input(notice("a", "", 0), notice("b", "", 0), notice("c", "", 0)), nil, "3"},
		{"many", input(), func(in *Input) { in.Counts.Unread = 10 }, "9plus"},
		{"waiting", input(asks("q", "?", 0), failed), nil, assets.TrayWaiting},
		{"error", input(failed), nil, assets.TrayError},
		{"quiet", input(failed), func(in *Input) { in.QuietUntil = noon.Add(1) }, assets.TrayMuted},
		{"quiet is over", input(notice("a", "", 0)), func(in *Input) { in.QuietUntil = noon }, "1"},
		{"waiting in quiet", input(asks("q", "?", 0)), func(in *Input) { in.QuietUntil = noon.Add(1) }, assets.TrayWaiting},
		{"problem", input(asks("q", "?", 0)), func(in *Input) { in.Problem = "The disk is full." }, assets.TrayError},
		{"offline", input(), func(in *Input) { in.Offline, in.Problem = true, "x" }, assets.TrayOffline},
	} {
		if c.change != nil {
			c.change(&c.in)
		}
		if got := Model(c.in).Icon; got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestQuietLines(t *testing.T) {
	// Proves: A8
	for _, c := range []struct {
		at   time.Time
		want time.Time
	}{
		{time.Date(2026, 3, 4, 23, 0, 0, 0, time.UTC), time.Date(2026, 3, 5, 8, 0, 0, 0, time.UTC)},
		{time.Date(2026, 3, 5, 2, 0, 0, 0, time.UTC), time.Date(2026, 3, 5, 8, 0, 0, 0, time.UTC)},
		{time.Date(2026, 12, 31, 12, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 8, 0, 0, 0, time.UTC)},
	} {
		m := Model(Input{Now: c.at})
		if got := m.Quiet[2].Command.Until; !got.Equal(c.want) {
			t.Errorf("tomorrow of %v is %v", c.at, got)
		}
		if m.QuietOff.Visible {
			t.Error("off is offered although it is not quiet")
		}
	}
	m := Model(Input{Now: noon, QuietUntil: noon.Add(90 * time.Minute)})
	if !m.QuietOff.Visible || !m.QuietOff.Command.Until.IsZero() || !strings.Contains(m.QuietOff.Title, "13:30") {
		t.Errorf("%+v", m.QuietOff)
	}
	m = Model(Input{Now: noon, QuietUntil: m.Quiet[3].Command.Until})
	if off := m.QuietOff; !off.Visible || strings.Contains(off.Title+m.Tooltip, ":00") || !strings.Contains(m.Tooltip, "do not disturb") {
		t.Errorf("quiet for good: %+v, %s", off, m.Tooltip)
	}
}

// However much waits, the menu is short: what comes first has its lines, the others are a line each.
//
// Proves: P4, P5
func TestTheMenuIsShort(t *testing.T) {
	var items []*notify.Record
	for i := range 30 {
		items = append(items, asks(fmt.Sprint(i), "rm -rf build", time.Duration(i)*time.Minute))
	}
	in := input(items...)
	in.Counts.Unread = 307 // more than was looked at
	in.QuietUntil = noon.Add(time.Hour)
	m := Model(in)
	lines := append(m.Slots[0].Options[:], m.Head, m.Slots[0].Detail, m.Slots[0].Read, m.Slots[0].Dismiss, m.More, m.Open, m.QuietMenu, m.QuietOff, m.DismissAll, m.History, m.Settings, m.Quit)
	for _, s := range m.Slots {
		lines = append(lines, s.Item)
		if s.Read.Command.Verb != ShowItem || s.Read.Command.Seen != s.Item.Command.Seen {
			t.Errorf("%q is not opened from its own menu", s.Item.Title)
		}
	}
	n := 0
	for _, l := range lines {
		if !l.Visible {
			continue
		}
		n++
		if !l.Enabled {
			t.Errorf("%q does nothing", l.Title)
		}
	}
	if n > 20 {
		t.Errorf("%d lines", n)
	}
	if m.More.Title != "… and 301 more" || m.Head.Title != "30 waiting for you, 307 unread" {
		t.Errorf("%q under %q", m.More.Title, m.Head.Title)
	}
	if s := m.Slots[1]; strings.HasPrefix(s.Dismiss.Title, " ") || !strings.HasPrefix(m.Slots[0].Dismiss.Title, " ") {
		t.Errorf("%q in a menu of its own, %q under its item", s.Dismiss.Title, m.Slots[0].Dismiss.Title)
	}
}

// What the owner closed is neither counted nor shown.
//
// Proves: P1, P5
func TestAClosedConnectionIsNotInTheMenu(t *testing.T) {
	failed := notice("e", "x", 0)
	failed.Severity = notify.SeverityError
	in := Input{Items: []*notify.Record{failed}, Now: noon, Connections: map[string]*notify.Connection{"c1": {ID: "c1"}}}
	if m := Model(in); shown(m) != "" || m.Icon != assets.TrayIdle || m.Head.Title != "nothing needs you" {
		t.Errorf("shows %q, icon %s, %q", shown(m), m.Icon, m.Head.Title)
	}
}

func TestModelProperties(t *testing.T) {
	// Proves: P4, P5
	rapid.Check(t, func(t *rapid.T) {
		var items []*notify.Record
		for i := range rapid.IntRange(0, 30).Draw(t, "n") {
			age := time.Duration(rapid.IntRange(0, 1e6).Draw(t, "age")) * time.Second
			var r *notify.Record
			if id := fmt.Sprint(i); rapid.Bool().Draw(t, "asks") {
				r = asks(id, rapid.String().Draw(t, "prompt"), age)
			} else {
				r = notice(id, rapid.String().Draw(t, "title"), age)
			}
			r.Muted = rapid.IntRange(0, 9).Draw(t, "muted") == 0
			items = append(items, r)
		}
		m := Model(input(items...))
		if len(m.flat()) != len((&Menu{}).flat()) {
			t.Fatal("the number of lines is not fixed")
		}
		waited := true
		for _, s := range m.Slots {
			if !s.Item.Visible {
				if s.Dismiss.Visible || s.Options[0].Visible {
					t.Fatal("a line belongs to no item")
				}
				continue
			}
			w := strings.HasPrefix(s.Item.Title, "? ")
			if w && !waited {
				t.Fatal("what waits is not first")
			}
			waited = w
			for _, l := range append(s.Options[:], s.Item, s.Detail, s.Read, s.Dismiss) {
				if l.Visible && (l.Command.ID != s.Item.Command.ID || l.Command.Expect.Revision != 1) {
					t.Fatalf("%+v is not bound", l)
				}
				if utf8.RuneCountInString(l.Title) > 70 || strings.ContainsAny(l.Title, "\n\r") {
					t.Fatalf("%q is no line", l.Title)
				}
			}
		}
		if !slices.Contains(assets.TrayStates(), m.Icon) {
			t.Fatalf("icon %s", m.Icon)
		}
	})
}

// What is asked is shown as it is: menus take some characters for signs of their own.
func TestTitlesAreText(t *testing.T) {
	// Proves: S4
	for _, c := range []struct{ goos, want string }{
		{"linux", "psql -f 0042__orders.sql && rm a&b"},
		{"windows", "psql -f 0042_orders.sql &&&& rm a&&b"},
		{"darwin", "psql -f 0042_orders.sql && rm a&b"},
	} {
		if got := menuText("psql -f 0042_orders.sql && rm a&b", c.goos); got != c.want {
			t.Errorf("%s: %q, want %q", c.goos, got, c.want)
		}
	}
}

// A share of work is rounded as the window rounds it, and stays within its bounds.
func TestAShareIsRounded(t *testing.T) {
	for _, c := range []struct {
		current, total float64
		want           string
	}{{5, 16, "31 %"}, {63, 200, "32 %"}, {2, 3, "67 %"}, {9, 3, "100 %"}, {-1, 3, "0 %"}, {1, 0, "…"}} {
		r := notice("p", "Upload", time.Minute)
		r.Progress = &notify.Progress{Current: c.current, Total: &c.total}
		if got := progress(r); got != c.want {
			t.Errorf("%v of %v: got %q, want %q", c.current, c.total, got, c.want)
		}
	}
}
