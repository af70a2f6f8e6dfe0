package center_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"signalbox/center"
	"signalbox/notify"
	"signalbox/store/memstore"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var agent = notify.Producer("agent")

func tokenHash(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// open opens a center with one connection, "agent", and closes it at the end of the test.
func open(t testing.TB, config center.Config) *center.Center {
	t.Helper()
	if config.Storage == nil {
		config.Storage = memstore.New()
	}
	c, err := center.Open(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, ok := c.Connection("agent"); !ok {
		do(t, c, notify.Owner, notify.CreateConnection{ID: "agent", Label: "Agent", TokenHash: tokenHash("token")})
	}
	return c
}

func do(t testing.TB, c *center.Center, by notify.Actor, op notify.Op) notify.Result {
	t.Helper()
	r, err := c.Do(context.Background(), by, op)
	if err != nil {
		t.Fatalf("%T: %v", op, err)
	}
	return r
}

func publish(key, title string) notify.Publish {
	return notify.Publish{Connection: "agent", Key: key, Content: notify.Content{Title: title}}
}

// slow is a storage whose commits wait for the test and fail as it says.
type slow struct {
	*memstore.Store
	gate   chan struct{} // nil: commits do not wait
	commit func(n int, changes []notify.Change) error
	n      atomic.Int32
}

func (s *slow) Commit(ctx context.Context, changes []notify.Change) error {
	if s.gate != nil {
		<-s.gate
	}
	if s.commit != nil {
		if err := s.commit(int(s.n.Add(1)), changes); err != nil {
			return err
		}
	}
	return s.Store.Commit(ctx, changes)
}

func (s *slow) Backup(context.Context, io.Writer) error { return nil }

// Proves: L8
func TestDoIsSeenByTheNextRead(t *testing.T) {
	c := open(t, center.Config{})
	r := do(t, c, agent, publish("build", "Build started")).Record
	got, err := c.Record(t.Context(), r.ID)
	if err != nil || got.Title != "Build started" || got.Change == 0 || got.Change > c.Sequence() {
		t.Fatalf("got %+v, %v; sequence %d", got, err, c.Sequence())
	}
	page, err := c.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 10)
	if err != nil || len(page.Records) != 1 {
		t.Errorf("query: %v, %v", page, err)
	}
	if rail := c.Rail(notify.SessionRef{}); len(rail.Application) != 1 {
		t.Errorf("rail: %+v", rail)
	}
	if a := c.Attention(); a.Unread != 1 || a.Connections["agent"].Pending != 1 {
		t.Errorf("attention: %+v", a)
	}
	do(t, c, notify.Owner, notify.Dismiss{ID: r.ID, Expect: notify.Expectation{Expect: true, Revision: 1}})
	if got, err := c.Record(t.Context(), r.ID); err != nil || got.Status != notify.Dismissed {
		t.Errorf("after dismissal: %+v, %v", got, err)
	}
	if a := c.Attention(); a.Unread != 0 {
		t.Errorf("attention: %+v", a)
	}
	if _, err := c.Record(t.Context(), "nobody"); notify.CodeOf(err) != notify.CodeNotFound {
		t.Errorf("unknown id: %v", err)
	}
}

// Proves: L4, L3
func TestRacingProducersLeaveOneOccurrence(t *testing.T) {
	c := open(t, center.Config{})
	var group sync.WaitGroup
	for p := range 50 {
		group.Go(func() {
			for i := range 2 {
				if _, err := c.Do(t.Context(), agent, publish("k", fmt.Sprint("try ", p, i))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	feed := subscribe(t, c, 0)
	var at time.Time
	for _, change := range read(t, feed, int(c.Sequence())) {
		if change.At.Before(at) {
			t.Fatalf("change %d goes back in time", change.Seq)
		}
		at = change.At
	}
	page, err := c.Query(t.Context(), notify.Filter{}, notify.Cursor{}, 500)
	if err != nil || len(page.Records) != 1 || page.Records[0].Revision != 100 || page.Records[0].Occurrence != 1 {
		t.Fatalf("%d records, %+v, %v", len(page.Records), page.Records[0], err)
	}
}

// One client pays one commit; what waits meanwhile shares the next.
func TestCommandsThatWaitShareACommit(t *testing.T) {
	s := &slow{Store: memstore.New()}
	c := open(t, center.Config{Storage: s})
	before := s.Commits()
	for i := range 3 {
		do(t, c, agent, publish("", fmt.Sprint(i)))
	}
	if n := s.Commits() - before; n != 3 {
		t.Errorf("3 commands one after another made %d commits", n)
	}
	synctest.Test(t, func(t *testing.T) {
		s := &slow{Store: memstore.New()}
		c := open(t, center.Config{Storage: s})
		before := s.Commits()
		s.gate = make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() { do(t, c, agent, publish("", "first")) })
		synctest.Wait() // the first waits in its commit
		for i := range 300 {
			group.Go(func() { do(t, c, agent, publish("", fmt.Sprint(i))) })
		}
		synctest.Wait()
		if got := c.Attention().Pending; got != 0 {
			t.Errorf("%d are seen before they are on the disk", got)
		}
		close(s.gate)
		group.Wait()
		if n := s.Commits() - before; n != 3 { // 1, 256, 44
			t.Errorf("301 commands made %d commits, want 3", n)
		}
	})
}

// A refused command takes nothing from those that share its commit.
func TestARefusalIsItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{Store: memstore.New()}
		c := open(t, center.Config{Storage: s})
		s.gate = make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() { do(t, c, agent, publish("", "first")) })
		synctest.Wait()
		group.Go(func() { do(t, c, agent, publish("", "good")) })
		group.Go(func() {
			if _, err := c.Do(t.Context(), agent, publish("", "")); notify.CodeOf(err) != notify.CodeInvalidField {
				t.Errorf("no title: %v", err)
			}
		})
		group.Go(func() { do(t, c, agent, publish("", "good too")) })
		synctest.Wait()
		close(s.gate)
		group.Wait()
		if a := c.Attention(); a.Pending != 3 {
			t.Errorf("%d are pending", a.Pending)
		}
	})
}

// Proves: L8
func TestAFailedCommitChangesNothing(t *testing.T) {
	for name, failure := range map[string]error{
		"no space":  notify.Errorf(notify.CodeStorageFull, "full"),
		"no disk":   notify.Errorf(notify.CodeUnavailable, "gone"),
		"something": errors.New("disk on fire"),
	} {
		t.Run(name, func(t *testing.T) {
			s := &slow{Store: memstore.New()}
			c := open(t, center.Config{Storage: s})
			r := do(t, c, agent, publish("k", "one")).Record
			feed, err := c.Subscribe(-1)
			if err != nil {
				t.Fatal(err)
			}
			defer feed.Close()
			before, badge := c.Sequence(), c.Attention()
			s.FailWrites(failure)
			for _, op := range []notify.Op{publish("k", "two"), publish("", "new"), notify.SetRead{ID: r.ID, Read: true}} {
				by := agent
				if _, ok := op.(notify.SetRead); ok {
					by = notify.Owner
				}
				_, err := c.Do(t.Context(), by, op)
				var e *notify.Error
				if !errors.As(err, &e) || e.Code != notify.CodeUnavailable && e.Code != notify.CodeStorageFull {
					t.Errorf("%T: %v", op, err)
				}
			}
			if got, _ := c.Record(t.Context(), r.ID); got.Title != "one" || got.Read || got.Revision != 1 {
				t.Errorf("record is %+v", got)
			}
			if c.Sequence() != before || c.Attention().Counts != badge.Counts {
				t.Errorf("sequence %d, was %d", c.Sequence(), before)
			}
			s.FailWrites(nil)
			do(t, c, agent, publish("k", "three"))
			change, err := feed.Next(t.Context())
			if err != nil || change.Seq != before+1 || change.Record.Title != "three" || change.Record.Revision != 2 {
				t.Errorf("first change is %+v, %v", change, err)
			}
		})
	}
}

// What the store cannot take fails alone, and not those that share its commit.
func TestOneBadCommandFailsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{Store: memstore.New()}
		c := open(t, center.Config{Storage: s})
		s.commit = func(_ int, changes []notify.Change) error {
			for _, change := range changes {
				if change.Record != nil && change.Record.Title == "bad" {
					return errors.New("too large")
				}
			}
			return nil
		}
		s.gate = make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() { do(t, c, agent, publish("", "first")) })
		synctest.Wait()
		for _, title := range []string{"a", "bad", "b"} {
			group.Go(func() {
				if _, err := c.Do(t.Context(), agent, publish("", title)); (err != nil) != (title == "bad") {
					t.Errorf("%s: %v", title, err)
				}
			})
		}
		synctest.Wait()
		close(s.gate)
		group.Wait()
		if a := c.Attention(); a.Pending != 3 {
			t.Errorf("%d are pending", a.Pending)
		}
	})
}

// The end of the caller's patience does not undo what was taken.
func TestTheContextEndsTheWaitingOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{Store: memstore.New()}
		c := open(t, center.Config{Storage: s})
		s.gate = make(chan struct{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := c.Do(ctx, agent, publish("", "late")); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		close(s.gate)
		synctest.Wait()
		if a := c.Attention(); a.Pending != 1 {
			t.Errorf("%d are pending", a.Pending)
		}
		if _, err := c.Do(ctx, agent, publish("", "never")); err == nil {
			t.Error("an ended context was taken")
		}
	})
}

// Close finishes what was taken and refuses the rest.
func TestCloseDrains(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &slow{Store: memstore.New()}
		c := open(t, center.Config{Storage: s})
		s.gate = make(chan struct{})
		var group sync.WaitGroup
		for i := range 600 {
			group.Go(func() { do(t, c, agent, publish("", fmt.Sprint(i))) })
		}
		feed, err := c.Subscribe(-1)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		closed := make(chan struct{})
		go func() { c.Close(); close(closed) }()
		synctest.Wait()
		if _, err := c.Do(t.Context(), agent, publish("", "late")); notify.CodeOf(err) != notify.CodeUnavailable {
			t.Errorf("while closing: %v", err)
		}
		close(s.gate)
		group.Wait()
		<-closed
		n := 0
		for {
			change, err := feed.Next(t.Context())
			if err != nil {
				if !errors.Is(err, center.ErrClosed) {
					t.Error(err)
				}
				break
			}
			if change.Record != nil {
				n++
			}
		}
		if n != 600 {
			t.Errorf("the feed told of %d of 600", n)
		}
		if _, err := c.Subscribe(-1); notify.CodeOf(err) != notify.CodeUnavailable {
			t.Errorf("subscribe after close: %v", err)
		}
	})
}

// Proves: S3
func TestAuthenticate(t *testing.T) {
	c := open(t, center.Config{})
	check := func(token, want string) {
		t.Helper()
		if got, ok := c.Authenticate(token); got != want || ok != (want != "") {
			t.Errorf("token %q: %q, %v; want %q", token, got, ok, want)
		}
	}
	check("token", "agent")
	check("tokem", "")
	check("", "")
	do(t, c, notify.Owner, notify.RotateToken{ID: "agent", TokenHash: tokenHash("other")})
	check("token", "")
	check("other", "agent")
	do(t, c, notify.Owner, notify.CreateConnection{ID: "b", Label: "B", TokenHash: tokenHash("bee")})
	check("bee", "b")
	do(t, c, agent, notify.Hello{Connection: "agent", Lifetime: "1"})
	check("other", "agent")
	do(t, c, notify.Owner, notify.RevokeConnection{ID: "agent"})
	check("other", "")
	check("bee", "b")
}

func TestPurgeRemovesEverythingOfAConnection(t *testing.T) {
	s := memstore.New()
	c := open(t, center.Config{Storage: s})
	do(t, c, notify.Owner, notify.CreateConnection{ID: "b", Label: "B"})
	do(t, c, notify.Producer("b"), notify.Publish{Connection: "b", Content: notify.Content{Title: "stays"}})
	for i := range 1200 {
		r := do(t, c, agent, publish("", fmt.Sprint(i))).Record
		if i%2 == 0 {
			do(t, c, agent, notify.Resolve{Target: notify.Target{ID: r.ID}})
		}
	}
	do(t, c, notify.Owner, notify.RevokeConnection{ID: "agent", Purge: true})
	page, err := c.Query(t.Context(), notify.Filter{IncludeSilent: true}, notify.Cursor{}, 500)
	if err != nil || len(page.Records) != 1 || page.Records[0].Title != "stays" {
		t.Errorf("%d records are left, %v", len(page.Records), err)
	}
	if _, ok := c.Connection("agent"); ok {
		t.Error("the connection is still there")
	}
}

// Proves: S2
func TestTextsAreMaskedBeforeTheyAreStored(t *testing.T) {
	mask := func(content *notify.Content) (fields []string) {
		if content.Title == "secret" {
			content.Title = "•"
			fields = append(fields, "/title")
		}
		if content.Body == "secret" {
			content.Body = "•"
			fields = append(fields, "/body")
		}
		if string(content.Data) == `"secret"` {
			content.Data = notify.RawJSON(`"•"`)
			fields = append(fields, "/data")
		}
		return fields
	}
	c := open(t, center.Config{Mask: mask})
	got := do(t, c, agent, publish("k", "secret"))
	if got.Record.Title != "•" || len(got.Masked) != 1 || got.Masked[0] != "/title" {
		t.Errorf("publish: %+v", got)
	}
	got = do(t, c, agent, notify.Update{ID: got.Record.ID, Changes: notify.Content{Body: "secret"}, Fields: []string{"body"}})
	if got.Record.Body != "•" || len(got.Masked) != 1 {
		t.Errorf("update: %+v", got)
	}
	ask := notify.Content{Title: "?", Kind: notify.KindInteraction, Interaction: &notify.Interaction{Prompt: "?",
		Options: []notify.Option{{ID: "y", Label: "Yes", Comment: "optional"}}, Fields: []notify.Field{{ID: "f", Label: "F", Type: notify.FieldText}}}}
	r := do(t, c, agent, notify.Publish{Connection: "agent", Content: ask}).Record
	fields := map[string]notify.RawJSON{"f": notify.RawJSON(`"secret"`)}
	got = do(t, c, notify.Owner, notify.AnswerOp{ID: r.ID, Answer: notify.Answer{Option: "y", Comment: "secret", Fields: fields}})
	if a := got.Record.Outcome.Answer; a.Comment != "•" || string(a.Fields["f"]) != `"•"` || string(fields["f"]) != `"secret"` {
		t.Errorf("answer: %+v; the caller's: %s", a, fields["f"])
	}
	label, title := "secret", "secret"
	do(t, c, agent, notify.Hello{Connection: "agent", Lifetime: "1", Label: &label})
	s := do(t, c, agent, notify.PutSession{Connection: "agent", Session: "s", Title: &title}).Session
	if v, _ := c.Connection("agent"); v.Label != "•" || s.Title != "•" || label != "secret" {
		t.Errorf("label %q, title %q", v.Label, s.Title)
	}
	batch := do(t, c, agent, notify.Batch{Ops: []notify.Op{publish("", "secret"), publish("", "fine")}})
	if batch.Results[0].Record.Title != "•" || len(batch.Results[0].Masked) != 1 || len(batch.Results[1].Masked) != 0 {
		t.Errorf("batch: %+v", batch)
	}
	given := &notify.Record{ID: "x", Connection: "agent", Status: notify.Resolved, Content: notify.Content{Title: "secret"}, InteractionError: "secret",
		PlusOnes: []notify.PlusOne{{Sender: "secret", Note: "secret"}}, Outcome: &notify.Outcome{Kind: notify.OutcomeResolved, Reason: "secret"}}
	do(t, c, notify.Owner, notify.Import{Records: []*notify.Record{given}})
	r, err := c.Record(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	for what, text := range map[string]string{"title": r.Title, "error": r.InteractionError, "sender": r.PlusOnes[0].Sender, "note": r.PlusOnes[0].Note, "reason": r.Outcome.Reason} {
		if text != "•" {
			t.Errorf("import: %s is %q", what, text)
		}
	}
}

func TestReloadTakesUpWhatTheStorageHolds(t *testing.T) {
	s := memstore.New()
	c := open(t, center.Config{Storage: s})
	feed, err := c.Subscribe(-1)
	if err != nil {
		t.Fatal(err)
	}
	defer feed.Close()
	// Another center writes behind the first one's back, as a store that comes back has more than none.
	other, err := center.Open(t.Context(), center.Config{Storage: s})
	if err != nil {
		t.Fatal(err)
	}
	do(t, other, agent, publish("", "behind"))
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := feed.Next(t.Context()); !errors.Is(err, center.ErrReset) {
		t.Errorf("feed: %v", err)
	}
	if a := c.Attention(); a.Pending != 1 {
		t.Errorf("%d pending", a.Pending)
	}
	do(t, c, agent, publish("", "goes on"))
	if change, err := feed.Next(t.Context()); err != nil || change.Record.Title != "goes on" {
		t.Errorf("feed: %+v, %v", change, err)
	}
}
