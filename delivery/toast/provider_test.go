package toast

import (
	"slices"
	"strings"
	"testing"

	"signalbox/delivery"
	"signalbox/notify"
)

func permission(change func(*notify.Record)) *notify.Record {
	r := &notify.Record{ID: "r", Revision: 4, Status: notify.Pending, InteractionState: notify.InteractionWaiting}
	r.Kind, r.Title = notify.KindInteraction, "Run a command"
	r.Interaction = &notify.Interaction{Kind: "permission", Prompt: "rm -rf build", Options: []notify.Option{
		{ID: "allow", Label: "Allow"}, {ID: "always", Label: "Always", Style: "danger"}, {ID: "deny", Label: "Deny"}}}
	if change != nil {
		change(r)
	}
	return r
}

func TestToastOfMessage(t *testing.T) {
	// Proves: D1, I2, I7, S4
	full := func(r *notify.Record) string { return r.Interaction.Prompt + "\nClaude Code" }
	part := func(*notify.Record) string { return "Claude Code asks for permission" }
	for _, c := range []struct {
		name    string
		record  *notify.Record
		body    func(*notify.Record) string
		answers bool
		want    []string
	}{
		{"permission", permission(nil), full, true, []string{"default", "option:allow", "option:deny", "dismiss"}},
		{"question not shown", permission(nil), part, true, []string{"default", "dismiss"}},
		{"leave for more than once", permission(func(r *notify.Record) { r.Interaction.Options[1].Style = "" }), full, true, []string{"default", "option:allow", "option:deny", "dismiss"}},
		{"a no that is marked", permission(func(r *notify.Record) { r.Interaction.Options[2].Style = "danger" }), full, true, []string{"default", "option:allow", "option:deny", "dismiss"}},
		{"another leave", permission(func(r *notify.Record) { r.Interaction.Kind = "launch_approval" }), full, true, []string{"default", "option:allow", "option:deny", "dismiss"}},
		{"a question", permission(func(r *notify.Record) { r.Interaction.Kind = "question" }), full, true, []string{"default", "option:allow", "option:deny", "dismiss"}},
		{"more than there is room for", permission(func(r *notify.Record) {
			r.Interaction.Kind = "question"
			for _, id := range []string{"a", "b", "c"} {
				r.Interaction.Options = append(r.Interaction.Options, notify.Option{ID: id, Label: id})
			}
		}), full, true, []string{"default", "dismiss"}},
		{"title cut", permission(func(r *notify.Record) { r.Title = strings.Repeat("x", 300) }), full, true, []string{"default", "dismiss"}},
		{"answers off", permission(nil), full, false, []string{"default", "dismiss"}},
		{"question cut", permission(func(r *notify.Record) { r.Interaction.Prompt = strings.Repeat("x", 600) }), full, true, []string{"default", "dismiss"}},
		{"needs a field", permission(func(r *notify.Record) { r.Interaction.Fields = []notify.Field{{ID: "f", Required: true}} }), full, true, []string{"default", "dismiss"}},
		{"no permission", permission(func(r *notify.Record) { r.Interaction.Kind = "plan_approval" }), full, true, []string{"default", "dismiss"}},
		{"notice", &notify.Record{ID: "r", Revision: 4, Status: notify.Pending, Content: notify.Content{Dismissible: true}}, nil, true, []string{"default", "dismiss"}},
		{"permanent", &notify.Record{ID: "r", Revision: 4, Status: notify.Pending}, nil, true, []string{"default"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := delivery.Message{Kind: delivery.Item, Record: c.record, Title: c.record.Title}
			if c.body != nil {
				m.Body = c.body(c.record)
				m.Whole = m.Body != part(nil)
			}
			got := Provider{Answers: func() bool { return c.answers }}.toast(m)
			var keys []string
			for _, a := range got.Actions {
				keys = append(keys, a.Key)
				if a.Decides != strings.HasPrefix(a.Key, "option:") {
					t.Errorf("%s decides: %v", a.Key, a.Decides)
				}
			}
			if !slices.Equal(keys, c.want) || got.Key != "r" || got.Revision != 4 || got.Sticky != c.record.Waiting() {
				t.Errorf("got %q, %+v", keys, got)
			}
		})
	}
}

func TestActOf(t *testing.T) {
	// Proves: D1
	for _, c := range []struct {
		event Event
		want  Act
	}{
		{Event{ClosedByOwner, "r", 3, ""}, Act{ActClosed, "r", 3, ""}},
		{Event{Invoked, "r", 3, "default"}, Act{ActOpen, "r", 3, ""}},
		{Event{Invoked, "r", 3, "dismiss"}, Act{ActDismiss, "r", 3, ""}},
		{Event{Invoked, "r", 3, "option:a:b"}, Act{ActAnswer, "r", 3, "a:b"}},
		{Event{Invoked, "r", 3, "unheard of"}, Act{ActOpen, "r", 3, ""}},
		{Event{Invoked, "summary", 0, "default"}, Act{ActOpen, "", 0, ""}},
	} {
		if got := ActOf(c.event); got != c.want {
			t.Errorf("%+v: got %+v, want %+v", c.event, got, c.want)
		}
	}
}
