package center

import (
	"maps"
	"slices"
	"strings"

	"signalbox/notify"
)

// masked returns op with the credentials taken out of its texts, and the fields they were in (S2). It
// writes to nothing that the caller shares.
func (c *Center) masked(op notify.Op) (notify.Op, []string) {
	switch op := op.(type) {
	case notify.Publish:
		op.Masked = c.maskContent(op.Masked, &op.Content)
		op.Masked = c.maskText(op.Masked, "/note", &op.Note)
		return op, op.Masked
	case notify.Update:
		op.Masked = c.maskContent(op.Masked, &op.Changes)
		return op, op.Masked
	case notify.Batch:
		op.Ops = slices.Clone(op.Ops)
		var all []string
		for i := range op.Ops {
			op.Ops[i], _ = c.masked(op.Ops[i])
		}
		return op, all
	case notify.AnswerOp:
		masked := c.maskAnswer(&op.Answer)
		return op, masked
	case notify.Resolve:
		masked := c.maskText(nil, "/reason", &op.Reason)
		return op, masked
	case notify.Expire:
		masked := c.maskText(nil, "/reason", &op.Reason)
		return op, masked
	case notify.Cancel:
		masked := c.maskText(nil, "/reason", &op.Reason)
		return op, masked
	case notify.RejectAnswer:
		masked := c.maskText(nil, "/reason", &op.Reason)
		return op, masked
	case notify.CreateConnection:
		masked := c.maskText(nil, "/label", &op.Label)
		return op, masked
	case notify.UpdateConnection:
		masked := c.maskPointer(nil, "/label", &op.Label)
		return op, masked
	case notify.Hello:
		masked := c.maskPointer(nil, "/label", &op.Label)
		return op, masked
	case notify.PutSession:
		masked := c.maskPointer(nil, "/title", &op.Title)
		masked = c.maskPointer(masked, "/url", &op.URL)
		masked = c.maskPointer(masked, "/state", &op.State)
		return op, masked
	case notify.Import:
		op.Records = slices.Clone(op.Records)
		for i, r := range op.Records {
			op.Records[i] = c.maskRecord(r)
		}
		return op, nil
	}
	return op, nil
}

func (c *Center) maskContent(masked []string, content *notify.Content) []string {
	if more := c.mask(content); len(more) > 0 {
		masked = append(slices.Clip(masked), more...)
	}
	return masked
}

// maskText masks one text as if it were a body.
func (c *Center) maskText(masked []string, at string, s *string) []string {
	if *s == "" {
		return masked
	}
	one := notify.Content{Body: *s}
	if len(c.mask(&one)) == 0 {
		return masked
	}
	*s = one.Body
	return append(slices.Clip(masked), at)
}

func (c *Center) maskPointer(masked []string, at string, s **string) []string {
	if *s == nil {
		return masked
	}
	text := **s
	before := len(masked)
	if masked = c.maskText(masked, at, &text); len(masked) > before {
		*s = &text
	}
	return masked
}

func (c *Center) maskAnswer(a *notify.Answer) []string {
	masked := c.maskText(nil, "/answer/comment", &a.Comment)
	shared := true
	for _, id := range slices.Sorted(maps.Keys(a.Fields)) {
		one := notify.Content{Data: a.Fields[id]}
		if len(c.mask(&one)) == 0 {
			continue
		}
		if shared {
			a.Fields, shared = maps.Clone(a.Fields), false
		}
		a.Fields[id] = one.Data
		masked = append(masked, "/answer/fields/"+escape(id))
	}
	return masked
}

func (c *Center) maskRecord(r *notify.Record) *notify.Record {
	next := *r
	next.Masked = c.maskContent(next.Masked, &next.Content)
	next.PlusOnes = slices.Clone(next.PlusOnes)
	for i := range next.PlusOnes {
		c.maskText(nil, "", &next.PlusOnes[i].Sender)
		c.maskText(nil, "", &next.PlusOnes[i].Note)
	}
	c.maskText(nil, "", &next.InteractionError)
	if next.Outcome != nil {
		outcome := *next.Outcome
		c.maskText(nil, "", &outcome.Reason)
		if outcome.Answer != nil {
			answer := *outcome.Answer
			c.maskAnswer(&answer)
			outcome.Answer = &answer
		}
		next.Outcome = &outcome
	}
	return &next
}

// escape makes a name part of a JSON pointer.
func escape(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// opWeight estimates the bytes of an operation in the store.
func opWeight(op notify.Op) int {
	const least = 512
	switch op := op.(type) {
	case notify.Publish:
		return least + contentWeight(&op.Content)
	case notify.Update:
		return least + contentWeight(&op.Changes)
	case notify.Batch:
		n := 0
		for _, o := range op.Ops {
			n += opWeight(o)
		}
		return n
	case notify.Import:
		n := 0
		for _, r := range op.Records {
			n += least + contentWeight(&r.Content)
		}
		return n
	case notify.Prune:
		return least * len(op.IDs)
	}
	return least
}

// weight estimates the bytes of a change in memory.
func weight(c *notify.Change) int {
	const least = 512
	if c.Record == nil {
		return least
	}
	return least + contentWeight(&c.Record.Content) + 128*len(c.Record.PlusOnes)
}

func contentWeight(c *notify.Content) int {
	n := len(c.Title) + len(c.Body) + len(c.Data) + 64*(len(c.Links)+len(c.Attachments)+len(c.Actions)+len(c.Tags))
	for _, l := range c.Lines {
		n += 16 + len(l)
	}
	if c.Report != nil {
		n += len(c.Report.Blocks)
	}
	if c.Interaction != nil {
		n += len(c.Interaction.Prompt) + 256*(len(c.Interaction.Options)+len(c.Interaction.Fields))
	}
	return n
}
