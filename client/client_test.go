package client_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"signalbox/bridge"
	"signalbox/bridge/wire"
	"signalbox/center"
	"signalbox/client"
	"signalbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// desk is a center with a bridge that can be stopped and started.
type desk struct {
	t      testing.TB
	center *center.Center
	dir    string
	listen string
	url    string
	stop   func()
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	c, err := center.Open(context.Background(), center.Config{Storage: memstore.New()})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "sb") // short: a socket's path is bounded
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, center: c, dir: dir, listen: "127.0.0.1:0"}
	d.start()
	t.Cleanup(func() {
		d.stop()
		c.Close()
		os.RemoveAll(dir)
	})
	return d
}

func (d *desk) start() {
	d.t.Helper()
	s, err := bridge.Open(context.Background(), bridge.Config{
		Center: d.center, Dir: d.dir, Listen: d.listen, Version: "test", Now: time.Now,
		Log: slog.New(slog.DiscardHandler), KeepAlive: 50 * time.Millisecond,
	})
	if err != nil {
		d.t.Fatal(err)
	}
	d.url = s.URL()
	d.listen = strings.TrimPrefix(d.url, "http://")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	written(d.t, filepath.Join(d.dir, wire.BridgeFile))
	stopped := false
	d.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			d.t.Error(err)
		}
	}
}

// written waits for a file, which has no event to wait for.
func written(t testing.TB, path string) {
	t.Helper()
	for range time.Tick(time.Millisecond) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		if t.Context().Err() != nil {
			t.Fatalf("%s was not written", path)
		}
	}
}

func env(values ...string) func(string) string {
	m := map[string]string{}
	for i := 0; i+1 < len(values); i += 2 {
		m[values[i]] = values[i+1]
	}
	return func(name string) string { return m[name] }
}

func (d *desk) client() *client.Client {
	d.t.Helper()
	c, err := client.Discover(d.t.Context(), client.Environment{Getenv: env(client.EnvHome, d.dir)})
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(c.Close)
	return c
}

// connect makes a connection and returns a client with its token.
func (d *desk) connect(owner *client.Client, id string) *client.Client {
	d.t.Helper()
	made, err := owner.CreateConnection(d.t.Context(), wire.ConnectionCreate{ID: id, Label: id})
	if err != nil {
		d.t.Fatal(err)
	}
	c, err := client.New(d.url, made.Token, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(c.Close)
	return c
}

// Every method reaches its route and reads its answer.
func TestEveryMethod(t *testing.T) {
	d := newDesk(t)
	ctx := t.Context()
	owner := d.client()
	c := d.connect(owner, "c1")
	check := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	h, err := owner.Health(ctx)
	if check("health", err); h.Version != "test" {
		t.Errorf("health %+v", h)
	}
	hello, err := c.Hello(ctx, "c1", wire.Hello{Lifetime: "l"})
	if check("hello", err); hello.Connection.Presence != wire.PresenceOnline {
		t.Errorf("hello %+v", hello)
	}
	_, err = owner.PatchConnection(ctx, "c1", wire.ConnectionPatch{Label: wire.To("Label")})
	check("patch connection", err)
	list, err := owner.Connections(ctx)
	if check("connections", err); len(list) != 1 || list[0].Label != "Label" {
		t.Errorf("connections %+v", list)
	}

	p, err := c.Publish(ctx, "c1", wire.Publish{Key: "k/1", Title: "one"})
	if check("publish", err); p.Result != wire.ResultCreated {
		t.Errorf("publish %+v", p)
	}
	n, err := c.Update(ctx, p.Notification.ID, wire.Changes{Body: wire.To("body"), ExpectedRevision: wire.Rev(1)})
	if check("update", err); n.Body != "body" || n.Revision != 2 {
		t.Errorf("update %+v", n)
	}
	_, err = owner.Dismiss(ctx, n.ID, wire.Rev(1))
	var problem *wire.Problem
	if !errors.As(err, &problem) || problem.Code != wire.CodeRevisionConflict || problem.Status != 409 || problem.Current.Revision != 2 {
		t.Errorf("a stale dismissal: %v", err)
	}
	_, err = owner.Dismiss(ctx, n.ID, wire.RevisionOf(n))
	check("dismiss", err)

	for _, verb := range []func(context.Context, string) (wire.Notification, error){owner.Read, owner.Unread, owner.Mute, owner.Unmute} {
		p, err = c.Publish(ctx, "c1", wire.Publish{Key: "verbs", Title: "x", Actions: []wire.Action{{ID: "go", Label: "Go"}}})
		check("publish", err)
		_, err = verb(ctx, p.Notification.ID)
		check("verb", err)
	}
	id := p.Notification.ID
	_, err = owner.Snooze(ctx, id, wire.Snooze{Seconds: 60})
	check("snooze", err)
	_, err = owner.Unsnooze(ctx, id)
	check("unsnooze", err)
	_, err = owner.Act(ctx, id, "go", wire.RevisionOf(p.Notification))
	check("act", err)
	_, err = owner.Trace(ctx, id)
	check("trace", err)
	_, err = owner.Deliveries(ctx, "toast", id)
	check("deliveries", err)
	results, err := owner.DismissMany(ctx, wire.DismissItem{ID: id, ExpectedRevision: wire.RevisionOf(p.Notification)})
	if check("dismiss many", err); len(results) != 1 || results[0].Status != 200 {
		t.Errorf("dismiss many %+v", results)
	}
	for _, end := range []func(context.Context, string, wire.Ending) (wire.Notification, error){c.Resolve, c.Expire} {
		p, err := c.Publish(ctx, "c1", wire.Publish{Title: "x"})
		check("publish", err)
		_, err = end(ctx, p.Notification.ID, wire.Ending{Reason: "done"})
		check("end", err)
	}
	for _, end := range []func(context.Context, string, string, string, wire.Ending) (wire.Notification, error){c.ResolveKey, c.ExpireKey} {
		_, err := c.Publish(ctx, "c1", wire.Publish{Key: "a/b", Session: "s", Title: "x"})
		check("publish", err)
		_, err = end(ctx, "c1", "s", "a/b", wire.Ending{})
		check("end by key", err)
	}
	batch, err := c.Batch(ctx, "c1", wire.Batch{Operations: []wire.Operation{{
		Op: wire.OpPublish, Notification: &wire.Publish{Title: "x", Request: "r", Retention: &wire.Retention{Policy: wire.RetentionRequest}},
	}}})
	if check("batch", err); len(batch) != 1 {
		t.Errorf("batch %+v", batch)
	}
	if expired, err := c.CompleteRequest(ctx, "c1", "r"); err != nil || expired != 1 {
		t.Errorf("complete: %d, %v", expired, err)
	}
	page, err := c.List(ctx, client.Query{Statuses: []string{wire.StatusExpired, wire.StatusResolved}, Text: "x", Limit: 2, IncludeSilent: true, Since: time.Now().Add(-time.Hour)})
	if check("list", err); len(page.Notifications) != 2 || page.NextCursor == "" {
		t.Errorf("list %+v", page)
	}

	s, err := c.PutSession(ctx, "c1", "s", wire.SessionPut{Title: new("Chat")})
	if check("put session", err); s.Title != "Chat" {
		t.Errorf("session %+v", s)
	}
	_, err = c.SeeSession(ctx, "c1", "s", 1)
	check("see session", err)
	sessions, err := c.Sessions(ctx, "c1")
	if check("sessions", err); len(sessions) != 1 {
		t.Errorf("sessions %+v", sessions)
	}
	check("focus", owner.SetFocus(ctx, wire.Focus{Connection: "c1", Session: "s"}))
	focus, err := owner.Focus(ctx)
	if check("focus", err); focus.Session != "s" {
		t.Errorf("focus %+v", focus)
	}
	_, err = owner.Rail(ctx)
	check("rail", err)
	_, err = owner.RailOf(ctx, focus)
	check("rail of", err)
	_, err = owner.Attention(ctx)
	check("attention", err)
	check("end session", c.EndSession(ctx, "c1", "s"))
	_, err = c.Publish(ctx, "c1", wire.Publish{Title: "x", Refresh: &wire.Refresh{SessionList: true}})
	check("publish", err)
	inv, err := c.Invalidations(ctx, "c1")
	if check("invalidations", err); len(inv) != 1 {
		t.Fatalf("invalidations %+v", inv)
	}
	left, err := c.AckInvalidations(ctx, "c1", inv[0].ID)
	if check("ack", err); len(left) != 0 {
		t.Errorf("left %+v", left)
	}
	check("subscriptions", owner.SetSubscriptions(ctx, []wire.Subscription{{Provider: "toast"}}))
	if subs, err := owner.Subscriptions(ctx); err != nil || len(subs) != 1 {
		t.Errorf("subscriptions %+v, %v", subs, err)
	}
	check("rules", owner.SetRules(ctx, []wire.Rule{{Name: "r", Set: "none"}}))
	if rules, err := owner.Rules(ctx); err != nil || len(rules) != 1 {
		t.Errorf("rules %+v, %v", rules, err)
	}
	check("do not disturb", owner.SetDoNotDisturb(ctx, wire.DoNotDisturb{Until: wire.At(time.Now().Add(time.Hour))}))
	if err := owner.Show(ctx, wire.Show{}); client.Code(err) != wire.CodeUnavailable {
		t.Errorf("show: %v", err)
	}
	if _, err := owner.TestProvider(ctx, "toast"); client.Code(err) != wire.CodeNotFound {
		t.Errorf("test provider: %v", err)
	}
	fresh, err := owner.RotateToken(ctx, "c1")
	if check("rotate", err); fresh == "" || fresh == c.Token() {
		t.Error("the token stays")
	}
	if _, err := c.List(ctx, client.Query{}); client.Code(err) != wire.CodeUnauthorized {
		t.Errorf("the former token: %v", err)
	}
	check("delete", owner.DeleteConnection(ctx, "c1", true))
}

// A client that was found by the file outlives a restart at another port.
func TestClientFindsAStartedAnewCenter(t *testing.T) {
	d := newDesk(t)
	c := d.client()
	if _, err := c.Attention(t.Context()); err != nil {
		t.Fatal(err)
	}
	d.stop()
	if _, err := c.Attention(t.Context()); !errors.Is(err, client.ErrUnreachable) {
		t.Errorf("while it is away: %v", err)
	}
	d.listen = "127.0.0.1:0"
	d.start()
	if _, err := c.Attention(t.Context()); err != nil {
		t.Errorf("after it is back: %v", err)
	}
}

// What is no center is unreachable, not a strange refusal.
func TestWhatIsNoCenter(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"page":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"login":    func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) },
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://192.0.2.1/", 302) },
		"problem without a code": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", wire.ProblemType)
			w.WriteHeader(400)
			w.Write([]byte("{}"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(handler)
			defer s.Close()
			c, err := client.New(s.URL, "token", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if _, err := c.Attention(t.Context()); !errors.Is(err, client.ErrUnreachable) {
				t.Errorf("got %v", err)
			}
		})
	}
}
