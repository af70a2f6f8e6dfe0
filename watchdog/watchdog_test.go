package watchdog

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
)

var (
	began = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	ref   = notify.SessionRef{Connection: "c", Session: "s"}
)

func state(s string) notify.Change {
	return notify.Change{By: "c", Session: &notify.Session{Connection: "c", ID: "s", State: s}}
}

func item(by string) notify.Change {
	return notify.Change{By: by, Record: &notify.Record{Connection: "c", Session: "s"}}
}

func TestOneItemASilence(t *testing.T) {
	tr := NewTracker(nil)
	tr.Heard(state(notify.SessionWorking), began)
	if due := tr.Due(began.Add(Unlearned - time.Second)); len(due) != 0 {
		t.Errorf("due too early: %v", due)
	}
	tr.Heard(item("owner"), began.Add(Unlearned/2))
	seen := state(notify.SessionWorking)
	seen.By = "owner"
	tr.Heard(seen, began.Add(Unlearned/2))
	due := tr.Due(began.Add(Unlearned))
	if len(due) != 1 || due[0].Ref != ref || due[0].For != Unlearned {
		t.Fatalf("due %v; the owner's own doing is no sign of life", due)
	}
	if due := tr.Due(began.Add(2 * Unlearned)); len(due) != 0 {
		t.Errorf("the same silence twice: %v", due)
	}
	if !tr.Next().IsZero() {
		t.Error("it waits for something though the silence is told")
	}
	if _, over := tr.Heard(item("c"), began.Add(3*Unlearned)); !over {
		t.Error("the item is not resolved though the session was heard of")
	}
	if _, over := tr.Heard(item("c"), began.Add(3*Unlearned+time.Minute)); over {
		t.Error("resolved twice")
	}
	if due := tr.Due(began.Add(5 * Unlearned)); len(due) != 1 {
		t.Errorf("the next silence is not told: %v", due)
	}
	if _, over := tr.Heard(state("idle"), began.Add(6*Unlearned)); !over {
		t.Error("the item outlives the work")
	}
	if due := tr.Due(began.Add(9 * Unlearned)); len(due) != 0 {
		t.Errorf("who does not work may be silent: %v", due)
	}
}

func TestTheLimitIsLearned(t *testing.T) {
	tr := NewTracker(nil)
	now := began
	tr.Heard(state(notify.SessionWorking), now)
	for range 20 {
		now = now.Add(15 * time.Minute)
		tr.Heard(item("c"), now)
	}
	if got := tr.Limit("c"); got != 45*time.Minute {
		t.Errorf("limit %v after pauses of 15 minutes, want 45 minutes", got)
	}
	if got := tr.Limit("other"); got != Unlearned {
		t.Errorf("limit of another connection %v", got)
	}
}

func TestTheLimitIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tr := NewTracker(nil)
		now := began
		tr.Heard(state(notify.SessionWorking), now)
		for _, s := range rapid.SliceOf(rapid.Int64Range(0, 1e6)).Draw(t, "pauses in seconds") {
			now = now.Add(time.Duration(s) * time.Second)
			tr.Heard(item("c"), now)
			if l := tr.Limit("c"); l < Shortest || l > Longest {
				t.Fatalf("limit %v", l)
			}
			if n := len(tr.Pauses()["c"]); n > samples {
				t.Fatalf("%d pauses kept", n)
			}
		}
	})
}

func TestARemovedConnectionIsForgotten(t *testing.T) {
	tr := NewTracker(nil)
	tr.Heard(state(notify.SessionWorking), began)
	tr.Heard(item("c"), began.Add(time.Minute))
	tr.Heard(notify.Change{Connection: &notify.Connection{ID: "c"}}, began.Add(time.Minute))
	if len(tr.Pauses()) != 1 {
		t.Fatalf("learned %v", tr.Pauses())
	}
	tr.Heard(notify.Change{Connection: &notify.Connection{ID: "c"}, Removed: true}, began.Add(time.Minute))
	if len(tr.Pauses()) != 0 {
		t.Errorf("kept %v", tr.Pauses())
	}
}

// desk is a center that keeps what it is told.
type desk struct {
	mu      sync.Mutex
	ops     []notify.Op
	idle    bool // its session does not work
	changes chan notify.Change
}

func (d *desk) Do(_ context.Context, _ notify.Actor, op notify.Op) (notify.Result, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ops = append(d.ops, op)
	return notify.Result{}, nil
}
func (d *desk) Connections() []notify.ConnectionView {
	return []notify.ConnectionView{{Connection: &notify.Connection{ID: "c"}}}
}
func (d *desk) Sessions(string) []notify.SessionView {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.idle {
		return nil
	}
	return []notify.SessionView{{Session: &notify.Session{Connection: "c", ID: "s", State: notify.SessionWorking}}}
}
func (d *desk) Query(context.Context, notify.Filter, notify.Cursor, int) (notify.Page, error) {
	return notify.Page{}, nil
}
func (d *desk) Next(ctx context.Context) (notify.Change, error) {
	select {
	case c, ok := <-d.changes:
		if !ok {
			return c, context.DeadlineExceeded
		}
		return c, nil
	case <-ctx.Done():
		return notify.Change{}, ctx.Err()
	}
}
func (d *desk) Close() {}

func TestServeRaisesAndResolves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{changes: make(chan notify.Change)}
		ctx, cancel := context.WithCancel(t.Context())
		var saved map[string][]time.Duration
		done := make(chan error, 1)
		go func() {
			done <- Serve(ctx, Config{Center: d, Subscribe: func() (Feed, error) { return d, nil }, Now: time.Now,
				Save: func(m map[string][]time.Duration) { saved = m }})
		}()
		time.Sleep(Unlearned + time.Second)
		synctest.Wait()
		d.mu.Lock()
		p, ok := d.ops[len(d.ops)-1].(notify.Publish)
		d.mu.Unlock()
		if !ok || p.Session != "s" || p.Key != Key || p.Content.Title != "Nothing heard for 20 minutes" {
			t.Fatalf("raised %+v", p)
		}
		d.changes <- item("c")
		synctest.Wait()
		d.mu.Lock()
		r, ok := d.ops[len(d.ops)-1].(notify.Resolve)
		d.mu.Unlock()
		if !ok || r.Target.Key != Key || r.Target.Session != "s" {
			t.Fatalf("resolved %+v", r)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if len(saved["c"]) != 1 {
			t.Errorf("learned %v", saved)
		}
	})
}

// What ended while the feed was cut is not missed: its item is resolved, and it is silent for good.
func TestServeAfterAFeedThatWasCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{changes: make(chan notify.Change)}
		cut := &desk{changes: make(chan notify.Change)}
		feeds := []Feed{cut, d}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() {
			done <- Serve(ctx, Config{Center: d, Now: time.Now, Subscribe: func() (Feed, error) {
				next := feeds[0]
				feeds = feeds[1:]
				return next, nil
			}})
		}()
		time.Sleep(Unlearned + time.Second)
		synctest.Wait()
		d.mu.Lock()
		d.idle = true
		d.mu.Unlock()
		close(cut.changes)
		time.Sleep(Longest)
		synctest.Wait()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		if len(d.ops) != 2 {
			t.Fatalf("%d commands, want an item and its end: %+v", len(d.ops), d.ops)
		}
		if r, ok := d.ops[1].(notify.Resolve); !ok || r.Target.Session != "s" {
			t.Errorf("the item was not resolved: %+v", d.ops[1])
		}
	})
}
