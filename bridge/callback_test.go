package bridge

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/internal/loopback"
)

// posted is one callback that came.
type posted struct {
	event     wire.StreamEvent
	body      []byte
	signature string
}

// listener takes callbacks; those for which refuse says so are answered 500.
func listener(t testing.TB, refuse func(n int64) bool) (url string, got <-chan posted) {
	t.Helper()
	out := make(chan posted, 64)
	var n atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if refuse != nil && refuse(n.Add(1)) {
			w.WriteHeader(500)
			return
		}
		p := posted{body: b, signature: r.Header.Get(wire.SignatureHeader)}
		if err := json.Unmarshal(b, &p.event); err != nil {
			t.Errorf("callback: %v: %s", err, b)
		}
		out <- p
	}))
	t.Cleanup(s.Close)
	return s.URL, out
}

func take(t testing.TB, from <-chan posted) posted {
	t.Helper()
	select {
	case p := <-from:
		return p
	case <-time.After(10 * time.Second):
		t.Fatal("no callback came")
		return posted{}
	}
}

var yesOrNo = wire.Publish{Title: "?", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}}

func (r *rig) answerYes(id string) {
	r.t.Helper()
	must[wire.Notification](r, 200, "POST", wire.Path(wire.PathAnswer, id), wire.AnswerRequest{ExpectedRevision: wire.Rev(1), Answer: wire.Answer{Option: "y"}})
}

// Proves: I4, I9. Callbacks come signed, in order, and again until they are taken.
func TestCallbacks(t *testing.T) {
	url, got := listener(t, func(n int64) bool { return n == 1 })
	r := newRig(t)
	token := r.connect("c1")
	mustAs[wire.HelloResult](r, token, 200, "POST", wire.Path(wire.PathHello, "c1"), wire.Hello{Lifetime: "1", CallbackURL: &url})
	ask := r.publish("c1", yesOrNo)
	other := r.publish("c1", wire.Publish{Title: "x", Actions: []wire.Action{{ID: "go", Label: "Go"}}})
	own := mustAs[wire.PublishResult](r, token, 201, "POST", wire.Path(wire.PathPublish, "c1"), wire.Publish{Title: "own"}).Notification
	mustAs[wire.Notification](r, token, 200, "POST", wire.Path(wire.PathResolve, own.ID), nil) // its own doing: not told
	r.answerYes(ask.ID)
	must[wire.Notification](r, 202, "POST", wire.Path(wire.PathAction, other.ID, "go"), wire.Ending{ExpectedRevision: wire.Rev(1)})
	must[wire.Notification](r, 200, "POST", wire.Path(wire.PathDismiss, other.ID), wire.Ending{ExpectedRevision: wire.Rev(1)})

	for i, want := range []string{wire.StreamAnswered, wire.StreamAction, wire.StreamDismissed} {
		p := take(t, got)
		if p.event.Name != want {
			t.Errorf("callback %d is %s, want %s", i, p.event.Name, want)
		}
		if p.signature != sign(HashToken(token), p.body) {
			t.Errorf("callback %d is signed %s", i, p.signature)
		}
		if i == 1 && p.event.Action.ID != "go" {
			t.Errorf("action %+v", p.event.Action)
		}
	}
	eventually(t, "the answer is delivered", func() bool {
		rec, err := r.center.Record(context.Background(), ask.ID)
		return err == nil && rec.AnswerDelivered
	})
}

// A file of places that holds nothing is as none.
func TestCallbacksWithoutPlaces(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, callbacksFile), []byte("null"), 0o600); err != nil {
		t.Fatal(err)
	}
	url, got := listener(t, func(int64) bool { return false })
	r := newRig(t, func(c *Config) { c.Dir = dir })
	token := r.connect("c1")
	mustAs[wire.HelloResult](r, token, 200, "POST", wire.Path(wire.PathHello, "c1"), wire.Hello{Lifetime: "1", CallbackURL: &url})
	ask := r.publish("c1", yesOrNo)
	r.answerYes(ask.ID)
	if p := take(t, got); p.event.Notification.ID != ask.ID {
		t.Errorf("got %+v", p.event)
	}
}

// What happened while nothing ran is told after the start; what was told is not
// told again.
func TestCallbacksGoOnAfterARestart(t *testing.T) {
	dir := t.TempDir()
	var down atomic.Bool
	url, got := listener(t, func(int64) bool { return down.Load() })
	r := newRig(t, func(c *Config) { c.Dir = dir })
	token := r.connect("c1")
	mustAs[wire.HelloResult](r, token, 200, "POST", wire.Path(wire.PathHello, "c1"), wire.Hello{Lifetime: "1", CallbackURL: &url})
	first, second, third := r.publish("c1", yesOrNo), r.publish("c1", yesOrNo), r.publish("c1", yesOrNo)
	r.answerYes(first.ID)
	if p := take(t, got); p.event.Notification.ID != first.ID {
		t.Errorf("got %+v", p.event)
	}
	eventually(t, "it is noted", func() bool {
		rec, err := r.center.Record(context.Background(), first.ID)
		return err == nil && rec.AnswerDelivered
	})
	down.Store(true)
	r.answerYes(second.ID)
	eventually(t, "it was tried", func() bool { return strings.Contains(r.log.String(), "callback not taken") })
	r.stop()
	down.Store(false)

	again := serve(t, r.center, func(c *Config) { c.Dir = dir })
	defer again.stop()
	if p := take(t, got); p.event.Notification.ID != second.ID {
		t.Errorf("after the restart: %+v", p.event)
	}
	again.answerYes(third.ID)
	if p := take(t, got); p.event.Notification.ID != third.ID {
		t.Errorf("then: %+v", p.event)
	}
}

// A callback goes to the loopback only, takes a redirect for no answer, and ends with
// the token.
func TestCallbacksStayHere(t *testing.T) {
	p := newPoster(func() bool { return false })
	if err := p.send(t.Context(), destination{"http://192.0.2.1:9/", "k"}, 1, "x", []byte("{}")); !errors.Is(err, loopback.ErrRemote) {
		t.Errorf("got %v", err)
	}
	redirect := httptest.NewServer(http.RedirectHandler("http://127.0.0.1:1/", http.StatusTemporaryRedirect))
	defer redirect.Close()
	if err := p.send(t.Context(), destination{redirect.URL, "k"}, 1, "x", []byte(`{"a":1}`)); err == nil {
		t.Error("a redirect is no answer")
	}

	url, got := listener(t, nil)
	r := newRig(t)
	token := r.connect("c1")
	mustAs[wire.HelloResult](r, token, 200, "POST", wire.Path(wire.PathHello, "c1"), wire.Hello{Lifetime: "1", CallbackURL: &url})
	ask := r.publish("c1", yesOrNo)
	fresh := must[wire.Token](r, 200, "POST", wire.Path(wire.PathConnectionToken, "c1"), nil).Token
	r.answerYes(ask.ID)
	if p := take(t, got); p.signature != sign(HashToken(fresh), p.body) {
		t.Error("signed with a token that is not good any more")
	}
	r.try(r.owner, "DELETE", wire.Path(wire.PathConnection, "c1"), nil)
	n := must[wire.Page](r, 200, "GET", wire.PathNotifications, nil)
	if len(got) != 0 {
		t.Errorf("%d callbacks to a revoked connection, of %d records", len(got), len(n.Notifications))
	}
}
