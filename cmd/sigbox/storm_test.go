package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// event is one event of a life: so many seconds after the one before, the payload that the agent hands over. @ is the
// session. wait, where it is set, is how long the agent may be held; owner says that the owner answers then.
type event struct {
	after   float64
	payload string
	wait    time.Duration
	owner   bool
}

// life is a session of an agent, as its hooks tell it: two turns, permissions that are answered in the terminal, by the
// owner, or are left when the turn ends, a sub-agent, and repeated notices.
var lives = map[string][]event{
	"claude": {
		{0, `{"session_id":"@","hook_event_name":"SessionStart","source":"startup"}`, 0, false},
		{15, `{"session_id":"@","prompt_id":"@-1","hook_event_name":"UserPromptSubmit","prompt":"go"}`, 0, false},
		// Held while the terminal asks too, and answered there.
		{20, `{"session_id":"@","prompt_id":"@-1","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`, time.Minute, false},
		{10, `{"session_id":"@","prompt_id":"@-1","hook_event_name":"Notification","notification_type":"permission_prompt","message":"m"}`, 0, false},
		{20, `{"session_id":"@","prompt_id":"@-1","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t"}`, 0, false},
		{15, `{"session_id":"@","prompt_id":"@-1","hook_event_name":"SubagentStop","agent_id":"a","agent_type":"explore"}`, 0, false},
		{20, `{"session_id":"@","prompt_id":"@-1","hook_event_name":"Stop","last_assistant_message":"one"}`, 0, false},
		{40, `{"session_id":"@","prompt_id":"@-2","hook_event_name":"UserPromptSubmit","prompt":"go on"}`, 0, false},
		{15, `{"session_id":"@","prompt_id":"@-2","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`, 0, false},
		{40, `{"session_id":"@","prompt_id":"@-2","hook_event_name":"Stop","last_assistant_message":"two"}`, 0, false},
		{60, `{"session_id":"@","prompt_id":"@-2","hook_event_name":"Notification","notification_type":"idle_prompt","message":"m"}`, 0, false},
	},
	"codex": {
		{0, `{"session_id":"@","hook_event_name":"SessionStart","source":"startup"}`, 0, false},
		{10, `{"session_id":"@","turn_id":"1","hook_event_name":"UserPromptSubmit","prompt":"go"}`, 0, false},
		{20, `{"session_id":"@","turn_id":"1","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`, time.Minute, true},
		{20, `{"session_id":"@","turn_id":"1","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"t"}`, 0, false},
		{30, `{"session_id":"@","turn_id":"1","hook_event_name":"Stop","last_assistant_message":"one"}`, 0, false},
		{0, `{"type":"agent-turn-complete","thread-id":"@","turn-id":"1","last-assistant-message":"one"}`, 0, false},
		{40, `{"session_id":"@","turn_id":"2","hook_event_name":"UserPromptSubmit","prompt":"go on"}`, 0, false},
		{20, `{"session_id":"@","turn_id":"2","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`, 0, false},
		{40, `{"session_id":"@","turn_id":"2","hook_event_name":"Stop","last_assistant_message":"two"}`, 0, false},
	},
	"opencode": {
		{0, `{"id":"@-e0","type":"session.created","properties":{"info":{"id":"@"}}}`, 0, false},
		{10, `{"id":"@-e1","type":"message.updated","properties":{"info":{"id":"m1","role":"user","sessionID":"@"}}}`, 0, false},
		{20, `{"id":"@-e2","type":"permission.asked","properties":{"id":"@-p1","sessionID":"@","permission":"bash","patterns":["make"]}}`, time.Minute, false},
		{20, `{"id":"@-e3","type":"permission.replied","properties":{"sessionID":"@","requestID":"@-p1","reply":"once"}}`, 0, false},
		{30, `{"id":"@-e4","type":"session.idle","properties":{"sessionID":"@"}}`, 0, false},
		{40, `{"id":"@-e5","type":"message.updated","properties":{"info":{"id":"m2","role":"user","sessionID":"@"}}}`, 0, false},
		{20, `{"id":"@-e6","type":"permission.asked","properties":{"id":"@-p2","sessionID":"@","permission":"bash","patterns":["make"]}}`, 0, false},
		{40, `{"id":"@-e7","type":"session.idle","properties":{"sessionID":"@"}}`, 0, false},
	},
	"copilot": {
		{0, `{"sessionId":"@","hook_event_name":"SessionStart","source":"new"}`, 0, false},
		{10, `{"sessionId":"@","hook_event_name":"UserPromptSubmit","prompt":"go"}`, 0, false},
		{20, `{"sessionId":"@","hook_event_name":"PermissionRequest","toolName":"bash","toolInput":{"command":"make"}}`, time.Minute, true},
		{20, `{"sessionId":"@","hook_event_name":"PostToolUse","toolName":"bash","toolArgs":{"command":"make"},"toolResult":{}}`, 0, false},
		{30, `{"sessionId":"@","hook_event_name":"Stop","stopReason":"end_turn"}`, 0, false},
		{40, `{"sessionId":"@","hook_event_name":"UserPromptSubmit","prompt":"go on"}`, 0, false},
		{20, `{"sessionId":"@","hook_event_name":"PermissionRequest","toolName":"bash","toolInput":{"command":"make all"}}`, 0, false},
		{40, `{"sessionId":"@","hook_event_name":"Stop","stopReason":"end_turn","timestamp":2}`, 0, false},
	},
	"cursor": {
		{0, `{"conversation_id":"@","hook_event_name":"sessionStart"}`, 0, false},
		{10, `{"conversation_id":"@","generation_id":"@-1","hook_event_name":"beforeSubmitPrompt","prompt":"go"}`, 0, false},
		{20, `{"conversation_id":"@","generation_id":"@-1","hook_event_name":"beforeShellExecution","command":"make"}`, time.Minute, true},
		{20, `{"conversation_id":"@","generation_id":"@-1","hook_event_name":"afterShellExecution","command":"make"}`, 0, false},
		{30, `{"conversation_id":"@","generation_id":"@-1","hook_event_name":"stop","status":"completed"}`, 0, false},
		{40, `{"conversation_id":"@","generation_id":"@-2","hook_event_name":"beforeSubmitPrompt","prompt":"go on"}`, 0, false},
		{20, `{"conversation_id":"@","generation_id":"@-2","hook_event_name":"beforeShellExecution","command":"make"}`, time.Minute, true},
		{40, `{"conversation_id":"@","generation_id":"@-2","hook_event_name":"stop","status":"completed"}`, 0, false},
	},
	"gemini": {
		{0, `{"session_id":"@","hook_event_name":"SessionStart","source":"startup","timestamp":"2026-05-04T08:00:00Z"}`, 0, false},
		{10, `{"session_id":"@","hook_event_name":"BeforeAgent","prompt":"go","timestamp":"2026-05-04T08:00:01Z"}`, 0, false},
		{20, `{"session_id":"@","hook_event_name":"Notification","notification_type":"ToolPermission","message":"m","details":{"type":"exec","command":"make"},"timestamp":"2026-05-04T08:00:02Z"}`, 0, false},
		{20, `{"session_id":"@","hook_event_name":"AfterTool","tool_name":"run_shell_command","tool_input":{"command":"make"},"tool_response":{},"timestamp":"2026-05-04T08:00:03Z"}`, 0, false},
		{30, `{"session_id":"@","hook_event_name":"AfterAgent","prompt":"go","prompt_response":"one","timestamp":"2026-05-04T08:00:04Z"}`, 0, false},
		{40, `{"session_id":"@","hook_event_name":"BeforeAgent","prompt":"go on","timestamp":"2026-05-04T08:00:05Z"}`, 0, false},
		{20, `{"session_id":"@","hook_event_name":"Notification","notification_type":"ToolPermission","message":"m","details":{"type":"exec","command":"make"},"timestamp":"2026-05-04T08:00:06Z"}`, 0, false},
		{40, `{"session_id":"@","hook_event_name":"AfterAgent","prompt":"go on","prompt_response":"two","timestamp":"2026-05-04T08:00:07Z"}`, 0, false},
	},
}

// silent are what hooks print that decide nothing; allowed what they print when the owner allowed.
var (
	silent  = map[string][]string{"": {""}, "cursor": {"{}", `{"continue":true}`}}
	allowed = map[string]string{
		"codex":   `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`,
		"copilot": `{"behavior":"allow"}`, "cursor": `{"permission":"allow"}`,
	}
)

// storm is what the hooks of the storm took.
type storm struct {
	mu    sync.Mutex // protects what follows
	times map[string][]time.Duration
	late  map[string]int // beyond the hook's own limit
	kept  int
}

// hookOwn is what a hook may take beyond the time that its agent is held for.
const hookOwn = time.Second

// took notes how long a hook took against its limit: the wait, where it is held, and its own second.
func (s *storm) took(what string, d, limit time.Duration, kept bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.times[what] = append(s.times[what], d)
	if d > limit {
		s.late[what]++
	}
	if kept {
		s.kept++
	}
}

// report is the distribution, a line for each agent.
func (s *storm) report(t *testing.T) {
	line := func(what string, d []time.Duration, late int) {
		slices.Sort(d)
		at := func(q float64) time.Duration { return d[min(int(q*float64(len(d))), len(d)-1)].Round(time.Millisecond) }
		t.Logf("%-16s %4d hooks: least %v, median %v, p90 %v, p99 %v, most %v; %d over the limit", what, len(d), at(0), at(.5), at(.9), at(.99), at(1), late)
	}
	var all []time.Duration
	late := 0
	for _, what := range slices.Sorted(maps.Keys(s.times)) {
		line(what, s.times[what], s.late[what])
		if !strings.HasSuffix(what, "held") {
			all, late = append(all, s.times[what]...), late+s.late[what]
		}
	}
	line("all not held", all, late)
	t.Logf("%d were kept and told by a later hook; the limit is %v, and for one that is held the wait more", s.kept, hookOwn)
	// A machine that is busy with other tests may hold up a process for as long as it likes; on a quiet one all must be in
	// time.
	if late > 0 && os.Getenv("SIGNALBOX_QUIET") != "" {
		t.Errorf("%d of %d hooks took more than %v", late, len(all), hookOwn)
	}
}

// stormSpeed is how much faster than life the storm runs.
const stormSpeed = 20

// Thirty sessions of mixed agents at twenty times their speed, through the real program: no hook takes longer than its
// limit, and nothing is doubled, lost, or told of the wrong session. SIGNALBOX_QUIET=1 says that the machine does
// nothing else, so that not one may be late.
//
// Proves: S1, A2, A9, A10
func TestStormOfSessions(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	d := startDaemon(t, home)
	program, err := exec.LookPath("sigbox")
	if err != nil {
		t.Fatal(err)
	}
	s := &storm{times: map[string][]time.Duration{}, late: map[string]int{}}
	hook := func(agent, id string, st event) {
		args := []string{"hook", agent, "--home=" + home}
		what, limit := agent, hookOwn
		if st.wait > 0 {
			args = append(args, "--wait="+st.wait.String())
			what, limit = agent+", held", st.wait+hookOwn
		}
		cmd := exec.Command(program, args...)
		cmd.Env = append(os.Environ(), "SIGNALBOX_URL=", "SIGNALBOX_TOKEN=")
		cmd.Stdin = strings.NewReader(strings.ReplaceAll(st.payload, "@", id))
		var said strings.Builder
		cmd.Stderr = &said
		began := time.Now()
		out, err := cmd.Output()
		kept := strings.Contains(said.String(), "kept for later")
		s.took(what, time.Since(began), limit, kept)
		printed := strings.TrimSpace(string(out))
		want := append(slices.Clone(silent[agent]), silent[""]...)
		if st.owner {
			want = []string{allowed[agent]}
			if kept {
				want = append(want, silent[""]...) // it never came to ask
				want = append(want, silent[agent]...)
			}
		}
		if err != nil || !slices.Contains(want, printed) {
			t.Errorf("%s: %v, stdout %q, stderr %q", agent, err, printed, said.String())
		}
	}
	owner, stop := context.WithCancel(t.Context())
	var answering sync.WaitGroup
	answering.Go(func() { allowAll(owner, t, d.URL(), d.OwnerToken()) })
	names := slices.Sorted(maps.Keys(lives))
	var sessions sync.WaitGroup
	agent := map[string]string{}
	for i := range 30 {
		name := names[i%len(names)]
		id := fmt.Sprintf("%s-%02d", name, i)
		agent[id] = name
		sessions.Go(func() {
			var held sync.WaitGroup
			pause(float64(i))
			for _, st := range lives[name] {
				pause(st.after)
				if st.wait > 0 && !st.owner {
					held.Go(func() { hook(name, id, st) }) // the agent goes on asking in its own place
					continue
				}
				hook(name, id, st)
			}
			held.Wait()
		})
	}
	sessions.Wait()
	stop()
	answering.Wait()
	// Whatever a busy machine made them keep is delivered by a later call.
	for _, name := range names {
		for range 50 {
			if len(spooled(filepath.Join(home, spoolDir, name))) == 0 {
				break
			}
			hook(name, "last", lives[name][0])
		}
	}
	s.report(t)

	c, err := client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	type count struct{ finished, permissions, pending int }
	counts := map[string]*count{}
	occurrences := map[string]bool{}
	told := map[string][]string{}
	for cursor := ""; ; {
		page, err := c.List(context.Background(), client.Query{Limit: 500, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range page.Notifications {
			if n.Session == "last" {
				continue
			}
			if agent[n.Session] != n.Connection {
				t.Errorf("%s of %s is told of session %q", n.Title, n.Connection, n.Session)
				continue
			}
			k := counts[n.Session]
			if k == nil {
				k = &count{}
				counts[n.Session] = k
			}
			told[n.Session] = append(told[n.Session], fmt.Sprintf("  %s %s %d.%d %q %+v %+v", n.CreatedAt.Format("05.000"), n.Key, n.Occurrence, n.Revision, n.Title, n.Event, n.Outcome))
			if n.Event == nil {
				t.Errorf("%s: %q without an event", n.Session, n.Title)
				continue
			}
			if e := n.Session + " " + n.Event.Type + " " + n.Event.Occurrence; occurrences[e] {
				t.Errorf("twice: %s", e)
			} else {
				occurrences[e] = true
			}
			switch n.Event.Type {
			case wire.EventTurnFinished:
				k.finished++
			case wire.EventClarificationRequested:
				k.permissions++
			}
			if n.Status == wire.StatusPending {
				k.pending++
				if n.Event.Type != wire.EventTurnFinished {
					t.Errorf("%s: %q is still pending", n.Session, n.Title)
				}
			}
		}
		if cursor = page.NextCursor; cursor == "" {
			break
		}
	}
	for id := range agent {
		if k := counts[id]; k == nil || *k != (count{2, 2, 1}) {
			t.Errorf("%s: %+v, want two turns, two permissions, and the second turn pending:\n%s", id, k, strings.Join(told[id], "\n"))
		}
	}
}

// pause is a while of a life, at the speed of the storm.
func pause(seconds float64) { time.Sleep(time.Duration(seconds / stormSpeed * float64(time.Second))) }

// allowAll is the owner at the desk: what an agent that does not ask by itself is held for is allowed.
func allowAll(ctx context.Context, t *testing.T, url, token string) {
	c, err := client.New(url, token, nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	for ctx.Err() == nil {
		page, err := c.List(ctx, client.Query{Kinds: []string{wire.KindInteraction}, Statuses: []string{wire.StatusPending}, Limit: 100})
		if err != nil {
			continue
		}
		for _, n := range page.Notifications {
			if _, ok := allowed[n.Connection]; ok {
				_, _ = c.Answer(ctx, n.ID, wire.AnswerRequest{ExpectedRevision: wire.RevisionOf(n), Answer: wire.Answer{Option: "allow"}})
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}
