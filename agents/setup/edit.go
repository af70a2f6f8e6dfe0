package setup

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Edit is a changed file, and the pieces of text that were put into it, in the order of their insertion.
type Edit struct {
	Text     []byte
	Inserted []Piece
}

// Piece is one insertion: its text, and what stood right before it, which tells it from the same text elsewhere.
type Piece struct {
	Before string `json:"before"`
	Text   string `json:"text"`
}

// contextBytes is how much of what stands before a piece is kept.
const contextBytes = 80

// ErrNotOurs says that what would have to be changed belongs to the owner: it is left alone.
var ErrNotOurs = errors.New("set already, and not by us")

// insert puts text in at an offset.
func (e *Edit) insert(at int, text string) {
	before := e.Text[max(0, at-contextBytes):at]
	var b bytes.Buffer
	b.Write(e.Text[:at])
	b.WriteString(text)
	b.Write(e.Text[at:])
	e.Text = b.Bytes()
	e.Inserted = append(e.Inserted, Piece{Before: string(before), Text: text})
}

// Undo takes the pieces out of a file again, last first. The file may have been changed beside them; ok is false when
// a piece is not there any more, or cannot be told from others.
func Undo(text []byte, inserted []Piece) (out []byte, ok bool) {
	out = text
	for i := len(inserted) - 1; i >= 0; i-- {
		at, ok := inserted[i].find(out)
		if !ok {
			return text, false
		}
		out = append(append([]byte(nil), out[:at]...), out[at+len(inserted[i].Text):]...)
	}
	return out, true
}

// find is where a piece is: the only place with its text, or the only one of them with the same before it.
func (p Piece) find(text []byte) (at int, ok bool) {
	var all, same []int
	for from := 0; p.Text != ""; {
		i := bytes.Index(text[from:], []byte(p.Text))
		if i < 0 {
			break
		}
		at := from + i
		all = append(all, at)
		if bytes.HasSuffix(text[:at], []byte(p.Before)) && (len(p.Before) == contextBytes || len(p.Before) == at) {
			same = append(same, at)
		}
		from = at + 1
	}
	switch {
	case len(same) == 1:
		return same[0], true
	case len(all) == 1:
		return all[0], true
	}
	return 0, false
}

// style is how a file is laid out.
type style struct {
	newline string // "": all on one line
	indent  string
}

func styleOf(text []byte) style {
	st := style{"\n", "  "}
	i := bytes.IndexByte(text, '\n')
	if i < 0 {
		if len(bytes.TrimSpace(text)) > 2 {
			st.newline = ""
		}
		return st
	}
	if i > 0 && text[i-1] == '\r' {
		st.newline = "\r\n"
	}
	for line := range bytes.Lines(text) {
		body := bytes.TrimLeft(line, " \t")
		if lead := len(line) - len(body); lead > 0 && len(bytes.TrimSpace(body)) > 0 {
			st.indent = string(line[:lead])
			break
		}
	}
	return st
}

// render is a value laid out at a depth.
func (st style) render(v any, depth int) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if st.newline != "" {
		e.SetIndent(strings.Repeat(st.indent, depth), st.indent)
	}
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", st.newline), nil
}

// lead is a new line at a depth; nothing where all is on one line.
func (st style) lead(depth int) string {
	if st.newline == "" {
		return ""
	}
	return st.newline + strings.Repeat(st.indent, depth)
}

// entry is an element for the array at a path of names.
type entry struct {
	path  []string
	value any
}

// appendAll adds elements to arrays of a JSON text, making what is missing on the way. An empty text becomes an
// object. base are members that a new file has besides.
func appendAll(text []byte, entries []entry, base ...[2]string) (Edit, error) {
	e := Edit{Text: append([]byte(nil), text...)}
	if len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))) == 0 {
		var members []string
		for _, m := range base {
			members = append(members, "\n  "+m[0]+": "+m[1])
		}
		whole := "{" + strings.Join(members, ",") + "\n}\n"
		if len(base) == 0 {
			whole = "{}\n"
		}
		e.insert(len(e.Text), whole)
	}
	for _, en := range entries {
		if err := e.append(en.path, en.value); err != nil {
			return Edit{}, err
		}
		if err := e.holds(en); err != nil {
			return Edit{}, fmt.Errorf("the edit would break the file: %w", err)
		}
	}
	return e, nil
}

// holds says whether an entry is read as the last of its array: whatever the layout was, it must not have come to lie
// beside it.
func (e *Edit) holds(en entry) error {
	root, err := parse(e.Text)
	if err != nil {
		return err
	}
	at := &root
	for _, name := range en.path {
		if at = at.get(name); at == nil {
			return fmt.Errorf("%s is not there", name)
		}
	}
	want, err := compact(en.value)
	if err != nil {
		return err
	}
	var got bytes.Buffer
	if n := len(at.elements); n > 0 {
		err = json.Compact(&got, e.Text[at.elements[n-1].start:at.elements[n-1].end])
	}
	if err != nil || !bytes.Equal(got.Bytes(), want) {
		return fmt.Errorf("the entry of %s is not in its place", strings.Join(en.path, "."))
	}
	return nil
}

func (e *Edit) append(path []string, value any) error {
	root, err := parse(e.Text)
	if err != nil {
		return err
	}
	st := styleOf(e.Text)
	at := &root
	for depth, name := range path {
		if at.kind != '{' {
			return fmt.Errorf("%s is no object", cmp.Or(strings.Join(path[:depth], "."), "the whole"))
		}
		next := at.get(name)
		if next == nil {
			// The rest of the path, with the value at its end, in one piece.
			v := any([]any{value})
			for i := len(path) - 1; i > depth; i-- {
				v = map[string]any{path[i]: v}
			}
			rendered, err := st.render(v, depth+1)
			if err != nil {
				return err
			}
			quoted, _ := json.Marshal(name)
			colon := ": "
			if st.newline == "" {
				colon = ":"
			}
			last := 0
			if n := len(at.members); n > 0 {
				last = at.members[n-1].value.end
			}
			e.put(at, last, string(quoted)+colon+rendered, depth+1, st)
			return nil
		}
		at = next
	}
	if at.kind != '[' {
		return fmt.Errorf("%s is no array", strings.Join(path, "."))
	}
	rendered, err := st.render(value, len(path)+1)
	if err != nil {
		return err
	}
	last := 0
	if n := len(at.elements); n > 0 {
		last = at.elements[n-1].end
	}
	e.put(at, last, rendered, len(path)+1, st)
	return nil
}

// put adds a piece at the end of a container. last is the end of its last part, 0 when it is empty.
func (e *Edit) put(in *node, last int, piece string, depth int, st style) {
	switch {
	case last == 0:
		closing := ""
		if inner := string(e.Text[in.start+1 : in.end-1]); !strings.Contains(inner, "\n") {
			closing = st.lead(depth - 1)
		}
		e.insert(in.start+1, st.lead(depth)+piece+closing)
	case in.comma > 0:
		// A trailing comma is there: it now divides, and the new last part has one as well.
		e.insert(in.comma, st.lead(depth)+piece+",")
	default:
		e.insert(last, ","+st.lead(depth)+piece)
	}
}

// Strip takes out every element of an array in which is says that it is ours, and what is left empty by that. It is
// for files of which the pieces are not known any more.
func Strip(text []byte, ours func(element []byte) bool) ([]byte, error) {
	for {
		root, err := parse(text)
		if err != nil {
			return nil, err
		}
		from, to, ok := find(text, &root, ours)
		if !ok {
			return text, nil
		}
		text = append(append([]byte(nil), text[:from]...), text[to:]...)
	}
}

// find is the range of the outermost part that holds nothing but what is ours.
func find(text []byte, n *node, ours func([]byte) bool) (from, to int, ok bool) {
	var all func(n *node) (only bool)
	// A group without its hooks is none: it goes with the last of them, whatever else it says.
	element := func(e *node) bool {
		return ours(text[e.start:e.end]) || e.kind == '{' && e.get("hooks") != nil && all(e.get("hooks"))
	}
	all = func(n *node) bool {
		switch n.kind {
		case '[':
			for i := range n.elements {
				if !element(&n.elements[i]) {
					return false
				}
			}
			return len(n.elements) > 0
		case '{':
			for i := range n.members {
				if !all(&n.members[i].value) {
					return false
				}
			}
			return len(n.members) > 0
		}
		return false
	}
	for i := range n.members {
		m := &n.members[i]
		if all(&m.value) {
			before, after := -1, -1
			if i > 0 {
				before = n.members[i-1].value.end
			}
			if i+1 < len(n.members) {
				after = n.members[i+1].start
			}
			from, to = part(n, m.start, m.value.end, before, after)
			return from, to, true
		}
		if from, to, ok = find(text, &m.value, ours); ok {
			return from, to, true
		}
	}
	for i := range n.elements {
		el := &n.elements[i]
		if element(el) {
			before, after := -1, -1
			if i > 0 {
				before = n.elements[i-1].end
			}
			if i+1 < len(n.elements) {
				after = n.elements[i+1].start
			}
			from, to = part(n, el.start, el.end, before, after)
			return from, to, true
		}
		if from, to, ok = find(text, el, ours); ok {
			return from, to, true
		}
	}
	return 0, 0, false
}

// part is the range of one part of a container with its comma: from the end of the one before, or up to the start of
// the one after; of the only one, all between the brackets.
func part(n *node, start, end, before, after int) (from, to int) {
	switch {
	case before >= 0:
		return before, end
	case after >= 0:
		return start, after
	}
	return n.start + 1, n.end - 1
}
