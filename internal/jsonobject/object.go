// Package jsonobject writes structs as JSON objects by a plan that is made once for each type. It is for the
// few large structs that every change is written as, where looking at each member's type anew costs
// more than writing it.
//
// It writes byte for byte what github.com/go-json-experiment/json writes with the same options, and leaves
// all members to it that are not text, booleans, whole numbers, instants, lists of text or structs of those.
// Text that is not UTF-8 it mends. It reads nothing.
package jsonobject

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Writer appends a value's JSON; v is addressable.
type Writer func(b []byte, v reflect.Value) ([]byte, error)

// Plan is how structs of type T are written. Safe for concurrent use.
type Plan[T any] struct{ plan plan }

// plan is how structs of one type are written.
type plan []member

type member struct {
	path []int  // of indexes, through embedded structs
	name []byte // "name":
	omit func(v reflect.Value) bool
	put  Writer
}

// New makes the plan of a struct type. The options are those that the rest is written with; own says how
// types are written that have a form of their own. A struct that has no plan is a programming error: it panics.
func New[T any](options json.Options, own map[reflect.Type]Writer) *Plan[T] {
	m := maker{options, own}
	return &Plan[T]{m.plan(nil, reflect.TypeFor[T](), nil)}
}

// Append appends v.
func (p *Plan[T]) Append(b []byte, v *T) ([]byte, error) {
	return p.plan.append(b, reflect.ValueOf(v).Elem())
}

// maker makes plans.
type maker struct {
	options json.Options
	own     map[reflect.Type]Writer
}

// plan adds the members of t, which is embedded at path.
func (k *maker) plan(p plan, t reflect.Type, path []int) plan {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(path[:len(path):len(path)], i)
		tag, tagged := f.Tag.Lookup("json")
		if f.Anonymous && !tagged && f.Type.Kind() == reflect.Struct {
			p = k.plan(p, f.Type, at)
			continue
		}
		words := strings.Split(tag, ",")
		if !f.IsExported() || tag == "-" {
			continue
		}
		if words[0] == "" {
			panic("jsonobject: " + t.String() + "." + f.Name + " has no name")
		}
		m := member{path: at, name: []byte(strconv.Quote(words[0]) + ":"), omit: func(reflect.Value) bool { return false }, put: k.writer(f.Type)}
		for _, word := range words[1:] {
			switch word {
			case "omitempty":
				m.omit = empty
			case "omitzero":
				m.omit = zero(f.Type)
			default:
				panic("jsonobject: " + t.String() + "." + f.Name + " has the unknown option " + word)
			}
		}
		p = append(p, m)
	}
	return p
}

// empty is what omitempty always meant.
func empty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.String, reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}

// zero is by the type's own word where it has one.
func zero(t reflect.Type) func(v reflect.Value) bool {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[interface{ IsZero() bool }]()) && t.Kind() != reflect.Pointer {
		return func(v reflect.Value) bool { return v.Addr().Interface().(interface{ IsZero() bool }).IsZero() }
	}
	return reflect.Value.IsZero
}

func (p plan) append(b []byte, s reflect.Value) ([]byte, error) {
	b = append(b, '{')
	first := true
	for i := range p {
		m := &p[i]
		f := s
		for _, at := range m.path {
			f = f.Field(at)
		}
		if m.omit(f) {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		var err error
		if b, err = m.put(append(b, m.name...), f); err != nil {
			return nil, fmt.Errorf("write %s: %w", m.name, err)
		}
	}
	return append(b, '}'), nil
}

// writer is how a type is written.
func (k *maker) writer(t reflect.Type) Writer {
	if w := k.own[t]; w != nil {
		return w
	}
	if t == reflect.TypeFor[time.Time]() {
		return instant
	}
	other := func(b []byte, v reflect.Value) ([]byte, error) {
		j, err := json.Marshal(v.Addr().Interface(), k.options)
		return append(b, j...), err
	}
	if special(t) {
		return other
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) ([]byte, error) { return text(b, v.String()), nil }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil }
	case reflect.Int, reflect.Int64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(b, v.Int(), 10), nil }
	case reflect.Struct:
		return k.plan(nil, t, nil).append
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Struct {
			return pointer(k.writer(t.Elem()))
		}
	}
	if t == reflect.TypeFor[[]string]() {
		return list(other)
	}
	return other
}

// special reports whether a type has a JSON form of its own, or one that depends on options.
func special(t reflect.Type) bool {
	for i := range reflect.PointerTo(t).NumMethod() {
		switch reflect.PointerTo(t).Method(i).Name {
		case "MarshalJSON", "MarshalJSONTo", "MarshalText", "AppendText":
			return true
		}
	}
	return t == reflect.TypeFor[time.Duration]()
}

// text writes a string; what is not UTF-8 becomes U+FFFD, which is all that the error says.
func text(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

// pointer writes what v points to.
func pointer(to Writer) Writer {
	return func(b []byte, v reflect.Value) ([]byte, error) {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return to(b, v.Elem())
	}
}

// list writes a list of texts; what none is written as depends on options.
func list(none Writer) Writer {
	return func(b []byte, v reflect.Value) ([]byte, error) {
		all := *v.Addr().Interface().(*[]string)
		if all == nil {
			return none(b, v)
		}
		b = append(b, '[')
		for i, s := range all {
			if i > 0 {
				b = append(b, ',')
			}
			b = text(b, s)
		}
		return append(b, ']'), nil
	}
}

// instant writes RFC 3339 with as many decimals as there are.
func instant(b []byte, v reflect.Value) ([]byte, error) {
	b = append(b, '"')
	b, err := v.Addr().Interface().(*time.Time).AppendText(b)
	return append(b, '"'), err
}
