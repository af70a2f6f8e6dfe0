package contract

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// Proves: L1, L2, L3, L4, L6
func TestPublishByKey(t *testing.T) {
	s := start(t)
	c, tok := s.connect("keys")
	path := "/v1/connections/" + c + "/notifications"
	r := s.do(tok, "POST", path, obj{"key": "build", "title": "one"}).want(201)
	r.is("created", "result").is(1, "notification", "revision").is(1, "notification", "occurrence").
		is("pending", "notification", "status").is("application", "notification", "scope").
		is("notice", "notification", "kind").is("info", "notification", "severity").
		is("banner", "notification", "presentation").is(true, "notification", "dismissible").
		is("until_resolved", "notification", "retention", "policy")
	id := str(r.get("notification", "id"))
	created := r.get("notification", "created_at")
	if !strings.HasSuffix(str(created), "Z") || len(str(created)) != len("2026-11-30T12:00:00.000Z") {
		t.Errorf("created_at %v is not RFC 3339 UTC with milliseconds", created)
	}
	r = s.do(tok, "POST", path, obj{"key": "build", "title": "two"}).want(200)
	r.is("updated", "result").is(id, "notification", "id").is(2, "notification", "revision").is(created, "notification", "created_at")

	// The same key elsewhere is another slot.
	r = s.do(tok, "POST", path, obj{"key": "build", "title": "in a session", "session": "s1"}).want(201)
	r.is("session", "notification", "scope").is("s1", "notification", "session")

	// Ended: a new occurrence, also with the same text.
	s.owner("POST", "/v1/notifications/"+id+"/dismiss", obj{"expected_revision": 2}).want(200).is("dismissed", "status").is("dismissed", "outcome", "kind")
	r = s.do(tok, "POST", path, obj{"key": "build", "title": "two"}).want(201)
	r.is("created", "result").is(2, "notification", "occurrence").is(1, "notification", "revision")
	if r.get("notification", "id") == id {
		t.Error("a new occurrence has the old id")
	}
	s.owner("GET", "/v1/notifications/"+id, nil).is("dismissed", "status")
}

// Proves: L5
func TestExpectedRevision(t *testing.T) {
	s := start(t)
	c, tok := s.connect("expect")
	path := "/v1/connections/" + c + "/notifications"
	n := s.publish(tok, c, obj{"key": "k", "title": "one"})
	s.do(tok, "POST", path, obj{"key": "k", "title": "two", "expected_revision": 1}).want(200).is(2, "notification", "revision")
	r := s.do(tok, "POST", path, obj{"key": "k", "title": "three", "expected_revision": 1}).want(409, "revision_conflict")
	r.is("two", "current", "title").is(2, "current", "revision")
	id := str(n["id"])
	s.do(tok, "PATCH", "/v1/notifications/"+id, obj{"title": "late", "expected_revision": 1}).want(409, "revision_conflict").is(2, "current", "revision")
	s.do(tok, "POST", "/v1/notifications/"+id+"/resolve", obj{"expected_revision": 1}).want(409, "revision_conflict")
	s.owner("GET", "/v1/notifications/"+id, nil).is("two", "title").is(2, "revision").is("pending", "status")
}

func TestPatch(t *testing.T) {
	s := start(t)
	c, tok := s.connect("patch")
	n := s.publish(tok, c, obj{"title": "one", "body": "text", "tags": []any{"a"}, "progress": obj{"current": 1, "total": 10}, "kind": "progress", "data": obj{"x": 1}})
	id := str(n["id"])
	r := s.do(tok, "PATCH", "/v1/notifications/"+id, obj{"progress": obj{"current": 5, "total": 10}}).want(200)
	r.is(2, "revision").is(5, "progress", "current").is("text", "body").is("one", "title").is(1, "data", "x")
	r = s.do(tok, "PATCH", "/v1/notifications/"+id, obj{"body": nil, "tags": nil}).want(200)
	if _, there := r.JSON["body"]; there && r.JSON["body"] != "" {
		t.Errorf("null did not clear the body: %s", r.Raw)
	}
	s.do(tok, "PATCH", "/v1/notifications/"+id, obj{"title": nil}).want(400, "invalid_field").field("/title")
	s.do(tok, "PATCH", "/v1/notifications/"+id, obj{"status": "resolved"}).want(400)
	s.owner("GET", "/v1/notifications/"+id, nil).is(3, "revision")
	s.do(tok, "POST", "/v1/notifications/"+id+"/resolve", obj{}).want(200)
	s.do(tok, "PATCH", "/v1/notifications/"+id, obj{"title": "x"}).want(409, "terminal").is("resolved", "current", "status")
}

// Proves: D1, D2
func TestDismissal(t *testing.T) {
	s := start(t)
	c, tok := s.connect("dismiss")
	n := s.publish(tok, c, obj{"key": "k", "title": "one"})
	id := str(n["id"])
	s.owner("POST", "/v1/notifications/"+id+"/dismiss", obj{}).want(400, "invalid_field").field("/expected_revision")
	s.publish(tok, c, obj{"key": "k", "title": "two"})
	s.owner("POST", "/v1/notifications/"+id+"/dismiss", obj{"expected_revision": 1}).want(409, "revision_conflict").is("two", "current", "title")
	s.owner("POST", "/v1/notifications/"+id+"/dismiss", obj{"expected_revision": 3}).want(409, "revision_conflict")
	s.owner("GET", "/v1/notifications/"+id, nil).is("pending", "status")
	first := s.owner("POST", "/v1/notifications/"+id+"/dismiss", obj{"expected_revision": 2}).want(200)
	again := s.owner("POST", "/v1/notifications/"+id+"/dismiss", obj{"expected_revision": 2}).want(200)
	same(t, again.get("change"), first.get("change"), "change of a repeated dismissal")
	s.owner("POST", "/v1/notifications/"+id+"/dismiss", obj{"expected_revision": 1}).want(409)

	resolved := s.publish(tok, c, obj{"title": "r"})
	s.do(tok, "POST", "/v1/notifications/"+str(resolved["id"])+"/resolve", obj{}).want(200)
	s.owner("POST", "/v1/notifications/"+str(resolved["id"])+"/dismiss", obj{"expected_revision": 1}).want(409, "terminal")

	permanent := s.publish(tok, c, obj{"title": "p", "kind": "status", "dismissible": false, "actions": []any{obj{"id": "fix", "label": "Fix"}}})
	s.owner("POST", "/v1/notifications/"+str(permanent["id"])+"/dismiss", obj{"expected_revision": 1}).want(409, "not_dismissible")

	// Many at once: a result each, no transaction.
	a, b := s.publish(tok, c, obj{"title": "a"}), s.publish(tok, c, obj{"title": "b"})
	r := s.owner("POST", "/v1/dismiss", obj{"items": []any{
		obj{"id": a["id"], "expected_revision": 1}, obj{"id": b["id"], "expected_revision": 7}, obj{"id": "none", "expected_revision": 1}}}).want(200)
	if got := len(r.get("results").([]any)); got != 3 {
		t.Fatalf("%d results, want 3: %s", got, r.Raw)
	}
	s.owner("GET", "/v1/notifications/"+str(a["id"]), nil).is("dismissed", "status")
	s.owner("GET", "/v1/notifications/"+str(b["id"]), nil).is("pending", "status")

	// D7: what becomes dismissible when its connection is revoked.
	s.owner("DELETE", "/v1/connections/"+c, nil).want(204)
	s.owner("POST", "/v1/notifications/"+str(permanent["id"])+"/dismiss", obj{"expected_revision": 1}).want(200)
}

func TestResolveAndExpire(t *testing.T) {
	s := start(t)
	c, tok := s.connect("end")
	n := s.publish(tok, c, obj{"title": "one"})
	id := str(n["id"])
	s.do(tok, "POST", "/v1/notifications/"+id+"/resolve", obj{"reason": "done"}).want(200).is("resolved", "status").is("done", "outcome", "reason")
	s.do(tok, "POST", "/v1/notifications/"+id+"/resolve", obj{}).want(200)
	s.do(tok, "POST", "/v1/notifications/"+id+"/expire", obj{}).want(409, "terminal").is("resolved", "current", "status")
	keyed := s.publish(tok, c, obj{"key": "a/b c", "title": "keyed", "session": "s 1"})
	kp := "/v1/connections/" + c + "/keys/" + url.PathEscape("a/b c")
	s.do(tok, "POST", kp+"/resolve", obj{}).want(404, "not_found")
	s.do(tok, "POST", kp+"/resolve?session="+url.QueryEscape("s 1"), obj{}).want(200).is("resolved", "status").is(keyed["id"], "id")
	s.do(tok, "POST", kp+"/expire?session="+url.QueryEscape("s 1"), obj{}).want(404, "not_found")
	s.publish(tok, c, obj{"key": "k", "title": "x"})
	s.do(tok, "POST", "/v1/connections/"+c+"/keys/k/expire", nil).want(200).is("expired", "status")
}

// Proves: L4
func TestManyProducersOneKey(t *testing.T) {
	s := start(t)
	c, tok := s.connect("race")
	var wg sync.WaitGroup
	revisions := make([]int, 100)
	for i := range revisions {
		wg.Go(func() {
			n := s.publish(tok, c, obj{"key": "k", "title": fmt.Sprintf("from %d", i)})
			revisions[i] = num(n["revision"])
		})
	}
	wg.Wait()
	seen := map[int]bool{}
	for _, r := range revisions {
		if r < 1 || r > 100 || seen[r] {
			t.Fatalf("revisions %v are not 1 to 100, each once", revisions)
		}
		seen[r] = true
	}
	r := s.owner("GET", "/v1/notifications?status=pending", nil)
	if got := len(r.get("notifications").([]any)); got != 1 {
		t.Errorf("%d pending, want 1", got)
	}
}

// Proves: L9
func TestBatch(t *testing.T) {
	s := start(t)
	c, tok := s.connect("batch")
	path := "/v1/connections/" + c + "/batch"
	n := s.publish(tok, c, obj{"title": "old", "request": "r1", "retention": obj{"policy": "request"}})
	r := s.do(tok, "POST", path, obj{"operations": []any{
		obj{"op": "publish", "notification": obj{"key": "k", "title": "first"}},
		obj{"op": "publish", "notification": obj{"key": "k", "title": "second"}},
		obj{"op": "resolve", "key": "k", "reason": "done"},
		obj{"op": "complete_request", "request": "r1"},
	}}).want(200)
	if got := len(r.get("results").([]any)); got != 4 {
		t.Fatalf("%d results, want 4: %s", got, r.Raw)
	}
	s.owner("GET", "/v1/notifications/"+str(n["id"]), nil).is("expired", "status")

	before := s.owner("GET", "/v1/notifications", nil).Raw
	r = s.do(tok, "POST", path, obj{"operations": []any{
		obj{"op": "publish", "notification": obj{"title": "good"}},
		obj{"op": "publish", "notification": obj{"title": ""}},
		obj{"op": "publish", "notification": obj{"title": "never"}},
	}}).want(400, "invalid_field")
	r.is(1, "operation")
	r = s.do(tok, "POST", path, obj{"operations": []any{
		obj{"op": "publish", "notification": obj{"title": "good"}},
		obj{"op": "resolve", "id": "none"},
	}}).want(404, "not_found")
	r.is(1, "operation")
	r = s.do(tok, "POST", path, obj{"operations": []any{obj{"op": "dismiss", "id": n["id"], "expected_revision": 1}}})
	if r.Status != 400 && r.Status != 403 {
		t.Errorf("dismiss in a batch: %d", r.Status)
	}
	if after := s.owner("GET", "/v1/notifications", nil).Raw; string(after) != string(before) {
		t.Error("a failed batch changed something")
	}
	ops := make([]any, 501)
	for i := range ops {
		ops[i] = obj{"op": "publish", "notification": obj{"title": "x"}}
	}
	s.do(tok, "POST", path, obj{"operations": ops}).want(400, "invalid_field").field("/operations")
	s.do(tok, "POST", path, obj{"operations": ops[:500]}).want(200)
}

// Proves: A2
func TestRepeats(t *testing.T) {
	s := start(t)
	c, tok := s.connect("repeat")
	path := "/v1/connections/" + c + "/notifications"
	key := header{"Idempotency-Key", "abc"}
	r := s.do(tok, "POST", path, obj{"title": "one"}, key).want(201)
	id := r.get("notification", "id")
	s.do(tok, "POST", path, obj{"title": "one"}, key).want(200).is("unchanged", "result").is(id, "notification", "id")
	s.do(tok, "POST", path, obj{"title": "two"}, key).want(409, "idempotency_mismatch")

	turn := obj{"title": "Done", "session": "s", "event": obj{"type": "session.turn_finished", "occurrence": "t1"}}
	r = s.do(tok, "POST", path, turn).want(201)
	tid := str(r.get("notification", "id"))
	s.owner("POST", "/v1/notifications/"+tid+"/dismiss", obj{"expected_revision": 1}).want(200)
	s.do(tok, "POST", path, turn).want(200).is("unchanged", "result").is(tid, "notification", "id").is("dismissed", "notification", "status")
	turn["event"] = obj{"type": "session.turn_finished", "occurrence": "t2"}
	s.do(tok, "POST", path, turn).want(201).is("created", "result")

	s.stop()
	s = startIn(t, s.home)
	s.do(tok, "POST", path, obj{"title": "one"}, key).want(200).is("unchanged", "result")
	s.do(tok, "POST", path, turn).want(200).is("unchanged", "result")
}

func TestListsAndCursors(t *testing.T) {
	s := start(t)
	c, tok := s.connect("lists")
	c2, tok2 := s.connect("other")
	sev := []string{"info", "success", "warning", "error", "critical"}
	want := map[string]bool{}
	for i := range 25 {
		n := s.publish(tok, c, obj{"title": fmt.Sprintf("item %02d alpha", i), "severity": sev[i%5], "tags": []any{fmt.Sprintf("t%d", i%3)}, "sender": "bot"})
		want[str(n["id"])] = true
	}
	s.publish(tok2, c2, obj{"title": "elsewhere beta", "session": "s9", "kind": "status", "event": obj{"type": "build.done", "occurrence": "1"}})
	s.publish(tok2, c2, obj{"title": "quiet", "silent": true})

	got := map[string]bool{}
	cursor := ""
	pages := 0
	for {
		q := "/v1/notifications?limit=10&connection=" + c
		if cursor != "" {
			q += "&cursor=" + url.QueryEscape(cursor)
		}
		r := s.owner("GET", q, nil).want(200)
		for _, n := range r.get("notifications").([]any) {
			id := str(dig(t, n, "id"))
			if got[id] {
				t.Fatalf("%s twice", id)
			}
			got[id] = true
		}
		pages++
		next, more := r.JSON["next_cursor"]
		if !more {
			break
		}
		cursor = str(next)
	}
	if len(got) != len(want) || pages != 3 {
		t.Errorf("%d records on %d pages, want %d on 3", len(got), pages, len(want))
	}
	count := func(q string) int {
		t.Helper()
		return len(s.owner("GET", "/v1/notifications?limit=500&"+q, nil).want(200).get("notifications").([]any))
	}
	for q, n := range map[string]int{
		"severity=error": 5, "severity=error&severity=critical": 10, "tag=t0": 9, "status=pending": 26, "status=resolved": 0,
		"scope=session": 1, "session=s9": 1, "kind=status": 1, "event=build.done": 1, "q=beta": 1, "q=ITEM": 25, "q=item+alph": 25,
		"read=false": 26, "read=true": 0, "include_silent=true": 27, "severity=info&tag=t0": 2, "connection=" + c2: 1,
		"since=2001-01-01T00:00:00Z": 26, "until=2001-01-01T00:00:00Z": 0,
	} {
		if got := count(q); got != n {
			t.Errorf("%s lists %d, want %d", q, got, n)
		}
	}
	r := s.owner("GET", "/v1/notifications?limit=2", nil)
	if a, b := str(r.get("notifications", 0, "updated_at")), str(r.get("notifications", 1, "updated_at")); a < b {
		t.Errorf("not newest first: %s before %s", a, b)
	}
}

// Proves: R3
func TestLifetimesAndRequests(t *testing.T) {
	s := start(t)
	c, tok := s.connect("life")
	hello := func(l string) *reply {
		return s.do(tok, "POST", "/v1/connections/"+c+"/hello", obj{"lifetime": l}).want(200)
	}
	hello("run-1").is(0, "expired").is("online", "connection", "presence")
	a := s.publish(tok, c, obj{"title": "a", "retention": obj{"policy": "server_lifetime"}})
	b := s.publish(tok, c, obj{"title": "b"})
	hello("run-1").is(0, "expired")
	s.owner("GET", "/v1/notifications/"+str(a["id"]), nil).is("pending", "status")
	hello("run-2").is(1, "expired")
	s.owner("GET", "/v1/notifications/"+str(a["id"]), nil).is("expired", "status")
	s.owner("GET", "/v1/notifications/"+str(b["id"]), nil).is("pending", "status")

	q := s.publish(tok, c, obj{"title": "q", "request": "r 1", "retention": obj{"policy": "request"}})
	s.publish(tok, c, obj{"title": "stays", "request": "r 1"})
	s.do(tok, "POST", "/v1/connections/"+c+"/requests/"+url.PathEscape("r 1")+"/complete", obj{}).want(200).is(1, "expired")
	s.owner("GET", "/v1/notifications/"+str(q["id"]), nil).is("expired", "status")
}

// Proves: S6, S2
func TestCleaningAndMasking(t *testing.T) {
	s := start(t)
	c, tok := s.connect("clean")
	r := s.do(tok, "POST", "/v1/connections/"+c+"/notifications", obj{"title": "a\x1b[31mred\x1b[0m\u202eevil\x00 👨‍👩‍👧", "body": "line\nnext\x07"}).want(201)
	title := str(r.get("notification", "title"))
	if strings.ContainsAny(title, "\x1b\x00\u202e") || strings.Contains(title, "[31m") {
		t.Errorf("title %q is not clean", title)
	}
	if !strings.Contains(title, "👨‍👩‍👧") {
		t.Errorf("title %q lost its emoji", title)
	}
	if got := str(r.get("notification", "body")); got != "line\nnext" {
		t.Errorf("body %q", got)
	}
	secret := "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
	r = s.do(tok, "POST", "/v1/connections/"+c+"/notifications", obj{"title": "push failed", "body": "used token " + secret}).want(201)
	if strings.Contains(string(r.Raw), secret) {
		t.Errorf("the token came through: %s", r.Raw)
	}
	masked, _ := r.get("masked").([]any)
	if len(masked) != 1 || masked[0] != "/body" {
		t.Errorf("masked %v, want /body", masked)
	}
	if strings.Contains(s.log.String(), secret) {
		t.Error("the token is in the log")
	}
}

func TestConnections(t *testing.T) {
	s := start(t)
	r := s.owner("POST", "/v1/connections", obj{"label": "Claude in kiosk", "id": "kiosk", "color": "#3366ff"}).want(201)
	r.is("kiosk", "connection", "id").is("#3366ff", "connection", "color")
	tok := str(r.get("token"))
	s.owner("POST", "/v1/connections", obj{"label": "again", "id": "kiosk"}).want(400, "invalid_field").field("/id")
	s.owner("POST", "/v1/connections", obj{"label": ""}).want(400, "invalid_field").field("/label")
	s.owner("GET", "/v1/connections/kiosk", nil).want(200).is("Claude in kiosk", "label").is("missing", "presence")
	s.publish(tok, "kiosk", obj{"title": "x"})
	r = s.owner("GET", "/v1/connections", nil).want(200)
	r.is(1, "connections", 0, "pending").is(1, "connections", 0, "unread").is(0, "connections", 0, "waiting")
	if strings.Contains(string(r.Raw), "token") {
		t.Errorf("a list of connections speaks of tokens: %s", r.Raw)
	}
	s.owner("PATCH", "/v1/connections/kiosk", obj{"label": "K", "open": false}).want(200).is("K", "label").is(false, "open")
	if n := len(s.owner("GET", "/v1/rail", nil).get("application").([]any)); n != 0 {
		t.Errorf("the rail shows %d items of a closed connection", n)
	}
	s.owner("PATCH", "/v1/connections/kiosk", obj{"open": true}).want(200)
	s.owner("DELETE", "/v1/connections/kiosk?purge=true", nil).want(204)
	if n := len(s.owner("GET", "/v1/notifications", nil).get("notifications").([]any)); n != 0 {
		t.Errorf("%d records left after a purge", n)
	}
}
