package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"signalbox/bridge/wire"
)

// property is one value that a server behind the agent asks for, and how its answer goes back.
type property struct {
	name   string            // the server's own name
	field  wire.Field        // ID is the position: names may be anything
	values map[string]string // of a label shown, the value meant; nil: the label itself
}

// maxProperties bounds how many values of one form are asked for.
const maxProperties = 40

// schemaProperties reads a flat schema, in its own order. What it cannot show it asks for as text.
func schemaProperties(schema fields) []property {
	required := map[string]bool{}
	for _, n := range schema.texts("required") {
		required[n] = true
	}
	var out []property
	for _, m := range members(schema.raw("properties")) {
		if len(out) == maxProperties {
			break
		}
		s, _ := decodeObject(m.value)
		p := property{name: m.name, field: wire.Field{
			ID: fmt.Sprintf("value-%d", len(out)+1), Label: oneLine(cmp.Or(s.text("title"), m.name), maxLabel), Type: wire.FieldText, Required: required[m.name],
		}}
		if d := s.text("description"); d != "" {
			p.field.Label = oneLine(p.field.Label+": "+d, maxLine)
		}
		p.kind(s)
		out = append(out, p)
	}
	return out
}

// kind sets the type of the field and its bounds.
func (p *property) kind(s fields) {
	f := &p.field
	choices := func(s fields) bool {
		labels := s.texts("enumNames")
		for i, v := range s.texts("enum") {
			if i < len(labels) {
				p.choice(labels[i], v)
			} else {
				p.choice(v, v)
			}
		}
		for _, o := range append(s.objects("oneOf"), s.objects("anyOf")...) {
			if v := o.text("const"); v != "" {
				p.choice(cmp.Or(o.text("title"), v), v)
			}
		}
		return len(f.Choices) > 0
	}
	switch s.text("type") {
	case "boolean":
		f.Type = wire.FieldBoolean
		if s.raw("default") != nil {
			f.Default = s.flag("default")
		}
		return
	case "integer", "number":
		f.Type = wire.FieldNumber
		if s.text("type") == "integer" {
			f.Type = wire.FieldInteger
		}
		f.Min, f.Max, f.Default = number(s.raw("minimum")), number(s.raw("maximum")), number(s.raw("default"))
		return
	case "array":
		if choices(s.object("items")) {
			f.Type = wire.FieldChoices
			f.Min, f.Max = number(s.raw("minItems")), number(s.raw("maxItems"))
			return
		}
	}
	if choices(s) {
		f.Type = wire.FieldChoice
	} else {
		f.Min, f.Max = number(s.raw("minLength")), number(s.raw("maxLength"))
		if s.text("format") == "date" {
			f.Type, f.Min, f.Max = wire.FieldDate, nil, nil
		}
	}
	if d := s.text("default"); d != "" {
		for label, v := range p.values {
			if v == d {
				d = label
			}
		}
		f.Default = d
	}
}

func (p *property) choice(label, value string) {
	label = oneLine(label, maxLabel)
	if p.values == nil {
		p.values = map[string]string{}
	}
	if _, twice := p.values[label]; twice || label == "" || len(p.field.Choices) >= 100 {
		return
	}
	p.values[label] = value
	p.field.Choices = append(p.field.Choices, label)
}

// number is a bound as the bridge has it; nil: there is none.
func number(v jsontext.Value) any {
	if v.Kind() != '0' {
		return nil
	}
	var n float64
	if json.Unmarshal(v, &n) != nil || math.IsInf(n, 0) {
		return nil
	}
	return n
}

// content is the values of an answer by the server's own names.
func content(list []property, a wire.Answer) map[string]any {
	out := map[string]any{}
	for _, p := range list {
		v, ok := a.Fields[p.field.ID]
		if !ok || v == nil {
			continue
		}
		switch p.field.Type {
		case wire.FieldChoice:
			if s, ok := v.(string); ok {
				v = p.value(s)
			}
		case wire.FieldChoices:
			var chosen []string
			for _, s := range answerTexts(v) {
				chosen = append(chosen, p.value(s))
			}
			v = chosen
		}
		out[p.name] = v
	}
	return out
}

func (p property) value(label string) string {
	if v, ok := p.values[label]; ok {
		return v
	}
	return label
}

// claudeElicitation plans that a server behind the agent asks for values, or for a visit to a page.
func claudeElicitation(c *call, p *Plan) {
	c.setElicitation()
	p.State = StateWaiting
	server := cmp.Or(oneLine(c.text("mcp_server_name"), 80), "A server")
	it := c.item(Form, cmp.Or(c.request, c.unique("form")), server+" asks: "+cmp.Or(c.text("message"), "for values"))
	it.Publish.Severity = wire.SeverityWarning
	it.Publish.Body = cut(c.text("message"), maxBody)
	it.told(wire.EventClarificationRequested, cmp.Or(c.text("elicitation_id"), c.occurrence(cmp.Or(c.turn, "session"))+"/form/"+c.request))
	it.Recurs = c.text("elicitation_id") == ""
	it.Adopts = string(Form) + "/" + generic
	page := c.text("url")
	if page != "" && (strings.HasPrefix(page, "https://") || strings.HasPrefix(page, "http://")) {
		it.Publish.Links = []wire.Link{{Title: "Open the page", URL: page}}
	}
	list := schemaProperties(c.object("requested_schema"))
	if c.text("mode") == "url" {
		list = nil
	}
	answer := &permissionAnswer{
		prompt: cmp.Or(c.text("message"), it.Publish.Title),
		options: []wire.Option{
			{ID: "accept", Label: "Send", Style: wire.StylePrimary},
			{ID: "decline", Label: "Decline", SkipsFields: true},
			{ID: "cancel", Label: "Cancel", SkipsFields: true},
		},
		decide: func(a wire.Answer) (string, error) {
			out := map[string]any{"hookEventName": "Elicitation", "action": a.Option}
			switch a.Option {
			case "accept":
				if len(list) > 0 {
					out["content"] = content(list, a)
				}
			case "decline", "cancel":
			default:
				return "", errOption(a)
			}
			return output(claudeOutput{out})
		},
	}
	if len(list) == 0 {
		answer.options[0].Label = "Done"
	}
	for _, pr := range list {
		answer.fields = append(answer.fields, pr.field)
	}
	c.asks(p, it, "form", answer)
}
