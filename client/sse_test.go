package client

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestEventReader(t *testing.T) {
	cases := []struct {
		name, in string
		want     []rawEvent
	}{
		{"one", "id: 3\nevent: created\ndata: {}\n\n", []rawEvent{{3, "created", []byte("{}")}}},
		{"ends of lines", "id: 1\r\ndata: a\r\n\r\ndata: b\r\rdata: c\n\n", []rawEvent{{1, "", []byte("a")}, {1, "", []byte("b")}, {1, "", []byte("c")}}},
		{"several lines", "data: a\ndata:b\ndata\n\n", []rawEvent{{0, "", []byte("a\nb\n")}}},
		{"comments and blocks without data", ": hi\n\nretry: 5\n\nid: 9\n\nevent: x\n\ndata: y\n\n", []rawEvent{{9, "", []byte("y")}}},
		{"cut off", "data: a\n\ndata: b\n", []rawEvent{{0, "", []byte("a")}}},
		{"strange ids", "id: x\ndata: a\n\nid: -4\ndata: b\n\n", []rawEvent{{0, "", []byte("a")}, {0, "", []byte("b")}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newEventReader(strings.NewReader(c.in), nil)
			for i, want := range c.want {
				got, err := r.next()
				if err != nil || got.id != want.id || got.name != want.name || !bytes.Equal(got.data, want.data) {
					t.Errorf("event %d: %+v %q, %v; want %+v", i, got, got.data, err, want)
				}
			}
			if ev, err := r.next(); !errors.Is(err, io.EOF) {
				t.Errorf("then %+v, %v", ev, err)
			}
		})
	}
	long := newEventReader(io.MultiReader(strings.NewReader("data: "), neverEnding('x')), nil)
	if _, err := long.next(); !errors.Is(err, errEventTooLong) {
		t.Errorf("an endless line: %v", err)
	}
	many := newEventReader(endlessLines{}, nil)
	if _, err := many.next(); !errors.Is(err, errEventTooLong) {
		t.Errorf("endless lines: %v", err)
	}
}

type neverEnding byte

func (b neverEnding) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(b)
	}
	return len(p), nil
}

type endlessLines struct{}

func (endlessLines) Read(p []byte) (int, error) {
	return copy(p, "data: xxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"), nil
}

func FuzzEventReader(f *testing.F) {
	for _, seed := range []string{"id: 3\nevent: created\ndata: {}\n\n", "data: a\r\r\n\n", ":\n\n", "data\n\n", "id:\x00\ndata: \xff\n\n", "\r\n\r", "event: a\nevent: b\ndata:  c\n\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := newEventReader(bytes.NewReader(b), nil)
		var last int64
		for total := 0; ; {
			ev, err := r.next()
			if err != nil {
				return
			}
			if ev.id < 0 || ev.id < last && !bytes.Contains(b, []byte("id")) {
				t.Errorf("id %d after %d", ev.id, last)
			}
			last = ev.id
			if total += len(ev.data); total > len(b) {
				t.Fatalf("%d bytes of data out of %d", total, len(b))
			}
		}
	})
}
