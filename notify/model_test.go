package notify_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
)

// model is the life of notifications told as simply as it can be: a list of rows, walked from the
// start for every question. It shares nothing with the rules but the nouns.
type model struct {
	rows     []row
	receipts map[string]receipt
	sessions map[string]bool
	lifetime map[string]string
}

type row struct {
	id, connection, session, key, dedup string
	occurrence, revision                int
	status                              notify.Status
	outcome                             notify.OutcomeKind
	asks                                bool
	timeout                             time.Duration
	deadline, lapses                    time.Time
	events                              []string
	prompt, silent                      bool
	policy                              notify.Policy
	request                             string
	plus                                int
	pruned                              bool
}

type receipt struct{ digest, id string }

func newModel() *model {
	return &model{receipts: map[string]receipt{}, sessions: map[string]bool{}, lifetime: map[string]string{}}
}

// clone is for a batch, which happens whole or not at all.
func (m *model) clone() *model {
	n := newModel()
	for _, r := range m.rows {
		r.events = slices.Clone(r.events)
		n.rows = append(n.rows, r)
	}
	for k, v := range m.receipts {
		n.receipts[k] = v
	}
	for k, v := range m.sessions {
		n.sessions[k] = v
	}
	for k, v := range m.lifetime {
		n.lifetime[k] = v
	}
	return n
}

func (r *row) waiting() bool { return r.asks && r.status == notify.Pending }

func (r *row) end(s notify.Status, o notify.OutcomeKind) { r.status, r.outcome = s, o }

// due times a row out whose deadline has come.
func (r *row) due(now time.Time) *row {
	if r.waiting() && !r.deadline.IsZero() && !now.Before(r.deadline) {
		r.end(notify.Expired, notify.OutcomeTimedOut)
	}
	return r
}

func (m *model) find(id string) *row {
	for i := range m.rows {
		if m.rows[i].id == id && !m.rows[i].pruned {
			return &m.rows[i]
		}
	}
	return nil
}

// pending finds the one pending row of a key.
func (m *model) pending(connection, session, key string, now time.Time) *row {
	for i := range m.rows {
		r := &m.rows[i]
		if key != "" && r.connection == connection && r.session == session && r.key == key && !r.pruned && r.due(now).status == notify.Pending {
			return r
		}
	}
	return nil
}

// step is what a command does; it returns the verdict of a publication and the code of a refusal.
func (m *model) step(c notify.Command) (notify.Verdict, notify.Code) {
	switch op := c.Op.(type) {
	case notify.Batch:
		trial := m.clone()
		for i, o := range op.Ops {
			if _, code := trial.step(notify.Command{At: c.At, By: c.By, IDs: c.IDs[i : i+1], Op: o}); code != "" {
				return "", code
			}
		}
		*m = *trial
	case notify.Publish:
		return m.publish(c, op)
	case notify.CompleteRequest:
		m.each(func(r *row) bool {
			return r.connection == op.Connection && r.policy == notify.RequestBound && r.request == op.Request
		}, c.At, notify.Expired, notify.OutcomeExpired)
	case notify.Hello:
		if was := m.lifetime[op.Connection]; was != "" && was != op.Lifetime {
			m.each(func(r *row) bool { return r.connection == op.Connection && r.policy == notify.ServerLifetime },
				c.At, notify.Expired, notify.OutcomeExpired)
		}
		m.lifetime[op.Connection] = op.Lifetime
	case notify.EndSession:
		if !m.sessions[op.Connection+"/"+op.Session] {
			return "", notify.CodeNotFound
		}
		m.each(func(r *row) bool { return r.connection == op.Connection && r.session == op.Session },
			c.At, notify.Resolved, notify.OutcomeResolved)
		delete(m.sessions, op.Connection+"/"+op.Session)
	case notify.PutSession:
		m.sessions[op.Connection+"/"+op.Session] = true
	case notify.SeeSession:
		if !m.sessions[op.Connection+"/"+op.Session] {
			return "", notify.CodeNotFound
		}
	case notify.Tick:
		for i := range m.rows {
			m.rows[i].due(c.At)
		}
	case notify.Prune:
		if r := m.find(op.IDs[0]); r != nil {
			if r.status == notify.Pending && (r.waiting() || r.lapses.IsZero() || c.At.Before(r.lapses)) {
				break
			}
			r.pruned = true
		}
	case notify.UpdateConnection, notify.SetFocus, notify.SetPresence, notify.AckInvalidations:
	default:
		return "", m.onRecord(c)
	}
	return "", ""
}

// each ends every pending row that matches.
func (m *model) each(match func(*row) bool, now time.Time, s notify.Status, o notify.OutcomeKind) {
	for i := range m.rows {
		if r := &m.rows[i]; !r.pruned && match(r) && r.status == notify.Pending && r.due(now).status == notify.Pending {
			r.end(s, o)
		}
	}
}

func (m *model) publish(c notify.Command, op notify.Publish) (notify.Verdict, notify.Code) {
	if op.IdempotencyKey != "" {
		if got, ok := m.receipts[op.Connection+"/"+op.IdempotencyKey]; ok {
			if got.digest != string(op.Digest) {
				return "", notify.CodeIdempotencyMismatch
			}
			if r := m.find(got.id); r != nil {
				r.due(c.At)
			}
			return notify.Unchanged, ""
		}
	}
	event := ""
	if e := op.Content.Event; e != nil {
		event = op.Session + "/" + e.Type + "/" + e.Occurrence
		for i := range m.rows {
			if r := &m.rows[i]; r.connection == op.Connection && slices.Contains(r.events, event) {
				r.due(c.At)
				return notify.Unchanged, ""
			}
		}
	}
	remember := func(r *row) {
		if op.IdempotencyKey != "" {
			m.receipts[op.Connection+"/"+op.IdempotencyKey] = receipt{string(op.Digest), r.id}
		}
	}
	if op.Corroborate {
		for i := len(m.rows) - 1; i >= 0; i-- {
			r := &m.rows[i]
			if r.pruned || r.connection != op.Connection || r.session != op.Session || r.dedup != op.Content.DedupKey || r.status != notify.Pending {
				continue
			}
			if r.due(c.At).status != notify.Pending {
				break // the newest has just ended: a new one begins
			}
			if op.Expect.Expect && op.Expect.Revision != r.revision {
				return "", notify.CodeRevisionConflict
			}
			r.plus++
			remember(r)
			return notify.Corroborated, ""
		}
	}
	r := m.pending(op.Connection, op.Session, op.Key, c.At)
	verdict := notify.Updated
	switch {
	case r != nil && op.Expect.Expect && op.Expect.Revision != r.revision:
		return "", notify.CodeRevisionConflict
	case r != nil:
		r.revision++
	case op.Expect.Expect && op.Expect.Revision != 0:
		return "", notify.CodeRevisionConflict
	default:
		verdict = notify.Created
		occurrence := 1
		for _, o := range m.rows {
			if op.Key != "" && o.connection == op.Connection && o.session == op.Session && o.key == op.Key {
				occurrence = max(occurrence, o.occurrence+1)
			}
		}
		m.rows = append(m.rows, row{id: c.IDs[0], connection: op.Connection, session: op.Session, key: op.Key,
			occurrence: occurrence, revision: 1, status: notify.Pending})
		r = &m.rows[len(m.rows)-1]
	}
	remember(r)
	m.write(r, c, op, event)
	return verdict, ""
}

// write sets what a publication says, and what it proves of others.
func (m *model) write(r *row, c notify.Command, op notify.Publish, event string) {
	if op.Session != "" {
		m.sessions[op.Connection+"/"+op.Session] = true
	}
	r.dedup, r.silent = op.Content.DedupKey, op.Content.Silent
	r.policy, r.request = op.Content.Retention.Policy, op.Content.Request
	r.lapses = time.Time{}
	if r.policy == notify.TTL {
		r.lapses = c.At.Add(op.Content.Retention.TTL)
	}
	r.asks, r.deadline, r.timeout = op.Content.Kind == notify.KindInteraction, time.Time{}, 0
	if r.asks && op.Content.Interaction.TimeoutSeconds > 0 {
		r.timeout = time.Duration(op.Content.Interaction.TimeoutSeconds * float64(time.Second))
		r.deadline = c.At.Add(r.timeout)
	}
	r.prompt = false
	if event == "" {
		return
	}
	r.events = append(r.events, event)
	r.prompt = op.Content.Event.Type == notify.EventClarificationRequested
	if r.prompt || r.silent && op.Content.Event.Type != notify.EventPromptSubmitted {
		return
	}
	self := r.id
	m.each(func(o *row) bool {
		return o.id != self && o.connection == op.Connection && o.session == op.Session && o.prompt
	}, c.At, notify.Resolved, notify.OutcomeResolved)
}

// onRecord is what is done to one record.
func (m *model) onRecord(c notify.Command) notify.Code {
	var id string
	var expect notify.Expectation
	switch op := c.Op.(type) {
	case notify.Update:
		id, expect = op.ID, op.Expect
	case notify.Dismiss:
		id, expect = op.ID, op.Expect
	case notify.AnswerOp:
		id, expect = op.ID, op.Expect
	case notify.Resolve:
		id = op.Target.ID
		if id == "" {
			r := m.pending(op.Target.Connection, op.Target.Session, op.Target.Key, c.At)
			if r == nil {
				return notify.CodeNotFound
			}
			id = r.id
		}
	case notify.Expire:
		id = op.Target.ID
		if id == "" {
			r := m.pending(op.Target.Connection, op.Target.Session, op.Target.Key, c.At)
			if r == nil {
				return notify.CodeNotFound
			}
			id = r.id
		}
	case notify.Cancel:
		id = op.Target.ID
	case notify.RejectAnswer:
		id = op.ID
	case notify.DeliverAnswer:
		id = op.ID
	case notify.SetRead:
		id = op.ID
	case notify.SetMuted:
		id = op.ID
	case notify.Snooze:
		id = op.ID
	case notify.Unsnooze:
		id = op.ID
	case notify.SetAside:
		id = op.ID
	default:
		panic(fmt.Sprintf("%T", op))
	}
	r := m.find(id)
	if r == nil || c.By.Connection != "" && c.By.Connection != r.connection {
		return notify.CodeNotFound
	}
	r.due(c.At)
	stale := expect.Expect && expect.Revision != r.revision
	ended := r.status != notify.Pending
	switch op := c.Op.(type) {
	case notify.Update:
		switch {
		case ended:
			return notify.CodeTerminal
		case stale:
			return notify.CodeRevisionConflict
		}
		r.revision++
	case notify.Dismiss:
		switch {
		case ended && r.status != notify.Dismissed:
			return notify.CodeTerminal
		case stale:
			return notify.CodeRevisionConflict
		case r.waiting():
			return notify.CodeInteractionActive
		case !ended:
			r.end(notify.Dismissed, notify.OutcomeDismissed)
		}
	case notify.Resolve:
		return r.finish(notify.Resolved, notify.OutcomeResolved)
	case notify.Expire:
		return r.finish(notify.Expired, notify.OutcomeExpired)
	case notify.Cancel:
		return r.cancel()
	case notify.AnswerOp:
		return r.answer(op.Answer.Option, stale)
	case notify.RejectAnswer:
		return m.reject(r, c.At)
	case notify.DeliverAnswer:
		if r.outcome != notify.OutcomeAnswered {
			return "?" // with the answer of a timeout it may be delivered; not told apart here
		}
	case notify.SetRead:
	case notify.SetAside:
		switch {
		case ended:
			return notify.CodeTerminal
		case !r.asks:
			return notify.CodeNotInteraction
		}
	case notify.Snooze:
		switch {
		case ended:
			return notify.CodeTerminal
		case op.UntilEvent && r.session == "":
			return notify.CodeInvalidField
		}
	default:
		if ended {
			return notify.CodeTerminal
		}
	}
	return ""
}

func (r *row) finish(s notify.Status, o notify.OutcomeKind) notify.Code {
	if r.status != notify.Pending && r.status != s {
		return notify.CodeTerminal
	}
	if r.status == notify.Pending {
		r.end(s, o)
	}
	return ""
}

func (r *row) cancel() notify.Code {
	switch {
	case !r.asks:
		return notify.CodeNotInteraction
	case r.outcome == notify.OutcomeAnswered:
		return notify.CodeAlreadyAnswered
	case r.status != notify.Pending && r.outcome != notify.OutcomeCancelled:
		return notify.CodeTerminal
	}
	r.end(notify.Resolved, notify.OutcomeCancelled)
	return ""
}

func (r *row) answer(option string, stale bool) notify.Code {
	switch {
	case !r.asks:
		return notify.CodeNotInteraction
	case r.outcome == notify.OutcomeAnswered:
		return notify.CodeAlreadyAnswered
	case r.status != notify.Pending:
		return notify.CodeTerminal
	case stale:
		return notify.CodeRevisionConflict
	case option != "yes": // "no" needs a comment, "perhaps" is no option
		return notify.CodeAnswerInvalid
	}
	r.end(notify.Resolved, notify.OutcomeAnswered)
	return ""
}

func (m *model) reject(r *row, now time.Time) notify.Code {
	switch {
	case !r.asks:
		return notify.CodeNotInteraction
	case r.status == notify.Pending:
		return notify.CodeRevisionConflict
	case r.outcome != notify.OutcomeAnswered:
		return notify.CodeTerminal
	}
	for _, o := range m.rows {
		if r.key != "" && o.connection == r.connection && o.session == r.session && o.key == r.key && o.occurrence > r.occurrence {
			return notify.CodeTerminal
		}
	}
	r.status, r.outcome = notify.Pending, ""
	r.revision++
	if r.timeout > 0 {
		r.deadline = now.Add(r.timeout)
	}
	if r.session != "" {
		m.sessions[r.connection+"/"+r.session] = true
	}
	return ""
}

// TestModel holds every decision against the simple model: the same refusals, the same verdicts, and
// after each command the same statuses, revisions, occurrences and outcomes.
//
// Proves: L1, L3, L4, L5, L6, D1, D2, I2, I3, I4, I8, R3, A2, A6, A9
func TestModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := newLife()
		m := newModel()
		l.run(t, func(c notify.Command, d notify.Decision, err error) {
			verdict, code := m.step(c)
			if code == "?" {
				return
			}
			if got := notify.CodeOf(err); got != code {
				t.Fatalf("%T %+v: refused with %q (%v), and the model says %q", c.Op, c.Op, got, err, code)
			}
			if verdict != "" && d.Result.Verdict != verdict {
				t.Fatalf("%T %+v: %s, and the model says %s", c.Op, c.Op, d.Result.Verdict, verdict)
			}
		}, func(c notify.Command, _ notify.Decision, _ error) {
			for i := range m.rows {
				compare(t, c, l.all, &m.rows[i])
			}
		})
	})
}

func compare(t *rapid.T, c notify.Command, s notify.State, want *row) {
	r, ok := s.Record(want.id)
	if ok == want.pruned {
		t.Fatalf("%T: %s is there: %v", c.Op, want.id, ok)
	}
	if !ok {
		return
	}
	var outcome notify.OutcomeKind
	if r.Outcome != nil {
		outcome = r.Outcome.Kind
	}
	got := fmt.Sprint(r.Status, outcome, r.Revision, r.Occurrence, len(r.PlusOnes)+r.PlusOnesDropped)
	if w := fmt.Sprint(want.status, want.outcome, want.revision, want.occurrence, want.plus); got != w {
		t.Fatalf("after %T %+v: %s is %s, and the model says %s", c.Op, c.Op, want.id, got, w)
	}
}

// TestWorldIsLively holds that the random lives reach what the properties are about, so that they do
// not pass for want of anything happening.
func TestWorldIsLively(t *testing.T) {
	count := map[notify.EventName]int{}
	codes := map[notify.Code]int{}
	lives := rapid.Custom(func(t *rapid.T) int {
		l := newLife()
		l.run(t, nil, func(_ notify.Command, d notify.Decision, err error) {
			for _, c := range d.Changes {
				count[c.Name]++
			}
			codes[notify.CodeOf(err)]++
		})
		return 0
	})
	for seed := range 300 { // the same lives every time
		lives.Example(seed)
	}
	for _, name := range []notify.EventName{notify.EvCreated, notify.EvUpdated, notify.EvCorroborated, notify.EvDismissed, notify.EvResolved,
		notify.EvExpired, notify.EvAnswered, notify.EvCancelled, notify.EvRead, notify.EvMuted, notify.EvSnoozed, notify.EvResurfaced,
		notify.EvPruned, notify.EvSession, notify.EvConnection, notify.EvInvalidation} {
		if count[name] == 0 {
			t.Errorf("nothing was ever %s", name)
		}
	}
	for _, code := range []notify.Code{notify.CodeTerminal, notify.CodeRevisionConflict, notify.CodeAlreadyAnswered, notify.CodeInteractionActive,
		notify.CodeIdempotencyMismatch, notify.CodeAnswerInvalid, notify.CodeNotFound} {
		if codes[code] == 0 {
			t.Errorf("nothing was ever refused with %s", code)
		}
	}
}
