package client_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/bridge/wire"
	"signalbox/client"
	"signalbox/internal/private"
	"signalbox/notify"
)

// newSink returns a sink for the connection c1 of d.
func newSink(t testing.TB, d *desk, dir string, change ...func(*client.SinkConfig)) *client.Sink {
	t.Helper()
	cfg := client.SinkConfig{
		Environment: client.Environment{Getenv: env(client.EnvHome, d.dir)}, Connection: "c1", Dir: dir, Timeout: 3 * time.Second,
	}
	for _, f := range change {
		f(&cfg)
	}
	s := client.NewSink(cfg)
	t.Cleanup(s.Close)
	return s
}

func files(t testing.TB, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var names []string
	for _, f := range list {
		names = append(names, f.Name())
	}
	return names
}

// titles of all records, oldest first.
func (d *desk) titles() []string {
	d.t.Helper()
	page, err := d.center.Query(context.Background(), notify.Filter{IncludeSilent: true}, notify.Cursor{}, 500)
	if err != nil {
		d.t.Fatal(err)
	}
	out := make([]string, len(page.Records))
	for i, r := range page.Records {
		out[len(out)-1-i] = r.Title
	}
	return out
}

// Proves: S1, A13. T61: kept while the center is away; replayed in order, once,
// with the original instants.
func TestSinkKeepsAndReplays(t *testing.T) {
	d := newDesk(t)
	d.connect(d.client(), "c1")
	dir := filepath.Join(t.TempDir(), "spool")
	now := time.Now().Add(-time.Hour).Truncate(time.Millisecond).UTC()
	s := newSink(t, d, dir, func(c *client.SinkConfig) { c.Now = func() time.Time { return now } })

	if told := s.Publish(t.Context(), wire.Publish{Key: "k", Title: "one"}); told.Outcome != client.Delivered || told.Notification.Title != "one" {
		t.Fatalf("told %+v", told)
	}
	d.stop()
	began := now
	for i, tell := range []func() client.Told{
		func() client.Told { return s.Resolve(t.Context(), "", "k", "done") },
		func() client.Told { return s.Publish(t.Context(), wire.Publish{Key: "k", Title: "two"}) },
		func() client.Told { return s.Publish(t.Context(), wire.Publish{Title: "three"}) },
		func() client.Told { return s.CompleteRequest(t.Context(), "r") },
	} {
		now = began.Add(time.Duration(i) * time.Minute)
		if told := tell(); told.Outcome != client.Kept || told.Err == nil {
			t.Errorf("told %+v", told)
		}
	}
	if n := len(files(t, dir)); n != 4 {
		t.Fatalf("%d files are kept", n)
	}
	for _, name := range files(t, dir) {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	d.start()
	// The next call brings the rest with it, before itself.
	if told := s.Publish(t.Context(), wire.Publish{Title: "four"}); told.Outcome != client.Delivered {
		t.Fatalf("told %+v", told)
	}
	if got := strings.Join(d.titles(), " "); got != "one two three four" {
		t.Errorf("the center has %s", got)
	}
	page, err := d.center.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range page.Records {
		if r.Title == "two" && (!r.CreatedAt.Equal(began.Add(time.Minute)) || r.Occurrence != 2) {
			t.Errorf("two was created at %v as occurrence %d", r.CreatedAt, r.Occurrence)
		}
	}
	if left := files(t, dir); len(left) != 0 {
		t.Errorf("left %v", left)
	}
	if left := s.Flush(t.Context()); left != 0 {
		t.Errorf("flush leaves %d", left)
	}
}

// What was sent but not acknowledged is sent again, and happened once.
func TestSinkRepeatsHappenOnce(t *testing.T) {
	d := newDesk(t)
	c := d.connect(d.client(), "c1")
	dir := t.TempDir()
	var cut atomic.Bool
	cut.Store(true)
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		out := r.Clone(r.Context())
		out.RequestURI, out.URL.Scheme, out.URL.Host, out.Host = "", "http", strings.TrimPrefix(d.url, "http://"), ""
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			t.Error(err)
			return
		}
		defer resp.Body.Close()
		if cut.Load() {
			panic(http.ErrAbortHandler) // the center did it; its answer is lost
		}
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		resp.Write(httptest.NewRecorder())
	}))
	defer proxy.Close()
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	s := client.NewSink(client.SinkConfig{Connection: "c1", Dir: dir, Open: func(context.Context) (*client.Client, error) {
		return client.New(proxy.URL, c.Token(), nil)
	}})
	defer s.Close()
	if told := s.Publish(t.Context(), wire.Publish{Title: "x"}); told.Outcome != client.Kept {
		t.Fatalf("told %+v", told)
	}
	cut.Store(false)
	direct := newSink(t, d, dir)
	if left := direct.Flush(t.Context()); left != 0 {
		t.Errorf("%d are left", left)
	}
	if got := d.titles(); len(got) != 1 {
		t.Errorf("it happened %d times", len(got))
	}
}

// pipes is a network in memory: unlike a real one, it has the clock of the test.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error { close(p); return nil }

func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipes", Net: "unix"} }

func (p pipes) transport() *http.Transport {
	return &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		here, there := net.Pipe()
		select {
		case p <- there:
			return here, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}}
}

// Proves: S1. A center that hangs, fails or talks nonsense costs bounded time and
// fails nobody.
func TestSinkIsBoundedWhateverAnswers(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"hangs": func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // or the library does not see the client go
			<-r.Context().Done()
		},
		"fails":    func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) },
		"nonsense": func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) },
		"silent":   nil,
		"panics":   nil,
		"absent":   nil,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dir := t.TempDir()
				cfg := client.SinkConfig{Connection: "c1", Dir: dir, Timeout: 200 * time.Millisecond}
				want := client.Kept
				network := make(pipes)
				transport := network.transport()
				cfg.Open = func(context.Context) (*client.Client, error) { return client.New("http://127.0.0.1:1", "t", transport) }
				switch {
				case name == "panics":
					cfg.Open = func(context.Context) (*client.Client, error) { panic("a fault of ours") }
					want = client.Lost
				case name == "absent":
					cfg.Open = nil
					cfg.Environment = client.Environment{Getenv: env(client.EnvHome, filepath.Join(dir, "nothing"))}
				case name == "silent": // accepts, never answers
					defer network.Close()
					go func() {
						for c, err := network.Accept(); err == nil; c, err = network.Accept() {
							go io.Copy(io.Discard, c)
						}
					}()
				default:
					s := &http.Server{Handler: handler}
					defer s.Close()
					go s.Serve(network)
				}
				s := client.NewSink(cfg)
				defer s.Close()
				start := time.Now()
				told := s.Publish(t.Context(), wire.Publish{Title: "x"})
				stuck := name == "hangs" || name == "silent"
				if took := time.Since(start); took > cfg.Timeout || stuck && took < cfg.Timeout {
					t.Errorf("it took %v", took)
				}
				if told.Outcome != want {
					t.Errorf("told %+v, want %s", told, want)
				}
			})
		})
	}
	// Not even a folder to write to.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := client.NewSink(client.SinkConfig{Connection: "c1", Dir: filepath.Join(file, "x"), Environment: client.Environment{Getenv: env(client.EnvHome, file)}})
	defer s.Close()
	if told := s.Publish(t.Context(), wire.Publish{Title: "x"}); told.Outcome != client.Lost || told.Err == nil {
		t.Errorf("told %+v", told)
	}
	// The caller's own end is no reason to lose it.
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s2 := client.NewSink(client.SinkConfig{Connection: "c1", Dir: t.TempDir(), Environment: client.Environment{Getenv: env(client.EnvHome, "/nonexistent")}})
	defer s2.Close()
	if told := s2.Publish(ended, wire.Publish{Title: "x"}); told.Outcome != client.Kept {
		t.Errorf("told %+v", told)
	}
}

// What the center refuses for good is given up and holds up nothing; what it
// refuses for now is kept.
func TestSinkTellsRefusalsApart(t *testing.T) {
	d := newDesk(t)
	owner := d.client()
	d.connect(owner, "c1")
	dir := t.TempDir()
	s := newSink(t, d, dir)
	if told := s.Publish(t.Context(), wire.Publish{Title: ""}); told.Outcome != client.Refused || client.Code(told.Err) != wire.CodeInvalidField {
		t.Errorf("told %+v", told)
	}
	if told := s.Resolve(t.Context(), "", "none", ""); told.Outcome != client.Delivered {
		t.Errorf("told %+v", told)
	}
	d.stop()
	s.Publish(t.Context(), wire.Publish{Title: ""})
	s.Publish(t.Context(), wire.Publish{Title: "good"})
	if err := os.WriteFile(filepath.Join(dir, "00000000000000000000-cut.json"), []byte(`{"key":`), 0o600); err != nil {
		t.Fatal(err)
	}
	d.start()
	if left := s.Flush(t.Context()); left != 0 {
		t.Errorf("%d are left", left)
	}
	if got := d.titles(); len(got) != 1 || got[0] != "good" {
		t.Errorf("the center has %v", got)
	}
}

// What is kept is bounded: the oldest make room.
func TestSinkIsBoundedOnTheDisk(t *testing.T) {
	dir := t.TempDir()
	s := client.NewSink(client.SinkConfig{Connection: "c1", Dir: dir, MaxCount: 3, MaxBytes: 2000,
		Environment: client.Environment{Getenv: env(client.EnvHome, "/nonexistent")}})
	defer s.Close()
	for i := range 5 {
		s.Publish(t.Context(), wire.Publish{Title: fmt.Sprint("n", i)})
	}
	names := files(t, dir)
	if len(names) != 3 {
		t.Fatalf("%d are kept", len(names))
	}
	if b, err := os.ReadFile(filepath.Join(dir, names[0])); err != nil || !strings.Contains(string(b), "n2") {
		t.Errorf("the oldest is %s, %v", b, err)
	}
	s.Publish(t.Context(), wire.Publish{Title: "big", Body: strings.Repeat("x", 1850)})
	if names := files(t, dir); len(names) != 1 {
		t.Errorf("%d are kept", len(names))
	}
	if told := s.Publish(t.Context(), wire.Publish{Title: "too big", Body: strings.Repeat("x", 3000)}); told.Outcome != client.Lost {
		t.Errorf("told %+v", told)
	}
}

// Several processes share a folder: all is delivered, once, each one's in order.
func TestSinksShareAFolder(t *testing.T) {
	d := newDesk(t)
	d.connect(d.client(), "c1")
	dir := t.TempDir()
	d.stop()
	sinks := make([]*client.Sink, 4)
	for i := range sinks {
		sinks[i] = newSink(t, d, dir)
		for j := range 5 {
			sinks[i].Publish(t.Context(), wire.Publish{Title: fmt.Sprintf("%d-%d", i, j)})
		}
	}
	d.start()
	var all sync.WaitGroup
	for i, s := range sinks {
		all.Go(func() {
			for j := 5; j < 10; j++ {
				s.Publish(t.Context(), wire.Publish{Title: fmt.Sprintf("%d-%d", i, j)})
			}
			s.Flush(t.Context())
		})
	}
	all.Wait()
	sinks[0].Flush(t.Context())
	next := make([]int, len(sinks))
	got := d.titles()
	for _, title := range got {
		var i, j int
		fmt.Sscanf(title, "%d-%d", &i, &j)
		if j != next[i] {
			t.Errorf("%s comes when %d-%d is next", title, i, next[i])
		}
		next[i] = j + 1
	}
	if len(got) != 40 {
		t.Errorf("%d were delivered", len(got))
	}
}

// A lock stays its holder's, however old it is, and one whose holder died holds nobody up.
func TestSinkOutlivesADeadLock(t *testing.T) {
	d := newDesk(t)
	d.connect(d.client(), "c1")
	dir := t.TempDir()
	d.stop()
	s := newSink(t, d, dir, func(c *client.SinkConfig) { c.Timeout = time.Second })
	s.Publish(t.Context(), wire.Publish{Title: "x"})
	lock := filepath.Join(dir, "lock")
	unlock, err := private.Lock(lock)
	if err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Hour)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	d.start()
	if told := s.Publish(t.Context(), wire.Publish{Title: "y"}); told.Outcome != client.Kept {
		t.Errorf("while another delivers: %+v", told)
	}
	unlock()
	if err := os.WriteFile(lock, nil, 0o600); err != nil { // what a killed process leaves
		t.Fatal(err)
	}
	if left := s.Flush(t.Context()); left != 0 {
		t.Errorf("%d are left", left)
	}
	if got := strings.Join(d.titles(), " "); got != "x y" {
		t.Errorf("the center has %s", got)
	}
}
