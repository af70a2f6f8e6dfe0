package ui

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/widgets"
)

// within finds all objects of a type inside of another.
func within[T fyne.CanvasObject](o fyne.CanvasObject) (out []T) {
	walk(o, func(o fyne.CanvasObject) {
		if x, ok := o.(T); ok {
			out = append(out, x)
		}
	})
	return out
}

// drawnTexts are all lines of text that are drawn inside of an object.
func drawnTexts(o fyne.CanvasObject) (out []string) {
	for _, t := range within[*canvas.Text](o) {
		out = append(out, t.Text)
	}
	return out
}

// What the owner wrote or chose, and has not saved, stays whatever happens elsewhere and however the page is made anew,
// until it is saved or the window closes.
func TestWhatIsWrittenInTheSettingsStays(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.u.ShowSettingsPage("quiet")
		d.wait(time.Second)
		s := d.u.sets
		s.win.Resize(fyne.NewSize(900, 700))
		first := func() *widgets.Entry { return within[*widgets.Entry](s.col)[0] }
		boxes := func() *widget.CheckGroup { return within[*widget.CheckGroup](s.col)[0] }
		was := first()
		was.SetText("23:30")
		boxes().SetSelected([]string{boxes().Options[5]})
		d.notice("elsewhere")
		d.wait(time.Second)
		if first() != was {
			t.Error("the page is made anew by what it does not show")
		}
		until := time.Now().Add(time.Hour).UTC()
		d.do(notify.SetSettings{QuietUntil: &until})
		d.wait(time.Second)
		if first() == was {
			t.Error("the page does not follow what it shows")
		}
		d.u.restyle()
		d.wait(time.Second)
		if first().Text != "23:30" || !slices.Equal(boxes().Selected, boxes().Options[5:6]) {
			t.Errorf("%q, %q are left", first().Text, boxes().Selected)
		}

		d.u.ShowSettingsPage("rules")
		d.wait(time.Second)
		first().SetText("Half a rule")
		kinds := func() *widgets.Select { return within[*widgets.Select](s.col)[2] }
		kinds().SetSelectedIndex(2)
		d.u.restyle()
		d.wait(time.Second)
		if first().Text != "Half a rule" || kinds().SelectedIndex() != 2 {
			t.Errorf("%q, kind %d are left", first().Text, kinds().SelectedIndex())
		}
		for _, b := range within[*widgets.Button](s.col) {
			if b.Label == d.u.t("rules.save") {
				b.Tapped(nil)
			}
		}
		d.wait(time.Second)
		if rules := d.f.mem.Settings().Rules; len(rules) != 1 || rules[0].Name != "Half a rule" || rules[0].Match.Kind != notify.KindNotice {
			t.Errorf("saved %+v", rules)
		}
		if first().Text != "" || kinds().SelectedIndex() != 0 {
			t.Errorf("after it was saved: %q, kind %d", first().Text, kinds().SelectedIndex())
		}
		d.u.ShowSettingsPage("quiet")
		d.wait(time.Second)
		if first().Text != "23:30" {
			t.Errorf("after another page: %q", first().Text)
		}
		s.hide()
		d.u.ShowSettingsPage("quiet")
		d.wait(time.Second)
		if first().Text != "22:00" {
			t.Errorf("in a window that was closed: %q", first().Text)
		}
	})
}

// The page of the connections counts on while they are at work, and what can be pressed on it stays.
func TestTheConnectionsPageStaysWhileTheyWork(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.u.ShowSettingsPage("connections")
		d.wait(time.Second)
		s := d.u.sets
		s.win.Resize(fyne.NewSize(900, 700))
		buttons := func() []*widgets.Button { return within[*widgets.Button](s.col) }
		says := func(text string) bool {
			return slices.ContainsFunc(drawnTexts(s.col), func(s string) bool { return strings.Contains(s, text) })
		}
		was := buttons()
		for i := range 7 {
			d.notice(fmt.Sprint("n", i))
			d.wait(200 * time.Millisecond)
		}
		if !slices.Equal(buttons(), was) {
			t.Error("its buttons were replaced")
		}
		if !says("7 ") {
			t.Errorf("it does not count: %q", drawnTexts(s.col))
		}
		label := "Another name"
		d.do(notify.UpdateConnection{ID: "claude", Label: &label})
		d.wait(time.Second)
		if entries := within[*widgets.Entry](s.col); len(entries) != 1 || entries[0].Text != label {
			t.Errorf("it does not follow a new name")
		}
	})
}

// A change of appearance keeps what is open: the detail, the search, and a token that is shown once. An item that is
// shown from elsewhere ends the search, for it may be none that is looked for.
func TestAChangeOfAppearanceKeepsWhatIsOpen(t *testing.T) {
	onDesk(t, Options{}, func(d *desk) {
		d.notice("alpha")
		beta := d.notice("beta")
		r := d.show()
		r.startSearch()
		r.search.SetText("alpha")
		d.wait(time.Second)
		r.openDetail(beta)
		d.wait(time.Second)
		r.detail.full = true
		d.u.restyle()
		d.wait(time.Second)
		if r.search.Text != "alpha" || r.filter.Text != "alpha" || !r.layout.searching {
			t.Errorf("the entry says %q, the filter is %q, shown %v", r.search.Text, r.filter.Text, r.layout.searching)
		}
		d.wantShown("alpha")
		if r.detail.id != beta || r.detail.rec == nil || !r.detail.full {
			t.Errorf("the detail shows %q", r.detail.id)
		}
		gamma := d.notice("gamma")
		d.u.ShowItem(gamma)
		d.wait(time.Second)
		if r.search.Text != "" || r.filter.Text != "" || r.layout.searching {
			t.Errorf("after an item was shown: the entry says %q, the filter is %q, shown %v", r.search.Text, r.filter.Text, r.layout.searching)
		}
		d.wantShown("alpha", "beta", "gamma")
	})
	o := Options{Agents: func(context.Context) ([]Agent, error) { return []Agent{{ID: "claude", Name: "Claude Code"}}, nil },
		Setup:    func(context.Context, string, bool) (string, error) { return "", nil },
		NewToken: func() (string, []byte, error) { return "sbx_secret", make([]byte, 32), nil }}
	onDesk(t, o, func(d *desk) {
		d.do(notify.RevokeConnection{ID: "claude", Purge: true})
		d.do(notify.RemoveConnection{ID: "claude"})
		r := d.show()
		d.wait(time.Second)
		if r.first == nil {
			t.Fatal("no welcome")
		}
		r.first.makeConnection("My script")
		d.wait(time.Second)
		d.u.restyle()
		d.wait(time.Second)
		if r.first == nil || !slices.ContainsFunc(drawnTexts(r.first.pane), func(s string) bool { return strings.Contains(s, "sbx_secret") }) {
			t.Error("the token is gone")
		}
	})
}
