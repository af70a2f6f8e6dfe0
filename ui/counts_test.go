package ui

import (
	"context"
	"fmt"
	"testing"
	"time"

	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// Whatever there is, and whatever of it is looked at: the numbers at the left, at the tabs and of the badge are those of
// the cards and lines that are shown.
//
// Proves: P1, P5, A5
func TestTheNumbersAreThoseOfTheLists(t *testing.T) {
	app := test.NewTempApp(t)
	rapid.Check(t, func(t *rapid.T) {
		f := newFake()
		u := New(app, &lineTo{fake: f}, Options{Subscribe: f.subscribe, Now: time.Now, Dispatch: func(f func()) { f() }})
		defer u.Close()
		do := func(op notify.Op) notify.Result {
			res, err := f.Do(context.Background(), notify.Owner, op)
			if err != nil {
				t.Fatalf("%T: %v", op, err)
			}
			return res
		}
		connections := []string{"a", "b"}
		for _, c := range connections {
			do(notify.CreateConnection{ID: c, Label: c, TokenHash: make([]byte, 32)})
		}
		for i := range rapid.IntRange(0, 14).Draw(t, "items") {
			p := notify.Publish{Connection: rapid.SampledFrom(connections).Draw(t, "connection"), Session: rapid.SampledFrom([]string{"", "s", "t"}).Draw(t, "session"),
				Content: notify.Content{Title: fmt.Sprint("item ", i), Severity: rapid.SampledFrom([]notify.Severity{notify.SeverityInfo, notify.SeverityError}).Draw(t, "severity"),
					Silent: rapid.IntRange(0, 9).Draw(t, "silent") == 0, Panel: rapid.SampledFrom([]string{"", "", "", "costs"}).Draw(t, "panel")}}
			if rapid.Bool().Draw(t, "tagged") {
				p.Content.Tags = []string{"main"}
			}
			asks := rapid.IntRange(0, 3).Draw(t, "asks") == 0
			if asks {
				p.Content.Kind, p.Content.Interaction = notify.KindInteraction, &notify.Interaction{Kind: "question", Prompt: "?", Options: []notify.Option{{ID: "y", Label: "Yes"}}}
			}
			id := do(p).Record.ID
			switch rapid.IntRange(0, 6).Draw(t, "then") {
			case 0:
				do(notify.SetRead{ID: id, Read: true})
			case 1:
				do(notify.SetMuted{ID: id, Muted: true})
			case 2:
				do(notify.Snooze{ID: id, Until: time.Now().Add(time.Hour)})
			case 3:
				if asks {
					do(notify.SetAside{ID: id})
				} else {
					do(notify.Dismiss{ID: id, Expect: notify.Expecting(1, time.Time{})})
				}
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "closed") == 0 {
			closed := false
			do(notify.UpdateConnection{ID: "b", Open: &closed})
		}
		focus := rapid.SampledFrom([]notify.SessionRef{{}, {Connection: "a", Session: "s"}, {Connection: "b", Session: "t"}}).Draw(t, "focus")
		do(notify.SetFocus{Focus: focus})
		s, err := u.loop.read(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		var m vm.Memory
		for _, x := range s.Active() {
			if vm.Dismissible(x, s.At) && rapid.IntRange(0, 5).Draw(t, "held") == 0 {
				m.Dismissals.Hold(x, s.At)
			}
		}
		side := vm.SidebarOf(s, &m, "")
		overview := side[0]
		if overview.Waiting != s.Attention.Waiting {
			t.Errorf("%d wait at the left, %d on the badge", overview.Waiting, s.Attention.Waiting)
		}
		sum := vm.SideRow{}
		for _, row := range side {
			if row.Kind == vm.SideConnection && !row.Closed {
				sum.Waiting, sum.Unread = sum.Waiting+row.Waiting, sum.Unread+row.Unread
			}
		}
		if sum.Waiting != overview.Waiting || sum.Unread != overview.Unread {
			t.Errorf("the agents have %d waiting and %d unread, all together %d and %d", sum.Waiting, sum.Unread, overview.Waiting, overview.Unread)
		}
		all := vm.Rail(s, &m, vm.RailFilter{})
		shown, unread, waiting := listed(s, all)
		if waiting != overview.Waiting {
			t.Errorf("%d wait on the rail, %d at the left", waiting, overview.Waiting)
		}
		if focus.Session == "" && unread != overview.Unread {
			t.Errorf("%d are unread on the rail, %d at the left", unread, overview.Unread)
		}
		for _, tab := range all.Tabs {
			v := vm.Rail(s, &m, vm.RailFilter{Place: tab.Place})
			want, _, _ := listed(s, v)
			if tab.Place == (notify.Place{}) {
				want = shown
			}
			if tab.Count != want {
				t.Errorf("the tab %+v says %d and holds %d", tab.Place, tab.Count, want)
			}
			for _, other := range v.Tabs {
				if other.Place == tab.Place && other.Count != tab.Count {
					t.Errorf("chosen, the tab %+v says %d, before %d", tab.Place, other.Count, tab.Count)
				}
			}
			switch tab.Place.Kind {
			case notify.PlaceMuted:
				want = s.Attention.Muted
			case notify.PlaceSnoozed:
				want = s.Attention.Snoozed
			}
			if tab.Count > want {
				t.Errorf("the tab %+v says %d, the badge %d", tab.Place, tab.Count, want)
			}
		}
		for _, row := range side {
			if row.Kind != vm.SideConnection || row.Closed {
				continue
			}
			_, unread, waiting := listed(s, vm.Rail(s, &m, vm.RailFilter{Connection: row.Ref.Connection}))
			if unread != row.Unread || waiting != row.Waiting {
				t.Errorf("%s: %d unread and %d waiting on its page, %d and %d at the left", row.Label, unread, waiting, row.Unread, row.Waiting)
			}
		}
	})
}

// listed counts what cards and lines show.
func listed(s *vm.Snapshot, v vm.RailView) (items, unread, waiting int) {
	for _, row := range v.Rows {
		id := row.ID
		switch {
		case row.Jump != nil && row.Jump.Unread > 0:
			items, unread = items+row.Jump.Unread, unread+row.Jump.Unread
			continue
		case row.Jump != nil:
			id = row.Jump.ID
		case row.Card == nil:
			continue
		}
		items++
		x := s.Record(id)
		if !x.Read {
			unread++
		}
		if notify.PlaceOf(x, s.At).Kind == notify.PlaceWaiting {
			waiting++
		}
	}
	return items, unread, waiting
}
