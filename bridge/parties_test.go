package bridge

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

func TestLifeOfAConnection(t *testing.T) {
	r := newRig(t)
	made := must[wire.ConnectionCreated](r, 201, "POST", wire.PathConnections, wire.ConnectionCreate{Label: "My Agent", Color: "#112233"})
	id := made.Connection.ID
	path := wire.Path(wire.PathConnection, id)
	if id == "" || len(made.Token) < 32 || made.Connection.Presence != wire.PresenceMissing || !made.Connection.Open {
		t.Errorf("made %+v", made.Connection)
	}
	for _, bad := range []string{`{}`, `{"label":"x","color":"red"}`, `{"label":"x","id":"a b/c\n"}`} {
		r.refused(400, wire.CodeInvalidField, r.owner, "POST", wire.PathConnections, bad)
	}
	// The token is stored hashed and told once.
	if v, _ := r.center.Connection(id); string(v.TokenHash) != string(HashToken(made.Token)) {
		t.Error("what is stored is not the token's hash")
	}
	if got := r.try(r.owner, "GET", wire.PathConnections, nil); strings.Contains(string(got.body), made.Token) {
		t.Error("the token is told again")
	}
	mustAs[wire.Connection](r, made.Token, 200, "GET", path, nil)

	r.publish(id, wire.Publish{Title: "x"})
	r.publish(id, wire.Publish{Title: "?", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}})
	got := must[wire.Connections](r, 200, "GET", wire.PathConnections, nil).Connections
	if len(got) != 1 || got[0].Pending != 2 || got[0].Unread != 2 || got[0].Waiting != 1 {
		t.Errorf("counts %+v", got)
	}
	changed := must[wire.Connection](r, 200, "PATCH", path, `{"label":"New","color":null,"open":false,"retention":{"max_age_seconds":3600,"max_count":10}}`)
	if changed.Label != "New" || changed.Color != "" || changed.Open || changed.Retention == nil || changed.Retention.MaxCount != 10 || changed.Retention.MaxAgeSeconds != 3600 {
		t.Errorf("changed %+v", changed)
	}
	if got := must[wire.Connection](r, 200, "PATCH", path, `{"retention":null}`); got.Retention != nil || got.Label != "New" {
		t.Errorf("changed %+v", got)
	}
	for _, bad := range []string{`{"open":null}`, `{"retention":{"max_count":-1}}`, `{"retention":{"max_age_seconds":-1}}`, `{"id":"x"}`, `{"label":null}`} {
		r.refused(400, wire.CodeInvalidField, r.owner, "PATCH", path, bad)
	}

	rotated := must[wire.Token](r, 200, "POST", wire.Path(wire.PathConnectionToken, id), nil).Token
	r.refused(401, wire.CodeUnauthorized, made.Token, "GET", path, nil)
	mustAs[wire.Connection](r, rotated, 200, "GET", path, nil)

	if got := r.try(r.owner, "DELETE", path, nil); got.status != 204 || len(got.body) != 0 {
		t.Errorf("delete: %d %s", got.status, got.body)
	}
	r.refused(401, wire.CodeUnauthorized, rotated, "GET", path, nil)
	if got := must[wire.Connection](r, 200, "GET", path, nil); got.Presence != wire.PresenceRevoked || got.Pending != 2 {
		t.Errorf("revoked: %+v", got)
	}
	r.try(r.owner, "DELETE", path+"?purge=true", nil)
	r.refused(404, wire.CodeNotFound, r.owner, "GET", path, nil)
	if n := len(must[wire.Page](r, 200, "GET", wire.PathNotifications, nil).Notifications); n != 0 {
		t.Errorf("%d records are left", n)
	}
	r.refused(404, wire.CodeNotFound, r.owner, "DELETE", wire.Path(wire.PathConnection, "unknown"), nil)
}

// Proves: R3
func TestHelloAndRequests(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	hello := wire.Path(wire.PathHello, "c1")
	first := mustAs[wire.HelloResult](r, token, 200, "POST", hello, wire.Hello{Lifetime: "one", CallbackURL: new("http://127.0.0.1:9/"), SessionsURL: new("http://127.0.0.1:9/s")})
	if first.Connection.Presence != wire.PresenceOnline || first.Connection.Lifetime != "one" || first.Connection.CallbackURL == "" || first.Expired != 0 {
		t.Errorf("hello: %+v", first)
	}
	mustAs[wire.PublishResult](r, token, 201, "POST", wire.Path(wire.PathPublish, "c1"),
		wire.Publish{Title: "x", Retention: &wire.Retention{Policy: wire.RetentionServerLifetime}})
	if again := mustAs[wire.HelloResult](r, token, 200, "POST", hello, wire.Hello{Lifetime: "one"}); again.Expired != 0 {
		t.Errorf("the same lifetime expired %d", again.Expired)
	}
	// What is not said stays; an address that is empty is no more.
	if c := mustAs[wire.HelloResult](r, token, 200, "POST", hello, wire.Hello{Lifetime: "one", CallbackURL: new("")}).Connection; c.CallbackURL != "" || c.SessionsURL == "" {
		t.Errorf("its callbacks go to %q, its sessions are at %q", c.CallbackURL, c.SessionsURL)
	}
	if next := mustAs[wire.HelloResult](r, token, 200, "POST", hello, wire.Hello{Lifetime: "two"}); next.Expired != 1 {
		t.Errorf("another lifetime expired %d", next.Expired)
	}
	r.refused(400, wire.CodeInvalidField, token, "POST", hello, `{}`)
	r.refused(400, wire.CodeInvalidField, token, "POST", hello, wire.Hello{Lifetime: "x", CallbackURL: new("http://192.0.2.1/")})

	r.publish("c1", wire.Publish{Title: "x", Request: "r/1", Retention: &wire.Retention{Policy: wire.RetentionRequest}})
	if got := mustAs[wire.Completed](r, token, 200, "POST", wire.Path(wire.PathRequestComplete, "c1", "r/1"), nil); got.Expired != 1 {
		t.Errorf("completed: %+v", got)
	}
}

// Proves: A4, P1
func TestSessionsFocusAndRail(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	path := wire.Path(wire.PathSession, "c1", "chat/1")
	made := mustAs[wire.Session](r, token, 201, "PUT", path, `{"title":"Chat","state":"working","sequence":4}`)
	if made.ID != "chat/1" || made.Title != "Chat" || made.Sequence != 4 {
		t.Errorf("made %+v", made)
	}
	if got := mustAs[wire.Session](r, token, 200, "PUT", path, `{"state":"idle"}`); got.Title != "Chat" || got.State != "idle" {
		t.Errorf("changed %+v", got)
	}
	r.refused(400, wire.CodeInvalidField, token, "PUT", path, `{"sequence":-1}`)
	r.refused(400, wire.CodeInvalidField, token, "PUT", path, `{"sequence":9007199254740993}`)

	mine := r.publish("c1", wire.Publish{Title: "done", Session: "chat/1", Event: &wire.Event{Type: wire.EventTurnFinished, Occurrence: "t1"}})
	app := r.publish("c1", wire.Publish{Title: "app"})
	list := mustAs[wire.Sessions](r, token, 200, "GET", wire.Path(wire.PathSessions, "c1"), nil).Sessions
	if len(list) != 1 || list[0].NeedsYou != wire.NeedsReply || list[0].Unread != 1 {
		t.Errorf("sessions %+v", list)
	}
	if rail := must[wire.Rail](r, 200, "GET", wire.PathRail, nil); len(rail.Application) != 1 || rail.Application[0].ID != app.ID || len(rail.Session) != 0 {
		t.Errorf("rail %+v", rail)
	}
	for _, query := range []string{"?session=chat/1", "?connection=c1&session=chat/1"} {
		if rail := must[wire.Rail](r, 200, "GET", wire.PathRail+query, nil); len(rail.Session) != 1 || rail.Session[0].ID != mine.ID {
			t.Errorf("rail %s: %+v", query, rail)
		}
	}
	must[wire.Focus](r, 200, "PUT", wire.PathFocus, wire.Focus{Connection: "c1", Session: "chat/1"})
	if rail := must[wire.Rail](r, 200, "GET", wire.PathRail, nil); len(rail.Session) != 1 {
		t.Errorf("rail in focus: %+v", rail)
	}
	if got := must[wire.Focus](r, 200, "GET", wire.PathFocus, nil); got.Session != "chat/1" {
		t.Errorf("focus %+v", got)
	}
	r.refused(400, wire.CodeInvalidField, r.owner, "PUT", wire.PathFocus, `{"session":"x"}`)
	r.refused(400, wire.CodeInvalidField, r.owner, "PUT", wire.PathFocus, `{"connection":"c1"}`)
	must[wire.Focus](r, 200, "PUT", wire.PathFocus, `{}`)

	at := must[wire.Attention](r, 200, "GET", wire.PathAttention, nil)
	if at.Unread != 2 || at.NeedsYou.Reply != 1 || at.Connections["c1"].Unread != 2 {
		t.Errorf("attention %+v", at)
	}
	seq := mustAs[wire.Sessions](r, token, 200, "GET", wire.Path(wire.PathSessions, "c1"), nil).Sessions[0].Sequence
	seen := mustAs[wire.Session](r, token, 200, "POST", wire.Path(wire.PathSessionSeen, "c1", "chat/1"), wire.Seen{Sequence: seq})
	if seen.NeedsYou != "" || seen.SeenSequence != seq {
		t.Errorf("seen %+v", seen)
	}
	r.refused(400, wire.CodeInvalidField, token, "POST", wire.Path(wire.PathSessionSeen, "c1", "chat/1"), `{"sequence":-1}`)
	r.refused(404, wire.CodeNotFound, token, "POST", wire.Path(wire.PathSessionSeen, "c1", "unknown"), wire.Seen{Sequence: 1})

	if got := r.try(token, "DELETE", path, nil); got.status != 204 {
		t.Errorf("end of a session: %d %s", got.status, got.body)
	}
	if got := must[wire.Notification](r, 200, "GET", wire.Path(wire.PathNotification, mine.ID), nil); got.Status == wire.StatusPending {
		t.Error("what it left open is pending")
	}
}

// Proves: E2
func TestInvalidationsAreKeptUntilAcknowledged(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	r.publish("c1", wire.Publish{Title: "x", Refresh: &wire.Refresh{Sessions: []string{"s"}, SessionList: true}})
	r.publish("c1", wire.Publish{Title: "y", Refresh: &wire.Refresh{SessionList: true}})
	got := mustAs[wire.Invalidations](r, token, 200, "GET", wire.Path(wire.PathInvalidations, "c1"), nil).Invalidations
	if len(got) != 2 {
		t.Fatalf("got %+v", got)
	}
	left := mustAs[wire.Invalidations](r, token, 200, "POST", wire.Path(wire.PathInvalidationsAck, "c1"), wire.Acknowledge{IDs: []string{got[0].ID}}).Invalidations
	if len(left) != 1 || left[0].ID != got[1].ID {
		t.Errorf("left %+v of %+v", left, got)
	}
}

type fakeDesktop struct{ view, notification string }

func (f *fakeDesktop) Show(_ context.Context, view, notification string) error {
	f.view, f.notification = view, notification
	return nil
}

type fakeProviders struct{}

func (fakeProviders) Test(_ context.Context, provider string) (notify.Delivery, error) {
	if provider != "toast" {
		return notify.Delivery{}, notify.Errorf(notify.CodeNotFound, "There is no such provider.")
	}
	return notify.Delivery{ID: "d", Provider: provider, State: notify.DeliveryDelivered, At: time.UnixMilli(1)}, nil
}

type fakeLedger struct{}

func (fakeLedger) Deliveries(_ context.Context, provider, record string, limit int) ([]notify.Delivery, error) {
	return []notify.Delivery{
		{ID: "2", Provider: provider, RecordID: record, State: notify.DeliveryHeld, Reason: "focus", At: time.UnixMilli(2)},
		{ID: "1", Provider: provider, RecordID: record, EventType: "a.b", Occurrence: "x", At: time.UnixMilli(1)},
	}[:min(2, limit)], nil
}

func TestSettingsOfBeingTold(t *testing.T) {
	desktop := &fakeDesktop{}
	r := newRig(t, func(c *Config) { c.Desktop, c.Providers, c.Ledger = desktop, fakeProviders{}, fakeLedger{} })
	r.connect("c1")
	subs := must[wire.Subscriptions](r, 200, "PUT", wire.PathSubscriptions, `{"subscriptions":[{"provider":"toast","events":["session.turn_failed"],"severities":["error"],"scopes":["session"]}]}`)
	if len(subs.Subscriptions) != 1 || subs.Subscriptions[0].Events[0] != "session.turn_failed" {
		t.Errorf("subscriptions %+v", subs)
	}
	must[wire.Subscriptions](r, 200, "GET", wire.PathSubscriptions, nil)
	rules := must[wire.Rules](r, 200, "PUT", wire.PathRules, `{"rules":[{"name":"quiet ci","match":{"tag":"ci"},"set":"none","stop":true}]}`)
	if len(rules.Rules) != 1 || rules.Rules[0].Match.Tag != "ci" {
		t.Errorf("rules %+v", rules)
	}
	until := wire.At(time.Now().Add(time.Hour))
	must[wire.DoNotDisturb](r, 200, "PUT", wire.PathDoNotDisturb, wire.DoNotDisturb{Until: until})
	if got := must[wire.DoNotDisturb](r, 200, "GET", wire.PathDoNotDisturb, nil); got.Until != until {
		t.Errorf("do not disturb until %v", got.Until)
	}
	must[wire.DoNotDisturb](r, 200, "PUT", wire.PathDoNotDisturb, `{}`)
	if got := must[wire.DoNotDisturb](r, 200, "GET", wire.PathDoNotDisturb, nil); !got.Until.IsZero() {
		t.Errorf("do not disturb until %v", got.Until)
	}
	if d := must[wire.Delivery](r, 200, "POST", wire.Path(wire.PathProviderTest, "toast"), nil); d.State != wire.DeliveryDelivered {
		t.Errorf("test: %+v", d)
	}
	r.refused(404, wire.CodeNotFound, r.owner, "POST", wire.Path(wire.PathProviderTest, "smoke"), nil)
	if ds := must[wire.Deliveries](r, 200, "GET", wire.PathDeliveries+"?provider=toast&limit=1", nil).Deliveries; len(ds) != 1 || ds[0].Provider != "toast" {
		t.Errorf("deliveries %+v", ds)
	}
	n := r.publish("c1", wire.Publish{Title: "x"})
	// Proves: A11, as far as the trace's route goes.
	if tr := must[wire.Trace](r, 200, "GET", wire.Path(wire.PathTrace, n.ID), nil); len(tr.Entries) != 2 || tr.Entries[0].ID != "1" || tr.Entries[1].Reason != "focus" {
		t.Errorf("trace %+v", tr)
	}
	if got := r.try(r.owner, "POST", wire.PathShow, wire.Show{View: wire.ViewHistory, Notification: n.ID}); got.status != 204 || desktop.view != "history" || desktop.notification != n.ID {
		t.Errorf("show: %d, %+v", got.status, desktop)
	}
	if got := r.try(r.owner, "POST", wire.PathShow, nil); got.status != 204 || desktop.view != "rail" {
		t.Errorf("show: %d, %+v", got.status, desktop)
	}
	r.refused(400, wire.CodeInvalidField, r.owner, "POST", wire.PathShow, `{"view":"attic"}`)
}

// blindDesktop is one whose machine can draw no window.
type blindDesktop struct{}

func (blindDesktop) Show(context.Context, string, string) error {
	return notify.Errorf(notify.CodeUnavailable, "The window cannot be shown: there is no OpenGL.")
}

func TestADesktopThatCanShowNoWindow(t *testing.T) {
	r := newRig(t, func(c *Config) { c.Desktop = blindDesktop{} })
	r.refused(409, wire.CodeUnavailable, r.owner, "POST", wire.PathShow, nil)
}

func TestWithoutADesktop(t *testing.T) {
	r := newRig(t)
	r.refused(409, wire.CodeUnavailable, r.owner, "POST", wire.PathShow, nil)
	r.refused(404, wire.CodeNotFound, r.owner, "POST", wire.Path(wire.PathProviderTest, "toast"), nil)
	if ds := must[wire.Deliveries](r, 200, "GET", wire.PathDeliveries, nil).Deliveries; len(ds) != 0 {
		t.Errorf("deliveries %+v", ds)
	}
}

// Per connection a limit on changes, which harms no other and no reading.
func TestRateLimit(t *testing.T) {
	now := time.Now()
	r := newRig(t, func(c *Config) {
		c.RatePerSecond = 2 // ten at once
		c.Now = func() time.Time { return now }
	})
	one, two := r.connect("c1"), r.connect("c2")
	path := wire.Path(wire.PathPublish, "c1")
	for i := range 10 {
		if got := r.try(one, "POST", path, wire.Publish{Title: "x"}); got.status != 201 {
			t.Fatalf("publication %d: %d %s", i, got.status, got.body)
		}
	}
	got := r.try(one, "POST", path, wire.Publish{Title: "x"})
	if got.status != 429 || got.header.Get("Retry-After") != "1" {
		t.Errorf("one too many: %d, Retry-After %q", got.status, got.header.Get("Retry-After"))
	}
	r.refused(429, wire.CodeRateLimited, r.owner, "POST", path, wire.Publish{Title: "x"}) // it is the connection's allowance
	mustAs[wire.Page](r, one, 200, "GET", wire.PathNotifications, nil)
	for range 4 {
		mustAs[wire.PublishResult](r, two, 201, "POST", wire.Path(wire.PathPublish, "c2"), wire.Publish{Title: "x"})
	}
	ops := make([]wire.Operation, 7)
	for i := range ops {
		ops[i] = wire.Operation{Op: wire.OpPublish, Notification: &wire.Publish{Title: "x"}}
	}
	r.refused(429, wire.CodeRateLimited, two, "POST", wire.Path(wire.PathBatch, "c2"), wire.Batch{Operations: ops})
	must[wire.BatchResult](r, 200, "POST", wire.Path(wire.PathBatch, "c2"), wire.Batch{Operations: ops[:6]})
	r.server.Reconfigure(Live{RatePerSecond: 0})
	for range 20 {
		mustAs[wire.PublishResult](r, one, 201, "POST", path, wire.Publish{Title: "x"})
	}
}

func TestMetrics(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	r.publish("c1", wire.Publish{Title: "secret title"})
	r.refused(403, wire.CodeForbidden, token, "GET", wire.PathMetrics, nil)
	got := r.try(r.owner, "GET", wire.PathMetrics, nil)
	if got.status != http.StatusOK || !strings.HasPrefix(got.header.Get("Content-Type"), "text/plain") {
		t.Fatalf("%d %s", got.status, got.header.Get("Content-Type"))
	}
	for _, want := range []string{
		`signalbox_bridge_request_seconds_count{route="POST /v1/connections/{connection}/notifications",status="201"} 1`,
		`signalbox_bridge_refused_total{code="forbidden"} 1`, "signalbox_notifications_pending 1", "signalbox_connections 1", "go_goroutines",
	} {
		if !strings.Contains(string(got.body), want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(string(got.body), "secret") {
		t.Error("content is in the figures")
	}
}
