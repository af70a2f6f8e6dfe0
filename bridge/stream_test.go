package bridge

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/center"
	"signalbox/notify"
	"signalbox/store/memstore"
)

// sse is an open stream, read event by event.
type sse struct {
	t    testing.TB
	resp *http.Response
	r    *bufio.Reader
}

type sseEvent struct {
	id   int64
	name string
	data wire.StreamData
}

func (r *rig) open(token, path string, headers ...string) *sse {
	r.t.Helper()
	req, err := http.NewRequest("GET", r.server.URL()+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := r.http.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" {
		b, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		r.t.Fatalf("stream: %d %s", resp.StatusCode, b)
	}
	s := &sse{r.t, resp, bufio.NewReader(resp.Body)}
	r.t.Cleanup(s.close)
	return s
}

func (s *sse) close() { s.resp.Body.Close() }

// next returns the next event, or what broke the stream.
func (s *sse) next() (sseEvent, error) {
	var ev sseEvent
	for {
		line, err := s.r.ReadString('\n')
		if err != nil {
			return ev, err
		}
		line = strings.TrimSuffix(line, "\n")
		name, value, _ := strings.Cut(line, ": ")
		switch name {
		case "id":
			ev.id, _ = strconv.ParseInt(value, 10, 64)
		case "event":
			ev.name = value
		case "data":
			if err := json.Unmarshal([]byte(value), &ev.data); err != nil {
				return ev, err
			}
		case "":
			if ev.name != "" {
				return ev, nil
			}
		}
	}
}

// want reads events until one has that name, and returns it.
func (s *sse) want(name string) sseEvent {
	s.t.Helper()
	for {
		ev, err := s.next()
		if err != nil {
			s.t.Fatalf("waiting for %s: %v", name, err)
		}
		if ev.name == name {
			return ev
		}
	}
}

// ended waits for the end of the stream.
func (s *sse) ended() {
	s.t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			if _, err := s.next(); err != nil {
				return
			}
		}
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		s.t.Error("the stream goes on")
		s.close()
		<-done
	}
}

// Proves: L8. T60: a stream resumes without loss or repeat, live and from the log.
func TestStreamsResume(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	live := r.open(r.owner, wire.PathEvents)
	var ids []int64
	for i := range 10 {
		n := r.publish("c1", wire.Publish{Title: fmt.Sprint(i)})
		ev := live.want(wire.StreamCreated)
		if ev.id != n.Change || ev.data.Change != ev.id || ev.data.Notification.ID != n.ID {
			t.Fatalf("event %+v of %+v", ev, n)
		}
		ids = append(ids, ev.id)
	}
	live.close()
	for name, s := range map[string]*sse{
		"after":         r.open(r.owner, wire.PathEvents+"?after="+fmt.Sprint(ids[3])),
		"Last-Event-ID": r.open(r.owner, wire.PathEvents+"?after=0", "Last-Event-ID", fmt.Sprint(ids[3])),
		"own stream":    r.open(r.owner, wire.Path(wire.PathConnectionEvents, "c1")+"?after="+fmt.Sprint(ids[3])),
	} {
		for i := 4; i < 10; i++ {
			ev := s.want(wire.StreamCreated)
			if ev.id != ids[i] || ev.data.Notification.Title != fmt.Sprint(i) {
				t.Errorf("%s: event %d is %d", name, ids[i], ev.id)
			}
		}
		s.close()
	}
	all := r.open(r.owner, wire.PathEvents+"?after=0")
	if ev, err := all.next(); err != nil || ev.name != wire.StreamConnection || ev.id != 1 || ev.data.Connection.ID != "c1" {
		t.Errorf("the first change: %+v, %v", ev, err)
	}
	for _, bad := range []string{"?after=x", "?after=-2"} {
		r.refused(400, wire.CodeInvalidField, r.owner, "GET", wire.PathEvents+bad, nil)
	}
}

// T60: who asks for what is gone is told so first, and then gets what there is.
func TestStreamOfPrunedChangesIsReset(t *testing.T) {
	store := memstore.New()
	c, err := center.Open(t.Context(), center.Config{Storage: store})
	if err != nil {
		t.Fatal(err)
	}
	r := serve(t, c)
	r.connect("c1")
	for i := range 5 {
		r.publish("c1", wire.Publish{Title: fmt.Sprint(i)})
	}
	r.stop()
	c.Close()
	if err := store.Trim(t.Context(), 4, time.Time{}); err != nil {
		t.Fatal(err)
	}
	if c, err = center.Open(t.Context(), center.Config{Storage: store}); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r = serve(t, c)
	defer r.stop()
	s := r.open(r.owner, wire.PathEvents+"?after=1")
	if ev, err := s.next(); err != nil || ev.name != wire.StreamReset {
		t.Fatalf("first: %+v, %v", ev, err)
	}
	if ev, err := s.next(); err != nil || ev.id != 4 {
		t.Errorf("then: %+v, %v", ev, err)
	}
	future := r.open(r.owner, wire.PathEvents, "Last-Event-ID", "1000000")
	if got, now := future.resp.Header.Get(wire.ChangeHeader), strconv.FormatInt(r.center.Sequence(), 10); got != now {
		t.Errorf("a client that goes on from here, without an event, would ask for what comes after %s again; it is at %s", got, now)
	}
	if ev, err := future.next(); err != nil || ev.name != wire.StreamReset {
		t.Errorf("from another store: %+v, %v", ev, err)
	}
	r.publish("c1", wire.Publish{Title: "new"})
	if ev := future.want(wire.StreamCreated); ev.data.Notification.Title != "new" {
		t.Errorf("then: %+v", ev)
	}
	s.close()
	future.close()
}

// A connection's stream shows its own changes alone, and its answers are
// delivered by it.
func TestConnectionsStreamIsItsOwn(t *testing.T) {
	r := newRig(t)
	one := r.connect("c1")
	r.connect("c2")
	s := r.open(one, wire.Path(wire.PathConnectionEvents, "c1"))
	r.publish("c2", wire.Publish{Title: "theirs"})
	must[wire.Focus](r, 200, "PUT", wire.PathFocus, wire.Focus{})
	n := r.publish("c1", wire.Publish{Title: "?", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}},
		Actions: []wire.Action{{ID: "go", Label: "Go"}}})
	if ev := s.want(wire.StreamCreated); ev.data.Notification.ID != n.ID {
		t.Errorf("the first item is %+v", ev.data.Notification)
	}
	must[wire.Notification](r, 202, "POST", wire.Path(wire.PathAction, n.ID, "go"), wire.Ending{ExpectedRevision: wire.Rev(1)})
	if ev := s.want(wire.StreamAction); ev.data.Action == nil || ev.data.Action.ID != "go" || ev.data.Notification.ID != n.ID {
		t.Errorf("action: %+v", ev.data)
	}
	must[wire.Notification](r, 200, "POST", wire.Path(wire.PathAnswer, n.ID), wire.AnswerRequest{ExpectedRevision: wire.Rev(1), Answer: wire.Answer{Option: "y"}})
	if ev := s.want(wire.StreamAnswered); ev.data.Notification.Outcome.Answer.Option != "y" {
		t.Errorf("answer: %+v", ev.data.Notification.Outcome)
	}
	eventually(t, "the answer is delivered", func() bool {
		rec, err := r.center.Record(context.Background(), n.ID)
		return err == nil && rec.AnswerDelivered
	})
	if v, _ := r.center.Connection("c1"); v.Presence != notify.Online {
		t.Errorf("presence %s with an open stream", v.Presence)
	}
	s.close()
	eventually(t, "the stream's end is noted", func() bool {
		v, _ := r.center.Connection("c1")
		return v.Streams == 0
	})
}

// A connection that is held for an answer says nothing for minutes, and is there all the same: a wait that lasts counts
// as an open stream. One that is short is no reason for a change.
//
// Proves: D7
func TestAHeldWaitIsPresence(t *testing.T) {
	r := newRig(t, func(c *Config) {
		c.timeouts = usualTimeouts
		c.timeouts.hold = 50 * time.Millisecond
	})
	one := r.connect("c1")
	n := r.publish("c1", wire.Publish{Title: "?", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}})
	streams := func() int {
		v, _ := r.center.Connection("c1")
		return v.Streams
	}
	before := r.center.Sequence()
	wait := func(seconds string) chan wire.Notification {
		got := make(chan wire.Notification, 1)
		go func() {
			got <- mustAs[wire.Notification](r, one, 200, "GET", wire.Path(wire.PathNotification, n.ID)+"?wait="+seconds, nil)
		}()
		return got
	}
	<-wait("0.01")
	if now := r.center.Sequence(); now != before || streams() != 0 {
		t.Errorf("a short wait: %d changes, %d streams", now-before, streams())
	}
	held := wait("60")
	eventually(t, "the wait counts", func() bool { return streams() == 1 })
	if v, _ := r.center.Connection("c1"); v.PresenceAt(time.Now().Add(time.Hour)) != notify.Online {
		t.Error("not online while it is held")
	}
	if open := r.server.standing.streams(); open != 0 {
		t.Errorf("%d streams: a wait is none", open)
	}
	must[wire.Notification](r, 200, "POST", wire.Path(wire.PathAnswer, n.ID), wire.AnswerRequest{ExpectedRevision: wire.Rev(1), Answer: wire.Answer{Option: "y"}})
	if got := <-held; got.Outcome == nil || got.Outcome.Answer == nil {
		t.Errorf("answered with %+v", got)
	}
	eventually(t, "the wait's end is noted", func() bool { return streams() == 0 })
}

// stays is how many streams and waits a connection has open; "" is the owner.
func (r *rig) stays(connection string) int {
	st := r.server.standing
	st.mu.Lock()
	defer st.mu.Unlock()
	return len(st.open[connection])
}

// eventually waits for what another goroutine does after an answer was read.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); !ok(); {
		if time.Now().After(deadline) {
			t.Fatalf("not in time: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// Rotating and revoking end open streams and waits at once, whoever does it.
func TestRevokedTokensEndStreams(t *testing.T) {
	for name, revoke := range map[string]func(*rig){
		"rotated": func(r *rig) { must[wire.Token](r, 200, "POST", wire.Path(wire.PathConnectionToken, "c1"), nil) },
		"revoked": func(r *rig) { r.try(r.owner, "DELETE", wire.Path(wire.PathConnection, "c1"), nil) },
		"purged":  func(r *rig) { r.try(r.owner, "DELETE", wire.Path(wire.PathConnection, "c1")+"?purge=true", nil) },
		"revoked in the window": func(r *rig) {
			if _, err := r.center.Do(context.Background(), notify.Owner, notify.RevokeConnection{ID: "c1"}); err != nil {
				r.t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			token := r.connect("c1")
			other := r.connect("c2")
			n := r.publish("c1", wire.Publish{Title: "x"})
			mine, theirs, all := r.open(token, wire.Path(wire.PathConnectionEvents, "c1")), r.open(other, wire.Path(wire.PathConnectionEvents, "c2")), r.open(r.owner, wire.PathEvents)
			waited := make(chan int)
			go func() {
				waited <- r.try(token, "GET", wire.Path(wire.PathNotification, n.ID)+"?wait=60", nil).status
			}()
			eventually(t, "it waits", func() bool { return r.stays("c1") == 2 })
			revoke(r)
			mine.ended()
			if status := <-waited; status != 401 && status != 404 {
				t.Errorf("the wait was answered %d", status)
			}
			r.refused(401, wire.CodeUnauthorized, token, "GET", wire.PathNotifications, nil)
			r.publish("c2", wire.Publish{Title: "still there"})
			theirs.want(wire.StreamCreated)
			all.want(wire.StreamCreated)
			theirs.close()
			all.close()
		})
	}
}

// A stream outlives every timeout of the server, and shows that it lives.
func TestQuietStreamsShowThatTheyLive(t *testing.T) {
	short := 100 * time.Millisecond
	r := newRig(t, func(c *Config) {
		c.timeouts = timeouts{header: short, body: short, write: short, stream: short, idle: short}
	})
	s := r.open(r.owner, wire.PathEvents)
	start := time.Now()
	for comments := 0; comments < 15; {
		line, err := s.r.ReadString('\n')
		if err != nil {
			t.Fatalf("after %v: %v", time.Since(start), err)
		}
		if strings.HasPrefix(line, ":") {
			comments++
		}
	}
	s.close()
}

// T59: a client that does not read is dropped; nobody waits for it.
func TestClientThatDoesNotReadIsDropped(t *testing.T) {
	r := newRig(t, func(c *Config) {
		c.timeouts = usualTimeouts
		c.timeouts.stream = time.Second
	})
	r.connect("c1")
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.server.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	fmt.Fprintf(conn, "GET /v1/events HTTP/1.1\r\nHost: localhost:%s\r\nAuthorization: Bearer %s\r\n\r\n", port(r.server), r.owner)
	eventually(t, "it is open", func() bool { return r.server.standing.streams() == 1 })
	good := r.open(r.owner, wire.PathEvents)
	const count = 1200
	body := strings.Repeat("x", 16<<10)
	go func() {
		for i := range count {
			if _, err := r.center.Do(context.Background(), notify.Owner, notify.Publish{Connection: "c1", Content: notify.Content{Title: fmt.Sprint(i), Body: body}}); err != nil {
				t.Error(err)
			}
		}
	}()
	for i := range count {
		if ev := good.want(wire.StreamCreated); ev.data.Notification.Title != fmt.Sprint(i) {
			t.Fatalf("event %d is %s", i, ev.data.Notification.Title)
		}
	}
	eventually(t, "it is dropped", func() bool { return r.server.standing.streams() == 1 })
	good.close()
}

// Stopping the server ends streams and waits at once.
func TestStoppingEndsStreams(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	n := r.publish("c1", wire.Publish{Title: "x"})
	s := r.open(r.owner, wire.PathEvents)
	waited := make(chan int)
	go func() { waited <- r.try(r.owner, "GET", wire.Path(wire.PathNotification, n.ID)+"?wait=60", nil).status }()
	eventually(t, "both are open", func() bool { return r.stays("") == 2 })
	start := time.Now()
	r.stop()
	s.ended()
	if status := <-waited; status != 503 {
		t.Errorf("the wait was answered %d", status)
	}
	if took := time.Since(start); took > closeTimeout {
		t.Errorf("it took %v", took)
	}
}

// Streams and waits hold a connection each: together they are bounded, or waits alone could take all.
func TestStreamsAndWaitsOfOneTokenAreBounded(t *testing.T) {
	st := newStanding()
	c := caller{connection: "c1"}
	for i := range maxStays {
		if _, _, err := st.enter(t.Context(), t.Context(), c, i%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	for _, stream := range []bool{true, false} {
		if _, _, err := st.enter(t.Context(), t.Context(), c, stream); notify.CodeOf(err) != notify.CodeUnavailable {
			t.Errorf("one more, stream %v: %v", stream, err)
		}
	}
	if _, _, err := st.enter(t.Context(), t.Context(), caller{connection: "c2"}, true); err != nil {
		t.Errorf("another's: %v", err)
	}
}
