package delivery

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"signalbox/notify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func toasts() *recorder { return &recorder{name: notify.ProviderToast} }

func TestToldOnce(t *testing.T) {
	// Proves: A2, A3, A4, A11
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		hook := &recorder{name: "webhook:ci"}
		e := w.run(nil, toast, hook)
		r := w.publish(question("q1"), "s1")
		w.must(notify.Producer("claude"), notify.Publish{Connection: "claude", Session: "s1", Content: question("q1")}) // a replay
		time.Sleep(time.Minute)
		for _, p := range []*recorder{toast, hook} {
			told := p.all()
			if kinds(told) != "item " || told[0].Record.ID != r.ID {
				t.Fatalf("%s told %s", p.name, kinds(told))
			}
			if strings.Contains(told[0].Title+told[0].Body, "secret plans") {
				t.Error("the default holds the question's text")
			}
		}
		shown := w.row(notify.ProviderToast, r.ID)
		if row := shown; row.State != notify.DeliveryDelivered || row.Attempts != 1 || !row.ToldAt.Equal(row.At) || !strings.HasPrefix(row.Reason, "default") {
			t.Errorf("%+v", shown)
		}
		if s, _ := w.state.Session(notify.SessionRef{Connection: "claude", Session: "s1"}); s != nil && s.Told != r.Position {
			t.Errorf("told position %d, want %d", s.Told, r.Position)
		}
		// The same world after a restart: what was told is not announced as new.
		_ = e
		w.answer(r)
		if got := toast.withdrawn(); len(got) != 1 || got[0] != r.ID {
			t.Errorf("withdrawn %q", got)
		}
		if row := w.row(notify.ProviderToast, r.ID); row.State != notify.DeliveryWithdrawn || !row.ToldAt.Equal(shown.At) || !row.ToldAt.Before(row.At) {
			t.Errorf("%+v", row)
		}
	})
}

func TestRestart(t *testing.T) {
	// Proves: A2, A13
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		told := w.publish(notify.Content{Title: "told before"}, "")
		if ok, _ := w.Claim(t.Context(), notify.Delivery{Provider: notify.ProviderToast, EventType: "notification.notice", Occurrence: told.ID, RecordID: told.ID, State: notify.DeliveryDelivered}); !ok {
			t.Fatal("not claimed")
		}
		missed := w.publish(notify.Content{Title: "came while away", Severity: notify.SeverityError}, "")
		q := w.publish(question("q"), "s")
		quiet := w.publish(notify.Content{Title: "silent", Silent: true}, "")
		time.Sleep(time.Hour)
		toast := toasts()
		w.run(nil, toast)
		time.Sleep(time.Second)
		got := toast.all()
		if kinds(got) != "digest " || got[0].Title != "While you were away: 1 waiting, 1 failed" || got[0].Records[0].ID != q.ID || got[0].Records[1].ID != missed.ID {
			t.Fatalf("%s %+v", kinds(got), got)
		}
		if row := w.row(notify.ProviderToast, missed.ID); row.State != notify.DeliveryDelivered || row.Reason != "digest" {
			t.Errorf("%+v", row)
		}
		_ = quiet
		w.publish(notify.Content{Title: "new"}, "")
		time.Sleep(2 * time.Second)
		if got := toast.all(); kinds(got) != "item " {
			t.Errorf("afterwards %s", kinds(got))
		}
	})
}

func TestRevisions(t *testing.T) {
	// Proves: A6, A9
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(nil, toast)
		r := w.publish(notify.Content{Title: "one"}, "")
		time.Sleep(3 * time.Second)
		for _, title := range []string{"two", "three", "four"} {
			w.must(notify.Producer("claude"), notify.Update{ID: r.ID, Changes: notify.Content{Title: title}, Fields: []string{"title"}})
		}
		time.Sleep(3 * time.Second)
		got := toast.all()
		if last := got[len(got)-1]; kinds(got) != "item item* item* " || last.Title != "four" || last.Record.Revision != 4 {
			t.Fatalf("%s", kinds(got))
		}
		// It becomes an error: that is news.
		w.must(notify.Producer("claude"), notify.Update{ID: r.ID, Changes: notify.Content{Severity: notify.SeverityError}, Fields: []string{"severity"}})
		time.Sleep(3 * time.Second)
		if got := toast.all(); kinds(got) != "item " {
			t.Errorf("risen: %s", kinds(got))
		}
		w.must(notify.Owner, notify.SetRead{ID: r.ID, Read: true})
		synctest.Wait()
		if got := toast.withdrawn(); len(got) != 1 {
			t.Errorf("read in the window, withdrawn %q", got)
		}
	})
}

func TestFailureIsSeenAndRetried(t *testing.T) {
	// Proves: A12
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		toast.fail(errors.New("no notification service is running"))
		e := w.run(nil, toast)
		q := w.publish(question("q"), "s")
		row := w.row(notify.ProviderToast, q.ID)
		if row.State != notify.DeliveryFailed || row.Error == "" || row.RetryAt.Sub(row.At) != retryFirst {
			t.Fatalf("%+v", row)
		}
		time.Sleep(time.Hour)
		if row = w.row(notify.ProviderToast, q.ID); row.Attempts < 5 || row.Attempts > 20 || row.RetryAt.IsZero() {
			t.Errorf("after an hour %+v", row)
		}
		n := w.publish(notify.Content{Title: "notice"}, "")
		time.Sleep(time.Hour)
		if row = w.row(notify.ProviderToast, n.ID); row.State != notify.DeliveryFailed || !row.RetryAt.IsZero() {
			t.Errorf("an old notice is still tried: %+v", row)
		}
		toast.fail(nil)
		e.Kick(notify.ProviderToast)
		synctest.Wait()
		if got := toast.all(); kinds(got) != "item " || got[0].Record.ID != q.ID {
			t.Fatalf("%s", kinds(got))
		}
		if row = w.row(notify.ProviderToast, q.ID); row.State != notify.DeliveryDelivered || row.Error != "" {
			t.Errorf("%+v", row)
		}
	})
}

func TestNobodyListens(t *testing.T) {
	// Proves: A12, A13
	synctest.Test(t, func(t *testing.T) {
		w, app := newWorld(t), &InApp{}
		e := w.run(nil, app)
		w.publish(notify.Content{Title: "old"}, "")
		time.Sleep(time.Hour)
		r := w.publish(notify.Content{Title: "new"}, "")
		time.Sleep(time.Minute)
		if row := w.row(app.Name(), r.ID); row.State != notify.DeliveryFailed || row.Attempts != 1 || row.Error != ErrNobody.Error() {
			t.Errorf("%+v", row)
		}
		c, end := app.Listen()
		defer end()
		e.Kick(app.Name())
		synctest.Wait()
		if m := <-c; m.Title != "new" || len(c) != 0 {
			t.Errorf("told %q, and %d more", m.Title, len(c))
		}
		if row := w.row(app.Name(), r.ID); row.State != notify.DeliveryDelivered {
			t.Errorf("%+v", row)
		}
	})
}

func TestRetriesSurviveRestart(t *testing.T) {
	// Proves: A2, A12
	synctest.Test(t, func(t *testing.T) {
		w, hook := newWorld(t), &recorder{name: "webhook:x"}
		q := w.publish(question("q"), "s")
		_ = w.Settle(t.Context(), notify.Delivery{ID: "d", Provider: hook.name, EventType: "x", Occurrence: "y", RecordID: q.ID, State: notify.DeliveryFailed, RetryAt: time.Now().Add(time.Minute), Attempts: 2})
		w.run(nil, hook)
		time.Sleep(2 * time.Minute)
		if got := hook.all(); kinds(got) != "item " || got[0].Delivery != "d" {
			t.Errorf("%s", kinds(got))
		}
	})
}

func TestBrokenLedger(t *testing.T) {
	// A full disk must not keep a question from the owner.
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(nil, toast)
		w.mu.Lock()
		w.broken = true
		w.mu.Unlock()
		w.publish(question("q"), "s")
		if got := toast.all(); kinds(got) != "item " {
			t.Errorf("%s", kinds(got))
		}
	})
}

func TestSlowProviderDelaysNobody(t *testing.T) {
	// Proves: A12
	synctest.Test(t, func(t *testing.T) {
		w, slow, toast := newWorld(t), &recorder{name: "webhook:slow", took: time.Hour}, toasts()
		w.run(nil, slow, toast)
		begin := time.Now()
		w.publish(question("q"), "s")
		if got := toast.all(); kinds(got) != "item " || got[0].At != begin {
			t.Errorf("%s", kinds(got))
		}
	})
}

func TestEndedWhileTold(t *testing.T) {
	// Proves: A9
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		toast.took = 500 * time.Millisecond
		w.run(nil, toast)
		q := w.publish(question("q"), "s")
		w.answer(q)
		time.Sleep(time.Second)
		if got := toast.withdrawn(); len(got) == 0 || got[len(got)-1] != q.ID {
			t.Errorf("withdrawn %q", got)
		}
		if row := w.row(notify.ProviderToast, q.ID); row.State != notify.DeliveryWithdrawn {
			t.Errorf("%+v", row)
		}
	})
}

// A provider that failed may show what it was given all the same: a daemon that hung and wakes.
func TestEndedAfterItFailed(t *testing.T) {
	// Proves: A9, A12
	for name, took := range map[string]time.Duration{"before the next try": 0, "while it fails": 500 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, toast := newWorld(t), toasts()
				toast.took = took
				toast.fail(errors.New("the notification service does not answer"))
				w.run(nil, toast)
				q := w.publish(question("q"), "s")
				w.answer(q)
				time.Sleep(time.Second)
				if got := toast.withdrawn(); len(got) == 0 || got[len(got)-1] != q.ID {
					t.Errorf("withdrawn %q", got)
				}
			})
		})
	}
}

func TestSetAsideWhileTold(t *testing.T) {
	// Proves: I7
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		toast.took = 500 * time.Millisecond
		w.run(nil, toast)
		q := w.publish(question("q"), "s")
		w.must(notify.Owner, notify.SetAside{ID: q.ID})
		time.Sleep(time.Second)
		if got := toast.withdrawn(); len(got) == 0 || got[len(got)-1] != q.ID {
			t.Errorf("withdrawn %q", got)
		}
	})
}

// What ends while the feed is lost is found when it is joined again.
func TestEndedWhileTheFeedWasLost(t *testing.T) {
	// Proves: A9, A13
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		w.run(func(p *Params) { p.Remind = []time.Duration{3 * time.Minute} }, toast)
		q, other := w.publish(question("q"), "s"), w.publish(question("other"), "s")
		w.lose()
		w.answer(q)
		time.Sleep(2 * time.Second)
		if got := toast.withdrawn(); len(got) != 1 || got[0] != q.ID {
			t.Errorf("withdrawn %q", got)
		}
		toast.all()
		time.Sleep(4 * time.Minute)
		if got := toast.all(); len(got) != 1 || got[0].Record.ID != other.ID {
			t.Errorf("reminded by %s", kinds(got))
		}
	})
}

// A digest of what was missed waits for the providers of a desktop.
func TestProvidersAreThereFromTheStart(t *testing.T) {
	// Proves: A13
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		w.publish(question("q"), "s")
		e := New(Params{Center: w, Subscribe: w.Subscribe, Ledger: w, NewID: w.NewID, Now: time.Now})
		toast := toasts()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		if err := e.SetProviders(ctx, []Provider{toast}); err != nil {
			t.Error(err)
		}
		cancel()
		ctx, cancel = context.WithCancel(t.Context())
		go func() { _ = e.Serve(ctx) }()
		time.Sleep(time.Second)
		cancel()
		<-e.done
		if got := toast.all(); kinds(got) != "digest " {
			t.Errorf("told %s", kinds(got))
		}
	})
}

func TestWhyNot(t *testing.T) {
	// Proves: A11
	synctest.Test(t, func(t *testing.T) {
		w, toast, sound := newWorld(t), toasts(), &recorder{name: notify.ProviderSound}
		e := w.run(nil, toast, sound)
		w.must(notify.Owner, notify.SetSettings{Rules: &[]notify.Rule{{Name: "never the linter", Match: notify.RuleMatch{Sender: "lint"}, Set: notify.RuleNone}}})
		for _, c := range []struct {
			name   string
			record notify.Content
			want   string
		}{
			{"rule", notify.Content{Sender: "lint"}, "rule: never the linter"},
			{"silent", notify.Content{Silent: true}, "silent"},
			{"progress", notify.Content{Kind: notify.KindProgress, Progress: &notify.Progress{}}, "default: it only goes on"},
		} {
			r := w.publish(c.record, "")
			rows, err := e.Deliveries(t.Context(), "", r.ID, 0)
			if err != nil || len(rows) != 2 {
				t.Fatalf("%s: %v, %d rows", c.name, err, len(rows))
			}
			if rows[1].Provider != notify.ProviderToast || rows[1].State != notify.DeliveryHeld || rows[1].Reason != c.want {
				t.Errorf("%s: %+v", c.name, rows[1])
			}
		}
		if got := toast.all(); len(got) != 0 {
			t.Errorf("told %s", kinds(got))
		}
	})
}

func TestTrial(t *testing.T) {
	// Proves: A12
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		e := w.run(nil, toast)
		if d, err := e.Test(t.Context(), notify.ProviderToast); err != nil || d.State != notify.DeliveryDelivered || kinds(toast.all()) != "trial " {
			t.Errorf("%+v %v", d, err)
		}
		toast.fail(ErrNobody)
		if d, err := e.Test(t.Context(), notify.ProviderToast); err != nil || d.State != notify.DeliveryFailed || d.Error != ErrNobody.Error() {
			t.Errorf("%+v %v", d, err)
		}
		if _, err := e.Test(t.Context(), "webhook:none"); notify.CodeOf(err) != notify.CodeNotFound {
			t.Errorf("%v", err)
		}
	})
}

func TestPrivacy(t *testing.T) {
	// Proves: S4
	synctest.Test(t, func(t *testing.T) {
		w, toast := newWorld(t), toasts()
		level := PrivacyTitle
		w.run(func(p *Params) { p.Privacy = func(string) Privacy { return level } }, toast)
		for _, c := range []struct {
			level                    Privacy
			title, body, label, text bool
		}{
			{PrivacyFull, true, true, true, true}, {PrivacyTitle, true, true, true, false}, {PrivacyNone, false, false, false, false},
		} {
			level = c.level
			w.publish(question(string(c.level)), "s")
			time.Sleep(5 * time.Second)
			m := toast.all()[0]
			text := m.Title + "|" + m.Body
			if strings.Contains(text, "Question") != c.title || strings.Contains(text, "Claude") != c.label || strings.Contains(text, "secret plans") != c.text {
				t.Errorf("%s: %q", c.level, text)
			}
		}
	})
}

func TestProvidersChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, a, b := newWorld(t), &recorder{name: "webhook:a"}, &recorder{name: "webhook:b"}
		e := w.run(nil, a)
		if err := e.SetProviders(t.Context(), []Provider{b}); err != nil {
			t.Fatal(err)
		}
		w.publish(question("q"), "s")
		if len(a.all()) != 0 || len(b.all()) != 1 {
			t.Error("the old provider told, or the new one did not")
		}
	})
}
