// Package contract holds the bridge to docs/bridge.md from outside: it builds the real sigbox, runs
// `sigbox serve`, and speaks plain HTTP and JSON to it. It imports nothing of ours, so that a change
// of shape cannot hide in a shared type.
package contract

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

var sigbox string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sigbox")
	if err != nil {
		panic(err)
	}
	sigbox = os.Getenv("SIGBOX_BIN")
	if sigbox == "" {
		sigbox = filepath.Join(dir, "sigbox")
		if runtime.GOOS == "windows" {
			sigbox += ".exe"
		}
		build := exec.Command("go", "build", "-o", sigbox, "signalbox/cmd/sigbox")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "%s\n", out)
			os.Exit(1)
		}
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// server is one running center.
type server struct {
	t     *testing.T
	home  string
	URL   string
	Token string
	info  obj
	cmd   *exec.Cmd
	log   *bytes.Buffer
}

type obj = map[string]any

func start(t *testing.T, args ...string) *server {
	t.Helper()
	return startIn(t, t.TempDir(), args...)
}

func startIn(t *testing.T, home string, args ...string) *server {
	t.Helper()
	s := &server{t: t, home: home, log: &bytes.Buffer{}}
	s.cmd = exec.Command(sigbox, append([]string{"serve", "--home", home, "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Stderr = s.log
	s.cmd.Stdout = s.log
	// A file of an earlier run must not be taken for the new one's.
	before, _ := os.ReadFile(filepath.Join(home, "bridge.json"))
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.stop(); s.logOnFailure() })
	ok := until(10*time.Second, func() bool {
		b, err := os.ReadFile(filepath.Join(home, "bridge.json"))
		if err != nil || bytes.Equal(b, before) || json.Unmarshal(b, &s.info) != nil {
			return false
		}
		s.URL, _ = s.info["url"].(string)
		s.Token, _ = s.info["token"].(string)
		res, err := http.Get(s.URL + "/v1/health")
		if err != nil {
			return false
		}
		res.Body.Close()
		return res.StatusCode == 200
	})
	if !ok {
		s.kill()
		t.Fatalf("the center did not come up:\n%s", s.log)
	}
	return s
}

func (s *server) logOnFailure() {
	if s.t.Failed() {
		s.t.Logf("server log:\n%s", s.log)
	}
}

func (s *server) stop() {
	if s.cmd.ProcessState != nil {
		return
	}
	s.cmd.Process.Signal(syscall.SIGTERM)
	done := make(chan struct{})
	go func() { s.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		s.cmd.Process.Kill()
		<-done
		s.t.Errorf("the center did not stop within 10 s of SIGTERM")
	}
}

func (s *server) kill() {
	if s.cmd.ProcessState == nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
}

// until polls cond; a condition of another process has no event to wait for.
func until(limit time.Duration, cond func() bool) bool {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if cond() {
			return true
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			return cond()
		}
	}
}

// reply is an answer with its decoded JSON object.
type reply struct {
	t      *testing.T
	Status int
	Header http.Header
	Raw    []byte
	JSON   obj
}

type header struct{ name, value string }

// do sends body (nil: none; string: as it is; else as JSON) with a token.
func (s *server) do(token, method, path string, body any, headers ...header) *reply {
	s.t.Helper()
	var r io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		r = strings.NewReader(b)
	default:
		j, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		r = bytes.NewReader(j)
	}
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, s.URL+path, r)
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		if h.name == "Host" {
			req.Host = h.value
		} else if h.value == "" {
			req.Header.Del(h.name)
		} else {
			req.Header.Set(h.name, h.value)
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	rep := &reply{t: s.t, Status: res.StatusCode, Header: res.Header}
	rep.Raw, _ = io.ReadAll(res.Body)
	json.Unmarshal(rep.Raw, &rep.JSON)
	return rep
}

// owner sends as the owner.
func (s *server) owner(method, path string, body any, headers ...header) *reply {
	s.t.Helper()
	return s.do(s.Token, method, path, body, headers...)
}

// want checks the status and, for an error, the code and that it is problem+json.
func (r *reply) want(status int, code ...string) *reply {
	r.t.Helper()
	if r.Status != status {
		r.t.Fatalf("status %d, want %d: %s", r.Status, status, r.Raw)
	}
	if status >= 400 {
		if ct := r.Header.Get("Content-Type"); !strings.HasPrefix(ct, "application/problem+json") {
			r.t.Errorf("content type %q, want application/problem+json", ct)
		}
		for _, k := range []string{"type", "title", "status", "detail", "code"} {
			if _, ok := r.JSON[k]; !ok {
				r.t.Errorf("problem without %q: %s", k, r.Raw)
			}
		}
		if n, _ := r.JSON["status"].(float64); int(n) != status {
			r.t.Errorf("problem's status %v, want %d", r.JSON["status"], status)
		}
	}
	if len(code) > 0 && r.JSON["code"] != code[0] {
		r.t.Fatalf("code %v, want %s: %s", r.JSON["code"], code[0], r.Raw)
	}
	return r
}

// field checks that the problem names a field.
func (r *reply) field(name string) *reply {
	r.t.Helper()
	list, _ := r.JSON["errors"].([]any)
	for _, e := range list {
		if m, _ := e.(obj); m["field"] == name {
			return r
		}
	}
	r.t.Errorf("errors do not name %s: %s", name, r.Raw)
	return r
}

// get follows a path of keys and indexes into the JSON.
func (r *reply) get(path ...any) any {
	r.t.Helper()
	return dig(r.t, r.JSON, path...)
}

func dig(t *testing.T, v any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch k := p.(type) {
		case string:
			m, _ := v.(obj)
			v = m[k]
		case int:
			l, _ := v.([]any)
			if k >= len(l) {
				t.Fatalf("no element %d in %v", k, v)
			}
			v = l[k]
		}
	}
	return v
}

// is compares what stands at a path with want; numbers are compared as float64.
func (r *reply) is(want any, path ...any) *reply {
	r.t.Helper()
	same(r.t, r.get(path...), want, path...)
	return r
}

func same(t *testing.T, got, want any, path ...any) {
	t.Helper()
	if n, ok := want.(int); ok {
		want = float64(n)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%v is %v (%T), want %v", path, got, got, want)
	}
}

// connect registers a connection and returns its id and token.
func (s *server) connect(label string) (id, token string) {
	s.t.Helper()
	r := s.owner("POST", "/v1/connections", obj{"label": label}).want(201)
	id, _ = r.get("connection", "id").(string)
	token, _ = r.get("token").(string)
	if id == "" || len(token) < 22 {
		s.t.Fatalf("connection without id or token: %s", r.Raw)
	}
	return id, token
}

// publish publishes and returns the notification.
func (s *server) publish(token, conn string, n obj) obj {
	s.t.Helper()
	r := s.do(token, "POST", "/v1/connections/"+conn+"/notifications", n)
	if r.Status != 200 && r.Status != 201 {
		s.t.Fatalf("publish: status %d: %s", r.Status, r.Raw)
	}
	m, _ := r.get("notification").(obj)
	return m
}

func str(v any) string { s, _ := v.(string); return s }
func num(v any) int    { n, _ := v.(float64); return int(n) }

// event is one Server-Sent Event.
type event struct {
	ID, Name string
	Data     obj
}

// stream opens an event stream; its channel closes when the stream ends.
func (s *server) stream(token, path string, headers ...header) (<-chan event, context.CancelFunc, *http.Response) {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	s.t.Cleanup(cancel)
	req, _ := http.NewRequestWithContext(ctx, "GET", s.URL+path, nil)
	req.Header.Set("Authorization", "Bearer "+token)
	for _, h := range headers {
		req.Header.Set(h.name, h.value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	ch := make(chan event, 10000)
	go func() {
		defer close(ch)
		defer res.Body.Close()
		sc := bufio.NewScanner(res.Body)
		sc.Buffer(nil, 4<<20)
		var e event
		var data strings.Builder
		for sc.Scan() {
			line := sc.Text()
			switch {
			case line == "":
				if e.Name != "" || data.Len() > 0 {
					json.Unmarshal([]byte(data.String()), &e.Data)
					ch <- e
				}
				e, data = event{}, strings.Builder{}
			case strings.HasPrefix(line, "id:"):
				e.ID = strings.TrimSpace(line[3:])
			case strings.HasPrefix(line, "event:"):
				e.Name = strings.TrimSpace(line[6:])
			case strings.HasPrefix(line, "data:"):
				data.WriteString(strings.TrimPrefix(line[5:], " "))
			}
		}
	}()
	return ch, cancel, res
}

// next waits for the next event with one of the names (none: any).
func next(t *testing.T, ch <-chan event, names ...string) event {
	t.Helper()
	limit := time.After(5 * time.Second)
	for {
		select {
		case e, ok := <-ch:
			if !ok {
				t.Fatalf("the stream ended before %v", names)
			}
			if len(names) == 0 {
				return e
			}
			for _, n := range names {
				if e.Name == n {
					return e
				}
			}
		case <-limit:
			t.Fatalf("no event %v within 5 s", names)
		}
	}
}

// try is do for a server that may be dying: an error instead of a failed test.
func (s *server) try(token, method, path string, body any) (*reply, error) {
	j, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.URL+path, bytes.NewReader(j))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+token)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	rep := &reply{t: s.t, Status: res.StatusCode, Header: res.Header}
	if rep.Raw, err = io.ReadAll(res.Body); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(rep.Raw, &rep.JSON); err != nil {
		return nil, err
	}
	if rep.Status >= 400 {
		return nil, fmt.Errorf("status %d", rep.Status)
	}
	return rep, nil
}
