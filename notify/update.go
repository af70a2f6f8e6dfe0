package notify

import (
	"slices"
	"strings"
)

// update changes parts of a pending record's content (L3, L5).
func (d *decider) update(op Update) (Result, error) {
	r, err := d.record(op.ID)
	if err != nil {
		return Result{}, err
	}
	if err := d.mayWrite(r.Connection); err != nil {
		return Result{}, err
	}
	if r.Status.Terminal() {
		return Result{}, terminal(r)
	}
	if err := current(r, op.Expect); err != nil {
		return Result{}, err
	}
	if len(op.Fields) == 0 {
		return Result{Verdict: Unchanged, Record: r}, nil
	}
	next := d.revise(r)
	next.Refresh = nil // a request to reload belongs to the revision that made it (E1)
	for _, f := range op.Fields {
		if !next.Content.set(f, &op.Changes) {
			return Result{}, Invalid("/"+escapePointer(f), "is not a field that can be changed")
		}
	}
	if slices.Contains(op.Fields, "kind") && !slices.Contains(op.Fields, "dismissible") {
		next.Dismissible = next.Kind != KindInteraction
	}
	if next.Kind != KindInteraction && slices.Contains(op.Fields, "kind") && !slices.Contains(op.Fields, "interaction") {
		next.Interaction = nil
	}
	k := checker{rules: d.rules, at: d.at, was: &r.Content}
	k.content(&next.Content, r.Scope)
	if err := k.err(); err != nil {
		return Result{}, err
	}
	moved := slices.Contains(op.Fields, "event") && next.Event != nil && (r.Event == nil || *r.Event != *next.Event)
	if moved {
		ref, _ := next.EventRef()
		if id, ok := d.s.Told(ref); ok && id != r.ID {
			return Result{}, Invalid("/event/occurrence", "was told by another notification before")
		}
		d.place(next)
	}
	name := EvUpdated
	if slices.Contains(op.Fields, "kind") || slices.Contains(op.Fields, "interaction") {
		name = d.reask(next)
	}
	next.Masked = remask(r.Masked, op)
	d.emit(Change{Name: name, Record: next, Before: r, Quiet: name != EvUpdated})
	d.invalidate(next)
	if moved {
		d.settlePrompts(next)
	}
	d.touch(r.Connection)
	return Result{Verdict: Updated, Record: next, Masked: op.Masked}, nil
}

// remask keeps the masked fields that the update left alone.
func remask(was []string, op Update) []string {
	var out []string
	for _, m := range was {
		field, _, _ := strings.Cut(strings.TrimPrefix(m, "/"), "/")
		if !slices.Contains(op.Fields, field) {
			out = append(out, m)
		}
	}
	return append(out, op.Masked...)
}

// set takes one field, by its JSON name, from another content; false: there is no such field.
func (c *Content) set(field string, from *Content) bool {
	switch field {
	case "kind":
		c.Kind = from.Kind
	case "severity":
		c.Severity = from.Severity
	case "title":
		c.Title = from.Title
	case "body":
		c.Body = from.Body
	case "lines":
		c.Lines = from.Lines
	case "sender":
		c.Sender = from.Sender
	case "event":
		c.Event = from.Event
	case "request":
		c.Request = from.Request
	case "icon":
		c.Icon = from.Icon
	case "color":
		c.Color = from.Color
	case "tags":
		c.Tags = from.Tags
	case "panel":
		c.Panel = from.Panel
	case "chip":
		c.Chip = from.Chip
	case "progress":
		c.Progress = from.Progress
	case "attachments":
		c.Attachments = from.Attachments
	case "links":
		c.Links = from.Links
	case "actions":
		c.Actions = from.Actions
	default:
		return c.setMore(field, from)
	}
	return true
}

func (c *Content) setMore(field string, from *Content) bool {
	switch field {
	case "interaction":
		c.Interaction = from.Interaction
	case "report":
		c.Report = from.Report
	case "presentation":
		c.Presentation = from.Presentation
	case "dismissible":
		c.Dismissible = from.Dismissible
	case "dismissible_after":
		c.DismissibleAfter = from.DismissibleAfter
	case "retention":
		c.Retention = from.Retention
	case "refresh":
		c.Refresh = from.Refresh
	case "dedup_key":
		c.DedupKey = from.DedupKey
	case "silent":
		c.Silent = from.Silent
	case "data":
		c.Data = from.Data
	default:
		return false
	}
	return true
}

// escapePointer escapes one part of a JSON pointer.
func escapePointer(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "~", "~0"), "/", "~1")
}
