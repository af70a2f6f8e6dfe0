package main

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
	"signalbox/client"
)

// What a session does is told right once its question was answered: it works, it stopped, or it asks in its terminal, where the
// owner sent it, and then the item stays.
//
// Proves: A4, I9
func TestStateAfterAnAnswer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agent, option string
		state         string
		stays         bool
	}{
		"allowed":                 {"claude", agents.OptionAllow, agents.StateWorking, false},
		"denied":                  {"claude", agents.OptionDeny, agents.StateWorking, false},
		"denied and stopped":      {"claude", agents.OptionStop, agents.StateIdle, false},
		"sent to its terminal":    {"codex", agents.OptionThere, agents.StateWaiting, true},
		"sent there, with a word": {"cursor", agents.OptionThere, agents.StateWaiting, true},
		"nobody answered":         {"claude", "", agents.StateWaiting, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := filepath.Join(t.TempDir(), "home")
			d := startDaemon(t, home)
			owner, err := client.New(d.URL(), d.OwnerToken(), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer owner.Close()
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			payload, wait := permissionPayload, "1m"
			if c.agent == "cursor" {
				payload = `{"conversation_id":"s","generation_id":"p","hook_event_name":"beforeShellExecution","command":"ls"}`
			}
			if c.option == "" {
				wait = "100ms"
			}
			ended := make(chan int, 1)
			go func() {
				ended <- run(ctx, surroundings{
					args: []string{"hook", c.agent, "--home=" + home, "--wait=" + wait}, stdin: strings.NewReader(payload), stdout: io.Discard, stderr: io.Discard,
					env: func(string) string { return "" }, now: time.Now,
				})
			}()
			if c.option != "" {
				n := waiting(t, owner)
				if _, err := owner.Answer(ctx, n.ID, wire.AnswerRequest{ExpectedRevision: wire.RevisionOf(n), Answer: wire.Answer{Option: c.option}}); err != nil {
					t.Fatal(err)
				}
			}
			if code := <-ended; code != exitDone {
				t.Errorf("exit %d", code)
			}
			page, err := owner.List(ctx, client.Query{Statuses: []string{wire.StatusPending}})
			if err != nil {
				t.Fatal(err)
			}
			there := slices.ContainsFunc(page.Notifications, func(n wire.Notification) bool {
				return slices.Contains(n.Lines, "Answer it in its terminal.")
			})
			if there != c.stays || len(page.Notifications) > 1 {
				t.Errorf("pending: %+v", page.Notifications)
			}
			for state := ""; state != c.state; {
				sessions, err := owner.Sessions(ctx, c.agent)
				if err != nil || len(sessions) != 1 {
					t.Fatalf("%q, want %q; %v, %v", state, c.state, sessions, err)
				}
				state = sessions[0].State
				if asks := sessions[0].NeedsYou == wire.NeedsConfirm; asks != c.stays {
					t.Errorf("asks the owner: %v", asks)
				}
			}
		})
	}
}
