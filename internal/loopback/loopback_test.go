package loopback

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func never() bool { return false }

// Proves: S3. An address elsewhere is refused before anything is sent to it, and allowed from the moment on which it is.
func TestWhereAClientGoes(t *testing.T) {
	if _, err := NewClient(time.Minute, never).Get("http://192.0.2.1:9/"); !errors.Is(err, ErrRemote) {
		t.Errorf("got %v", err)
	}
	allowed := false
	remote := func() bool { return allowed }
	for _, c := range []struct {
		address string
		here    bool
	}{
		{"127.0.0.1:1", true}, {"127.9.9.9:1", true}, {"[::1]:1", true}, {"[::ffff:127.0.0.1]:1", true},
		{"192.0.2.1:1", false}, {"0.0.0.0:1", false}, {"[::]:1", false}, {"[fe80::1%eth0]:1", false}, {"nonsense", false},
	} {
		allowed = false
		if err := check(c.address, remote); (err == nil) != c.here {
			t.Errorf("%s: %v", c.address, err)
		}
		allowed = true
		if err := check(c.address, remote); err != nil {
			t.Errorf("%s, allowed: %v", c.address, err)
		}
	}
}

// Proves: S3. Every call asks anew: no redirect is followed and no connection is kept.
func TestEveryCallAsks(t *testing.T) {
	var followed atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { followed.Store(true) }))
	defer elsewhere.Close()
	var connections atomic.Int32
	s := httptest.NewUnstartedServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	c := NewClient(time.Minute, never)
	for range 2 {
		res, err := c.Get(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusTemporaryRedirect {
			t.Errorf("status %d", res.StatusCode)
		}
	}
	if n := connections.Load(); n != 2 || followed.Load() {
		t.Errorf("%d connections, followed %v", n, followed.Load())
	}
}
