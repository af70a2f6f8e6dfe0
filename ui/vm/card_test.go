package vm_test

import (
	"strings"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

func at(r *notify.Record) vm.Card { return vm.CardOf(r, vm.Context{Now: sample.Now}) }

// Colour is never the only sign.
func TestEverySignHasAnIconAndAWord(t *testing.T) {
	for _, r := range append(sample.Rail().Application, sample.Rail().Session...) {
		if s := vm.SignOf(r); s.Icon == "" || s.Word.IsZero() || s.Tone == "" {
			t.Errorf("%s: %+v", r.ID, s)
		}
	}
	for _, sev := range []notify.Severity{"info", "success", "warning", "error", "critical"} {
		for _, kind := range []notify.Kind{notify.KindNotice, notify.KindProgress, notify.KindStatus, notify.KindReport} {
			r := sample.Record("x", "c", "", 0, "T", func(r *notify.Record) { r.Severity, r.Kind = sev, kind })
			if s := vm.SignOf(r); s.Icon == "" || s.Word.IsZero() || s.Tone != vm.SeverityTone(sev) {
				t.Errorf("%s %s: %+v", kind, sev, s)
			}
		}
	}
}

// The whole command of a permission is on the card.
func TestAPermissionShowsItsCommandInFull(t *testing.T) {
	c := at(sample.Permission())
	if want := "docker compose exec db psql -U shop -f migrations/0042_orders_add_index.sql --single-transaction"; c.Code != want {
		t.Errorf("got %q", c.Code)
	}
	if strings.Contains(c.Text, "docker") {
		t.Errorf("the text repeats the command: %q", c.Text)
	}
	if c.Clock != vm.MA("clock.exact", "4:12") || c.Deadline != vm.MA("clock.exact", "5:48") {
		t.Errorf("clock %+v, deadline %+v", c.Clock, c.Deadline)
	}
}

// A plan's headings and steps are told apart on the card, and that there is more of it is known.
func TestTheFormOfAPlansExcerpt(t *testing.T) {
	c := at(sample.Plan())
	lines := strings.Split(c.Text, "\n")
	if len(lines) != len(c.Lines) {
		t.Fatalf("%d lines, %d forms", len(lines), len(c.Lines))
	}
	for i, l := range lines {
		want := vm.LineForm{Heading: l == "What I would do" || l == "What could break"}
		switch {
		case strings.HasPrefix(l, "• "):
			want.Hang = len("• ")
		case len(l) > 1 && l[1] == '.':
			want.Hang = 3
		}
		if c.Lines[i] != want {
			t.Errorf("%q: got %+v, want %+v", l, c.Lines[i], want)
		}
	}
	if !c.More {
		t.Error("the plan's code is not on the card, and nothing says so")
	}
	if c := at(sample.Question()); c.More || c.Lines != nil {
		t.Errorf("a text of one plain line: %+v, more %v", c.Lines, c.More)
	}
}

// A waiting interaction cannot be dismissed, whatever it says of itself.
//
// Proves: I2, D7
func TestWhatCanBeDismissed(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*notify.Record)
		want   bool
	}{
		{"a notice", func(*notify.Record) {}, true},
		{"a permanent status", func(r *notify.Record) { r.Dismissible = false }, false},
		{"its time has come", func(r *notify.Record) { r.Dismissible = false; r.DismissibleAfter = sample.Now }, true},
		{"its time has not come", func(r *notify.Record) { r.Dismissible = false; r.DismissibleAfter = sample.Now.Add(time.Second) }, false},
		{"it is over", func(r *notify.Record) { r.Status = notify.Resolved }, false},
		{"progress", func(r *notify.Record) { r.Kind = notify.KindProgress; r.Progress = &notify.Progress{} }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := at(sample.Record("x", "c", "", 0, "T", test.change)).Dismissible; got != test.want {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
	if at(sample.Question()).Dismissible {
		t.Error("a question can be dismissed")
	}
}

func TestButtonsHaveTheKeysOneToNine(t *testing.T) {
	r := sample.Question()
	for range 7 {
		r.Interaction.Options = append(r.Interaction.Options, notify.Option{ID: "more"})
	}
	r.Actions = []notify.Action{{ID: "go", Label: "Go"}, {ID: "stop", Label: "Stop"}}
	b := vm.ButtonsOf(r)
	if len(b) != 11 || b[0].Key != 1 || b[8].Key != 9 || b[9].Key != 0 {
		t.Errorf("got %+v", b)
	}
	if !b[0].Decides() || !b[10].Decides() || (vm.Button{Kind: vm.ButtonAnswer}).Decides() {
		t.Error("options and actions decide, opening a form doesn't")
	}
	if b[2].Label != "more" {
		t.Errorf("an option without a label is named %q", b[2].Label)
	}
}

// In the history only what says that it is valid there can be pressed.
//
// Proves: P3
func TestATerminalRecordKeepsItsHistoryActions(t *testing.T) {
	r := sample.Question()
	r.Status, r.InteractionState = notify.Resolved, notify.InteractionAnswered
	r.Actions = []notify.Action{{ID: "a", Label: "Open", InHistory: true}, {ID: "b", Label: "Run"}}
	if b := vm.ButtonsOf(r); len(b) != 1 || b[0].ID != "a" {
		t.Errorf("got %+v", b)
	}
}

// Work that said nothing for long may be dead: the clock says so, whether or not anything is published.
func TestWorkThatSaysNothingIsMarked(t *testing.T) {
	half := 2.0
	for _, test := range []struct {
		name   string
		silent time.Duration
		change func(*notify.Record)
		want   vm.Msg
	}{
		{"not for long", 10*time.Minute - time.Second, nil, vm.Msg{}},
		{"ten minutes", 10 * time.Minute, nil, vm.MN("clock.minutes", 10)},
		{"long", 12*time.Minute + 40*time.Second, nil, vm.MN("clock.minutes", 12)},
		{"it has no end that is known", 12 * time.Minute, func(r *notify.Record) { r.Progress = &notify.Progress{} }, vm.MN("clock.minutes", 12)},
		{"it is done", 12 * time.Minute, func(r *notify.Record) { r.Progress.Current = 2 }, vm.Msg{}},
		{"it ended", 12 * time.Minute, func(r *notify.Record) { r.Status = notify.Resolved }, vm.Msg{}},
		{"it is a note", 12 * time.Minute, func(r *notify.Record) { r.Kind, r.Progress = notify.KindNotice, nil }, vm.Msg{}},
		{"it was read meanwhile", 12 * time.Minute, func(r *notify.Record) { r.Read, r.UpdatedAt = true, sample.Now }, vm.MN("clock.minutes", 12)},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := sample.Record("x", "c", "", time.Hour, "T", func(r *notify.Record) {
				r.Kind, r.Progress = notify.KindProgress, &notify.Progress{Current: 1, Total: &half}
				r.ContentAt = sample.Now.Add(-test.silent)
				if test.change != nil {
					test.change(r)
				}
			})
			if got := at(r).Stale; got != test.want {
				t.Errorf("got %+v, want %+v", got, test.want)
			}
		})
	}
}

func TestMeters(t *testing.T) {
	f := func(v float64) *float64 { return &v }
	for _, test := range []struct {
		name    string
		p       *notify.Progress
		known   bool
		percent int
	}{
		{"half", &notify.Progress{Current: 1, Total: f(2)}, true, 50},
		{"beyond the end", &notify.Progress{Current: 9, Total: f(2)}, true, 100},
		{"below the start", &notify.Progress{Current: -1, Total: f(2)}, true, 0},
		{"no total", &notify.Progress{Current: 3}, false, 0},
		{"a total of nothing", &notify.Progress{Current: 3, Total: f(0)}, false, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := vm.MeterOf(test.p)
			if m.Known != test.known || m.Percent != test.percent {
				t.Errorf("got %+v", m)
			}
		})
	}
	if vm.MeterOf(nil) != nil {
		t.Error("a meter without progress")
	}
}

func TestACardCutsLongText(t *testing.T) {
	r := sample.Record("x", "c", "", 0, "T", func(r *notify.Record) { r.Body = strings.Repeat("word ", 3000) })
	if n := len([]rune(at(r).Text)); n > 361 {
		t.Errorf("%d characters", n)
	}
}

// A card says that a revision changed it, when, and what.
func TestRevisionsAreMarked(t *testing.T) {
	var v vm.Revisions
	r := note("a", 1)
	v.Note([]*notify.Record{r})
	if _, ok := v.MarkOf(r); ok {
		t.Error("a first revision is marked")
	}
	second := *r
	second.Revision, second.Title, second.Lines, second.ContentAt = 2, "New", []string{"x"}, sample.Now
	v.Note([]*notify.Record{&second})
	m, ok := v.MarkOf(&second)
	if !ok || len(m.Parts) != 2 || m.Parts[0] != vm.M("part.title") || m.Parts[1] != vm.M("part.lines") || !m.At.Equal(sample.Now) {
		t.Errorf("got %+v", m)
	}
	third := second
	third.Revision, third.Body = 3, "text"
	v.Note([]*notify.Record{&third})
	if m, _ := v.MarkOf(&third); len(m.Parts) != 3 {
		t.Errorf("unread marks do not add up: %+v", m)
	}
	fourth := third
	fourth.Revision, fourth.Read, fourth.Severity = 4, true, notify.SeverityError
	v.Note([]*notify.Record{&fourth})
	if m, _ := v.MarkOf(&fourth); len(m.Parts) != 1 || m.Parts[0] != vm.M("part.severity") {
		t.Errorf("marks of what was read are still there: %+v", m)
	}
	unseen := note("b", 7)
	if m, ok := v.MarkOf(unseen); !ok || len(m.Parts) != 0 {
		t.Errorf("a change that was not seen: %+v %v", m, ok)
	}
}

// A question is said once, and what its options mean is on the card, whole.
func TestAQuestionSaysItsOptionsOnceAndWhole(t *testing.T) {
	// Proves: I1
	long := "Batteries included, 400 kB, and " + strings.Repeat("a long story about it, ", 20) + "the end"
	r := sample.Question()
	r.Title, r.Body = "Asks: Which charting library?", "**Which charting library?**\n\n- visx: Low-level\n- ECharts: "+long
	r.Interaction.Prompt = "Which charting library?"
	r.Interaction.Options = []notify.Option{{ID: "1", Label: "visx", Description: "Low-level"}, {ID: "2", Label: "ECharts", Description: long}, {ID: "3", Label: "Keep"}}
	c := at(r)
	if want := "visx — Low-level\nECharts — " + long; c.Text != want || !c.Choices || c.Prompt != "" {
		t.Errorf("%q, %q", c.Text, c.Prompt)
	}
}

// A plan is cut at the end of a line.
func TestAPlanIsCutAtALine(t *testing.T) {
	r := sample.Plan()
	r.Body = strings.Repeat("1. One more step of this plan that takes its time\n", 30)
	if c := at(r); !strings.HasSuffix(c.Text, "takes its time\n…") {
		t.Errorf("%q", c.Text)
	}
}

// A question is not said twice: a body that begins with the title goes on behind it, on the card and in the detail.
func TestAQuestionIsSaidOnce(t *testing.T) {
	for _, c := range []struct{ title, body, want string }{
		{"Asks: Which layout?", "**Which layout?**\n\nThe hero has room.", "The hero has room."},
		{"Which layout?", "Asks: Which layout?", ""},
		{"Which layout?", "Which layout? The hero has room.", "Which layout? The hero has room."},
	} {
		r := sample.Question()
		r.Title, r.Body, r.Lines = c.title, c.body, nil
		r.Interaction.Prompt, r.Interaction.Fields = "Which layout?", []notify.Field{{ID: "other", Type: notify.FieldText}}
		if got := vm.CardOf(r, vm.Context{Now: sample.Now}).Text; got != c.want {
			t.Errorf("card of %q, %q: %q", c.title, c.body, got)
		}
		if got := vm.Plain(vm.DetailOf(r, vm.DetailInput{Snapshot: busy(), Now: sample.Now}).Body, 400); got != c.want {
			t.Errorf("detail of %q, %q: %q", c.title, c.body, got)
		}
	}
}
