package delivery

import (
	"strings"
	"testing"

	"signalbox/notify"
)

// What happened is said in words that are true: what waits in a terminal has no mere news.
func TestHappened(t *testing.T) {
	asks := &notify.Event{Type: notify.EventClarificationRequested, Occurrence: "1"}
	waiting := func(kind string) *notify.Record {
		return &notify.Record{Status: notify.Pending, InteractionState: notify.InteractionWaiting, Content: notify.Content{Kind: notify.KindInteraction,
			Event: asks, Interaction: &notify.Interaction{Kind: kind}}}
	}
	for _, c := range []struct {
		name string
		r    *notify.Record
		want string
	}{
		{"a question", waiting("question"), "waits for your answer"},
		{"a permission", waiting("permission"), "asks for permission"},
		{"another leave", waiting("privileged_command"), "asks for permission"},
		{"a plan", waiting("plan_approval"), "waits for your approval of a plan"},
		{"a plan by another word", waiting("plan"), "waits for your approval of a plan"},
		{"in its terminal", &notify.Record{Status: notify.Pending, Content: notify.Content{Severity: notify.SeverityWarning, Event: asks}}, "waits in its terminal"},
		{"over", &notify.Record{Status: notify.Resolved, Content: notify.Content{Severity: notify.SeverityWarning, Event: asks}}, "has news"},
		{"a failure", &notify.Record{Status: notify.Pending, Content: notify.Content{Severity: notify.SeverityError}}, "failed"},
		{"a notice", &notify.Record{Status: notify.Pending}, "has news"},
	} {
		if got := happened(c.r, english); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// What is asked is whole where all of it can be read, letter by letter: the command that leave is asked for as well.
//
// Proves: S4, P4
func TestWhole(t *testing.T) {
	ask := func(kind, prompt, body string) *notify.Record {
		return &notify.Record{Status: notify.Pending, InteractionState: notify.InteractionWaiting, Content: notify.Content{Kind: notify.KindInteraction,
			Title: "Run a command", Body: body, Interaction: &notify.Interaction{Kind: kind, Prompt: prompt}}}
	}
	for _, c := range []struct {
		name  string
		r     *notify.Record
		want  string
		whole bool
	}{
		{"a question", ask("question", "Which one?", "Details"), "Which one?", true},
		{"the command is the question", ask("permission", "rm -rf build", ""), "rm -rf build", true},
		{"the command is the body", ask("permission", "Allow this?", "```sh\nrm -rf /\n```"), "Allow this?\nrm -rf /", true},
		{"both say it", ask("permission", "Allow rm -rf / ?", "rm -rf /"), "Allow rm -rf / ?", true},
		{"a long command", ask("permission", "Allow this?", strings.Repeat("x", 500)), "", false},
		{"signs that read as Markdown", ask("permission", "rm *.go and *.txt", ""), "rm .go and .txt", false},
		{"a link that says something else", ask("permission", "[ls](rm)", ""), "ls", false},
		{"a notice", &notify.Record{Status: notify.Pending, Content: notify.Content{Title: "T", Body: "B"}}, "B", false},
	} {
		got, whole := said(c.r)
		if whole != c.whole || c.want != "" && got != c.want {
			t.Errorf("%s: got %q, whole %v", c.name, got, whole)
		}
	}
}
