package reload

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/notify"
)

// fake is a center with one connection, and a server that may fail.
type fake struct {
	mu       sync.Mutex
	conn     notify.Connection
	invalid  []*notify.Invalidation
	sessions []string
	acked    []string
	loads    []time.Time
	failing  bool
	removed  bool
	changes  chan notify.Change
}

func newFake() *fake {
	return &fake{conn: notify.Connection{ID: "c", SessionsURL: "http://127.0.0.1/s", ActionsURL: "http://127.0.0.1/a", Lifetime: "1"}, changes: make(chan notify.Change, 10)}
}

func (f *fake) Do(_ context.Context, _ notify.Actor, op notify.Op) (notify.Result, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch op := op.(type) {
	case notify.PutSession:
		if op.Session == "" {
			return notify.Result{}, notify.Invalid("/session", "is required")
		}
		f.sessions = append(f.sessions, op.Connection+"/"+op.Session)
	case notify.AckInvalidations:
		f.acked = append(f.acked, op.IDs...)
		f.invalid = slices.DeleteFunc(f.invalid, func(i *notify.Invalidation) bool {
			return slices.Contains(op.IDs, i.ID) && i.Change <= op.Through
		})
	}
	return notify.Result{}, nil
}

func (f *fake) Connections() []notify.ConnectionView {
	v, _ := f.Connection("c")
	return []notify.ConnectionView{v}
}

func (f *fake) Connection(id string) (notify.ConnectionView, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.conn
	return notify.ConnectionView{Connection: &c}, id == "c" && !f.removed
}

func (f *fake) Invalidations(string) []*notify.Invalidation {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.invalid)
}

func (f *fake) Next(ctx context.Context) (notify.Change, error) {
	select {
	case c := <-f.changes:
		return c, nil
	case <-ctx.Done():
		return notify.Change{}, ctx.Err()
	}
}

func (f *fake) Close() {}

func (f *fake) invalidate(kind notify.InvalidationKind, change int64) {
	i := &notify.Invalidation{ID: string(kind), Connection: "c", Kind: kind, Change: change}
	f.mu.Lock()
	f.invalid = slices.DeleteFunc(f.invalid, func(old *notify.Invalidation) bool { return old.ID == i.ID })
	f.invalid = append(f.invalid, i)
	f.mu.Unlock()
	f.changes <- notify.Change{Name: notify.EvInvalidation, Invalidation: i}
}

func (f *fake) Sessions(context.Context, string) ([]notify.PutSession, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loads = append(f.loads, time.Now())
	if f.failing {
		return nil, errors.New("no answer")
	}
	return []notify.PutSession{{Session: "s1"}, {}, {Session: "s2"}}, nil
}

func (f *fake) Actions(context.Context, string) ([]notify.Action, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.failing {
		return nil, errors.New("no answer")
	}
	return []notify.Action{{ID: "a", Label: "Archive"}}, nil
}

func (f *fake) Invoke(context.Context, string, string) error { return nil }

func serve(t *testing.T, f *fake) (*Service, func()) {
	s := New(Config{Center: f, Fetcher: f, Subscribe: func() (Feed, error) { return f, nil }})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx) }()
	return s, func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Serve ended with %v", err)
		}
	}
}

// Proves: E2
func TestWhatIsInvalidIsLoadedAndAcknowledged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		s, stop := serve(t, f)
		defer stop()
		synctest.Wait()
		if got := s.Actions("c"); len(got.Actions) != 1 || got.Stale || got.Problem != "" {
			t.Errorf("after the start: %+v", got)
		}
		f.sessions = nil
		f.invalidate(notify.InvalidSessionList, 7)
		synctest.Wait()
		if want := []string{"c/s1", "c/s2"}; !reflect.DeepEqual(f.sessions, want) {
			t.Errorf("sessions %v, want %v", f.sessions, want)
		}
		if len(f.invalid) != 0 || len(f.acked) != 1 {
			t.Errorf("left %v, acknowledged %v", f.invalid, f.acked)
		}
	})
}

// Who comes under the id of a removed connection begins with nothing of the old one's.
func TestARemovedConnectionIsForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		s, stop := serve(t, f)
		defer stop()
		synctest.Wait()
		f.mu.Lock()
		f.removed = true
		f.mu.Unlock()
		f.changes <- notify.Change{Name: notify.EvConnection, Connection: &f.conn, Removed: true}
		synctest.Wait()
		if got := s.Actions("c"); len(got.Actions) != 0 {
			t.Errorf("its actions are kept: %+v", got)
		}
		f.mu.Lock()
		f.removed = false
		before := len(f.loads)
		f.mu.Unlock()
		f.changes <- notify.Change{Name: notify.EvConnection, Connection: &f.conn}
		synctest.Wait()
		if got := s.Actions("c"); len(got.Actions) != 1 || len(f.loads) != before+1 {
			t.Errorf("after it came again: %+v, %d loads", got, len(f.loads)-before)
		}
	})
}

// Proves: E2
func TestAFailedLoadIsKeptAndTriedAgainWithGrowingPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		s, stop := serve(t, f)
		defer stop()
		synctest.Wait()
		f.mu.Lock()
		f.failing, f.loads = true, nil
		f.mu.Unlock()
		f.invalidate(notify.InvalidSessionList, 7)
		f.invalidate(notify.InvalidActions, 8)
		time.Sleep(16 * time.Second)
		synctest.Wait()
		if n := len(f.loads); n < 4 || n > 7 {
			t.Errorf("%d loads in 16 s, want about 5", n)
		}
		if len(f.acked) != 0 {
			t.Errorf("acknowledged %v without a load", f.acked)
		}
		if got := s.Actions("c"); !got.Stale || got.Problem == "" || len(got.Actions) != 1 {
			t.Errorf("while it fails: %+v, want the old ones, stale, with the problem", got)
		}
		f.mu.Lock()
		f.failing = false
		f.mu.Unlock()
		time.Sleep(LongestRetry)
		synctest.Wait()
		if len(f.invalid) != 0 {
			t.Errorf("still invalid: %v", f.invalid)
		}
		if got := s.Actions("c"); got.Stale || got.Problem != "" {
			t.Errorf("after it worked: %+v", got)
		}
		f.mu.Lock()
		f.loads = nil
		f.mu.Unlock()
		time.Sleep(time.Hour)
		synctest.Wait()
		if len(f.loads) != 0 {
			t.Errorf("%d loads in an hour with nothing invalid", len(f.loads))
		}
	})
}

func TestServersThatMisbehave(t *testing.T) {
	for _, tc := range []struct {
		name string
		h    http.HandlerFunc
	}{
		{"status", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }},
		{"redirect", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "http://192.0.2.1/", 302) }},
		{"no JSON", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("<html>")) }},
		{"endless", func(w http.ResponseWriter, _ *http.Request) {
			for range 3 << 10 {
				w.Write([]byte(strings.Repeat(" ", 1024)))
			}
		}},
		{"no id", func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte(`{"sessions":[{}],"actions":[{}]}`)) }},
		{"too many", func(w http.ResponseWriter, _ *http.Request) {
			one := `{"id":"x","label":"x"}`
			many := "[" + strings.Repeat(one+",", 500) + one + "]"
			w.Write([]byte(`{"sessions":` + many + `,"actions":` + many + `}`))
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			srv := httptest.NewServer(tc.h)
			defer srv.Close()
			h := NewHTTP(func() bool { return false })
			defer h.Client.CloseIdleConnections()
			if got, err := h.Sessions(t.Context(), srv.URL); err == nil {
				t.Errorf("sessions %v, want an error", got)
			}
			if got, err := h.Actions(t.Context(), srv.URL); err == nil {
				t.Errorf("actions %v, want an error", got)
			}
		})
	}
}

func TestDefinitionsAreReadAndActionsInvoked(t *testing.T) {
	var invoked string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			b := make([]byte, r.ContentLength)
			r.Body.Read(b)
			invoked = string(b)
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Write([]byte(`{"sessions":[{"id":"s1","title":"Kiosk","later":1}],"actions":[{"id":"a","label":"Arch\u001b[31mive","style":"loud"}]}`))
	}))
	defer srv.Close()
	h := NewHTTP(func() bool { return false })
	defer h.Client.CloseIdleConnections()
	sessions, err := h.Sessions(t.Context(), srv.URL)
	if err != nil || len(sessions) != 1 || sessions[0].Session != "s1" || *sessions[0].Title != "Kiosk" {
		t.Errorf("sessions %+v, %v", sessions, err)
	}
	actions, err := h.Actions(t.Context(), srv.URL)
	want := []notify.Action{{ID: "a", Label: "Archive", Style: "default"}}
	if err != nil || !reflect.DeepEqual(actions, want) {
		t.Errorf("actions %+v, %v, want %+v", actions, err, want)
	}
	if err := h.Invoke(t.Context(), srv.URL, "a"); err != nil || invoked != `{"action":"a"}` {
		t.Errorf("invoked %q, %v", invoked, err)
	}
}

// What is old is said of each list, until it has been loaded or is announced no longer; and somebody who looks
// makes it try again at once.
//
// Proves: E2
func TestWhatIsOldIsSaidAndTriedAgainWhenLookedAt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		f.failing = true
		var mu sync.Mutex
		told := 0
		s := New(Config{Center: f, Fetcher: f, Subscribe: func() (Feed, error) { return f, nil },
			Changed: func(string) { mu.Lock(); told++; mu.Unlock() }})
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Serve(ctx) }()
		defer func() { cancel(); <-done }()
		time.Sleep(4 * time.Second)
		synctest.Wait()
		if got := s.Troubled()["c"]; got.Problem == "" || got.SessionsProblem == "" || !got.Stale {
			t.Errorf("while it fails: %+v", got)
		}
		mu.Lock()
		if told == 0 || told > 3 { // not for each try
			t.Errorf("told %d times", told)
		}
		mu.Unlock()
		f.mu.Lock()
		f.failing = false
		f.mu.Unlock()
		s.Retry("c")
		synctest.Wait()
		if got := s.Actions("c"); len(s.Troubled()) != 0 || len(got.Actions) != 1 || got.Stale {
			t.Errorf("after it worked: %+v, troubled %v", got, s.Troubled())
		}
		before := len(f.loads)
		s.Retry("c") // nothing is wrong
		s.Retry("unknown")
		f.mu.Lock()
		f.conn.ActionsURL, f.conn.SessionsURL = "", ""
		f.mu.Unlock()
		f.changes <- notify.Change{Name: notify.EvConnection, Connection: &notify.Connection{ID: "c"}}
		synctest.Wait()
		if got := s.Actions("c"); len(got.Actions) != 0 || len(f.loads) != before {
			t.Errorf("after the addresses are gone: %+v, %d loads more", got, len(f.loads)-before)
		}
	})
}

func TestActionsAskAsOnNotifications(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"actions":[{"id":"a","label":"A","confirm":true},{"id":"b","label":"B","confirm":"Drop it?"},{"id":"c","label":"C","confirm":false}]}`))
	}))
	defer srv.Close()
	list, err := NewHTTP(func() bool { return false }).Actions(t.Context(), srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, a := range list {
		got = append(got, a.Confirm)
	}
	if want := []string{"Are you sure?", "Drop it?", ""}; !slices.Equal(got, want) {
		t.Errorf("asks %q, want %q", got, want)
	}
}

// Who loads for a connection ends with it, and begins anew with one of the same id. A service that has ended
// can be served again.
func TestALoaderEndsWithItsConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		s, stop := serve(t, f)
		running := func() int {
			synctest.Wait()
			s.mu.Lock()
			defer s.mu.Unlock()
			return len(s.running)
		}
		remove := func(removed bool) {
			f.mu.Lock()
			f.removed = removed
			conn := f.conn
			f.mu.Unlock()
			f.changes <- notify.Change{Name: notify.EvConnection, Connection: &conn, Removed: removed}
		}
		if n := running(); n != 1 {
			t.Fatalf("%d loaders at the start", n)
		}
		remove(true)
		if n := running(); n != 0 {
			t.Errorf("%d loaders after the connection was removed", n)
		}
		remove(false)
		if n := running(); n != 1 || len(s.Actions("c").Actions) != 1 {
			t.Errorf("%d loaders, and %+v, of a new connection of the same id", n, s.Actions("c"))
		}
		stop()
		if n := running(); n != 0 {
			t.Errorf("%d loaders after the end", n)
		}
		f.mu.Lock()
		f.loads = nil
		f.mu.Unlock()
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- s.Serve(ctx) }()
		synctest.Wait()
		f.mu.Lock()
		if len(f.loads) != 1 {
			t.Errorf("%d loads, served again", len(f.loads))
		}
		f.mu.Unlock()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}
