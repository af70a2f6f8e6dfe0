package bridge

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"signalbox/bridge/wire"
)

// knock opens a connection and, with a path, makes a request on it, which stays open.
func (r *rig) knock(path string) (net.Conn, *http.Response) {
	r.t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.server.URL(), "http://"))
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(10 * time.Second)); err != nil {
		r.t.Fatal(err)
	}
	if path == "" {
		return conn, nil
	}
	fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: localhost:%s\r\nAuthorization: Bearer %s\r\n\r\n", path, port(r.server), r.owner)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	return conn, resp
}

// Connections on which nothing is asked give way to those that come: whoever holds many of them
// keeps nobody out, and disturbs no request.
func TestIdleConnectionsGiveWay(t *testing.T) {
	const most = 6
	r := newRig(t, func(c *Config) { c.connections = most })
	_, stream := r.knock(wire.PathEvents)

	var idle []net.Conn
	for range 3 * most {
		silent, _ := r.knock("")
		fmt.Fprint(silent, "GET /v1/health HTTP/1.1\r\n") // and no more of it
		used, resp := r.knock(wire.PathHealth)
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatal(err)
		}
		idle = append(idle, silent, used)
	}
	r.connect("c1")
	r.publish("c1", wire.Publish{Title: "still here"})

	var text strings.Builder
	for b := make([]byte, 4096); !strings.Contains(text.String(), "still here"); {
		n, err := stream.Body.Read(b)
		if text.Write(b[:n]); err != nil {
			t.Fatalf("the stream ended: %v", err)
		}
	}
	closed := 0
	for _, conn := range idle {
		if err := conn.SetReadDeadline(time.Now().Add(time.Millisecond)); err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			closed++
		}
	}
	if left := len(idle) - closed; left > most {
		t.Errorf("%d idle connections are open, of at most %d", left, most)
	}
}

// Where every connection is at work, a further one waits until one of them is done.
func TestBusyConnectionsKeepTheirPlace(t *testing.T) {
	const most = 3
	r := newRig(t, func(c *Config) { c.connections = most })
	var streams []net.Conn
	for range most {
		conn, _ := r.knock(wire.PathEvents)
		streams = append(streams, conn)
	}
	waiting, _ := r.knock("")
	fmt.Fprintf(waiting, "GET %s HTTP/1.1\r\nHost: localhost:%s\r\n\r\n", wire.PathHealth, port(r.server))
	answer := make(chan error, 1)
	go func() {
		resp, err := http.ReadResponse(bufio.NewReader(waiting), nil)
		if err == nil && resp.StatusCode != http.StatusOK {
			err = errors.New(resp.Status)
		}
		answer <- err
	}()
	for _, conn := range streams { // each still gets its comments
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			t.Errorf("a stream ended: %v", err)
		}
	}
	select {
	case err := <-answer:
		t.Fatalf("answered beyond the limit: %v", err)
	default:
	}
	streams[0].Close()
	if err := <-answer; err != nil {
		t.Errorf("after another was done: %v", err)
	}
}
