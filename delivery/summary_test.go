package delivery

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/notify"
)

// A summary says how many wait beside those told of before, and how many wait in all, as long as it is shown.
func TestSummaryCountsWhatWaits(t *testing.T) {
	// Proves: A8
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(nil, toast)
		first := w.publish(question("1"), "s")
		second := w.publish(question("2"), "s")
		w.publish(question("3"), "s")
		w.publish(question("4"), "s")
		w.publish(notify.Content{Title: "Build failed", Severity: notify.SeverityError}, "")
		last := func() string {
			time.Sleep(3 * time.Second)
			told := toast.all()
			if len(told) == 0 {
				return ""
			}
			return told[len(told)-1].Title
		}
		if got := last(); got != "3 more waiting for you, 4 in all, 1 failed" {
			t.Errorf("%q", got)
		}
		w.answer(second)
		if got := last(); got != "2 more waiting for you, 3 in all, 1 failed" {
			t.Errorf("one of it answered: %q", got)
		}
		w.answer(first)
		if got := last(); got != "2 waiting for you, 1 failed" {
			t.Errorf("one told before answered: %q", got)
		}
	})
}

// What was held back is counted beside what waits already.
func TestDigestCountsWhatWaits(t *testing.T) {
	// Proves: A13
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(nil, toast)
		w.publish(question("1"), "s")
		until := time.Now().Add(time.Hour)
		w.must(notify.Owner, notify.SetSettings{QuietUntil: &until})
		w.publish(question("2"), "s")
		time.Sleep(time.Minute)
		toast.all()
		time.Sleep(time.Hour)
		for _, m := range toast.all() {
			if m.Kind == Digest {
				if !strings.HasSuffix(m.Title, ": 1 waiting (2 in all)") {
					t.Errorf("%q", m.Title)
				}
				return
			}
		}
		t.Error("no digest")
	})
}

// Each toast says which session it is about, by the name that the windows give it, and once.
func TestToldOfWhichSession(t *testing.T) {
	// Proves: A11, S4
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		level := PrivacyTitle
		w.run(func(p *Params) {
			p.Privacy = func(string) Privacy { return level }
			p.Words = func() Words {
				return Words{Session: func(s *notify.Session, agent string) string { return agent + " · " + s.Title }}
			}
		}, toast)
		title := "api"
		w.must(notify.Producer("claude"), notify.PutSession{Connection: "claude", Session: "s", Title: &title})
		say := func(c notify.Content, session string) Message {
			w.publish(c, session)
			time.Sleep(5 * time.Second)
			return toast.all()[0]
		}
		command := "rm -rf build | sudo bash"
		permission := question("p")
		permission.Title, permission.Body = "Run "+command, "```\n"+command+"\n```"
		permission.Interaction = &notify.Interaction{Kind: "permission", Prompt: permission.Title, Options: []notify.Option{{ID: "allow", Label: "Allow"}, {ID: "deny", Label: "Deny"}}}
		finished := notify.Content{Title: "All tests pass.", Body: "All tests pass. Two are skipped.", Event: &notify.Event{Type: notify.EventTurnFailed, Occurrence: "t"}, Severity: notify.SeverityError}
		for _, c := range []struct {
			name    string
			level   Privacy
			content notify.Content
			session string
			want    string
		}{
			{"a title", PrivacyTitle, question("a"), "s", "Claude Code › api waits for your answer"},
			{"in full", PrivacyFull, question("b"), "s", "Claude Code › api waits for your answer\nWhich of the two secret plans?"},
			{"a command that the title says", PrivacyFull, permission, "s", "Claude Code › api asks for permission"},
			{"a message that the title begins", PrivacyFull, finished, "s", "Claude Code › api failed\nTwo are skipped."},
			{"no session", PrivacyTitle, notify.Content{Title: "x", Severity: notify.SeverityError}, "", "Claude Code failed"},
			{"nothing", PrivacyNone, question("c"), "s", ""},
		} {
			level = c.level
			if m := say(c.content, c.session); m.Body != c.want || c.level == PrivacyFull && m.Whole != (m.Record.Interaction != nil) {
				t.Errorf("%s: %q, whole %v", c.name, m.Body, m.Whole)
			}
		}
		level = PrivacyTitle
		w.publish(question("d"), "s")
		w.publish(question("e"), "s")
		w.publish(question("f"), "s")
		time.Sleep(3 * time.Second)
		if told := toast.all(); !strings.Contains(told[len(told)-1].Body, "Question f · Claude Code › api") {
			t.Errorf("%q", told[len(told)-1].Body)
		}
	})
}
