package client_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/client"
)

func TestDataDir(t *testing.T) {
	if got := client.DataDir(env(client.EnvHome, "/x")); got != "/x" {
		t.Errorf("got %s", got)
	}
	if got := client.DataDir(env()); !filepath.IsAbs(got) || filepath.Base(got) != "signalbox" {
		t.Errorf("got %s", got)
	}
}

func TestDiscoverPrefersTheEnvironment(t *testing.T) {
	d := newDesk(t)
	owner := d.client()
	token := func() string {
		made, err := owner.CreateConnection(t.Context(), wire.ConnectionCreate{ID: "c1", Label: "c1"})
		if err != nil {
			t.Fatal(err)
		}
		return made.Token
	}()
	for name, getenv := range map[string]func(string) string{
		"address and token":      env(client.EnvURL, d.url, client.EnvToken, token),
		"token, address by file": env(client.EnvHome, d.dir, client.EnvToken, token),
		"socket":                 env(client.EnvURL, "unix://"+filepath.Join(d.dir, wire.SocketFile), client.EnvToken, token),
	} {
		t.Run(name, func(t *testing.T) {
			c, err := client.Discover(t.Context(), client.Environment{Getenv: getenv})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if got, err := c.Connection(t.Context(), "c1"); err != nil || got.ID != "c1" {
				t.Errorf("%+v, %v", got, err)
			}
			if _, err := c.Attention(t.Context()); client.Code(err) != wire.CodeForbidden {
				t.Errorf("attention: %v", err)
			}
		})
	}
	if _, err := client.Discover(t.Context(), client.Environment{Getenv: env(client.EnvURL, d.url)}); !errors.Is(err, client.ErrNoToken) {
		t.Errorf("no token: %v", err)
	}
	for _, bad := range []string{"nonsense", "ftp://localhost", "http://", "http://user:pass@localhost", "unix://"} {
		if _, err := client.New(bad, "t", nil); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

// T16, T17: a file of a dead process is absent, and what has its port by now is
// shown no token.
func TestDiscoverShowsNoTokenToStrangers(t *testing.T) {
	var shown atomic.Bool
	squatter := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			shown.Store(true)
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"instance":"i","proof":"00","status":"ok"}`))
	}))
	defer squatter.Close()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	for name, url := range map[string]string{"squatter": squatter.URL, "nobody": "http://" + gone.Addr().String()} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			b, _ := json.Marshal(wire.Bridge{URL: url, Token: "secret", PID: os.Getpid(), Instance: "i", InstanceSecret: "s"})
			if err := os.WriteFile(filepath.Join(dir, wire.BridgeFile), b, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := client.Discover(t.Context(), client.Environment{Dir: dir, Getenv: env()}); !errors.Is(err, client.ErrUnreachable) {
				t.Errorf("got %v", err)
			}
		})
	}
	for name, text := range map[string]string{"absent": "", "damaged": "{"} {
		dir := t.TempDir()
		if text != "" {
			os.WriteFile(filepath.Join(dir, wire.BridgeFile), []byte(text), 0o600)
		}
		if _, err := client.Discover(t.Context(), client.Environment{Dir: dir, Getenv: env()}); !errors.Is(err, client.ErrUnreachable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if shown.Load() {
		t.Error("the squatter saw the token")
	}
}
