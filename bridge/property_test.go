package bridge

import (
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"signalbox/bridge/wire"
)

// seen is what a client knows of one record from the answers that it got.
type seen struct {
	wire.Notification
	answers int
}

// model: what must be true of every sequence of requests, seen from
// outside.
type model struct {
	t       *rapid.T
	r       *rig
	token   string
	records map[string]*seen
	order   []string          // ids, oldest first
	pending map[string]string // by key: the id of the pending occurrence
	last    map[string]int    // by key: the newest occurrence
}

func (m *model) send(status *int, token, method, path string, body any) []byte {
	got := m.r.try(token, method, path, body)
	*status = got.status
	if got.status >= 500 {
		m.t.Fatalf("%s %s: %d %s", method, path, got.status, got.body)
	}
	return got.body
}

func (m *model) note(n wire.Notification) {
	known := m.records[n.ID]
	if known == nil {
		m.records[n.ID] = &seen{Notification: n}
		m.order = append(m.order, n.ID)
		return
	}
	if known.Status != wire.StatusPending && n.Status != known.Status {
		m.t.Fatalf("%s went from %s to %s", n.ID, known.Status, n.Status)
	}
	if n.Revision < known.Revision || n.Change < known.Change {
		m.t.Fatalf("%s went back from %d/%d to %d/%d", n.ID, known.Revision, known.Change, n.Revision, n.Change)
	}
	known.Notification = n
}

func read[T any](t *rapid.T, b []byte) T {
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return v
}

// pick returns a record that is known, or nil.
func (m *model) pick() *seen {
	if len(m.order) == 0 {
		return nil
	}
	return m.records[rapid.SampledFrom(m.order).Draw(m.t, "id")]
}

func (m *model) publish(t *rapid.T) {
	m.t = t
	key := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "key")
	p := wire.Publish{Key: key, Title: "x"}
	ask := rapid.Bool().Draw(t, "ask")
	if ask {
		p.Kind = wire.KindInteraction
		p.Interaction = &wire.Interaction{Prompt: "?", Options: []wire.Option{{ID: "y", Label: "Y"}}}
	}
	id, isPending := m.pending[key]
	expected := 0
	if rapid.IntRange(0, 3).Draw(t, "expect") == 0 && isPending {
		expected = m.records[id].Revision + rapid.IntRange(-1, 1).Draw(t, "off")
		p.ExpectedRevision = wire.Rev(max(1, expected))
		expected = max(1, expected)
	}
	var status int
	body := m.send(&status, m.token, "POST", wire.Path(wire.PathPublish, "c1"), p)
	if expected != 0 && expected != m.records[id].Revision {
		if status != 409 {
			t.Fatalf("expecting revision %d of %d: status %d", expected, m.records[id].Revision, status)
		}
		return
	}
	res := read[wire.PublishResult](t, body)
	n := res.Notification
	switch {
	case isPending && key != "":
		if status != 200 || n.ID != id || n.Revision != m.records[id].Revision+1 {
			t.Fatalf("an update of %s at revision %d: %d %s %s at %d", id, m.records[id].Revision, status, res.Result, n.ID, n.Revision)
		}
	default:
		if status != 201 || m.records[n.ID] != nil || n.Revision != 1 || key != "" && n.Occurrence != m.last[key]+1 {
			t.Fatalf("a new occurrence: %d %+v", status, res)
		}
	}
	m.note(n)
	if key != "" {
		m.pending[key], m.last[key] = n.ID, n.Occurrence
	}
}

// end is one of the verbs that end a record.
func (m *model) end(t *rapid.T) {
	m.t = t
	rec := m.pick()
	if rec == nil {
		return
	}
	before := rec.Notification
	verb := rapid.SampledFrom([]string{wire.PathDismiss, wire.PathResolve, wire.PathExpire, wire.PathCancel, wire.PathAnswer}).Draw(t, "verb")
	revision := max(1, before.Revision+rapid.IntRange(-1, 1).Draw(t, "off"))
	token, body := m.token, any(wire.Ending{ExpectedRevision: wire.Rev(revision)})
	switch verb {
	case wire.PathDismiss:
		token = m.r.owner
	case wire.PathAnswer:
		token, body = m.r.owner, wire.AnswerRequest{ExpectedRevision: wire.Rev(revision), Answer: wire.Answer{Option: "y"}}
	}
	var status int
	out := m.send(&status, token, "POST", wire.Path(verb, before.ID), body)
	waiting := before.Interaction != nil && before.Interaction.State == wire.InteractionWaiting
	may := before.Status == wire.StatusPending && revision == before.Revision
	switch verb {
	case wire.PathDismiss:
		may = may && !waiting
	case wire.PathAnswer, wire.PathCancel:
		may = may && waiting
	}
	if status != 200 {
		if may {
			t.Fatalf("%s of revision %d of %+v: %d %s", verb, revision, before, status, out)
		}
		if p := read[wire.Problem](t, out); p.Current != nil {
			m.note(*p.Current)
			if rec.Revision != before.Revision || rec.Status != before.Status {
				t.Fatalf("a refusal changed %+v", rec)
			}
		}
		return
	}
	n := read[wire.Notification](t, out)
	if !may && before.Status == wire.StatusPending {
		t.Fatalf("%s of revision %d went through on %+v", verb, revision, before)
	}
	if n.Outcome != nil && n.Outcome.Kind == wire.OutcomeAnswered && before.Status == wire.StatusPending {
		if rec.answers++; rec.answers > 1 {
			t.Fatalf("%s was answered twice", n.ID)
		}
	}
	m.note(n)
	if n.Status != wire.StatusPending && m.pending[n.Key] == n.ID {
		delete(m.pending, n.Key)
	}
}

func (m *model) resolveKey(t *rapid.T) {
	m.t = t
	key := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "key")
	id, isPending := m.pending[key]
	var status int
	body := m.send(&status, m.token, "POST", wire.Path(wire.PathKeyResolve, "c1", key), nil)
	if isPending != (status == 200) || !isPending && status != 404 {
		t.Fatalf("resolving %s, pending %v: %d", key, isPending, status)
	}
	if isPending {
		n := read[wire.Notification](t, body)
		if n.ID != id {
			t.Fatalf("resolved %s, want %s", n.ID, id)
		}
		m.note(n)
		delete(m.pending, key)
	}
}

func (m *model) mark(t *rapid.T) {
	m.t = t
	rec := m.pick()
	if rec == nil {
		return
	}
	before := rec.Notification
	var status int
	body := m.send(&status, m.r.owner, "POST", wire.Path(rapid.SampledFrom([]string{wire.PathRead, wire.PathUnread}).Draw(t, "verb"), before.ID), nil)
	if status != 200 {
		return
	}
	m.note(read[wire.Notification](t, body))
	if rec.Revision != before.Revision || rec.Status != before.Status {
		t.Fatalf("marking changed %+v to %+v", before, rec)
	}
}

// check holds the lists, the rail and the badge against what the answers said.
func (m *model) check(t *rapid.T) {
	m.t = t
	var status int
	page := read[wire.Page](t, m.send(&status, m.r.owner, "GET", wire.PathNotifications+"?limit=500", nil))
	if len(page.Notifications) != len(m.records) {
		t.Fatalf("%d are listed, %d known", len(page.Notifications), len(m.records))
	}
	waiting, unread := 0, 0
	pendingByKey := map[string]int{}
	for i, n := range page.Notifications {
		known := m.records[n.ID]
		if known == nil || known.Revision != n.Revision || known.Status != n.Status {
			t.Fatalf("listed %+v, known %+v", n, known)
		}
		if i > 0 && page.Notifications[i-1].UpdatedAt.Before(n.UpdatedAt.Time) {
			t.Fatalf("not newest first: %v before %v", page.Notifications[i-1].UpdatedAt, n.UpdatedAt)
		}
		if n.Status != wire.StatusPending {
			continue
		}
		if n.Key != "" {
			if pendingByKey[n.Key]++; pendingByKey[n.Key] > 1 {
				t.Fatalf("two of key %s are pending", n.Key)
			}
		}
		if n.Interaction != nil && n.Interaction.State == wire.InteractionWaiting {
			waiting++
		}
		if !n.Read {
			unread++
		}
	}
	at := read[wire.Attention](t, m.send(&status, m.r.owner, "GET", wire.PathAttention, nil))
	if at.Waiting != waiting || at.Unread != unread || at.Connections["c1"] != at.Counts {
		t.Fatalf("the badge says %+v, the lists %d waiting and %d unread", at, waiting, unread)
	}
	rail := read[wire.Rail](t, m.send(&status, m.r.owner, "GET", wire.PathRail, nil))
	for _, n := range rail.Application {
		if m.records[n.ID].Status != wire.StatusPending {
			t.Fatalf("the rail shows %+v", n)
		}
	}
}

// Proves: L1, L3, L4, L5, D1, D2, I4, A7, P5. Whatever is asked in whatever order,
// the answers, the lists, the rail and the badge agree.
func TestAnySequenceOfRequests(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		r := newRig(t)
		defer r.close()
		m := &model{t: rt, r: r, token: r.connect("c1"), records: map[string]*seen{}, pending: map[string]string{}, last: map[string]int{}}
		rt.Repeat(map[string]func(*rapid.T){
			"": m.check, "publish": m.publish, "publish more": m.publish, "end": m.end, "resolve key": m.resolveKey, "mark": m.mark,
		})
	})
}
