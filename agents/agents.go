package agents

import (
	"cmp"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"signalbox/bridge/wire"
)

// Agent is one coding agent that is understood here.
type Agent struct {
	Name  string // as on the command line; also the id of its connection
	Label string // as people call it
	Color string // #RRGGBB
	// Events are the agent's names of the events that have a meaning here.
	Events []string
	// Answers says that the agent takes an answer from outside, on some of its events.
	Answers bool

	translate func(*call, *Plan)
}

// Agents are all that are understood, in the order they are shown.
var Agents = []*Agent{claude, codex, openCode, gemini, cursor, copilot, vsCode, aider}

// Find is the agent of a name, without regard to case; nil: there is none.
func Find(name string) *Agent {
	for _, a := range Agents {
		if strings.EqualFold(a.Name, name) {
			return a
		}
	}
	return nil
}

// Names are the names of all agents.
func Names() []string {
	var out []string
	for _, a := range Agents {
		out = append(out, a.Name)
	}
	return out
}

// Translate makes the plan of a call. An agent that nobody here knows gives an empty plan.
func Translate(in Input) *Plan {
	p := &Plan{Agent: in.Agent, At: in.At.UTC().Truncate(time.Millisecond)}
	a := Find(in.Agent)
	if a == nil {
		return p
	}
	p.Agent = a.Name
	if len(in.Payload) > MaxPayload {
		in.Payload = in.Payload[:MaxPayload]
	}
	c := &call{Input: in, agent: a}
	var whole bool
	c.fields, whole = decodeObject(in.Payload)
	p.Broken = !whole && len(in.Payload) > 0
	a.translate(c, p)
	if p.Session == "" {
		p.withoutSession()
	}
	return p
}

// withoutSession leaves history of what happened in a session that is not named: its payload was cut or broken.
func (p *Plan) withoutSession() {
	for i := range p.Items {
		pub := &p.Items[i].Publish
		if pub.Event == nil || strings.HasPrefix(pub.Event.Type, "session.") {
			pub.Event, pub.Silent = nil, true
		}
	}
	p.Ask = nil
}

// call is one payload, with the fields that nearly every agent has.
type call struct {
	Input
	fields
	agent    *Agent
	event    string // the agent's name of the event
	session  string
	turn     string // the agent's id of the turn; empty: it has none
	thread   string // the sub-agent's id
	typ      string // the agent's or sub-agent's type
	mode     string
	tool     string
	input    fields         // of the tool
	rawInput jsontext.Value // that input as it came; empty: no object, or put together of other things
	rawCall  string         // digest that names the call
	request  string
	failure  string
}

// begin fills in the plan's head.
func (c *call) begin(p *Plan) {
	c.event = oneLine(c.event, 80)
	p.Event = c.event
	p.Session = c.session
	if c.session != "" {
		p.URL = c.Place.URL()
	}
}

// data is what the call's items carry.
func (c *call) data() Data {
	return Data{
		Agent: c.agent.Name, Event: c.event, Turn: c.turn, Thread: c.thread, Type: oneLine(c.typ, 80), Tool: oneLine(c.tool, 200),
		Call: c.rawCall, Request: c.request, Mode: oneLine(c.mode, 40), Failure: c.failure, Place: c.Place, Terminal: c.Terminal,
	}
}

// item is an item of a class with everything that all of them have. id tells it from others of its class.
func (c *call) item(class Class, id, title string) Item {
	key := string(class) + "/" + identifier(id)
	pub := wire.Publish{
		Key: key, Session: c.session, Kind: wire.KindNotice, Severity: wire.SeverityInfo, Title: cmp.Or(oneLine(title, maxTitle), c.agent.Label),
		Data: encode(c.data()),
	}
	if c.thread != "" {
		pub.Sender = oneLine(cmp.Or(c.typ, "sub-agent"), 80)
	}
	if class != Past && len(c.Terminal.Ways(c.System, c.Place)) > 0 {
		pub.Actions = []wire.Action{{ID: ActionTerminal, Label: "Go to its terminal"}}
	}
	if l := c.Place.Label(); l != "" {
		pub.Chip = &wire.Chip{Label: oneLine(l, 60)}
	}
	return Item{Publish: pub}
}

// history is an item that is stored and listed only (A5), unless it is of a sub-agent and the owner asked for more (A10).
func (c *call) history(id, title, body string) Item {
	it := c.item(Past, id, title)
	it.Publish.Silent = c.thread == "" || !c.SubAgents
	it.Publish.Body = cut(body, maxBody)
	return it
}

// event sets what happened.
func (it *Item) told(event, occurrence string) {
	it.Publish.Event = &wire.Event{Type: event, Occurrence: occurrence}
}

// prove adds evidence about the call's own thread.
func (c *call) prove(p *Plan, proof Proof) {
	p.Evidence = append(p.Evidence, Evidence{
		Proof: proof, Event: c.event, Thread: c.thread, Tool: c.tool, Call: c.rawCall, Request: c.request, Turn: c.turn,
	})
}

// name is how the session is called: by its place, and by the end of its id so that several of one place differ.
func (c *call) name() string {
	place := cmp.Or(c.Place.Label(), c.agent.Label)
	if c.session == "" {
		return place
	}
	s := c.session
	if i := strings.LastIndexAny(s, "_-"); i >= 0 && i < len(s)-1 && len(s)-i <= 6 {
		s = s[i+1:]
	}
	if len(s) > 4 {
		s = s[len(s)-4:]
	}
	return oneLine(place+" · "+s, maxTitle)
}

// States of a session, as they are shown.
const (
	StateWorking = "working"
	StateWaiting = "waiting"
	StateIdle    = "idle"
	StatePaused  = "paused"
	StateFailed  = "failed"
	StateEnded   = "ended"
)
