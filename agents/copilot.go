package agents

import (
	"cmp"
	"signalbox/bridge/wire"
)

// copilot is the Copilot CLI. With camelCase event names its payloads do not name their event: the hook's command
// line does.
var copilot = &Agent{
	Name: "copilot", Label: "Copilot CLI", Color: "#8957E5", Answers: true,
	Events:    handled(copilotEvents),
	translate: translateCopilot,
}

var copilotEvents = []handler{
	{"sessionStart", func(c *call, p *Plan) { c.started(p, "") }},
	{"sessionEnd", copilotEnd},
	{"userPromptSubmitted", func(c *call, p *Plan) { c.prompted(p, "", true) }},
	{"preToolUse", nothing},
	{"postToolUse", func(c *call, p *Plan) { c.ran(p, Ran) }},
	{"postToolUseFailure", func(c *call, p *Plan) { c.ran(p, Failed) }},
	{"permissionRequest", func(c *call, p *Plan) { c.permission(p, copilotAnswer()) }},
	{"agentStop", func(c *call, p *Plan) { c.finished(p, "", c.flag("stop_hook_active")) }},
	{"subagentStart", nothing},
	{"subagentStop", func(c *call, p *Plan) { c.threadEnded(p, c.text("response", "agentResponse")) }},
	{"errorOccurred", copilotError},
	{"preCompact", nothing},
	{"notification", copilotNotification},
}

// copilotNames are the PascalCase names of events that are not the camelCase ones with another first letter.
var copilotNames = map[string]string{"stop": "agentStop", "userpromptsubmit": "userPromptSubmitted"}

func translateCopilot(c *call, p *Plan) {
	c.event = cmp.Or(c.text("hook_event_name"), c.Event)
	if n, ok := copilotNames[fold(c.event)]; ok {
		c.event = n
	}
	c.session = sessionID(c.text("sessionId"), c.Session)
	c.thread = identified(c.text("agentId"))
	c.typ = c.text("agentName", "agentType")
	// The tool's input has another name in each event, and may be an object or its text.
	c.setTool(c.text("toolName"), c.raw("toolInput", "toolArgs"))
	if c.event == "" {
		c.event = copilotGuess(c)
	}
	dispatch(copilotEvents, c, p)
}

// copilotGuess names the event by the fields that only it has.
func copilotGuess(c *call) string {
	switch {
	case c.raw("toolInput") != nil:
		return "permissionRequest"
	case c.raw("toolName") != nil && c.raw("error") != nil:
		return "postToolUseFailure"
	case c.raw("toolName") != nil && c.raw("toolResult", "result") != nil:
		return "postToolUse"
	case c.raw("toolArgs") != nil:
		return "preToolUse"
	case c.text("notification_type") != "":
		return "notification"
	case c.text("stopReason") != "":
		return "agentStop"
	case c.raw("error") != nil:
		return "errorOccurred"
	case c.raw("prompt") != nil:
		return "userPromptSubmitted"
	case c.text("reason") != "":
		return "sessionEnd"
	case c.text("source") != "":
		return "sessionStart"
	}
	return ""
}

func copilotAnswer() *permissionAnswer {
	type decision struct {
		Behavior  string `json:"behavior"`
		Message   string `json:"message,omitzero"`
		Interrupt bool   `json:"interrupt,omitzero"`
	}
	return &permissionAnswer{
		options: append(allowOrDeny(), wire.Option{ID: OptionStop, Label: "Deny and stop", Style: wire.StyleDanger, Comment: wire.CommentOptional}),
		decide: func(a wire.Answer) (string, error) {
			switch a.Option {
			case OptionAllow:
				return output(decision{Behavior: "allow"})
			case OptionDeny, OptionStop:
				return output(decision{"deny", cmp.Or(a.Comment, "Denied by the owner."), a.Option == OptionStop})
			case OptionThere:
				return "", nil
			}
			return "", errOption(a)
		},
	}
}

func copilotEnd(c *call, p *Plan) {
	switch reason := c.text("reason"); fold(reason) {
	case "userexit", "abort":
		c.ended(p, true)
	case "error":
		c.broke(p, reason, "Session failed", "The session ended with an error.", wire.SeverityError)
		c.ended(p, false)
	case "timeout":
		c.broke(p, reason, "Session timed out", "The session ended because it took too long.", wire.SeverityError)
		c.ended(p, false)
	default:
		c.ended(p, false)
	}
}

func copilotError(c *call, p *Plan) {
	e := c.object("error")
	message := cmp.Or(e.text("message"), c.text("error"))
	kind := cmp.Or(e.text("name"), "error")
	if c.flag("recoverable") {
		p.Items = append(p.Items, c.history(c.unique("error"), "Error, it goes on: "+cmp.Or(message, kind), c.text("errorContext")))
		return
	}
	c.broke(p, kind, failure("Failed", message), message, wire.SeverityError)
}

func copilotNotification(c *call, p *Plan) {
	message := c.text("message")
	title := c.text("title")
	switch fold(c.text("notification_type")) {
	case "permissionprompt":
		c.waitsThere(p, Permission, "Waits for permission", message)
	case "elicitationdialog":
		c.waitsThere(p, Question, "Asks a question", message)
	case "agentidle":
		c.idles(p, message)
	case "shellcompleted", "shelldetachedcompleted", "agentcompleted":
		p.Items = append(p.Items, c.history(c.unique("background"), cmp.Or(title, message, "Background work ended"), message))
	default:
		it := c.item("notice", c.unique("notice"), cmp.Or(title, message, "Notification"))
		it.Publish.Body = cut(message, maxBody)
		p.Items = append(p.Items, it)
	}
}
