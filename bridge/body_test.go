package bridge

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// Proves: S5. T12: bad JSON gets an error that names the field, and changes nothing.
func TestBodiesAreReadStrictly(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	deep := strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	cases := []struct{ name, body, code, field string }{
		{"field twice", `{"title":"a","title":"b"}`, wire.CodeInvalidJSON, "/title"},
		{"field twice within data", `{"title":"a","data":{"x":1,"x":2}}`, wire.CodeInvalidJSON, "/data/x"},
		{"other case", `{"title":"a","Title":"b"}`, wire.CodeInvalidField, "/Title"},
		{"unknown", `{"title":"a","titel":"b"}`, wire.CodeInvalidField, "/titel"},
		{"unknown within", `{"title":"a","actions":[{"id":"x","label":"X","lable":"Y"}]}`, wire.CodeInvalidField, "/actions/0/lable"},
		{"second value", `{"title":"a"}{"title":"b"}`, wire.CodeInvalidJSON, ""},
		{"text after it", `{"title":"a"} x`, wire.CodeInvalidJSON, ""},
		{"cut short", `{"title":"a"`, wire.CodeInvalidJSON, ""},
		{"too deep", `{"title":"a","data":` + deep + `}`, wire.CodeInvalidJSON, ""},
		{"NaN", `{"title":NaN}`, wire.CodeInvalidJSON, "/title"},
		{"number for a text", `{"title":5}`, wire.CodeInvalidField, "/title"},
		{"2^60 for a revision", `{"title":"a","expected_revision":1152921504606846976}`, wire.CodeInvalidField, "/expected_revision"},
		{"number out of range", `{"title":"a","kind":"progress","progress":{"current":1e999}}`, wire.CodeInvalidField, "/progress/current"},
		{"invalid UTF-8", "{\"title\":\"a\xffb\"}", wire.CodeInvalidJSON, "/title"},
		{"half a surrogate pair", `{"title":"\ud800"}`, wire.CodeInvalidJSON, "/title"},
		{"no time", `{"title":"a","snooze_until":"tomorrow"}`, wire.CodeInvalidField, "/snooze_until"},
		{"a year that cannot be written", `{"title":"a","dismissible_after":"9999-12-31T23:59:59-12:00"}`, wire.CodeInvalidField, "/dismissible_after"},
		{"a year before all", `{"title":"a","retention":{"policy":"ttl","deadline":"0000-01-01T00:00:00+12:00"}}`, wire.CodeInvalidField, "/retention/deadline"},
		{"array", `[]`, wire.CodeInvalidJSON, ""},
		{"empty", ``, wire.CodeInvalidJSON, ""},
		{"data is no object", `{"title":"a","data":[1]}`, wire.CodeInvalidField, "/data"},
		{"unknown on_repeat", `{"title":"a","on_repeat":"x"}`, wire.CodeInvalidField, "/on_repeat"},
		{"unknown kind", `{"title":"a","kind":"x"}`, wire.CodeInvalidField, "/kind"},
		{"no title", `{}`, wire.CodeInvalidField, "/title"},
		{"null for all", `null`, wire.CodeInvalidJSON, ""},
		{"neither path nor url", `{"title":"a","attachments":[{}]}`, wire.CodeInvalidField, "/attachments/0"},
		{"a script for a link", `{"title":"a","links":[{"title":"x","url":"javascript:alert(1)"}]}`, wire.CodeInvalidField, "/links/0/url"},
		{"dead end", `{"title":"a","dismissible":false}`, wire.CodeInvalidField, "/dismissible"},
		{"retired", `{"title":"a","session":"s","event":{"type":"session.waiting_for_input","occurrence":"1"}}`, wire.CodeRetiredEvent, "/event/type"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := r.refused(400, c.code, r.owner, "POST", "/v1/connections/c1/notifications", c.body)
			switch {
			case c.field == "" && c.code == wire.CodeInvalidJSON:
			case len(p.Errors) == 0:
				t.Errorf("no field is named: %+v", p)
			case !strings.HasPrefix(p.Errors[0].Field, c.field):
				t.Errorf("field %s, want %s", p.Errors[0].Field, c.field)
			}
		})
	}
	if n := r.center.Attention().Pending; n != 0 {
		t.Errorf("%d notifications were stored", n)
	}
}

// Proves: S5. What a route does not know is refused on every route, whether it is in the body or in the query, and null is no
// object: a rule that is misspelt, or a body that a client failed to make, must not take effect as nothing.
func TestEveryRouteRefusesWhatItDoesNotKnow(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	id := r.publish("c1", wire.Publish{Title: "a", Session: "x", Key: "x"}).ID
	change := r.center.Sequence()
	fill := strings.NewReplacer("{connection}", "c1", "{id}", id, "{session}", "x", "{key}", "x", "{request}", "x", "{action}", "x", "{provider}", "x")
	for _, one := range (&Server{}).routes() {
		path := fill.Replace(one.path)
		t.Run(one.method+" "+one.path, func(t *testing.T) {
			r := *r
			r.t = t
			if p := r.refused(400, wire.CodeInvalidField, r.owner, one.method, path, `{"zzz":1}`); len(p.Errors) != 1 || p.Errors[0].Field != "/zzz" {
				t.Errorf("an unknown field of the body: %+v", p.Errors)
			}
			r.refused(400, wire.CodeInvalidJSON, r.owner, one.method, path, `null`)
			r.refused(400, wire.CodeInvalidJSON, r.owner, one.method, path, `{`)
			if p := r.refused(400, wire.CodeInvalidField, r.owner, one.method, path+"?zzz=1", nil); len(p.Errors) != 1 || p.Errors[0].Field != "zzz" {
				t.Errorf("an unknown parameter: %+v", p.Errors)
			}
			r.refused(400, wire.CodeInvalidField, r.owner, one.method, path+"?limit=%zz", nil)
		})
	}
	if now := r.center.Sequence(); now != change {
		t.Errorf("%d changes were made", now-change)
	}
}

// Proves: S5. A parameter that has one value has one: of two, neither is dropped in silence.
func TestParametersThatAreGivenTwice(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	for _, path := range []string{
		"/v1/notifications?q=a&q=b", "/v1/notifications?read=true&read=false", "/v1/notifications?limit=1&limit=2", "/v1/notifications?status=pending&since=2026-01-01T00:00:00Z&since=",
		"/v1/events?after=1&after=2", "/v1/deliveries?provider=a&provider=b", "/v1/identity?nonce=a&nonce=b",
	} {
		r.refused(400, wire.CodeInvalidField, r.owner, "GET", path, nil)
	}
	r.refused(400, wire.CodeInvalidField, r.owner, "DELETE", "/v1/connections/c1?purge=false&purge=true", nil)
	must[wire.Page](r, 200, "GET", "/v1/notifications?tag=a&tag=b&event=x.y&event=x.z&status=pending&status=resolved", nil)
}

// Proves: S5. What a body always has is not read as nothing where a client left it out: no rule is forgotten, no list is emptied,
// and no default is taken for an answer that was not given.
func TestBodiesAreWhole(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	rules := wire.Rules{Rules: []wire.Rule{{Name: "a", Set: "none"}}}
	mustAs[wire.Rules](r, r.owner, 200, "PUT", wire.PathRules, rules)
	mustAs[wire.Session](r, r.owner, 201, "PUT", wire.Path(wire.PathSession, "c1", "s"), wire.SessionPut{})
	ask := r.publish("c1", wire.Publish{Title: "t", Interaction: &wire.Interaction{Prompt: "p", DefaultOption: "y", Options: []wire.Option{{ID: "y"}, {ID: "n"}}}})
	for _, c := range []struct{ method, path, body, member string }{
		{"PUT", wire.PathRules, `{}`, "rules"},
		{"PUT", wire.PathSubscriptions, `{}`, "subscriptions"},
		{"POST", wire.PathDismissMany, `{}`, "items"},
		{"POST", wire.PathImport, `{}`, "records"},
		{"POST", wire.PathConnections, `{"id":"x"}`, "label"},
		{"POST", wire.Path(wire.PathHello, "c1"), `{"label":"x"}`, "lifetime"},
		{"POST", wire.Path(wire.PathPublish, "c1"), `{"body":"x"}`, "title"},
		{"POST", wire.Path(wire.PathBatch, "c1"), `{}`, "operations"},
		{"POST", wire.Path(wire.PathSessionSeen, "c1", "s"), `{}`, "sequence"},
		{"POST", wire.Path(wire.PathInvalidationsAck, "c1"), `{}`, "ids"},
		{"POST", wire.Path(wire.PathAnswer, ask.ID), `{"expected_revision":1}`, "answer"},
		{"POST", wire.Path(wire.PathRejectAnswer, ask.ID), `{}`, "reason"},
	} {
		sep := ","
		if c.body == "{}" {
			sep = ""
		}
		for _, body := range []string{c.body, strings.TrimSuffix(c.body, "}") + sep + `"` + c.member + `":null}`} {
			p := r.refused(400, wire.CodeInvalidField, r.owner, c.method, c.path, body)
			if len(p.Errors) != 1 || p.Errors[0].Field != "/"+c.member {
				t.Errorf("%s %s: %+v", c.path, body, p.Errors)
			}
		}
	}
	if got := mustAs[wire.Rules](r, r.owner, 200, "GET", wire.PathRules, nil); len(got.Rules) != 1 {
		t.Errorf("the rules are %+v", got)
	}
	if got := mustAs[wire.Rules](r, r.owner, 200, "PUT", wire.PathRules, `{"rules":[]}`); len(got.Rules) != 0 {
		t.Errorf("the rules are %+v", got)
	}
	mustAs[wire.Session](r, r.owner, 200, "POST", wire.Path(wire.PathSessionSeen, "c1", "s"), `{"sequence":0}`)
	if got := mustAs[wire.Notification](r, r.owner, 200, "POST", wire.Path(wire.PathAnswer, ask.ID), `{"expected_revision":1,"answer":{}}`); got.Outcome.Answer.Option != "y" {
		t.Errorf("the default was not taken: %+v", got.Outcome)
	}
}

// What is answered is what holds now: an instant that has passed holds nothing back.
func TestDoNotDisturbUntilThePast(t *testing.T) {
	r := newRig(t)
	if got := mustAs[wire.DoNotDisturb](r, r.owner, 200, "PUT", wire.PathDoNotDisturb, `{"until":"2020-01-01T00:00:00Z"}`); !got.Until.IsZero() {
		t.Errorf("until %v", got.Until)
	}
}

// T10: a body beyond 1 MiB is refused, whether it says so or not.
func TestBodiesAreBounded(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	fill := func(size int) string {
		head, tail := `{"title":"a","lines":["`, `"]}`
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	r.refused(400, wire.CodeInvalidField, r.owner, "POST", "/v1/connections/c1/notifications", fill(maxBody)) // a line too long, but read
	r.refused(413, wire.CodeTooLarge, r.owner, "POST", "/v1/connections/c1/notifications", fill(maxBody+1))

	pr, pw := io.Pipe()
	go func() {
		for range 3 * maxBody / 1024 {
			if _, err := pw.Write([]byte(strings.Repeat(" ", 1024))); err != nil {
				return // the server stopped reading
			}
		}
		pw.Close()
	}()
	req, _ := http.NewRequest("POST", r.server.URL()+"/v1/connections/c1/notifications", pr)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+r.owner)
	resp, err := r.http.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	pr.CloseWithError(io.ErrClosedPipe)
	if resp.StatusCode != 413 {
		t.Errorf("chunked: status %d", resp.StatusCode)
	}
}

// A body that announces much costs nothing before it comes, and time is limited.
func TestBodyThatDoesNotCome(t *testing.T) {
	start := time.Now()
	r := newRig(t, func(c *Config) {
		c.timeouts = usualTimeouts
		c.timeouts.body = 200 * time.Millisecond
	})
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.server.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	r.connect("c1")
	fmt.Fprintf(conn, "POST /v1/connections/c1/notifications HTTP/1.1\r\nHost: localhost:%s\r\nAuthorization: Bearer %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", port(r.server), r.owner)
	conn.SetReadDeadline(start.Add(10 * time.Second))
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 400 || time.Since(start) > 5*time.Second {
		t.Errorf("status %d after %v", resp.StatusCode, time.Since(start))
	}
}

// Proves: S6. T13: what would pretend to be something else is cleaned, over the wire too.
func TestTextComesBackClean(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	n := r.publish("c1", wire.Publish{Title: "a\x1b[31mred\x1b[0m \u202egnp.exe 👨\u200d👩\u200d👧\x00", Body: "line\nline"})
	if strings.ContainsAny(n.Title, "\x1b\x00\u202e") || !strings.Contains(n.Title, "👨\u200d👩\u200d👧") {
		t.Errorf("title %q", n.Title)
	}
	r.refused(400, wire.CodeInvalidField, r.owner, "POST", "/v1/connections/c1/notifications", wire.Publish{Title: strings.Repeat("x", 200<<10)})
}

// T14: any key works or is refused in our words.
func TestKeysOfAnySort(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	for _, key := range []string{"a/b", "!badger!", "...", ".x", "a b", "ü?#%2F", strings.Repeat("k", 512)} {
		t.Run(key[:min(len(key), 9)], func(t *testing.T) {
			n := r.publish("c1", wire.Publish{Title: "x", Key: key})
			got := must[wire.Notification](r, 200, "POST", wire.Path(wire.PathKeyResolve, "c1", key), nil)
			if got.ID != n.ID || got.Status != wire.StatusResolved {
				t.Errorf("resolved %s %s, want %s", got.ID, got.Status, n.ID)
			}
			r.refused(404, wire.CodeNotFound, r.owner, "POST", wire.Path(wire.PathKeyExpire, "c1", key), nil)
		})
	}
	for _, key := range []string{strings.Repeat("k", 513), "a\nb"} {
		got := r.try(r.owner, "POST", "/v1/connections/c1/notifications", wire.Publish{Title: "x", Key: key})
		if got.status != 400 && got.status != 201 || strings.Contains(strings.ToLower(string(got.body)), "badger") {
			t.Errorf("key of %d bytes: %d %s", len(key), got.status, got.body)
		}
	}
}

// Proves: S2, as far as the answer goes.
func TestRequestsAreReadIntoWhatTheRulesTake(t *testing.T) {
	total := 4.0
	no := false
	in := wire.Publish{
		Key: "k", Scope: wire.ScopeSession, Session: "s", Kind: wire.KindInteraction, Severity: wire.SeverityError, Title: "t", Body: "b",
		Lines: []string{"l"}, Sender: "x", Event: &wire.Event{Type: "a.b", Occurrence: "1"}, Request: "r", Icon: "i", Color: "#aabbcc",
		Tags: []string{"t"}, Panel: "p", Chip: &wire.Chip{Glyph: "g", Label: "l", Color: "#aabbcc"},
		Progress:    &wire.Progress{Current: 1, Total: &total, Text: "x"},
		Attachments: []wire.Attachment{{Path: "/a", Name: "a", MediaType: "text/plain"}},
		Links:       []wire.Link{{Title: "t", URL: "https://example.com", Status: "open"}},
		Actions:     []wire.Action{{ID: "a", Label: "A", Style: "danger", InHistory: true, Confirm: wire.Confirm{Ask: true}}},
		Interaction: &wire.Interaction{Kind: "question", Prompt: "?", DefaultOption: "o", TimeoutSeconds: 1.5, TimeoutOption: "o",
			Options: []wire.Option{{ID: "o", Label: "O", Description: "d", Style: "primary", Comment: "optional"}},
			Fields:  []wire.Field{{ID: "f", Label: "F", Type: "number", Required: true, Default: 2.0, Min: 1.0, Max: 3.0}}},
		Report: &wire.Report{Title: "r", Path: "/r"}, Presentation: "modal", Dismissible: &no,
		Retention: &wire.Retention{Policy: "ttl", TTLSeconds: 0.25}, Refresh: &wire.Refresh{Sessions: []string{"s"}, SessionList: true, Actions: true},
		Data: []byte(`{"a":1}`), DedupKey: "d", OnRepeat: "corroborate", Note: "n", Silent: true, Muted: true,
		SnoozeUntil: wire.At(time.UnixMilli(1e12)), OccurredAt: wire.At(time.UnixMilli(2e12)), DismissibleAfter: wire.At(time.UnixMilli(3e12)),
		ExpectedRevision: wire.Rev(7),
	}
	op, err := fromPublish("c1", &in, "")
	if err != nil {
		t.Fatal(err)
	}
	if op.Content.Retention.TTL != 250*time.Millisecond || op.Expect != (notify.Expectation{Expect: true, Revision: 7}) || !op.Corroborate || !op.Muted {
		t.Errorf("got %+v", op)
	}
	// What goes in comes out: every field of the content survives both ways.
	rec := &notify.Record{Connection: op.Connection, Scope: op.Scope, Session: op.Session, Key: op.Key, Content: op.Content}
	out := toRecord(rec)
	for name, same := range map[string]bool{
		"lines": out.Lines[0] == "l", "event": *out.Event == *in.Event, "chip": *out.Chip == *in.Chip,
		"progress": *out.Progress.Total == total, "attachments": out.Attachments[0] == in.Attachments[0], "links": out.Links[0] == in.Links[0],
		"actions": out.Actions[0] == in.Actions[0], "options": out.Interaction.Options[0] == in.Interaction.Options[0],
		"retention": out.Retention == *in.Retention, "refresh": out.Refresh.SessionList && out.Refresh.Actions && out.Refresh.Sessions[0] == "s",
		"data": string(out.Data) == `{"a":1}`, "report": out.Report.Path == "/r", "dismissible_after": out.DismissibleAfter == in.DismissibleAfter,
		"rest": out.Sender == "x" && out.Request == "r" && out.Icon == "i" && out.Color == "#aabbcc" && out.Panel == "p" && out.DedupKey == "d" && out.Silent,
	} {
		if !same {
			t.Errorf("%s does not survive: %+v", name, out)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, seed := range []string{`{"title":"a"}`, `{"title":"a","data":{"x":[1,2,{"y":null}]}}`, `{"title":"\u00e9"}`, `{"a":1,"a":2}`, `[`, `{"title":"a"}x`,
		`{"interaction":{"prompt":"?","fields":[{"id":"a","type":"date","min":"2026-01-01"}]}}`, `{"expected_revision":"2026-01-01T00:00:00.000Z"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var p wire.Publish
		err := unmarshal(b, &p)
		if err != nil {
			if code := notify.CodeOf(err); code != notify.CodeInvalidJSON && code != notify.CodeInvalidField {
				t.Errorf("code %s", code)
			}
			return
		}
		if tooDeep(b) {
			t.Error("too deep, and read")
		}
		op, err := fromPublish("c", &p, "")
		if err == nil {
			toRecord(&notify.Record{Content: op.Content})
		}
		var c wire.Changes
		_ = unmarshal(b, &c)
		var batch wire.Batch
		_ = unmarshal(b, &batch)
	})
}
