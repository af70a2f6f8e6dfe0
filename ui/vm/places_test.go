package vm_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// Sessions carry a mark, and keep their places whatever happens in them: the one that began last is first.
//
// Proves: P1, A4, I5
func TestTheSidebarMarksWhoNeedsTheOwner(t *testing.T) {
	rows := vm.Sidebar(busy())
	var got []string
	for _, r := range rows {
		if r.Ref.Connection == "claude" && r.Kind == vm.SideSession {
			got = append(got, r.Label+"/"+string(r.Need))
		}
	}
	want := []string{"Finish the checkout flow/confirm", "Docs for the public API/reply", "Upgrade to Go 1.26/failed"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if rows[0].Kind != vm.SideAll || rows[0].Waiting != 5 || rows[0].Active {
		t.Errorf("the first row: %+v", rows[0])
	}
	for _, r := range rows {
		if r.Active != (r.Ref.Session == "s-checkout") {
			t.Errorf("%s active: %v", r.Label, r.Active)
		}
	}
}

// What happens in a session marks it and moves none, so that nobody hits the neighbour.
func TestSessionsDoNotMove(t *testing.T) {
	s := busy()
	order := func() (out []string) {
		for _, r := range vm.Sidebar(s) {
			out = append(out, r.Ref.Connection+"/"+r.Ref.Session)
		}
		return out
	}
	was, at := order(), s.At
	for i := range s.Sessions["claude"] {
		v := &s.Sessions["claude"][i]
		for _, n := range []notify.Need{notify.NeedConfirm, notify.NeedFailed, notify.NeedReply, ""} {
			v.Needs, v.Waiting, v.Unread = n, 1, 1
			session := *v.Session
			at = at.Add(time.Second)
			session.UpdatedAt = at
			v.Session = &session
			if got := order(); !slices.Equal(got, was) {
				t.Fatalf("%s needs %q: %v, was %v", v.ID, n, got, was)
			}
		}
	}
}

func TestEndedSessionsFoldAwayUnlessSomethingIsLeft(t *testing.T) {
	s := busy()
	for i := range s.Sessions["claude"] {
		v := *s.Sessions["claude"][i].Session
		v.Ended = true
		s.Sessions["claude"][i].Session = &v
	}
	s.Sessions["claude"][1].Unread, s.Sessions["claude"][1].Needs = 0, ""
	n := 0
	for _, r := range vm.Sidebar(s) {
		if r.Ref.Connection == "claude" && r.Kind == vm.SideSession {
			n++
			if r.Ref.Session == "s-docs" {
				t.Error("an ended session without anything left is shown")
			}
		}
	}
	if n != 2 {
		t.Errorf("%d sessions", n)
	}
}

func TestClosedConnectionsShowNoSessions(t *testing.T) {
	s := busy()
	s.Connections[0].Connection.Open = false
	for _, r := range vm.Sidebar(s) {
		if r.Kind == vm.SideSession && r.Ref.Connection == "claude" {
			t.Error("a session of a closed connection is shown")
		}
		if r.Kind == vm.SideConnection && r.Ref.Connection == "claude" && !r.Closed {
			t.Error("it does not say that it is closed")
		}
	}
}

func TestWorkChips(t *testing.T) {
	for address, want := range map[string][]string{
		"file:///home/kim/shop/.claude/worktrees/fix-login#feature/login": {"shop", "fix-login", "feature/login"},
		"file:///home/kim/shop/worktrees/fix":                             {"shop", "fix"},
		"file:///wt/shop-fix?project=shop+%26+co#fix/login":               {"shop & co", "shop-fix", "fix/login"},
		"file:///home/kim/shop":                                           {"shop"},
		"file:///home/kim/shop#main":                                      {"shop", "main"},
		"https://example.com/x":                                           nil,
		"":                                                                nil,
		"file:///":                                                        nil,
	} {
		if got := vm.WorkChips(address); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", address, got, want)
		}
	}
}

// Proves: A3
func TestTheMatrixChangesOneCell(t *testing.T) {
	providers := []string{"in_app", "toast", "webhook:phone", "sound"}
	var all []string
	for _, e := range vm.KnownEvents {
		all = append(all, e.Type)
	}
	for _, test := range []struct {
		name string
		subs []notify.Subscription
	}{
		{"nothing was said", nil},
		{"a default is narrowed", []notify.Subscription{{Provider: "toast", MinSeverity: notify.SeverityWarning}}},
		{"two subscriptions", []notify.Subscription{{Provider: "toast", Events: []string{notify.EventTurnFinished}}, {Provider: "toast", Events: []string{notify.EventTurnFailed}}}},
		{"none at all", []notify.Subscription{{Provider: "toast", Events: []string{}}}},
		{"switched off", []notify.Subscription{{Provider: "toast", Disabled: true}}},
		{"everything but one", []notify.Subscription{{Provider: "toast", Events: []string{"*"}, Except: []string{notify.EventTurnFinished}}}},
		{"a namespace", []notify.Subscription{{Provider: "toast", Events: []string{"session.*"}}}},
		{"another namespace", []notify.Subscription{{Provider: "toast", Events: []string{"deploy.done"}}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, event := range all {
				for _, on := range []bool{true, false} {
					before := vm.Matrix(test.subs, providers)
					subs := vm.Subscribe(test.subs, "toast", event, on)
					for _, row := range vm.Matrix(subs, providers) {
						for _, c := range row.Cells {
							want := on
							if c.Provider != "toast" || c.Event != event {
								want = cellOf(before, c.Provider, c.Event)
							}
							if c.On != want {
								t.Errorf("%s %v: %s/%s is %v, want %v", event, on, c.Provider, c.Event, c.On, want)
							}
						}
					}
					for i, s := range subs {
						if i < len(test.subs) && s.MinSeverity != test.subs[i].MinSeverity {
							t.Error("what it narrows to is lost")
						}
					}
				}
			}
		})
	}
}

// What the matrix shows where nothing was decided is what the rules do, and a cell that is changed changes what
// is told of its event alone.
//
// Proves: A3
func TestTheMatrixShowsWhatIsTold(t *testing.T) {
	sampled := time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
	told := func(subs []notify.Subscription, provider, event string) bool {
		r := &notify.Record{ID: "r", Connection: "c", Scope: notify.ScopeSession, Session: "s", Revision: 1, Status: notify.Pending,
			Content: notify.Content{Kind: notify.KindNotice, Severity: notify.SeverityInfo, Title: "T"}}
		switch kind, ok := strings.CutPrefix(event, "notification."); {
		case ok:
			r.Kind = notify.Kind(kind)
			if r.Kind == notify.KindInteraction {
				r.Interaction, r.InteractionState = &notify.Interaction{Prompt: "?"}, notify.InteractionWaiting
			}
		default:
			r.Event = &notify.Event{Type: event, Occurrence: "1"}
		}
		return notify.Announce(notify.AnnounceInput{Change: notify.Change{Name: notify.EvCreated, Record: r}, Provider: provider,
			Settings: notify.Settings{Subscriptions: subs}, Now: sampled}).Act == notify.ActTell
	}
	providers := []string{"in_app", "toast", "sound", "webhook:phone"}
	held := func(name string, subs []notify.Subscription) {
		t.Helper()
		for _, row := range vm.Matrix(subs, providers) {
			for _, c := range row.Cells {
				if got := told(subs, c.Provider, c.Event); got != c.On {
					t.Errorf("%s: %s of %s is told: %v, and the matrix shows %v", name, c.Provider, c.Event, got, c.On)
				}
			}
		}
	}
	held("nothing decided", nil)
	for _, e := range vm.KnownEvents {
		for _, p := range providers {
			subs := vm.Subscribe(nil, p, e.Type, !vm.Subscribed(nil, p, e.Type))
			held("changed "+p+" "+e.Type, subs)
			held("changed back", vm.Subscribe(subs, p, e.Type, vm.Subscribed(nil, p, e.Type)))
		}
	}
}

func cellOf(rows []vm.MatrixRow, provider, event string) bool {
	for _, r := range rows {
		for _, c := range r.Cells {
			if c.Provider == provider && c.Event == event {
				return c.On
			}
		}
	}
	return false
}

func TestMissingPartsAreTold(t *testing.T) {
	for _, part := range []string{"tray", "bus", "notifications", "store", "bridge", "config", "anything"} {
		if v := vm.MissingText(part, "detail"); v.Text.IsZero() || v.Icon == "" || v.Tone == "" {
			t.Errorf("%s: %+v", part, v)
		}
	}
}
