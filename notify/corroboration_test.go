package notify_test

import (
	"strconv"
	"testing"
	"time"

	"signalbox/notify"
)

// Proves: A6
func TestCorroboration(t *testing.T) {
	d := newDesk(t)
	p := notify.Publish{Corroborate: true, Content: notify.Content{Title: "Disk is full", DedupKey: "disk", Sender: "watch"}}
	first := d.ok(alpha, p)
	if first.Verdict != notify.Created {
		t.Fatalf("the first is %s", first.Verdict)
	}
	for i := range 60 {
		d.later(time.Second)
		p.Note = "again " + strconv.Itoa(i)
		res := d.ok(alpha, p)
		if res.Verdict != notify.Corroborated || res.Record.ID != first.Record.ID || res.Record.Revision != 1 {
			t.Fatalf("%d: %s, revision %d", i, res.Verdict, res.Record.Revision)
		}
		if c := d.last[0]; c.Name != notify.EvCorroborated || notify.Announce(notify.AnnounceInput{Change: c, Provider: notify.ProviderToast, Now: d.now}).Act == notify.ActTell {
			t.Fatal("a corroboration is announced")
		}
	}
	r := d.get(first.Record.ID)
	if len(r.PlusOnes) != notify.MaxPlusOnes || r.PlusOnesDropped != 10 {
		t.Fatalf("%d kept, %d dropped", len(r.PlusOnes), r.PlusOnesDropped)
	}
	last := r.PlusOnes[len(r.PlusOnes)-1]
	if r.PlusOnes[0].Note != "again 10" || last.Note != "again 59" || last.Sender != "watch" || !last.At.Equal(d.now) {
		t.Errorf("kept from %q to %+v", r.PlusOnes[0].Note, last)
	}
	if !r.Activity().Equal(d.now) {
		t.Error("a corroboration is no activity")
	}
	// Only a pending record, of the same scope, is corroborated.
	elsewhere := p
	elsewhere.Session = "s"
	if res := d.ok(alpha, elsewhere); res.Verdict != notify.Created {
		t.Errorf("in a session: %s", res.Verdict)
	}
	d.ok(notify.Owner, notify.Dismiss{ID: r.ID, Expect: rev(1)})
	if res := d.ok(alpha, p); res.Verdict != notify.Created {
		t.Errorf("after its end: %s", res.Verdict)
	}
	p.Content.DedupKey = ""
	d.field("/dedup_key", alpha, p)
}

// Proves: A2, A6. The event of a corroboration was told as any other: publishing it again adds nothing.
func TestACorroborationTellsItsEvent(t *testing.T) {
	d := newDesk(t)
	p := func(occurrence string) notify.Publish {
		return notify.Publish{Corroborate: true, Content: notify.Content{Title: "Disk is full", DedupKey: "disk", Event: event("acme.disk_full", occurrence)}}
	}
	first := d.ok(alpha, p("1")).Record
	for i, occurrence := range []string{"2", "2", "1", "3", "3"} {
		d.later(time.Second)
		res := d.ok(alpha, p(occurrence))
		fresh := i == 0 || i == 3
		if got := res.Verdict == notify.Corroborated; got != fresh || res.Record.ID != first.ID || (len(d.last) > 0) != fresh {
			t.Fatalf("%d, occurrence %s: %s with %d changes", i, occurrence, res.Verdict, len(d.last))
		}
	}
	if r := d.get(first.ID); len(r.PlusOnes) != 2 || r.Event.Occurrence != "1" {
		t.Errorf("%d more, of the event %s", len(r.PlusOnes), r.Event.Occurrence)
	}
	// Also within a batch, and after its record ended.
	ops := notify.Batch{Ops: []notify.Op{p("4"), p("4")}}
	if res := d.ok(alpha, ops); res.Results[0].Verdict != notify.Corroborated || res.Results[1].Verdict != notify.Unchanged {
		t.Errorf("in a batch: %s and %s", res.Results[0].Verdict, res.Results[1].Verdict)
	}
	d.ok(notify.Owner, notify.Dismiss{ID: first.ID, Expect: rev(1)})
	if res := d.ok(alpha, p("4")); res.Verdict != notify.Unchanged {
		t.Errorf("after its end: %s", res.Verdict)
	}
}
