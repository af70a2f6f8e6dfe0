package client_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// Proves: I4. The answer arrives over restarts of the center.
func TestAskOutlivesARestart(t *testing.T) {
	d := newDesk(t)
	owner := d.client()
	c := d.connect(owner, "c1")
	got := make(chan wire.Notification)
	go func() {
		n, err := c.Ask(t.Context(), "c1", wire.Publish{Title: "?", Kind: wire.KindInteraction,
			Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}})
		if err != nil {
			t.Error(err)
		}
		got <- n
	}()
	id := asked(t, owner).ID
	d.stop()
	d.start()
	if _, err := owner.Answer(t.Context(), id, wire.AnswerRequest{ExpectedRevision: wire.Rev(1), Answer: wire.Answer{Option: "y"}}); err != nil {
		t.Fatal(err)
	}
	if n := <-got; n.Outcome == nil || n.Outcome.Answer.Option != "y" {
		t.Errorf("got %+v", n.Outcome)
	}
}

// asked waits until a producer asks.
func asked(t *testing.T, owner *client.Client) wire.Notification {
	t.Helper()
	for ev, err := range owner.Events(t.Context(), "", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if ev.Name == wire.StreamCreated && ev.Notification.Kind == wire.KindInteraction {
			return *ev.Notification
		}
	}
	t.Fatal("nothing is asked")
	return wire.Notification{}
}

type through func(*http.Request) (*http.Response, error)

func (f through) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAskEndsWithItsContext(t *testing.T) {
	d := newDesk(t)
	ctx, cancel := context.WithCancel(t.Context())
	c, err := client.New(d.url, d.connect(d.client(), "c1").Token(), through(func(r *http.Request) (*http.Response, error) {
		if r.URL.Query().Has("wait") {
			cancel()
		}
		return http.DefaultTransport.RoundTrip(r)
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	n, err := c.Ask(ctx, "c1", wire.Publish{Title: "?", Kind: wire.KindInteraction,
		Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}})
	if !errors.Is(err, context.Canceled) || n.Status != wire.StatusPending {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := c.Ask(t.Context(), "c1", wire.Publish{}); client.Code(err) != wire.CodeInvalidField {
		t.Errorf("got %v", err)
	}
}

// A stream goes on over restarts, without loss or repeat.
func TestEventsResume(t *testing.T) {
	d := newDesk(t)
	owner := d.client()
	c := d.connect(owner, "c1")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	titles := make(chan string, 100)
	ended := make(chan struct{})
	open := make(chan struct{}, 1)
	go func() {
		defer close(ended)
		for ev, err := range c.Events(ctx, "c1", -1) {
			if err != nil {
				t.Error(err)
				return
			}
			switch {
			case ev.Name == wire.StreamConnection:
				select {
				case open <- struct{}{}:
				default:
				}
			case ev.Name == wire.StreamCreated:
				titles <- ev.Notification.Title
			}
		}
	}()
	<-open // its own presence
	publish := func(title string) {
		t.Helper()
		if _, err := owner.Publish(t.Context(), "c1", wire.Publish{Title: title}); err != nil {
			t.Fatal(err)
		}
	}
	want := func(title string) {
		t.Helper()
		select {
		case got := <-titles:
			if got != title {
				t.Errorf("got %s, want %s", got, title)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s did not come", title)
		}
	}
	publish("one")
	want("one")
	d.stop()
	d.start()
	publish("two")
	want("two")
	publish("three")
	want("three")
	cancel()
	<-ended

	// One whose token is revoked ends, and says why.
	if _, err := owner.RotateToken(t.Context(), "c1"); err != nil {
		t.Fatal(err)
	}
	for _, err := range c.Events(t.Context(), "c1", -1) {
		if client.Code(err) != wire.CodeUnauthorized {
			t.Errorf("got %v", err)
		}
	}
	// One that is no longer wanted ends.
	for ev, err := range owner.Events(t.Context(), "", 0) {
		if err != nil || ev.Change != 1 {
			t.Errorf("%+v, %v", ev, err)
		}
		break
	}
}
