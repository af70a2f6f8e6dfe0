package ui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"signalbox/notify"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

// ask asks in a session.
func (d *desk) ask(session, title string) string {
	return d.do(notify.Publish{Connection: "claude", Session: session, Content: notify.Content{Kind: notify.KindInteraction, Title: title,
		Interaction: &notify.Interaction{Kind: "permission", Prompt: title, Options: []notify.Option{{ID: "allow", Label: "Allow", Comment: "none"}, {ID: "deny", Label: "Deny", Comment: "none"}}}}}).Record.ID
}

// fails tells of a failure in a session.
func (d *desk) fails(session, title string) string {
	return d.do(notify.Publish{Connection: "claude", Session: session, Content: notify.Content{Title: title, Severity: notify.SeverityError}}).Record.ID
}

func (d *desk) lines() (out []string) {
	for _, row := range d.u.rail.view.Rows {
		if row.Jump != nil {
			out = append(out, row.Jump.Title)
		}
	}
	return out
}

func (r *railWindow) key(name fyne.KeyName) { r.typedKey(&fyne.KeyEvent{Name: name}) }

// What waits and what failed in other sessions is on the rail as lines; the numbers agree with those at the left.
//
// Proves: P1, P5
func TestOtherSessionsAreLinesOfTheRail(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.ask("s", "May I?")
		d.ask("s2", "And I?")
		failed := d.fails("s2", "It broke")
		d.do(notify.Publish{Connection: "claude", Session: "s2", Content: notify.Content{Title: "A note"}})
		r := d.show()
		if got := d.lines(); !slices.Equal(got, []string{"May I?", "And I?", "It broke", "A note"}) { // the newest that is not read stands for all of it
			t.Errorf("lines %v", got)
		}
		d.wantShown()
		for _, tab := range r.view.Tabs {
			if tab.Place.Kind == notify.PlaceWaiting && tab.Count != d.f.Attention().Waiting {
				t.Errorf("waiting says %d, the badge %d", tab.Count, d.f.Attention().Waiting)
			}
			if tab.Place.Kind == notify.PlaceErrors && tab.Count != 1 {
				t.Errorf("errors says %d", tab.Count)
			}
		}
		for _, row := range r.view.Rows {
			if row.Jump != nil && row.Jump.ID == failed {
				r.feed.OnJump(*row.Jump)
			}
		}
		d.wait(time.Second)
		if r.selected != failed || !d.record(failed).Read || d.f.Settings().Focus.Session != "s2" {
			t.Errorf("selected %q, focus %+v", r.selected, d.f.Settings().Focus)
		}
	})
}

// A search looks through the other sessions too; where nothing matches, the history is one press away.
//
// Proves: P1
func TestTheSearchLooksThroughOtherSessions(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("here")
		id := d.do(notify.Publish{Connection: "claude", Session: "s", Content: notify.Content{Title: "Sign the commits"}}).Record.ID
		d.do(notify.SetRead{ID: id, Read: true})
		r := d.show()
		r.startSearch()
		r.search.SetText("commit")
		if row := r.view.Rows[0]; row.Empty == nil || row.Empty.Title != vm.M("empty.searching") {
			t.Errorf("before it looked it says %+v", row.Empty)
		}
		d.wait(time.Second)
		if got := d.lines(); !slices.Equal(got, []string{"Sign the commits"}) {
			t.Errorf("lines %v", got)
		}
		r.feed.OnJump(*r.view.Rows[1].Jump)
		d.wait(time.Second)
		if r.selected != id {
			t.Errorf("selected %q", r.selected)
		}
		r.search.SetText("xyzzy")
		d.wait(time.Second)
		if e := r.view.Rows[0].Empty; e == nil || e.Title != vm.M("empty.search.title") {
			t.Errorf("it says %+v", r.view.Rows[0])
		}
		r.feed.OnEmpty(r.view.Rows[0].Empty.Do)
		d.wait(time.Second)
		if !d.u.open["history"] || d.u.history.filter.Text != "xyzzy" {
			t.Error("the history is not searched")
		}
	})
}

// Choosing a session chooses its question, set aside or not, and the rail begins at the top; its keys act, and are
// drawn there alone.
//
// Proves: P1, I7
func TestChoosingASessionChoosesItsQuestion(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.question("Of the app?", nil)
		for i := range 40 { // of as many senders, so that each has a card
			d.do(notify.Publish{Connection: "claude", Content: notify.Content{Title: fmt.Sprint("n", i), Sender: fmt.Sprint(i)}})
		}
		own := d.ask("s", "Of the session?")
		d.do(notify.SetAside{ID: own})
		r := d.show()
		r.feed.MoveSelection(1)
		r.feed.MoveSelection(1 << 20)
		r.detail.close()
		d.wait(time.Second)
		if r.feed.Offset() == 0 {
			t.Error("not scrolled")
		}
		r.chooseSide(vm.SideRow{Kind: vm.SideSession, Ref: notify.SessionRef{Connection: "claude", Session: "s"}})
		d.wait(time.Second)
		if r.selected != own || r.feed.Selected != own || r.view.Shown[1].ID != own {
			t.Errorf("selected %q, behind the first %q, want %q", r.selected, r.view.Shown[1].ID, own)
		}
		if r.feed.Offset() != 0 {
			t.Errorf("the rail is %v below its top", r.feed.Offset())
		}
		if r.detail.open() {
			t.Error("the detail opened")
		}
		for _, x := range r.view.Shown[:2] {
			for _, b := range r.feed.Card(x.ID).Buttons() {
				if (b.Key != "") != (x.ID == own) {
					t.Errorf("%q: %q has the key %q", x.Title, b.Label, b.Key)
				}
			}
		}
		r.typedRune('2')
		d.settle()
		if got := sent[notify.AnswerOp](d.f); len(got) != 1 || got[0].ID != own || got[0].Answer.Option != "deny" {
			t.Errorf("sent %+v", got)
		}
		if got := r.snack.Text(); !strings.Contains(got, "Deny") || !strings.Contains(got, "Checkout") || !strings.Contains(got, "Of the session?") {
			t.Errorf("it says %q", got)
		}
	})
}

// A session that asks nothing has what it told last chosen, before the lines of others: it is seen and read by that.
//
// Proves: A4, A7
func TestChoosingASessionReadsItsNews(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		seq := int64(2)
		d.do(notify.PutSession{Connection: "claude", Session: "s", Sequence: &seq})
		older, newer := d.fails("s", "failed"), ""
		d.wait(time.Second)
		newer = d.do(notify.Publish{Connection: "claude", Session: "s", Content: notify.Content{Title: "done"}}).Record.ID
		d.ask("s2", "Of another one?")
		r := d.show()
		r.chooseSide(vm.SideRow{Kind: vm.SideSession, Ref: notify.SessionRef{Connection: "claude", Session: "s"}})
		d.wait(time.Second)
		if r.selected != newer || !d.record(newer).Read || d.record(older).Read || r.view.Rows[1].ID != newer {
			t.Errorf("selected %q, first %q, read: %v, the older one: %v", r.selected, r.view.Rows[1].ID, d.record(newer).Read, d.record(older).Read)
		}
		if got := sent[notify.SeeSession](d.f); len(got) != 1 || got[0].Sequence != seq {
			t.Errorf("seen: %+v", got)
		}
	})
}

// Choosing an agent narrows the rail to it, and says of no session that it is looked at.
//
// Proves: P1, A8
func TestChoosingAnAgent(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.CreateConnection{ID: "codex", Label: "Codex", TokenHash: make([]byte, 32)})
		d.do(notify.Publish{Connection: "codex", Content: notify.Content{Title: "of codex"}})
		d.notice("of claude")
		d.ask("s", "May I?")
		r := d.show()
		row := vm.SideRow{Kind: vm.SideConnection, Ref: notify.SessionRef{Connection: "claude"}}
		r.chooseSide(row)
		d.wait(time.Second)
		d.wantShown("of claude")
		if got := d.lines(); !slices.Equal(got, []string{"May I?"}) || len(sent[notify.SetFocus](d.f)) != 0 {
			t.Errorf("lines %v, %d times focused", got, len(sent[notify.SetFocus](d.f)))
		}
		r.focus(notify.SessionRef{Connection: "claude", Session: "s"})
		d.wait(time.Second)
		d.wantShown("May I?", "of claude", "of codex")
		r.chooseSide(row)
		d.wait(time.Second)
		d.wantShown("of claude")
		if f := d.f.Settings().Focus; f != (notify.SessionRef{}) || !slices.Equal(d.lines(), []string{"May I?"}) {
			t.Errorf("focus %+v, lines %v", f, d.lines())
		}
		d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}}) // elsewhere
		d.wait(time.Second)
		d.wantShown("May I?", "of claude", "of codex")
	})
}

// Escape closes the topmost thing, one a press: a menu, a question, the form, the detail; then it sets the chosen
// question aside, once.
//
// Proves: I7
func TestEscapeClosesOneThingAPress(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", nil)
		r := d.show()
		d.wait(time.Second)
		r.openNext()
		d.wait(time.Second)
		r.press(q, vm.ButtonsOf(d.record(q))[1]) // it asks for a comment
		r.shortcutSheet()
		r.itemMenu(q, fyne.NewPos(10, 10))
		r.win.Canvas().Unfocus()
		open := func() [4]bool {
			_, menu := r.win.Canvas().Overlays().Top().(*widgets.Menu)
			return [4]bool{menu, d.u.dialog != nil, r.formFor != "", r.detail.open()}
		}
		for i, want := range [][4]bool{{true, true, true, true}, {false, true, true, true}, {false, false, true, true}, {false, false, false, true}, {}} {
			if got := open(); got != want {
				t.Errorf("after %d presses: menu, question, form, detail: %v", i, got)
			}
			if len(sent[notify.SetAside](d.f)) != 0 {
				t.Errorf("set aside after %d presses", i)
			}
			r.key(fyne.KeyEscape)
			d.wait(time.Second)
		}
		if x := d.record(q); !x.SetAsideAt(time.Now()) {
			t.Error("not set aside")
		}
		r.feed.Choose(q)
		r.selected = q
		was := d.record(q).UpdatedAt
		for range 3 {
			r.key(fyne.KeyEscape)
			r.dismiss(q)
			d.wait(time.Second)
		}
		if n := len(sent[notify.SetAside](d.f)); n != 1 || !d.record(q).UpdatedAt.Equal(was) {
			t.Errorf("set aside %d times", n)
		}
	})
}

// A menu's own submenu is closed before it.
func TestEscapeClosesASubmenuFirst(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		r.itemMenu(a, fyne.NewPos(10, 10))
		m := r.win.Canvas().Overlays().Top().(*widgets.Menu)
		for range 3 {
			r.key(fyne.KeyDown)
		}
		r.key(fyne.KeyRight)
		r.key(fyne.KeyEscape)
		if !m.Shown() {
			t.Error("the menu went with its submenu")
		}
		r.key(fyne.KeyEscape)
		if m.Shown() {
			t.Error("the menu is still there")
		}
	})
}

// Dismissing all leaves work that goes on, and says so; the number at the left follows at once, and what is left says
// that all is done.
//
// Proves: D3, D6
func TestDismissingAllLeavesWhatRuns(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		total, done := 10.0, notify.Progress{}
		done.Current, done.Total = total, &total
		running := d.do(notify.Publish{Connection: "claude", Key: "run", Content: notify.Content{Kind: notify.KindProgress, Title: "running", Progress: &notify.Progress{Current: 3, Total: &total}}}).Record.ID
		d.do(notify.Publish{Connection: "claude", Key: "done", Content: notify.Content{Kind: notify.KindProgress, Title: "done", Progress: &done}})
		d.notice("a")
		r := d.show()
		r.clear()
		d.wantShown("running")
		if got := r.snack.Text(); !strings.Contains(got, "2 dismissed") || !strings.Contains(got, "1 still running stays") {
			t.Errorf("said %q", got)
		}
		if rows := vm.SidebarOf(d.u.snap, &d.u.memory, ""); rows[0].Unread != 1 || rows[1].Unread != 1 {
			t.Errorf("the left says %d and %d", rows[0].Unread, rows[1].Unread)
		}
		r.tabs.OnChoose(notify.Place{Kind: notify.PlaceGeneral})
		r.dismiss(running)
		if e := r.view.Rows[0].Empty; e == nil || e.Title != vm.M("empty.done.title") {
			t.Errorf("it says %+v", r.view.Rows[0])
		}
	})
}

// The word after an answer shows what was answered.
func TestTheAnswerIsShown(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Use the staging database?", nil)
		r := d.show()
		d.wait(widgets.InertFor)
		r.answer(r.record(q), notify.Answer{Option: "allow"})
		d.settle()
		if got, want := r.snack.Text(), "Answered “Allow” · Claude Code: “Use the staging database?”"; got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
		r.snack.Act()
		d.wait(time.Second)
		if r.detail.id != q || r.detail.rec == nil || r.detail.rec.Outcome == nil {
			t.Error("the answered item is not shown")
		}
	})
}

// The keys move through the lines of other sessions, and Return goes there.
//
// Proves: P1
func TestTheKeysReachOtherSessions(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.question("Of the app?", nil)
		own := d.ask("s", "Of the session?")
		d.notice("a")
		r := d.show()
		var got []string
		for range 3 {
			r.typedRune('j')
			got = append(got, strings.SplitN(r.selected, ":", 2)[0])
		}
		if got[1] != "jump" || got[0] == "jump" || got[2] == "jump" {
			t.Errorf("moved over %v", got)
		}
		r.typedRune('k')
		for _, c := range "x1" { // it is not read there in full
			r.snack.Hide()
			r.typedRune(c)
			if !r.snack.Visible() || len(r.feed.Marked) != 0 || len(sent[notify.AnswerOp](d.f)) != 0 {
				t.Errorf("%c says %q", c, r.snack.Text())
			}
		}
		r.typedRune('s')
		if _, ok := r.win.Canvas().Overlays().Top().(*widgets.Menu); !ok {
			t.Error("no times to put it off until")
		}
		r.key(fyne.KeyEscape)
		r.typedRune('d')
		d.wait(time.Second)
		if x := d.record(own); !x.Waiting() || !x.SetAsideAt(time.Now()) {
			t.Errorf("it is not set aside: %+v", x)
		}
		for r.chosen() != own { // the choice went on, and the line behind the others
			r.typedRune('k')
		}
		r.key(fyne.KeyReturn)
		d.wait(time.Second)
		if r.selected != own || d.f.Settings().Focus.Session != "s" {
			t.Errorf("selected %q", r.selected)
		}
	})
}

// A failure elsewhere is dismissed by its line, and comes back by u. One that is no error, as a limit that was reached, has a
// line beside another session too.
//
// Proves: P1, D3
func TestAFailureElsewhereIsDismissedByItsLine(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.Publish{Connection: "claude", Session: "s2", Content: notify.Content{Title: "Rate limit reached", Severity: notify.SeverityWarning, Tags: []string{"claude"},
			Event: &notify.Event{Type: notify.EventTurnFailed, Occurrence: "1"}}})
		d.fails("s2", "It broke")
		r := d.show()
		r.focus(notify.SessionRef{Connection: "claude", Session: "s"})
		d.wait(time.Second)
		both := []string{"It broke", "Rate limit reached"}
		got := d.lines()
		slices.Sort(got)
		if !slices.Equal(got, both) {
			t.Fatalf("lines %v", got)
		}
		r.typedRune('j')
		r.typedRune('d')
		d.settle()
		if got := d.lines(); len(got) != 1 || r.line() == nil {
			t.Errorf("lines %v, selected %q", got, r.selected)
		}
		r.typedRune('u')
		d.settle()
		if got := d.lines(); len(got) != 2 {
			t.Errorf("lines %v", got)
		}
	})
}

// An item that is shown from elsewhere, by a toast or the tray, is shown as its line on the rail would: its session
// becomes the active one and is seen, and its card is chosen, also in a window that has only just begun. Of no session,
// it is chosen on the rail that is there; ended, it is shown in the detail.
//
// Proves: P1, A4, A7
func TestAnItemIsShownFromElsewhere(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.ask("s", "Of the session?")
		d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
		d.ask("s2", "The older one?")
		seq := int64(3)
		d.do(notify.PutSession{Connection: "claude", Session: "s2", Sequence: &seq})
		other := d.ask("s2", "Of another one?")
		app := d.question("Of the app?", nil)
		ended := d.notice("ended")
		d.do(notify.Dismiss{ID: ended, Expect: notify.Expecting(1, time.Time{})})

		d.u.ShowItem(other)
		d.settle()
		d.u.rail.win.Resize(fyne.NewSize(900, 700))
		d.wait(time.Second)
		r := d.u.rail
		if want := (notify.SessionRef{Connection: "claude", Session: "s2"}); d.u.snap.Focus != want {
			t.Errorf("the active session is %v", d.u.snap.Focus)
		}
		if got := sent[notify.SeeSession](d.f); len(got) != 1 || got[0].Session != "s2" || got[0].Sequence != seq {
			t.Errorf("seen: %+v", got)
		}
		if r.selected != other || r.feed.Selected != other || r.detail.open() || !d.record(other).Read {
			t.Errorf("selected %q, detail %q, read %v", r.selected, r.detail.id, d.record(other).Read)
		}
		r.typedRune('2')
		d.settle()
		if got := sent[notify.AnswerOp](d.f); len(got) != 1 || got[0].ID != other {
			t.Errorf("answered %+v", got)
		}

		r.filter.Place = notify.Place{Kind: notify.PlaceErrors}
		d.u.ShowItem(app)
		d.wait(time.Second)
		if r.selected != app || d.u.snap.Focus.Session != "s2" || r.detail.open() {
			t.Errorf("selected %q in %v, detail %q", r.selected, d.u.snap.Focus, r.detail.id)
		}

		d.u.ShowItem(ended)
		d.wait(time.Second)
		if r.selected != "" || r.detail.id != ended || r.detail.rec == nil {
			t.Errorf("selected %q, detail %q", r.selected, r.detail.id)
		}
		d.u.ShowItem("gone")
		d.wait(time.Second)
		if r.detail.id != "gone" || r.detail.err == nil {
			t.Errorf("the detail shows %q: %v", r.detail.id, r.detail.err)
		}
	})
}

// A question that comes while its session is looked at is chosen where nothing is, and its keys act when it is inert no
// more; one that was put away with Escape is not chosen again.
//
// Proves: P2, I7
func TestAQuestionThatComesIsChosen(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
		first := d.ask("s", "There before?")
		r := d.show()
		d.wait(time.Second)
		if r.selected != "" {
			t.Errorf("%q is chosen in a window that was only opened", r.selected)
		}
		d.do(notify.AnswerOp{ID: first, Expect: notify.Expecting(1, time.Time{}), Answer: notify.Answer{Option: "deny"}})
		d.ask("s2", "Of another one?")
		d.wait(time.Second)
		q := d.ask("s", "May I?")
		d.wait(200 * time.Millisecond)
		if r.selected != q || r.detail.open() || r.win.Canvas().Focused() != nil || d.record(q).Read {
			t.Errorf("selected %q, detail %q, read %v", r.selected, r.detail.id, d.record(q).Read)
		}
		r.typedRune('2')
		d.settle()
		if len(sent[notify.AnswerOp](d.f)) != 1 {
			t.Error("it was answered while it was inert")
		}
		d.wait(time.Second)
		later := d.ask("s", "And this?")
		d.wait(time.Second)
		if r.selected != q {
			t.Errorf("%q is chosen in the place of what was", r.selected)
		}
		r.key(fyne.KeyEscape)
		d.wait(time.Second)
		if r.selected != "" {
			t.Errorf("%q is chosen after Escape", r.selected)
		}
		r.openNext()
		r.typedRune('2')
		d.settle()
		if got := sent[notify.AnswerOp](d.f); len(got) != 2 || got[1].ID != later {
			t.Errorf("answered %+v", got)
		}
	})
}

// The digits act whatever has the keyboard, unless text is typed there; and in the detail, where the card is out of view.
// Where they act on nothing, no button shows one.
func TestDigitsActWhereTheyAreShown(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("May I?", func(in *notify.Interaction) { in.Options[1].Comment = "none" })
		other := d.fails("", "broken")
		r := d.show()
		r.openNext()
		r.openDetail(q)
		d.wait(time.Second)
		keys := func() (out string) {
			for _, b := range r.detail.pressed {
				out += b.Key
			}
			return out
		}
		if got := keys(); got != "12" {
			t.Errorf("the keys %q", got)
		}
		r.filter.Place = notify.Place{Kind: notify.PlaceErrors}
		r.render()
		d.wait(time.Second)
		r.choose(other)
		if got := keys(); got != "" {
			t.Errorf("the keys %q of an item that is not chosen", got)
		}
		r.typedRune('2')
		d.settle()
		if got := sent[notify.AnswerOp](d.f); len(got) != 0 {
			t.Errorf("answered %+v", got)
		}
		r.choose(q) // of which no card is there
		button := within[*widgets.Button](r.tabs)[0]
		r.win.Canvas().Focus(button)
		button.TypedRune('2')
		d.settle()
		if got := sent[notify.AnswerOp](d.f); len(got) != 1 || got[0].ID != q || got[0].Answer.Option != "deny" {
			t.Errorf("answered %+v", got)
		}
	})
}
