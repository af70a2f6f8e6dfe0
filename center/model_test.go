package center_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/center"
	"signalbox/notify"
	"signalbox/store/memstore"
)

// command draws one command on a small world, so that commands meet each other's records.
func command(t *rapid.T, ids []string) (notify.Actor, notify.Op) {
	id := "none"
	if len(ids) > 0 {
		id = rapid.SampledFrom(ids).Draw(t, "id")
	}
	key := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "key")
	session := rapid.SampledFrom([]string{"", "", "s1", "s2"}).Draw(t, "session")
	expect := notify.Expectation{Expect: true, Revision: rapid.IntRange(1, 3).Draw(t, "revision")}
	target := notify.Target{ID: id}
	if key != "" {
		target = notify.Target{Connection: "agent", Session: session, Key: key}
	}
	content := notify.Content{Title: rapid.SampledFrom([]string{"one", "two", ""}).Draw(t, "title"), Request: rapid.SampledFrom([]string{"", "r"}).Draw(t, "request")}
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		content = ask(rapid.SampledFrom([]float64{0, 5, 100}).Draw(t, "timeout")).Content
	case 1:
		content.Kind, content.Progress = notify.KindProgress, &notify.Progress{Current: 1}
	case 2:
		content.Retention = notify.Retention{Policy: rapid.SampledFrom([]notify.Policy{notify.RequestBound, notify.ServerLifetime}).Draw(t, "policy")}
	case 3:
		content.DedupKey = "d"
	}
	ops := []func() (notify.Actor, notify.Op){
		func() (notify.Actor, notify.Op) {
			return agent, notify.Publish{Connection: "agent", Session: session, Key: key, Content: content, Corroborate: content.DedupKey != ""}
		},
		func() (notify.Actor, notify.Op) {
			return agent, notify.Update{ID: id, Changes: notify.Content{Title: "changed"}, Fields: []string{"title"}}
		},
		func() (notify.Actor, notify.Op) { return notify.Owner, notify.Dismiss{ID: id, Expect: expect} },
		func() (notify.Actor, notify.Op) { return agent, notify.Resolve{Target: target} },
		func() (notify.Actor, notify.Op) { return agent, notify.Expire{Target: target} },
		func() (notify.Actor, notify.Op) {
			return notify.Owner, notify.AnswerOp{ID: id, Answer: notify.Answer{Option: "yes"}}
		},
		func() (notify.Actor, notify.Op) { return notify.Owner, notify.SetRead{ID: id, Read: true} },
		func() (notify.Actor, notify.Op) { return notify.Owner, notify.Snooze{ID: id, For: 7 * time.Second} },
		func() (notify.Actor, notify.Op) { return notify.Owner, notify.SetAside{ID: id} },
		func() (notify.Actor, notify.Op) {
			return agent, notify.CompleteRequest{Connection: "agent", Request: "r"}
		},
		func() (notify.Actor, notify.Op) {
			return agent, notify.Hello{Connection: "agent", Lifetime: fmt.Sprint(expect.Revision)}
		},
		func() (notify.Actor, notify.Op) {
			return agent, notify.EndSession{Connection: "agent", Session: "s1"}
		},
		func() (notify.Actor, notify.Op) { return notify.Center, notify.Prune{IDs: []string{id}} },
		func() (notify.Actor, notify.Op) {
			return agent, notify.Batch{Ops: []notify.Op{
				notify.Publish{Connection: "agent", Key: key, Content: content}, notify.Resolve{Target: target}}}
		},
		func() (notify.Actor, notify.Op) { return notify.Center, notify.Tick{} },
	}
	return rapid.SampledFrom(ops).Draw(t, "op")()
}

// The center gives what the rules alone give: the same commands at the same instants, decided on a
// Memory that keeps everything, leave the same state, the same answers and the same changes, over
// restarts of the center too.
//
// Proves: L8, L9
func TestTheCenterIsTheRulesAndAStore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		ids := 0
		storage := memstore.New()
		config := center.Config{Storage: storage, Clock: still{&now}, NewID: func() string { ids++; return fmt.Sprintf("%08d", ids) }}
		c, err := center.Open(t.Context(), config)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { c.Close() }()
		model := notify.NewMemory()
		var log []notify.Change
		run := func(by notify.Actor, op notify.Op) {
			first := ids
			got, gotErr := c.Do(t.Context(), by, op)
			var fresh []string
			for i := first; i < ids; i++ {
				fresh = append(fresh, fmt.Sprintf("%08d", i+1))
			}
			want, wantErr := notify.Decide(model, notify.Rules{}, notify.Command{At: now, By: by, IDs: fresh, Op: op})
			model.Apply(want.Changes)
			for _, change := range want.Changes {
				change.Before, change.Receipt = nil, nil
				log = append(log, change)
			}
			if notify.CodeOf(gotErr) != notify.CodeOf(wantErr) || gotErr == nil && !reflect.DeepEqual(got, want.Result) {
				t.Fatalf("%+v:\n got %+v, %v\nwant %+v, %v", op, got, gotErr, want.Result, wantErr)
			}
		}
		run(notify.Owner, notify.CreateConnection{ID: "agent", Label: "Agent"})
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			var known []string
			for i := range ids {
				known = append(known, fmt.Sprintf("%08d", i+1))
			}
			now = now.Add(time.Duration(rapid.IntRange(0, 3000).Draw(t, "ms")) * time.Millisecond)
			if rapid.IntRange(0, 15).Draw(t, "restart") == 0 {
				if err := c.Close(); err != nil {
					t.Fatal(err)
				}
				if c, err = center.Open(t.Context(), config); err != nil {
					t.Fatal(err)
				}
				// What is due is done at a start.
				tick, _ := notify.Decide(model, notify.Rules{}, notify.Command{At: now, By: notify.Center, Op: notify.Tick{}})
				model.Apply(tick.Changes)
				log = append(log, tick.Changes...)
			}
			run(command(t, known))
		}
		feed, err := c.Subscribe(0)
		if err != nil {
			t.Fatal(err)
		}
		defer feed.Close()
		for i, want := range log {
			got, err := feed.Next(t.Context())
			want.Before, want.Receipt = nil, nil
			if want.Name == notify.EvPruned && got.Record != nil {
				// The log need not keep the content of what is gone.
				got.Record = &notify.Record{ID: got.Record.ID, Connection: got.Record.Connection}
				want.Record = &notify.Record{ID: want.Record.ID, Connection: want.Record.Connection}
			}
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("change %d:\n got %+v, %v\nwant %+v", i, got, err, want)
			}
		}
		if got, want := c.Attention(), model.Attention(now); !reflect.DeepEqual(got, want) {
			t.Fatalf("badge %+v, want %+v", got, want)
		}
		pending := slices.Collect(model.Pending(notify.SessionRef{}))
		page, err := c.Query(t.Context(), notify.Filter{Statuses: []notify.Status{notify.Pending}, IncludeSilent: true}, notify.Cursor{}, 500)
		if err != nil || len(page.Records) != len(pending) {
			t.Fatalf("%d pending, want %d, %v", len(page.Records), len(pending), err)
		}
		for _, want := range pending {
			got, err := c.Record(t.Context(), want.ID)
			if err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("record\n got %+v, %v\nwant %+v", got, err, want)
			}
		}
	})
}

// still is a clock that stands until the test sets it; its alarms never ring.
type still struct{ at *time.Time }

func (s still) Now() time.Time    { return *s.at }
func (still) Alarm() center.Alarm { return silent{} }

type silent struct{}

func (silent) C() <-chan time.Time { return nil }
func (silent) Set(time.Time)       {}
func (silent) Stop()               {}
