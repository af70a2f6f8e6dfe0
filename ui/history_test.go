package ui

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
	"signalbox/ui/widgets"
)

func (d *desk) showHistory() *historyWindow {
	d.u.ShowHistory()
	d.wait(RefreshEvery)
	d.u.history.win.Resize(fyne.NewSize(900, 700))
	d.settle()
	return d.u.history
}

// The search has the keyboard when the history opens; the arrows go from it into the list. Escape closes what is open,
// one a press, and at last the window.
func TestTheHistoryIsLeftWithEscape(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("a")
		h := d.showHistory()
		c := h.win.Canvas()
		press := func(k fyne.KeyName) {
			e := &fyne.KeyEvent{Name: k}
			if f := c.Focused(); f != nil {
				f.TypedKey(e)
			} else {
				c.OnTypedKey()(e)
			}
			d.wait(time.Second)
		}
		if c.Focused() != fyne.Focusable(h.search) {
			t.Fatalf("%T has the keyboard", c.Focused())
		}
		test.Type(h.search, "a")
		press(fyne.KeyEscape)
		if h.search.Text != "" || !d.u.open["history"] {
			t.Errorf("after the first Escape the search is for %q, open: %v", h.search.Text, d.u.open["history"])
		}
		press(fyne.KeyDown)
		if h.chosen == "" || !h.detail.open() || c.Focused() != nil {
			t.Errorf("the arrow chose %q; %T has the keyboard", h.chosen, c.Focused())
		}
		press(fyne.KeyEscape)
		if h.detail.open() || !d.u.open["history"] {
			t.Error("the second Escape closed not the detail alone")
		}
		press(fyne.KeyEscape)
		if d.u.open["history"] {
			t.Error("the history stays")
		}
		d.showHistory()
		press(fyne.KeyEscape)
		if d.u.open["history"] {
			t.Error("opened anew, it stays")
		}
	})
}

func TestTheHistoryIsEndless(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.Import{Records: sample.Many(vm.PageSize*2 + 30)})
		h := d.showHistory()
		if n := len(h.paging.Records); n != vm.PageSize {
			t.Fatalf("%d rows at first", n)
		}
		for range 6 {
			h.list.ScrollToBottom()
			d.wait(50 * time.Millisecond)
		}
		if n := len(h.paging.Records); n != vm.PageSize*2+30 || !h.paging.Done {
			t.Errorf("%d rows at last", n)
		}
	})
}

func TestFiltersAskAnew(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.Import{Records: sample.Many(40)})
		h := d.showHistory()
		h.filter.Status = notify.Expired
		h.filtered()
		d.settle()
		if n := len(h.paging.Records); n != 10 {
			t.Errorf("%d expired", n)
		}
		h.search.SetText("rate lim")
		d.wait(searchPause + 50*time.Millisecond)
		if n := len(h.paging.Records); n != 10 || h.filter.Text != "rate lim" {
			t.Errorf("%d for %q", n, h.filter.Text)
		}
		h.search.SetText("nowhere")
		d.wait(searchPause + 50*time.Millisecond)
		if len(h.paging.Records) != 0 {
			t.Error("something is found")
		}
		h.emptyAction("unfilter")
		d.wait(time.Second)
		if n := len(h.paging.Records); n != 40 {
			t.Errorf("%d without a filter", n)
		}
	})
}

// A search is asked when the owner pauses, not with each letter.
func TestTypingIsOneQuestion(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		h := d.showHistory()
		before := d.f.queries
		for i := range "database" {
			h.search.SetText("database"[:i+1])
			d.wait(20 * time.Millisecond)
		}
		d.wait(time.Second)
		if n := d.f.queries - before; n > 2 {
			t.Errorf("%d queries", n)
		}
	})
}

func TestABurstIsOneQuestionOfTheHistory(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		h := d.showHistory()
		before := d.f.queries
		for i := range 500 {
			d.notice(fmt.Sprint("n", i))
		}
		d.wait(2 * time.Second)
		if n := d.f.queries - before; n > 6 {
			t.Errorf("%d queries", n)
		}
		if len(h.paging.Records) != vm.PageSize {
			t.Errorf("%d rows", len(h.paging.Records))
		}
	})
}

// What is selected stays where it is; what is new is told in a line.
func TestNothingMovesUnderASelection(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		h := d.showHistory()
		h.choose(a)
		d.notice("b")
		d.wait(time.Second)
		if len(h.paging.Records) != 1 || h.note.Content() == "" {
			t.Errorf("%d rows, said %q", len(h.paging.Records), h.note.Content())
		}
		d.do(notify.Dismiss{ID: a, Expect: notify.Expectation{Expect: true, Revision: 1}})
		d.wait(time.Second)
		if h.paging.Records[0].Status != notify.Dismissed || h.detail.rec.Status != notify.Dismissed {
			t.Error("the row does not follow")
		}
	})
}

// Symptom: an item that was read meanwhile jumped to the top with the next that came.
func TestTheHistoryKeepsItsOrderWhileItIsRead(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		d.wait(time.Second)
		d.notice("b")
		h := d.showHistory()
		d.wait(time.Second)
		d.do(notify.SetRead{ID: a, Read: true})
		d.wait(time.Second)
		d.notice("c")
		d.wait(time.Second)
		order := func() (out []string) {
			for _, r := range h.paging.Records {
				out = append(out, r.Title)
			}
			return out
		}
		if got := order(); !slices.Equal(got, []string{"c", "b", "a"}) || !h.paging.Records[2].Read {
			t.Errorf("got %v", got)
		}
		h.reload()
		d.wait(time.Second)
		if got := order(); !slices.Equal(got, []string{"c", "a", "b"}) {
			t.Errorf("asked for anew: %v", got)
		}
	})
}

// The history is read-only, but for an action that says it is valid there.
//
// Proves: P3
func TestTheHistoryIsReadOnly(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		q := d.question("Run it?", nil)
		end := d.do(notify.Publish{Connection: "claude", Content: notify.Content{Title: "Over", Actions: []notify.Action{
			{ID: "open", Label: "Open", InHistory: true}, {ID: "again", Label: "Again"}}}}).Record
		d.do(notify.Resolve{Target: notify.Target{ID: end.ID}})
		h := d.showHistory()
		h.choose(q)
		d.settle()
		if len(h.detail.pressed) != 0 {
			t.Error("a question can be answered from the history")
		}
		h.choose(end.ID)
		d.wait(time.Second)
		if len(h.detail.pressed) != 1 || h.detail.pressed[0].Label != "Open" {
			t.Fatalf("buttons %+v", h.detail.pressed)
		}
		d.wait(time.Second)
		test.Tap(h.detail.pressed[0])
		d.settle()
		if got := sent[notify.InvokeAction](d.f); len(got) != 1 || got[0].Expect.Revision != h.detail.rec.Revision {
			t.Errorf("sent %+v", got)
		}
		if x := d.record(q); x.Read || x.Status != notify.Pending {
			t.Error("looking changed the record")
		}
	})
}

func TestExportOfTheMarkedOrOfAll(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.do(notify.Import{Records: sample.Many(620)})
		h := d.showHistory()
		var all, some bytes.Buffer
		n, err := d.u.export(context.Background(), &all, nil, notify.Filter{})
		if err != nil || n != 620 || bytes.Count(all.Bytes(), []byte("\n")) != 620 {
			t.Errorf("all: %d, %v", n, err)
		}
		h.mark(h.paging.Records[3].ID)
		n, err = d.u.export(context.Background(), &some, []*notify.Record{h.paging.Records[3]}, notify.Filter{})
		if err != nil || n != 1 || !strings.Contains(some.String(), h.paging.Records[3].ID) {
			t.Errorf("marked: %d, %v", n, err)
		}
	})
}

func TestSavedFiltersAreKept(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.u.prefs.setSavedFilters(vm.SaveFilter(nil, "Mine", vm.HistoryFilter{Tag: "main"}))
		if got := d.u.prefs.savedFilters(); len(got) != 1 || got[0].Filter.Tag != "main" {
			t.Errorf("got %+v", got)
		}
	})
}

func (d *desk) showSettings(page string) *settingsWindow {
	d.u.ShowSettingsPage(page)
	d.wait(RefreshEvery)
	return d.u.sets
}

// What is searched for can be cleared like any filter, and is gone at the next opening. What waits says so.
func TestTheSearchOfTheHistoryBeginsAnew(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("alpha")
		q := d.question("beta", nil)
		h := d.showHistory()
		clears := func() bool {
			return slices.ContainsFunc(within[*widgets.Button](h.tools), func(b *widgets.Button) bool { return b.Label == d.u.t("history.clear") })
		}
		h.search.SetText("alp")
		d.wait(time.Second)
		if !clears() || len(h.paging.Records) != 1 {
			t.Errorf("offers to clear %v, %d found", clears(), len(h.paging.Records))
		}
		h.hide()
		d.wait(time.Second)
		h = d.showHistory()
		d.wait(time.Second)
		if h.search.Text != "" || clears() || len(h.paging.Records) != 2 {
			t.Errorf("opened again: %q, offers to clear %v, %d found", h.search.Text, clears(), len(h.paging.Records))
		}
		if row := vm.HistoryRowOf(d.record(q), d.u.snap, d.u.now()); row.Status != vm.M("status.waiting") {
			t.Errorf("it says %+v", row.Status)
		}
	})
}

// A token is shown this once, and only its hash goes to the center.
func TestANewConnectionShowsItsTokenOnce(t *testing.T) {
	onDesk(t, Options{NewToken: func() (string, []byte, error) { return "sbx_secret", bytes.Repeat([]byte{7}, 32), nil }}, func(d *desk) {
		s := d.showSettings("connect")
		s.makeConnection("")
		d.settle()
		if len(sent[notify.CreateConnection](d.f)) != 1 { // the desk's own
			t.Error("a connection without a name was made")
		}
		s.makeConnection("Nightly")
		d.settle()
		if s.token != "sbx_secret" || s.tokOf != "Nightly" {
			t.Errorf("token %q of %q", s.token, s.tokOf)
		}
		for _, op := range sent[notify.CreateConnection](d.f) {
			if bytes.Contains(op.TokenHash, []byte("sbx_")) {
				t.Error("the token itself went to the center")
			}
		}
		s.open("connections")
		if s.token != "" {
			t.Error("the token is still shown")
		}
	})
}

func TestEveryPageOfTheSettingsIsDrawn(t *testing.T) {
	onDesk(t, pictureOptions(&desk{f: newFake()}), func(d *desk) {
		s := d.showSettings("connect")
		for _, w := range []float32{340, 639, 900} {
			for _, p := range s.pages {
				s.open(p.name)
				s.win.Resize(fyne.NewSize(w, 600))
				d.wait(100 * time.Millisecond)
				if got := s.win.Canvas().Size().Width; got != w {
					t.Errorf("%s: asked for %v, the window is %v wide", p.name, w, got)
				}
			}
		}
	})
}

// Proves: A8
func TestDoNotDisturbTakesEffectAtOnce(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		r := d.show()
		r.setQuiet(vm.QuietChoices(time.Now())[1])
		d.wait(time.Second)
		if !d.f.Settings().QuietUntil.After(time.Now()) || !r.quiet.Chosen {
			t.Errorf("until %v, shown %v", d.f.Settings().QuietUntil, r.quiet.Chosen)
		}
		r.setQuiet(vm.QuietChoice{})
		d.wait(time.Second)
		if !d.f.Settings().QuietUntil.IsZero() || r.quiet.Chosen {
			t.Error("it is still quiet")
		}
	})
}

// A question over a window is left with Escape, which neither confirms nor reaches what is behind it.
func TestAQuestionIsLeftWithEscape(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		a := d.notice("a")
		r := d.show()
		r.openNext()
		d.settle()
		done := false
		d.u.ask(r.win, "Sure?", widgets.NewText("Really?", widgets.LookBody), widgets.NewButton("Yes", widgets.Danger, nil), func() { done = true })
		r.typedRune('d')
		r.typedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
		d.settle()
		if done || d.u.dialog != nil || r.selected != a || !r.detail.open() {
			t.Errorf("done %v, open %v, selected %q", done, d.u.dialog != nil, r.selected)
		}
		d.wantShown("a")
		test.FocusNext(r.win.Canvas())
	})
}
