package wire_test

import (
	stdjson "encoding/json"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"signalbox/bridge/wire"
)

// Both JSON packages must read and write the same.
func TestTimeIsWrittenInMillisecondsOfUTC(t *testing.T) {
	at := time.Date(2026, 1, 31, 9, 30, 0, 123456789, time.FixedZone("", 3600))
	for name, marshal := range map[string]func(any) ([]byte, error){
		"encoding/json": stdjson.Marshal,
		"experiment":    func(v any) ([]byte, error) { return json.Marshal(v) },
	} {
		t.Run(name, func(t *testing.T) {
			got, err := marshal(struct {
				A wire.Time `json:"a"`
				B wire.Time `json:"b,omitzero"`
			}{A: wire.At(at)})
			if err != nil || string(got) != `{"a":"2026-01-31T08:30:00.123Z"}` {
				t.Errorf("got %s, %v", got, err)
			}
		})
	}
	var back wire.Time
	if err := json.Unmarshal([]byte(`"2026-01-31T09:30:00.123456789+01:00"`), &back); err != nil || back != wire.At(at) {
		t.Errorf("got %v, %v; want %v", back, err, wire.At(at))
	}
	for _, bad := range []string{`"yesterday"`, `12`, `""`, `{}`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s was read as %v", bad, back)
		}
	}
}

func TestChangesTellAbsentNullAndValueApart(t *testing.T) {
	in := `{"title":"new","body":null,"expected_revision":3}`
	for name, unmarshal := range map[string]func([]byte, any) error{
		"encoding/json": stdjson.Unmarshal,
		"experiment":    func(b []byte, v any) error { return json.Unmarshal(b, v) },
	} {
		t.Run(name, func(t *testing.T) {
			var c wire.Changes
			if err := unmarshal([]byte(in), &c); err != nil {
				t.Fatal(err)
			}
			if c.Title != wire.To("new") || c.Body != wire.Clear[string]() || c.Severity.Set || c.ExpectedRevision != wire.Rev(3) {
				t.Errorf("got %+v", c)
			}
			out, err := json.Marshal(c)
			if err != nil || string(out) != in {
				t.Errorf("written again: %s, %v", out, err)
			}
			out, err = stdjson.Marshal(c)
			if err != nil || string(out) != in {
				t.Errorf("written again by encoding/json: %s, %v", out, err)
			}
		})
	}
}

// An Optional must not be a hole in the strictness of the decoder around it.
func TestOptionalIsAsStrictAsItsDecoder(t *testing.T) {
	var c wire.Changes
	err := json.Unmarshal([]byte(`{"chip":{"glyph":"!","size":3}}`), &c, json.RejectUnknownMembers(true))
	if err == nil {
		t.Error("an unknown member within an Optional was accepted")
	}
}

// Proves: L7 (its token travels where a revision does)
func TestExpectedIsAnIntegerOrAToken(t *testing.T) {
	cases := []struct {
		in   string
		want wire.Expected
		bad  bool
	}{
		{`3`, wire.Rev(3), false},
		{`0`, wire.Rev(0), false},
		{`"2026-01-31T08:30:00.000Z"`, wire.Expected{Token: "2026-01-31T08:30:00.000Z", Set: true}, false},
		{`null`, wire.Expected{}, false},
		{`-1`, wire.Expected{}, true},
		{`1.5`, wire.Expected{}, true},
		{`1152921504606846976`, wire.Expected{}, true}, // 2^60
		{`{}`, wire.Expected{}, true},
	}
	for _, c := range cases {
		var got wire.Expected
		err := json.Unmarshal([]byte(c.in), &got)
		if (err != nil) != c.bad || !c.bad && got != c.want {
			t.Errorf("%s: got %+v, %v", c.in, got, err)
		}
	}
}

func TestPathEscapesAnyValueIntoOneSegment(t *testing.T) {
	got := wire.Path(wire.PathKeyResolve, "c1", "build/main ü?#")
	if want := "/v1/connections/c1/keys/build%2Fmain%20%C3%BC%3F%23/resolve"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := wire.Path(wire.PathNotification, ".."); got != "/v1/notifications/%2E%2E" {
		t.Errorf("got %s", got)
	}
}

// An instant is read only if it can be written again, wherever its offset puts it.
func TestInstantsCanBeWritten(t *testing.T) {
	for text, ok := range map[string]bool{
		"9999-12-31T23:59:59Z": true, "9999-12-31T23:59:59+12:00": true, "9999-12-31T23:59:59-12:00": false,
		"0000-01-01T00:00:00Z": true, "0000-01-01T00:00:00-12:00": true, "0000-01-01T00:00:00+12:00": false,
	} {
		var v wire.Time
		err := v.UnmarshalText([]byte(text))
		if (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		}
		if ok {
			if again, err := v.Time.MarshalJSON(); err != nil || len(again) != len(`"2006-01-02T15:04:05Z"`) {
				t.Errorf("%s is written as %s, %v", text, again, err)
			}
		}
	}
}
