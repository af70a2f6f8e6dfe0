package ui

import (
	"context"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// dialogText is all that a question says.
func (d *desk) dialogText() string {
	var b strings.Builder
	if d.u.dialog != nil {
		walk(d.u.dialog.pop.Content, func(o fyne.CanvasObject) {
			switch o := o.(type) {
			case *widgets.Text:
				b.WriteString(o.Content() + "\n")
			case *widgets.Button:
				b.WriteString("[" + o.Label + "]\n")
			}
		})
	}
	return b.String()
}

// pressButton presses the first button of a label under an object.
func pressButton(t *testing.T, o fyne.CanvasObject, label string) {
	t.Helper()
	var found *widgets.Button
	walk(o, func(o fyne.CanvasObject) {
		if b, ok := o.(*widgets.Button); ok && found == nil && b.Label == label {
			found = b
		}
	})
	if found == nil {
		t.Fatalf("there is no button %s", label)
	}
	found.Tapped(nil)
}

// What cannot be taken back says whose it is and what happens.
func TestAConfirmationNamesTheAgentAndWhatHappens(t *testing.T) {
	// Proves: S4
	onDesk(t, Options{NewToken: func() (string, []byte, error) { return "t", make([]byte, 32), nil }}, func(d *desk) {
		s := d.showSettings("connections")
		label := d.f.Connections()[0].Label
		for _, c := range []struct{ button, says string }{
			{d.u.t("connections.revoke"), "publish nothing until it is connected again"},
			{d.u.t("connections.rotate"), "stops working at once"},
		} {
			pressButton(t, s.win.Canvas().Content(), c.button)
			d.settle()
			if got := d.dialogText(); !strings.Contains(got, label) || !strings.Contains(got, c.says) {
				t.Errorf("%s: %q", c.button, got)
			}
			d.u.dialog.Hide()
		}
		d.do(notify.RevokeConnection{ID: d.f.Connections()[0].ID})
		d.wait(2 * RefreshEvery)
		pressButton(t, s.win.Canvas().Content(), d.u.t("connections.purge"))
		if got := d.dialogText(); !strings.Contains(got, label) || !strings.Contains(got, "cannot be undone") {
			t.Errorf("%q", got)
		}
	})
}

// A question with a field gives it the keyboard, and Return is its button.
func TestAQuestionWithAFieldIsTypedAtOnce(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("a")
		h := d.showHistory()
		h.filter.Tag = "x"
		h.saveFilter()
		d.settle()
		field, ok := h.win.Canvas().Focused().(*searchEntry)
		if !ok {
			t.Fatalf("%T has the keyboard", h.win.Canvas().Focused())
		}
		test.Type(field, "mine")
		d.wait(time.Second) // the button that decides is inert at first
		field.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
		d.settle()
		if list := d.u.prefs.savedFilters(); len(list) != 1 || list[0].Name != "mine" || d.u.dialog != nil {
			t.Errorf("%+v, open %v", list, d.u.dialog != nil)
		}
	})
}

// The bell's menu says what it is about, and its way out what it does.
func TestTheBellsMenu(t *testing.T) {
	// Proves: A8
	onDesk(t, Options{}, func(d *desk) {
		r := d.show()
		r.quietMenu()
		if lines := menuLines(menuOf(r.win)); len(lines) < 3 || !strings.Contains(lines[0], "Do not disturb") || !strings.Contains(lines[1], "Notify me") {
			t.Errorf("%q", lines)
		}
		menuOf(r.win).TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		r.setQuiet(vm.QuietChoices(time.Now())[1])
		d.wait(time.Second)
		r.quietMenu()
		if lines := menuLines(menuOf(r.win)); !strings.Contains(lines[1], "Turn do not disturb off") {
			t.Errorf("%q", lines)
		}
	})
}

// The doctor says of what was begun long ago that nobody knows, and of what was taken down that it was shown.
func TestTheDoctorTellsOfTheLastDelivery(t *testing.T) {
	// Proves: A12
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		state  notify.DeliveryState
		ago    time.Duration
		nobody bool
		want   string
		fact   FactState
	}{
		{notify.DeliveryDelivered, time.Hour, false, "doctor.delivered", FactGood},
		{notify.DeliveryWithdrawn, time.Hour, false, "doctor.withdrawn", FactGood},
		{notify.DeliveryClaimed, time.Second, false, "doctor.pending", FactGood},
		{notify.DeliveryClaimed, time.Hour, false, "doctor.lost", FactWarn},
		{notify.DeliveryFailed, time.Hour, true, "doctor.nobody", FactGood},
		{notify.DeliveryFailed, time.Hour, false, "doctor.failed", FactWarn},
	} {
		if f := LastTold(notify.Delivery{State: c.state, At: now.Add(-c.ago)}, c.nobody, now); f.Text.Key != c.want || f.State != c.fact {
			t.Errorf("%s: %+v", c.state, f)
		}
	}
}

// texts are all that is said under an object, a line each.
func texts(o fyne.CanvasObject) string {
	var b strings.Builder
	walk(o, func(o fyne.CanvasObject) {
		switch o := o.(type) {
		case *widgets.Text:
			b.WriteString(o.Content() + "\n")
		case *widgets.Button:
			b.WriteString("[" + o.Label + "]\n")
		}
	})
	return b.String()
}

// The agents that are there come first, the others are one line that opens; one that was connected says what to do
// next.
func TestTheFirstRunShowsWhatIsThere(t *testing.T) {
	list := []Agent{{ID: "gone", Name: "Gone Agent", Program: "gone"}, {ID: "here", Name: "Here Agent", Program: "here", Installed: true}}
	tested := ""
	o := Options{Providers: []string{"toast"}, Agents: func(context.Context) ([]Agent, error) { return slices.Clone(list), nil },
		Setup: func(context.Context, string, bool) (string, error) {
			list[1].Connected = true
			return "3 lines added", nil
		},
		TestNotification: func(_ context.Context, way string) error { tested = way; return nil }}
	onDesk(t, o, func(d *desk) {
		s := d.showSettings("connect")
		d.wait(time.Second)
		got := func() string { return texts(s.col) }
		if text := got(); strings.Contains(text, "Gone Agent") || !strings.Contains(text, "[1 agent not found on this computer]") || !strings.Contains(text, "Here Agent") {
			t.Fatalf("%q", text)
		}
		pressButton(t, s.col, "1 agent not found on this computer")
		if !strings.Contains(got(), "Gone Agent") {
			t.Errorf("%q", got())
		}
		pressButton(t, s.col, d.u.t("connect.do"))
		d.wait(time.Second)
		if !strings.Contains(got(), "Restart Here Agent") {
			t.Fatalf("%q", got())
		}
		pressButton(t, s.col, d.u.t("connect.send_test"))
		d.wait(time.Second)
		if tested != "toast" {
			t.Errorf("sent by %q", tested)
		}
	})
}

// Several are muted and put off at once.
func TestTheSelectedAreMutedAndPutOff(t *testing.T) {
	// Proves: A5
	onDesk(t, Options{}, func(d *desk) {
		a, b, c := d.notice("a"), d.notice("b"), d.notice("c")
		r := d.show()
		r.mark(a)
		r.mark(b)
		pressButton(t, r.bar, d.u.t("marked.mute"))
		d.wait(time.Second)
		if !d.record(a).Muted || !d.record(b).Muted || d.record(c).Muted || len(r.feed.Marked) > 0 {
			t.Error("not the selected ones are muted")
		}
		r.mark(c)
		pressButton(t, r.bar, d.u.t("marked.snooze"))
		menuOf(r.win).Items()[0].Action()
		d.wait(time.Second)
		if d.record(c).SnoozeUntil.IsZero() {
			t.Error("it is not put off")
		}
	})
}

// An export says how much it is, and afterwards where it is, whole.
func TestAnExportSaysHowMuchAndWhere(t *testing.T) {
	o := Options{SaveDir: "/home/me/a/folder/with/a/long/name", SaveFile: func(string) (io.WriteCloser, error) { return &sink{}, nil }}
	onDesk(t, o, func(d *desk) {
		d.notice("a")
		d.notice("b")
		h := d.showHistory()
		d.wait(time.Second)
		h.exportAll()
		if text := d.dialogText(); !strings.Contains(text, "2 items, as JSON lines") {
			t.Errorf("%q", text)
		}
		d.u.dialog.Hide()
		path := o.SaveDir + "/x.jsonl"
		h.exportTo(path)
		d.wait(time.Second)
		if text := d.dialogText(); !strings.Contains(text, "2 items exported") || !strings.Contains(text, "[Show in folder]") {
			t.Errorf("%q", text)
		}
	})
}

// What would do nothing cannot be pressed.
func TestNothingToDismissIsNotOffered(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.question("q", nil)
		r := d.show()
		r.moreMenu()
		if first := menuOf(r.win).Items()[0]; !first.Disabled {
			t.Errorf("%q can be pressed", first.Label)
		}
	})
}

// The welcome follows what was connected or installed beside it: by itself, and at once when the owner comes back to the window.
func TestTheWelcomeFollowsWhatIsConnected(t *testing.T) {
	list := []Agent{{ID: "claude", Name: "Claude Code", Program: "claude"}, {ID: "codex", Name: "Codex", Program: "codex"}}
	var mu sync.Mutex
	looked := 0
	set := func(i int, a Agent) { mu.Lock(); defer mu.Unlock(); list[i] = a }
	o := Options{Agents: func(context.Context) ([]Agent, error) {
		mu.Lock()
		defer mu.Unlock()
		looked++
		return slices.Clone(list), nil
	}, Setup: func(context.Context, string, bool) (string, error) { return "", nil }}
	onDesk(t, o, func(d *desk) {
		r := d.show()
		r.first = newFirstRun(r)
		d.wait(time.Second)
		agent := func(i int) Agent { return r.first.agents[i] }
		set(0, Agent{ID: "claude", Name: "Claude Code", Program: "claude", Installed: true, Connected: true})
		d.wait(seekEvery + time.Second)
		if !agent(0).Connected {
			t.Error("it does not follow by itself")
		}
		set(1, Agent{ID: "codex", Name: "Codex", Program: "codex", Installed: true})
		d.u.Entered()
		d.settle()
		if !agent(1).Installed {
			t.Error("it does not look when the window is entered")
		}
		r.endFirstRun()
		mu.Lock()
		was := looked
		mu.Unlock()
		d.wait(3 * seekEvery)
		if mu.Lock(); looked != was {
			t.Error("it looks on")
		}
		mu.Unlock()
	})
}
