package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"signalbox/bridge/wire"
)

// asked is one question of a bundle, of any agent.
type asked struct {
	question string
	header   string
	options  []wire.Option // ID is the position, Label the agent's text
	labels   []string      // the agent's own texts, uncut
	multiple bool
	custom   bool // the owner may write an answer of his own
}

const (
	optionOther   = "other"   // an answer of one's own, in the comment
	optionSend    = "send"    // the fields are the answer
	optionDecline = "decline" // no answer
	maxQuestions  = 8
	otherLabel    = "Something else"
)

// askedOf reads a bundle of questions.
func askedOf(list []fields, custom bool) []asked {
	var out []asked
	for _, q := range list {
		if len(out) == maxQuestions {
			break
		}
		a := asked{
			question: q.text("question"), header: oneLine(q.text("header"), 60), multiple: q.flag("multiSelect", "multiple"),
			custom: custom && (q.raw("custom") == nil || q.flag("custom")),
		}
		for i, o := range q.objects("options") {
			label := o.text("label")
			if label == "" || i >= 20 {
				continue
			}
			a.labels = append(a.labels, label)
			a.options = append(a.options, wire.Option{
				ID: "option-" + strconv.Itoa(len(a.labels)), Label: oneLine(label, maxLabel), Description: oneLine(o.text("description"), maxLine),
			})
		}
		out = append(out, a)
	}
	return out
}

// form is the interaction of a bundle: one plain question has its options as they are, several have a field each.
// decline is the label of the way not to answer; empty: there is none.
func form(list []asked, decline string) (options []wire.Option, fieldsOf []wire.Field) {
	if len(list) == 1 && !list[0].multiple && len(list[0].options) > 0 {
		options = append(options, list[0].options...)
		if list[0].custom {
			options = append(options, wire.Option{ID: optionOther, Label: otherLabel, Comment: wire.CommentRequired, Description: "Your comment is the answer."})
		}
	} else {
		for i, q := range list {
			id := "question-" + strconv.Itoa(i+1)
			f := wire.Field{ID: id, Label: oneLine(cmp.Or(q.question, q.header, id), maxLine), Type: wire.FieldText}
			for _, o := range q.options {
				f.Choices = append(f.Choices, o.Label)
			}
			switch {
			case len(f.Choices) == 0:
				f.Required = true
			case q.multiple:
				f.Type = wire.FieldChoices
			default:
				f.Type = wire.FieldChoice
			}
			fieldsOf = append(fieldsOf, f)
			if q.custom && len(f.Choices) > 0 {
				fieldsOf = append(fieldsOf, wire.Field{ID: id + "-other", Label: oneLine(otherLabel+" ("+cmp.Or(q.header, q.question)+")", maxLine), Type: wire.FieldText})
			}
		}
		options = append(options, wire.Option{ID: optionSend, Label: "Send", Style: wire.StylePrimary})
	}
	if decline != "" {
		options = append(options, wire.Option{ID: optionDecline, Label: decline, Comment: wire.CommentOptional})
	}
	return options, fieldsOf
}

// chosen is the owner's answer to each question, in the agent's own texts. It refuses an answer that leaves a
// question open.
func chosen(list []asked, a wire.Answer) ([][]string, error) {
	out := make([][]string, len(list))
	if a.Option == optionOther {
		if a.Comment == "" {
			return nil, fmt.Errorf("the answer needs a comment")
		}
		out[0] = []string{a.Comment}
		return out, nil
	}
	if n, ok := strings.CutPrefix(a.Option, "option-"); ok {
		i, err := strconv.Atoi(n)
		if err != nil || len(list) != 1 || i < 1 || i > len(list[0].labels) {
			return nil, errOption(a)
		}
		out[0] = []string{list[0].labels[i-1]}
		return out, nil
	}
	if a.Option != optionSend {
		return nil, errOption(a)
	}
	for i, q := range list {
		id := "question-" + strconv.Itoa(i+1)
		for _, text := range answerTexts(a.Fields[id]) {
			for j, o := range q.options {
				if o.Label == text {
					text = q.labels[j]
				}
			}
			out[i] = append(out[i], text)
		}
		if own := answerTexts(a.Fields[id+"-other"]); len(own) > 0 && own[0] != "" {
			if q.multiple {
				out[i] = append(out[i], own[0])
			} else {
				out[i] = own[:1]
			}
		}
		if len(out[i]) == 0 {
			return nil, fmt.Errorf("question %d has no answer", i+1)
		}
	}
	return out, nil
}

// answerTexts are the texts of a field's value.
func answerTexts(v any) []string {
	switch v := v.(type) {
	case string:
		if v == "" {
			return nil
		}
		return []string{v}
	case []any:
		var out []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				out = append(out, s)
			}
		}
		return out
	case []string:
		return v
	}
	return nil
}

func errOption(a wire.Answer) error { return fmt.Errorf("no such option: %q", oneLine(a.Option, 60)) }

// output is the text of what a hook prints.
func output(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimRight(b.String(), "\n"), nil
}

// questionTitle is the title of a bundle: its first question, and how many there are beside it.
func questionTitle(list []asked) string {
	switch {
	case len(list) == 0 || list[0].question == "":
		return "Asks a question"
	case len(list) == 1:
		return list[0].question
	}
	return headline(list[0].question, maxTitle-20) + fmt.Sprintf(" (and %d more)", len(list)-1)
}

// questionBody is a bundle as text, for where it can only be read.
func questionBody(list []asked) string {
	var b strings.Builder
	for i, q := range list {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString("**" + strings.ReplaceAll(oneLine(q.question, maxLine), "*", `\*`) + "**\n")
		for _, o := range q.options {
			b.WriteString("\n- " + o.Label)
			if o.Description != "" {
				b.WriteString(": " + o.Description)
			}
		}
	}
	return cut(b.String(), maxBody)
}

// claudeQuestion plans the agent's own question. The tool takes its answers as another input of itself: the questions
// as they were, and the answer to each by its text.
func claudeQuestion(c *call, p *Plan, event string) {
	p.State = StateWaiting
	list := askedOf(c.input.objects("questions"), true)
	c.rawCall = digest(c.thread, "question", canonical(c.input.raw("questions")))
	it := c.item(Question, c.rawCall, questionTitle(list))
	it.Publish.Severity = wire.SeverityWarning
	it.Publish.Body = questionBody(list)
	it.told(wire.EventClarificationRequested, c.requestID("question"))
	it.Recurs = true
	it.Adopts = string(Permission) + "/" + generic
	if len(list) == 0 {
		c.asks(p, it, "question", nil)
		return
	}
	options, fieldsOf := form(list, "")
	prompt := list[0].question
	if len(list) > 1 {
		prompt = fmt.Sprintf("%d questions", len(list))
	}
	input := c.raw("tool_input")
	c.asks(p, it, "question", &permissionAnswer{
		prompt: prompt, options: options, fields: fieldsOf,
		decide: func(a wire.Answer) (string, error) {
			given, err := chosen(list, a)
			if err != nil {
				return "", err
			}
			answers := map[string]string{}
			for i, q := range list {
				answers[q.question] = strings.Join(given[i], ", ")
			}
			return allowWith(event, withMember(input, "answers", encode(answers)))
		},
	})
}

// withMember is an object with one more member, or with another value of it; the others stay as they were.
func withMember(object jsontext.Value, name string, value []byte) jsontext.Value {
	m := map[string]json.RawMessage{}
	if json.Unmarshal(object, &m) != nil {
		m = map[string]json.RawMessage{}
	}
	m[name] = value
	return jsontext.Value(encode(m))
}
