package bridge

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"go.uber.org/goleak"

	"signalbox/bridge/wire"
	"signalbox/center"
	"signalbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// rig is a served bridge before a real center that keeps its state in memory.
type rig struct {
	t      testing.TB
	center *center.Center
	server *Server
	http   *http.Client
	owner  string
	stop   func() // ends Serve and waits for it
	log    *logBuffer
}

// logBuffer keeps what is logged, to look for what must not be in it.
type logBuffer struct {
	mu chan struct{} // one slot: holds the lock
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu <- struct{}{}
	defer func() { <-l.mu }()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu <- struct{}{}
	defer func() { <-l.mu }()
	return l.b.String()
}

func newRig(t testing.TB, change ...func(*Config)) *rig {
	t.Helper()
	c, err := center.Open(context.Background(), center.Config{Storage: memstore.New()})
	if err != nil {
		t.Fatal(err)
	}
	r := serve(t, c, change...)
	t.Cleanup(r.close)
	return r
}

// close ends the bridge and its center.
func (r *rig) close() {
	r.stop()
	r.center.Close()
}

// serve serves a bridge before c.
func serve(t testing.TB, c *center.Center, change ...func(*Config)) *rig {
	t.Helper()
	log := &logBuffer{mu: make(chan struct{}, 1)}
	cfg := Config{
		Center: c, Dir: t.TempDir(), Listen: "127.0.0.1:0", Version: "test", Now: time.Now,
		Log:       slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		KeepAlive: 50 * time.Millisecond,
	}
	for _, f := range change {
		f(&cfg)
	}
	s, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	r := &rig{
		t: t, center: c, server: s, owner: s.OwnerToken(), log: log,
		http: &http.Client{Transport: checked{t, transport, newTable((&Server{}).routes())}},
	}
	stopped := false
	r.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		transport.CloseIdleConnections()
		if err := <-done; err != nil {
			t.Errorf("serve: %v", err)
		}
	}
	return r
}

// answered is what came back.
type answered struct {
	status int
	header http.Header
	body   []byte
}

// try sends a request: body is sent as it is when it is a string, else as JSON;
// nil is none.
func (r *rig) try(token, method, path string, body any, headers ...string) answered {
	r.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			r.t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(context.Background(), method, r.server.URL()+path, reader)
	if err != nil {
		r.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := r.http.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return answered{resp.StatusCode, resp.Header, b}
}

// must sends a request as the owner, wants that status and reads the answer.
func must[T any](r *rig, status int, method, path string, body any, headers ...string) T {
	r.t.Helper()
	return mustAs[T](r, r.owner, status, method, path, body, headers...)
}

func mustAs[T any](r *rig, token string, status int, method, path string, body any, headers ...string) T {
	r.t.Helper()
	got := r.try(token, method, path, body, headers...)
	var out T
	if got.status != status {
		r.t.Fatalf("%s %s: status %d, want %d: %s", method, path, got.status, status, got.body)
	}
	if len(got.body) > 0 {
		if err := json.Unmarshal(got.body, &out); err != nil {
			r.t.Fatalf("%s %s: %v", method, path, err)
		}
	}
	return out
}

// refused wants a refusal with that status and code, and returns it.
func (r *rig) refused(status int, code, token, method, path string, body any, headers ...string) wire.Problem {
	r.t.Helper()
	got := r.try(token, method, path, body, headers...)
	var p wire.Problem
	if err := json.Unmarshal(got.body, &p); err != nil {
		r.t.Fatalf("%s %s: %v: %s", method, path, err, got.body)
	}
	if got.status != status || p.Code != code || p.Status != status {
		r.t.Fatalf("%s %s: got %d %s, want %d %s: %s", method, path, got.status, p.Code, status, code, got.body)
	}
	if media := got.header.Get("Content-Type"); media != wire.ProblemType {
		r.t.Errorf("%s %s: media type %q", method, path, media)
	}
	return p
}

// connect makes a connection and returns its token.
func (r *rig) connect(id string) string {
	r.t.Helper()
	return must[wire.ConnectionCreated](r, 201, "POST", wire.PathConnections, wire.ConnectionCreate{ID: id, Label: "Agent " + id}).Token
}

// publish publishes as the owner.
func (r *rig) publish(connection string, p wire.Publish) wire.Notification {
	r.t.Helper()
	got := r.try(r.owner, "POST", wire.Path(wire.PathPublish, connection), p)
	var out wire.PublishResult
	if err := json.Unmarshal(got.body, &out); err != nil || got.status > 201 {
		r.t.Fatalf("publish: %d %s", got.status, got.body)
	}
	return out.Notification
}
