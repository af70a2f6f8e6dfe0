package store

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"signalbox/notify"
)

func when() *rapid.Generator[time.Time] {
	return rapid.Map(rapid.Int64Range(0, 4e12), func(ms int64) time.Time { return time.UnixMilli(ms).UTC() })
}

// word draws texts as they are stored: any UTF-8.
func word() *rapid.Generator[string] { return rapid.StringN(0, 12, -1) }

func words() *rapid.Generator[[]string] {
	return rapid.Custom(func(t *rapid.T) []string {
		all := rapid.SliceOfN(word(), 0, 3).Draw(t, "words")
		if len(all) == 0 {
			return nil
		}
		return all
	})
}

func maybe[T any](g *rapid.Generator[T]) *rapid.Generator[*T] { return rapid.Ptr(g, true) }

// anyRecord draws records with every member set now and then.
func anyRecord() *rapid.Generator[*notify.Record] {
	return rapid.Custom(func(t *rapid.T) *notify.Record {
		zeroOr := func(name string) time.Time {
			if rapid.Bool().Draw(t, name+" set") {
				return when().Draw(t, name)
			}
			return time.Time{}
		}
		answer := rapid.Custom(func(t *rapid.T) notify.Answer {
			a := notify.Answer{Option: word().Draw(t, "option"), Comment: word().Draw(t, "comment")}
			if rapid.Bool().Draw(t, "fields") {
				a.Fields = map[string]notify.RawJSON{word().Draw(t, "field"): notify.RawJSON(`[1,"x",null]`)}
			}
			return a
		})
		r := &notify.Record{
			ID: word().Draw(t, "id"), Connection: word().Draw(t, "connection"), Session: word().Draw(t, "session"), Key: word().Draw(t, "key"),
			Scope:      rapid.SampledFrom([]notify.Scope{notify.ScopeApplication, notify.ScopeSession, "new"}).Draw(t, "scope"),
			Status:     rapid.SampledFrom([]notify.Status{notify.Pending, notify.Dismissed, notify.Resolved, notify.Expired}).Draw(t, "status"),
			Occurrence: rapid.IntRange(0, 1e6).Draw(t, "occurrence"), Revision: rapid.IntRange(0, 1e6).Draw(t, "revision"),
			Content: notify.Content{
				Kind:     rapid.SampledFrom([]notify.Kind{notify.KindNotice, notify.KindReport, "later"}).Draw(t, "kind"),
				Severity: rapid.SampledFrom([]notify.Severity{notify.SeverityInfo, notify.SeverityCritical, ""}).Draw(t, "severity"),
				Title:    word().Draw(t, "title"), Body: rapid.String().Draw(t, "body"), Lines: words().Draw(t, "lines"), Tags: words().Draw(t, "tags"),
				Sender: word().Draw(t, "sender"), Silent: rapid.Bool().Draw(t, "silent"), Dismissible: rapid.Bool().Draw(t, "dismissible"),
				DismissibleAfter: zeroOr("dismissible after"),
				Retention:        notify.Retention{Policy: notify.TTL, Deadline: zeroOr("deadline"), TTL: time.Duration(rapid.Int64Range(0, 1e15).Draw(t, "ttl"))},
				Progress: rapid.Custom(func(t *rapid.T) *notify.Progress {
					return &notify.Progress{Current: rapid.Float64Range(0, 1e9).Draw(t, "current"), Total: maybe(rapid.Float64Range(0, 1e9)).Draw(t, "total")}
				}).Draw(t, "progress"),
				Event: maybe(rapid.Map(word(), func(s string) notify.Event { return notify.Event{Type: s, Occurrence: s} })).Draw(t, "event"),
				Data:  rapid.SampledFrom([]notify.RawJSON{nil, notify.RawJSON(`{"a":[1.0,1e400],"a":2}`)}).Draw(t, "data"),
			},
			Read: rapid.Bool().Draw(t, "read"), SnoozeUntil: zeroOr("snooze"), SetAsideUntil: notify.SetAsideForever,
			Outcome: maybe(rapid.Custom(func(t *rapid.T) notify.Outcome {
				return notify.Outcome{Kind: notify.OutcomeAnswered, By: "owner", Answer: maybe(answer).Draw(t, "answer"), At: when().Draw(t, "ended")}
			})).Draw(t, "outcome"),
			CreatedAt: when().Draw(t, "created"), UpdatedAt: when().Draw(t, "updated"), ContentAt: when().Draw(t, "content"), EndedAt: zeroOr("ended"),
			Change: rapid.Int64Range(0, 1e15).Draw(t, "change"),
		}
		return r
	})
}

func TestRecordRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRecord().Draw(t, "record")
		b, err := encodeRecord(r)
		if err != nil {
			t.Fatal(err)
		}
		got, err := decodeRecord(b)
		if err != nil || !reflect.DeepEqual(got, r) {
			t.Fatalf("came back as %+v, %v\nwant %+v", got, err, r)
		}
		if h, err := decodeHead(b); err != nil || h != headOf(r) {
			t.Fatalf("head = %+v, %v", h, err)
		}
		e, err := decodeEntry(timeKey(instant(r.UpdatedAt), r.ID), encodeEntry(r))
		want := notify.Entry{
			ID: r.ID, Connection: r.Connection, Session: r.Session, Scope: r.Scope, Status: r.Status, Severity: r.Severity, Kind: r.Kind,
			Read: r.Read, Silent: r.Silent, UpdatedAt: r.UpdatedAt, EndedAt: r.EndedAt, Deadline: r.Retention.Deadline,
		}
		if err != nil || e != want {
			t.Fatalf("entry = %+v, %v\nwant %+v", e, err, want)
		}
		c := notify.Change{Seq: 7, At: r.CreatedAt, Name: notify.EvUpdated, By: r.Connection, Action: r.Key, Quiet: r.Read, Record: r}
		v, err := encodeChange(&c, 5, b[recordHeadSize:])
		if err != nil {
			t.Fatal(err)
		}
		if got, was, err := decodeChange(7, v); err != nil || was != 5 || !reflect.DeepEqual(got, c) {
			t.Fatalf("change = %+v, %d, %v\nwant %+v", got, was, err, c)
		}
	})
}

// TestEveryMember proves that no member of a record is left out, also of one that is newer than this test.
func TestEveryMember(t *testing.T) {
	r := &notify.Record{}
	fill(t, reflect.ValueOf(r).Elem(), "Record")
	b, err := encodeRecord(r)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decodeRecord(b); err != nil || !reflect.DeepEqual(got, r) {
		t.Fatalf("came back as %+v, %v\nwant %+v", got, err, r)
	}
}

// fill gives every member a value that is not its zero.
func fill(t *testing.T, v reflect.Value, at string) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.UTC)))
		return
	case v.Type() == reflect.TypeFor[notify.RawJSON]():
		v.SetBytes([]byte(`{"a":[1]}`))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(1.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(t, v.Elem(), at)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(t, v.Index(0), at)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(t, key, at)
		fill(t, value, at)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(t, v.Field(i), at+"."+v.Type().Field(i).Name)
		}
	default:
		t.Fatalf("%s is of a kind that this test does not know", at)
	}
}

// FuzzValue takes arbitrary bytes for values: they are refused, and nothing else happens.
func FuzzValue(f *testing.F) {
	r := &notify.Record{ID: "x", Status: notify.Pending, Content: notify.Content{Title: "T"}}
	if b, err := encodeRecord(r); err == nil {
		f.Add(b)
		if c, err := encodeChange(&notify.Change{Record: r, Name: notify.EvCreated}, 3, b[recordHeadSize:]); err == nil {
			f.Add(c)
		}
	}
	f.Add(encodeEntry(r))
	f.Add(stateRow{1, 2, 3, 4}.encode())
	f.Add([]byte{form1})
	f.Add([]byte{})
	f.Fuzz(func(_ *testing.T, b []byte) {
		_, _ = decodeRecord(b)
		_, _ = decodeHead(b)
		_, _, _ = decodeChange(1, b)
		_, _ = decodeEntry(timeKey(1, "x"), b)
		_, _ = decodeState(b)
		_, _ = decodeMark(b)
		var d notify.Delivery
		_ = decodeJSON(b, &d)
	})
}

func TestMark(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := mark{rapid.Int64().Draw(t, "seq"), rapid.Int64().Draw(t, "at"), rapid.Int64().Draw(t, "records"), rapid.Bool().Draw(t, "clean")}
		b := m.encode()
		if got, ok := decodeMark(b); !ok || got != m {
			t.Fatalf("mark = %+v, %v", got, ok)
		}
		b[rapid.IntRange(0, len(b)-1).Draw(t, "at")] ^= 1
		if got, ok := decodeMark(b); ok {
			t.Fatalf("a damaged mark is read as %+v", got)
		}
	})
}
