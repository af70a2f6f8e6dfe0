package bridge

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
)

// raw sends bytes as they are and returns the status and the whole answer.
func raw(t testing.TB, s *Server, text string) (int, http.Header, string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, text); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

func port(s *Server) string {
	_, p, _ := net.SplitHostPort(strings.TrimPrefix(s.URL(), "http://"))
	return p
}

// Proves: S3. Strangers are refused before anything else, with a right token too.
func TestStrangersAreRefused(t *testing.T) {
	r := newRig(t)
	p := port(r.server)
	var next int
	fmt.Sscan(p, &next)
	get := func(lines ...string) string {
		return "GET /v1/notifications HTTP/1.1\r\nConnection: close\r\nAuthorization: Bearer " + r.owner + "\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\n"
	}
	cases := []struct {
		name, request string
		want          int
	}{
		{"own address", get("Host: 127.0.0.1:" + p), 200},
		{"own name", get("Host: localhost:" + p), 200},
		{"own name in capitals", get("Host: LOCALHOST:" + p), 200},
		{"own address of IPv6", get("Host: [::1]:" + p), 200},
		{"T1 foreign name", get("Host: evil.example:" + p), 403},
		{"T3 foreign name without port", get("Host: evil.example"), 403},
		{"T2 empty", get("Host:"), 403},
		{"T2 missing, HTTP/1.0", "GET /v1/notifications HTTP/1.0\r\nAuthorization: Bearer " + r.owner + "\r\n\r\n", 403},
		{"T2 port alone", get("Host: :" + p), 403},
		{"T2 all addresses", get("Host: 0.0.0.0:" + p), 403},
		{"T2 another port", get(fmt.Sprintf("Host: 127.0.0.1:%d", next+1)), 403},
		{"T2 no port", get("Host: 127.0.0.1"), 403},
		{"T2 rooted name", get("Host: localhost.:" + p), 403},
		{"T2 name below ours", get("Host: a.localhost:" + p), 403},
		{"T2 name that resolves here", get("Host: 127.0.0.1.nip.io:" + p), 403},
		{"T2 name that begins alike", get("Host: localhost.evil.example:" + p), 403},
		{"T2 mapped address", get("Host: [::ffff:127.0.0.1]:" + p), 403},
		{"T2 other loopback address", get("Host: 127.0.0.2:" + p), 403},
		{"T2 number for an address", get("Host: 2130706433:" + p), 403},
		{"absolute address of another", "GET http://evil.example/v1/health HTTP/1.1\r\nHost: 127.0.0.1:" + p + "\r\nConnection: close\r\n\r\n", 403},
		{"T4 origin that is ours", get("Host: 127.0.0.1:"+p, "Origin: http://127.0.0.1:"+p), 403},
		{"T4 origin null", get("Host: 127.0.0.1:"+p, "Origin: null"), 403},
		{"T4 empty origin", get("Host: 127.0.0.1:"+p, "Origin:"), 403},
		{"fetch across sites", get("Host: 127.0.0.1:"+p, "Sec-Fetch-Site: cross-site"), 403},
		{"fetch within a site", get("Host: 127.0.0.1:"+p, "Sec-Fetch-Site: same-site"), 403},
		{"typed by a person", get("Host: 127.0.0.1:"+p, "Sec-Fetch-Site: none"), 200},
		{"same origin", get("Host: 127.0.0.1:"+p, "Sec-Fetch-Site: same-origin"), 200},
		{"health too", "GET /v1/health HTTP/1.1\r\nHost: evil.example:" + p + "\r\nConnection: close\r\n\r\n", 403},
		{"the stream too", "GET /v1/events HTTP/1.1\r\nHost: evil.example:" + p + "\r\nConnection: close\r\nAuthorization: Bearer " + r.owner + "\r\n\r\n", 403},
		{"T6 preflight", "OPTIONS /v1/notifications HTTP/1.1\r\nHost: 127.0.0.1:" + p +
			"\r\nConnection: close\r\nOrigin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n", 403},
		{"two tokens", get("Host: 127.0.0.1:"+p, "Authorization: Bearer x"), 401},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			status, header, body := raw(t, r.server, c.request)
			if status != c.want {
				t.Errorf("status %d, want %d: %s", status, c.want, body)
			}
			for name := range header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("header %s was sent", name)
				}
			}
			if c.want == 403 && !strings.Contains(body, wire.CodeForbiddenOrigin) {
				t.Errorf("code: %s", body)
			}
		})
	}
}

// T1: a stranger stores nothing and is not counted as a wrong token.
func TestStrangersChangeNothing(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	body := `{"title":"from a page"}`
	for range wrongTokens + 5 {
		status, _, _ := raw(t, r.server, "POST /v1/connections/c1/notifications HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n"+
			"Authorization: Bearer wrong\r\nContent-Type: application/json\r\n"+fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body))
		if status != 403 {
			t.Fatalf("status %d", status)
		}
	}
	if n := len(must[wire.Page](r, 200, "GET", wire.PathNotifications, nil).Notifications); n != 0 {
		t.Errorf("%d notifications were stored", n)
	}
	r.refused(401, wire.CodeUnauthorized, "wrong", "GET", wire.PathNotifications, nil)
}

// T5: what a page can send without asking is no body of ours, and neither is what must be decoded first.
func TestBodiesOfFormsAreRefused(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	for _, media := range []string{"", "text/plain", "text/plain;application/json", "application/x-www-form-urlencoded",
		"multipart/form-data; boundary=x", "application/jsonp", "application/json; charset=utf-16", "application/json, text/plain"} {
		t.Run(media, func(t *testing.T) {
			r.refused(415, wire.CodeUnsupportedMedia, r.owner, "POST", "/v1/connections/c1/notifications", `{"title":"x"}`, "Content-Type", media)
		})
	}
	for _, coding := range []string{"gzip", "br", "identity, gzip"} {
		t.Run(coding, func(t *testing.T) {
			r.refused(415, wire.CodeUnsupportedMedia, r.owner, "POST", "/v1/connections/c1/notifications", `{"title":"x"}`, "Content-Encoding", coding)
		})
	}
	if n := len(must[wire.Page](r, 200, "GET", wire.PathNotifications, nil).Notifications); n != 0 {
		t.Errorf("%d notifications were stored", n)
	}
	must[wire.PublishResult](r, 201, "POST", "/v1/connections/c1/notifications", `{"title":"x"}`, "Content-Type", "Application/JSON; Charset=UTF-8", "Content-Encoding", "Identity")
}

func TestTokens(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	got := r.try("", "GET", wire.PathNotifications, nil)
	if got.status != 401 || !strings.HasPrefix(got.header.Get("WWW-Authenticate"), "Bearer") {
		t.Errorf("without a token: %d, WWW-Authenticate %q", got.status, got.header.Get("WWW-Authenticate"))
	}
	// T7: a token in the address is none, and is not logged.
	r.refused(401, wire.CodeUnauthorized, "", "GET", "/v1/notifications?token="+r.owner, nil)
	for _, header := range []string{"Basic " + r.owner, "Bearer", "Bearer ", r.owner, "Bearer" + r.owner, "Bearer " + r.owner + "x"} {
		got := r.try("", "GET", wire.PathNotifications, nil, "Authorization", header)
		if got.status != 401 {
			t.Errorf("Authorization of the form %.8q: status %d", header, got.status)
		}
	}
	must[wire.Page](r, 200, "GET", wire.PathNotifications, nil, "Authorization", "bearer  "+r.owner)
	if strings.Contains(r.log.String(), r.owner) {
		t.Error("the token was logged")
	}
	// An unknown path tells nothing to who has no token.
	r.refused(401, wire.CodeUnauthorized, "", "GET", "/v1/nothing", nil)
	r.refused(404, wire.CodeNotFound, r.owner, "GET", "/v1/nothing", nil)
	r.refused(404, wire.CodeNotFound, r.owner, "GET", "/", nil)
	r.refused(404, wire.CodeNotFound, r.owner, "GET", "/v1/../v1/health", nil)
	r.refused(404, wire.CodeNotFound, r.owner, "GET", "/v1/health/", nil)
}

// T8: wrong tokens are limited, without harm to right ones.
func TestWrongTokensAreLimited(t *testing.T) {
	now := time.Now()
	r := newRig(t, func(c *Config) { c.Now = func() time.Time { return now } })
	token := r.connect("c1")
	for range wrongTokens {
		r.refused(401, wire.CodeUnauthorized, "wrong", "GET", wire.PathNotifications, nil)
	}
	got := r.try("wrong", "GET", wire.PathNotifications, nil)
	if got.status != 429 || got.header.Get("Retry-After") == "" {
		t.Errorf("wrong token %d: status %d, Retry-After %q", wrongTokens+1, got.status, got.header.Get("Retry-After"))
	}
	must[wire.Page](r, 200, "GET", wire.PathNotifications, nil)
	mustAs[wire.Page](r, token, 200, "GET", wire.PathNotifications, nil)
	r.refused(401, wire.CodeUnauthorized, "", "GET", wire.PathNotifications, nil) // none is not a wrong one
}

func TestUnknownMethodsNameThoseThereAre(t *testing.T) {
	r := newRig(t)
	r.connect("c1")
	got := r.try(r.owner, "PUT", "/v1/connections/c1", nil)
	if got.status != 405 || got.header.Get("Allow") != "DELETE, GET, PATCH" {
		t.Errorf("status %d, Allow %q", got.status, got.header.Get("Allow"))
	}
	r.refused(405, wire.CodeMethodNotAllowed, r.owner, "DELETE", wire.PathHealth, nil)
	r.refused(405, wire.CodeMethodNotAllowed, r.owner, "OPTIONS", wire.PathNotifications, nil)
}

// T9: a connection's token reaches what is its own, and nothing else.
func TestScopesOfTokens(t *testing.T) {
	r := newRig(t)
	one, two := r.connect("c1"), r.connect("c2")
	mine := r.publish("c1", wire.Publish{Title: "mine", Kind: wire.KindInteraction, Interaction: &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "a", Label: "A"}}}})
	theirs := r.publish("c2", wire.Publish{Title: "theirs"})
	rev := wire.Ending{ExpectedRevision: wire.Rev(1)}

	for _, route := range r.server.routes() {
		path := strings.NewReplacer("{connection}", "c1", "{id}", mine.ID, "{key}", "k", "{request}", "r", "{session}", "s",
			"{action}", "a", "{provider}", "toast").Replace(route.path)
		other := strings.NewReplacer("c1", "c2", mine.ID, theirs.ID).Replace(path)
		var body any
		if route.about.body != nil {
			body = "{}"
		}
		t.Run(route.method+" "+route.path, func(t *testing.T) {
			switch route.access {
			case owner:
				r.refused(403, wire.CodeForbidden, one, route.method, path, body)
			case connection:
				r.refused(403, wire.CodeForbidden, one, route.method, other, body)
				r.refused(403, wire.CodeForbidden, one, route.method, strings.Replace(path, "c1", "unknown", 1), body)
				r.refused(404, wire.CodeNotFound, r.owner, route.method, strings.Replace(path, "c1", "unknown", 1), body)
			case record:
				r.refused(404, wire.CodeNotFound, one, route.method, other, body)
				r.refused(404, wire.CodeNotFound, one, route.method, strings.Replace(path, mine.ID, "unknown", 1), body)
			}
			if route.access != public {
				r.refused(401, wire.CodeUnauthorized, "", route.method, path, body)
			}
		})
	}
	r.refused(403, wire.CodeForbidden, one, "POST", wire.Path(wire.PathDismiss, mine.ID), rev)
	r.refused(403, wire.CodeForbidden, one, "POST", wire.Path(wire.PathAnswer, mine.ID), wire.AnswerRequest{ExpectedRevision: wire.Rev(1)})
	r.refused(403, wire.CodeForbidden, one, "GET", wire.PathNotifications+"?connection=c2", nil)
	for token, want := range map[string]string{one: "mine", two: "theirs"} {
		page := mustAs[wire.Page](r, token, 200, "GET", wire.PathNotifications, nil)
		if len(page.Notifications) != 1 || page.Notifications[0].Title != want {
			t.Errorf("a list shows %+v, want %q alone", page.Notifications, want)
		}
	}
}

// T11: who sends slowly is cut off, and nobody waits for it.
func TestSlowHeadersAreCutOff(t *testing.T) {
	r := newRig(t, func(c *Config) {
		c.timeouts = usualTimeouts
		c.timeouts.header = 300 * time.Millisecond
	})
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.server.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "GET /v1/health HTTP/1.1\r\nHost: 127")
	start := time.Now()
	for range 20 {
		if got := r.try("", "GET", wire.PathHealth, nil); got.status != 200 {
			t.Fatalf("another client: %d", got.status)
		}
	}
	conn.SetReadDeadline(start.Add(5 * time.Second))
	if _, err := io.Copy(io.Discard, conn); err != nil {
		t.Errorf("not cut off after %v: %v", time.Since(start), err)
	}
}

func FuzzHostAllowed(f *testing.F) {
	for _, seed := range []string{"127.0.0.1:8377", "localhost:8377", "[::1]:8377", "", ":8377", "0.0.0.0:8377", "localhost.:8377",
		"localhost:8377@evil", "LOCALHOST:8377", "127.0.0.1:08377", "[::1]", "[::1%lo]:8377", "localhost:8377 ", "127.1:8377"} {
		f.Add(seed)
	}
	tcp := newDoor(&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8377}, false, false, nil)
	unix := &door{unix: true}
	f.Fuzz(func(t *testing.T, host string) {
		if tcp.hostAllowed(host) {
			switch strings.ToLower(host) {
			case "127.0.0.1:8377", "localhost:8377", "[::1]:8377":
			default:
				t.Errorf("%q passes", host)
			}
		}
		if unix.hostAllowed(host) {
			name, _, _ := strings.Cut(strings.ToLower(host), ":")
			if name != "localhost" && name != "127.0.0.1" && !strings.HasPrefix(strings.ToLower(host), "[::1]") {
				t.Errorf("%q passes by the socket", host)
			}
		}
	})
}
