package main

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/agents"
	"signalbox/bridge/wire"
	"signalbox/client"
)

// lab runs the program in the process, against whatever plays the center.
type lab struct {
	t      *testing.T
	home   string
	env    map[string]string
	center http.RoundTripper // nil: the network
}

func newLab(t *testing.T) *lab {
	dir := t.TempDir()
	return &lab{t: t, home: filepath.Join(dir, "home"), env: map[string]string{"HOME": dir}}
}

func (l *lab) run(stdin io.Reader, args ...string) (code int, stdout, stderr string) {
	l.t.Helper()
	var out, errs bytes.Buffer
	code = run(l.t.Context(), surroundings{
		args: append(args, "--home="+l.home), stdin: stdin, stdout: &out, stderr: &errs, env: func(k string) string { return l.env[k] }, now: time.Now,
		program: func() (string, error) { return "/opt/sigbox", nil }, transport: l.center,
	})
	return code, out.String(), errs.String()
}

const secret = "instance-secret"

// announce writes the discovery file of a center at an address.
func (l *lab) announce(url string) {
	l.t.Helper()
	if err := writePrivateJSON(filepath.Join(l.home, wire.BridgeFile), wire.Bridge{
		URL: url, Token: strings.Repeat("t", 43), PID: os.Getpid(), Instance: "i-1", InstanceSecret: secret, StartedAt: wire.At(time.Now()),
	}); err != nil {
		l.t.Fatal(err)
	}
}

// proves answers the challenge as the center does, and hands all else on.
func proves(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != wire.PathIdentity {
			next.ServeHTTP(w, r)
			return
		}
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(r.URL.Query().Get("nonce")))
		json.NewEncoder(w).Encode(wire.Identity{Instance: "i-1", Proof: hex.EncodeToString(mac.Sum(nil))})
	})
}

type answers func(*http.Request) (*http.Response, error)

func (f answers) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// inMemory is the way to a center that, unlike the network, has the clock of the test.
func inMemory(center http.Handler) http.RoundTripper {
	return answers(func(r *http.Request) (*http.Response, error) {
		w := httptest.NewRecorder()
		center.ServeHTTP(w, r)
		if err := r.Context().Err(); err != nil {
			return nil, err
		}
		return w.Result(), nil
	})
}

// inTime is what a hook may take of its own.
const inTime = time.Second

const permissionPayload = `{"session_id":"s","prompt_id":"p","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"ls"}}`

// Whatever is wrong with the center, a hook ends in time, says nothing to its agent, and keeps the call.
//
// Proves: S1
func TestHookAgainstBrokenCenters(t *testing.T) { // T16, T17, T61
	var shown atomic.Bool
	watch := func(h http.HandlerFunc) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "" {
				shown.Store(true)
			}
			h(w, r)
		})
	}
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	centers := map[string]struct {
		handler http.Handler
		trusted bool // it proved itself, so it may see the token
	}{
		"answers 500 to all": {proves(watch(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })), true},
		"hangs":              {proves(watch(hang)), true},
		"another program":    {watch(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "{}") }), false},
		"hangs at once":      {watch(hang), false},
		"a page":             {watch(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") }), false},
		"storage is full": {proves(watch(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", wire.ProblemType)
			w.WriteHeader(507)
			json.NewEncoder(w).Encode(wire.Problem{Code: wire.CodeStorageFull, Status: 507})
		})), true},
	}
	for name, c := range centers {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := newLab(t)
				shown.Store(false)
				l.center = inMemory(c.handler)
				l.announce("http://127.0.0.1:1")
				if err := writePrivateJSON(filepath.Join(l.home, connectionsDir, "claude.json"), stored{ID: "claude", Token: "token"}); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				code, out, _ := l.run(strings.NewReader(permissionPayload), "hook", "claude", "--wait=1m")
				if took := time.Since(began); took > inTime {
					t.Errorf("took %v", took)
				}
				if code != 0 || out != "" {
					t.Errorf("code %d, stdout %q", code, out)
				}
				if n := len(spooled(filepath.Join(l.home, spoolDir, "claude"))); n != 1 {
					t.Errorf("%d calls kept", n)
				}
				if shown.Load() && !c.trusted {
					t.Error("the token was shown to a stranger")
				}
			})
		})
	}
}

// Proves: S1
func TestHookWithoutCenter(t *testing.T) { // T17, T63
	l := newLab(t)
	code, out, errs := l.run(strings.NewReader(permissionPayload), "hook", "claude")
	if code != 0 || out != "" || strings.Count(errs, "\n") != 1 {
		t.Errorf("code %d, stdout %q, stderr %q", code, out, errs)
	}
	// A file of a dead process, whose port nobody has.
	dead, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.announce("http://" + dead.Addr().String())
	dead.Close()
	code, out, _ = l.run(strings.NewReader(permissionPayload), "hook", "codex")
	if code != 0 || out != "" || len(spooled(filepath.Join(l.home, spoolDir, "codex"))) != 1 {
		t.Errorf("code %d, stdout %q", code, out)
	}
	// A data directory that cannot be written.
	blocked := newLab(t)
	if err := os.WriteFile(blocked.home, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ = blocked.run(strings.NewReader(permissionPayload), "hook", "cursor"); code != 0 || out != "{}\n" {
		t.Errorf("code %d, stdout %q", code, out)
	}
}

// An agent that keeps the pipe open does not hold the hook, nor does a center that hangs besides.
//
// Proves: S1
func TestHookOfAnOpenPipe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { hookOfAnOpenPipe(t, nil) })
	synctest.Test(t, func(t *testing.T) {
		hookOfAnOpenPipe(t, inMemory(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })))
	})
	synctest.Test(t, func(t *testing.T) {
		hookOfAnOpenPipe(t, inMemory(proves(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))))
	})
}

func hookOfAnOpenPipe(t *testing.T, center http.RoundTripper) {
	l := newLab(t)
	if center != nil {
		l.center = center
		l.announce("http://127.0.0.1:1")
		if err := writePrivateJSON(filepath.Join(l.home, connectionsDir, "claude.json"), stored{ID: "claude", Token: "token"}); err != nil {
			t.Fatal(err)
		}
	}
	r, w := io.Pipe()
	defer w.Close()
	go io.WriteString(w, permissionPayload)
	began := time.Now()
	code, out, _ := l.run(r, "hook", "claude")
	if took := time.Since(began); took > inTime || code != 0 || out != "" {
		t.Errorf("took %v, code %d, stdout %q", took, code, out)
	}
	if _, ok := allSeen(&app{surroundings: surroundings{env: func(string) string { return "" }}, cli: &cli{Home: l.home}}, "claude")["PermissionRequest"]; !ok {
		t.Error("what came was not read")
	}
}

// Nor does one that writes without end.
//
// Proves: S1
func TestHookOfAnEndlessPipe(t *testing.T) {
	code, out, _ := newLab(t).run(endless{}, "hook", "claude") // not in a bubble: its clock stands while somebody runs
	if code != 0 || out != "" {
		t.Errorf("code %d, stdout %q", code, out)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = '{'
	}
	return len(b), nil
}

// Proves: S1
func TestSpoolIsBounded(t *testing.T) {
	l := newLab(t)
	a := &app{surroundings: surroundings{env: func(string) string { return "" }, now: time.Now}, cli: &cli{Home: l.home}, ctx: context.Background()}
	w := who{id: "claude"}
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range spoolCalls + 20 {
		if err := a.spool(w, &agents.Plan{Agent: "claude", At: at.Add(time.Duration(i) * time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	list := spooled(a.spoolPath(w))
	if len(list) != spoolCalls {
		t.Fatalf("%d calls kept", len(list))
	}
	var oldest agents.Plan
	if _, err := readJSON(filepath.Join(a.spoolPath(w), list[0].Name()), &oldest); err != nil || !oldest.At.Equal(at.Add(20*time.Second)) {
		t.Errorf("the oldest kept is of %v, %v", oldest.At, err)
	}
	if info, err := os.Stat(filepath.Join(a.spoolPath(w), list[0].Name())); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if err := a.spool(w, &agents.Plan{Title: strings.Repeat("x", spoolCall)}); err == nil {
		t.Error("a call of any size is kept")
	}
}

// A call that finds another one at the kept calls keeps its own; nothing of it waits for a third.
//
// Proves: S1
func TestKeptWhileAnotherReplays(t *testing.T) {
	l := newLab(t)
	a := &app{surroundings: surroundings{env: func(string) string { return "" }, now: time.Now}, cli: &cli{Home: l.home}, ctx: t.Context()}
	w := who{id: "claude"}
	keep := func() {
		if err := a.spool(w, &agents.Plan{Agent: "claude", At: time.Now(), Hello: true}); err != nil {
			t.Error(err)
		}
	}
	requests := 0
	center, err := client.New("http://127.0.0.1:1", "t", answers(func(r *http.Request) (*http.Response, error) {
		if requests++; requests == 1 {
			keep()
		}
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader("{}")), Request: r}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	keep()
	h := &hooker{app: a, who: w, center: center, id: "claude"}
	if !h.replay(t.Context()) || requests != 2 {
		t.Errorf("%d delivered", requests)
	}
	if left := spooled(a.spoolPath(w)); len(left) != 0 {
		t.Errorf("%d calls stay", len(left))
	}
}

// What a killed replay left locks nobody out; a lock that is held stays its holder's, however long that takes.
func TestSpoolLock(t *testing.T) {
	dir := t.TempDir()
	lock := filepath.Join(dir, "replay.lock")
	if err := os.WriteFile(lock, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	unlock, ok := lockSpool(dir)
	if !ok {
		t.Fatal("a dead lock stays")
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	if _, ok := lockSpool(dir); ok {
		t.Fatal("locked twice")
	}
	unlock()
	if _, err := os.Lstat(lock); !os.IsNotExist(err) {
		t.Errorf("the file stays: %v", err)
	}
}

// What an agent tells while its token is void is kept, said, and delivered when it has a token again.
//
// Proves: S1, S5
func TestHookKeepsWhatAVoidTokenRefuses(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	d := startDaemon(t, home)
	hook := func(payload string) string {
		var out, said strings.Builder
		code := run(t.Context(), surroundings{
			args: []string{"hook", "claude", "--home=" + home}, stdin: strings.NewReader(payload), stdout: &out, stderr: &said,
			env: func(string) string { return "" }, now: time.Now,
		})
		if code != exitDone || out.Len() > 0 {
			t.Errorf("exit %d, stdout %q", code, out.String())
		}
		return said.String()
	}
	stop := `{"session_id":"s","prompt_id":"%s","hook_event_name":"Stop"}`
	if said := hook(fmt.Sprintf(stop, "1")); said != "" {
		t.Fatal(said)
	}
	c, err := client.New(d.URL(), d.OwnerToken(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	token, err := c.RotateToken(t.Context(), "claude")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(home, spoolDir, "claude")
	if said := hook(fmt.Sprintf(stop, "2")); len(spooled(dir)) != 1 || !strings.Contains(said, "kept for later") {
		t.Errorf("%d kept, %q", len(spooled(dir)), said)
	}
	hook(fmt.Sprintf(stop, "3"))
	if n := len(spooled(dir)); n != 2 {
		t.Errorf("%d kept", n)
	}
	a := &app{cli: &cli{Home: home}}
	if err := writePrivateJSON(a.storedPath("claude"), stored{ID: "claude", Token: token}); err != nil {
		t.Fatal(err)
	}
	if said := hook(fmt.Sprintf(stop, "4")); said != "" || len(spooled(dir)) != 0 {
		t.Errorf("%d kept, %q", len(spooled(dir)), said)
	}
	page, err := c.List(t.Context(), client.Query{Connections: []string{"claude"}})
	if err != nil || len(page.Notifications) != 4 {
		t.Errorf("%d told, %v", len(page.Notifications), err)
	}
}
