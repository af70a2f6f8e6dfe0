package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"testing"
	"time"

	"signalbox/bridge/wire"
)

// desk is a center of one session, as far as a plan can tell: it takes the operations of plans.
type desk struct {
	t     *testing.T
	now   time.Time
	items []wire.Notification // newest first
	// state is the session's, and prompted when its newest prompt came.
	state    string
	prompted time.Time
}

func newDesk(t *testing.T) *desk { return &desk{t: t, now: noon} }

// call carries out one call, and returns how many items were published.
func (d *desk) call(agent, payload string) (*Plan, int) {
	d.t.Helper()
	return d.callAt(d.now, agent, payload, 0)
}

func (d *desk) callAt(at time.Time, agent, payload string, wait time.Duration) (*Plan, int) {
	d.t.Helper()
	if !json.Valid([]byte(payload)) {
		d.t.Fatalf("payload is no JSON: %s", payload)
	}
	p := Translate(Input{Agent: agent, Payload: []byte(payload), At: at, Wait: wait, Place: place(agent)})
	if p.Begins {
		d.prompted = at
	}
	p.Prompted = d.prompted
	ops, _ := p.Operations(d.items, wait > 0)
	d.state = cmp.Or(p.StateAfter(d.items, ops), d.state)
	if d.state == StateWaiting && p.Resumes(d.items, ops) {
		d.state = StateWorking
	}
	d.now = d.now.Add(time.Second)
	published := 0
	for _, op := range ops {
		switch op.Op {
		case wire.OpResolve:
			for i := range d.items {
				if n := &d.items[i]; n.ID == op.ID {
					d.end(n, wire.StatusResolved, wire.Outcome{Kind: wire.OutcomeResolved, Reason: op.Reason})
				}
			}
		case wire.OpUpdate:
			d.update(op)
		case wire.OpPublish:
			published++
			d.publish(op.Notification)
		}
	}
	return p, published
}

func (d *desk) end(n *wire.Notification, status string, o wire.Outcome) {
	d.t.Helper()
	if n.Status != wire.StatusPending {
		d.t.Fatalf("%s ended twice", n.Key)
	}
	n.Status, n.EndedAt = status, wire.At(d.now)
	o.At = n.EndedAt
	n.Outcome = &o
}

// update changes a pending item; nothing to change makes no revision.
func (d *desk) update(op wire.Operation) {
	for i := range d.items {
		n := &d.items[i]
		if n.ID != op.ID || !op.Changes.Title.Set {
			continue
		}
		c := op.Changes
		n.Revision++
		n.Title, n.Kind, n.Body, n.Lines, n.Data = c.Title.Value, c.Kind.Value, c.Body.Value, c.Lines.Value, c.Data.Value
	}
}

func (d *desk) publish(p *wire.Publish) {
	n := newest(d.items, p.Session, p.Key)
	fresh := wire.Notification{
		ID: "n" + strconv.Itoa(len(d.items)+1), Key: p.Key, Session: p.Session, Status: wire.StatusPending, Occurrence: 1, Revision: 1,
		Kind: cmp.Or(p.Kind, wire.KindNotice), Title: p.Title, Body: p.Body, Lines: p.Lines, Event: p.Event, Data: p.Data, Silent: p.Silent, CreatedAt: wire.At(d.now),
	}
	switch {
	case n != nil && n.Status == wire.StatusPending:
		fresh.ID, fresh.Occurrence, fresh.Revision, fresh.CreatedAt = n.ID, n.Occurrence, n.Revision+1, n.CreatedAt
		*n = fresh
		return
	case n != nil:
		fresh.Occurrence = n.Occurrence + 1
	}
	d.items = append([]wire.Notification{fresh}, d.items...)
}

// pending are the keys' classes of what is pending and not silent, oldest first.
func (d *desk) pending() []string {
	out := []string{}
	for i := len(d.items) - 1; i >= 0; i-- {
		if n := d.items[i]; n.Status == wire.StatusPending && !n.Silent {
			out = append(out, string(ClassOf(n.Key)))
		}
	}
	return out
}

func (d *desk) want(classes ...string) {
	d.t.Helper()
	if got := d.pending(); fmt.Sprint(got) != fmt.Sprint(classes) {
		d.t.Fatalf("pending: got %v, want %v", got, classes)
	}
}

// Each row of the table: it ends an item within its reach, with its reason and the event, and nothing beside it.
//
// Proves: A9
func TestInferences(t *testing.T) {
	tool := map[Class]string{Permission: "Bash", Question: "AskUserQuestion", Planned: "ExitPlanMode"}
	for _, row := range Inferences {
		t.Run(fmt.Sprintf("%s ends %s of the %s", row.Proof, row.Class, row.Reach), func(t *testing.T) {
			hit := Data{Agent: "claude", Event: "E", Turn: "turn-1", Thread: "th", Tool: tool[row.Class], Call: "call-1", Request: "req-1"}
			ev := Evidence{Proof: row.Proof, Event: "Shown", Thread: "th", Tool: tool[row.Class], Call: "call-1", Request: "req-1", Turn: "turn-1"}
			misses := map[string]Data{}
			miss := func(name string, change func(*Data)) {
				d := hit
				change(&d)
				misses[name] = d
			}
			switch row.Reach {
			case SameCall:
				hit.Request, ev.Request = "", ""
				miss("another call", func(d *Data) { d.Call = "call-2" })
				miss("another thread", func(d *Data) { d.Thread = "" })
				miss("a request of its own", func(d *Data) { d.Request = "req-2" })
			case AnyCall:
				hit.Call, hit.Request = "", ""
				ev.Request = ""
				miss("another thread", func(d *Data) { d.Thread = "" })
				miss("a known call", func(d *Data) { d.Call = "call-2" })
			case SameKind:
				miss("another thread", func(d *Data) { d.Thread = "" })
			case SameRequest:
				miss("another request", func(d *Data) { d.Request, d.Call = "req-2", "call-2" })
			case SameThread:
				miss("another thread", func(d *Data) { d.Thread = "other" })
			case OtherTurn:
				ev.Turn = "turn-2"
				miss("the same turn", func(d *Data) { d.Turn = "turn-2" })
			case AllThreads:
			}
			miss("another agent", func(d *Data) { d.Agent = "codex" })
			p := &Plan{Agent: "claude", Session: "s", At: noon, Evidence: []Evidence{ev}}
			item := func(d Data, session string) wire.Notification {
				return wire.Notification{ID: "n", Key: string(row.Class) + "/x", Session: session, Status: wire.StatusPending, Data: encode(d)}
			}
			ops, _ := p.Operations([]wire.Notification{item(hit, "s")}, false)
			if len(ops) != 1 || ops[0].Op != wire.OpResolve || ops[0].ID != "n" {
				t.Fatalf("not ended: %+v", ops)
			}
			if want := row.Reason + " (Shown)"; ops[0].Reason != want {
				t.Errorf("reason %q, want %q", ops[0].Reason, want)
			}
			if ops, _ := p.Operations([]wire.Notification{item(hit, "another session")}, false); len(ops) != 0 {
				t.Error("an item of another session ended")
			}
			done := item(hit, "s")
			done.Status = wire.StatusDismissed
			if ops, _ := p.Operations([]wire.Notification{done}, false); len(ops) != 0 {
				t.Error("an item ended twice")
			}
			for name, d := range misses {
				if ops, _ := p.Operations([]wire.Notification{item(d, "s")}, false); len(ops) != 0 {
					t.Errorf("%s: ended as well: %v", name, ops[0].Reason)
				}
			}
		})
	}
}

func cc(event, rest string) string {
	if rest != "" {
		rest = "," + rest
	}
	return `{"session_id":"s","cwd":"/w","prompt_id":"p-1","hook_event_name":"` + event + `"` + rest + `}`
}

const (
	flash = `"tool_name":"Bash","tool_input":{"command":"make flash"}`
	build = `"tool_name":"Bash","tool_input":{"command":"make build"}`
	inSub = `,"agent_id":"a1","agent_type":"reviewer"`
)

// Proves: A9, A10, L4
func TestPermissionAnsweredInItsTerminal(t *testing.T) {
	d := newDesk(t)
	d.call("claude", cc("PermissionRequest", flash))
	d.call("claude", cc("PermissionRequest", build))
	d.want("permission", "permission")
	d.call("claude", cc("PostToolUse", `"tool_input":{ "command" : "make flash" },"tool_name":"Bash","tool_use_id":"t1"`))
	d.want("permission")
	if o := d.items[1].Outcome; o == nil || o.Reason != "Allowed in its terminal: the tool ran (PostToolUse)" {
		t.Errorf("outcome %+v", o)
	}
	d.call("claude", cc("PostToolUse", build+inSub)) // a sub-agent's own call of the same
	d.want("permission")
	d.call("claude", cc("Stop", ""))
	d.want("turn")
}

// The same command asked for again, after the first was answered, is asked for again; one that happened before is a
// late duplicate.
//
// Proves: A9, A10
func TestPermissionAgain(t *testing.T) {
	d := newDesk(t)
	d.call("claude", cc("PermissionRequest", flash))
	asked := d.now
	d.call("claude", cc("PostToolUse", flash))
	d.want()
	d.callAt(asked.Add(-time.Second), "claude", cc("PermissionRequest", flash), 0)
	d.want()
	d.call("claude", cc("PermissionRequest", flash))
	d.want("permission")
	if a, b := d.items[0].Event.Occurrence, d.items[1].Event.Occurrence; a == b {
		t.Errorf("one occurrence for two requests: %s", a)
	}
}

// The end of a request may be told late, by a call that was kept: the same command in the next turn is asked for all the
// same, though it happened before that.
//
// Proves: A9, A10
func TestPermissionInTheNextTurnBeforeTheFormersEndWasTold(t *testing.T) {
	d := newDesk(t)
	ask := func(turn string) string {
		return `{"session_id":"t","turn_id":"` + turn + `","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`
	}
	d.call("codex", ask("1"))
	asked := d.now
	d.now = d.now.Add(10 * time.Second)
	d.call("codex", `{"session_id":"t","turn_id":"1","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"u"}`)
	d.want()
	d.callAt(asked.Add(5*time.Second), "codex", ask("1"), 0)
	d.want()
	d.callAt(asked.Add(5*time.Second), "codex", ask("2"), 0)
	d.want("permission")
}

// The same command is asked for in the next turn while the former request is not known to be over: that one is, and the
// new one is told as one of its own.
//
// Proves: A9, A10
func TestPermissionInTheNextTurnWhileTheFormerIsPending(t *testing.T) {
	d := newDesk(t)
	for _, turn := range []string{"1", "2", "2"} {
		d.callAt(d.now, "codex", `{"session_id":"t","turn_id":"`+turn+`","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`, time.Minute)
		d.want("permission")
	}
	if len(d.items) != 2 {
		t.Fatalf("%d items", len(d.items))
	}
	if a, b := d.items[0].Event.Occurrence, d.items[1].Event.Occurrence; a == b {
		t.Errorf("one occurrence for two requests: %s", a)
	}
}

// Proves: A10
func TestOnePromptToldTwice(t *testing.T) {
	const notice = `"message":"Claude needs your permission to use Bash","notification_type":"permission_prompt"`
	t.Run("the notice comes later", func(t *testing.T) {
		d := newDesk(t)
		d.call("claude", cc("PermissionRequest", flash))
		d.call("claude", cc("Notification", notice))
		d.want("permission")
		if d.items[0].Revision != 1 {
			t.Error("the notice changed the request")
		}
	})
	t.Run("the notice comes first", func(t *testing.T) {
		d := newDesk(t)
		d.call("claude", cc("Notification", notice))
		d.call("claude", cc("PermissionRequest", flash))
		d.want("permission")
		if len(d.items) != 1 || d.items[0].Title != "Run make flash" {
			t.Fatalf("%d items, %q", len(d.items), d.items[0].Title)
		}
		d.call("claude", cc("PostToolUse", flash))
		d.want()
	})
	t.Run("the notice comes first, and the request is held", func(t *testing.T) {
		d := newDesk(t)
		d.call("claude", cc("Notification", notice))
		d.callAt(d.now, "claude", cc("PermissionRequest", flash), time.Minute)
		d.want("permission")
		if d.items[0].Kind != wire.KindInteraction {
			t.Error("it cannot be answered")
		}
	})
	t.Run("the notice comes after the answer", func(t *testing.T) {
		d := newDesk(t)
		d.call("claude", cc("PermissionRequest", flash))
		d.call("claude", cc("PostToolUse", flash))
		d.call("claude", cc("Notification", notice))
		d.want()
	})
	t.Run("only notices", func(t *testing.T) {
		d := newDesk(t)
		d.call("claude", cc("Notification", notice))
		d.call("claude", cc("Notification", notice))
		d.want("permission")
		d.call("claude", cc("PostToolUse", flash))
		d.want()
		d.call("claude", cc("Notification", notice))
		d.want("permission")
		if d.items[0].Event.Occurrence == d.items[1].Event.Occurrence {
			t.Error("the second prompt is told as the first")
		}
	})
	t.Run("without a turn's id", func(t *testing.T) {
		d := newDesk(t)
		d.call("claude", `{"session_id":"s","hook_event_name":"PermissionRequest",`+flash+`}`)
		d.call("claude", `{"session_id":"s","hook_event_name":"PostToolUse",`+flash+`}`)
		d.call("claude", `{"session_id":"s","hook_event_name":"Notification",`+notice+`}`)
		d.want()
		d.now = d.now.Add(time.Hour)
		d.call("claude", `{"session_id":"s","hook_event_name":"Notification",`+notice+`}`)
		d.want("permission")
	})
}

// A request that nobody answered here is left to its terminal; the same one asked again is told again.
//
// Proves: A10, L4
func TestAskedAgainAfterItsTimeout(t *testing.T) {
	d := newDesk(t)
	d.callAt(d.now, "claude", cc("PermissionRequest", flash), time.Minute)
	told := *d.items[0].Event
	asked := d.items[0]
	d.end(&d.items[0], wire.StatusResolved, wire.Outcome{Kind: wire.OutcomeTimedOut})
	p := Translate(Input{Agent: "claude", Payload: []byte(cc("PermissionRequest", flash)), At: d.now, Wait: time.Minute})
	left := p.LeftThere(&asked)
	if *left.Event == told || left.Event.Type != told.Type || !left.OccurredAt.Equal(asked.CreatedAt.Time) {
		t.Errorf("it asks no more: %+v", left)
	}
	d.publish(&left)
	d.callAt(d.now, "claude", cc("PermissionRequest", flash), time.Minute)
	d.want("permission")
	if n := d.items[0]; n.Kind != wire.KindInteraction || n.Event == nil || *n.Event == told {
		t.Errorf("got %+v", n.Event)
	}
	// Two hooks of one request wait for one item.
	revision := d.items[0].Revision
	d.callAt(d.now, "claude", cc("PermissionRequest", flash), time.Minute)
	if len(d.items) != 2 || d.items[0].Revision != revision {
		t.Errorf("%d items, revision %d", len(d.items), d.items[0].Revision)
	}
}

// Proves: A9
func TestDeniedTooLate(t *testing.T) {
	d := newDesk(t)
	d.callAt(d.now, "claude", cc("PermissionRequest", flash), time.Minute)
	d.end(&d.items[0], wire.StatusResolved, wire.Outcome{Kind: wire.OutcomeAnswered, Answer: &wire.Answer{Option: OptionDeny}})
	d.call("claude", cc("PostToolUse", flash))
	d.want("history")
	if d.items[0].Title != "Denied too late: Run make flash" {
		t.Errorf("got %q", d.items[0].Title)
	}
	d.call("claude", cc("PostToolUse", flash))
	if len(d.items) != 2 {
		t.Error("told twice")
	}
}

// Proves: A9
func TestSessionEnds(t *testing.T) {
	d := newDesk(t)
	d.call("claude", cc("Stop", ""))
	d.call("claude", cc("Elicitation", `"mcp_server_name":"m","elicitation_id":"e1","message":"Which?"`))
	d.want("turn", "form")
	d.call("claude", cc("SessionEnd", `"reason":"other"`))
	d.want("turn") // how a run without a terminal ended is still to be read
	d.call("claude", cc("SessionEnd", `"reason":"prompt_input_exit"`))
	d.want()
}

// Proves: A9
func TestGeminiDialog(t *testing.T) {
	g := func(event, rest string) string {
		return `{"session_id":"s","hook_event_name":"` + event + `","timestamp":"2026-05-04T08:11:09Z",` + rest + `}`
	}
	d := newDesk(t)
	p, _ := d.callAt(d.now, "gemini", g("Notification", `"notification_type":"ToolPermission","message":"m","details":{"type":"exec","command":"npm test"}`), time.Minute)
	if p.Ask != nil {
		t.Error("Gemini's dialog cannot be answered from outside")
	}
	d.call("gemini", g("AfterTool", `"tool_name":"run_shell_command","tool_input":{"command":"ls"}`))
	d.want("permission")
	d.call("gemini", g("BeforeTool", `"tool_name":"run_shell_command","tool_input":{"command":"npm test"}`))
	d.want()
}
