//go:build linux && e2e

package journey

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"signalbox/internal/e2e/rig"
)

// lists is an agent server that offers its sessions and its actions, and may be unable to.
type lists struct {
	mu       sync.Mutex
	status   int           // of every answer; 0: 200
	slow     time.Duration // before it
	sessions []map[string]string
	actions  []map[string]string
	asked    map[string]int
	invoked  []string
}

func (l *lists) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mu.Lock()
	l.asked[r.Method+" "+r.URL.Path]++
	status, slow := l.status, l.slow
	var answer any = map[string]any{"sessions": l.sessions}
	if r.URL.Path == "/actions" {
		answer = map[string]any{"actions": l.actions}
	}
	l.mu.Unlock()
	select {
	case <-time.After(slow):
	case <-r.Context().Done():
	}
	if status != 0 {
		w.WriteHeader(status)
		return
	}
	if r.Method == http.MethodPost {
		b, _ := io.ReadAll(r.Body) // a test's own server
		l.mu.Lock()
		l.invoked = append(l.invoked, string(b))
		l.mu.Unlock()
		return
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (l *lists) set(change func(*lists)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change(l)
}

func (l *lists) count(request string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked[request]
}

// pixels counts those of a colour in a part of a window.
func pixels(w *rig.Window, area image.Rectangle, c color.NRGBA) int {
	m, n := w.Image(), 0
	area = area.Add(m.Bounds().Min)
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if near(m.NRGBAAt(x, y), c) {
				n++
			}
		}
	}
	return n
}

// The app is a consumer of refresh effects itself: it loads the sessions and the application actions of a
// connection, again until it worked, shows them in the window, invokes an action that is clicked, follows when the
// lists change, and says plainly what is old while their server is down.
//
// Proves: E1, E2
func TestSessionsAndActionsOfAConnection(t *testing.T) {
	r := rig.Start(t, rig.Options{Theme: "light"})
	server := &lists{status: http.StatusInternalServerError, asked: map[string]int{},
		sessions: []map[string]string{{"id": "one", "title": "Import the old invoices", "state": "working"}},
		actions:  []map[string]string{{"id": "deploy", "label": "Deploy to staging"}, {"id": "pause", "label": "Pause the queue"}}}
	srv := httptest.NewServer(server)
	defer srv.Close()
	app := r.App()
	api := app.Bridge()
	agent := connect(api, "Build robot")
	w := r.Window(railTitle)
	w.Move(20, 20)
	w.Resize(1000, 640)
	w.Focus()
	w.Key("Escape") // the welcome
	hello := func() {
		agent.JSON("POST", "/v1/connections/"+agent.id+"/hello", map[string]string{"lifetime": "1",
			"sessions_url": srv.URL + "/sessions", "actions_url": srv.URL + "/actions"}, nil)
	}
	// The connection's row, its dots, and the place of its first session under it.
	dots, menu := image.Pt(222, 122), image.Rect(42, 130, 420, 420)
	row := image.Rect(30, 108, 216, 160)
	warning := color.NRGBA{0x78, 0x56, 0x00, 0xff}

	// It fails at first, which the row says.
	hello()
	r.Eventually("the lists to be asked for again", func() bool { return server.count("GET /sessions") > 1 && server.count("GET /actions") > 1 })
	w.Screenshot("1-failed")
	w.Click(dots.X, dots.Y)
	w.Pointer(700, 500)
	w.Screenshot("2-menu-failed")
	w.Key("Escape")

	// Then it is slow, and then it works: what is invalid was kept until it has been loaded.
	server.set(func(l *lists) { l.status, l.slow = 0, 1500*time.Millisecond })
	agent.publish(map[string]any{"title": "Sessions changed", "refresh": map[string]any{"session_list": true, "actions": true}})
	type sessions struct{ Sessions []struct{ ID, Title string } }
	r.Eventually("the session", func() bool {
		var s sessions
		api.JSON("GET", "/v1/connections/"+agent.id+"/sessions", nil, &s)
		return len(s.Sessions) == 1
	})
	r.Eventually("nothing to be invalid any more", func() bool {
		var i struct{ Invalidations []any }
		agent.JSON("GET", "/v1/connections/"+agent.id+"/invalidations", nil, &i)
		return len(i.Invalidations) == 0
	})
	server.set(func(l *lists) { l.slow = 0 })
	w.Pointer(700, 500)
	w.Screenshot("3-sessions")
	before := w.Image()
	w.Click(dots.X, dots.Y)
	r.Eventually("the menu", func() bool { return differs(before, w.Image(), menu) > 2000 })
	w.Pointer(700, 500)
	w.Screenshot("4-menu-actions")
	// The actions came under the lines that were there; they do nothing for a moment.
	r.Never("an action that nobody invoked", time.Second, func() bool { return server.count("POST /actions") > 0 })
	w.Click(120, 266)
	r.Eventually("the action to reach its server", func() bool {
		server.mu.Lock()
		defer server.mu.Unlock()
		return len(server.invoked) == 1 && server.invoked[0] == `{"action":"deploy"}`
	})
	w.Screenshot("5-invoked")

	// The lists change; a new publication says so, and the menu follows.
	asked := server.count("GET /actions")
	server.set(func(l *lists) {
		l.sessions = append(l.sessions, map[string]string{"id": "two", "title": "Write the release notes"})
		l.actions = []map[string]string{{"id": "resume", "label": "Resume the queue", "confirm": "Is the database back?"}}
	})
	agent.publish(map[string]any{"title": "The queue is paused", "refresh": map[string]any{"session_list": true, "actions": true}})
	r.Eventually("the lists to be loaded anew", func() bool {
		var s sessions
		api.JSON("GET", "/v1/connections/"+agent.id+"/sessions", nil, &s)
		return len(s.Sessions) == 2 && server.count("GET /actions") > asked
	})
	// By keys: the sidebar is the first thing that Tab reaches, and the right arrow opens a row's menu.
	w.Key("Tab", "Down", "Right")
	r.Never("an action that nobody invoked", time.Second, func() bool { return server.count("POST /actions") > 1 })
	w.Screenshot("6-menu-followed")
	w.Key("Down", "Down", "Down", "Down", "Return")
	w.Screenshot("7-asks-first")
	if n := len(server.invoked); n != 1 {
		t.Errorf("invoked %d times before the question was answered", n)
	}
	// The question does nothing for a moment either.
	r.Never("an action whose question was not answered", time.Second, func() bool { return server.count("POST /actions") > 1 })
	w.Key("Tab", "Return")
	r.Eventually("the second action to reach its server", func() bool {
		server.mu.Lock()
		defer server.mu.Unlock()
		return len(server.invoked) == 2 && server.invoked[1] == `{"action":"resume"}`
	})

	// The server is gone: what is shown is old, and says so.
	srv.CloseClientConnections()
	srv.Close()
	agent.publish(map[string]any{"title": "One more thing", "refresh": map[string]any{"session_list": true, "actions": true}})
	w.Pointer(700, 560)
	r.Eventually("the row to say that its list is old", func() bool { return pixels(w, row, warning) > 5 })
	w.Screenshot("8-old")
	w.Click(dots.X, dots.Y)
	w.Pointer(700, 560)
	w.Screenshot("9-menu-old")
	t.Log(fmt.Sprint(server.asked))
}

// differs counts the pixels of a part that are others in b.
func differs(a, b *image.NRGBA, area image.Rectangle) int {
	n := 0
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if !near(a.NRGBAAt(a.Rect.Min.X+x, a.Rect.Min.Y+y), b.NRGBAAt(b.Rect.Min.X+x, b.Rect.Min.Y+y)) {
				n++
			}
		}
	}
	return n
}
