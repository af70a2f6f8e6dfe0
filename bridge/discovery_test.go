package bridge

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"io"
	"io/fs"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
)

func readBridgeFile(t testing.TB, dir string) wire.Bridge {
	t.Helper()
	var b wire.Bridge
	eventually(t, "the discovery file is written", func() bool {
		text, err := os.ReadFile(filepath.Join(dir, wire.BridgeFile))
		return err == nil && json.Unmarshal(text, &b) == nil
	})
	return b
}

func TestDiscoveryFile(t *testing.T) {
	dir := t.TempDir()
	r := newRig(t, func(c *Config) { c.Dir = dir })
	b := readBridgeFile(t, dir)
	if b.URL != r.server.URL() || b.Token != r.owner || b.PID != os.Getpid() || b.Version != "test" || b.StartedAt.IsZero() || len(b.Instance) < 32 {
		t.Errorf("got %+v", b)
	}
	for _, name := range []string{wire.BridgeFile, ownerTokenFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	// Who answers proves that it wrote the file.
	got := mustAs[wire.Identity](r, "", 200, "GET", wire.PathIdentity+"?nonce=abc", nil)
	mac := hmac.New(sha256.New, []byte(b.InstanceSecret))
	mac.Write([]byte("abc"))
	if got.Instance != b.Instance || got.Proof != hex.EncodeToString(mac.Sum(nil)) {
		t.Errorf("identity %+v", got)
	}
	r.refused(400, wire.CodeInvalidField, "", "GET", wire.PathIdentity, nil)
	r.refused(400, wire.CodeInvalidField, "", "GET", wire.PathIdentity+"?nonce="+strings.Repeat("x", 300), nil)

	r.stop()
	if _, err := os.Stat(filepath.Join(dir, wire.BridgeFile)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
	// The owner's token is the same in the next run.
	again := serve(t, r.center, func(c *Config) { c.Dir = dir })
	defer again.stop()
	if again.owner != r.owner {
		t.Error("the owner's token changed")
	}
	if next := readBridgeFile(t, dir); next.Instance == b.Instance || next.InstanceSecret == b.InstanceSecret {
		t.Error("the next run is the same instance")
	}
}

// What keeps the file from being written does not keep the bridge from answering, and it is written afterwards.
func TestDiscoveryFileFollows(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, wire.BridgeFile)
	if err := os.MkdirAll(filepath.Join(path, "in the way"), 0o700); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, func(c *Config) {
		c.Dir = dir
		c.timeouts = usualTimeouts
		c.timeouts.retry = 10 * time.Millisecond
	})
	r.connect("c1")
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
	if b := readBridgeFile(t, dir); b.URL != r.server.URL() {
		t.Errorf("got %+v", b)
	}
	r.stop()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
}

// Where no new file can be made, that of a dead run is written over.
func TestDiscoveryFileIsOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), wire.BridgeFile)
	if err := os.WriteFile(path, []byte(strings.Repeat("x", 2000)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := overwrite(path, []byte("new")); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || string(b) != "new" {
		t.Errorf("%q, %v", b, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// A file that another run wrote meanwhile stays.
func TestDiscoveryFileOfAnotherStays(t *testing.T) {
	dir := t.TempDir()
	r := newRig(t, func(c *Config) { c.Dir = dir })
	b := readBridgeFile(t, dir)
	b.Instance = "another"
	if err := announce(dir, b); err != nil {
		t.Fatal(err)
	}
	r.stop()
	if got := readBridgeFile(t, dir); got.Instance != "another" {
		t.Errorf("got %+v", got)
	}
}

// T18: what others could open is made private, and that is logged.
func TestOpenFilesAreMadePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // its profile folders are private by themselves
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, ownerTokenFile), []byte(NewToken()), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r := newRig(t, func(c *Config) { c.Dir = dir })
	for path, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, ownerTokenFile): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if !strings.Contains(r.log.String(), ownerTokenFile) {
		t.Error("it was not logged")
	}
}

func TestUnixSocket(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // it has none
	}
	dir, err := os.MkdirTemp("", "sb") // short: a socket's path is bounded
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, wire.SocketFile)
	// One that a dead run left is in nobody's way.
	if dead, err := net.Listen("unix", path); err == nil {
		dead.(*net.UnixListener).SetUnlinkOnClose(false)
		dead.Close()
	}
	r := newRig(t, func(c *Config) { c.Dir = dir })
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	transport := &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "unix", path)
	}}
	defer transport.CloseIdleConnections()
	for host, want := range map[string]int{"localhost": 200, "localhost:9000": 200, "127.0.0.1:1": 200, "[::1]:5": 200, "[::1]": 200,
		"evil.example": 403, "localhost.evil.example": 403, "localhost:x": 403, "unix:1": 403} {
		req, _ := http.NewRequest("GET", "http://localhost/v1/attention", nil)
		req.Host = host
		req.Header.Set("Authorization", "Bearer "+r.owner)
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, resp.StatusCode, want)
		}
	}
	r.stop()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the socket is left: %v", err)
	}
}

func TestListening(t *testing.T) {
	open := func(change func(*Config)) (*Server, error) {
		r := Config{Center: newRig(t).center, Token: NewToken(), Now: time.Now, Log: newRig(t).server.log}
		change(&r)
		s, err := Open(t.Context(), r)
		if err == nil {
			t.Cleanup(func() { s.Close() })
		}
		return s, err
	}
	for _, addr := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.1:0", "example.com:0"} {
		if _, err := open(func(c *Config) { c.Listen = addr }); !errors.Is(err, ErrNotLoopback) {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if _, err := open(func(c *Config) { c.Listen = "nonsense" }); err == nil {
		t.Error("nonsense was accepted")
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	if _, err := open(func(c *Config) { c.Listen = taken.Addr().String() }); err == nil {
		t.Error("a port that is taken was accepted although it was asked for")
	}
	for _, addr := range []string{"localhost:0", "LocalHost:0"} {
		if s, err := open(func(c *Config) { c.Listen = addr }); err != nil || !strings.HasPrefix(s.URL(), "http://127.0.0.1:") {
			t.Errorf("%s: %v", addr, err)
		}
	}
	if _, err := open(func(c *Config) { c.Token = "" }); err == nil {
		t.Error("neither a directory nor a token")
	}
	// The default port, or a free one when something else has it.
	holder, herr := net.Listen("tcp", wire.DefaultAddress)
	if herr == nil {
		defer holder.Close()
	}
	s, err := open(func(c *Config) { c.Listen = "" })
	if err != nil || s.URL() == "http://"+wire.DefaultAddress {
		t.Errorf("with the default port taken: %v", err)
	}
}

// An address for other machines needs TLS, and then its own name in Host.
func TestTLS(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "desk"}, DNSNames: []string{"desk.example"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: der}, keyFile: {Type: "EC PRIVATE KEY", Bytes: keyDER}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := newRig(t, func(c *Config) {
		c.Listen, c.TLSCertFile, c.TLSKeyFile, c.Hosts = "0.0.0.0:0", certFile, keyFile, []string{"desk.example"}
	})
	own, p, _ := net.SplitHostPort(strings.TrimPrefix(r.server.URL(), "https://"))
	if own != "127.0.0.1" {
		t.Errorf("clients here are told to call %s, which is no address of one machine", own)
	}
	pool := x509.NewCertPool()
	cert, _ := x509.ParseCertificate(der)
	pool.AddCert(cert)
	transport := http.DefaultTransport.(*http.Transport).Clone()
	defer transport.CloseIdleConnections()
	transport.TLSClientConfig.RootCAs = pool
	transport.TLSClientConfig.ServerName = "desk.example"
	transport.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:"+p)
	}
	for host, want := range map[string]int{"desk.example:" + p: 200, "evil.example:" + p: 403, "localhost:" + p: 200, own + ":" + p: 200} {
		req, _ := http.NewRequest("GET", "https://desk.example:"+p+"/v1/health", nil)
		req.Host = host
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("Host %s: %d, want %d", host, resp.StatusCode, want)
		}
	}
}

// A page that the owner allowed gets what a browser needs, and no other.
func TestAllowedOrigin(t *testing.T) {
	r := newRig(t, func(c *Config) { c.AllowedOrigins = []string{"https://dash.example"} })
	got := r.try(r.owner, "GET", wire.PathAttention, nil, "Origin", "https://dash.example", "Sec-Fetch-Site", "cross-site")
	if got.status != 200 || got.header.Get("Access-Control-Allow-Origin") != "https://dash.example" {
		t.Errorf("%d %v", got.status, got.header)
	}
	status, header, _ := raw(t, r.server, "OPTIONS /v1/notifications HTTP/1.1\r\nHost: localhost:"+port(r.server)+
		"\r\nConnection: close\r\nOrigin: https://dash.example\r\nAccess-Control-Request-Method: POST\r\n\r\n")
	if status != 204 || header.Get("Access-Control-Allow-Methods") == "" {
		t.Errorf("%d %v", status, header)
	}
	r.refused(403, wire.CodeForbiddenOrigin, r.owner, "GET", wire.PathAttention, nil, "Origin", "https://other.example")
	r.refused(401, wire.CodeUnauthorized, "", "GET", wire.PathAttention, nil, "Origin", "https://dash.example")
	r.server.Reconfigure(Live{})
	r.refused(403, wire.CodeForbiddenOrigin, r.owner, "GET", wire.PathAttention, nil, "Origin", "https://dash.example")
}

func TestDescriptionIsServed(t *testing.T) {
	r := newRig(t)
	token := r.connect("c1")
	got := r.try(token, "GET", wire.PathOpenAPI, nil)
	if got.status != 200 || !bytes.Equal(got.body, openAPIDescription) {
		t.Errorf("%d, %d bytes", got.status, len(got.body))
	}
	if h := mustAs[wire.Health](r, "", 200, "GET", wire.PathHealth, nil); h.Status != "ok" || h.Version != "test" {
		t.Errorf("health %+v", h)
	}
}
