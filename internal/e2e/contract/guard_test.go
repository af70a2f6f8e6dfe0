package contract

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Proves: S3
func TestHostAndOrigin(t *testing.T) {
	s := start(t)
	u, _ := url.Parse(s.URL)
	port := u.Port()
	for _, tc := range []struct {
		name    string
		headers []header
		status  int
	}{
		{"own address", []header{{"Host", "127.0.0.1:" + port}}, 200},
		{"localhost, any case", []header{{"Host", "LOCALHOST:" + port}}, 200},
		{"IPv6 loopback", []header{{"Host", "[::1]:" + port}}, 200},
		{"foreign name", []header{{"Host", "evil.example:" + port}}, 403},
		{"rebinding name", []header{{"Host", "127.0.0.1.nip.io:" + port}}, 403},
		{"other port", []header{{"Host", "127.0.0.1:1"}}, 403},
		{"no port", []header{{"Host", "127.0.0.1"}}, 403},
		{"only port", []header{{"Host", ":" + port}}, 403},
		{"any address", []header{{"Host", "0.0.0.0:" + port}}, 403},
		{"mapped address", []header{{"Host", "[::ffff:127.0.0.1]:" + port}}, 403},
		{"own origin", []header{{"Origin", s.URL}}, 403},
		{"null origin", []header{{"Origin", "null"}}, 403},
		{"foreign origin", []header{{"Origin", "https://evil.example"}}, 403},
		{"cross-site fetch", []header{{"Sec-Fetch-Site", "cross-site"}}, 403},
		{"same-site fetch", []header{{"Sec-Fetch-Site", "same-site"}}, 403},
		{"typed address", []header{{"Sec-Fetch-Site", "none"}}, 200},
		{"same-origin fetch", []header{{"Sec-Fetch-Site", "same-origin"}}, 200},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, path := range []string{"/v1/notifications", "/v1/health", "/v1/events"} {
				if tc.status == 200 && path == "/v1/events" {
					continue
				}
				r := s.owner("GET", path, nil, tc.headers...)
				r.t = t
				r.want(tc.status)
				if tc.status == 403 && r.JSON["code"] != "forbidden_origin" && r.JSON["code"] != "forbidden" {
					t.Errorf("code %v", r.JSON["code"])
				}
				for name := range r.Header {
					if strings.HasPrefix(name, "Access-Control-") {
						t.Errorf("%s sent", name)
					}
				}
			}
		})
	}
	t.Run("preflight", func(t *testing.T) {
		r := s.do("", "OPTIONS", "/v1/notifications", nil, header{"Origin", "https://evil.example"}, header{"Access-Control-Request-Method", "POST"})
		if r.Status != 403 && r.Status != 405 {
			t.Errorf("status %d", r.Status)
		}
	})
	t.Run("HTTP/1.0 without Host", func(t *testing.T) {
		if got := raw(t, u.Host, "GET /v1/health HTTP/1.0\r\n\r\n"); !strings.Contains(got, " 403 ") && !strings.Contains(got, " 400 ") {
			t.Errorf("answer %q", got)
		}
	})
}

// raw sends bytes and reads the status line.
func raw(t *testing.T, addr, request string) string {
	t.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(5 * time.Second))
	io.WriteString(c, request)
	b := make([]byte, 64)
	n, _ := io.ReadAtLeast(c, b, 12)
	return string(b[:n])
}

func TestTokens(t *testing.T) {
	s := start(t)
	c1, tok1 := s.connect("one")
	c2, _ := s.connect("two")
	n2 := s.publish(s.Token, c2, obj{"title": "other's"})

	for _, bad := range []string{"", "wrong", s.Token + "x", s.Token[:len(s.Token)-1]} {
		r := s.do(bad, "GET", "/v1/notifications", nil).want(401, "unauthorized")
		if r.Header.Get("WWW-Authenticate") == "" {
			t.Error("401 without WWW-Authenticate")
		}
	}
	s.do("", "GET", "/v1/notifications?token="+s.Token, nil).want(401)
	s.do("", "GET", "/v1/health", nil).want(200).is("ok", "status")

	// A connection token: its own connection only.
	s.do(tok1, "POST", "/v1/connections/"+c1+"/notifications", obj{"title": "mine"}).want(201)
	s.do(tok1, "POST", "/v1/connections/"+c2+"/notifications", obj{"title": "not mine"}).want(403, "forbidden")
	s.do(tok1, "GET", "/v1/notifications/"+str(n2["id"]), nil).want(404, "not_found")
	s.do(tok1, "PATCH", "/v1/notifications/"+str(n2["id"]), obj{"title": "x"}).want(404, "not_found")
	s.do(tok1, "POST", "/v1/connections", obj{"label": "x"}).want(403)
	mine := s.publish(tok1, c1, obj{"title": "mine too"})
	for _, tc := range []struct {
		method, path string
		body         any
	}{
		{"POST", "/v1/notifications/" + str(mine["id"]) + "/dismiss", obj{"expected_revision": 1}},
		{"POST", "/v1/notifications/" + str(mine["id"]) + "/read", obj{}},
		{"PUT", "/v1/focus", obj{}},
		{"GET", "/v1/deliveries", nil},
		{"GET", "/v1/rules", nil},
		{"PUT", "/v1/do-not-disturb", obj{}},
		{"GET", "/v1/metrics", nil},
		{"POST", "/v1/connections/" + c1 + "/token", obj{}},
		{"DELETE", "/v1/connections/" + c1, nil},
		{"GET", "/v1/events", nil},
		{"GET", "/v1/connections/" + c2 + "/events", nil},
		{"GET", "/v1/notifications/" + str(mine["id"]) + "/trace", nil},
	} {
		r := s.do(tok1, tc.method, tc.path, tc.body)
		if r.Status != 403 && r.Status != 404 {
			t.Errorf("%s %s with a connection token: %d", tc.method, tc.path, r.Status)
		}
	}

	// What it lists is its own.
	r := s.do(tok1, "GET", "/v1/notifications", nil)
	if r.Status == 200 {
		for _, n := range r.get("notifications").([]any) {
			same(t, dig(t, n, "connection"), c1, "connection")
		}
	} else {
		r.want(403)
	}

	// Rotation takes effect at once, on open streams too.
	ch, _, _ := s.stream(tok1, "/v1/connections/"+c1+"/events")
	fresh := str(s.owner("POST", "/v1/connections/"+c1+"/token", obj{}).want(200).get("token"))
	s.do(tok1, "GET", "/v1/connections/"+c1, nil).want(401)
	s.do(fresh, "GET", "/v1/connections/"+c1, nil).want(200)
	ended := until(5*time.Second, func() bool {
		select {
		case _, ok := <-ch:
			return !ok
		default:
			return false
		}
	})
	if !ended {
		t.Error("a stream of the old token goes on")
	}
	s.owner("DELETE", "/v1/connections/"+c1, nil).want(204)
	s.do(fresh, "POST", "/v1/connections/"+c1+"/notifications", obj{"title": "x"}).want(401)
}

func TestWrongTokensAreLimitedApart(t *testing.T) {
	s := start(t)
	limited := false
	for range 40 {
		if r := s.do("wrong", "GET", "/v1/notifications", nil); r.Status == 429 {
			r.want(429, "rate_limited")
			limited = true
		}
	}
	if !limited {
		t.Error("40 wrong tokens in a row were never limited")
	}
	s.owner("GET", "/v1/notifications", nil).want(200)
}

// Proves: S5
func TestBodies(t *testing.T) {
	s := start(t)
	c, tok := s.connect("bodies")
	path := "/v1/connections/" + c + "/notifications"
	for _, tc := range []struct {
		name, body string
		status     int
		code       string
		field      string
		headers    []header
	}{
		{name: "form", body: `{"title":"x"}`, status: 415, code: "unsupported_media_type", headers: []header{{"Content-Type", "application/x-www-form-urlencoded"}}},
		{name: "plain text", body: `{"title":"x"}`, status: 415, code: "unsupported_media_type", headers: []header{{"Content-Type", "text/plain"}}},
		{name: "no type", body: `{"title":"x"}`, status: 415, code: "unsupported_media_type", headers: []header{{"Content-Type", ""}}},
		{name: "charset is fine", body: `{"title":"x"}`, status: 201, headers: []header{{"Content-Type", "application/json; charset=utf-8"}}},
		{name: "too large", body: `{"title":"x","data":{"a":"` + strings.Repeat("a", 1<<20) + `"}}`, status: 413, code: "too_large"},
		{name: "empty", body: ``, status: 400, code: "invalid_json"},
		{name: "cut", body: `{"title":"x"`, status: 400, code: "invalid_json"},
		{name: "two values", body: `{"title":"x"} {"title":"y"}`, status: 400, code: "invalid_json"},
		{name: "array", body: `[]`, status: 400},
		{name: "null", body: `null`, status: 400},
		{name: "duplicate key", body: `{"title":"x","title":"y"}`, status: 400, code: "invalid_json"},
		{name: "duplicate key within data", body: `{"title":"x","data":{"a":1,"a":2}}`, status: 400, code: "invalid_json"},
		{name: "other case", body: `{"Title":"x"}`, status: 400},
		{name: "unknown field", body: `{"title":"x","colour":"#ffffff"}`, status: 400, field: "/colour"},
		{name: "unknown nested field", body: `{"title":"x","chip":{"label":"a","size":1}}`, status: 400, field: "/chip/size"},
		{name: "invalid UTF-8", body: "{\"title\":\"\xff\"}", status: 400, code: "invalid_json"},
		{name: "NaN", body: `{"title":"x","kind":"progress","progress":{"current":NaN}}`, status: 400, code: "invalid_json"},
		{name: "deep", body: `{"title":"x","data":{"a":` + strings.Repeat("[", 10001) + strings.Repeat("]", 10001) + `}}`, status: 400},
		{name: "wrong type", body: `{"title":5}`, status: 400, field: "/title"},
		{name: "huge integer", body: `{"title":"x","expected_revision":1152921504606846976000}`, status: 400, field: "/expected_revision"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := s.do(tok, "POST", path, tc.body, tc.headers...)
			r.t = t
			r.want(tc.status)
			if tc.code != "" && r.JSON["code"] != tc.code {
				t.Errorf("code %v, want %s: %s", r.JSON["code"], tc.code, r.Raw)
			}
			if tc.field != "" {
				r.field(tc.field)
			}
		})
	}
	r := s.owner("GET", "/v1/notifications", nil).want(200)
	if n := len(r.get("notifications").([]any)); n != 1 {
		t.Errorf("%d notifications stored, want the one good one", n)
	}
	t.Run("chunked without a length", func(t *testing.T) {
		req, _ := http.NewRequest("POST", s.URL+path, io.MultiReader(strings.NewReader(`{"title":"`), bytes.NewReader(bytes.Repeat([]byte("a"), 2<<20))))
		req.Header.Set("Authorization", "Bearer "+tok)
		req.Header.Set("Content-Type", "application/json")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return // the server may close while we still write
		}
		res.Body.Close()
		if res.StatusCode != 413 {
			t.Errorf("status %d, want 413", res.StatusCode)
		}
	})
}

// Proves: S5
func TestFieldErrorsNameTheField(t *testing.T) {
	s := start(t)
	c, tok := s.connect("fields")
	long := strings.Repeat("x", 201)
	many := func(n int, v any) []any {
		l := make([]any, n)
		for i := range l {
			l[i] = v
		}
		return l
	}
	ask := func(extra obj) obj {
		i := obj{"kind": "question", "prompt": "Which?", "options": []any{obj{"id": "a", "label": "A"}}}
		for k, v := range extra {
			i[k] = v
		}
		return obj{"title": "t", "kind": "interaction", "interaction": i}
	}
	for _, tc := range []struct {
		name  string
		n     obj
		field string
	}{
		{"no title", obj{}, "/title"},
		{"empty title", obj{"title": ""}, "/title"},
		{"blank title", obj{"title": "  "}, "/title"},
		{"long title", obj{"title": long}, "/title"},
		{"kind", obj{"title": "t", "kind": "alarm"}, "/kind"},
		{"severity", obj{"title": "t", "severity": "fatal"}, "/severity"},
		{"long body", obj{"title": "t", "body": strings.Repeat("x", 16<<10+1)}, "/body"},
		{"too many lines", obj{"title": "t", "lines": many(51, "l")}, "/lines"},
		{"long line", obj{"title": "t", "lines": []any{"ok", strings.Repeat("x", 501)}}, "/lines/1"},
		{"color", obj{"title": "t", "color": "red"}, "/color"},
		{"tag", obj{"title": "t", "tags": []any{"ok", "Bad Tag"}}, "/tags/1"},
		{"too many tags", obj{"title": "t", "tags": many(21, "a")}, "/tags"},
		{"progress missing", obj{"title": "t", "kind": "progress"}, "/progress"},
		{"interaction missing", obj{"title": "t", "kind": "interaction"}, "/interaction"},
		{"attachment without place", obj{"title": "t", "attachments": []any{obj{"name": "a"}}}, "/attachments/0"},
		{"link scheme", obj{"title": "t", "links": []any{obj{"title": "l", "url": "javascript:alert(1)"}}}, "/links/0/url"},
		{"action without id", obj{"title": "t", "actions": []any{obj{"label": "a"}}}, "/actions/0/id"},
		{"action twice", obj{"title": "t", "actions": []any{obj{"id": "a", "label": "a"}, obj{"id": "a", "label": "b"}}}, "/actions/1/id"},
		{"action style", obj{"title": "t", "actions": []any{obj{"id": "a", "label": "a", "style": "loud"}}}, "/actions/0/style"},
		{"too many actions", obj{"title": "t", "actions": []any{obj{"id": "1", "label": "a"}, obj{"id": "2", "label": "a"}, obj{"id": "3", "label": "a"}, obj{"id": "4", "label": "a"}, obj{"id": "5", "label": "a"}, obj{"id": "6", "label": "a"}, obj{"id": "7", "label": "a"}, obj{"id": "8", "label": "a"}, obj{"id": "9", "label": "a"}}}, "/actions"},
		{"presentation", obj{"title": "t", "presentation": "popup"}, "/presentation"},
		{"scope", obj{"title": "t", "scope": "galaxy"}, "/scope"},
		{"session scope without session", obj{"title": "t", "scope": "session"}, "/session"},
		{"session with application scope", obj{"title": "t", "scope": "application", "session": "s"}, "/session"},
		{"policy", obj{"title": "t", "retention": obj{"policy": "forever"}}, "/retention/policy"},
		{"ttl without time", obj{"title": "t", "retention": obj{"policy": "ttl"}}, "/retention/ttl_seconds"},
		{"request without request", obj{"title": "t", "retention": obj{"policy": "request"}}, "/request"},
		{"no way out", obj{"title": "t", "dismissible": false}, "/dismissible"},
		{"event without type", obj{"title": "t", "event": obj{"occurrence": "1"}}, "/event/type"},
		{"event without namespace", obj{"title": "t", "event": obj{"type": "boom", "occurrence": "1"}}, "/event/type"},
		{"event without occurrence", obj{"title": "t", "event": obj{"type": "session.turn_finished"}}, "/event/occurrence"},
		{"clarification without session", obj{"title": "t", "event": obj{"type": "session.clarification_requested", "occurrence": "1"}}, "/session"},
		{"update with session", obj{"title": "t", "scope": "session", "session": "s", "event": obj{"type": "system.update_available", "occurrence": "1"}}, "/session"},
		{"large data", obj{"title": "t", "data": obj{"a": strings.Repeat("x", 64<<10)}}, "/data"},
		{"data that is no object", obj{"title": "t", "data": []any{1}}, "/data"},
		{"long key", obj{"title": "t", "key": strings.Repeat("k", 513)}, "/key"},
		{"corroborate without dedup key", obj{"title": "t", "on_repeat": "corroborate"}, "/dedup_key"},
		{"on_repeat", obj{"title": "t", "on_repeat": "shout"}, "/on_repeat"},
		{"option twice", ask(obj{"options": []any{obj{"id": "a", "label": "A"}, obj{"id": "a", "label": "B"}}}), "/interaction/options/1/id"},
		{"unknown default", ask(obj{"default_option": "z"}), "/interaction/default_option"},
		{"unknown timeout option", ask(obj{"timeout_seconds": 5, "timeout_option": "z"}), "/interaction/timeout_option"},
		{"negative timeout", ask(obj{"timeout_seconds": -1}), "/interaction/timeout_seconds"},
		{"comment", ask(obj{"options": []any{obj{"id": "a", "label": "A", "comment": "maybe"}}}), "/interaction/options/0/comment"},
		{"field type", ask(obj{"fields": []any{obj{"id": "f", "label": "F", "type": "colour"}}}), "/interaction/fields/0/type"},
		{"choice without choices", ask(obj{"fields": []any{obj{"id": "f", "label": "F", "type": "choice"}}}), "/interaction/fields/0/choices"},
		{"default of another type", ask(obj{"fields": []any{obj{"id": "f", "label": "F", "type": "integer", "default": "x"}}}), "/interaction/fields/0/default"},
		{"no prompt", ask(obj{"prompt": ""}), "/interaction/prompt"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := s.do(tok, "POST", "/v1/connections/"+c+"/notifications", tc.n)
			r.t = t
			r.want(400, "invalid_field").field(tc.field)
		})
	}
	t.Run("retired event", func(t *testing.T) {
		r := s.do(tok, "POST", "/v1/connections/"+c+"/notifications", obj{"title": "t", "scope": "session", "session": "s", "event": obj{"type": "session.waiting_for_input", "occurrence": "1"}})
		r.t = t
		r.want(400, "retired_event")
	})
	if n := len(s.owner("GET", "/v1/notifications?include_silent=true", nil).get("notifications").([]any)); n != 0 {
		t.Errorf("%d notifications were stored by refused publications", n)
	}
	for _, q := range []string{"limit=0", "limit=501", "limit=x", "status=gone", "severity=loud", "scope=x", "since=yesterday", "cursor=%00", "read=perhaps", "nonsense=1"} {
		s.owner("GET", "/v1/notifications?"+q, nil).want(400)
	}
}

func TestUnknownPathsAndMethods(t *testing.T) {
	s := start(t)
	s.owner("GET", "/v1/nowhere", nil).want(404, "not_found")
	s.owner("GET", "/", nil).want(404, "not_found")
	r := s.owner("DELETE", "/v1/notifications", nil).want(405, "method_not_allowed")
	if r.Header.Get("Allow") == "" {
		t.Error("405 without Allow")
	}
	s.owner("GET", "/v1/notifications/no-such-id", nil).want(404, "not_found")
	s.owner("POST", "/v1/connections/none/notifications", obj{"title": "x"}).want(404, "not_found")
	s.owner("GET", "/v1/openapi.json", nil).want(200).is("3.1.0", "openapi")
}

func TestRateLimit(t *testing.T) {
	s := start(t, "--rate-limit", "5")
	c, tok := s.connect("fast")
	limited := false
	for range 1200 {
		r := s.do(tok, "POST", "/v1/connections/"+c+"/notifications", obj{"title": "x"})
		if r.Status == 429 {
			r.want(429, "rate_limited")
			if r.Header.Get("Retry-After") == "" {
				t.Error("429 without Retry-After")
			}
			limited = true
			break
		}
	}
	if !limited {
		t.Error("never limited")
	}
	// Another connection is not harmed.
	c2, tok2 := s.connect("slow")
	s.do(tok2, "POST", "/v1/connections/"+c2+"/notifications", obj{"title": "x"}).want(201)
}

func TestIdentity(t *testing.T) {
	s := start(t)
	r := s.do("", "GET", "/v1/identity?nonce=abc123", nil).want(200)
	r.is(s.info["instance"], "instance")
	secret := str(s.info["instance_secret"])
	proof := str(r.get("proof"))
	for _, key := range secretForms(secret) {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte("abc123"))
		sum := mac.Sum(nil)
		if proof == hex.EncodeToString(sum) || proof == base64.StdEncoding.EncodeToString(sum) || proof == base64.RawURLEncoding.EncodeToString(sum) {
			return
		}
	}
	t.Errorf("proof %q is not the HMAC-SHA-256 of the nonce", proof)
}

func secretForms(s string) [][]byte {
	return [][]byte{[]byte(s)}
}

func TestDiscoveryFile(t *testing.T) {
	s := start(t)
	path := filepath.Join(s.home, "bridge.json")
	for _, k := range []string{"url", "token", "pid", "instance", "instance_secret", "started_at", "version"} {
		if _, ok := s.info[k]; !ok {
			t.Errorf("bridge.json without %q", k)
		}
	}
	if num(s.info["pid"]) != s.cmd.Process.Pid {
		t.Errorf("pid %v, want %d", s.info["pid"], s.cmd.Process.Pid)
	}
	if runtime.GOOS != "windows" {
		for file, mode := range map[string]os.FileMode{path: 0o600, s.home: 0o700, filepath.Join(s.home, "bridge.sock"): 0o600} {
			st, err := os.Stat(file)
			if err != nil {
				t.Fatal(err)
			}
			if st.Mode().Perm() != mode {
				t.Errorf("%s has mode %v, want %v", filepath.Base(file), st.Mode().Perm(), mode)
			}
		}
		client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
			return net.Dial("unix", filepath.Join(s.home, "bridge.sock"))
		}}}
		req, _ := http.NewRequest("GET", "http://localhost/v1/notifications", nil)
		req.Header.Set("Authorization", "Bearer "+s.Token)
		res, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != 200 {
			t.Errorf("over the socket: status %d", res.StatusCode)
		}
	}
	s.stop()
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("bridge.json is still there after the end: %v", err)
	}
}

func TestOneCenterPerDirectory(t *testing.T) {
	s := start(t)
	out, err := runSigbox(t, nil, "serve", "--home", s.home, "--listen", "127.0.0.1:0")
	if err == nil {
		t.Fatalf("a second serve exited 0:\n%s", out)
	}
	if !strings.Contains(out, fmt.Sprint(s.cmd.Process.Pid)) {
		t.Errorf("it does not say who has it: %s", out)
	}
	s.owner("GET", "/v1/health", nil).want(200)
}

func TestForeignAddressIsRefused(t *testing.T) {
	out, err := runSigbox(t, nil, "serve", "--home", t.TempDir(), "--listen", "0.0.0.0:0")
	if err == nil {
		t.Fatalf("listening on every address was allowed:\n%s", out)
	}
}

func TestSecondsOfAWait(t *testing.T) {
	s := start(t)
	c, tok := s.connect("wait")
	n := s.publish(tok, c, obj{"title": "x"})
	s.do(tok, "GET", "/v1/notifications/"+str(n["id"])+"?wait=301", nil).want(400)
	began := time.Now()
	s.do(tok, "GET", "/v1/notifications/"+str(n["id"])+"?wait=1&since_revision=1", nil).want(200).is(1, "revision")
	if d := time.Since(began); d < 900*time.Millisecond || d > 5*time.Second {
		t.Errorf("waited %v, want about 1 s", d)
	}
	began = time.Now()
	s.do(tok, "GET", "/v1/notifications/"+str(n["id"])+"?wait=20&since_revision=0", nil).want(200)
	if d := time.Since(began); d > 5*time.Second {
		t.Errorf("waited %v for a revision that was there", d)
	}
}
