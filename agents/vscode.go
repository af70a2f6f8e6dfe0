package agents

import (
	"cmp"
	"strings"

	"signalbox/bridge/wire"
)

// vsCode is the agent of VS Code: hooks as Claude Code's, with fewer events and other tools.
var vsCode = &Agent{
	Name: "vscode", Label: "VS Code", Color: "#007ACC", Answers: true,
	Events:    handled(vsCodeEvents),
	translate: translateVSCode,
}

var vsCodeEvents = []handler{
	{"SessionStart", func(c *call, p *Plan) { c.started(p, "") }},
	{"UserPromptSubmit", func(c *call, p *Plan) { c.prompted(p, "", true) }},
	{"PreToolUse", vsCodePreTool},
	{"PostToolUse", func(c *call, p *Plan) {
		// The call has an id of its own; the gate's item is found by it.
		p.StateIfEnded = StateWorking
		c.prove(p, Ran)
		c.prove(p, Replied)
	}},
	{"PreCompact", nothing},
	{"SubagentStart", nothing},
	{"SubagentStop", func(c *call, p *Plan) { c.threadEnded(p, c.text("last_assistant_message")) }},
	{"Stop", func(c *call, p *Plan) { c.finished(p, c.text("last_assistant_message"), c.flag("stop_hook_active")) }},
}

func translateVSCode(c *call, p *Plan) {
	c.claudeFields()
	c.session = sessionID(c.text("session_id", "sessionId"), c.Session)
	c.turn = "" // VS Code has none
	c.request = identified(c.text("tool_use_id"))
	dispatch(vsCodeEvents, c, p)
}

// vsCodePreTool runs before every tool, asked for or not: it holds those that change something, when told to wait.
func vsCodePreTool(c *call, p *Plan) {
	if c.Wait <= 0 || harmless(c.tool) {
		return
	}
	c.permission(p, &permissionAnswer{
		options: allowOrDeny(),
		decide: func(a wire.Answer) (string, error) {
			switch a.Option {
			case OptionAllow:
				return output(claudeOutput{claudePreDecision{Event: "PreToolUse", Decision: "allow"}})
			case OptionDeny:
				return denyWith("PreToolUse", cmp.Or(a.Comment, "Denied by the owner."))
			case OptionThere:
				return output(claudeOutput{claudePreDecision{Event: "PreToolUse", Decision: "ask"}})
			}
			return "", errOption(a)
		},
	})
}

// harmless is whether a tool only looks at things, by its name.
func harmless(tool string) bool {
	f := fold(tool)
	for _, start := range []string{"read", "list", "search", "get", "find", "grep", "glob", "semanticsearch", "view", "think", "copilotread", "copilotlist", "copilotsearch", "copilotfind", "copilotget", "managetodo", "todo"} {
		if strings.HasPrefix(f, start) {
			return true
		}
	}
	return f == ""
}
