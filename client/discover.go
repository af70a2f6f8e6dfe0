package client

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
)

// Environment is where a client looks for the center.
type Environment struct {
	// Getenv reads the environment; nil: os.Getenv.
	Getenv func(string) string
	// Dir is the data directory; empty: DataDir.
	Dir string
	// Transport carries the requests; nil: the package's own.
	Transport http.RoundTripper
}

func (e Environment) getenv(name string) string {
	if e.Getenv == nil {
		return os.Getenv(name) // the SDK's usable default; programs of ours pass their own
	}
	return e.Getenv(name)
}

func (e Environment) dir() string {
	if e.Dir != "" {
		return e.Dir
	}
	return DataDir(e.getenv)
}

// Discover finds the running center: SIGNALBOX_URL and SIGNALBOX_TOKEN first,
// then the discovery file in the data directory. A token in the environment is
// used with an address from the file, too. What the file names must prove that
// it wrote the file before it is shown a token: a file of a dead process, whose
// port another program may have by now, counts as absent. No center is
// ErrUnreachable.
//
// A client that was found by the file looks again when the center cannot be
// reached any more, so it outlives a restart of the center.
func Discover(ctx context.Context, env Environment) (*Client, error) {
	if env.Transport == nil {
		env.Transport = newTransport()
	}
	found, err := env.find(ctx)
	if err != nil {
		return nil, err
	}
	c := newClient(found, env.Transport)
	if env.getenv(EnvURL) == "" {
		c.again = env.find
	}
	return c, nil
}

// find returns where the center is, and the token to show.
func (e Environment) find(ctx context.Context) (endpoint, error) {
	token := e.getenv(EnvToken)
	if address := e.getenv(EnvURL); address != "" {
		if token == "" {
			return endpoint{}, ErrNoToken
		}
		return parseEndpoint(address, token)
	}
	b, err := readBridge(e.dir())
	if err != nil {
		return endpoint{}, &unreachable{err}
	}
	if token == "" {
		token = b.Token
	}
	// The socket serves where the port cannot be reached: a container that has
	// the data directory, a forward.
	candidates := []string{b.URL}
	socket := filepath.Join(e.dir(), wire.SocketFile)
	if _, serr := os.Stat(socket); serr == nil {
		candidates = append(candidates, (&url.URL{Scheme: "unix", Path: socket}).String())
	}
	for _, address := range candidates {
		var at endpoint
		if at, err = parseEndpoint(address, token); err != nil {
			continue
		}
		if err = challenge(ctx, at, e.Transport, b); err == nil {
			return at, nil
		}
		if ctx.Err() != nil {
			break
		}
	}
	return endpoint{}, &unreachable{err}
}

const maxBridgeFile = 64 << 10 // bytes

// readBridge reads the discovery file.
func readBridge(dir string) (wire.Bridge, error) {
	var b wire.Bridge
	path := filepath.Join(dir, wire.BridgeFile)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return b, fmt.Errorf("no %s: it does not run", wire.BridgeFile)
	}
	if err != nil {
		return b, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxBridgeFile {
		return b, fmt.Errorf("%s is damaged", wire.BridgeFile) // a pipe would hold the caller for ever
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return b, err
	}
	if err := json.Unmarshal(text, &b); err != nil || b.URL == "" || b.Token == "" || b.InstanceSecret == "" {
		return b, fmt.Errorf("%s is damaged", wire.BridgeFile)
	}
	return b, nil
}

// challenge has whoever answers prove that it wrote the discovery file, without
// showing it anything of worth.
func challenge(ctx context.Context, at endpoint, transport http.RoundTripper, b wire.Bridge) error {
	nonce := make([]byte, 16)
	rand.Read(nonce) // never fails: the runtime ends the process first
	text := hex.EncodeToString(nonce)
	at.token = ""
	c := newClient(at, transport)
	var id wire.Identity
	if err := c.get(ctx, wire.PathIdentity, url.Values{"nonce": {text}}, &id); err != nil {
		return err
	}
	mac := hmac.New(sha256.New, []byte(b.InstanceSecret))
	mac.Write([]byte(text))
	proof, err := hex.DecodeString(id.Proof)
	if err != nil || !hmac.Equal(proof, mac.Sum(nil)) || id.Instance != b.Instance {
		return errImpostor
	}
	return nil
}
