package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/bridge/wire"
	"signalbox/center"
	"signalbox/internal/config"
	"signalbox/notify"
	"signalbox/retention"
)

func settings(t *testing.T, home, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, config.FileName), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func connect(t *testing.T, d *Daemon) {
	t.Helper()
	if _, err := d.Center.Do(t.Context(), notify.Owner, notify.CreateConnection{ID: "a", Label: "A"}); err != nil {
		t.Fatal(err)
	}
}

func publish(t *testing.T, d *Daemon, title string) *notify.Record {
	t.Helper()
	r, err := d.Center.Do(t.Context(), notify.Producer("a"), notify.Publish{Connection: "a", Content: notify.Content{Title: title}})
	if err != nil {
		t.Fatal(err)
	}
	return r.Record
}

// A store that cannot be used leaves a center that runs, reads nothing, refuses to write and says why;
// when the reason goes away, it goes on without a restart.
func TestAStoreThatComesLate(t *testing.T) {
	home := t.TempDir()
	d := start(t, Options{Home: home})
	connect(t, d)
	publish(t, d, "kept")
	var made wire.ConnectionCreated
	if got := call(t, d.URL(), d.OwnerToken(), "POST", "/v1/connections", `{"id":"agent","label":"Agent"}`, &made); got != 201 {
		t.Fatalf("make a connection: %d", got)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	// A file stands where the folder was.
	if err := os.Rename(filepath.Join(home, "store"), filepath.Join(home, "away")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, "store"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	told := make(chan struct{}, 10)
	d = start(t, Options{Home: home, Problem: func() { told <- struct{}{} }, storeRetry: 20 * time.Millisecond})
	<-told
	if p := d.Problems(); len(p) != 1 || p[0].Key != ProblemStore || p[0].Text == "" {
		t.Errorf("problems %+v", p)
	}
	_, err := d.Center.Do(t.Context(), notify.Owner, notify.CreateConnection{ID: "b", Label: "B"})
	if code := notify.CodeOf(err); code != notify.CodeUnavailable && code != notify.CodeStorageFull {
		t.Errorf("a write without a store: %v", err)
	}
	var health struct{ Status string }
	if got := call(t, d.URL(), d.OwnerToken(), "GET", "/v1/health", "", &health); got != 200 {
		t.Errorf("health: %d", got)
	}
	// Whose token it is cannot be told now, which is no fault of the token.
	if got := call(t, d.URL(), made.Token, "GET", "/v1/attention", "", nil); got != 503 {
		t.Errorf("a connection's token without a store: %d, want 503", got)
	}
	feed, err := d.Center.Subscribe(-1)
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	if err := os.Remove(filepath.Join(home, "store")); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(home, "away"), filepath.Join(home, "store")); err != nil {
		t.Fatal(err)
	}
	if _, err := feed.Next(t.Context()); err == nil {
		t.Error("the feed was not reset")
	}
	for len(d.Problems()) > 0 { // it is told after the readers
		<-told
	}
	if got := d.Center.Attention().Pending; got != 1 {
		t.Errorf("%d pending", got)
	}
	publish(t, d, "goes on")
	if got := call(t, d.URL(), "no token", "GET", "/v1/attention", "", nil); got != 401 {
		t.Errorf("a wrong token with a store: %d, want 401", got)
	}
}

// waitsAt is a log that does not go on at a message until it may.
type waitsAt struct {
	slog.Handler
	message string
	may     <-chan struct{}
}

func (w waitsAt) Enabled(context.Context, slog.Level) bool { return true }

func (w waitsAt) Handle(_ context.Context, r slog.Record) error {
	if r.Message == w.message {
		<-w.may
	}
	return nil
}

// A start does not wait for a damaged store to be put back: until then the bridge says what is being done, and then
// everything is there.
func TestAStoreThatIsPutBackLate(t *testing.T) {
	home := t.TempDir()
	d := start(t, Options{Home: home})
	var made wire.ConnectionCreated
	if got := call(t, d.URL(), d.OwnerToken(), "POST", "/v1/connections", `{"id":"a","label":"A"}`, &made); got != 201 {
		t.Fatalf("make a connection: %d", got)
	}
	publish(t, d, "kept")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(home, "store", "db", "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	slow, told := make(chan struct{}), make(chan struct{}, 10)
	d = start(t, Options{Home: home, Problem: func() { told <- struct{}{} }, storeWithin: time.Nanosecond,
		Logger: slog.New(waitsAt{slog.DiscardHandler, "store is damaged", slow})})
	<-told
	const published = `{"title":"now"}`
	for _, c := range []struct{ name, token, method, path, body string }{
		{"a publish", made.Token, "POST", "/v1/connections/a/notifications", published},
		{"a list of the connection", made.Token, "GET", "/v1/notifications", ""},
		{"a list of the owner", d.OwnerToken(), "GET", "/v1/notifications", ""},
		{"the counts", d.OwnerToken(), "GET", "/v1/attention", ""},
		{"the connections", d.OwnerToken(), "GET", "/v1/connections", ""},
	} {
		var refusal wire.Problem
		if got := call(t, d.URL(), c.token, c.method, c.path, c.body, &refusal); got != 503 || !strings.Contains(refusal.Detail, "this takes a moment") {
			t.Errorf("%s while the store is put back: %d, %q", c.name, got, refusal.Detail)
		}
	}
	for _, path := range []string{"/v1/health", "/v1/metrics", "/v1/openapi.json"} {
		if got := call(t, d.URL(), d.OwnerToken(), "GET", path, "", nil); got != 200 {
			t.Errorf("%s while the store is put back: %d", path, got)
		}
	}
	if p := d.Problems(); len(p) != 1 || p[0].Key != ProblemStore || !strings.Contains(p[0].Text, "this takes a moment") {
		t.Errorf("problems %+v", p)
	}
	close(slow)
	awaitTold(t, d, "damaged")
	if got := call(t, d.URL(), made.Token, "POST", "/v1/connections/a/notifications", published, nil); got != 201 {
		t.Errorf("a publish after it: %d", got)
	}
	if got := d.Center.Attention().Pending; got != 3 { // with what the owner was told
		t.Errorf("%d pending", got)
	}
}

// A state that cannot be read when the store opens late is read again, until it can.
func TestAStateIsReadAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &Daemon{log: slog.New(slog.DiscardHandler)}
		calls := 0
		load := func(context.Context) error {
			if calls++; calls < 3 {
				return errors.New("not now")
			}
			return nil
		}
		if err := d.loadAgain(t.Context(), load); err != nil || calls != 3 {
			t.Errorf("%v after %d calls", err, calls)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := d.loadAgain(ctx, func(context.Context) error { return errors.New("never") }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("at the end: %v", err)
		}
	})
}

// A store whose folder was removed between two runs is a loss that the owner is told of; a first start,
// and a store that never held anything, are none.
func TestTheOwnerIsToldOfAStoreThatIsGone(t *testing.T) {
	home := t.TempDir()
	for _, step := range []struct {
		name string
		gone bool
	}{{"first start", false}, {"nothing was stored", false}, {"after records", true}, {"told once", false}} {
		d := start(t, Options{Home: home})
		if step.gone {
			awaitTold(t, d, "gone")
		} else if _, ok := d.Center.Connection(systemConnection); ok && step.name != "told once" {
			t.Errorf("%s: the owner was told of something", step.name)
		}
		if step.name == "nothing was stored" {
			connect(t, d)
			publish(t, d, "kept")
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if step.name != "after records" {
			if err := os.RemoveAll(filepath.Join(home, "store")); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Where the store is is noted in one step: a loss of power leaves what was noted before, or what is true now.
func TestTheStoresPlaceIsNotedInOneStep(t *testing.T) {
	home := t.TempDir()
	d := start(t, Options{Home: home})
	connect(t, d)
	publish(t, d, "kept")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	name, before := filepath.Join(home, rememberedName), filepath.Join(home, "before")
	if err := os.WriteFile(name, []byte("elsewhere\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(name, before); err != nil {
		t.Fatal(err)
	}
	d = start(t, Options{Home: home})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(name); err != nil || string(b) != filepath.Join(home, "store")+"\n" {
		t.Errorf("noted is %q, %v", b, err)
	}
	if b, err := os.ReadFile(before); err != nil || string(b) != "elsewhere\n" {
		t.Errorf("the file that was there was written over: %q, %v", b, err)
	}
}

// awaitTold waits until the owner was told with that word.
func awaitTold(t *testing.T, d *Daemon, word string) {
	t.Helper()
	feed, err := d.Center.Subscribe(-1)
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	for {
		// It may have been told before, and a store that was put back begins its log anew.
		page, err := d.Center.Query(t.Context(), notify.Filter{Connections: []string{systemConnection}}, notify.Cursor{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Records) > 0 {
			if r := page.Records[0]; !strings.Contains(r.Body, word) || r.Severity != notify.SeverityError {
				t.Errorf("told %+v", r)
			}
			return
		}
		if _, err := feed.Next(t.Context()); err != nil && !errors.Is(err, center.ErrReset) {
			t.Fatal(err)
		}
	}
}

// Damage is told in the app, as a notification that stays.
func TestTheOwnerIsToldOfDamage(t *testing.T) {
	home := t.TempDir()
	d := start(t, Options{Home: home})
	connect(t, d)
	publish(t, d, "gone")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(home, "store", "db", "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	d = start(t, Options{Home: home})
	awaitTold(t, d, "damaged")
}

// Proves: R4
func TestRetentionOnTheStore(t *testing.T) {
	home := t.TempDir()
	settings(t, home, "[retention]\nkeep_count = 100\n")
	var ahead atomic.Int64
	d := start(t, Options{Home: home, Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }})
	connect(t, d)
	open := publish(t, d, "stays pending")
	var ops []notify.Op
	for i := range 450 {
		ops = append(ops, notify.Publish{Connection: "a", Key: fmt.Sprint(i), Content: notify.Content{Title: fmt.Sprint(i)}})
	}
	if _, err := d.Center.Do(t.Context(), notify.Producer("a"), notify.Batch{Ops: ops}); err != nil {
		t.Fatal(err)
	}
	for i := range ops {
		ops[i] = notify.Resolve{Target: notify.Target{Connection: "a", Key: fmt.Sprint(i)}}
	}
	if _, err := d.Center.Do(t.Context(), notify.Producer("a"), notify.Batch{Ops: ops}); err != nil {
		t.Fatal(err)
	}
	report := d.runner.Once(t.Context())
	if report.Err != nil || report.Removed != 350 {
		t.Errorf("report %+v", report)
	}
	page, err := d.Center.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 500)
	if err != nil || len(page.Records) != 101 {
		t.Errorf("%d records are left, %v", len(page.Records), err)
	}
	// By age, also what is pending since a TTL passed longer ago than the whole period.
	lapsed, err := d.Center.Do(t.Context(), notify.Producer("a"), notify.Publish{Connection: "a", Content: notify.Content{Title: "short",
		Retention: notify.Retention{Policy: notify.TTL, TTL: time.Minute}}})
	if err != nil {
		t.Fatal(err)
	}
	ahead.Store(int64(91 * 24 * time.Hour))
	if report := d.runner.Once(t.Context()); report.Err != nil || report.Removed != 101 {
		t.Errorf("report %+v", report)
	}
	if _, err := d.Center.Record(t.Context(), lapsed.Record.ID); notify.CodeOf(err) != notify.CodeNotFound {
		t.Errorf("the lapsed one: %v", err)
	}
	if r, err := d.Center.Record(t.Context(), open.ID); err != nil || r.Status != notify.Pending {
		t.Errorf("the pending one: %+v, %v", r, err)
	}
	if first, last := d.Store.First(), d.Center.Sequence(); first != last+1 && last-first > 200 {
		t.Errorf("the log still goes from %d to %d", first, last)
	}
	if d.Retention() == (retention.Report{}) {
		t.Error("no report is kept")
	}
}
