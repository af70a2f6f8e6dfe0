package agents

import (
	"cmp"
	"signalbox/bridge/wire"
)

// codex is the Codex CLI: hooks with JSON on stdin, and its older notify program with JSON as the last argument. Both
// tell the end of one turn with the same ids, and so make one item.
var codex = &Agent{
	Name: "codex", Label: "Codex", Color: "#10A37F", Answers: true,
	Events:    handled(codexEvents),
	translate: translateCodex,
}

var codexEvents = []handler{
	{"PreToolUse", nothing},
	{"PermissionRequest", func(c *call, p *Plan) { c.permission(p, codexAnswer()) }},
	{"PostToolUse", func(c *call, p *Plan) { c.ran(p, Ran) }},
	{"PreCompact", nothing},
	{"PostCompact", nothing},
	{"SessionStart", func(c *call, p *Plan) {
		if c.text("source") == "clear" {
			c.ended(p, true)
			p.Hello, p.State, p.Title = true, StateIdle, c.name()
			return
		}
		c.started(p, "")
	}},
	{"UserPromptSubmit", func(c *call, p *Plan) { c.prompted(p, "", true) }},
	{"SubagentStart", nothing},
	{"SubagentStop", func(c *call, p *Plan) { c.threadEnded(p, c.text("last_assistant_message")) }},
	{"Stop", func(c *call, p *Plan) {
		c.finished(p, c.text("last_assistant_message"), c.flag("stop_hook_active"))
	}},
	// Newer versions have these two as well.
	{"Interrupt", func(c *call, p *Plan) {
		// The owner stopped it himself: nothing to tell.
		p.State, p.OwnerHere = StateIdle, true
		c.prove(p, Stopped)
	}},
	{"SessionEnd", func(c *call, p *Plan) {
		c.ended(p, fold(c.text("reason")) == "promptinputexit" || fold(c.text("reason")) == "exit")
	}},
	{"agent-turn-complete", func(c *call, p *Plan) { c.finished(p, c.text("last-assistant-message"), false) }},
}

func translateCodex(c *call, p *Plan) {
	c.claudeFields()
	c.turn = identified(c.text("turn_id"))
	if c.text("hook_event_name") == "" && c.text("type") != "" {
		c.event = c.text("type")
		c.session = sessionID(c.text("thread-id"), c.Session)
	}
	dispatch(codexEvents, c, p)
}

// codexAnswer is allow or deny, and nothing else: Codex refuses an output with a field that it does not know, and
// fails closed on those that it reserves.
func codexAnswer() *permissionAnswer {
	type decision struct {
		Behavior string `json:"behavior"`
		Message  string `json:"message,omitzero"`
	}
	type specific struct {
		Event    string   `json:"hookEventName"`
		Decision decision `json:"decision"`
	}
	return &permissionAnswer{
		options: allowOrDeny(),
		decide: func(a wire.Answer) (string, error) {
			d := decision{Behavior: "allow"}
			switch a.Option {
			case OptionAllow:
			case OptionDeny:
				d = decision{"deny", cmp.Or(a.Comment, "Denied by the owner.")}
			case OptionThere:
				return "", nil
			default:
				return "", errOption(a)
			}
			return output(map[string]any{"hookSpecificOutput": specific{"PermissionRequest", d}})
		},
	}
}
