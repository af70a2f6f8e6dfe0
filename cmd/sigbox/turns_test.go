package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/agents"
)

// turnLab runs payloads through what a hook does before it delivers.
type turnLab struct {
	t *testing.T
	h *hooker
}

func newTurnLab(t *testing.T, agent string) turnLab {
	a := &app{surroundings: surroundings{env: func(string) string { return "" }, now: time.Now}, ctx: t.Context(), cli: &cli{Home: t.TempDir()}}
	return turnLab{t, &hooker{app: a, who: hookConnection(a, agent)}}
}

// took is the duration_seconds that the items of a payload carry; -1: none.
func (l turnLab) took(payload string, at time.Time) float64 {
	l.t.Helper()
	p := agents.Translate(agents.Input{Agent: l.h.who.id, Payload: []byte(payload), At: at})
	if !p.Known {
		l.t.Fatalf("%s is not known", payload)
	}
	l.h.timeTurn(p)
	took := -1.0
	for _, it := range p.Items {
		var data map[string]any
		if err := json.Unmarshal(it.Publish.Data, &data); err != nil {
			l.t.Fatal(err)
		}
		if v, ok := data["duration_seconds"].(float64); ok {
			took = v
		}
	}
	return took
}

// The end of a turn carries how long it ran: that is what decides whether a short one is told.
//
// Proves: A1, A11
func TestTurnDuration(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	prompt := `{"session_id":"s","prompt_id":"%s","hook_event_name":"UserPromptSubmit","prompt":"go"}`
	stop := `{"session_id":"s","prompt_id":"%s","hook_event_name":"Stop"%s}`
	for name, steps := range map[string][]struct {
		payload string
		after   time.Duration
		want    float64
	}{
		"a turn": {{fmt.Sprintf(prompt, "1"), 0, -1}, {fmt.Sprintf(stop, "1", ""), 42 * time.Second, 42}},
		"its end twice, the second later": {{fmt.Sprintf(prompt, "1"), 0, -1}, {fmt.Sprintf(stop, "1", ""), 42 * time.Second, 42},
			{fmt.Sprintf(stop, "1", ""), 50 * time.Second, 42}},
		"it went on after its end": {{fmt.Sprintf(prompt, "1"), 0, -1}, {fmt.Sprintf(stop, "1", ""), 42 * time.Second, 42},
			{fmt.Sprintf(stop, "1", `,"stop_hook_active":true`), time.Minute, 60}},
		"a prompt while it works": {{fmt.Sprintf(prompt, "1"), 0, -1}, {fmt.Sprintf(prompt, "2"), 30 * time.Second, -1}, {fmt.Sprintf(stop, "2", ""), 40 * time.Second, 40}},
		"the next turn":           {{fmt.Sprintf(prompt, "1"), 0, -1}, {fmt.Sprintf(stop, "1", ""), 42 * time.Second, 42}, {fmt.Sprintf(prompt, "2"), time.Minute, -1}, {fmt.Sprintf(stop, "2", ""), 65 * time.Second, 5}},
		"a failure":               {{fmt.Sprintf(prompt, "1"), 0, -1}, {`{"session_id":"s","prompt_id":"1","hook_event_name":"StopFailure","error":"overloaded"}`, 3 * time.Second, 3}},
		"paused, then finished": {{fmt.Sprintf(prompt, "1"), 0, -1}, {fmt.Sprintf(stop, "1", `,"background_tasks":[{"id":"b","type":"shell","status":"running","description":"d"}]`), 5 * time.Second, -1},
			{fmt.Sprintf(stop, "1", ""), 90 * time.Second, 90}},
		"no beginning":    {{fmt.Sprintf(stop, "1", ""), 0, -1}},
		"stopped, idle":   {{fmt.Sprintf(prompt, "1"), 0, -1}, {`{"session_id":"s","hook_event_name":"Notification","notification_type":"idle_prompt","message":"m"}`, time.Hour, -1}, {fmt.Sprintf(prompt, "2"), 2 * time.Hour, -1}, {fmt.Sprintf(stop, "2", ""), 2*time.Hour + 7*time.Second, 7}},
		"another session": {{fmt.Sprintf(prompt, "1"), 0, -1}, {`{"session_id":"other","prompt_id":"1","hook_event_name":"Stop"}`, time.Minute, -1}},
		"left for days":   {{fmt.Sprintf(prompt, "1"), 0, -1}, {fmt.Sprintf(stop, "1", ""), 72 * time.Hour, -1}},
		"a sub-agent's":   {{fmt.Sprintf(prompt, "1"), 0, -1}, {`{"session_id":"s","prompt_id":"1","hook_event_name":"SubagentStop","agent_id":"a","agent_type":"x"}`, time.Second, -1}, {fmt.Sprintf(stop, "1", ""), 9 * time.Second, 9}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := newTurnLab(t, "claude")
			for i, s := range steps {
				if got := lab.took(s.payload, at.Add(s.after)); got != s.want {
					t.Errorf("step %d: %v seconds, want %v", i, got, s.want)
				}
			}
		})
	}
}

// What is kept of sessions is bounded, and what somebody put in its place is not followed.
func TestTurnsAreBounded(t *testing.T) {
	t.Parallel()
	lab := newTurnLab(t, "claude")
	at := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	for i := range maxTurns + 20 {
		lab.took(fmt.Sprintf(`{"session_id":"s%d","hook_event_name":"UserPromptSubmit","prompt":"go"}`, i), at)
	}
	entries, err := os.ReadDir(filepath.Join(lab.h.app.home(), turnsDir))
	if err != nil || len(entries) > maxTurns {
		t.Errorf("%d files, %v", len(entries), err)
	}
	// Locks that killed hooks left go too; one that is held stays.
	held := lab.h.alone(t.Context(), "held")
	dir := filepath.Join(lab.h.app.home(), turnsDir)
	for i := range 20 {
		left := filepath.Join(dir, fmt.Sprintf("%024d.json.lock", i))
		if i%2 == 0 {
			err = os.WriteFile(left, nil, 0o600)
		} else {
			err = os.Mkdir(left, 0o700) // a former version's
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	lab.took(`{"session_id":"one more","hook_event_name":"UserPromptSubmit","prompt":"go"}`, at)
	if locks, _ := filepath.Glob(filepath.Join(dir, "*.lock")); len(locks) != 1 {
		t.Errorf("locks: %v", locks)
	}
	held()
	path := lab.h.turnPath("pipe")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	lab.took(`{"session_id":"pipe","hook_event_name":"UserPromptSubmit","prompt":"go"}`, at)
	if got := lab.took(`{"session_id":"pipe","hook_event_name":"Stop"}`, at.Add(time.Second)); got != -1 {
		t.Errorf("%v seconds", got)
	}
}

// Two hooks of one session go one after the other; one that is held up lets the other go on.
//
// Proves: S1, A10
func TestHooksOfASessionGoOneByOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, hooksOfASessionGoOneByOne)
}

func hooksOfASessionGoOneByOne(t *testing.T) {
	lab := newTurnLab(t, "claude")
	done := lab.h.alone(t.Context(), "s")
	other := lab.h.alone(t.Context(), "another") // not held up
	began := time.Now()
	lab.h.alone(t.Context(), "s")()
	if waited := time.Since(began); waited != aloneWait {
		t.Errorf("waited %v", waited)
	}
	other()
	done()
	ctx, cancel := context.WithCancel(t.Context())
	defer lab.h.alone(ctx, "s")() // it is free again
	cancel()
	lab.h.alone(ctx, "s")()
	if left, _ := filepath.Glob(filepath.Join(lab.h.app.home(), turnsDir, "*.lock")); len(left) != 1 || !strings.HasSuffix(left[0], ".lock") {
		t.Errorf("locks: %v", left)
	}
}
