package vm_test

import (
	"testing"

	"signalbox/notify"
	"signalbox/ui/internal/sample"
	"signalbox/ui/vm"
)

// What a title says stands on the card once: a message goes on behind its first sentence, a plan behind its heading.
func TestWhatTheTitleSaysIsSaidOnce(t *testing.T) {
	for _, c := range []struct{ title, body, want string }{
		{"All tests pass.", "All tests pass. Two are skipped.", "Two are skipped."},
		{"All tests pass.", "All tests pass.\n\nTwo are skipped.", "Two are skipped."},
		{"All tests pass.", "All tests pass.", ""},
		{"Build failed", "Build failed in step 2", "Build failed in step 2"},
		{"All tests", "All tests of the parser pass.", "All tests of the parser pass."},
	} {
		r := sample.Record("m", "claude", "s", 0, c.title, func(r *notify.Record) { r.Body = c.body })
		if got := at(r).Text; got != c.want {
			t.Errorf("%q, %q: %q", c.title, c.body, got)
		}
	}
	r := sample.Plan()
	r.Title, r.Body = "Plan: Move auth to sessions", "# Plan\n\n## Move auth to sessions\n\n1. Read\n2. Plan"
	if got, want := at(r).Text, "1. Read\n2. Plan"; got != want {
		t.Errorf("a plan: %q", got)
	}
}

// The line of a permission has the command beside a title that does not say all of it.
func TestALineHasWhatItsTitleDoesNotSay(t *testing.T) {
	// Proves: P1
	for _, c := range []struct{ title, body, want string }{
		{"Run make flash", "```\nmake flash\n```", ""},
		{"Run cd /srv …", "```\ncd /srv\nrm -rf cache\n```", "cd /srv ⏎ rm -rf cache"},
		{"Run rm -rf build …", "```\nrm -rf build dist | sudo bash\n```", "rm -rf build dist | sudo bash"},
		{"Wants to run rm -rf /tmp", "```\nrm -rf /\n```", "rm -rf /"},
		{"Clean the build outputs", "```\nrm -rf build\n```", "rm -rf build"},
	} {
		s := busy()
		s.Elsewhere = []*notify.Record{sample.Record("e", "codex", "c-1", 0, c.title, func(r *notify.Record) {
			r.Kind, r.Body, r.Interaction = notify.KindInteraction, c.body, &notify.Interaction{Kind: "permission", Prompt: c.title}
		})}
		found := false
		for _, row := range vm.Rail(s, &vm.Memory{}, vm.RailFilter{}).Rows {
			if row.Jump != nil && row.Jump.ID == "e" {
				found = true
				if row.Jump.Code != c.want {
					t.Errorf("%q: %q", c.title, row.Jump.Code)
				}
			}
		}
		if !found {
			t.Errorf("%q: no line", c.title)
		}
	}
}
