package store_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"signalbox/notify"
	"signalbox/store"
	"signalbox/store/storetest"
)

// freeze writes the folder of the present schema. It is used once for each schema, when the first
// version that writes it is released; what was frozen is never written again.
var freeze = flag.Bool("freeze", false, "write testdata/schemaN for the present schema, if there is none")

// frozen is what a frozen store holds: something of every sort of row.
func frozen() (changes []notify.Change, deliveries []notify.Delivery) {
	at := storetest.At
	total := 12.0
	add := func(c notify.Change) {
		c.Seq = int64(len(changes) + 1)
		if c.Record != nil {
			c.Record = storetest.With(c.Record, func(r *notify.Record) { r.Change = c.Seq })
		}
		changes = append(changes, c)
	}
	add(notify.Change{Name: notify.EvConnection, At: at(0), By: "owner", Connection: &notify.Connection{
		ID: "claude", Label: "Claude", Color: "#AA5500", TokenHash: []byte{1, 2, 3}, Open: true, Lifetime: "run-1", SeenAt: at(5),
		SessionsURL: "http://127.0.0.1:1/s", KeepAge: 48 * time.Hour, KeepCount: 7, CreatedAt: at(0), Change: 1,
	}})
	add(notify.Change{Name: notify.EvSession, At: at(1), By: "claude", Session: &notify.Session{
		Connection: "claude", ID: "s1", Title: "Parser ✓", State: "working", Sequence: 4, Seen: 2, Told: 3, FinishedAt: 4, CreatedAt: at(1), UpdatedAt: at(2), Change: 2,
	}})
	add(notify.Change{Name: notify.EvInvalidation, At: at(2), Invalidation: &notify.Invalidation{
		ID: "session:s1", Connection: "claude", Kind: notify.InvalidSession, Session: "s1", Change: 3, At: at(2),
	}})
	add(notify.Change{Name: notify.EvAttention, At: at(3), By: "owner", Settings: &notify.Settings{
		Focus: notify.SessionRef{Connection: "claude", Session: "s1"}, QuietUntil: at(900),
		Subscriptions: []notify.Subscription{{Provider: "toast", MinSeverity: notify.SeverityWarning}, {Provider: "sound", Events: []string{}}},
		Rules:         []notify.Rule{{Name: "quiet bots", Match: notify.RuleMatch{Sender: "bot"}, Set: "none", Stop: true}},
	}})
	kinds := []notify.Kind{notify.KindNotice, notify.KindProgress, notify.KindStatus, notify.KindInteraction, notify.KindReport}
	statuses := []notify.Status{notify.Pending, notify.Dismissed, notify.Resolved, notify.Expired}
	for n := range 20 {
		add(notify.Change{Name: notify.EvCreated, At: at(10 + n), By: "claude", Quiet: n%4 == 0,
			Receipt: &notify.Receipt{Connection: "claude", Key: fmt.Sprint("once ", n), Digest: []byte{byte(n)}, RecordID: storetest.ID(n), At: at(10 + n)},
			Record: storetest.With(storetest.New(n), func(r *notify.Record) {
				r.Kind, r.Status = kinds[n%5], statuses[n%4]
				r.Key, r.Tags, r.Lines = fmt.Sprint("key ", n), []string{"ci", fmt.Sprint("t", n)}, []string{"line", "日本語"}
				r.Body, r.Sender, r.Data = fmt.Sprintf("**Body** number%d", n), "bot", notify.RawJSON(`{"n":[1,2.50,null]}`)
				r.Event = &notify.Event{Type: notify.EventTurnFinished, Occurrence: fmt.Sprint("turn ", n)}
				r.Progress = &notify.Progress{Current: 3, Total: &total, Text: "3 of 12"}
				r.Read, r.Silent, r.Muted, r.SnoozeUntil, r.SetAsideUntil = n%2 == 0, n == 7, n == 8, at(99), notify.SetAsideForever
				r.Retention = notify.Retention{Policy: notify.TTL, Deadline: at(500), TTL: time.Minute}
				r.PlusOnes = []notify.PlusOne{{At: at(11), Sender: "x", Note: "+1"}}
				if r.Kind == notify.KindInteraction {
					r.InteractionState, r.InteractionDeadline = notify.InteractionWaiting, at(700)
					r.Interaction = &notify.Interaction{Kind: "question", Prompt: "Go?", TimeoutSeconds: 2.5, Options: []notify.Option{{ID: "y", Label: "Yes", Style: "primary", Comment: "none"}},
						Fields: []notify.Field{{ID: "f", Label: "F", Type: notify.FieldNumber, Default: notify.RawJSON(`5`)}}}
				}
				if r.Status != notify.Pending {
					r.EndedAt = at(60 + n)
					r.Outcome = &notify.Outcome{Kind: notify.OutcomeAnswered, By: "owner", Reason: "because", At: at(60 + n),
						Answer: &notify.Answer{Option: "y", Comment: "c", Fields: map[string]notify.RawJSON{"f": notify.RawJSON(`6`)}}}
				}
			})})
	}
	add(notify.Change{Name: notify.EvPruned, At: at(90), Record: changes[5].Record, Removed: true})
	add(notify.Change{Name: notify.EvAction, At: at(91), By: "owner", Action: "open", Record: changes[6].Record})
	deliveries = []notify.Delivery{
		{ID: "d2", Provider: "sound", EventType: notify.EventTurnFinished, Occurrence: "turn 3", RecordID: storetest.ID(3), State: notify.DeliveryFailed, Reason: "no device", Attempts: 2, At: at(31), RetryAt: at(200), Error: "x"},
		{ID: "d1", Provider: "toast", EventType: notify.EventTurnFinished, Occurrence: "turn 3", RecordID: storetest.ID(3), Revision: 1, State: notify.DeliveryDelivered, Reason: "subscription", Attempts: 1, At: at(30)},
	}
	return changes, deliveries
}

const trimmedBefore = 5

func writeFrozen(t *testing.T, dir string) {
	s := open(t, dir)
	changes, deliveries := frozen()
	mustDo(t, s.Commit(context.Background(), changes[:15]))
	mustDo(t, s.Commit(context.Background(), changes[15:]))
	for _, d := range deliveries {
		mustDo(t, s.Settle(context.Background(), d))
	}
	mustDo(t, s.Trim(context.Background(), trimmedBefore, storetest.At(12)))
	mustDo(t, s.Close())
	// Derived, or made anew by an open.
	for _, name := range []string{"index", "lock", "db/LOCK", "db/DISCARD"} {
		mustDo(t, os.RemoveAll(filepath.Join(dir, name)))
	}
}

// TestFrozen opens the folder of every schema that was ever released, and finds everything.
func TestFrozen(t *testing.T) {
	present := filepath.Join("testdata", fmt.Sprint("schema", store.Schema))
	if _, err := os.Stat(present); *freeze && err != nil {
		writeFrozen(t, present)
	}
	if _, err := os.Stat(present); err != nil {
		t.Fatalf("the present schema is not frozen: %v", err)
	}
	for n := 1; n <= store.Schema; n++ {
		t.Run(fmt.Sprint("schema ", n), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "s")
			mustDo(t, store.CopyTree(filepath.Join("testdata", fmt.Sprint("schema", n)), dir))
			s := open(t, dir)
			lookAtFrozen(t, s)
			(&storetest.Writer{T: t, S: s, Seq: 26}).Put(storetest.New(500))
			mustDo(t, s.Close())
			s = open(t, dir)
			if _, ok, err := s.Record(storetest.ID(500)); !ok || err != nil {
				t.Errorf("what was added is gone: %v", err)
			}
		})
	}
}

func lookAtFrozen(t *testing.T, s *store.Store) {
	changes, deliveries := frozen()
	ctx := t.Context()
	want := &notify.Snapshot{
		Sequence: int64(len(changes)), Connections: []*notify.Connection{changes[0].Connection}, Sessions: []*notify.Session{changes[1].Session},
		Invalidations: []*notify.Invalidation{changes[2].Invalidation}, Settings: *changes[3].Settings,
	}
	records := map[string]*notify.Record{}
	for _, c := range changes[4:] {
		if c.Record != nil {
			records[c.Record.ID] = c.Record
		}
	}
	delete(records, changes[5].Record.ID)
	for n := range 20 {
		id := storetest.ID(n)
		r, ok, err := s.Record(id)
		if err != nil || ok != (records[id] != nil) || !reflect.DeepEqual(r, records[id]) {
			t.Errorf("record %d = %+v, %v, %v\nwant %+v", n, r, ok, err, records[id])
		}
		if ok && r.Status == notify.Pending {
			want.Pending = append(want.Pending, r)
		}
		slot, _ := changes[4+n].Record.Slot()
		if got, ok, err := s.Slot(slot); !ok || err != nil || got.RecordID != id || got.Occurrence != 1 {
			t.Errorf("slot of %d = %v, %v, %v", n, got, ok, err)
		}
		ref, _ := changes[4+n].Record.EventRef()
		if got, ok, err := s.Told(ref); !ok || err != nil || got != id {
			t.Errorf("occurrence of %d = %v, %v, %v", n, got, ok, err)
		}
		receipt, ok, err := s.Receipt("claude", fmt.Sprint("once ", n))
		if err != nil || ok != (n >= 2) || ok && !reflect.DeepEqual(receipt, changes[4+n].Receipt) {
			t.Errorf("receipt of %d = %+v, %v, %v", n, receipt, ok, err)
		}
	}
	if got, err := s.Load(ctx); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Load = %+v, %v\nwant %+v", got, err, want)
	}
	next := trimmedBefore
	for c, err := range s.Changes(ctx, 0) {
		w := changes[next-1]
		w.Receipt = nil
		if err != nil || c.Seq != int64(next) || c.Name != w.Name || c.By != w.By || c.Action != w.Action || c.Quiet != w.Quiet ||
			!c.At.Equal(w.At) || !c.Removed && !reflect.DeepEqual(c.Record, w.Record) {
			t.Errorf("change %d = %+v, %v\nwant %+v", next, c, err, w)
		}
		next++
	}
	if next != len(changes)+1 {
		t.Errorf("the log ends before change %d", next)
	}
	if got, err := s.Deliveries(ctx, "", "", 0); err != nil || !reflect.DeepEqual(got, deliveries) {
		t.Errorf("deliveries = %+v, %v", got, err)
	}
	if got, err := s.Retries(ctx, storetest.At(200)); err != nil || len(got) != 1 || got[0].ID != "d2" {
		t.Errorf("retries = %+v, %v", got, err)
	}
	page, err := s.Query(ctx, notify.Filter{Text: "number19 日", Tags: []string{"t19"}}, notify.Cursor{}, 5)
	if err != nil || len(page.Records) != 1 || page.Records[0].ID != storetest.ID(19) {
		t.Errorf("search = %v, %v", page.Records, err)
	}
	n := 0
	for _, err := range s.Entries(ctx) {
		mustDo(t, err)
		n++
	}
	if n != len(records) {
		t.Errorf("%d entries, want %d", n, len(records))
	}
}
