package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// askCmd asks the owner and waits. The chosen option, or the text, is printed.
type askCmd struct {
	Prompt        string        `arg:"" help:"What is asked."`
	Option        []string      `short:"o" sep:"none" placeholder:"ID[=LABEL]" help:"One way to answer; repeat for several. A ! before the id makes it dangerous, a ? after it lets it take a comment."`
	Field         []string      `short:"f" sep:"none" placeholder:"ID:TYPE[=DEFAULT]" help:"A value to fill in: text, number, integer, boolean, date, duration, choice(a|b) or choices(a|b); a ! after the id makes it required."`
	Text          bool          `help:"Ask for free text."`
	Timeout       time.Duration `help:"Give up after this time (exit code 5)."`
	TimeoutOption string        `help:"Option taken when it times out."`
	Default       string        `help:"Option that is suggested."`
	Kind          string        `default:"question" help:"Kind of question: question, permission, plan_approval, …"`
	Title         string        `help:"Title, where it differs from what is asked."`
	Detach        bool          `help:"Do not wait: print the id. Ask again with --id."`
	ID            string        `name:"id" help:"Wait for a question that was asked before."`
	content       `embed:""`
}

func (c *askCmd) Run(a *app) error {
	if c.TimeoutOption != "" && c.Timeout == 0 {
		return usage("--timeout-option goes with --timeout")
	}
	center, id, err := a.producer()
	if err != nil {
		return err
	}
	if c.ID != "" {
		n, err := center.Await(a.ctx, c.ID)
		return c.ended(a, n, err, nil)
	}
	p, err := c.publish(a, cmp.Or(c.Title, firstLineOf(c.Prompt)))
	if err != nil {
		return err
	}
	p.Kind = wire.KindInteraction
	if p.Interaction, err = c.interaction(); err != nil {
		return err
	}
	if c.Detach {
		out, err := center.Publish(a.ctx, id, p)
		if err != nil {
			return err
		}
		return a.result(out.Notification, func(w io.Writer) { fmt.Fprintln(w, out.Notification.ID) })
	}
	n, err := center.Ask(a.ctx, id, p)
	return c.ended(a, n, err, center)
}

func firstLineOf(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return shortTitle(s)
}

func (c *askCmd) interaction() (*wire.Interaction, error) {
	i := &wire.Interaction{Kind: c.Kind, Prompt: c.Prompt, DefaultOption: c.Default, TimeoutSeconds: c.Timeout.Seconds(), TimeoutOption: c.TimeoutOption}
	for _, o := range c.Option {
		id, label, named := strings.Cut(o, "=")
		opt := wire.Option{}
		if rest, ok := strings.CutPrefix(id, "!"); ok {
			id, opt.Style = rest, wire.StyleDanger
		}
		if rest, ok := strings.CutSuffix(id, "?"); ok {
			id, opt.Comment = rest, wire.CommentOptional
		}
		opt.ID, opt.Label = id, label
		if !named {
			opt.Label = id
		}
		i.Options = append(i.Options, opt)
	}
	for _, f := range c.Field {
		field, err := parseField(f)
		if err != nil {
			return nil, err
		}
		i.Fields = append(i.Fields, field)
	}
	if c.Text {
		i.Fields = append(i.Fields, wire.Field{ID: "text", Label: "Answer", Type: wire.FieldText, Required: len(i.Options) == 0})
	}
	if len(i.Options) == 0 && len(i.Fields) == 0 {
		i.Options = []wire.Option{{ID: "yes", Label: "Yes", Style: wire.StylePrimary}, {ID: "no", Label: "No"}}
	}
	return i, nil
}

// parseField reads ID[!]:TYPE[=DEFAULT].
func parseField(s string) (wire.Field, error) {
	left, def, hasDefault := strings.Cut(s, "=")
	id, typ, ok := strings.Cut(left, ":")
	if !ok {
		typ = wire.FieldText
	}
	id, required := strings.CutSuffix(id, "!")
	f := wire.Field{ID: id, Label: id, Required: required}
	if id == "" {
		return f, usage("--field wants ID:TYPE[=DEFAULT]")
	}
	typ, choices, listed := strings.Cut(typ, "(")
	f.Type = typ
	switch typ {
	case wire.FieldChoice, wire.FieldChoices:
		if f.Choices = strings.Split(strings.TrimSuffix(choices, ")"), "|"); !listed || choices == ")" {
			return f, usage("--field %s wants %s(a|b)", id, typ)
		}
	case wire.FieldText, wire.FieldNumber, wire.FieldInteger, wire.FieldBoolean, wire.FieldDate, wire.FieldDuration:
	default:
		return f, usage("--field %s: no type %q", id, typ)
	}
	if hasDefault {
		f.Default = any(def)
		switch typ {
		case wire.FieldNumber, wire.FieldInteger, wire.FieldBoolean:
			if json.Unmarshal([]byte(def), &f.Default) != nil {
				return f, usage("--field %s: %q is no %s", id, def, typ)
			}
		case wire.FieldChoices:
			f.Default = strings.Split(def, "|")
		}
	}
	return f, nil
}

// ended tells how the question ended, by its exit code.
func (c *askCmd) ended(a *app, n wire.Notification, err error, withdraw *client.Client) error {
	if err != nil {
		if a.ctx.Err() != nil && n.ID != "" && withdraw != nil {
			// The script was stopped: nobody waits for the answer any more.
			ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), hookLeave)
			defer cancel()
			if _, cerr := withdraw.Cancel(ctx, n.ID, wire.Ending{Reason: "who asked was stopped"}); cerr != nil {
				return &exitError{exitCancelled, errors.Join(a.ctx.Err(), cerr)}
			}
			return &exitError{exitCancelled, errors.New("stopped; the question is withdrawn")}
		}
		return err
	}
	o := n.Outcome
	if o == nil {
		return fmt.Errorf("the question has not ended")
	}
	if a.cli.JSON {
		if err := a.printJSON(n); err != nil {
			return err
		}
	}
	if o.Answer != nil {
		if !a.cli.JSON {
			printAnswer(a.stdout, *o.Answer)
		}
		return nil
	}
	code, text := exitCancelled, "not answered: "+o.Kind
	if o.Kind == wire.OutcomeTimedOut {
		code, text = exitTimedOut, "timed out"
	}
	if o.Reason != "" {
		text += ": " + clean(o.Reason)
	}
	if a.cli.JSON {
		text = ""
	}
	return &exitError{code, textError(text)}
}

// textError is an error of a text; nil of none.
func textError(s string) error {
	if s == "" {
		return nil
	}
	return errors.New(s)
}

// printAnswer prints the option, then each field as NAME=VALUE, and a comment last. One lone value stands alone.
func printAnswer(w io.Writer, ans wire.Answer) {
	if ans.Option != "" {
		fmt.Fprintln(w, ans.Option)
	}
	if ans.Comment != "" {
		fmt.Fprintln(w, clean(ans.Comment))
	}
	names := make([]string, 0, len(ans.Fields))
	for n := range ans.Fields {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		v := ans.Fields[n]
		text, ok := v.(string)
		if !ok {
			b, _ := json.Marshal(v) // it came as JSON
			text = string(b)
		}
		if len(names) == 1 && ans.Option == "" {
			fmt.Fprintln(w, text)
			continue
		}
		fmt.Fprintf(w, "%s=%s\n", n, text)
	}
}
