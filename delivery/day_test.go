package delivery

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/notify"
)

// TestDay lives through a day of twenty agents: ten thousand events, twelve questions among them.
func TestDay(t *testing.T) {
	// Proves: A1, A2, A8, A9, A10, A13
	const agents, events, questions = 20, 10_000, 12
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		for i := range agents {
			id := fmt.Sprintf("agent-%02d", i)
			w.must(notify.Owner, notify.CreateConnection{ID: id, Label: "Agent " + id, TokenHash: make([]byte, 32)})
		}
		toast, sound := toasts(), &recorder{name: notify.ProviderSound}
		toast.took = 20 * time.Millisecond
		w.run(func(p *Params) { p.Remind, p.StormCount, p.StormWindow = DefaultRemind, 5, 10*time.Second }, toast, sound)
		rnd := rand.New(rand.NewPCG(1, 2))
		asked := map[string]time.Time{} // record id → when
		ended := map[string]time.Time{}
		open := []*notify.Record{}
		perQuestion := events / questions
		begin := time.Now()
		for i := range events {
			// Bursts and pauses: a third of the events come within a tenth of a second of another.
			gap := time.Duration(rnd.ExpFloat64() * float64(9*time.Hour) / events)
			if rnd.IntN(3) == 0 {
				gap = time.Duration(rnd.IntN(100)) * time.Millisecond
			}
			time.Sleep(gap)
			agent := fmt.Sprintf("agent-%02d", rnd.IntN(agents))
			p := notify.Publish{Connection: agent, Session: fmt.Sprintf("s%d", rnd.IntN(3)), Key: fmt.Sprintf("k%d", rnd.IntN(200))}
			turn := fmt.Sprintf("%s-turn-%d", agent, i)
			switch n := rnd.IntN(100); {
			case i%perQuestion == perQuestion/2 && len(asked) < questions:
				p.Key, p.Session = "question-"+turn, "asking" // a later event of the same session would prove it answered
				p.Content = question(turn)
			case n < 60: // work goes on
				p.Content = notify.Content{Kind: notify.KindProgress, Title: "Working", Progress: &notify.Progress{Current: float64(n)}}
			case n < 85:
				p.Content = notify.Content{Title: "Turn finished", Event: &notify.Event{Type: notify.EventTurnFinished, Occurrence: turn},
					Data: notify.RawJSON(fmt.Sprintf(`{"duration_seconds":%d}`, rnd.IntN(31)))}
			case n < 97:
				p.Content = notify.Content{Title: "Tool finished", Event: &notify.Event{Type: "session.tool_finished", Occurrence: turn}}
			case n < 99:
				p.Content = notify.Content{Title: "Sub-agent finished", Tags: []string{notify.TagSubagent}, Event: &notify.Event{Type: notify.EventTurnFinished, Occurrence: turn}}
			default:
				p.Content = notify.Content{Title: "Turn failed", Severity: notify.SeverityError, Event: &notify.Event{Type: notify.EventTurnFailed, Occurrence: turn}}
			}
			if i%2000 == 1999 { // an outage: every agent's turn fails at once
				for a := range agents {
					id := fmt.Sprintf("agent-%02d", a)
					w.must(notify.Producer(id), notify.Publish{Connection: id, Session: "s0", Content: notify.Content{Title: "Turn failed",
						Severity: notify.SeverityError, Event: &notify.Event{Type: notify.EventTurnFailed, Occurrence: fmt.Sprintf("outage-%d", i)}}})
				}
			}
			r := w.must(notify.Producer(agent), p).Record
			if rnd.IntN(20) == 0 { // two plugins, or a hook that was run again, say the same
				w.must(notify.Producer(agent), p)
			}
			if r.Waiting() {
				asked[r.ID] = time.Now()
				open = append(open, r)
			}
			for len(open) > 0 && time.Since(asked[open[0].ID]) > 4*time.Minute {
				w.answer(open[0])
				ended[open[0].ID] = time.Now()
				open = open[1:]
			}
		}
		time.Sleep(time.Minute)
		if len(asked) != questions {
			t.Fatalf("%d questions were asked", len(asked))
		}

		told := toast.all()
		first := map[string]time.Time{}
		items, summaries, reminders, places := 0, 0, 0, 0
		var last time.Time
		occurrences := map[string]int{}
		for _, m := range told {
			if m.InPlace {
				places++
				continue
			}
			if !last.IsZero() && m.At.Sub(last) < notify.StormGap-100*time.Millisecond {
				t.Errorf("two toasts within %v", m.At.Sub(last))
			}
			last = m.At
			records := m.Records
			switch m.Kind {
			case Item:
				items++
				records = []*notify.Record{m.Record}
			case Summary:
				summaries++
			case Reminder:
				reminders++
				if at, ok := ended[m.Record.ID]; ok && m.At.After(at) {
					t.Errorf("reminded of what had ended")
				}
				continue
			default:
				t.Errorf("a %s was told", m.Kind)
			}
			for _, r := range records {
				if m.Kind == Item && r.Event != nil {
					occurrences[r.Connection+"/"+r.Event.Occurrence]++
				}
				if _, ok := first[r.ID]; !ok {
					first[r.ID] = m.At
				}
				if r.Subagent() || r.Kind == notify.KindProgress || r.Event.Type == "session.tool_finished" {
					t.Errorf("told of %s", r.Title)
				}
				if at, ok := ended[r.ID]; ok && m.At.After(at) {
					t.Errorf("told of a question after its end")
				}
			}
		}
		var worst time.Duration
		for id, at := range asked {
			f, ok := first[id]
			if !ok {
				t.Errorf("a question was never told")
				continue
			}
			if d := f.Sub(at); d > 2*time.Second {
				t.Errorf("a question was told after %v", d)
			} else if d > worst {
				worst = d
			}
		}
		for o, n := range occurrences {
			if n > 1 {
				t.Errorf("%s was told %d times", o, n)
			}
		}
		t.Logf("%d agents, %d events in %v, %d questions: %d toasts (%d items, %d summaries, %d reminders), %d brought up to date in place, %d sounds; slowest question %v",
			agents, events, time.Since(begin).Round(time.Minute), questions, items+summaries+reminders, items, summaries, reminders, places, len(sound.all()), worst)
	})
}
