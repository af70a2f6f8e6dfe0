package agents

import (
	"cmp"
	"fmt"

	"signalbox/bridge/wire"
)

// permission plans that a tool waits for leave. It is one item for one call; hold gives the ways to answer, nil
// where the agent takes none.
func (c *call) permission(p *Plan, answer *permissionAnswer) {
	p.State = StateWaiting
	title, full := c.wants()
	it := c.item(Permission, cmp.Or(c.request, c.rawCall), title)
	it.Publish.Severity = wire.SeverityWarning
	it.Publish.Body = cut(full, maxBody)
	if d := oneLine(c.input.text("description"), maxLine); d != "" {
		it.Publish.Lines = append(it.Publish.Lines, oneLine(c.agent.Label+" says: "+d, maxLine))
	}
	it.told(wire.EventClarificationRequested, c.requestID("permission"))
	it.Recurs = c.request == ""
	it.Adopts = string(Permission) + "/" + generic
	c.asks(p, it, "permission", answer)
}

// permissionAnswer is how an agent takes an answer.
type permissionAnswer struct {
	options []wire.Option
	fields  []wire.Field
	prompt  string
	decide  func(wire.Answer) (string, error)
	// undecided is what the agent must hear when nobody answered; empty: the plan's output.
	undecided string
}

// asks adds an item that waits, in its two forms: plain, for when nobody holds the agent, and as an interaction.
func (c *call) asks(p *Plan, it Item, kind string, answer *permissionAnswer) {
	plain := it
	plain.Publish.Lines = append(append([]string(nil), it.Publish.Lines...), inItsTerminal)
	p.Items = append(p.Items, plain)
	if answer == nil || c.Wait <= 0 {
		return
	}
	held := it
	held.Publish.Kind = wire.KindInteraction
	held.Publish.Interaction = &wire.Interaction{
		Kind: kind, Prompt: cut(cmp.Or(answer.prompt, it.Publish.Title), maxDetail), Options: answer.options, Fields: answer.fields,
		TimeoutSeconds: seconds(c.Wait),
	}
	p.Ask = &Ask{Item: held, Decide: answer.decide, Undecided: answer.undecided}
}

// requestID is the agent's id of the request, or the turn and what is asked: with Recurs, a later one is told apart.
func (c *call) requestID(kind string) string {
	if c.request != "" {
		return c.request
	}
	return c.occurrence(cmp.Or(c.turn, "session")) + "/" + kind + "/" + c.rawCall
}

// allowOrDeny are the options of a permission that the agent asks for in its own place where nothing is decided here, for
// this once. The order is that of all agents: once, for longer, elsewhere, and no at the end.
func allowOrDeny() []wire.Option {
	return []wire.Option{
		{ID: OptionAllow, Label: "Allow once"},
		{ID: OptionThere, Label: "Ask in its terminal", Description: "Decide nothing here: the agent asks by itself."},
		{ID: OptionDeny, Label: "Deny", Style: wire.StyleDanger, Comment: wire.CommentOptional},
	}
}

// forThisSession is the label of leave for longer, for what is named.
func forThisSession(what []string) string {
	if len(what) == 0 || what[0] == "" {
		return "Allow for this session"
	}
	more := ""
	if len(what) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(what)-1)
	}
	return "Allow " + headline(what[0], 40) + more + " for this session"
}
