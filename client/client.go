package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
)

const (
	// connectTimeout bounds connecting: the center is on this machine, or behind
	// a forward that is.
	connectTimeout = 5 * time.Second
	// maxAnswer bounds what is read of an answer, in bytes. A page of 500 records
	// of the largest size is more than a center ever sends.
	maxAnswer = 256 << 20
)

// endpoint is where the center is and the token it is shown.
type endpoint struct {
	base   string // http://host:port
	socket string // the Unix socket's path; empty: TCP
	token  string
}

// parseEndpoint reads an address: http://…, https://… or unix:///path.
func parseEndpoint(address, token string) (endpoint, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return endpoint{}, fmt.Errorf("address of the center: %w", err)
	case u.Scheme == "unix" && u.Path != "":
		return endpoint{base: "http://localhost", socket: u.Path, token: token}, nil
	case (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" && u.User == nil:
		return endpoint{base: u.Scheme + "://" + u.Host + strings.TrimSuffix(u.Path, "/"), token: token}, nil
	}
	return endpoint{}, fmt.Errorf("address of the center: want http://HOST:PORT or unix:///PATH")
}

// Client speaks to one center. It is safe for concurrent use.
type Client struct {
	http *http.Client
	// again looks for the center anew; nil: it stays where it is.
	again func(context.Context) (endpoint, error)

	mu sync.Mutex // protects at
	at endpoint
}

// New returns a client of the center at an address, http://HOST:PORT or
// unix:///PATH, that shows a token. A nil transport is the package's own.
func New(address, token string, transport http.RoundTripper) (*Client, error) {
	at, err := parseEndpoint(address, token)
	if err != nil {
		return nil, err
	}
	if transport == nil {
		transport = newTransport()
	}
	return newClient(at, transport), nil
}

func newClient(at endpoint, transport http.RoundTripper) *Client {
	return &Client{at: at, http: &http.Client{
		Transport: transport,
		// A redirect would carry the token elsewhere.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// socketKey carries the socket's path to the dialler.
type socketKey struct{}

// newTransport is the package's own: no proxy, and Unix sockets.
func newTransport() *http.Transport {
	dialer := &net.Dialer{Timeout: connectTimeout}
	return &http.Transport{
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if path, ok := ctx.Value(socketKey{}).(string); ok {
				return dialer.DialContext(ctx, "unix", path)
			}
			return dialer.DialContext(ctx, network, address)
		},
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
		DisableCompression:  true,
	}
}

// Close gives up idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Token is the token that the client shows. The key of its callbacks'
// signatures is made of it.
func (c *Client) Token() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at.token
}

// call is one request.
type call struct {
	method, path string
	query        url.Values
	header       http.Header
	body         any // nil: none
	// sure says that it may be sent again when it is not known whether it was
	// taken.
	sure bool
}

// do sends a request and reads its answer into out, which may be nil.
func (c *Client) do(ctx context.Context, q call, out any) error {
	resp, err := c.send(ctx, q)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if out == nil {
		_, _ = io.CopyN(io.Discard, resp.Body, 64<<10) // so that the connection can be used again
		return nil
	}
	if err := json.UnmarshalRead(io.LimitReader(resp.Body, maxAnswer), out); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return &unreachable{fmt.Errorf("read the answer: %w", err)}
	}
	return nil
}

// send sends a request and returns a good answer, whose body is to be closed. A
// refusal is a *wire.Problem.
func (c *Client) send(ctx context.Context, q call) (*http.Response, error) {
	var body []byte
	if q.body != nil {
		var err error
		if body, err = json.Marshal(q.body); err != nil {
			return nil, fmt.Errorf("encode the request: %w", err)
		}
	}
	c.mu.Lock()
	at := c.at
	c.mu.Unlock()
	resp, err := c.try(ctx, at, q, body)
	if err != nil && c.again != nil && ctx.Err() == nil && (q.sure || notSent(err)) {
		// Perhaps it was started anew elsewhere.
		if moved, ferr := c.again(ctx); ferr == nil {
			c.mu.Lock()
			c.at = moved
			c.mu.Unlock()
			resp, err = c.try(ctx, moved, q, body)
		}
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, &unreachable{withoutAddress(err)}
	}
	if resp.StatusCode >= 200 && resp.StatusCode <= 299 {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, problemOf(resp)
}

func (c *Client) try(ctx context.Context, at endpoint, q call, body []byte) (*http.Response, error) {
	address := at.base + q.path
	if len(q.query) > 0 {
		address += "?" + q.query.Encode()
	}
	if at.socket != "" {
		ctx = context.WithValue(ctx, socketKey{}, at.socket)
	}
	req, err := http.NewRequestWithContext(ctx, q.method, address, nil)
	if err != nil {
		return nil, err
	}
	for name, values := range q.header {
		req.Header[name] = values
	}
	req.Header.Set("User-Agent", "signalbox-go")
	if at.token != "" {
		req.Header.Set("Authorization", "Bearer "+at.token)
	}
	if body != nil {
		req.Body = io.NopCloser(bytes.NewReader(body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
		req.ContentLength = int64(len(body))
		req.Header.Set("Content-Type", "application/json")
	}
	return c.http.Do(req)
}

// notSent says that a request failed before any of it was sent.
func notSent(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "dial"
}

// withoutAddress is err without the address, whose query may hold content.
func withoutAddress(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// problemOf reads a refusal. What is not one of ours comes from something else
// that listens there.
func problemOf(resp *http.Response) error {
	var p wire.Problem
	b, _ := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
	if media != wire.ProblemType || json.Unmarshal(b, &p) != nil || p.Code == "" {
		return &unreachable{fmt.Errorf("what answers there is no center: status %d", resp.StatusCode)}
	}
	p.Status = resp.StatusCode
	return &p
}

func (c *Client) get(ctx context.Context, path string, query url.Values, out any) error {
	return c.do(ctx, call{method: http.MethodGet, path: path, query: query, sure: true}, out)
}

func (c *Client) post(ctx context.Context, path string, body, out any) error {
	return c.do(ctx, call{method: http.MethodPost, path: path, body: body}, out)
}

func (c *Client) put(ctx context.Context, path string, body, out any) error {
	return c.do(ctx, call{method: http.MethodPut, path: path, body: body, sure: true}, out)
}
