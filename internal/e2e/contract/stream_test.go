package contract

import (
	"fmt"
	"strconv"
	"sync"
	"testing"
)

// Proves: L8
func TestStreamsResumeWithoutLossOrRepeat(t *testing.T) {
	s := start(t)
	c, tok := s.connect("stream")
	ch, cancel, res := s.stream(tok, "/v1/connections/"+c+"/events")
	if ct := res.Header.Get("Content-Type"); ct != "text/event-stream" {
		t.Errorf("content type %q", ct)
	}
	first := s.publish(tok, c, obj{"title": "first"})
	e := next(t, ch, "created")
	same(t, dig(t, e.Data, "notification", "id"), first["id"], "id")
	same(t, dig(t, e.Data, "change"), first["change"], "change")
	if e.ID != strconv.Itoa(num(first["change"])) {
		t.Errorf("id %q, want the change number %v", e.ID, first["change"])
	}
	cancel()

	// While nobody listens: 300 changes, a restart in between.
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			for j := range 50 {
				s.publish(tok, c, obj{"key": fmt.Sprint(i), "title": fmt.Sprint(j)})
			}
		})
	}
	wg.Wait()
	s.stop()
	s = startIn(t, s.home)
	for j := range 150 {
		s.publish(tok, c, obj{"title": fmt.Sprint("after ", j)})
	}
	ch, _, _ = s.stream(tok, "/v1/connections/"+c+"/events", header{"Last-Event-ID", e.ID})
	stop := make(chan struct{})
	wg.Go(func() { // live ones, while the stored ones are read
		for j := range 50 {
			s.publish(tok, c, obj{"title": fmt.Sprint("live ", j)})
		}
		close(stop)
	})
	last, got := num(first["change"]), 0
	for got < 350 {
		e := next(t, ch, "created", "updated", "reset")
		if e.Name == "reset" {
			t.Fatal("a reset, though nothing was pruned")
		}
		n, _ := strconv.Atoi(e.ID)
		if n <= last {
			t.Fatalf("change %d after %d", n, last)
		}
		last = n
		got++
	}
	<-stop
	wg.Wait()

	ch, _, _ = s.stream(s.Token, "/v1/events?after="+strconv.Itoa(last-3))
	for i := range 3 {
		e := next(t, ch)
		if e.ID == "" {
			t.Errorf("event %d without an id", i)
		}
	}
}

func TestAStreamShowsOnlyItsConnection(t *testing.T) {
	s := start(t)
	c1, tok1 := s.connect("one")
	c2, tok2 := s.connect("two")
	ch, _, _ := s.stream(tok1, "/v1/connections/"+c1+"/events")
	for i := range 20 {
		s.publish(tok2, c2, obj{"title": fmt.Sprint("secret ", i)})
	}
	s.publish(tok1, c1, obj{"title": "mine"})
	for {
		e := next(t, ch)
		if conn := dig(t, e.Data, "notification", "connection"); conn != nil && conn != c1 {
			t.Fatalf("the stream of %s shows %v", c1, e.Data)
		}
		if e.Name == "created" {
			break
		}
	}
}

func TestPresenceFollowsTheStream(t *testing.T) {
	s := start(t)
	c, tok := s.connect("presence")
	s.owner("GET", "/v1/connections/"+c, nil).is("missing", "presence")
	_, cancel, _ := s.stream(tok, "/v1/connections/"+c+"/events")
	online := until(5e9, func() bool { return s.owner("GET", "/v1/connections/"+c, nil).get("presence") == "online" })
	if !online {
		t.Error("not online with an open stream")
	}
	cancel()
}

// Proves: L8
func TestAcknowledgedChangesSurviveAKill(t *testing.T) {
	s := start(t)
	c, tok := s.connect("kill")
	var mu sync.Mutex
	acked := map[string]int{}
	var wg sync.WaitGroup
	quit := make(chan struct{})
	for i := range 4 {
		wg.Go(func() {
			for j := 0; ; j++ {
				select {
				case <-quit:
					return
				default:
				}
				r, err := s.try(tok, "POST", "/v1/connections/"+c+"/notifications", obj{"key": fmt.Sprint(i, "-", j%5), "title": fmt.Sprint(j)})
				if err != nil {
					return
				}
				mu.Lock()
				id := str(r.get("notification", "id"))
				acked[id] = max(acked[id], num(r.get("notification", "revision")))
				mu.Unlock()
			}
		})
	}
	until(10e9, func() bool { mu.Lock(); defer mu.Unlock(); return len(acked) == 20 })
	s.kill()
	close(quit)
	wg.Wait()
	s = startIn(t, s.home)
	for id, revision := range acked {
		r := s.owner("GET", "/v1/notifications/"+id, nil).want(200)
		if got := num(r.get("revision")); got < revision {
			t.Errorf("%s has revision %d after the kill, %d was acknowledged", id, got, revision)
		}
	}
}
