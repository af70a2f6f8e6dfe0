package main

import (
	"testing"

	"signalbox/agents"
	"signalbox/notify"
)

func TestTerminalOf(t *testing.T) {
	item := &notify.Record{ID: "n1"}
	for _, tc := range []struct {
		name  string
		c     notify.Change
		asked bool
	}{
		{"the owner's wish", notify.Change{Name: notify.EvAction, Action: agents.ActionTerminal, By: "owner", Record: item}, true},
		{"another action", notify.Change{Name: notify.EvAction, Action: "retry", By: "owner", Record: item}, false},
		{"a producer's doing", notify.Change{Name: notify.EvAction, Action: agents.ActionTerminal, By: "claude", Record: item}, false},
		{"another change", notify.Change{Name: notify.EvUpdated, Action: agents.ActionTerminal, By: "owner", Record: item}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if id, asked := terminalOf(tc.c); asked != tc.asked || asked && id != "n1" {
				t.Errorf("%q, %v, want %v", id, asked, tc.asked)
			}
		})
	}
}
