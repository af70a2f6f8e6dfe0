package bridge

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"signalbox/notify"
)

const (
	maxBody  = 1 << 20 // bytes
	maxDepth = 100     // of objects and arrays within each other
)

// checkMedia refuses a body that is not declared as JSON, or is encoded. Requiring that
// declaration keeps forms and plain-text requests of pages out: a browser asks
// first before it sends it across origins.
func checkMedia(r *http.Request) error {
	if !hasBody(r) {
		return nil
	}
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		err = errors.New("charset")
	}
	if err != nil || media != "application/json" {
		return notify.Errorf(notify.CodeUnsupportedMedia, "Send the body as application/json.")
	}
	for _, coding := range r.Header.Values("Content-Encoding") {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return notify.Errorf(notify.CodeUnsupportedMedia, "Send the body as it is, without a content coding.")
		}
	}
	return nil
}

func hasBody(r *http.Request) bool { return r.ContentLength != 0 }

// readBody reads the body within its limit.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > maxBody {
		return nil, tooLarge()
	}
	var b []byte
	var err error
	limited := http.MaxBytesReader(w, r.Body, maxBody)
	if r.ContentLength > 0 {
		// One allocation where the length is known; it is bounded above.
		b = make([]byte, r.ContentLength)
		_, err = io.ReadFull(limited, b)
	} else {
		b, err = io.ReadAll(limited)
	}
	var exceeded *http.MaxBytesError
	switch {
	case errors.As(err, &exceeded):
		return nil, tooLarge()
	case err != nil:
		return nil, notify.Errorf(notify.CodeInvalidJSON, "The body could not be read to its end.")
	}
	return b, nil
}

func tooLarge() error {
	return notify.Errorf(notify.CodeTooLarge, "A body may have at most %d bytes.", maxBody)
}

// decode reads the body into v, strictly: one JSON value, no unknown field, no
// field twice, valid UTF-8, no number beyond what v holds. It returns the body.
func decode(w http.ResponseWriter, r *http.Request, v any) ([]byte, error) {
	b, err := readBody(w, r)
	if err != nil {
		return nil, err
	}
	if len(b) == 0 {
		return nil, notify.Errorf(notify.CodeInvalidJSON, "A JSON body is needed.")
	}
	return b, unmarshal(b, v)
}

// decodeOptional is decode for a body that may be left out.
func decodeOptional(w http.ResponseWriter, r *http.Request, v any) error {
	b, err := readBody(w, r)
	if err != nil || len(b) == 0 {
		return err
	}
	return unmarshal(b, v)
}

var strict = json.JoinOptions(
	json.RejectUnknownMembers(true),
	json.MatchCaseInsensitiveNames(false),
	jsontext.AllowDuplicateNames(false),
	jsontext.AllowInvalidUTF8(false),
)

// unmarshal reads b into v strictly and says which field is at fault.
func unmarshal(b []byte, v any) error {
	if tooDeep(b) {
		return notify.Errorf(notify.CodeInvalidJSON, "The body has more than %d levels.", maxDepth)
	}
	if jsontext.Value(b).Kind() == 'n' { // which would be read as an object with nothing in it
		return notObject(nil)
	}
	err := json.Unmarshal(b, v, strict)
	if err == nil {
		return whole(b, v)
	}
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic):
		what := "has a value of the wrong type or range"
		switch {
		case errors.Is(err, json.ErrUnknownName):
			what = "is not known here"
		case semantic.Err != nil && strings.HasPrefix(semantic.Err.Error(), "want "):
			what = semantic.Err.Error() // ours, from package wire
		}
		if semantic.JSONPointer == "" {
			return notObject(err)
		}
		return &notify.Error{
			Code:   notify.CodeInvalidField,
			Detail: "A field cannot be used.",
			Fields: []notify.FieldError{{Field: string(semantic.JSONPointer), Detail: what}},
			Cause:  err,
		}
	case errors.As(err, &syntactic):
		what := "is not valid JSON here"
		switch {
		case errors.Is(err, jsontext.ErrDuplicateName):
			what = "is there twice"
		case strings.Contains(syntactic.Err.Error(), "UTF-8"):
			what = "is not valid UTF-8"
		}
		e := &notify.Error{Code: notify.CodeInvalidJSON, Detail: "The body is not one valid JSON value.", Cause: err}
		if syntactic.JSONPointer != "" {
			e.Fields = []notify.FieldError{{Field: string(syntactic.JSONPointer), Detail: what}}
		}
		return e
	}
	return &notify.Error{Code: notify.CodeInvalidJSON, Detail: "The body is not one valid JSON value.", Cause: err}
}

// whole refuses a body without a member that its shape always has. What a client
// left out must not be read as the member's zero value: no list, or an answer
// that is all defaults.
func whole(b []byte, v any) error {
	var have map[string]jsontext.Value
	shape := reflect.ValueOf(v).Elem()
	e := &notify.Error{Code: notify.CodeInvalidField, Detail: "A field is missing."}
	for _, m := range membersOf(shape.Type()) {
		if !shape.Field(m.field).IsZero() {
			continue
		}
		if have == nil {
			if err := json.Unmarshal(b, &have); err != nil {
				return err // it has been read before
			}
		}
		if kind := have[m.name].Kind(); kind == 0 || kind == 'n' {
			e.Fields = append(e.Fields, notify.FieldError{Field: "/" + m.name, Detail: "is required"})
		}
	}
	if e.Fields == nil {
		return nil
	}
	return e
}

// member is one that every body of a shape has, and the field that it is read into.
type member struct {
	name  string
	field int
}

// shapes holds what membersOf found, by type.
var shapes sync.Map

// membersOf are the members of a shape that may not be left out.
func membersOf(shape reflect.Type) []member {
	if known, ok := shapes.Load(shape); ok {
		return known.([]member)
	}
	var list []member
	for i := range shape.NumField() {
		if name, options, _ := strings.Cut(shape.Field(i).Tag.Get("json"), ","); options == "" {
			list = append(list, member{name, i})
		}
	}
	shapes.Store(shape, list)
	return list
}

func notObject(cause error) error {
	return &notify.Error{Code: notify.CodeInvalidJSON, Detail: "The body must be a JSON object.", Cause: cause}
}

// tooDeep says whether b nests deeper than maxDepth. The check is its own and
// comes first because readers of what is stored, ours and others, recurse.
func tooDeep(b []byte) bool {
	depth, inString := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
