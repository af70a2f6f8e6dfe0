package agents

import (
	"encoding/json"
	"strings"

	"signalbox/bridge/wire"
)

// Proof is what an event of an agent proves, whatever the agent calls it.
type Proof string

// The proofs.
const (
	Ran      Proof = "ran"      // a tool ran
	Failed   Proof = "failed"   // a tool ran and failed, or was interrupted
	Denied   Proof = "denied"   // a tool was not allowed
	Replied  Proof = "replied"  // a request was answered elsewhere; the agent says so itself
	Prompted Proof = "prompted" // a new prompt was given
	Busy     Proof = "busy"     // the agent works again
	Stopped  Proof = "stopped"  // the turn ended
	Broke    Proof = "broke"    // the turn ended with a failure
	Thread   Proof = "thread"   // a sub-agent ended
	Started  Proof = "started"  // the session's process started: what an earlier one asked is gone
	Ended    Proof = "ended"    // the session ended
	Left     Proof = "left"     // the owner ended the session
	Removed  Proof = "removed"  // the session was deleted
)

// Evidence is one proof, and what it is about.
type Evidence struct {
	Proof   Proof  `json:"proof"`
	Event   string `json:"event"`            // the agent's name of the event that showed it
	Thread  string `json:"thread,omitzero"`  // the sub-agent that it is about; empty: the main one
	Tool    string `json:"tool,omitzero"`    // the agent's name of the tool
	Call    string `json:"call,omitzero"`    // digest of the call
	Request string `json:"request,omitzero"` // the agent's id of the request
	Turn    string `json:"turn,omitzero"`    // the turn that it is about
	// How is the agent's own word for the answer; empty: it gave none.
	How string `json:"how,omitzero"`
}

// Reach is which items of the session an inference is about.
type Reach string

// The reaches.
const (
	SameCall    Reach = "same call"    // the same tool with the same input in the same thread
	AnyCall     Reach = "any call"     // of the same thread, where the item itself does not know its call
	SameKind    Reach = "same kind"    // of the same thread, and the call is of the tool that makes such items
	SameRequest Reach = "same request" // the same id of the agent's
	SameThread  Reach = "same thread"  // all of the thread
	AllThreads  Reach = "all threads"  // all of the session
	OtherTurn   Reach = "other turn"   // of the session, and of another turn
)

// Inference is one line of the table: a proof ends the pending items of a class within its reach, for a reason.
type Inference struct {
	Proof  Proof
	Class  Class
	Reach  Reach
	Reason string
}

// Inferences is what later events of a session prove about its earlier items (A9). Agents rarely say that a prompt
// was answered in their own terminal; this is the only place that infers it. Nothing ends an item of another session.
var Inferences = []Inference{
	{Ran, Permission, SameCall, "Allowed in its terminal: the tool ran"},
	{Ran, Permission, AnyCall, "Answered in its terminal: the agent went on with a tool"},
	{Ran, Question, SameKind, "Answered in its terminal"},
	{Ran, Planned, SameKind, "Approved in its terminal"},
	{Ran, Wanted, SameThread, "The agent went on"},
	{Ran, Idle, SameThread, "The agent went on"},

	{Failed, Permission, SameCall, "Allowed in its terminal: the tool ran, and failed or was interrupted"},
	{Failed, Permission, AnyCall, "Answered in its terminal: the agent went on with a tool"},
	{Failed, Question, SameKind, "Left unanswered in its terminal"},
	{Failed, Planned, SameKind, "Not approved in its terminal"},

	{Denied, Permission, SameCall, "Denied in its terminal, or by the agent itself"},
	{Denied, Question, SameKind, "Declined in its terminal"},
	{Denied, Planned, SameKind, "Not approved in its terminal"},

	{Replied, Permission, SameRequest, "Answered in the agent"},
	{Replied, Question, SameRequest, "Answered in the agent"},
	{Replied, Form, SameRequest, "Answered in the agent"},
	{Replied, Form, AnyCall, "Answered in the agent"},

	{Prompted, Permission, SameThread, "Over: a new prompt was given in the session"},
	{Prompted, Question, SameThread, "Over: a new prompt was given in the session"},
	{Prompted, Planned, SameThread, "Over: a new prompt was given in the session"},
	{Prompted, Form, SameThread, "Over: a new prompt was given in the session"},
	{Prompted, Wanted, SameThread, "A new prompt was given"},
	{Prompted, Idle, SameThread, "A new prompt was given"},
	{Prompted, Retry, SameThread, "A new prompt was given"},
	{Prompted, Turn, AllThreads, "Answered with a new prompt"},

	{Busy, Retry, SameThread, "The agent works again"},
	{Busy, Idle, SameThread, "The agent works again"},

	{Stopped, Permission, SameThread, "Over: the turn ended"},
	{Stopped, Question, SameThread, "Over: the turn ended"},
	{Stopped, Planned, SameThread, "Over: the turn ended"},
	{Stopped, Form, SameThread, "Over: the turn ended"},
	{Stopped, Wanted, SameThread, "Over: the turn ended"},
	{Stopped, Idle, SameThread, "The turn's end says the same"},
	{Stopped, Retry, SameThread, "Over: the turn ended"},
	{Stopped, Turn, OtherTurn, "A later turn ended"},

	{Broke, Permission, SameThread, "Over: the turn failed"},
	{Broke, Question, SameThread, "Over: the turn failed"},
	{Broke, Planned, SameThread, "Over: the turn failed"},
	{Broke, Form, SameThread, "Over: the turn failed"},
	{Broke, Wanted, SameThread, "Over: the turn failed"},
	{Broke, Idle, SameThread, "The turn's failure says more"},
	{Broke, Retry, SameThread, "Over: the turn failed"},
	{Broke, Turn, OtherTurn, "A later turn failed"},

	{Thread, Permission, SameThread, "Over: the sub-agent ended"},
	{Thread, Question, SameThread, "Over: the sub-agent ended"},
	{Thread, Planned, SameThread, "Over: the sub-agent ended"},
	{Thread, Form, SameThread, "Over: the sub-agent ended"},
	{Thread, Wanted, SameThread, "Over: the sub-agent ended"},

	{Started, Permission, AllThreads, "Gone with the process that asked: the session was started again"},
	{Started, Question, AllThreads, "Gone with the process that asked: the session was started again"},
	{Started, Planned, AllThreads, "Gone with the process that asked: the session was started again"},
	{Started, Form, AllThreads, "Gone with the process that asked: the session was started again"},
	{Started, Wanted, AllThreads, "The session was started again"},
	{Started, Idle, AllThreads, "The session was started again"},
	{Started, Retry, AllThreads, "The session was started again"},

	{Ended, Permission, AllThreads, "Over: the session ended"},
	{Ended, Question, AllThreads, "Over: the session ended"},
	{Ended, Planned, AllThreads, "Over: the session ended"},
	{Ended, Form, AllThreads, "Over: the session ended"},
	{Ended, Wanted, AllThreads, "Over: the session ended"},
	{Ended, Idle, AllThreads, "Over: the session ended"},
	{Ended, Retry, AllThreads, "Over: the session ended"},

	{Left, Turn, AllThreads, "The owner ended the session"},
	{Removed, Turn, AllThreads, "The session was deleted"},
}

// ends is why the plan's evidence ends a pending item; empty: it doesn't.
func (p *Plan) ends(n *wire.Notification) string {
	d, ours := DataOf(n)
	if !ours || d.Agent != p.Agent {
		return ""
	}
	class := ClassOf(n.Key)
	for _, e := range p.Evidence {
		for _, row := range Inferences {
			if row.Proof == e.Proof && row.Class == class && row.Reach.holds(e, d, class) {
				return row.reason(e)
			}
		}
	}
	return ""
}

// reason is what the owner reads: the reason, the answer where the agent said it, and the event that showed it.
func (row Inference) reason(e Evidence) string {
	r := row.Reason
	if e.How != "" {
		r += ": " + oneLine(e.How, 60)
	}
	return r + " (" + oneLine(e.Event, 60) + ")"
}

func (r Reach) holds(e Evidence, d Data, class Class) bool {
	switch r {
	case SameCall:
		return d.Call != "" && d.Call == e.Call && d.Thread == e.Thread && (d.Request == "" || d.Request == e.Request)
	case AnyCall:
		return d.Call == "" && d.Request == "" && d.Thread == e.Thread
	case SameKind:
		return d.Thread == e.Thread && toolClass(e.Tool) == class
	case SameRequest:
		return d.Request != "" && d.Request == e.Request
	case SameThread:
		return d.Thread == e.Thread
	case AllThreads:
		return true
	case OtherTurn:
		return d.Turn != e.Turn || e.Turn == ""
	}
	return false
}

// Ids of options that other code asks about. An option that denies has DenyPrefix.
const (
	OptionAllow   = "allow"
	OptionSession = "allow-session"
	OptionDeny    = "deny"
	OptionStop    = "deny-stop"
	OptionThere   = "in-its-terminal" // no decision: the agent asks by itself
	DenyPrefix    = "deny"
)

// tooLate is a quiet warning where a tool ran although the owner had denied it: the denial came when it had been
// answered in the terminal already. Nil where nothing of the sort happened.
func (p *Plan) tooLate(known []wire.Notification) *wire.Publish {
	for _, e := range p.Evidence {
		if e.Proof != Ran || e.Call == "" {
			continue
		}
		var n *wire.Notification
		for i := range known {
			k := &known[i]
			if d, ours := DataOf(k); ours && p.sameSession(k) && ClassOf(k.Key) == Permission && d.Call == e.Call && d.Thread == e.Thread &&
				(n == nil || k.CreatedAt.After(n.CreatedAt.Time)) {
				n = k
			}
		}
		if n == nil || n.Status == wire.StatusPending || n.Outcome == nil || n.Outcome.Kind != wire.OutcomeAnswered ||
			n.Outcome.Answer == nil || !strings.HasPrefix(n.Outcome.Answer.Option, DenyPrefix) || e.Turn != "" && dataTurn(n) != e.Turn {
			continue
		}
		d, _ := DataOf(n)
		d.Event = e.Event
		data, _ := json.Marshal(d)
		return &wire.Publish{
			Key: string(Past) + "/too-late/" + n.ID, Session: p.Session, Severity: wire.SeverityWarning,
			Title: oneLine("Denied too late: "+n.Title, maxTitle),
			Body:  "It had been allowed in its terminal before the denial arrived, and the tool ran.",
			Event: &wire.Event{Type: "session.answer_too_late", Occurrence: n.ID},
			Data:  data,
		}
	}
	return nil
}

func dataTurn(n *wire.Notification) string { d, _ := DataOf(n); return d.Turn }
