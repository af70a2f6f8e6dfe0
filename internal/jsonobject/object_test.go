package jsonobject_test

import (
	stdjson "encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"

	"signalbox/internal/jsonobject"
)

type kind string

type inner struct {
	Name string    `json:"name"`
	At   time.Time `json:"at,omitzero"`
	N    *int      `json:"n,omitzero"`
}

// stamp has a form of its own.
type stamp struct{ time.Time }

func (s stamp) MarshalJSON() ([]byte, error) {
	return []byte(`"` + s.Format(time.DateOnly) + `"`), nil
}

// Inlined is embedded.
type Inlined struct {
	Words []string `json:"words"`
	Kind  kind     `json:"kind,omitempty"`
}

type whole struct {
	Inlined
	Skipped string             `json:"-"`
	Yes     bool               `json:"yes"`
	Count   int64              `json:"count,omitzero"`
	Ratio   float64            `json:"ratio,omitzero"`
	More    []string           `json:"more,omitempty"`
	Here    inner              `json:"here"`
	There   *inner             `json:"there"`
	Perhaps *inner             `json:"perhaps,omitzero"`
	All     []inner            `json:"all,omitempty"`
	By      map[string]int     `json:"by,omitempty"`
	Stamp   stamp              `json:"stamp,omitzero"`
	Raw     stdjson.RawMessage `json:"raw,omitempty"`
}

// TestAppend proves that a plan writes what the library does, byte for byte.
func TestAppend(t *testing.T) {
	plan := jsonobject.New[whole](nil, nil)
	text := rapid.StringN(0, 9, -1)
	at := rapid.Map(rapid.Int64Range(-5e10, 2e11), func(s int64) time.Time { return time.Unix(s, s%1000*1e6).UTC() })
	in := rapid.Custom(func(t *rapid.T) inner {
		return inner{text.Draw(t, "name"), at.Draw(t, "at"), rapid.Ptr(rapid.Int(), true).Draw(t, "n")}
	})
	rapid.Check(t, func(t *rapid.T) {
		v := whole{
			Inlined: Inlined{rapid.SliceOfN(text, 0, 3).Draw(t, "words"), kind(text.Draw(t, "kind"))},
			Skipped: "x", Yes: rapid.Bool().Draw(t, "yes"), Count: rapid.Int64().Draw(t, "count"), Ratio: rapid.Float64Range(-9, 9).Draw(t, "ratio"),
			More: rapid.SliceOfN(text, 0, 2).Draw(t, "more"), Here: in.Draw(t, "here"), There: rapid.Ptr(in, true).Draw(t, "there"),
			Perhaps: rapid.Ptr(in, true).Draw(t, "perhaps"), All: rapid.SliceOfN(in, 0, 2).Draw(t, "all"),
			By: rapid.MapOfN(text, rapid.Int(), 0, 1).Draw(t, "by"), Stamp: stamp{at.Draw(t, "stamp")},
			Raw: rapid.SampledFrom([]stdjson.RawMessage{nil, stdjson.RawMessage(`{"a":[1,null]}`)}).Draw(t, "raw"),
		}
		if rapid.Bool().Draw(t, "bare") {
			v = whole{}
		}
		want, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got, err := plan.Append([]byte("before"), &v)
		if err != nil || string(got) != "before"+string(want) {
			t.Fatalf("wrote %s, %v\nwant %s", got, err, want)
		}
	})
}

// TestOwn proves that the caller's word on a type is the last one.
func TestOwn(t *testing.T) {
	plan := jsonobject.New[inner](nil, map[reflect.Type]jsonobject.Writer{
		reflect.TypeFor[time.Time](): func(b []byte, _ reflect.Value) ([]byte, error) { return append(b, `"now"`...), nil },
	})
	got, err := plan.Append(nil, &inner{Name: "a\xffb", At: time.Unix(1, 0)})
	if want := `{"name":"a` + "\ufffd" + `b","at":"now"}`; err != nil || string(got) != want {
		t.Errorf("wrote %s, %v; want %s", got, err, want)
	}
}

// TestRefusals proves that what has no plan is found when the program starts, and what cannot be written
// when it is.
func TestRefusals(t *testing.T) {
	panics := func(name string, f func()) {
		defer func() {
			if recover() == nil {
				t.Errorf("%s has a plan", name)
			}
		}()
		f()
	}
	panics("a member without a name", func() {
		jsonobject.New[struct{ A int }](nil, nil)
	})
	panics("an unknown option", func() {
		jsonobject.New[struct {
			A int `json:"a,string"`
		}](nil, nil)
	})
	far := inner{At: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)}
	if b, err := jsonobject.New[inner](nil, nil).Append(nil, &far); err == nil {
		t.Errorf("wrote %s", b)
	}
}
