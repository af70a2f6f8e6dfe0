package center_test

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/center"
	"signalbox/notify"
	"signalbox/store/memstore"
)

// wall is a wall clock that can be set; its timers are those of the bubble.
type wall struct{ ahead atomic.Int64 }

func (w *wall) now() time.Time       { return time.Now().Add(time.Duration(w.ahead.Load())) }
func (w *wall) jump(d time.Duration) { w.ahead.Add(int64(d)) }
func (w *wall) clock() center.Clock  { return center.SystemClock{NowFunc: w.now} }

func ask(timeout float64) notify.Publish {
	return notify.Publish{Connection: "agent", Content: notify.Content{Title: "Go on?", Kind: notify.KindInteraction,
		Interaction: &notify.Interaction{Prompt: "Go on?", TimeoutSeconds: timeout, TimeoutOption: "no",
			Options: []notify.Option{{ID: "yes", Label: "Yes"}, {ID: "no", Label: "No"}}}}}
}

func record(t *testing.T, c *center.Center, id string) *notify.Record {
	t.Helper()
	r, err := c.Record(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Proves: R5, I2, A5
func TestDeadlinesComeByThemselves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, center.Config{})
		asked := do(t, c, agent, ask(90)).Record
		snoozed := do(t, c, agent, publish("", "later")).Record
		do(t, c, notify.Owner, notify.Snooze{ID: snoozed.ID, For: 30 * time.Second})
		time.Sleep(30*time.Second - time.Millisecond)
		synctest.Wait()
		if r := record(t, c, snoozed.ID); !r.ResurfacedAt.IsZero() {
			t.Error("resurfaced early")
		}
		time.Sleep(time.Millisecond)
		synctest.Wait()
		if r := record(t, c, snoozed.ID); r.ResurfacedAt.IsZero() || r.Muted {
			t.Errorf("snoozed is %+v", r)
		}
		if r := record(t, c, asked.ID); !r.Waiting() {
			t.Error("timed out early")
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		r := record(t, c, asked.ID)
		if r.Outcome == nil || r.Outcome.Kind != notify.OutcomeTimedOut || r.Outcome.Answer == nil || r.Outcome.Answer.Option != "no" {
			t.Errorf("asked is %+v", r.Outcome)
		}
	})
}

// counting counts how often the center was woken by an alarm.
type counting struct {
	center.Clock
	set, never atomic.Int32
}

type countingAlarm struct {
	center.Alarm
	*counting
}

func (c *counting) Alarm() center.Alarm { return countingAlarm{c.Clock.Alarm(), c} }
func (a countingAlarm) Set(at time.Time) {
	if at.IsZero() {
		a.never.Add(1)
	} else {
		a.set.Add(1)
	}
	a.Alarm.Set(at)
}

// With nothing due the center sleeps for as long as nobody calls it.
//
// Proves: R5
func TestNothingDueCostsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memstore.New()
		clock := &counting{Clock: center.SystemClock{}}
		c := open(t, center.Config{Storage: s, Clock: clock})
		r := do(t, c, agent, publish("", "no deadline")).Record
		time.Sleep(notify.OnlineFor) // the presence of the connection runs out
		synctest.Wait()
		set, commits := clock.set.Load(), s.Commits()
		time.Sleep(1000 * time.Hour)
		synctest.Wait()
		if clock.set.Load() != set || s.Commits() != commits {
			t.Errorf("set %d alarms, made %d commits", clock.set.Load()-set, s.Commits()-commits)
		}
		if r := record(t, c, r.ID); r.Status != notify.Pending {
			t.Errorf("record is %s", r.Status)
		}
	})
}

// Proves: I8, A5
func TestASleepOfTheMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w wall
		c := open(t, center.Config{Clock: w.clock()})
		asked := do(t, c, agent, ask(3600)).Record
		late := do(t, c, agent, ask(3600)).Record
		snoozed := do(t, c, agent, publish("", "later")).Record
		do(t, c, notify.Owner, notify.Snooze{ID: snoozed.ID, For: time.Hour})
		// The machine sleeps: the wall clock goes on, the timers stood still.
		w.jump(2 * time.Hour)
		// A late answer is refused by the deadline itself, before any timer has run.
		if _, err := c.Do(t.Context(), notify.Owner, notify.AnswerOp{ID: late.ID, Answer: notify.Answer{Option: "yes"}}); err == nil {
			t.Error("a late answer was taken")
		}
		if r := record(t, c, late.ID); r.Outcome == nil || r.Outcome.Kind != notify.OutcomeTimedOut {
			t.Errorf("late is %+v", r.Outcome)
		}
		time.Sleep(center.CheckEvery)
		synctest.Wait()
		if r := record(t, c, asked.ID); r.Outcome == nil || r.Outcome.Kind != notify.OutcomeTimedOut {
			t.Errorf("asked is %+v", r)
		}
		if r := record(t, c, snoozed.ID); r.ResurfacedAt.IsZero() {
			t.Error("the snoozed item has not resurfaced")
		}
	})
}

// What was meant as a length lasts no longer than that from when the clock was set, also a day back (T26, T27).
//
// Proves: X4
func TestAClockThatIsSetBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w wall
		c := open(t, center.Config{Clock: w.clock()})
		asked := do(t, c, agent, ask(600)).Record
		lasting := publish("", "for a while")
		lasting.Content.Retention = notify.Retention{Policy: notify.TTL, TTL: 10 * time.Minute}
		brief := do(t, c, agent, lasting).Record
		snoozed := do(t, c, agent, publish("", "later")).Record
		do(t, c, notify.Owner, notify.Snooze{ID: snoozed.ID, For: 10 * time.Minute})
		time.Sleep(5 * time.Minute)
		w.jump(-24 * time.Hour)
		updated := record(t, c, brief.ID).UpdatedAt
		if r := do(t, c, agent, notify.Update{ID: brief.ID, Fields: []string{"body"}, Changes: notify.Content{Body: "more"}}).Record; r.UpdatedAt.Before(updated) {
			t.Errorf("it was updated at %v, and then at %v", updated, r.UpdatedAt)
		}
		time.Sleep(10*time.Minute - time.Second)
		synctest.Wait()
		if r := record(t, c, asked.ID); !r.Waiting() || notify.Lapsed(record(t, c, brief.ID), w.now()) || !record(t, c, snoozed.ID).ResurfacedAt.IsZero() {
			t.Errorf("something ended before its length: %+v", r.Outcome)
		}
		time.Sleep(time.Second + center.CheckEvery)
		synctest.Wait()
		if r := record(t, c, asked.ID); r.Outcome == nil || r.Outcome.Kind != notify.OutcomeTimedOut || r.EndedAt.Before(r.UpdatedAt) {
			t.Errorf("the question waits for the day that was set back: %+v", r)
		}
		if r := record(t, c, brief.ID); !notify.Lapsed(r, w.now()) {
			t.Errorf("the item is shown for the day that was set back, until %v", r.Retention.Deadline)
		}
		if r := record(t, c, snoozed.ID); r.ResurfacedAt.IsZero() {
			t.Errorf("the snooze lasts for the day that was set back, until %v", r.SnoozeUntil)
		}
	})
}

// A clock that was wrong for a moment, and one that was set back while no center ran.
//
// Proves: X4
func TestAClockThatIsPutRight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var w wall
		s := memstore.New()
		c := open(t, center.Config{Clock: w.clock(), Storage: s})
		lasting := publish("", "for a while")
		lasting.Content.Retention = notify.Retention{Policy: notify.TTL, TTL: time.Hour}
		brief := do(t, c, agent, lasting).Record
		until := w.now().Add(48 * time.Hour)
		named := do(t, c, agent, publish("", "until then")).Record
		do(t, c, notify.Owner, notify.Snooze{ID: named.ID, Until: until})
		w.jump(24 * time.Hour)
		do(t, c, agent, publish("", "tomorrow"))
		w.jump(-24 * time.Hour)
		do(t, c, agent, publish("", "today"))
		if r := record(t, c, brief.ID); notify.Lapsed(r, w.now()) || !r.Retention.Deadline.Equal(brief.Retention.Deadline) {
			t.Errorf("it ends at %v instead of %v", r.Retention.Deadline, brief.Retention.Deadline)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		w.jump(-24 * time.Hour)
		c = open(t, center.Config{Clock: w.clock(), Storage: s})
		if r := record(t, c, brief.ID); r.Retention.Deadline.After(w.now().Add(time.Hour)) || r.Revision != 1 {
			t.Errorf("after the start it ends at %v, revision %d", r.Retention.Deadline, r.Revision)
		}
		if r := record(t, c, named.ID); !r.SnoozeUntil.Equal(until.UTC().Truncate(time.Millisecond)) {
			t.Errorf("an instant that was named is %v now, not %v", r.SnoozeUntil, until)
		}
		before := c.Sequence()
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		c = open(t, center.Config{Clock: w.clock(), Storage: s})
		if c.Sequence() != before {
			t.Error("it was done twice")
		}
	})
}

// What came due while no center ran is done at the start.
//
// Proves: I8, A5
func TestDeadlinesPassedWhileNothingRan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := memstore.New()
		c := open(t, center.Config{Storage: s})
		asked := do(t, c, agent, ask(60)).Record
		snoozed := do(t, c, agent, notify.Publish{Connection: "agent", Content: notify.Content{Title: "born snoozed"}, SnoozeUntil: time.Now().Add(time.Hour)}).Record
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Hour)
		c = open(t, center.Config{Storage: s})
		if r := record(t, c, asked.ID); r.Waiting() {
			t.Error("the question still waits")
		}
		if r := record(t, c, snoozed.ID); r.ResurfacedAt.IsZero() {
			t.Error("the snoozed item has not resurfaced")
		}
		before := c.Sequence()
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		c = open(t, center.Config{Storage: s})
		if c.Sequence() != before {
			t.Error("it was done twice")
		}
	})
}

// A sweep that could not be stored is tried again, and not all the time.
func TestAFailedSweepIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{Store: memstore.New()}
		var failing atomic.Bool
		var tries atomic.Int32
		s.commit = func(int, []notify.Change) error {
			if failing.Load() && tries.Add(1) <= 3 {
				return errors.New("no")
			}
			return nil
		}
		c := open(t, center.Config{Storage: s})
		asked := do(t, c, agent, ask(60)).Record
		failing.Store(true)
		time.Sleep(time.Minute)
		synctest.Wait()
		if tries.Load() != 1 {
			t.Errorf("%d tries at once", tries.Load())
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if r := record(t, c, asked.ID); r.Waiting() || tries.Load() < 4 {
			t.Errorf("after %d tries: %+v", tries.Load(), r.Outcome)
		}
	})
}

func TestPresenceRunsOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, center.Config{})
		presence := func() notify.Presence {
			v, _ := c.Connection("agent")
			return v.Presence
		}
		if got := presence(); got != notify.Missing {
			t.Errorf("never seen: %s", got)
		}
		do(t, c, notify.Center, notify.SetPresence{Connection: "agent", Streams: 1})
		time.Sleep(time.Hour)
		if got := presence(); got != notify.Online {
			t.Errorf("with a stream: %s", got)
		}
		do(t, c, notify.Center, notify.SetPresence{Connection: "agent", Streams: 0})
		feed := subscribe(t, c, -1)
		if got := presence(); got != notify.Online {
			t.Errorf("just left: %s", got)
		}
		time.Sleep(notify.OnlineFor)
		synctest.Wait()
		if got := presence(); got != notify.Offline {
			t.Errorf("after a while: %s", got)
		}
		if change := read(t, feed, 1)[0]; change.Name != notify.EvConnection {
			t.Errorf("the feed told of %s", change.Name)
		}
	})
}

// An answer is taken to the instant of the deadline and not after it, and whoever asks gets one story.
//
// Proves: I4, I8
func TestAnswersAroundTheDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := open(t, center.Config{})
		type try struct {
			id    string
			after time.Duration // the deadline
			err   error
		}
		tries := make([]*try, 400)
		var group sync.WaitGroup
		for i := range tries {
			r := do(t, c, agent, ask(10)).Record
			one := &try{id: r.ID, after: time.Duration(i-200) * time.Millisecond / 4}
			tries[i] = one
			wait := time.Until(r.InteractionDeadline) + one.after
			group.Go(func() {
				time.Sleep(wait)
				_, one.err = c.Do(t.Context(), notify.Owner, notify.AnswerOp{ID: one.id, Answer: notify.Answer{Option: "yes"}})
			})
		}
		group.Wait()
		time.Sleep(time.Minute)
		synctest.Wait()
		for _, one := range tries {
			early := one.after < 0
			r := record(t, c, one.id)
			switch {
			case early && (one.err != nil || r.Outcome.Kind != notify.OutcomeAnswered):
				t.Errorf("%s: %v, %+v", one.after, one.err, r.Outcome)
			case !early && (one.err == nil || r.Outcome.Kind != notify.OutcomeTimedOut):
				t.Errorf("%s: %v, %+v", one.after, one.err, r.Outcome)
			}
		}
	})
}
