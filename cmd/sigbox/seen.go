package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"signalbox/agents"
)

// seen is what came of one event of an agent.
type seen struct {
	Agent string    `json:"agent"`
	Event string    `json:"event"`
	Known bool      `json:"known"`
	Count int       `json:"count"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// Broken counts payloads that could not be read to their end.
	Broken int `json:"broken,omitzero"`
	// Fields are names of fields that are not known, without their values.
	Fields []string `json:"fields,omitempty"`
	// Shape is the newest payload of an event that is not known, without its content.
	Shape string `json:"shape,omitzero"`
}

// maxSeen bounds the events that are kept of an agent: names come from outside.
const (
	maxSeen  = 200
	maxShape = 16 << 10
	// maxFields bounds the unknown fields that are kept of an event.
	maxFields = 50
)

// noteSeen keeps what came, for doctor. It is a help only: what goes wrong here is not told.
func noteSeen(a *app, p *agents.Plan, payload []byte) {
	dir := filepath.Join(a.home(), seenDir, fileName(p.Agent))
	event := cmp.Or(p.Event, "(none)")
	path := filepath.Join(dir, fileName(event)+".json")
	var s seen
	if ok, err := readJSON(path, &s); !ok || err != nil {
		if entries, _ := os.ReadDir(dir); len(entries) >= maxSeen {
			return
		}
		s = seen{First: p.At}
	}
	s.Agent, s.Event, s.Known, s.Last = p.Agent, event, p.Known, p.At
	s.Count++
	if p.Broken {
		s.Broken++
	}
	if !p.Known {
		s.Shape = agents.Masked(payload, maxShape)
	}
	for _, f := range agents.UnknownFields(p.Agent, payload) {
		if len(s.Fields) < maxFields && !slices.Contains(s.Fields, f) {
			s.Fields = append(s.Fields, f)
		}
	}
	_ = replaceJSON(path, s)
}

// allSeen reads what came from an agent, by event.
func allSeen(a *app, agent string) map[string]seen {
	out := map[string]seen{}
	files, _ := filepath.Glob(filepath.Join(a.home(), seenDir, fileName(agent), "*.json"))
	for _, f := range files {
		var s seen
		if ok, err := readJSON(f, &s); ok && err == nil && !strings.HasPrefix(filepath.Base(f), ".") {
			out[s.Event] = s
		}
	}
	return out
}
