package agents

import (
	"cmp"
	"signalbox/bridge/wire"
)

// gemini is the Gemini CLI. Its hooks may only watch its dialogs: the tool's hook runs after the dialog, so a prompt
// is answered in its terminal.
var gemini = &Agent{
	Name: "gemini", Label: "Gemini CLI", Color: "#4285F4",
	Events:    handled(geminiEvents),
	translate: translateGemini,
}

var geminiEvents = []handler{
	{"BeforeTool", func(c *call, p *Plan) { c.geminiTool(p, Ran) }},
	{"AfterTool", func(c *call, p *Plan) {
		proof := Ran
		if r := c.object("tool_response"); r.raw("error") != nil {
			proof = Failed
		}
		c.geminiTool(p, proof)
	}},
	{"BeforeAgent", func(c *call, p *Plan) { c.prompted(p, "", true) }},
	{"AfterAgent", func(c *call, p *Plan) { c.finished(p, c.text("prompt_response"), c.flag("stop_hook_active")) }},
	{"BeforeModel", nothing},
	{"BeforeToolSelection", nothing},
	{"AfterModel", nothing},
	{"SessionStart", func(c *call, p *Plan) {
		if c.text("source") == "clear" {
			p.Hello, p.State, p.Title = true, StateIdle, c.name()
			return
		}
		c.started(p, "")
	}},
	{"SessionEnd", func(c *call, p *Plan) {
		switch c.text("reason") {
		case "clear", "logout", "prompt_input_exit", "exit":
			c.ended(p, true)
		default:
			c.ended(p, false)
		}
	}},
	{"Notification", geminiNotification},
	{"PreCompress", nothing},
}

func translateGemini(c *call, p *Plan) {
	c.claudeFields()
	c.turn = ""
	if c.event == "AfterAgent" {
		c.turn = identified(c.text("timestamp"))
	}
	dispatch(geminiEvents, c, p)
}

// geminiCall names a call by what its dialog and its tool event both carry: the command, the file, or the server's
// tool.
func geminiCall(thread string, details fields) string {
	switch {
	case details.text("command") != "":
		return digest(thread, "exec", details.text("command"))
	case details.text("filePath", "file_path") != "":
		return digest(thread, "file", details.text("filePath", "file_path"))
	case details.text("serverName", "server_name") != "":
		return digest(thread, "mcp", details.text("serverName", "server_name"), details.text("toolName", "tool_name"))
	}
	return ""
}

func (c *call) geminiTool(p *Plan, proof Proof) {
	about := c.input
	if mcp := c.object("mcp_context"); mcp != nil {
		about = fields{"servername": mcp.raw("server_name"), "toolname": mcp.raw("tool_name")}
	}
	c.rawCall = geminiCall(c.thread, about)
	c.ran(p, proof)
}

func geminiNotification(c *call, p *Plan) {
	message := c.text("message")
	if fold(c.text("notification_type")) != "toolpermission" {
		it := c.item("notice", c.unique("notice"), cmp.Or(message, "Notification"))
		p.Items = append(p.Items, it)
		return
	}
	details := c.object("details")
	c.input = details
	c.rawCall = geminiCall(c.thread, details)
	c.tool = details.text("type")
	title, full := c.wants()
	if details.text("command", "filePath", "url") == "" {
		title, full = "Wants to use "+cmp.Or(details.text("toolDisplayName", "toolName", "title"), "a tool"), ""
	}
	p.State = StateWaiting
	it := c.item(Permission, cmp.Or(c.rawCall, c.unique("dialog")), title)
	it.Publish.Severity = wire.SeverityWarning
	it.Publish.Body = cut(cmp.Or(full, message), maxBody)
	it.told(wire.EventClarificationRequested, cmp.Or(c.text("timestamp"), c.unique("dialog")))
	c.asks(p, it, "permission", nil)
}
