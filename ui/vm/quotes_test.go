package vm_test

import (
	"slices"
	"strings"
	"testing"

	"signalbox/notify"
	"signalbox/ui/vm"
)

// A card quotes a table whole, not its head alone.
func TestACardShowsTheRowsOfATable(t *testing.T) {
	c := vm.CardOf(&notify.Record{ID: "x", Content: notify.Content{Title: "Build failed", Body: "| test | time |\n|---|---|\n| TestMerge | 2.1 s |\n| TestOpen | 0.3 s |\n"}}, vm.Context{})
	if c.Text != "test · time\nTestMerge · 2.1 s\nTestOpen · 0.3 s" || c.More {
		t.Errorf("%q, more %v", c.Text, c.More)
	}
}

// Only what is said to be a diff is drawn as one: a list in YAML is none.
func TestADiffHasTones(t *testing.T) {
	const lines = "main.tf\n- replicas = 1\n+ replicas = 3\n same"
	for fence, diff := range map[string]bool{"```diff": true, "```patch": true, "```": false, "```yaml": false} {
		r := &notify.Record{ID: "x", Content: notify.Content{Title: "Wants to change main.tf", Body: fence + "\n" + lines + "\n```"}}
		c := vm.CardOf(r, vm.Context{})
		i := slices.IndexFunc(vm.Markdown(r.Body), func(b vm.Block) bool { return b.Diff })
		if c.Code != lines || c.Diff != diff || (i >= 0) != diff {
			t.Errorf("%s: %q, a diff: %v on the card, %v in the detail", fence, c.Code, c.Diff, i >= 0)
		}
	}
	var tones []string
	for _, f := range vm.DiffForms(lines) {
		tones = append(tones, string(f.Tone))
	}
	if got := strings.Join(tones, "|"); got != "|error|success|" {
		t.Errorf("tones %q", got)
	}
}
