package agents

import (
	"cmp"
	"strings"

	"signalbox/bridge/wire"
)

// claude is Claude Code: hooks, JSON on stdin, answers as JSON on stdout.
var claude = &Agent{
	Name: "claude", Label: "Claude Code", Color: "#D97757", Answers: true,
	Events:    handled(claudeEvents),
	translate: translateClaude,
}

// handler plans one event.
type handler struct {
	event string // the agent's spelling
	plan  func(*call, *Plan)
}

func handled(table []handler) []string {
	var out []string
	for _, h := range table {
		out = append(out, h.event)
	}
	return out
}

// dispatch plans the call's event by the table. Names are compared without case and separators.
func dispatch(table []handler, c *call, p *Plan) {
	for _, h := range table {
		if fold(h.event) == fold(c.event) {
			c.event = h.event
			c.begin(p)
			p.Known = true
			h.plan(c, p)
			return
		}
	}
	c.begin(p)
}

// claudeEvents are all events that Claude Code has. Those without a plan happen, and mean nothing to the owner.
var claudeEvents = []handler{
	{"PreToolUse", claudePreToolUse},
	{"PostToolUse", func(c *call, p *Plan) { c.ran(p, Ran) }},
	{"PostToolUseFailure", func(c *call, p *Plan) { c.ran(p, Failed) }},
	{"PostToolBatch", claudeBatch},
	{"PermissionRequest", claudePermission},
	{"PermissionDenied", claudeDenied},
	{"Notification", claudeNotification},
	{"UserPromptSubmit", claudePrompt},
	{"UserPromptExpansion", nothing},
	{"SessionStart", claudeStart},
	{"SessionEnd", claudeEnd},
	{"Stop", claudeStop},
	{"StopFailure", claudeStopFailure},
	{"SubagentStart", nothing},
	{"SubagentStop", func(c *call, p *Plan) { c.threadEnded(p, c.text("last_assistant_message")) }},
	{"PreCompact", nothing},
	{"PostCompact", nothing},
	{"PreModelSwitch", nothing},
	{"PostModelSwitch", nothing},
	{"Setup", nothing},
	{"TeammateIdle", func(c *call, p *Plan) {
		p.Items = append(p.Items, c.history(c.unique("teammate"), "Teammate waits: "+c.text("teammate_name"), ""))
	}},
	{"TaskCreated", nothing},
	{"TaskCompleted", func(c *call, p *Plan) {
		p.Items = append(p.Items, c.history(cmp.Or(c.text("task_id"), c.unique("task")), "Task done: "+c.text("task_subject"), c.text("task_description")))
	}},
	{"Elicitation", claudeElicitation},
	{"ElicitationResult", func(c *call, p *Plan) {
		c.setElicitation()
		p.StateIfEnded = StateWorking
		p.Evidence = append(p.Evidence, Evidence{Proof: Replied, Event: c.event, Thread: c.thread, Request: c.request, How: c.text("action")})
	}},
	{"ConfigChange", nothing},
	{"WorktreeCreate", nothing},
	{"WorktreeRemove", nothing},
	{"InstructionsLoaded", nothing},
	{"CwdChanged", nothing},
	{"FileChanged", nothing},
	{"DirectoryAdded", nothing},
	{"MessageDisplay", nothing},
	{"PreSkillShellCommand", nothing},
}

func nothing(*call, *Plan) {}

// claudeFields reads the fields that every event of Claude Code's kind has.
func (c *call) claudeFields() {
	c.event = cmp.Or(c.text("hook_event_name"), c.Event)
	c.session = sessionID(c.text("session_id"), c.Session)
	c.turn = identified(c.text("prompt_id"))
	c.thread = identified(c.text("agent_id"))
	c.typ = c.text("agent_type")
	c.mode = c.text("permission_mode")
	c.setTool(c.text("tool_name"), c.raw("tool_input"))
}

func sessionID(ids ...string) string { return identified(cmp.Or(ids...)) }

func identified(id string) string {
	if id == "" {
		return ""
	}
	return identifier(id)
}

func translateClaude(c *call, p *Plan) {
	c.claudeFields()
	dispatch(claudeEvents, c, p)
}

func claudeStart(c *call, p *Plan) {
	switch c.text("source") {
	case "compact":
		// Compacting starts the session anew in the middle of its work: nothing ended.
		return
	case "clear", "fork":
		p.Evidence = nil
		p.Hello, p.State, p.Title = true, StateIdle, cmp.Or(oneLine(c.text("session_title"), maxTitle), c.name())
		return
	}
	c.started(p, c.text("session_title"))
}

func claudeEnd(c *call, p *Plan) {
	switch c.text("reason") {
	case "clear", "logout", "prompt_input_exit", "resume":
		c.ended(p, true)
	default:
		// Also the end of a run without a terminal: how the turn ended is still to be read.
		c.ended(p, false)
	}
}

func claudePrompt(c *call, p *Plan) {
	source := c.text("source")
	c.prompted(p, c.text("session_title"), source == "" || source == "user")
}

func claudeDenied(c *call, p *Plan) {
	c.ran(p, Denied)
	p.Evidence[0].How = c.text("reason")
}

func claudeBatch(c *call, p *Plan) {
	p.StateIfEnded = StateWorking
	for _, t := range c.objects("tool_calls") {
		c.setTool(t.text("tool_name"), t.raw("tool_input"))
		c.prove(p, Ran)
	}
}

func claudeStop(c *call, p *Plan) {
	said := c.text("last_assistant_message")
	again := c.flag("stop_hook_active")
	if lines := claudeBackground(c); len(lines) > 0 && c.thread == "" && !again {
		c.paused(p, said, lines)
		return
	}
	c.finished(p, said, again)
}

// claudeBackground is the work that goes on after the turn, a line each.
func claudeBackground(c *call) []string {
	var lines []string
	for _, t := range c.objects("background_tasks") {
		switch fold(t.text("status")) {
		case "completed", "failed", "killed", "stopped", "cancelled", "done":
			continue
		}
		what := cmp.Or(t.text("description"), t.text("command"), t.text("name"), t.text("id"))
		lines = append(lines, oneLine("In the background: "+cmp.Or(t.text("type"), "task")+", "+what, maxLine))
	}
	for _, t := range c.objects("session_crons") {
		lines = append(lines, oneLine("Scheduled: "+cmp.Or(t.text("schedule"), t.text("id"))+", "+t.text("prompt"), maxLine))
	}
	if len(lines) > maxLines {
		lines = lines[:maxLines]
	}
	return lines
}

// claudeFailures are the kinds of failure that end a turn, in words, and what to do about each.
var claudeFailures = map[string]struct{ title, advice, severity string }{
	"authentication_failed":  {"Not signed in", "The sign-in was refused. Sign in again with /login.", wire.SeverityError},
	"oauth_org_not_allowed":  {"Organisation not allowed", "The account's organisation may not use it. Sign in with another account.", wire.SeverityError},
	"account_on_hold":        {"Account on hold", "The account is on hold. Look at the account's page.", wire.SeverityError},
	"verification_required":  {"Verification required", "The account must be verified before work can go on.", wire.SeverityError},
	"billing_error":          {"Billing problem", "The account has no credit left, or its payment failed.", wire.SeverityError},
	"rate_limit":             {"Rate limit reached", "The usage limit is reached. Go on when it is lifted.", wire.SeverityWarning},
	"overloaded":             {"Service overloaded", "The service has too much to do. Try again in a while.", wire.SeverityWarning},
	"invalid_request":        {"Request refused", "The service refused the request as invalid.", wire.SeverityError},
	"model_not_found":        {"Model not found", "The model does not exist, or the account may not use it. Choose another with /model.", wire.SeverityError},
	"server_error":           {"Service failed", "The service failed. Try again.", wire.SeverityError},
	"max_output_tokens":      {"Answer too long", "The answer reached the limit of its length and was cut.", wire.SeverityWarning},
	"cloud_credential_error": {"Cloud credentials refused", "The cloud provider's credentials are missing or out of date.", wire.SeverityError},
	"unknown":                {"Failed", "The turn failed for a reason that the agent does not know.", wire.SeverityError},
}

func claudeStopFailure(c *call, p *Plan) {
	kind := c.text("error")
	f, ok := claudeFailures[kind]
	if !ok {
		f = claudeFailures["unknown"]
	}
	body := f.advice
	if !ok && kind != "" {
		body = "The turn failed: " + oneLine(kind, 80) + "."
	}
	for _, more := range []string{c.text("error_details"), c.text("last_assistant_message")} {
		if more != "" {
			body += "\n\n" + more
		}
	}
	c.broke(p, kind, f.title, body, f.severity)
}

func claudeNotification(c *call, p *Plan) {
	message := c.text("message")
	kind := c.text("notification_type")
	switch fold(kind) {
	case "permissionprompt":
		c.waitsThere(p, Permission, "Waits for permission", message)
	case "elicitationdialog":
		c.waitsThere(p, Form, "Asks for values", message)
	case "agentneedsinput":
		c.waitsThere(p, Wanted, "Needs you", message)
	case "idleprompt":
		c.idles(p, message)
	case "agentcompleted":
		if c.thread != "" {
			c.threadEnded(p, message)
			return
		}
		it := c.item(Turn, c.turnID(), cmp.Or(c.text("title"), sentence(message), "Finished a turn"))
		it.Publish.Severity = wire.SeveritySuccess
		it.Publish.Body = cut(message, maxBody)
		it.told(wire.EventTurnFinished, c.occurrence(c.turnID()))
		it.Behind, it.Recurs = []Class{Turn}, c.turn == ""
		p.Items = append(p.Items, it)
	case "elicitationcomplete", "elicitationresponse":
		p.Evidence = append(p.Evidence, Evidence{Proof: Replied, Event: c.event, Thread: c.thread})
	case "authsuccess":
		p.Items = append(p.Items, c.history(c.unique("signed-in"), cmp.Or(c.text("title"), message, "Signed in"), message))
	default:
		// A kind that nobody here knows is for the owner to read, and no more urgent than that.
		it := c.item("notice", c.unique("notice"), cmp.Or(c.text("title"), message, "Notification"))
		it.Publish.Body = cut(message, maxBody)
		it.Publish.Silent = c.thread != ""
		p.Items = append(p.Items, it)
	}
}

// claudePreToolUse is a question only for the tools that are questions: any other tool has its PermissionRequest.
func claudePreToolUse(c *call, p *Plan) {
	if toolClass(c.tool) == Permission {
		return
	}
	c.request = "" // the same question comes as a PermissionRequest, which has no id
	claudeAsk(c, p, "PreToolUse")
}

func claudePermission(c *call, p *Plan) {
	if toolClass(c.tool) != Permission {
		claudeAsk(c, p, "PermissionRequest")
		return
	}
	c.permission(p, claudeAnswer(c))
}

func claudeAsk(c *call, p *Plan, event string) {
	if toolClass(c.tool) == Question {
		claudeQuestion(c, p, event)
	} else {
		claudePlan(c, p, event)
	}
}

func (c *call) setElicitation() {
	c.request = cmp.Or(c.text("elicitation_id"), strings.TrimSpace(c.text("mcp_server_name")))
}
