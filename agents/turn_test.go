package agents

import (
	"testing"

	"signalbox/bridge/wire"
)

// Proves: A1, A2
func TestIdleRepeats(t *testing.T) {
	const idle = `"message":"Claude is waiting for your input","notification_type":"idle_prompt"`
	d := newDesk(t)
	d.call("claude", cc("Stop", `"last_assistant_message":"Done."`))
	d.call("claude", cc("Notification", idle))
	d.want("turn")
	d.end(&d.items[0], wire.StatusDismissed, wire.Outcome{Kind: wire.OutcomeDismissed})
	d.call("claude", cc("Notification", idle))
	d.want()

	d = newDesk(t)
	d.call("claude", cc("Notification", idle))
	d.call("claude", cc("Notification", idle))
	d.want("idle")
	if d.items[0].Event != nil {
		t.Error("idle is told as an event")
	}
	d.end(&d.items[0], wire.StatusDismissed, wire.Outcome{Kind: wire.OutcomeDismissed})
	d.call("claude", cc("Notification", idle))
	d.want()
}

// Proves: A2
func TestTurns(t *testing.T) {
	d := newDesk(t)
	d.call("claude", cc("Stop", `"last_assistant_message":"Done."`))
	d.call("claude", `{"session_id":"s","prompt_id":"p-2","hook_event_name":"Stop","last_assistant_message":"Done."}`)
	d.want("turn")
	if len(d.items) != 2 || d.items[0].Event.Occurrence != "p-2" || d.items[1].Event.Occurrence != "p-1" {
		t.Errorf("turns: %+v", d.items)
	}
	d.call("claude", `{"session_id":"s","prompt_id":"p-3","hook_event_name":"UserPromptSubmit","prompt":"go on"}`)
	d.want()
	d.call("claude", `{"session_id":"s","prompt_id":"p-2","hook_event_name":"Stop","last_assistant_message":"Done."}`)
	d.want() // the same turn's end again reopens nothing
}

// A turn without an id is told once for one end, and again for the next end, even with the same words.
//
// Proves: A2, A10
func TestTurnsWithoutIDs(t *testing.T) {
	const stop = `{"session_id":"s","hook_event_name":"Stop","last_assistant_message":"Done."}`
	d := newDesk(t)
	d.call("vscode", stop)
	d.call("vscode", stop)
	d.want("turn")
	first := *d.items[0].Event
	d.call("vscode", `{"session_id":"s","hook_event_name":"UserPromptSubmit"}`)
	d.want()
	d.call("vscode", stop)
	d.want("turn")
	if *d.items[0].Event == first {
		t.Error("the second turn is told as the first")
	}
}

// A stop hook of another made the agent go on: the end is told once.
//
// Proves: A2
func TestStopAgain(t *testing.T) { // T62
	d := newDesk(t)
	d.call("claude", cc("Stop", `"last_assistant_message":"Done."`))
	p, n := d.call("claude", cc("Stop", `"stop_hook_active":true,"last_assistant_message":"Really done."`))
	d.want("turn")
	if n != 0 || d.items[0].Revision != 2 || d.items[0].Body != "Really done." || d.items[0].Event.Occurrence != "p-1" || p.Output != "" {
		t.Errorf("got %+v", d.items)
	}
	d.end(&d.items[0], wire.StatusDismissed, wire.Outcome{Kind: wire.OutcomeDismissed})
	d.call("claude", cc("Stop", `"stop_hook_active":true`))
	d.want()
}

// Proves: A10
func TestPausedThenFinished(t *testing.T) {
	d := newDesk(t)
	p, _ := d.call("claude", cc("Stop", `"background_tasks":[{"id":"b1","type":"shell","status":"running","description":"soak test"}]`))
	if p.State != StatePaused || d.items[0].Event.Type == wire.EventTurnFinished || d.items[0].Kind != wire.KindStatus {
		t.Fatalf("paused is told as finished: %+v", d.items[0])
	}
	d.call("claude", cc("Stop", `"background_tasks":[]`))
	d.want("turn")
	if d.items[0].Event.Type != wire.EventTurnFinished {
		t.Errorf("got %+v", d.items[0].Event)
	}
}

// Proves: A10
func TestSubAgentsAreHistory(t *testing.T) {
	for _, c := range []struct{ agent, payload string }{
		{"claude", cc("SubagentStop", `"last_assistant_message":"x"`+inSub)},
		{"claude", cc("Stop", `"last_assistant_message":"x"`+inSub)},
		{"claude", cc("StopFailure", `"error":"rate_limit"`+inSub)},
		{"claude", cc("Notification", `"notification_type":"idle_prompt","message":"x"`+inSub)},
		{"claude", cc("Notification", `"notification_type":"agent_completed","message":"x"`+inSub)},
		{"codex", `{"session_id":"s","turn_id":"1","agent_id":"a","hook_event_name":"Stop"}`},
		{"codex", `{"session_id":"s","turn_id":"1","agent_id":"a","hook_event_name":"SubagentStop"}`},
		{"opencode", `{"parent":"s","event":{"type":"session.idle","properties":{"sessionID":"c"}}}`},
		{"opencode", `{"parent":"s","event":{"type":"session.error","properties":{"sessionID":"c","error":{"name":"APIError"}}}}`},
		{"copilot", `{"hook_event_name":"SubagentStop","session_id":"s","agent_name":"x"}`},
		{"cursor", `{"conversation_id":"s","hook_event_name":"subagentStop","subagent_id":"x"}`},
		{"vscode", `{"session_id":"s","hook_event_name":"SubagentStop","agent_id":"x"}`},
	} {
		d := newDesk(t)
		d.call(c.agent, c.payload)
		d.want()
	}
	// The owner may ask for more.
	p := Translate(Input{Agent: "claude", Payload: []byte(cc("SubagentStop", `"last_assistant_message":"x"`+inSub)), At: noon, SubAgents: true})
	if len(p.Items) != 1 || p.Items[0].Publish.Silent || p.Items[0].Publish.Event != nil {
		t.Errorf("got %+v", p.Items)
	}
	// What waits for a person is no history, whoever asks.
	d := newDesk(t)
	d.call("claude", cc("PermissionRequest", flash+inSub))
	d.want("permission")
	d.call("claude", cc("Stop", `"background_tasks":[{"id":"b1","status":"running"}]`))
	d.want("permission", "turn")
	d.call("claude", cc("SubagentStop", `"x":1`+inSub))
	d.want("turn")
}

// The two ways in which Codex tells the end of a turn make one item.
//
// Proves: A2
func TestCodexToldTwice(t *testing.T) {
	d := newDesk(t)
	d.call("codex", `{"session_id":"t","turn_id":"5","hook_event_name":"Stop","last_assistant_message":"Done."}`)
	d.call("codex", `{"type":"agent-turn-complete","thread-id":"t","turn-id":"5","last-assistant-message":"Done."}`)
	d.want("turn")
	if len(d.items) != 1 {
		t.Errorf("%d items", len(d.items))
	}
}
