package contract

import (
	"testing"
	"time"
)

func titles(t *testing.T, list any) []string {
	t.Helper()
	l, _ := list.([]any)
	out := []string{}
	for _, n := range l {
		out = append(out, str(dig(t, n, "title")))
	}
	return out
}

// Proves: P1, P6
func TestRail(t *testing.T) {
	s := start(t)
	c, tok := s.connect("rail")
	s.publish(tok, c, obj{"title": "app 1"})
	s.publish(tok, c, obj{"title": "mine", "session": "s1"})
	s.publish(tok, c, obj{"title": "other's", "session": "s10"})
	s.publish(tok, c, obj{"title": "silent", "silent": true})
	ask := s.publish(tok, c, obj{"title": "asked", "kind": "interaction", "interaction": obj{"kind": "question", "prompt": "?", "options": []any{obj{"id": "a", "label": "A"}}}})
	s.publish(tok, c, obj{"title": "app 2"})

	r := s.owner("GET", "/v1/rail", nil).want(200)
	same(t, asAny(titles(t, r.get("application"))), asAny([]string{"asked", "app 2", "app 1"}), "application")
	same(t, asAny(titles(t, r.get("session"))), asAny([]string{}), "session without focus")
	s.owner("PUT", "/v1/focus", obj{"connection": c, "session": "s1"}).want(200)
	r = s.owner("GET", "/v1/rail", nil)
	same(t, asAny(titles(t, r.get("session"))), asAny([]string{"mine"}), "active session")
	r = s.owner("GET", "/v1/rail?session=s10", nil).want(200)
	same(t, asAny(titles(t, r.get("session"))), asAny([]string{"other's"}), "asked session")
	s.owner("PUT", "/v1/focus", obj{}).want(200)
	s.owner("PUT", "/v1/focus", obj{"connection": "none", "session": "x"}).want(404)
	s.owner("POST", "/v1/notifications/"+str(ask["id"])+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "a"}}).want(200)
	r = s.owner("GET", "/v1/rail", nil)
	same(t, asAny(titles(t, r.get("application"))), asAny([]string{"app 2", "app 1"}), "after the answer")
}

func asAny(l []string) any {
	out := make([]any, len(l))
	for i, v := range l {
		out[i] = v
	}
	return out
}

// Proves: R2
func TestTTLIsAboutPresentation(t *testing.T) {
	s := start(t)
	c, tok := s.connect("ttl")
	n := s.publish(tok, c, obj{"title": "short", "retention": obj{"policy": "ttl", "ttl_seconds": 1}})
	if n := len(s.owner("GET", "/v1/rail", nil).get("application").([]any)); n != 1 {
		t.Fatalf("%d on the rail, want 1", n)
	}
	gone := until(5*time.Second, func() bool {
		return len(s.owner("GET", "/v1/rail", nil).get("application").([]any)) == 0
	})
	if !gone {
		t.Error("still on a fresh rail after its TTL")
	}
	s.owner("GET", "/v1/notifications/"+str(n["id"]), nil).is("pending", "status")
	s.owner("GET", "/v1/attention", nil).is(0, "unread")
}

// Proves: A5, A7
func TestReadMuteSnoozeSilent(t *testing.T) {
	s := start(t)
	c, tok := s.connect("attention")
	unread := func() int { return num(s.owner("GET", "/v1/attention", nil).want(200).get("unread")) }
	onRail := func() int { return len(s.owner("GET", "/v1/rail", nil).get("application").([]any)) }
	n := s.publish(tok, c, obj{"title": "x"})
	id := "/v1/notifications/" + str(n["id"])
	s.owner("POST", id+"/read", obj{}).want(200).is(true, "read").is(1, "revision")
	if unread() != 0 || onRail() != 1 {
		t.Errorf("read: unread %d, rail %d", unread(), onRail())
	}
	s.owner("POST", id+"/unread", obj{}).want(200).is(false, "read")
	s.owner("POST", id+"/mute", obj{}).want(200).is(true, "muted").is("pending", "status")
	if unread() != 0 || onRail() != 0 {
		t.Errorf("muted: unread %d, rail %d", unread(), onRail())
	}
	s.owner("GET", "/v1/attention", nil).is(1, "muted")
	s.owner("POST", id+"/unmute", obj{}).want(200)
	if unread() != 1 {
		t.Errorf("unmuted: unread %d", unread())
	}
	s.owner("POST", id+"/snooze", obj{}).want(400)
	s.owner("POST", id+"/snooze", obj{"seconds": 3600}).want(200)
	s.owner("GET", "/v1/attention", nil).is(1, "snoozed").is(0, "unread")
	s.owner("POST", id+"/unsnooze", obj{}).want(200)
	ch, _, _ := s.stream(s.Token, "/v1/events")
	s.owner("POST", id+"/snooze", obj{"seconds": 1}).want(200)
	e := next(t, ch, "resurfaced")
	same(t, dig(t, e.Data, "notification", "id"), n["id"], "resurfaced")
	r := s.owner("GET", id, nil)
	if r.get("resurfaced_at") == nil || r.get("muted") == true {
		t.Errorf("after the snooze: %s", r.Raw)
	}

	// Born snoozed, over a restart.
	born := s.publish(tok, c, obj{"title": "later", "snooze_until": time.Now().UTC().Add(2 * time.Second).Format(time.RFC3339Nano)})
	s.owner("GET", "/v1/attention", nil).is(1, "snoozed")
	s.stop()
	s = startIn(t, s.home)
	back := until(10*time.Second, func() bool {
		return s.owner("GET", "/v1/notifications/"+str(born["id"]), nil).get("resurfaced_at") != nil
	})
	if !back {
		t.Error("an item that was born snoozed did not resurface after a restart")
	}

	s.publish(tok, c, obj{"title": "silent", "silent": true})
	if unread() != 2 {
		t.Errorf("unread %d, want 2: silent items never count", unread())
	}
}

// Proves: A6
func TestCorroboration(t *testing.T) {
	s := start(t)
	c, tok := s.connect("plus")
	path := "/v1/connections/" + c + "/notifications"
	n := s.publish(tok, c, obj{"title": "Disk full", "dedup_key": "disk", "on_repeat": "corroborate"})
	for range 55 {
		r := s.do(tok, "POST", path, obj{"title": "Disk full", "dedup_key": "disk", "on_repeat": "corroborate", "sender": "bot"}).want(200)
		r.is("corroborated", "result").is(n["id"], "notification", "id").is(1, "notification", "revision")
	}
	r := s.owner("GET", "/v1/notifications/"+str(n["id"]), nil)
	if got := len(r.get("plus_ones").([]any)); got != 50 {
		t.Errorf("%d kept, want 50", got)
	}
	r.is(5, "plus_ones_dropped").is("bot", "plus_ones", 0, "sender")
}

// Proves: A4
func TestSessions(t *testing.T) {
	s := start(t)
	c, tok := s.connect("sessions")
	base := "/v1/connections/" + c + "/sessions/"
	s.do(tok, "PUT", base+"s1", obj{"title": "Kiosk", "state": "working"}).want(201).is("Kiosk", "title").is("s1", "id")
	s.do(tok, "PUT", base+"s1", obj{"title": "Kiosk 2"}).want(200).is("Kiosk 2", "title").is("working", "state")
	s.do(tok, "PUT", base+"s10", obj{"title": "Alike"}).want(201)
	find := func(id string) obj {
		t.Helper()
		for _, v := range s.owner("GET", "/v1/connections/"+c+"/sessions", nil).want(200).get("sessions").([]any) {
			if dig(t, v, "id") == id {
				return v.(obj)
			}
		}
		t.Fatalf("no session %s", id)
		return nil
	}
	if _, needs := find("s1")["needs_you"]; needs {
		t.Error("needs_you without a reason")
	}
	s.publish(tok, c, obj{"title": "Done", "session": "s1", "event": obj{"type": "session.turn_finished", "occurrence": "t1"}})
	same(t, find("s1")["needs_you"], "reply", "after a finished turn")
	s.publish(tok, c, obj{"title": "Failed", "session": "s1", "event": obj{"type": "session.turn_failed", "occurrence": "t2"}})
	same(t, find("s1")["needs_you"], "failed", "after a failed turn")
	s.owner("POST", base+"s1/seen", obj{"sequence": num(find("s1")["sequence"])}).want(200)
	if got := find("s1")["needs_you"]; got != nil {
		t.Errorf("after seeing: %v", got)
	}
	q := s.publish(tok, c, obj{"title": "Which?", "session": "s1", "kind": "interaction", "event": obj{"type": "session.clarification_requested", "occurrence": "q1"},
		"interaction": obj{"kind": "question", "prompt": "?", "options": []any{obj{"id": "a", "label": "A"}}}})
	s.owner("POST", base+"s1/seen", obj{"sequence": num(find("s1")["sequence"])}).want(200)
	same(t, find("s1")["needs_you"], "confirm", "seeing does not settle a question")
	same(t, find("s1")["waiting"], 1.0, "waiting")
	s.owner("POST", "/v1/notifications/"+str(q["id"])+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "a"}}).want(200)
	if got := find("s1")["needs_you"]; got != nil {
		t.Errorf("after answering: %v", got)
	}

	// The end of a session closes what it left open, and nothing of one whose name starts alike.
	a := s.publish(tok, c, obj{"title": "a", "session": "s1"})
	b := s.publish(tok, c, obj{"title": "b", "session": "s10"})
	s.do(tok, "DELETE", base+"s1", nil).want(204)
	r := s.owner("GET", "/v1/notifications/"+str(a["id"]), nil)
	if r.get("status") == "pending" {
		t.Error("a session's item is pending after its end")
	}
	s.owner("GET", "/v1/notifications/"+str(b["id"]), nil).is("pending", "status")
}

// Proves: E1, E2
func TestInvalidations(t *testing.T) {
	s := start(t)
	c, tok := s.connect("refresh")
	n := s.publish(tok, c, obj{"title": "x", "refresh": obj{"session_list": true, "sessions": []any{"s1"}}})
	s.publish(tok, c, obj{"title": "y", "refresh": obj{"session_list": true}})
	list := func() []any {
		return s.owner("GET", "/v1/connections/"+c+"/invalidations", nil).want(200).get("invalidations").([]any)
	}
	if got := list(); len(got) != 2 {
		t.Fatalf("%d invalidations, want 2 (coalesced): %v", len(got), got)
	}
	s.stop()
	s = startIn(t, s.home)
	got := list()
	if len(got) != 2 {
		t.Fatalf("%d invalidations after a restart, want 2", len(got))
	}
	ids := []any{dig(t, got[0], "id"), dig(t, got[1], "id")}
	s.owner("POST", "/v1/connections/"+c+"/invalidations/ack", obj{"ids": ids}).want(200)
	if got := list(); len(got) != 0 {
		t.Errorf("%d invalidations after the acknowledgement", len(got))
	}
	// A later revision does not inherit the request.
	s.do(tok, "PATCH", "/v1/notifications/"+str(n["id"]), obj{"title": "x2"}).want(200)
	if got := list(); len(got) != 0 {
		t.Errorf("a later revision inherited the refresh: %v", got)
	}
}

func TestSettings(t *testing.T) {
	s := start(t)
	r := s.owner("GET", "/v1/subscriptions", nil).want(200)
	subs := r.JSON
	s.owner("PUT", "/v1/subscriptions", subs).want(200)
	s.owner("GET", "/v1/rules", nil).want(200)
	s.owner("PUT", "/v1/rules", obj{"rules": []any{obj{"name": "quiet builds", "match": obj{"tag": "build"}, "set": "none"}}}).want(200)
	s.owner("GET", "/v1/rules", nil).want(200).is("quiet builds", "rules", 0, "name")
	r = s.owner("PUT", "/v1/rules", obj{"rules": []any{obj{"name": "bad", "match": obj{"text": "("}, "set": "none"}}}).want(400, "invalid_field")
	r.field("/rules/0/match/text")
	s.owner("PUT", "/v1/do-not-disturb", obj{"until": time.Now().UTC().Add(time.Hour).Format(time.RFC3339)}).want(200)
	s.owner("PUT", "/v1/do-not-disturb", obj{}).want(200)
	s.owner("PUT", "/v1/do-not-disturb", obj{"until": "soon"}).want(400).field("/until")
	s.owner("GET", "/v1/deliveries", nil).want(200)
	s.owner("POST", "/v1/show", obj{"view": "history"}).want(409, "unavailable")
	if r := s.owner("GET", "/v1/metrics", nil).want(200); len(r.Raw) == 0 {
		t.Error("no metrics")
	}
	c, tok := s.connect("trace")
	n := s.publish(tok, c, obj{"title": "x", "severity": "error"})
	s.owner("GET", "/v1/notifications/"+str(n["id"])+"/trace", nil).want(200)
}

// Proves: A1
func TestStoredSubscriptionsToTheRetiredEvent(t *testing.T) {
	s := start(t)
	r := s.owner("PUT", "/v1/subscriptions", obj{"subscriptions": []any{obj{"provider": "toast", "events": []any{"session.waiting_for_input"}}}})
	if r.Status == 200 {
		r = s.owner("GET", "/v1/subscriptions", nil).want(200)
		r.is("session.clarification_requested", "subscriptions", 0, "events", 0)
		if n := len(r.get("subscriptions", 0, "events").([]any)); n != 1 {
			t.Errorf("%d events, want the one", n)
		}
		return
	}
	r.want(400, "retired_event")
}
