package agents

import (
	"cmp"
	"github.com/go-json-experiment/json/jsontext"

	"signalbox/bridge/wire"
)

// cursor is Cursor. Its hooks run before every command, asked for or not, and must print JSON: an item is raised only
// where the agent is held for the owner's word.
var cursor = &Agent{
	Name: "cursor", Label: "Cursor", Color: "#6B7280", Answers: true,
	Events:    handled(cursorEvents),
	translate: translateCursor,
}

var cursorEvents = []handler{
	{"sessionStart", func(c *call, p *Plan) { c.started(p, "") }},
	{"sessionEnd", func(c *call, p *Plan) { c.ended(p, false) }},
	{"preToolUse", cursorPreTool},
	{"postToolUse", func(c *call, p *Plan) { c.ran(p, Ran) }},
	{"postToolUseFailure", func(c *call, p *Plan) { c.ran(p, Failed) }},
	{"beforeShellExecution", cursorGate},
	{"afterShellExecution", func(c *call, p *Plan) { c.ran(p, Ran) }},
	{"beforeMCPExecution", cursorGate},
	{"afterMCPExecution", func(c *call, p *Plan) { c.ran(p, Ran) }},
	{"beforeReadFile", nothing},
	{"afterFileEdit", nothing},
	{"beforeSubmitPrompt", func(c *call, p *Plan) {
		p.Output = `{"continue":true}`
		c.prompted(p, "", true)
	}},
	{"afterAgentResponse", nothing},
	{"afterAgentThought", nothing},
	{"subagentStart", nothing},
	{"subagentStop", func(c *call, p *Plan) { c.threadEnded(p, c.text("text", "summary")) }},
	{"preCompact", nothing},
	{"stop", cursorStop},
}

func translateCursor(c *call, p *Plan) {
	c.event = cmp.Or(c.text("hook_event_name"), c.Event)
	c.session = sessionID(c.text("conversation_id"), c.text("session_id"), c.Session)
	c.turn = identified(c.text("generation_id"))
	c.thread = identified(c.text("subagent_id", "agent_id"))
	c.typ = c.text("subagent_type", "agent_type")
	switch fold(c.event) {
	case "beforeshellexecution", "aftershellexecution":
		// The generic and the specific event of one call differ in their fields: the command is the call.
		c.setTool("shell", jsontext.Value(encode(map[string]string{"command": c.text("command")})))
	default:
		c.setTool(cmp.Or(c.text("tool_name"), c.text("mcp_tool_name")), c.raw("tool_input"))
	}
	p.Output = "{}" // Cursor wants JSON, also where nothing is decided
	dispatch(cursorEvents, c, p)
}

// cursorGate holds a command or a server's tool for the owner's word, when told to wait.
func cursorGate(c *call, p *Plan) {
	if c.Wait <= 0 {
		return
	}
	c.permission(p, cursorAnswer())
}

// cursorPreTool is of note only for the agent's own question; the specific events tell the rest.
func cursorPreTool(c *call, p *Plan) {
	if toolClass(c.tool) != Question {
		return
	}
	p.State = StateWaiting
	list := askedOf(c.input.objects("questions"), false)
	if q := c.input.text("question", "prompt"); len(list) == 0 && q != "" {
		list = []asked{{question: q}}
	}
	c.request = identified(c.text("tool_use_id"))
	it := c.item(Question, cmp.Or(c.request, c.rawCall), questionTitle(list))
	it.Publish.Severity = wire.SeverityWarning
	it.Publish.Body = questionBody(list)
	it.told(wire.EventClarificationRequested, c.requestID("question"))
	it.Recurs = c.request == ""
	c.asks(p, it, "question", nil)
}

func cursorAnswer() *permissionAnswer {
	type permission struct {
		Permission string `json:"permission"`
		User       string `json:"user_message,omitzero"`
		Agent      string `json:"agent_message,omitzero"`
	}
	return &permissionAnswer{
		options:   allowOrDeny(),
		undecided: `{"permission":"ask"}`,
		decide: func(a wire.Answer) (string, error) {
			switch a.Option {
			case OptionAllow:
				return output(permission{Permission: "allow"})
			case OptionDeny:
				why := cmp.Or(a.Comment, "Denied by the owner.")
				return output(permission{"deny", why, why})
			case OptionThere:
				return output(permission{Permission: "ask"})
			}
			return "", errOption(a)
		},
	}
}

func cursorStop(c *call, p *Plan) {
	switch status := c.text("status"); fold(status) {
	case "error":
		c.broke(p, status, "Failed", "The turn ended with an error.", wire.SeverityError)
	case "aborted":
		// The owner stopped it himself: nothing to tell.
		p.State, p.OwnerHere = StateIdle, true
		c.prove(p, Stopped)
		p.Items = append(p.Items, c.history(cmp.Or(c.turn, c.unique("aborted")), "Stopped by the owner", ""))
	default:
		c.finished(p, "", false)
	}
}
