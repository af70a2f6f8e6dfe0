package bridge

import (
	stdjson "encoding/json"
	"math"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// This file turns the wire's requests into what the rules take. It decides
// nothing: what a value may be is the rules' to say.

// seconds turns a number of seconds into a duration. What is too long for one
// becomes the longest; a value that is none of the rules' is left to them.
func seconds(s float64) time.Duration {
	switch d := s * float64(time.Second); {
	case d >= math.MaxInt64:
		return math.MaxInt64
	case d <= math.MinInt64:
		return math.MinInt64
	default:
		return time.Duration(math.Round(d))
	}
}

// fromExpected reads an expected revision. pointer is where it stood.
func fromExpected(e wire.Expected, pointer string) (notify.Expectation, error) {
	switch {
	case e.IsZero():
		return notify.Expectation{}, nil
	case e.Token == "":
		return notify.Expectation{Expect: true, Revision: e.Revision}, nil
	}
	var at wire.Time
	if err := at.UnmarshalText([]byte(e.Token)); err != nil {
		return notify.Expectation{}, notify.Invalid(pointer, "want a revision, or the updated_at of a record that has none")
	}
	return notify.Expectation{Expect: true, UpdatedAt: at.Time}, nil
}

// needExpected is fromExpected where a revision must be named.
func needExpected(e wire.Expected, pointer string) (notify.Expectation, error) {
	if e.IsZero() {
		return notify.Expectation{}, notify.Invalid(pointer, "is required: the revision that was seen")
	}
	return fromExpected(e, pointer)
}

// fromPublish makes the command of a publication to a connection.
func fromPublish(connection string, p *wire.Publish, pointer string) (notify.Publish, error) {
	expect, err := fromExpected(p.ExpectedRevision, pointer+"/expected_revision")
	if err != nil {
		return notify.Publish{}, err
	}
	if p.OnRepeat != "" && p.OnRepeat != wire.OnRepeatUpdate && p.OnRepeat != wire.OnRepeatCorroborate {
		return notify.Publish{}, notify.Invalid(pointer+"/on_repeat", "want update or corroborate")
	}
	retention := notify.Retention{}
	if p.Retention != nil {
		retention = fromRetention(*p.Retention)
	}
	data, err := fromData(p.Data, pointer+"/data")
	if err != nil {
		return notify.Publish{}, err
	}
	return notify.Publish{
		Connection:  connection,
		Scope:       notify.Scope(p.Scope),
		Session:     p.Session,
		Key:         p.Key,
		Dismissible: p.Dismissible,
		Expect:      expect,
		Corroborate: p.OnRepeat == wire.OnRepeatCorroborate,
		Note:        p.Note,
		Muted:       p.Muted,
		SnoozeUntil: p.SnoozeUntil.Time,
		OccurredAt:  p.OccurredAt.Time,
		Content: notify.Content{
			Kind:             notify.Kind(p.Kind),
			Severity:         notify.Severity(p.Severity),
			Title:            p.Title,
			Body:             p.Body,
			Lines:            p.Lines,
			Sender:           p.Sender,
			Event:            fromEvent(p.Event),
			Request:          p.Request,
			Icon:             p.Icon,
			Color:            p.Color,
			Tags:             p.Tags,
			Panel:            p.Panel,
			Chip:             fromChip(p.Chip),
			Progress:         fromProgress(p.Progress),
			Attachments:      fromAttachments(p.Attachments),
			Links:            fromLinks(p.Links),
			Actions:          fromActions(p.Actions),
			Interaction:      fromInteraction(p.Interaction),
			Report:           fromReport(p.Report),
			Presentation:     notify.Presentation(p.Presentation),
			DismissibleAfter: p.DismissibleAfter.Time,
			Retention:        retention,
			Refresh:          fromRefresh(p.Refresh),
			DedupKey:         p.DedupKey,
			Silent:           p.Silent,
			Data:             data,
		},
	}, nil
}

// changeSet gathers the fields that a change names. A field that is null is
// named with its zero value.
type changeSet struct {
	content notify.Content
	fields  []string
}

func set[T, U any](c *changeSet, name string, o wire.Optional[T], to *U, from func(T) U) {
	if !o.Set {
		return
	}
	c.fields = append(c.fields, name)
	if !o.Null {
		*to = from(o.Value)
	}
}

func same[T any](v T) T { return v }

func pointerOf[T, U any](from func(*T) *U) func(T) *U {
	return func(v T) *U { return from(&v) }
}

// fromChanges makes the content and the names of its fields that a change sets.
func fromChanges(w *wire.Changes, pointer string) (notify.Content, []string, error) {
	var c changeSet
	set(&c, "kind", w.Kind, &c.content.Kind, func(s string) notify.Kind { return notify.Kind(s) })
	set(&c, "severity", w.Severity, &c.content.Severity, func(s string) notify.Severity { return notify.Severity(s) })
	set(&c, "title", w.Title, &c.content.Title, same)
	set(&c, "body", w.Body, &c.content.Body, same)
	set(&c, "lines", w.Lines, &c.content.Lines, same)
	set(&c, "sender", w.Sender, &c.content.Sender, same)
	set(&c, "event", w.Event, &c.content.Event, pointerOf(fromEvent))
	set(&c, "request", w.Request, &c.content.Request, same)
	set(&c, "icon", w.Icon, &c.content.Icon, same)
	set(&c, "color", w.Color, &c.content.Color, same)
	set(&c, "tags", w.Tags, &c.content.Tags, same)
	set(&c, "panel", w.Panel, &c.content.Panel, same)
	set(&c, "chip", w.Chip, &c.content.Chip, pointerOf(fromChip))
	set(&c, "progress", w.Progress, &c.content.Progress, pointerOf(fromProgress))
	set(&c, "attachments", w.Attachments, &c.content.Attachments, fromAttachments)
	set(&c, "links", w.Links, &c.content.Links, fromLinks)
	set(&c, "actions", w.Actions, &c.content.Actions, fromActions)
	set(&c, "interaction", w.Interaction, &c.content.Interaction, pointerOf(fromInteraction))
	set(&c, "report", w.Report, &c.content.Report, pointerOf(fromReport))
	set(&c, "presentation", w.Presentation, &c.content.Presentation, func(s string) notify.Presentation { return notify.Presentation(s) })
	set(&c, "dismissible", w.Dismissible, &c.content.Dismissible, same)
	set(&c, "dismissible_after", w.DismissibleAfter, &c.content.DismissibleAfter, func(t wire.Time) time.Time { return t.Time })
	set(&c, "retention", w.Retention, &c.content.Retention, fromRetention)
	set(&c, "refresh", w.Refresh, &c.content.Refresh, pointerOf(fromRefresh))
	set(&c, "dedup_key", w.DedupKey, &c.content.DedupKey, same)
	set(&c, "silent", w.Silent, &c.content.Silent, same)
	var err error
	set(&c, "data", w.Data, &c.content.Data, func(v stdjson.RawMessage) (out notify.RawJSON) {
		out, err = fromData(v, pointer+"/data")
		return out
	})
	return c.content, c.fields, err
}

// fromData keeps the producer's object as it was given.
func fromData(v stdjson.RawMessage, pointer string) (notify.RawJSON, error) {
	if len(v) == 0 || string(v) == "null" {
		return nil, nil
	}
	if v[0] != '{' {
		return nil, notify.Invalid(pointer, "want an object")
	}
	return notify.RawJSON(v), nil
}

func fromEvent(e *wire.Event) *notify.Event {
	if e == nil {
		return nil
	}
	return &notify.Event{Type: e.Type, Occurrence: e.Occurrence}
}

func fromChip(c *wire.Chip) *notify.Chip {
	if c == nil {
		return nil
	}
	return &notify.Chip{Glyph: c.Glyph, Label: c.Label, Color: c.Color}
}

func fromProgress(p *wire.Progress) *notify.Progress {
	if p == nil {
		return nil
	}
	return &notify.Progress{Current: p.Current, Total: p.Total, Text: p.Text}
}

func fromAttachments(in []wire.Attachment) []notify.Attachment {
	var out []notify.Attachment
	for _, a := range in {
		out = append(out, notify.Attachment(a))
	}
	return out
}

func fromLinks(in []wire.Link) []notify.Link {
	var out []notify.Link
	for _, l := range in {
		out = append(out, notify.Link(l))
	}
	return out
}

func fromActions(in []wire.Action) []notify.Action {
	var out []notify.Action
	for _, a := range in {
		out = append(out, notify.Action{
			ID: a.ID, Label: a.Label, Style: a.Style, URL: a.URL, InHistory: a.InHistory, Confirm: fromConfirm(a.Confirm),
		})
	}
	return out
}

func fromReport(r *wire.Report) *notify.Report {
	if r == nil {
		return nil
	}
	out := &notify.Report{Title: r.Title, Path: r.Path}
	if len(r.Blocks) > 0 {
		// Each block was read as JSON already, so this cannot fail.
		out.Blocks, _ = json.Marshal(r.Blocks)
	}
	return out
}

func fromRetention(r wire.Retention) notify.Retention {
	return notify.Retention{Policy: notify.Policy(r.Policy), TTL: seconds(r.TTLSeconds), Deadline: r.Deadline.Time}
}

func fromRefresh(r *wire.Refresh) *notify.Refresh {
	if r == nil {
		return nil
	}
	return &notify.Refresh{Sessions: r.Sessions, SessionList: r.SessionList, Actions: r.Actions}
}

func fromInteraction(i *wire.Interaction) *notify.Interaction {
	if i == nil {
		return nil
	}
	out := &notify.Interaction{
		Kind:           i.Kind,
		Prompt:         i.Prompt,
		DefaultOption:  i.DefaultOption,
		TimeoutSeconds: i.TimeoutSeconds,
		TimeoutOption:  i.TimeoutOption,
	}
	for _, o := range i.Options {
		out.Options = append(out.Options, notify.Option(o))
	}
	for _, f := range i.Fields {
		out.Fields = append(out.Fields, notify.Field{
			ID: f.ID, Label: f.Label, Type: notify.FieldType(f.Type), Required: f.Required, Choices: f.Choices,
			Default: toRaw(f.Default), Min: toRaw(f.Min), Max: toRaw(f.Max),
		})
	}
	if i.Auto != nil {
		a := fromAnswer(*i.Auto)
		out.Auto = &a
	}
	return out
}

func fromAnswer(a wire.Answer) notify.Answer {
	out := notify.Answer{Option: a.Option, Comment: a.Comment}
	for id, v := range a.Fields {
		if out.Fields == nil {
			out.Fields = make(map[string]notify.RawJSON, len(a.Fields))
		}
		out.Fields[id] = toRaw(v)
		if out.Fields[id] == nil {
			out.Fields[id] = notify.RawJSON("null")
		}
	}
	return out
}

// toRaw writes a decoded JSON value again; nil is absent. What was read as JSON
// can be written as JSON, so it cannot fail.
func toRaw(v any) notify.RawJSON {
	if v == nil {
		return nil
	}
	b, _ := json.Marshal(v)
	return b
}

func fromSubscription(s wire.Subscription) notify.Subscription {
	return notify.Subscription{
		Provider: s.Provider, Events: s.Events, Except: s.Except, MinSeverity: notify.Severity(s.MinSeverity),
		Severities: named[notify.Severity](s.Severities), Connections: s.Connections, Scopes: named[notify.Scope](s.Scopes), Disabled: s.Disabled,
	}
}

func fromRule(r wire.Rule) notify.Rule {
	return notify.Rule{Name: r.Name, Set: r.Set, Stop: r.Stop, Match: notify.RuleMatch{
		Connection: r.Match.Connection, Session: r.Match.Session, Kind: notify.Kind(r.Match.Kind), Severity: notify.Severity(r.Match.Severity),
		Tag: r.Match.Tag, Sender: r.Match.Sender, Event: r.Match.Event, Text: r.Match.Text,
	}}
}

// named turns plain strings into named ones.
func named[T ~string](in []string) []T {
	var out []T
	for _, v := range in {
		out = append(out, T(v))
	}
	return out
}
