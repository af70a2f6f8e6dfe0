package agents

import (
	"bytes"
	"encoding/base64"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// fields are the members of a JSON object by folded name, so that sessionId, session_id and session-id are one. Of
// two members with one name the first counts.
type fields map[string]jsontext.Value

// maxMembers bounds how many members of one object are kept.
const maxMembers = 500

// decodeObject reads an object as far as it goes. What was read before a fault stays: whole says that there was
// none.
func decodeObject(b []byte) (f fields, whole bool) {
	f = fields{}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	d := jsontext.NewDecoder(bytes.NewReader(b), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '{' {
		return f, false
	}
	for len(f) < maxMembers {
		t, err := d.ReadToken()
		if err != nil {
			return f, false
		}
		if t.Kind() == '}' {
			_, err := d.ReadToken()
			return f, err == io.EOF
		}
		k := fold(t.String())
		v, err := d.ReadValue()
		if err != nil {
			return f, false
		}
		if _, twice := f[k]; !twice {
			f[k] = v.Clone()
		}
	}
	return f, false
}

// member is one member of an object, in its order and with its own name.
type member struct {
	name  string
	value jsontext.Value
}

func members(v jsontext.Value) []member {
	if v.Kind() != '{' {
		return nil
	}
	d := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if _, err := d.ReadToken(); err != nil {
		return nil
	}
	var out []member
	for len(out) < maxMembers && d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil {
			break
		}
		name := t.String()
		value, err := d.ReadValue()
		if err != nil {
			break
		}
		out = append(out, member{name, value.Clone()})
	}
	return out
}

// raw is the value of the first of the names that is there and not null.
func (f fields) raw(names ...string) jsontext.Value {
	for _, n := range names {
		if v := f[fold(n)]; len(v) > 0 && v.Kind() != 'n' {
			return v
		}
	}
	return nil
}

// text is the first of the names that is a text, a number or a boolean, as text.
func (f fields) text(names ...string) string {
	for _, n := range names {
		if s, ok := scalar(f[fold(n)]); ok && s != "" {
			return s
		}
	}
	return ""
}

// flag is whether the first of the names that is there is true.
func (f fields) flag(names ...string) bool { return f.raw(names...).Kind() == 't' }

// object is the members of the first of the names that is an object.
func (f fields) object(names ...string) fields {
	for _, n := range names {
		if v := f[fold(n)]; len(v) > 0 && v.Kind() == '{' {
			o, _ := decodeObject(v)
			return o
		}
	}
	return nil
}

// list is the values of the first of the names that is an array, at most maxMembers of them.
func (f fields) list(names ...string) []jsontext.Value {
	for _, n := range names {
		if v := f[fold(n)]; len(v) > 0 && v.Kind() == '[' {
			return elements(v)
		}
	}
	return nil
}

// objects is the elements of a list that are objects.
func (f fields) objects(names ...string) []fields {
	var out []fields
	for _, v := range f.list(names...) {
		if v.Kind() == '{' {
			o, _ := decodeObject(v)
			out = append(out, o)
		}
	}
	return out
}

// texts is the elements of a list that are texts.
func (f fields) texts(names ...string) []string {
	var out []string
	for _, v := range f.list(names...) {
		if s, ok := scalar(v); ok {
			out = append(out, s)
		}
	}
	return out
}

func elements(v jsontext.Value) []jsontext.Value {
	d := jsontext.NewDecoder(bytes.NewReader(v), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	if t, err := d.ReadToken(); err != nil || t.Kind() != '[' {
		return nil
	}
	var out []jsontext.Value
	for len(out) < maxMembers && d.PeekKind() != ']' {
		e, err := d.ReadValue()
		if err != nil {
			break
		}
		out = append(out, e.Clone())
	}
	return out
}

// scalar is a text, a number or a boolean as text.
func scalar(v jsontext.Value) (string, bool) {
	switch v.Kind() {
	case '"':
		b, err := jsontext.AppendUnquote(nil, v)
		if err != nil && len(b) == 0 {
			return "", false
		}
		return strings.ToValidUTF8(string(b), "�"), true
	case '0', 't', 'f':
		return string(v), true
	}
	return "", false
}

// canonical is v in one spelling, so that equal inputs of a tool are equal bytes whatever wrote them.
func canonical(v jsontext.Value) string {
	if len(v) == 0 {
		return ""
	}
	c := v.Clone()
	if err := c.Canonicalize(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)); err != nil {
		return string(v)
	}
	return string(c)
}

// Masked is the shape of a payload without its content: names, numbers' and texts' lengths, booleans. It is what is
// kept of events that nobody here knows, for diagnosis. At most limit bytes.
func Masked(payload []byte, limit int) string {
	d := jsontext.NewDecoder(bytes.NewReader(payload), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	var out bytes.Buffer
	e := jsontext.NewEncoder(&out, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	for out.Len() < limit {
		t, err := d.ReadToken()
		if err != nil {
			break
		}
		depth := d.StackDepth()
		kind, n := d.StackIndex(depth)
		isName := kind == '{' && n%2 == 1
		switch {
		case t.Kind() == '"' && isName:
			t = jsontext.String(maskedName(t.String()))
		case t.Kind() == '"':
			t = jsontext.String("text of " + strconv.Itoa(len([]rune(t.String()))))
		case t.Kind() == '0':
			t = jsontext.String("number")
		}
		if e.WriteToken(t) != nil {
			break
		}
	}
	s := strings.TrimSpace(out.String())
	return cut(s, limit)
}

// maskedName keeps a member's name only where it looks like a name: a map from content to content has content for
// names.
func maskedName(s string) string {
	if len(s) > 40 {
		return "name of " + strconv.Itoa(len([]rune(s)))
	}
	for _, r := range s {
		if !(r == '_' || r == '-' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return "name of " + strconv.Itoa(len([]rune(s)))
		}
	}
	if _, err := base64.StdEncoding.DecodeString(s); err == nil && len(s) >= 24 {
		return "name of " + strconv.Itoa(len(s))
	}
	return s
}
