package wire

import (
	"fmt"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// TimeLayout is how an instant is written: RFC 3339, UTC, milliseconds.
const TimeLayout = "2006-01-02T15:04:05.000Z"

// Time is an instant as the bridge writes it. It is read from any RFC 3339
// text and is then in UTC, cut to milliseconds, so that what was written and
// what is read again compare equal. The zero Time means absent.
type Time struct{ time.Time }

// At returns t as it would come back from the bridge: in UTC, cut to
// milliseconds. A zero t stays zero.
func At(t time.Time) Time {
	if t.IsZero() {
		return Time{}
	}
	return Time{t.UTC().Truncate(time.Millisecond)}
}

// String returns the instant as it is written, or "" for the zero Time.
func (t Time) String() string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(TimeLayout)
}

// MarshalText writes TimeLayout; the zero Time is the empty text.
func (t Time) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// UnmarshalText reads RFC 3339 with any offset and any number of decimals. In UTC its year is one that RFC 3339 can
// write.
func (t *Time) UnmarshalText(b []byte) error {
	v, err := time.Parse(time.RFC3339Nano, string(b))
	if year := v.UTC().Year(); err != nil || year < 0 || year > 9999 {
		return fmt.Errorf("want a time as in 2026-01-31T08:30:00.000Z")
	}
	*t = At(v)
	return nil
}

// MarshalJSON writes TimeLayout as a string, and the zero Time as null.
func (t Time) MarshalJSON() ([]byte, error) {
	if t.IsZero() {
		return []byte("null"), nil
	}
	b := make([]byte, 0, len(TimeLayout)+2)
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, TimeLayout)
	return append(b, '"'), nil
}

// MarshalJSONTo writes the same without memory of its own: a record has many instants.
func (t Time) MarshalJSONTo(e *jsontext.Encoder) error {
	if t.IsZero() {
		return e.WriteToken(jsontext.Null)
	}
	var b [len(TimeLayout) + 2]byte
	text := append(t.UTC().AppendFormat(append(b[:0], '"'), TimeLayout), '"')
	return e.WriteValue(text)
}

// UnmarshalJSON reads a string as UnmarshalText does; null is the zero Time.
func (t *Time) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*t = Time{}
		return nil
	}
	if len(b) < 2 || b[0] != '"' || b[len(b)-1] != '"' {
		return fmt.Errorf("want a time as in 2026-01-31T08:30:00.000Z")
	}
	return t.UnmarshalText(b[1 : len(b)-1])
}
