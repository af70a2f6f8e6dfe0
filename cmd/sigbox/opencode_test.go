package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// openCodeServer is a server of OpenCode, as far as a follower sees it.
type openCodeServer struct {
	events  chan string
	replies chan string
	refuse  bool // it takes no answer any more
}

func (o *openCodeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if user, pass, ok := r.BasicAuth(); !ok || user != "opencode" || pass != "word" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	switch {
	case r.URL.Path == "/event":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"type\":\"server.connected\",\"properties\":{}}\n\n")
		w.(http.Flusher).Flush()
		for {
			select {
			case e := <-o.events:
				if e == "" {
					return // it breaks
				}
				fmt.Fprintf(w, "data: %s\n\n", e)
				w.(http.Flusher).Flush()
			case <-r.Context().Done():
				return
			}
		}
	case strings.HasPrefix(r.URL.Path, "/session/"):
		parent := ""
		if r.URL.Path == "/session/ses_child" {
			parent = "ses_2"
		}
		fmt.Fprintf(w, `{"id":"x","parentID":%q}`, parent)
	default:
		if o.refuse {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		body, _ := io.ReadAll(r.Body)
		o.replies <- r.URL.Path + " " + string(body)
		w.WriteHeader(http.StatusOK)
	}
}

// OpenCode is followed over a break of its stream, answered through its API, and what it says was answered elsewhere
// is over.
//
// Proves: A9, A10, I4, I9
func TestFollowOpenCode(t *testing.T) {
	o := &openCodeServer{events: make(chan string), replies: make(chan string, 10)}
	server := httptest.NewServer(o)
	defer server.Close()
	home := filepath.Join(t.TempDir(), "home")
	d := startDaemon(t, home)
	owner, err := client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer owner.Close()
	ctx, stop := context.WithCancel(t.Context())
	defer stop() // or the server's end waits for its follower
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, surroundings{
			args: []string{"hook", "opencode", "--server=" + server.URL, "--home=" + home}, stdin: strings.NewReader(""), stdout: io.Discard, stderr: io.Discard,
			env: func(k string) string { return map[string]string{"OPENCODE_SERVER_PASSWORD": "word"}[k] }, now: time.Now,
		})
	}()
	asked := `{"id":"e-%[1]s","type":"permission.asked","properties":{"id":"%[1]s","sessionID":"%[2]s","permission":"bash","patterns":["rm x"],"always":["rm *"]}}`
	// next is the next change of the owner's stream that is of a kind.
	changes := make(chan wire.StreamEvent)
	go func() {
		defer close(changes)
		for ev, err := range owner.Events(ctx, "", 0) {
			if err != nil {
				return
			}
			select {
			case changes <- ev:
			case <-ctx.Done():
				return
			}
		}
	}()
	next := func(name, part string) wire.Notification {
		t.Helper()
		timeout := time.After(patience)
		for {
			select {
			case ev := <-changes:
				if ev.Name == name && ev.Notification != nil && strings.Contains(fmt.Sprint(ev.Notification.Title, ev.Notification.Body, ev.Notification.Lines), part) {
					return *ev.Notification
				}
			case <-timeout:
				t.Fatalf("no %s of %q came", name, part)
			}
		}
	}
	answer := func(n wire.Notification, option string) {
		t.Helper()
		if _, err := owner.Answer(ctx, n.ID, wire.AnswerRequest{ExpectedRevision: wire.RevisionOf(n), Answer: wire.Answer{Option: option}}); err != nil {
			t.Fatal(err)
		}
	}
	o.events <- fmt.Sprintf(asked, "per_1", "ses_2")
	answer(next(wire.StreamCreated, "rm x"), "allow-session")
	if got := <-o.replies; got != `/permission/per_1/reply {"reply":"always"}` {
		t.Errorf("replied %s", got)
	}
	o.events <- "" // the stream breaks
	o.events <- fmt.Sprintf(asked, "per_2", "ses_child")
	n := next(wire.StreamCreated, "rm x")
	if n.Sender != "sub-agent" || n.Silent {
		t.Errorf("a sub-agent's permission is %+v", n)
	}
	o.events <- `{"id":"e-9","type":"permission.replied","properties":{"sessionID":"ses_child","requestID":"per_2","reply":"once"}}`
	if n := next(wire.StreamResolved, "rm x"); n.Outcome.Reason != "Answered in the agent: once (permission.replied)" {
		t.Errorf("outcome %+v", n.Outcome)
	}
	o.events <- `{"id":"e-10","type":"session.idle","properties":{"sessionID":"ses_child"}}`
	if n := next(wire.StreamCreated, ""); !n.Silent {
		t.Errorf("a sub-agent's end is told: %+v", n)
	}
	// An answer that OpenCode does not take any more is shown as such, without the credential that its title has the beginning of.
	o.refuse = true
	token := "github" + "_pat_" + "u8jzPde0IgxLd6GncfBAep" + "_" + "fJBd0Kh8oOOL8dKLzdocJ2isAjIhKtJ0RlgLKOmW3qYt5Zx1Nb7Vc9Ae2Hs"
	o.events <- strings.ReplaceAll(fmt.Sprintf(asked, "per_3", "ses_2"), "rm x", "rm x "+token)
	answer(next(wire.StreamCreated, "rm x"), "allow")
	if n := next(wire.StreamCreated, "Your answer did not arrive"); !strings.Contains(n.Title, "rm x") || strings.Contains(n.Title, token[:30]) {
		t.Errorf("it is titled %q", n.Title)
	}
	stop()
	if code := <-ended; code != 0 {
		t.Errorf("ended with %d", code)
	}
}
