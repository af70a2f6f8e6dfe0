package delivery

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/notify"
)

func TestStorm(t *testing.T) {
	// Proves: A8, A10
	synctest.Test(t, func(t *testing.T) {
		w, toast, sound := newWorld(t), toasts(), &recorder{name: notify.ProviderSound}
		w.run(nil, toast, sound)
		begin := time.Now()
		var questions []*notify.Record
		for i := range 200 {
			if i%50 == 49 {
				questions = append(questions, w.publish(question(string(rune('a'+i/50))), "s"))
				continue
			}
			w.publish(notify.Content{Title: "equal text", Severity: notify.SeverityError}, "")
		}
		time.Sleep(5 * time.Second)
		got := toast.all()
		if kinds(got) != "item summary " {
			t.Fatalf("%s", kinds(got))
		}
		if n := len(got[1].Records); n != 199 || !got[1].Records[0].Waiting() || got[1].At.Sub(begin) > 2*time.Second {
			t.Errorf("summary of %d after %v", n, got[1].At.Sub(begin))
		}
		if n := len(sound.all()); n != 1 {
			t.Errorf("%d sounds", n)
		}
		for _, q := range questions {
			if row := w.row(notify.ProviderToast, q.ID); row.State != notify.DeliveryDelivered || !strings.Contains(row.Reason, "summary") {
				t.Errorf("%+v", row)
			}
		}
		// The summary shrinks as its items end; it never says what is no longer so.
		for _, q := range questions {
			w.answer(q)
		}
		time.Sleep(2 * time.Second)
		got = toast.all()
		if last := got[len(got)-1]; kinds(got) != "summary* summary* " || len(last.Records) != 195 || last.Waits() {
			t.Errorf("%s, %d", kinds(got), len(last.Records))
		}
	})
}

func TestLongStorm(t *testing.T) {
	// Proves: A8
	// T58: as long as a storm lasts, there is a summary a window; a question does not wait for it.
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(func(p *Params) { p.StormCount, p.StormWindow = 3, 10*time.Second }, toast)
		for i := range 40 {
			if i == 20 {
				asked := time.Now()
				q := w.publish(question("q"), "s")
				time.Sleep(2 * time.Second)
				if told := toast.all(); !told[len(told)-1].Waits() || told[len(told)-1].At.Sub(asked) > 2*time.Second {
					t.Errorf("the question waits for the end of the storm: %s", kinds(told))
				}
				w.answer(q)
			}
			w.publish(notify.Content{Severity: notify.SeverityError}, "")
			time.Sleep(1500 * time.Millisecond)
		}
		time.Sleep(time.Minute)
		if got := toast.all(); len(got) > 12 {
			t.Errorf("%d toasts: %s", len(got), kinds(got))
		}
	})
}

func TestQuiet(t *testing.T) {
	// Proves: A8, A11
	synctest.Test(t, func(t *testing.T) {
		w, toast, sound, hook := newWorld(t), toasts(), &recorder{name: notify.ProviderSound}, &recorder{name: "webhook:x"}
		w.run(nil, toast, sound, hook)
		until := time.Now().Add(time.Hour)
		w.must(notify.Owner, notify.SetSettings{QuietUntil: &until, Rules: &[]notify.Rule{{Name: "through", Match: notify.RuleMatch{Tag: "fire"}, Set: notify.RuleSound, Through: true}}})
		q := w.publish(question("q"), "s")
		over := w.publish(question("over"), "s")
		w.publish(notify.Content{Title: "build", Severity: notify.SeverityError}, "")
		w.answer(over)
		time.Sleep(time.Minute)
		if got := toast.all(); len(got) != 0 {
			t.Fatalf("told in quiet: %s", kinds(got))
		}
		if row := w.row(notify.ProviderToast, q.ID); row.State != notify.DeliveryHeld || row.Reason != string(notify.ReasonQuiet) {
			t.Errorf("%+v", row)
		}
		w.publish(notify.Content{Title: "fire", Tags: []string{"fire"}}, "")
		if got := toast.all(); kinds(got) != "item " || len(sound.all()) != 1 {
			t.Errorf("breaking through: %s", kinds(got))
		}
		time.Sleep(time.Hour)
		got := toast.all()
		if kinds(got) != "digest " || len(got[0].Records) != 2 || got[0].Records[0].ID != q.ID {
			t.Fatalf("at the end: %s", kinds(got))
		}
		if want := "Held back while it was quiet: 1 waiting, 1 failed"; got[0].Title != want { // not all that waits
			t.Errorf("it says %q, want %q", got[0].Title, want)
		}
		if n := len(sound.all()); n != 1 {
			t.Errorf("%d sounds at the end", n)
		}
		if n := len(hook.all()); n != 3 {
			t.Errorf("the webhook heard %d, want 3", n)
		}
		if row := w.row(notify.ProviderToast, q.ID); row.State != notify.DeliveryDelivered || row.Reason != "digest" {
			t.Errorf("%+v", row)
		}
		time.Sleep(24 * time.Hour)
		if got := toast.all(); len(got) != 0 {
			t.Errorf("told again: %s", kinds(got))
		}
	})
}

func TestQuietEndsByHand(t *testing.T) {
	// Proves: A8
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(nil, toast)
		until := time.Now().Add(24 * time.Hour)
		w.must(notify.Owner, notify.SetSettings{QuietUntil: &until})
		w.publish(question("q"), "s")
		time.Sleep(time.Minute)
		w.must(notify.Owner, notify.SetSettings{QuietUntil: &time.Time{}})
		synctest.Wait()
		if got := toast.all(); kinds(got) != "digest " {
			t.Errorf("%s", kinds(got))
		}
	})
}

func TestFocus(t *testing.T) {
	// Proves: A8
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		looking := true
		w.run(func(p *Params) { p.Looking = func() bool { return looking } }, toast)
		w.must(notify.Producer("claude"), notify.PutSession{Connection: "claude", Session: "s"})
		w.must(notify.Owner, notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
		r := w.publish(question("q"), "s")
		if got := toast.all(); len(got) != 0 || w.row(notify.ProviderToast, r.ID).Reason != string(notify.ReasonFocus) {
			t.Errorf("%s", kinds(got))
		}
		w.publish(question("other"), "s2")
		time.Sleep(time.Second)
		looking = false
		w.publish(question("q2"), "s")
		time.Sleep(2 * time.Second)
		if got := toast.all(); kinds(got) != "item item " {
			t.Errorf("%s", kinds(got))
		}
	})
}

// Several that still wait are told again by one toast, which takes the place of theirs and shrinks as they end; the last of
// them is told again as itself.
func TestRemindersAreOneToast(t *testing.T) {
	// Proves: I7, A8
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(func(p *Params) { p.Remind = []time.Duration{time.Minute, 5 * time.Minute} }, toast)
		a := w.publish(question("a"), "s")
		time.Sleep(20 * time.Second)
		b := w.publish(question("b"), "s2")
		time.Sleep(80 * time.Second)
		if got := toast.all(); kinds(got) != "item item summary " || got[2].Title != "Still waiting for you: 2" || !got[2].Waits() {
			t.Fatalf("%s%+v", kinds(got), got)
		}
		if got := toast.withdrawn(); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values([]string{a.ID, b.ID}))) {
			t.Errorf("withdrawn %q, want %q and %q", got, a.ID, b.ID)
		}
		if d := w.row(notify.ProviderToast, b.ID); d.State != notify.DeliveryDelivered || d.EventType != "reminder" {
			t.Errorf("the row of b: %+v", d)
		}
		c := w.publish(question("c"), "s3")
		time.Sleep(2 * time.Minute)
		if got := toast.all(); kinds(got) != "item summary* summary " || got[2].Title != "Still waiting for you: 3" {
			t.Fatalf("%s%+v", kinds(got), got)
		}
		toast.withdrawn()
		w.answer(a)
		time.Sleep(2 * time.Second)
		if got := toast.all(); kinds(got) != "summary* " || got[0].Title != "Still waiting for you: 2" {
			t.Fatalf("%s%+v", kinds(got), got)
		}
		w.answer(b)
		time.Sleep(10 * time.Minute)
		got := toast.all()
		if kinds(got) != "summary* reminder " || got[1].Record.ID != c.ID {
			t.Errorf("%s", kinds(got))
		}
		if got := toast.withdrawn(); !slices.Contains(got, string(Summary)) {
			t.Errorf("withdrawn %q: the toast of all stays beside that of the last one", got)
		}
	})
}

// A digest of nothing but what is told again goes: it would say the same beside it.
func TestAReminderTakesThePlaceOfADigest(t *testing.T) {
	// Proves: A13
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.publish(question("a"), "s")
		w.run(func(p *Params) { p.Remind = []time.Duration{time.Minute, 5 * time.Minute} }, toast)
		time.Sleep(2 * time.Second)
		if got := toast.all(); kinds(got) != "digest " {
			t.Fatalf("%s", kinds(got))
		}
		time.Sleep(2 * time.Minute)
		if got := toast.all(); kinds(got) != "reminder " {
			t.Errorf("%s", kinds(got))
		}
		if got := toast.withdrawn(); !slices.Equal(got, []string{string(Summary)}) {
			t.Errorf("withdrawn %q", got)
		}
	})
}

// What the owner looks at is no part of what is told again.
func TestNoReminderOfWhatIsLookedAt(t *testing.T) {
	// Proves: A8
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		var looking atomic.Bool
		w.run(func(p *Params) {
			p.Remind, p.Looking = []time.Duration{time.Minute, 5 * time.Minute}, looking.Load
		}, toast)
		w.publish(question("a"), "s")
		time.Sleep(2 * time.Second)
		b := w.publish(question("b"), "s2")
		time.Sleep(2 * time.Second)
		w.must(notify.Owner, notify.SetFocus{Focus: notify.SessionRef{Connection: "claude", Session: "s"}})
		looking.Store(true)
		toast.all()
		time.Sleep(2 * time.Minute)
		if got := toast.all(); kinds(got) != "reminder " || got[0].Record.ID != b.ID {
			t.Errorf("%s%+v", kinds(got), got)
		}
	})
}

func TestReminders(t *testing.T) {
	// Proves: I7
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(func(p *Params) { p.Remind = []time.Duration{time.Minute, 5 * time.Minute} }, toast)
		q := w.publish(question("q"), "s")
		aside := w.publish(question("aside"), "s")
		w.must(notify.Owner, notify.SetAside{ID: aside.ID, For: time.Hour})
		time.Sleep(2 * time.Minute)
		got := toast.all()
		if kinds(got[len(got)-1:]) != "reminder " || got[len(got)-1].Record.ID != q.ID {
			t.Fatalf("%s", kinds(got))
		}
		w.answer(q)
		time.Sleep(30 * time.Minute)
		if got := toast.all(); len(got) != 0 {
			t.Errorf("answered, and yet %s", kinds(got))
		}
		time.Sleep(24 * time.Hour)
		got = toast.all()
		if kinds(got) == "" || got[0].Record.ID != aside.ID || len(got) > 3 {
			t.Errorf("after the set-aside ended: %s", kinds(got))
		}
	})
}
