package contract

import (
	"sync"
	"testing"
	"time"
)

func question(extra obj) obj {
	i := obj{"kind": "permission", "prompt": "Run make flash?", "options": []any{
		obj{"id": "allow", "label": "Allow"}, obj{"id": "deny", "label": "Deny", "comment": "required", "style": "danger"}, obj{"id": "edit", "label": "Edit", "comment": "optional"}}}
	for k, v := range extra {
		i[k] = v
	}
	return obj{"title": "Permission", "session": "s1", "kind": "interaction", "interaction": i}
}

// Proves: I1, I2, I3, I4
func TestAnswers(t *testing.T) {
	s := start(t)
	c, tok := s.connect("ask")
	n := s.publish(tok, c, question(nil))
	same(t, dig(t, n, "interaction", "state"), "waiting", "state")
	same(t, n["dismissible"], false, "dismissible")
	id := "/v1/notifications/" + str(n["id"])
	s.owner("POST", id+"/dismiss", obj{"expected_revision": 1}).want(409, "interaction_active")
	s.owner("GET", "/v1/attention", nil).want(200).is(1, "waiting").is(1, "needs_you", "confirm")

	for _, bad := range []obj{{}, {"option": "none"}, {"option": "deny"}, {"option": "allow", "comment": "not asked for"}, {"option": "allow", "fields": obj{"x": 1}}} {
		s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": bad}).want(422, "answer_invalid")
	}
	s.owner("GET", id, nil).is("waiting", "interaction", "state").is(1, "revision")
	s.owner("POST", id+"/answer", obj{"expected_revision": 9, "answer": obj{"option": "allow"}}).want(409, "revision_conflict")
	s.do(tok, "POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "allow"}}).want(403, "forbidden")
	r := s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "deny", "comment": "Board in use"}}).want(200)
	r.is("resolved", "status").is("answered", "outcome", "kind").is("deny", "outcome", "answer", "option").
		is("Board in use", "outcome", "answer", "comment").is("owner", "outcome", "by").is("answered", "interaction", "state")
	r = s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "allow"}}).want(409, "already_answered")
	r.is("deny", "current", "outcome", "answer", "option")

	// The producer refuses the answer: pending again, with the reason.
	r = s.do(tok, "POST", id+"/reject-answer", obj{"reason": "No such board"}).want(200)
	r.is("pending", "status").is("waiting", "interaction", "state").is("No such board", "interaction", "error")
	rev := num(r.get("revision"))
	s.owner("POST", id+"/answer", obj{"expected_revision": rev, "answer": obj{"option": "allow"}}).want(200).is("resolved", "status")

	plain := s.publish(tok, c, obj{"title": "plain"})
	s.owner("POST", "/v1/notifications/"+str(plain["id"])+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "a"}}).want(409, "not_interaction")

	q := s.publish(tok, c, question(nil))
	s.do(tok, "POST", "/v1/notifications/"+str(q["id"])+"/cancel", obj{"reason": "asked elsewhere"}).want(200).
		is("cancelled", "outcome", "kind").is("asked elsewhere", "outcome", "reason").is("resolved", "status")
	s.owner("POST", "/v1/notifications/"+str(q["id"])+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "allow"}}).want(409, "terminal")
}

func TestFields(t *testing.T) {
	s := start(t)
	c, tok := s.connect("fields")
	ask := func() string {
		n := s.publish(tok, c, obj{"title": "Form", "kind": "interaction", "interaction": obj{"kind": "question", "prompt": "Fill in", "fields": []any{
			obj{"id": "name", "label": "Name", "type": "text", "required": true, "max": 5},
			obj{"id": "n", "label": "N", "type": "integer", "min": 1, "max": 9, "default": 3},
			obj{"id": "ok", "label": "OK", "type": "boolean"},
			obj{"id": "c", "label": "C", "type": "choice", "choices": []any{"a", "b"}},
			obj{"id": "cs", "label": "Cs", "type": "choices", "choices": []any{"a", "b"}},
			obj{"id": "d", "label": "D", "type": "date"},
			obj{"id": "u", "label": "U", "type": "duration"},
			obj{"id": "x", "label": "X", "type": "number"},
		}}})
		return "/v1/notifications/" + str(n["id"])
	}
	id := ask()
	for _, bad := range []obj{
		{}, {"name": ""}, {"name": 5}, {"name": "toolong"}, {"name": "a", "n": 0}, {"name": "a", "n": 1.5}, {"name": "a", "n": "1"}, {"name": "a", "ok": "yes"},
		{"name": "a", "c": "z"}, {"name": "a", "cs": []any{"z"}}, {"name": "a", "cs": "a"}, {"name": "a", "d": "tomorrow"}, {"name": "a", "d": "2026-02-30"},
		{"name": "a", "u": "long"}, {"name": "a", "x": "1"}, {"name": "a", "unknown": 1},
	} {
		s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"fields": bad}}).want(422, "answer_invalid")
	}
	r := s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"fields": obj{"name": "Ada", "ok": true, "c": "a", "cs": []any{"a", "b"}, "d": "2026-12-01", "u": "1h30m", "x": 1.5}}}).want(200)
	r.is("Ada", "outcome", "answer", "fields", "name").is(3, "outcome", "answer", "fields", "n")
}

// Proves: I4
func TestOneAnswerOfManyWins(t *testing.T) {
	s := start(t)
	c, tok := s.connect("race")
	n := s.publish(tok, c, question(nil))
	id := "/v1/notifications/" + str(n["id"])
	var mu sync.Mutex
	won := 0
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			r := s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "allow"}})
			mu.Lock()
			defer mu.Unlock()
			switch r.Status {
			case 200:
				won++
			case 409:
				if r.JSON["code"] != "already_answered" || dig(t, r.JSON, "current", "outcome", "answer", "option") != "allow" {
					t.Errorf("the loser was told %s", r.Raw)
				}
			default:
				t.Errorf("status %d", r.Status)
			}
		})
	}
	wg.Wait()
	if won != 1 {
		t.Errorf("%d answers won, want 1", won)
	}
}

// Proves: I4, I9
func TestWaitingForAnAnswer(t *testing.T) {
	s := start(t)
	c, tok := s.connect("wait")
	n := s.publish(tok, c, question(nil))
	id := "/v1/notifications/" + str(n["id"])
	ch, _, _ := s.stream(tok, "/v1/connections/"+c+"/events")
	done := make(chan *reply, 1)
	go func() { done <- s.do(tok, "GET", id+"?wait=20&since_revision=1", nil) }()
	s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "allow"}}).want(200)
	select {
	case r := <-done:
		r.want(200).is("allow", "outcome", "answer", "option")
	case <-time.After(5 * time.Second):
		t.Fatal("the wait did not end")
	}
	e := next(t, ch, "answered")
	same(t, dig(t, e.Data, "notification", "outcome", "answer", "option"), "allow", "streamed answer")

	// After a restart of the center the answer is still to be had.
	s.stop()
	s = startIn(t, s.home)
	s.do(tok, "GET", id+"?wait=5", nil).want(200).is("allow", "outcome", "answer", "option")
	s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "deny", "comment": "x"}}).want(409, "already_answered")
}

// Proves: I8
func TestTimeouts(t *testing.T) {
	s := start(t)
	c, tok := s.connect("timeout")
	with := s.publish(tok, c, question(obj{"timeout_seconds": 0.3, "timeout_option": "allow"}))
	without := s.publish(tok, c, question(obj{"timeout_seconds": 0.3}))
	ended := func(n obj) *reply {
		return s.do(tok, "GET", "/v1/notifications/"+str(n["id"])+"?wait=10&since_revision=1", nil).want(200)
	}
	ended(with).is("expired", "status").is("timed_out", "outcome", "kind").is("allow", "outcome", "answer", "option").is("timed_out", "interaction", "state")
	r := ended(without)
	r.is("timed_out", "outcome", "kind")
	if r.get("outcome", "answer") != nil {
		t.Errorf("a timeout without an option has an answer: %s", r.Raw)
	}
	s.owner("POST", "/v1/notifications/"+str(with["id"])+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "allow"}}).want(409)
}

// Proves: I8
func TestTimeoutWhileTheCenterWasAway(t *testing.T) {
	s := start(t)
	c, tok := s.connect("away")
	n := s.publish(tok, c, question(obj{"timeout_seconds": 1}))
	s.stop()
	deadline, err := time.Parse(time.RFC3339, str(dig(t, n, "created_at")))
	if err != nil {
		t.Fatal(err)
	}
	until(5*time.Second, func() bool { return time.Since(deadline) > time.Second })
	s = startIn(t, s.home)
	r := s.owner("POST", "/v1/notifications/"+str(n["id"])+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "allow"}})
	r.want(409)
	s.do(tok, "GET", "/v1/notifications/"+str(n["id"]), nil).is("timed_out", "outcome", "kind")
}

// Proves: I7
func TestSetAside(t *testing.T) {
	s := start(t)
	c, tok := s.connect("aside")
	n := s.publish(tok, c, question(nil))
	id := "/v1/notifications/" + str(n["id"])
	s.owner("POST", id+"/set-aside", obj{"seconds": 600}).want(200).is("pending", "status").is("waiting", "interaction", "state").is(1, "revision")
	s.owner("GET", "/v1/attention", nil).is(1, "waiting")
	s.owner("POST", id+"/answer", obj{"expected_revision": 1, "answer": obj{"option": "allow"}}).want(200)
	plain := s.publish(tok, c, obj{"title": "plain"})
	s.owner("POST", "/v1/notifications/"+str(plain["id"])+"/set-aside", obj{}).want(409, "not_interaction")
}

// Proves: P3
func TestActions(t *testing.T) {
	s := start(t)
	c, tok := s.connect("actions")
	n := s.publish(tok, c, obj{"title": "Failed", "actions": []any{obj{"id": "retry", "label": "Retry"}, obj{"id": "log", "label": "Log", "in_history": true}}})
	id := "/v1/notifications/" + str(n["id"])
	ch, _, _ := s.stream(tok, "/v1/connections/"+c+"/events")
	s.owner("POST", id+"/actions/retry", obj{"expected_revision": 1}).want(202)
	e := next(t, ch, "action")
	same(t, dig(t, e.Data, "action", "id"), "retry", "streamed action")
	s.owner("POST", id+"/actions/none", obj{"expected_revision": 1}).want(404, "not_found")
	s.owner("POST", id+"/actions/retry", obj{"expected_revision": 2}).want(409, "revision_conflict")
	s.owner("POST", id+"/dismiss", obj{"expected_revision": 1}).want(200)
	s.owner("POST", id+"/actions/retry", obj{"expected_revision": 1}).want(409, "action_unavailable")
	s.owner("POST", id+"/actions/log", obj{"expected_revision": 1}).want(202)
}
