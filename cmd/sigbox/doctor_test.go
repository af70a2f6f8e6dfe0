package main

import (
	"slices"
	"testing"

	"signalbox/agents"
)

// What doctor says never came is an event that its agent has, of every agent.
func TestWhatDoctorMisses(t *testing.T) {
	for _, ag := range agents.Agents {
		expected := hookedEvents(ag)
		if len(expected) == 0 {
			t.Errorf("%s: nothing is missed when it does not come", ag.Name)
		}
		for _, e := range expected {
			if !slices.Contains(ag.Events, e) {
				t.Errorf("%s has no %s", ag.Name, e)
			}
		}
	}
}
