package webhook

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func now() time.Time { return time.Unix(1_800_000_000, 0) }

func TestSigned(t *testing.T) {
	var got *http.Request
	var body []byte
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		body, _ = io.ReadAll(r.Body)
		w.WriteHeader(http.StatusAccepted)
	}))
	defer server.Close()
	h, err := New(Config{URL: server.URL, Secret: "s3"}, now)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Post(t.Context(), "d1", map[string]string{"title": "x"}); err != nil {
		t.Fatal(err)
	}
	if string(body) != `{"title":"x"}` || got.Header.Get(HeaderDelivery) != "d1" {
		t.Errorf("%s %v", body, got.Header)
	}
	if want := Sign("s3", "1800000000", body); got.Header.Get(HeaderSignature) != want {
		t.Errorf("signature %q, want %q", got.Header.Get(HeaderSignature), want)
	}
	if Sign("s3", "1800000000", body) == Sign("s4", "1800000000", body) {
		t.Error("the secret does not matter")
	}
}

func TestAddress(t *testing.T) {
	// Proves: S3
	for _, c := range []struct {
		name, url string
		remote    bool
		ok        bool
	}{
		{"loopback", "http://127.0.0.1:1/x", false, true},
		{"loopback 6", "http://[::1]:1/x", false, true},
		{"localhost", "http://localhost:1/x", false, true},
		{"remote", "https://example.com/x", false, false},
		{"remote allowed", "https://example.com/x", true, true},
		{"looks like loopback", "http://127.0.0.1.nip.io/x", false, false},
		{"credentials", "http://u:p@127.0.0.1/x", false, false},
		{"scheme", "file:///etc/passwd", true, false},
		{"nothing", "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := (Config{URL: c.url, AllowRemote: c.remote}).Validate(); (err == nil) != c.ok {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestBadAnswers(t *testing.T) {
	// Proves: A12
	hang := make(chan struct{})
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/error":
			w.WriteHeader(http.StatusInternalServerError)
		case "/redirect":
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		case "/hang":
			<-hang
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		}
	}))
	defer server.Close()
	defer close(hang)
	for _, c := range []struct{ path, want string }{
		{"/error", "status 500"}, {"/redirect", "status 307"}, {"/hang", "in time"},
	} {
		h, err := New(Config{URL: server.URL + c.path + "?token=geheim", Limit: 200 * time.Millisecond}, now)
		if err != nil {
			t.Fatal(err)
		}
		err = h.Post(t.Context(), "d", nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "geheim") {
			t.Errorf("%s: got %v", c.path, err)
		}
	}
	h, _ := New(Config{URL: server.URL + "/endless", Limit: time.Second}, now)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := h.Post(ctx, "d", nil); err != nil {
		t.Errorf("an endless answer: %v", err)
	}
}
