package center_test

import (
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"signalbox/center"
	"signalbox/notify"
	"signalbox/store/memstore"
)

// What a stop of the center leaves of a purge is done at its next start.
func TestAPurgeGoesOnAfterARestart(t *testing.T) {
	s := &slow{Store: memstore.New()}
	var failing atomic.Bool
	s.commit = func(_ int, changes []notify.Change) error {
		if failing.Load() && changes[0].Name == notify.EvExpired {
			return notify.Errorf(notify.CodeUnavailable, "the disk is gone")
		}
		return nil
	}
	c := open(t, center.Config{Storage: s})
	for i := range 20 {
		do(t, c, agent, publish("", fmt.Sprint(i)))
	}
	failing.Store(true)
	do(t, c, notify.Owner, notify.RevokeConnection{ID: "agent", Purge: true})
	if v, ok := c.Connection("agent"); !ok || !v.Purging || v.Counts.Pending != 20 {
		t.Fatalf("after a purge that could not be stored: %+v, %v", v, ok)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	failing.Store(false)
	synctest.Test(t, func(t *testing.T) {
		c, err := center.Open(t.Context(), center.Config{Storage: s})
		if err != nil {
			t.Fatal(err)
		}
		feed, err := c.Subscribe(0)
		if err != nil {
			t.Fatal(err)
		}
		for {
			change, err := feed.Next(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if change.Connection != nil && change.Removed {
				break
			}
		}
		if _, ok := c.Connection("agent"); ok || c.Attention().Pending != 0 {
			t.Error("the purge was not taken up")
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
}

// A purge that a failure stopped goes on when it is asked to, without a restart.
func TestAPurgeGoesOnAfterAFailure(t *testing.T) {
	s := &slow{Store: memstore.New()}
	var failing atomic.Bool
	s.commit = func(_ int, changes []notify.Change) error {
		if failing.Load() && changes[0].Name == notify.EvExpired {
			return notify.Errorf(notify.CodeStorageFull, "the disk is full")
		}
		return nil
	}
	c := open(t, center.Config{Storage: s})
	do(t, c, agent, publish("", "one"))
	failing.Store(true)
	do(t, c, notify.Owner, notify.RevokeConnection{ID: "agent", Purge: true})
	feed, err := c.Subscribe(-1)
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	failing.Store(false)
	c.ResumePurges()
	for gone := false; !gone; {
		change, err := feed.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		gone = change.Connection != nil && change.Removed
	}
}

// A connection that is registered under the id of a removed one is another: nothing of the old one's
// keys, events and requests is found.
//
// Proves: L4, A2
func TestAnotherConnectionOfARemovedName(t *testing.T) {
	c := open(t, center.Config{Storage: memstore.New()})
	once := publish("build", "first")
	once.IdempotencyKey, once.Digest = "once", []byte("1")
	once.Content.Event = &notify.Event{Type: notify.EventUpdateAvailable, Occurrence: "1"}
	do(t, c, agent, once)
	do(t, c, notify.Owner, notify.RevokeConnection{ID: "agent", Purge: true})
	do(t, c, notify.Owner, notify.CreateConnection{ID: "agent", Label: "Another", TokenHash: tokenHash("another")})
	if r := do(t, c, agent, once); r.Verdict != notify.Created || r.Record.Occurrence != 1 {
		t.Errorf("%s, occurrence %d; want its own first occurrence", r.Verdict, r.Record.Occurrence)
	}
}
