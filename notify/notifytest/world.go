// Package notifytest makes up lives of notifications for property tests: random commands of an owner
// and a few connections, close enough to each other that keys, events, sessions and deadlines
// collide. It owns nothing but what it was shown and promises nothing about how often what occurs;
// it never decides a rule.
package notifytest

import (
	"fmt"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
)

// The names that commands are about. One session's name begins as the other's.
var (
	Connections = []string{"alpha", "beta"}
	Sessions    = []string{"", "s", "s2"}
	Keys        = []string{"", "", "build", "deploy"}
	Requests    = []string{"r1", "r2"}
	Occurrences = []string{"t1", "t2", "t3"}
)

// Seen is a record as a client last saw it.
type Seen struct {
	ID         string
	Connection string
	Revision   int
	Asks       bool
}

// World is what the clients of a center know, and the clock of a test. Its zero value is not usable;
// use New.
type World struct {
	Now  time.Time
	Seen []Seen
	ids  int
}

// New is a world in which nothing has happened.
func New() *World { return &World{Now: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)} }

// NextID is a fresh id of the shape of a UUIDv7, each greater than the one before.
func (w *World) NextID() string {
	w.ids++
	return fmt.Sprintf("01900000-0000-7000-8000-%012d", w.ids)
}

// Register are the commands that register the connections.
func (w *World) Register() []notify.Command {
	var out []notify.Command
	for _, c := range Connections {
		out = append(out, notify.Command{At: w.Now, By: notify.Owner,
			Op: notify.CreateConnection{ID: c, Label: c, TokenHash: []byte(c)}})
	}
	return out
}

// Learn remembers a record as a client that got it would.
func (w *World) Learn(r *notify.Record) {
	if r == nil {
		return
	}
	s := Seen{r.ID, r.Connection, r.Revision, r.Kind == notify.KindInteraction}
	for i := range w.Seen {
		if w.Seen[i].ID == r.ID {
			w.Seen[i] = s
			return
		}
	}
	w.Seen = append(w.Seen, s)
}

// LearnAll learns from a result and all within it.
func (w *World) LearnAll(r notify.Result) {
	w.Learn(r.Record)
	for _, one := range r.Results {
		w.LearnAll(one)
	}
}

// Command draws the next command, some time after the last, of everything there is.
func (w *World) Command(t *rapid.T) notify.Command {
	w.Now = w.Now.Add(time.Duration(rapid.SampledFrom([]int{0, 1, 20, 500, 2_000, 60_000}).Draw(t, "later")) * time.Millisecond)
	by, op := w.Op(t)
	return w.command(by, op)
}

func (w *World) command(by notify.Actor, op notify.Op) notify.Command {
	c := notify.Command{At: w.Now, By: by, Op: op}
	n := 0
	switch op := op.(type) {
	case notify.Publish:
		n = 1
	case notify.Batch:
		n = len(op.Ops)
	}
	for range n {
		c.IDs = append(c.IDs, w.NextID())
	}
	return c
}

// Op draws an operation and who asks for it.
func (w *World) Op(t *rapid.T) (notify.Actor, notify.Op) {
	c := rapid.SampledFrom(Connections).Draw(t, "connection")
	by := notify.Producer(c)
	switch rapid.IntRange(0, 19).Draw(t, "what") {
	case 0:
		return by, w.Batch(t, c)
	case 1:
		return notify.Center, notify.Tick{}
	case 2:
		return by, notify.CompleteRequest{Connection: c, Request: rapid.SampledFrom(Requests).Draw(t, "request")}
	case 3:
		return by, notify.Hello{Connection: c, Lifetime: rapid.SampledFrom([]string{"one", "two"}).Draw(t, "lifetime")}
	case 4:
		return w.party(t, c)
	case 5, 6, 7, 8, 9:
		return by, w.Publish(t, c)
	}
	if len(w.Seen) == 0 {
		return by, w.Publish(t, c)
	}
	return w.OnRecord(t)
}

// party draws an operation on a connection or a session.
func (w *World) party(t *rapid.T, c string) (notify.Actor, notify.Op) {
	session := rapid.SampledFrom(Sessions[1:]).Draw(t, "session")
	switch rapid.IntRange(0, 6).Draw(t, "party") {
	case 0:
		return notify.Producer(c), notify.EndSession{Connection: c, Session: session}
	case 1:
		n := rapid.Int64Range(0, 9).Draw(t, "sequence")
		return notify.Owner, notify.SeeSession{Connection: c, Session: session, Sequence: n}
	case 2:
		state := rapid.SampledFrom([]string{"working", "waiting", "waiting", "idle"}).Draw(t, "state")
		return notify.Producer(c), notify.PutSession{Connection: c, Session: session, State: &state}
	case 3:
		open := rapid.Bool().Draw(t, "open")
		return notify.Owner, notify.UpdateConnection{ID: c, Open: &open}
	case 4:
		return notify.Owner, notify.SetFocus{Focus: notify.SessionRef{Connection: c, Session: session}}
	case 5:
		return notify.Center, notify.SetPresence{Connection: c, Streams: rapid.IntRange(0, 2).Draw(t, "streams")}
	}
	return notify.Producer(c), notify.AckInvalidations{Connection: c, IDs: []string{"session_list", "session:s"}}
}

// Content draws what a producer may write.
func (w *World) Content(t *rapid.T, session string) notify.Content {
	c := notify.Content{
		Title:    rapid.SampledFrom([]string{"Build finished", "Tests failed", "Deploy?"}).Draw(t, "title"),
		Severity: rapid.SampledFrom([]notify.Severity{"", notify.SeverityError, notify.SeverityWarning}).Draw(t, "severity"),
		Silent:   rapid.IntRange(0, 9).Draw(t, "silent") == 0,
		DedupKey: rapid.SampledFrom([]string{"", "", "d1", "d2"}).Draw(t, "dedup"),
	}
	switch rapid.IntRange(0, 5).Draw(t, "kind") {
	case 0:
		c.Kind, c.Progress = notify.KindProgress, &notify.Progress{Current: 1}
	case 1, 2:
		c.Kind = notify.KindInteraction
		c.Interaction = &notify.Interaction{Prompt: "Go on?", Options: []notify.Option{{ID: "yes"}, {ID: "no", Comment: "required"}}}
		if rapid.Bool().Draw(t, "times out") {
			c.Interaction.TimeoutSeconds = rapid.SampledFrom([]float64{0.5, 2, 90}).Draw(t, "timeout")
			c.Interaction.TimeoutOption = rapid.SampledFrom([]string{"", "no"}).Draw(t, "timeout option")
		}
	}
	switch rapid.IntRange(0, 5).Draw(t, "retention") {
	case 0:
		c.Retention = notify.Retention{Policy: notify.TTL, TTL: rapid.SampledFrom([]time.Duration{time.Second, time.Minute}).Draw(t, "ttl")}
	case 1:
		c.Retention.Policy = notify.RequestBound
		c.Request = rapid.SampledFrom(Requests).Draw(t, "bound to")
	case 2:
		c.Retention.Policy = notify.ServerLifetime
	}
	if session != "" && rapid.IntRange(0, 3).Draw(t, "event") == 0 {
		c.Event = &notify.Event{
			Type: rapid.SampledFrom([]string{notify.EventTurnFinished, notify.EventTurnFailed,
				notify.EventClarificationRequested, notify.EventPromptSubmitted}).Draw(t, "type"),
			Occurrence: rapid.SampledFrom(Occurrences).Draw(t, "occurrence"),
		}
	}
	if rapid.IntRange(0, 9).Draw(t, "refresh") == 0 {
		c.Refresh = &notify.Refresh{SessionList: true, Sessions: []string{"s"}}
	}
	return c
}

// Publish draws a publication to a connection.
func (w *World) Publish(t *rapid.T, connection string) notify.Publish {
	p := notify.Publish{
		Connection: connection,
		Session:    rapid.SampledFrom(Sessions).Draw(t, "session"),
		Key:        rapid.SampledFrom(Keys).Draw(t, "key"),
		Muted:      rapid.IntRange(0, 9).Draw(t, "muted") == 0,
	}
	p.Content = w.Content(t, p.Session)
	p.Corroborate = p.Content.DedupKey != "" && rapid.Bool().Draw(t, "corroborate")
	if rapid.IntRange(0, 9).Draw(t, "snoozed") == 0 {
		p.SnoozeUntil = w.Now.Add(rapid.SampledFrom([]time.Duration{time.Second, time.Minute}).Draw(t, "until"))
	}
	switch rapid.IntRange(0, 9).Draw(t, "expect") {
	case 0:
		p.Expect = notify.Expectation{Expect: true, Revision: rapid.IntRange(0, 3).Draw(t, "revision")}
	case 1:
		p.IdempotencyKey = rapid.SampledFrom([]string{"i1", "i2"}).Draw(t, "idempotency key")
		p.Digest = []byte{byte(rapid.IntRange(0, 1).Draw(t, "digest"))}
	}
	return p
}

// Batch draws a batch of a connection.
func (w *World) Batch(t *rapid.T, connection string) notify.Batch {
	var b notify.Batch
	for range rapid.IntRange(1, 5).Draw(t, "operations") {
		if rapid.Bool().Draw(t, "publish") || len(w.Seen) == 0 {
			b.Ops = append(b.Ops, w.Publish(t, connection))
			continue
		}
		target := notify.Target{ID: w.one(t).ID}
		if rapid.Bool().Draw(t, "by key") {
			target = notify.Target{Connection: connection, Session: rapid.SampledFrom(Sessions).Draw(t, "session"), Key: "build"}
		}
		switch rapid.IntRange(0, 2).Draw(t, "operation") {
		case 0:
			b.Ops = append(b.Ops, notify.Resolve{Target: target})
		case 1:
			b.Ops = append(b.Ops, notify.Expire{Target: target})
		default:
			b.Ops = append(b.Ops, notify.CompleteRequest{Connection: connection, Request: "r1"})
		}
	}
	return b
}

func (w *World) one(t *rapid.T) Seen {
	// Mostly one of the newest, so that what is done meets what is pending.
	from := max(0, len(w.Seen)-6)
	if rapid.IntRange(0, 5).Draw(t, "old") == 0 {
		from = 0
	}
	return rapid.SampledFrom(w.Seen[from:]).Draw(t, "record")
}

// OnRecord draws an operation on a record that was seen, of its owner or its producer, for the
// revision seen or another one.
func (w *World) OnRecord(t *rapid.T) (notify.Actor, notify.Op) {
	s := w.one(t)
	expect := notify.Expectation{Expect: true, Revision: s.Revision}
	if rapid.IntRange(0, 5).Draw(t, "stale") == 0 {
		expect.Revision = rapid.IntRange(0, 4).Draw(t, "revision")
	}
	by := notify.Producer(s.Connection)
	target := notify.Target{ID: s.ID}
	switch rapid.IntRange(0, 15).Draw(t, "operation") {
	case 0, 1:
		c := w.Content(t, "")
		return by, notify.Update{ID: s.ID, Changes: c, Fields: []string{"title", "severity"}, Expect: expect}
	case 2:
		return by, notify.Resolve{Target: target, Reason: "done"}
	case 3:
		return by, notify.Expire{Target: target}
	case 4:
		return by, notify.Cancel{Target: target, Reason: "no longer needed"}
	case 5:
		return by, notify.RejectAnswer{ID: s.ID, Reason: "not now"}
	case 6, 7:
		if s.Asks {
			a := notify.Answer{Option: rapid.SampledFrom([]string{"yes", "no", "perhaps"}).Draw(t, "option")}
			return notify.Owner, notify.AnswerOp{ID: s.ID, Expect: expect, Answer: a}
		}
		return notify.Owner, notify.Dismiss{ID: s.ID, Expect: expect}
	case 8:
		return notify.Owner, notify.SetRead{ID: s.ID, Read: rapid.Bool().Draw(t, "read")}
	case 9:
		return notify.Owner, notify.SetMuted{ID: s.ID, Muted: rapid.Bool().Draw(t, "mute")}
	case 10:
		length := rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute}).Draw(t, "for")
		return notify.Owner, notify.Snooze{ID: s.ID, For: length, UntilEvent: length == 0}
	case 11:
		return notify.Owner, notify.Unsnooze{ID: s.ID}
	case 12:
		return notify.Owner, notify.SetAside{ID: s.ID, For: rapid.SampledFrom([]time.Duration{0, time.Second}).Draw(t, "aside")}
	case 13:
		return notify.Center, notify.Prune{IDs: []string{s.ID}}
	case 14:
		return by, notify.DeliverAnswer{ID: s.ID}
	}
	return notify.Owner, notify.Dismiss{ID: s.ID, Expect: expect}
}
