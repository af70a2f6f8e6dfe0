package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"signalbox/bridge/wire"
)

// answerCmd answers as the owner, where there is no window.
type answerCmd struct {
	ID      string   `arg:"" help:"Id of the notification that waits."`
	Option  string   `arg:"" optional:"" help:"Id of the option."`
	Comment string   `help:"Comment, where the option takes one."`
	Field   []string `short:"f" sep:"none" placeholder:"ID=VALUE" help:"A value; JSON or text; repeat for several."`
}

func (c *answerCmd) Run(a *app) error {
	center, err := a.owner()
	if err != nil {
		return err
	}
	n, err := center.Get(a.ctx, c.ID)
	if err != nil {
		return err
	}
	ans := wire.Answer{Option: c.Option, Comment: c.Comment}
	for _, f := range c.Field {
		id, text, ok := strings.Cut(f, "=")
		if !ok {
			return usage("--field wants ID=VALUE")
		}
		if ans.Fields == nil {
			ans.Fields = map[string]any{}
		}
		ans.Fields[id] = fieldValue(n, id, text)
	}
	if ans.Option == "" && len(ans.Fields) == 0 {
		return usage("give an option, or --field")
	}
	out, err := center.Answer(a.ctx, c.ID, wire.AnswerRequest{ExpectedRevision: wire.RevisionOf(n), Answer: ans})
	if err != nil {
		return err
	}
	return a.result(out, func(w io.Writer) { fmt.Fprintln(w, "answered", out.ID) })
}

// fieldValue is a value of the type that the field wants; text where the field is text or unknown.
func fieldValue(n wire.Notification, id, text string) any {
	if n.Interaction == nil {
		return text
	}
	for _, f := range n.Interaction.Fields {
		if f.ID != id {
			continue
		}
		switch f.Type {
		case wire.FieldNumber, wire.FieldInteger, wire.FieldBoolean:
			var v any
			if json.Unmarshal([]byte(text), &v) == nil {
				return v
			}
		case wire.FieldChoices:
			return strings.Split(text, "|")
		}
	}
	return text
}
