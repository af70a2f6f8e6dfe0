package agents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"signalbox/bridge/wire"
)

// openCode is OpenCode. Its events come through its plugin or its own event stream; it alone tells when a request was
// answered elsewhere. Its answers are calls of its server, printed for the plugin, or made by the follower.
var openCode = &Agent{
	Name: "opencode", Label: "OpenCode", Color: "#F5A742", Answers: true,
	Events:    handled(openCodeEvents),
	translate: translateOpenCode,
}

var openCodeEvents = []handler{
	{"session.created", func(c *call, p *Plan) {
		if c.thread == "" {
			c.started(p, c.input.object("info").text("title"))
		}
	}},
	{"session.updated", func(c *call, p *Plan) {
		if t := c.input.object("info").text("title"); t != "" && c.thread == "" {
			p.Title = oneLine(t, maxTitle)
		}
	}},
	{"session.deleted", func(c *call, p *Plan) {
		c.ended(p, false)
		c.prove(p, Removed)
	}},
	{"session.compacted", nothing},
	{"session.status", openCodeStatus},
	{"session.idle", func(c *call, p *Plan) { c.finished(p, c.text("said"), false) }},
	{"session.error", openCodeError},
	{"message.updated", openCodeMessage},
	{"permission.asked", openCodePermission},
	{"permission.v2.asked", openCodePermission},
	{"permission.updated", openCodePermission},
	{"permission.replied", openCodeReplied},
	{"permission.v2.replied", openCodeReplied},
	{"question.asked", openCodeQuestion},
	{"question.v2.asked", openCodeQuestion},
	{"question.replied", openCodeReplied},
	{"question.v2.replied", openCodeReplied},
	{"question.rejected", openCodeReplied},
	{"question.v2.rejected", openCodeReplied},
	{"todo.updated", nothing},
	{"file.edited", nothing},
	{"installation.update-available", func(c *call, p *Plan) {
		version := c.input.text("version")
		it := Item{Publish: wire.Publish{
			Key: "update/" + identifier(cmp.Or(version, "new")), Title: oneLine("OpenCode "+version+" can be installed", maxTitle),
			Data: encode(c.data()),
		}}
		it.told(wire.EventUpdateAvailable, cmp.Or(version, c.unique("update")))
		p.Session, p.Items = "", append(p.Items, it)
	}},
	{"tui.toast.show", nothing},
}

// translateOpenCode reads an event as it is, as the global stream wraps it (payload), or as the plugin does (event,
// with the parent of a sub-agent's session).
func translateOpenCode(c *call, p *Plan) {
	outer := c.fields
	if o := c.object("payload", "event"); o != nil {
		c.fields = o
	}
	c.event = cmp.Or(c.text("type"), c.Event)
	c.input = c.object("properties")
	info := c.input.object("info")
	c.session = sessionID(c.input.text("sessionID"), info.text("sessionID"), sessionInfoID(c.event, info), c.Session)
	// A sub-agent is a session of its own, with a parent.
	if outer.text("parent") != "" || info.text("parentID") != "" {
		c.thread, c.typ = c.session, cmp.Or(outer.text("agent"), "sub-agent")
	}
	c.fields["said"] = outer.raw("said")
	c.turn = identified(cmp.Or(outer.text("turn"), c.text("id")))
	c.request = identified(cmp.Or(c.input.text("requestID", "permissionID"), requestOf(c.event, c.input)))
	dispatch(openCodeEvents, c, p)
}

func sessionInfoID(event string, info fields) string {
	if strings.HasPrefix(event, "session.") {
		return info.text("id")
	}
	return ""
}

func requestOf(event string, properties fields) string {
	if strings.HasPrefix(event, "permission.") || strings.HasPrefix(event, "question.") {
		return properties.text("id")
	}
	return ""
}

func openCodeStatus(c *call, p *Plan) {
	status := c.input.object("status")
	switch status.text("type") {
	case "busy":
		if c.thread == "" {
			p.State = StateWorking
		}
		c.prove(p, Busy)
	case "retry":
		if c.thread != "" {
			return
		}
		p.State = StatePaused
		it := c.item(Retry, "waiting", fmt.Sprintf("Tries again (attempt %s)", cmp.Or(status.text("attempt"), "?")))
		it.Publish.Kind, it.Publish.Severity = wire.KindStatus, wire.SeverityWarning
		it.Publish.Body = cut(status.text("message"), maxBody)
		if a := status.object("action"); a != nil {
			if link := a.text("link"); strings.HasPrefix(link, "https://") {
				it.Publish.Links = []wire.Link{{Title: oneLine(cmp.Or(a.text("label"), a.text("title")), maxLabel), URL: link}}
			}
			if m := a.text("message"); m != "" {
				it.Publish.Lines = append(it.Publish.Lines, oneLine(m, maxLine))
			}
		}
		p.Items = append(p.Items, it)
	}
	// Idle comes as session.idle as well: that one is the turn's end.
}

// openCodeMessage is a new prompt, when it is the user's message.
func openCodeMessage(c *call, p *Plan) {
	info := c.input.object("info")
	if info.text("role") != "user" || c.thread != "" {
		return
	}
	c.turn = ""
	c.prompted(p, "", true)
	p.Title = "" // OpenCode names its sessions itself
}

// openCodeErrors are the kinds of failure in words.
var openCodeErrors = map[string]string{
	"providerautherror":        "Not signed in",
	"unknownerror":             "Failed",
	"messageoutputlengtherror": "Answer too long",
	"structuredoutputerror":    "Answer has the wrong form",
	"contextoverflowerror":     "Context is full",
	"contentfiltererror":       "Stopped by the content filter",
	"apierror":                 "Service failed",
}

func openCodeError(c *call, p *Plan) {
	e := c.input.object("error")
	kind := e.text("name")
	message := cmp.Or(e.object("data").text("message"), e.text("message"))
	if strings.Contains(fold(kind), "aborted") {
		// The owner stopped it himself: nothing to tell.
		p.State, p.OwnerHere = StateIdle, c.thread == ""
		c.prove(p, Stopped)
		return
	}
	title, ok := openCodeErrors[fold(kind)]
	if !ok || title == "" {
		title = "Failed"
	}
	c.broke(p, kind, failure(title, message), message, wire.SeverityError)
}

func openCodeReplied(c *call, p *Plan) {
	p.StateIfEnded = StateWorking
	how := c.input.text("reply", "response")
	if strings.HasSuffix(c.event, "rejected") {
		how = "declined"
	}
	p.Evidence = append(p.Evidence, Evidence{Proof: Replied, Event: c.event, Thread: c.thread, Request: c.request, How: how})
}

// openCodeCall is an answer: a call of OpenCode's own server.
type openCodeCall struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Body   any    `json:"body,omitzero"`
}

func openCodePermission(c *call, p *Plan) {
	in := c.input
	c.tool = cmp.Or(in.text("permission", "action"), in.text("type"))
	patterns := append(append(in.texts("patterns"), in.texts("resources")...), in.texts("pattern")...)
	if s := in.text("pattern"); s != "" {
		patterns = append(patterns, s)
	}
	always := in.texts("always", "save")
	p.State = StateWaiting
	title, full := "Wants to use "+cmp.Or(c.tool, "a tool"), strings.Join(patterns, "\n")
	if len(patterns) > 0 {
		title += ": " + headline(patterns[0], maxHeadline)
		if c.tool == "bash" {
			full = cmp.Or(in.object("metadata").text("command"), full)
		}
		if input := openCodeInput(c.tool, full, patterns[0]); input != nil {
			c.input = input
			title, _ = c.wants()
		}
	}
	it := c.item(Permission, cmp.Or(c.request, c.unique("permission")), title)
	it.Publish.Severity = wire.SeverityWarning
	if full != "" {
		it.Publish.Body = code(full)
	}
	if own := oneLine(in.text("title"), maxLine); own != "" && !slices.Contains(patterns, own) {
		it.Publish.Lines = []string{oneLine(c.agent.Label+" says: "+own, maxLine)}
	}
	it.told(wire.EventClarificationRequested, c.requestID("permission"))
	options := []wire.Option{{ID: OptionAllow, Label: "Allow once"}}
	if len(always) > 0 || c.event == "permission.updated" {
		options = append(options, wire.Option{ID: OptionSession, Label: forThisSession(always), Description: oneLine(strings.Join(always, ", "), maxLine)})
	}
	deny := wire.Option{ID: OptionDeny, Label: "Deny", Style: wire.StyleDanger, Comment: wire.CommentOptional}
	if c.event == "permission.updated" {
		deny.Comment = "" // the older answer has no place for a message: none is asked for that nobody would read
	}
	options = append(options, deny)
	event, session, request := c.event, c.session, c.request
	c.asks(p, it, "permission", &permissionAnswer{
		options: options,
		decide: func(a wire.Answer) (string, error) {
			reply := map[string]string{OptionAllow: "once", OptionSession: "always", OptionDeny: "reject"}[a.Option]
			if reply == "" {
				return "", errOption(a)
			}
			body := map[string]string{"reply": reply}
			path := wire.Path("/permission/{request}/reply", request)
			switch event {
			case "permission.updated":
				path = wire.Path("/session/{session}/permissions/{request}", session, request)
				body = map[string]string{"response": reply}
			case "permission.v2.asked":
				path = wire.Path("/api/session/{session}/permission/{request}/reply", session, request)
			}
			if a.Comment != "" && event != "permission.updated" {
				body["message"] = a.Comment
			}
			return output(openCodeCall{"POST", path, body})
		},
	})
}

// openCodeInput is the input of a tool as other agents give it, of its command or of the first thing that it is to be used on;
// nil: the tool is none that others have.
func openCodeInput(tool, command, thing string) fields {
	name, value := "file_path", thing
	switch {
	case tool == "bash":
		name, value = "command", command
	case tool == "webfetch":
		name = "url"
	case toolVerb(tool) == "search":
		name = "pattern"
	case toolVerb(tool) == "":
		return nil
	}
	return fields{fold(name): jsontext.Value(encode(value))}
}

func openCodeQuestion(c *call, p *Plan) {
	p.State = StateWaiting
	list := askedOf(c.input.objects("questions"), true)
	it := c.item(Question, cmp.Or(c.request, c.unique("question")), questionTitle(list))
	it.Publish.Severity = wire.SeverityWarning
	it.Publish.Body = questionBody(list)
	it.told(wire.EventClarificationRequested, c.requestID("question"))
	if len(list) == 0 {
		c.asks(p, it, "question", nil)
		return
	}
	options, fieldsOf := form(list, "Answer nothing")
	base := wire.Path("/question/{request}", c.request)
	if c.event == "question.v2.asked" {
		base = wire.Path("/api/session/{session}/question/{request}", c.session, c.request)
	}
	prompt := list[0].question
	if len(list) > 1 {
		prompt = fmt.Sprintf("%d questions", len(list))
	}
	c.asks(p, it, "question", &permissionAnswer{
		prompt: prompt, options: options, fields: fieldsOf,
		decide: func(a wire.Answer) (string, error) {
			if a.Option == optionDecline {
				return output(openCodeCall{Method: "POST", Path: base + "/reject"})
			}
			given, err := chosen(list, a)
			if err != nil {
				return "", err
			}
			return output(openCodeCall{"POST", base + "/reply", map[string]any{"answers": given}})
		},
	})
}
