package setup

import (
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// node is a value of a JSON text with its place in it. Comments and trailing commas are allowed, as several agents
// allow them.
type node struct {
	kind       byte // { [ " 0 t f n
	start, end int  // of the value, end exclusive
	members    []memberNode
	elements   []node
	comma      int // where the one after the last member or element ends; 0: there is none
}

type memberNode struct {
	name  string
	start int // of the name
	value node
}

// get is the value of a member; nil: there is none. Of a name that is there twice it is the last, as agents read it.
func (n *node) get(name string) *node {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return &n.members[i].value
		}
	}
	return nil
}

// maxNesting bounds how deep a configuration may nest.
const maxNesting = 100

type scanner struct {
	text  []byte
	at    int
	depth int
}

// parse reads a whole text.
func parse(text []byte) (node, error) {
	s := scanner{text: text}
	if strings.HasPrefix(string(text), "\xef\xbb\xbf") {
		s.at = 3
	}
	s.blank()
	n, err := s.value()
	if err != nil {
		return n, err
	}
	s.blank()
	if s.at != len(text) {
		return n, s.fail("something after the end")
	}
	return n, nil
}

func (s *scanner) fail(what string) error {
	line := 1 + strings.Count(string(s.text[:min(s.at, len(s.text))]), "\n")
	return fmt.Errorf("line %d: %s", line, what)
}

// blank passes over space and comments.
func (s *scanner) blank() {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
		case len(rest) > 1 && c == '/' && rest[1] == '/':
			end := strings.IndexByte(string(rest), '\n')
			if end < 0 {
				end = len(rest)
			}
			s.at += end
		case len(rest) > 1 && c == '/' && rest[1] == '*':
			end := strings.Index(string(rest[2:]), "*/")
			if end < 0 {
				s.at = len(s.text)
				return
			}
			s.at += end + 4
		default:
			return
		}
	}
}

func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *scanner) value() (node, error) {
	n := node{start: s.at}
	var err error
	switch c := s.peek(); {
	case c == '{', c == '[':
		n.kind = c
		if s.depth++; s.depth > maxNesting {
			return n, s.fail("nested too deep")
		}
		err = s.inside(&n)
		s.depth--
	case c == '"':
		n.kind = '"'
		_, err = s.text1()
	case c == '-' || c >= '0' && c <= '9':
		n.kind = '0'
		s.word()
	case c >= 'a' && c <= 'z':
		n.kind = c
		switch s.word() {
		case "true", "false", "null":
		default:
			err = s.fail("unknown word")
		}
	default:
		err = s.fail("want a value")
	}
	n.end = s.at
	return n, err
}

// inside reads the members or elements up to the closing bracket.
func (s *scanner) inside(n *node) error {
	closing := byte('}')
	if n.kind == '[' {
		closing = ']'
	}
	s.at++
	for {
		s.blank()
		if s.peek() == closing {
			s.at++
			return nil
		}
		if n.kind == '{' {
			m := memberNode{start: s.at}
			var err error
			if m.name, err = s.text1(); err != nil {
				return err
			}
			s.blank()
			if s.peek() != ':' {
				return s.fail("want a colon")
			}
			s.at++
			s.blank()
			if m.value, err = s.value(); err != nil {
				return err
			}
			n.members = append(n.members, m)
		} else {
			e, err := s.value()
			if err != nil {
				return err
			}
			n.elements = append(n.elements, e)
		}
		s.blank()
		n.comma = 0
		if s.peek() == ',' {
			s.at++
			n.comma = s.at
		} else if s.peek() != closing {
			return s.fail("want a comma or an end")
		}
	}
}

// text1 reads a text in quotes.
func (s *scanner) text1() (string, error) {
	start := s.at
	if s.peek() != '"' {
		return "", s.fail("want a name in quotes")
	}
	for s.at++; s.at < len(s.text); s.at++ {
		switch s.text[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			b, err := jsontext.AppendUnquote(nil, s.text[start:s.at])
			if err != nil {
				return "", s.fail("broken text")
			}
			return string(b), nil
		case '\n':
			return "", s.fail("text without an end")
		}
	}
	return "", s.fail("text without an end")
}

func (s *scanner) word() string {
	start := s.at
	for s.at < len(s.text) && strings.IndexByte("+-.0123456789abcdefghijklmnopqrstuvwxyzE", s.text[s.at]) >= 0 {
		s.at++
	}
	return string(s.text[start:s.at])
}
