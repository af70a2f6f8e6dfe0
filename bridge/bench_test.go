package bridge

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"signalbox/bridge/wire"
)

// BenchmarkPublish is what the bridge adds to a publication: guard, decoding,
// rules, encoding; without the network and with a store in memory.
func BenchmarkPublish(b *testing.B) {
	r := newRig(b)
	token := r.connect("c1")
	h := r.server.handler(&door{hosts: map[string]bool{"localhost": true}})
	body := `{"key":"build","title":"Build 42 failed","body":"make: *** [test] Error 1","severity":"error","tags":["ci"],"lines":["a","b"]}`
	path := wire.Path(wire.PathPublish, "c1")
	b.ReportAllocs()
	for b.Loop() {
		req := httptest.NewRequest("POST", path, strings.NewReader(body))
		req.Host, req.RemoteAddr = "localhost", "127.0.0.1:1"
		req.Header.Set("Authorization", "Bearer "+token)
		req.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, req)
		if w.Code > 201 {
			b.Fatalf("%d %s", w.Code, w.Body)
		}
	}
}

// BenchmarkBare is the same request to a handler that does nothing: the harness.
func BenchmarkBare(b *testing.B) {
	h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	b.ReportAllocs()
	for b.Loop() {
		req := httptest.NewRequest("POST", "/", strings.NewReader(`{"title":"x"}`))
		h.ServeHTTP(httptest.NewRecorder(), req)
	}
}
