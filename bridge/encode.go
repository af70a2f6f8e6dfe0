package bridge

import (
	stdjson "encoding/json"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// This file turns what the domain says into the wire's shapes. Records are
// shared and never modified, so slices are handed over without a copy.

// toRecord returns the record as it is told.
func toRecord(r *notify.Record) wire.Notification {
	n := wire.Notification{
		ID:         r.ID,
		Connection: r.Connection,
		Scope:      string(r.Scope),
		Session:    r.Session,
		Key:        r.Key,
		Occurrence: r.Occurrence,
		Revision:   r.Revision,
		Status:     string(r.Status),

		Kind:             string(r.Kind),
		Severity:         string(r.Severity),
		Title:            r.Title,
		Body:             r.Body,
		Lines:            r.Lines,
		Sender:           r.Sender,
		Request:          r.Request,
		Icon:             r.Icon,
		Color:            r.Color,
		Tags:             r.Tags,
		Panel:            r.Panel,
		Presentation:     string(r.Presentation),
		Dismissible:      r.Dismissible,
		DismissibleAfter: wire.At(r.DismissibleAfter),
		Retention:        toRetention(r.Retention),
		Data:             stdjson.RawMessage(r.Data),

		DedupKey:        r.DedupKey,
		PlusOnesDropped: r.PlusOnesDropped,
		Read:            r.Read,
		Silent:          r.Silent,
		Muted:           r.Muted,
		SnoozeUntil:     wire.At(r.SnoozeUntil),
		SnoozeEvent:     r.SnoozeEvent,
		ResurfacedAt:    wire.At(r.ResurfacedAt),
		CreatedAt:       wire.At(r.CreatedAt),
		UpdatedAt:       wire.At(r.UpdatedAt),
		EndedAt:         wire.At(r.EndedAt),
		Change:          r.Change,
	}
	if e := r.Event; e != nil {
		n.Event = &wire.Event{Type: e.Type, Occurrence: e.Occurrence}
	}
	if c := r.Chip; c != nil {
		n.Chip = &wire.Chip{Glyph: c.Glyph, Label: c.Label, Color: c.Color}
	}
	if p := r.Progress; p != nil {
		n.Progress = &wire.Progress{Current: p.Current, Total: p.Total, Text: p.Text}
	}
	for _, a := range r.Attachments {
		n.Attachments = append(n.Attachments, wire.Attachment(a))
	}
	for _, l := range r.Links {
		n.Links = append(n.Links, wire.Link(l))
	}
	for _, a := range r.Actions {
		n.Actions = append(n.Actions, wire.Action{
			ID: a.ID, Label: a.Label, Style: a.Style, URL: a.URL, InHistory: a.InHistory, Confirm: toConfirm(a.Confirm),
		})
	}
	if i := r.Interaction; i != nil {
		n.Interaction = toInteraction(i)
		n.Interaction.State = string(r.InteractionState)
		n.Interaction.Deadline = wire.At(r.InteractionDeadline)
		n.Interaction.Error = r.InteractionError
		n.Interaction.SetAsideUntil = wire.At(r.SetAsideUntil)
	}
	if p := r.Report; p != nil {
		n.Report = &wire.Report{Title: p.Title, Path: p.Path}
		// The rules hold it to be an array; were it none, there is no snapshot.
		_ = json.Unmarshal(p.Blocks, &n.Report.Blocks)
	}
	if f := r.Refresh; f != nil {
		n.Refresh = &wire.Refresh{Sessions: f.Sessions, SessionList: f.SessionList, Actions: f.Actions}
	}
	for _, p := range r.PlusOnes {
		n.PlusOnes = append(n.PlusOnes, wire.PlusOne{Sender: p.Sender, Note: p.Note, At: wire.At(p.At)})
	}
	if o := r.Outcome; o != nil {
		n.Outcome = &wire.Outcome{Kind: string(o.Kind), By: o.By, Reason: o.Reason, At: wire.At(o.At), Answer: toAnswer(o.Answer)}
		if o.Answer != nil {
			delivered := r.AnswerDelivered
			n.Outcome.Delivered = &delivered
		}
	}
	return n
}

func toRecords(rs []*notify.Record) []wire.Notification {
	out := make([]wire.Notification, 0, len(rs))
	for _, r := range rs {
		out = append(out, toRecord(r))
	}
	return out
}

func toConfirm(text string) wire.Confirm {
	switch text {
	case "":
		return wire.Confirm{}
	case notify.AskAgain:
		return wire.Confirm{Ask: true}
	}
	return wire.Confirm{Ask: true, Text: text}
}

func fromConfirm(c wire.Confirm) string {
	if c.Ask && c.Text == "" {
		return notify.AskAgain
	}
	return c.Text
}

func toRetention(r notify.Retention) wire.Retention {
	return wire.Retention{Policy: string(r.Policy), TTLSeconds: r.TTL.Seconds(), Deadline: wire.At(r.Deadline)}
}

func toInteraction(i *notify.Interaction) *wire.Interaction {
	out := &wire.Interaction{
		Kind:           i.Kind,
		Prompt:         i.Prompt,
		DefaultOption:  i.DefaultOption,
		TimeoutSeconds: i.TimeoutSeconds,
		TimeoutOption:  i.TimeoutOption,
		Auto:           toAnswer(i.Auto),
	}
	for _, o := range i.Options {
		out.Options = append(out.Options, wire.Option(o))
	}
	for _, f := range i.Fields {
		out.Fields = append(out.Fields, wire.Field{
			ID: f.ID, Label: f.Label, Type: string(f.Type), Required: f.Required, Choices: f.Choices,
			Default: fromRaw(f.Default), Min: fromRaw(f.Min), Max: fromRaw(f.Max),
		})
	}
	return out
}

func toAnswer(a *notify.Answer) *wire.Answer {
	if a == nil {
		return nil
	}
	out := &wire.Answer{Option: a.Option, Comment: a.Comment}
	for id, v := range a.Fields {
		if out.Fields == nil {
			out.Fields = make(map[string]any, len(a.Fields))
		}
		out.Fields[id] = fromRaw(v)
	}
	return out
}

// fromRaw hands a JSON value over as it is written; an absent one is nil.
func fromRaw(v notify.RawJSON) any {
	if v == nil {
		return nil
	}
	return stdjson.RawMessage(v)
}

func toConnection(c notify.ConnectionView) wire.Connection {
	return wire.Connection{
		ID:          c.ID,
		Label:       c.Label,
		Color:       c.Color,
		Presence:    string(c.Presence),
		Open:        c.Open,
		Lifetime:    c.Lifetime,
		SessionsURL: c.SessionsURL,
		ActionsURL:  c.ActionsURL,
		CallbackURL: c.CallbackURL,
		Retention:   toHistory(c.KeepAge, c.KeepCount),
		Pending:     c.Counts.Pending,
		Unread:      c.Counts.Unread,
		Waiting:     c.Counts.Waiting,
		CreatedAt:   wire.At(c.CreatedAt),
		LastSeenAt:  wire.At(c.SeenAt),
		Change:      c.Change,
	}
}

func toHistory(age time.Duration, count int) *wire.History {
	if age == 0 && count == 0 {
		return nil
	}
	return &wire.History{MaxAgeSeconds: age.Seconds(), MaxCount: count}
}

func toSession(s notify.SessionView) wire.Session {
	return wire.Session{
		ID:           s.ID,
		Connection:   s.Connection,
		Title:        s.Title,
		URL:          s.URL,
		State:        s.State,
		Sequence:     s.Sequence,
		SeenSequence: s.Seen,
		Waiting:      s.Waiting,
		Unread:       s.Unread,
		NeedsYou:     string(s.Needs),
		UpdatedAt:    wire.At(s.UpdatedAt),
	}
}

func toInvalidation(i *notify.Invalidation) wire.Invalidation {
	return wire.Invalidation{ID: i.ID, Kind: string(i.Kind), Session: i.Session}
}

func toCounts(c notify.Counts) wire.Counts {
	return wire.Counts{
		Unread:   c.Unread,
		Waiting:  c.Waiting,
		NeedsYou: wire.NeedsYou{Reply: c.Reply, Failed: c.Failed, Confirm: c.Confirm},
		Muted:    c.Muted,
		Snoozed:  c.Snoozed,
	}
}

func toAttention(a notify.Attention) wire.Attention {
	out := wire.Attention{Counts: toCounts(a.Counts), Connections: make(map[string]wire.Counts, len(a.Connections))}
	for id, c := range a.Connections {
		out.Connections[id] = toCounts(c)
	}
	return out
}

func toSubscription(s notify.Subscription) wire.Subscription {
	return wire.Subscription{
		Provider: s.Provider, Events: s.Events, Except: s.Except, MinSeverity: string(s.MinSeverity),
		Severities: texts(s.Severities), Connections: s.Connections, Scopes: texts(s.Scopes), Disabled: s.Disabled,
	}
}

func toRule(r notify.Rule) wire.Rule {
	return wire.Rule{Name: r.Name, Set: r.Set, Stop: r.Stop, Match: wire.RuleMatch{
		Connection: r.Match.Connection, Session: r.Match.Session, Kind: string(r.Match.Kind), Severity: string(r.Match.Severity),
		Tag: r.Match.Tag, Sender: r.Match.Sender, Event: r.Match.Event, Text: r.Match.Text,
	}}
}

func toDelivery(d notify.Delivery) wire.Delivery {
	out := wire.Delivery{
		ID: d.ID, Provider: d.Provider, Notification: d.RecordID, Revision: d.Revision, State: string(d.State),
		Reason: d.Reason, Attempts: d.Attempts, At: wire.At(d.At), RetryAt: wire.At(d.RetryAt), ToldAt: wire.At(d.ToldAt), Error: d.Error,
	}
	if d.EventType != "" {
		out.Event = &wire.Event{Type: d.EventType, Occurrence: d.Occurrence}
	}
	return out
}

// texts turns named strings into plain ones.
func texts[T ~string](in []T) []string {
	var out []string
	for _, v := range in {
		out = append(out, string(v))
	}
	return out
}
