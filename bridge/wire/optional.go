package wire

import (
	stdjson "encoding/json"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Optional is a field of a change that may be absent (stays as it is), null
// (is cleared) or a value. The zero Optional is absent; give the field the
// option omitzero.
type Optional[T any] struct {
	// Set says that the field was there, with a value or as null.
	Set bool
	// Null says that it was there as null. Value is zero then.
	Null bool
	// Value is what it was set to.
	Value T
}

// To returns an Optional that sets v.
func To[T any](v T) Optional[T] { return Optional[T]{Set: true, Value: v} }

// Clear returns an Optional that clears the field.
func Clear[T any]() Optional[T] { return Optional[T]{Set: true, Null: true} }

// IsZero says that the field is absent.
func (o Optional[T]) IsZero() bool { return !o.Set }

// MarshalJSONTo writes the value, or null for a cleared or absent field.
func (o Optional[T]) MarshalJSONTo(enc *jsontext.Encoder) error {
	if !o.Set || o.Null {
		return enc.WriteToken(jsontext.Null)
	}
	return json.MarshalEncode(enc, o.Value)
}

// UnmarshalJSONFrom reads a value or null, as strictly as the decoder around it.
func (o *Optional[T]) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*o = Optional[T]{Set: true}
	if dec.PeekKind() == 'n' {
		o.Null = true
		return dec.SkipValue()
	}
	return json.UnmarshalDecode(dec, &o.Value)
}

// MarshalJSON is MarshalJSONTo for encoding/json.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if !o.Set || o.Null {
		return []byte("null"), nil
	}
	return stdjson.Marshal(o.Value)
}

// UnmarshalJSON is UnmarshalJSONFrom for encoding/json.
func (o *Optional[T]) UnmarshalJSON(b []byte) error {
	*o = Optional[T]{Set: true}
	if string(b) == "null" {
		o.Null = true
		return nil
	}
	return stdjson.Unmarshal(b, &o.Value)
}

// maxSafeInteger is the largest integer that every JSON reader keeps exactly.
const maxSafeInteger = 1<<53 - 1

// Expected is the revision that a change was made for. Records have integer
// revisions; one that was imported without has its updated_at, as text,
// instead. The zero Expected is absent: give the field the option omitzero.
type Expected struct {
	// Revision is the integer revision; 0 when Token or nothing is given.
	Revision int
	// Token is the updated_at of a record without an integer revision, as it
	// was written. Empty when Revision is given.
	Token string
	// Set says that the field was there, which tells an explicit 0 from absence.
	Set bool
}

// Rev returns the Expected for an integer revision.
func Rev(n int) Expected { return Expected{Revision: n, Set: true} }

// RevisionOf returns the Expected that names n exactly as it is, whether it
// has an integer revision or only its updated_at.
func RevisionOf(n Notification) Expected {
	if n.Revision == 0 {
		return Expected{Token: n.UpdatedAt.String(), Set: true}
	}
	return Rev(n.Revision)
}

// IsZero says that no expectation was given.
func (e Expected) IsZero() bool { return !e.Set && e.Revision == 0 && e.Token == "" }

// MarshalJSON writes an integer, or the token as a string.
func (e Expected) MarshalJSON() ([]byte, error) {
	switch {
	case e.Token != "":
		return stdjson.Marshal(e.Token)
	case e.IsZero():
		return []byte("null"), nil
	}
	return stdjson.Marshal(e.Revision)
}

// UnmarshalJSON reads an integer or a string; null is absent.
func (e *Expected) UnmarshalJSON(b []byte) error {
	*e = Expected{}
	if string(b) == "null" {
		return nil
	}
	if b[0] == '"' {
		if err := stdjson.Unmarshal(b, &e.Token); err != nil {
			return err
		}
		e.Set = true
		return nil
	}
	if err := stdjson.Unmarshal(b, &e.Revision); err != nil {
		return fmt.Errorf("want the revision as an integer")
	}
	if e.Revision < 0 || e.Revision > maxSafeInteger {
		return fmt.Errorf("want a revision between 0 and 2^53-1")
	}
	e.Set = true
	return nil
}

// Confirm says whether an action asks again before it runs: false or absent
// (it does not), true (it does), or the question as text.
type Confirm struct {
	// Ask says that the owner is asked again.
	Ask bool
	// Text is the question; empty for the usual one.
	Text string
}

// IsZero says that nothing is asked.
func (c Confirm) IsZero() bool { return !c.Ask && c.Text == "" }

// MarshalJSON writes a boolean, or the question as a string.
func (c Confirm) MarshalJSON() ([]byte, error) {
	if c.Text != "" {
		return stdjson.Marshal(c.Text)
	}
	return stdjson.Marshal(c.Ask)
}

// UnmarshalJSON reads a boolean or a string; null is false.
func (c *Confirm) UnmarshalJSON(b []byte) error {
	*c = Confirm{}
	switch string(b) {
	case "null", "false":
		return nil
	case "true":
		c.Ask = true
		return nil
	}
	if b[0] != '"' {
		return fmt.Errorf("want true, false or the question as a string")
	}
	if err := stdjson.Unmarshal(b, &c.Text); err != nil {
		return err
	}
	c.Ask = c.Text != ""
	return nil
}
