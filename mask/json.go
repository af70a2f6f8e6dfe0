package mask

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"signalbox/notify"
)

// json masks the strings in a JSON value. A value without a credential, or that is no JSON, is left as
// the text it is. The name of a member says what its value is, as in {"password":"…"}.
func (m *masker) json(at string, raw *notify.RawJSON) {
	if len(*raw) == 0 || !looksRandom(string(*raw)) && len(secrets(string(*raw))) == 0 {
		return
	}
	dec := jsontext.NewDecoder(bytes.NewReader(*raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	var out []byte
	var fields []string
	end := 0
	for {
		kind := dec.PeekKind()
		if kind != '"' {
			if _, err := dec.ReadToken(); err != nil {
				break
			}
			continue
		}
		inObject, length := dec.StackIndex(dec.StackDepth())
		isName := inObject == '{' && length%2 == 0
		value, err := dec.ReadValue()
		if err != nil {
			break
		}
		if isName {
			continue
		}
		to := int(dec.InputOffset())
		from := to - len(value)
		text, err := jsontext.AppendUnquote(nil, value)
		if err != nil {
			continue
		}
		pointer := string(dec.StackPointer())
		masked, ok := m.mask(string(text))
		if !ok && inObject == '{' && !m.cut {
			masked, ok = member(pointer[strings.LastIndexByte(pointer, '/')+1:], string(text))
		}
		if !ok {
			continue
		}
		quoted, err := jsontext.AppendQuote(nil, masked)
		if err != nil {
			continue
		}
		out = append(append(out, (*raw)[end:from]...), quoted...)
		end = to
		fields = append(fields, at+pointer)
	}
	if fields == nil {
		return
	}
	*raw = append(out, (*raw)[end:]...)
	m.masked = append(m.masked, fields...)
}

// member masks the value of a member by what its name says; ok is false where it says nothing.
func member(name, value string) (masked string, ok bool) {
	lead := `"` + name + `": "`
	for _, f := range secrets(lead + value + `"`) {
		if from, to := max(f.from-len(lead), 0), min(f.to-len(lead), len(value)); from < to {
			return value[:from] + Mark + value[to:], true
		}
	}
	return value, false
}
