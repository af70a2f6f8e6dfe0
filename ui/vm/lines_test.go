package vm_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

func unreadLines(v vm.RailView) (out []string) {
	for _, r := range v.Rows {
		if r.Jump != nil && r.Jump.Unread > 0 {
			out = append(out, fmt.Sprintf("%s %d", r.Jump.Title, r.Jump.Unread))
		}
	}
	return out
}

// head is the text that stands over a section; zero: the section is not there.
func head(v vm.RailView, id string) vm.Msg {
	for _, r := range v.Rows {
		if r.Kind == vm.RowHead && r.ID == id {
			return r.Head
		}
	}
	return vm.Msg{}
}

// What a number at the left counts has a line on the overview and on the page of its agent, once; the lines are headed
// by where they are.
//
// Proves: P1
func TestUnreadSessionsHaveLines(t *testing.T) {
	s := elsewhereDesk()
	chosen := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	if got := unreadLines(chosen); got != nil || head(chosen, "head.elsewhere") != vm.M("head.elsewhere") {
		t.Errorf("beside a chosen session: %v, %v", got, head(chosen, "head.elsewhere"))
	}
	agent := vm.Rail(s, &vm.Memory{}, vm.RailFilter{Connection: "claude"})
	if got := unreadLines(agent); !slices.Equal(got, []string{"Upgrade to Go 1.26 1"}) || head(agent, "head.elsewhere") != vm.M("head.its_sessions") {
		t.Errorf("of an agent: %v, %v", got, head(agent, "head.elsewhere"))
	}
	s.Focus, s.Rail.Session, s.Elsewhere = notify.SessionRef{}, nil, nil
	all := vm.Rail(s, &vm.Memory{}, vm.RailFilter{})
	if got := unreadLines(all); len(got) != 3 || head(all, "head.elsewhere") != vm.M("head.sessions") {
		t.Errorf("overview: %v, %v", got, head(all, "head.elsewhere"))
	}
	if got := unreadLines(vm.Rail(s, &vm.Memory{}, vm.RailFilter{Text: "x"})); got != nil {
		t.Errorf("a search has %v", got)
	}
}

// A chosen session in which nothing waits says so by its name.
//
// Proves: P1
func TestAQuietSessionSaysSo(t *testing.T) {
	s := busy()
	if h := head(vm.Rail(s, &vm.Memory{}, vm.RailFilter{}), "head.nothing"); !h.IsZero() {
		t.Errorf("something waits, and it says %v", h)
	}
	s.Rail.Session = nil
	want := vm.MA("head.nothing", "Finish the checkout flow")
	if v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{}); v.Rows[0].Head != want {
		t.Errorf("it begins with %+v", v.Rows[0])
	}
	s.Rail.Application, s.Elsewhere = nil, nil
	if v := vm.Rail(s, &vm.Memory{}, vm.RailFilter{}); len(v.Rows) != 2 || v.Rows[0].Head != want || v.Rows[1].Empty == nil {
		t.Errorf("with nothing else: %+v", v.Rows)
	}
	s.Focus = notify.SessionRef{}
	if h := head(vm.Rail(s, &vm.Memory{}, vm.RailFilter{}), "head.nothing"); !h.IsZero() {
		t.Errorf("no session is chosen, and it says %v", h)
	}
}

// What ends within a minute is told apart from what has long, on a card, on a line, and set aside.
//
// Proves: I8
func TestWhatEndsSoonSaysSo(t *testing.T) {
	for left, want := range map[time.Duration]bool{0: false, 9 * time.Minute: false, time.Minute: false, time.Minute - time.Second: true, time.Second: true, -time.Second: true} {
		for _, aside := range []time.Time{{}, sample.Now.Add(time.Hour)} {
			s := elsewhereDesk()
			ends := func(r *notify.Record) {
				r.Kind, r.Interaction, r.SetAsideUntil = notify.KindInteraction, &notify.Interaction{Prompt: "?"}, aside
				if left != 0 {
					r.InteractionDeadline = sample.Now.Add(left)
				}
			}
			s.Rail, s.Kept = notify.Rail{Application: []*notify.Record{sample.Record("card", "ci", "", time.Hour, "Card?", ends)}}, nil
			s.Elsewhere = []*notify.Record{sample.Record("line", "codex", "c-1", time.Hour, "Line?", ends)}
			got := map[string]bool{}
			for _, r := range vm.Rail(s, &vm.Memory{}, vm.RailFilter{}).Rows {
				switch {
				case r.Card != nil:
					got["card"] = r.Card.Ending
				case r.Jump != nil && r.Jump.ID == "line":
					got["line"] = r.Jump.Ending
				}
			}
			if len(got) != 2 || got["card"] != want || got["line"] != want {
				t.Errorf("%v left, aside %v: %v", left, !aside.IsZero(), got)
			}
		}
	}
}
