package vm_test

import (
	"fmt"
	"strings"
	"testing"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// A card shows every word of what it quotes, or says that there is more: of each kind, also code between, behind and in the
// question. The code of a plan stands where it is in the plan.
func TestACardShowsAllOrSaysSo(t *testing.T) {
	long := strings.Repeat("word ", 200)
	bodies := map[string]string{
		"code in a plan": "Do this:\n\n```sh\nrm -rf /data/old\n```\n\nThen that.", "code behind": "Do this.\n\n```\nkubectl apply\n```", "two codes": "a\n\n```\none\n```\n\n```\ntwo\n```",
		"a long text": long + "end", "many items": strings.Repeat("- item\n", 90) + "- last", "a table": "| a | b |\n|---|---|\n| c | d |", "a long code": "```\n" + strings.Repeat("line of code\n", 200) + "last\n```",
		"a quote": "> quoted\n\nplain", "nothing": "",
	}
	kinds := map[string]*notify.Interaction{"notice": nil, "permission": {Kind: "permission"}, "question": {Kind: "question"}, "plan": {Kind: "plan_approval"},
		"form": {Kind: "question", Fields: []notify.Field{{ID: "f", Label: "Field"}}}}
	for kind, in := range kinds {
		for name, body := range bodies {
			for where := range 3 {
				r := &notify.Record{ID: "r", Status: notify.Pending, Content: notify.Content{Title: "Title", Kind: notify.KindNotice, Body: body}}
				if in != nil {
					ask := *in
					ask.Prompt = "Prompt?"
					r.Kind, r.Interaction, r.InteractionState = notify.KindInteraction, &ask, notify.InteractionWaiting
				}
				switch {
				case where == 1 && in != nil:
					r.Body, r.Interaction.Prompt = "", body
				case where == 2:
					r.Body, r.Lines = "", strings.Split(body, "\n")
				}
				c := vm.CardOf(r, vm.Context{})
				shown := c.Title + "\n" + c.Text + "\n" + c.Code + "\n" + c.Prompt
				for _, w := range strings.FieldsFunc(body, func(r rune) bool { return strings.ContainsRune(" \n`|->", r) }) {
					if w != "sh" && !strings.Contains(shown, w) && !c.More {
						t.Errorf("%s, %s, %d: %q is left out, and it does not say so: %q", kind, name, where, w, shown)
						break
					}
				}
			}
		}
	}
	plan := &notify.Record{ID: "p", Status: notify.Pending, InteractionState: notify.InteractionWaiting, Content: notify.Content{Title: "Plan", Kind: notify.KindInteraction,
		Body: bodies["code in a plan"], Interaction: &notify.Interaction{Kind: "plan_approval"}}}
	if c := vm.CardOf(plan, vm.Context{}); c.Text != "Do this:\n    rm -rf /data/old\nThen that." || c.More || c.Whole != 3 {
		t.Errorf("the plan says %q, %d lines, more %v", c.Text, c.Whole, c.More)
	}
	plan.Body = fmt.Sprint(strings.Repeat("1. step\n", 60))
	if c := vm.CardOf(plan, vm.Context{}); !c.More || c.Whole != 60 {
		t.Errorf("the long plan has %d lines, more %v", c.Whole, c.More)
	}
}
