package agents

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"signalbox/bridge/wire"
)

// claudeOutput is what a hook of Claude Code prints.
type claudeOutput struct {
	Specific any `json:"hookSpecificOutput"`
}

type claudeDecision struct {
	Event    string `json:"hookEventName"`
	Decision struct {
		Behavior  string           `json:"behavior"`
		Message   string           `json:"message,omitzero"`
		Interrupt *bool            `json:"interrupt,omitzero"`
		Input     jsontext.Value   `json:"updatedInput,omitzero"`
		Updates   []jsontext.Value `json:"updatedPermissions,omitempty"`
	} `json:"decision"`
}

type claudePreDecision struct {
	Event    string         `json:"hookEventName"`
	Decision string         `json:"permissionDecision"`
	Reason   string         `json:"permissionDecisionReason,omitzero"`
	Input    jsontext.Value `json:"updatedInput,omitzero"`
}

// maxSuggestions is how many of the agent's own suggestions are offered.
const maxSuggestions = 3

// claudeAnswer is how a tool's permission is answered: once, for this session by the agent's own suggestion, or not.
func claudeAnswer(c *call) *permissionAnswer {
	options := []wire.Option{{ID: OptionAllow, Label: "Allow once"}}
	updates := map[string]jsontext.Value{}
	for _, s := range c.objects("permission_suggestions") {
		label, description := suggestion(s)
		if label == "" || len(updates) == maxSuggestions {
			continue
		}
		id := OptionSession
		if n := len(updates); n > 0 {
			id += "-" + strconv.Itoa(n+1)
		}
		updates[id] = forSession(s)
		options = append(options, wire.Option{ID: id, Label: oneLine(label, maxLabel), Description: oneLine(description, maxLine)})
	}
	options = append(options,
		wire.Option{ID: OptionDeny, Label: "Deny", Style: wire.StyleDanger, Comment: wire.CommentOptional, Description: "Your comment tells the agent why."},
		wire.Option{ID: OptionStop, Label: "Deny and stop", Style: wire.StyleDanger, Comment: wire.CommentOptional, Description: "The agent stops and waits for you."})
	return &permissionAnswer{
		options: options,
		decide: func(a wire.Answer) (string, error) {
			out := claudeDecision{Event: "PermissionRequest"}
			switch update, session := updates[a.Option]; {
			case a.Option == OptionAllow:
				out.Decision.Behavior = "allow"
			case session:
				out.Decision.Behavior = "allow"
				out.Decision.Updates = []jsontext.Value{update}
			case a.Option == OptionDeny, a.Option == OptionStop:
				stop := a.Option == OptionStop
				out.Decision.Behavior = "deny"
				out.Decision.Message = cmp.Or(a.Comment, "Denied by the owner.")
				out.Decision.Interrupt = &stop
			default:
				return "", errOption(a)
			}
			return output(claudeOutput{out})
		},
	}
}

// suggestion is how a suggestion of the agent is offered; an empty label: it isn't, as it takes leave away or keeps
// it for longer than the session in a way that cannot be put right.
func suggestion(s fields) (label, description string) {
	switch s.text("type") {
	case "addRules":
		if s.text("behavior") != "allow" {
			return "", ""
		}
		var rules, what []string
		for _, r := range s.objects("rules") {
			tool, content := r.text("toolName"), r.text("ruleContent")
			rule := tool
			if content != "" {
				rule += "(" + content + ")"
			}
			rules = append(rules, rule)
			switch {
			case content == "":
				what = append(what, "any "+tool)
			case tool == "Bash":
				what = append(what, content)
			default:
				what = append(what, rule)
			}
		}
		return forThisSession(what), strings.Join(rules, ", ")
	case "setMode":
		switch mode := s.text("mode"); mode {
		case "", "bypassPermissions":
			return "", ""
		case "acceptEdits":
			return "Allow, and all edits of this session", "Mode " + mode
		default:
			return "Allow, and switch to " + mode, "For this session"
		}
	case "addDirectories":
		return "Allow, and these folders for this session", strings.Join(s.texts("directories"), ", ")
	}
	return "", ""
}

// forSession is the agent's own suggestion, kept to the session.
func forSession(s fields) jsontext.Value {
	out := map[string]any{"type": s.text("type"), "destination": "session"}
	if b := s.text("behavior"); b != "" {
		out["behavior"] = b
	}
	if m := s.text("mode"); m != "" {
		out["mode"] = m
	}
	if d := s.texts("directories"); len(d) > 0 {
		out["directories"] = d
	}
	if s.raw("rules") != nil {
		var rules []map[string]string
		for _, r := range s.objects("rules") {
			rule := map[string]string{"toolName": r.text("toolName")}
			if content := r.text("ruleContent"); content != "" {
				rule["ruleContent"] = content
			}
			rules = append(rules, rule)
		}
		out["rules"] = rules
	}
	return jsontext.Value(canonical(jsontext.Value(encode(out))))
}

// allowWith is the output that lets a tool run with another input.
func allowWith(event string, input jsontext.Value, updates ...jsontext.Value) (string, error) {
	if event == "PreToolUse" {
		return output(claudeOutput{claudePreDecision{Event: event, Decision: "allow", Input: input}})
	}
	out := claudeDecision{Event: event}
	out.Decision.Behavior = "allow"
	out.Decision.Input = input
	out.Decision.Updates = updates
	return output(claudeOutput{out})
}

// denyWith is the output that refuses a tool and tells the agent why.
func denyWith(event, message string) (string, error) {
	if event == "PreToolUse" {
		return output(claudeOutput{claudePreDecision{Event: event, Decision: "deny", Reason: message}})
	}
	stop := false
	out := claudeDecision{Event: event}
	out.Decision.Behavior, out.Decision.Message, out.Decision.Interrupt = "deny", message, &stop
	return output(claudeOutput{out})
}

// Options of a plan approval.
const (
	optionApprove      = "approve"
	optionApproveEdits = "approve-accept-edits"
	optionKeepPlanning = "keep-planning"
)

// claudePlan plans that a plan waits for approval. Its options are the plan's own, never Allow and Deny.
func claudePlan(c *call, p *Plan, event string) {
	p.State = StateWaiting
	it := c.item(Planned, c.rawCall, planTitle(c.input.text("plan")))
	it.Publish.Severity = wire.SeverityWarning
	it.Publish.Body = cut(c.input.text("plan"), maxBody)
	it.told(wire.EventClarificationRequested, c.requestID("plan"))
	it.Recurs = true
	it.Adopts = string(Permission) + "/" + generic
	input := c.raw("tool_input")
	c.asks(p, it, "plan_approval", &permissionAnswer{
		prompt: "Is this the plan to follow?",
		options: []wire.Option{
			{ID: optionApprove, Label: "Approve", Style: wire.StylePrimary, Description: "Each edit is still asked for."},
			{ID: optionApproveEdits, Label: "Approve, and accept edits", Description: "Edits of this session are not asked for."},
			{ID: optionKeepPlanning, Label: "Keep planning", Comment: wire.CommentOptional, Description: "Your comment tells what to change."},
		},
		decide: func(a wire.Answer) (string, error) {
			switch a.Option {
			case optionApprove:
				return allowWith(event, input)
			case optionApproveEdits:
				return allowWith(event, input, jsontext.Value(`{"type":"setMode","mode":"acceptEdits","destination":"session"}`))
			case optionKeepPlanning:
				return denyWith(event, cmp.Or(a.Comment, "The owner wants the plan to be worked on further."))
			}
			return "", errOption(a)
		},
	})
}
