package vm_test

import (
	"fmt"
	"slices"
	"testing"

	"signalbox/notify"
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
