package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
)

// maxEvent bounds one event of a stream, in bytes: a record with the largest
// content, twice over.
const maxEvent = 4 << 20

// errEventTooLong is why a stream is given up.
var errEventTooLong = errors.New("an event of the stream is too long")

// rawEvent is one event as Server-Sent Events have it.
type rawEvent struct {
	id   int64 // the last id seen; 0: none yet
	name string
	data []byte
}

// eventReader reads Server-Sent Events: lines end with LF, CR or CRLF, a block
// ends with an empty line, and a block without data is no event.
type eventReader struct {
	r  *bufio.Reader
	id int64
	// skipLF: the line before ended with CR, whose LF may follow.
	skipLF bool
	// beat is called for every line that came, comments too.
	beat func()
}

func newEventReader(r io.Reader, beat func()) *eventReader {
	return &eventReader{r: bufio.NewReaderSize(r, 32<<10), beat: beat}
}

// next returns the next event. What is cut off by the end of the stream is no
// event: io.EOF.
func (e *eventReader) next() (rawEvent, error) {
	var ev rawEvent
	var hasData bool
	size := 0
	for {
		line, err := e.line(maxEvent - size)
		if err != nil {
			return rawEvent{}, err
		}
		size += len(line)
		if e.beat != nil {
			e.beat()
		}
		if len(line) == 0 {
			if hasData {
				ev.id = e.id
				return ev, nil
			}
			ev, size = rawEvent{}, 0
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) {
		case "event":
			ev.name = string(value)
		case "data":
			if hasData {
				ev.data = append(ev.data, '\n')
			}
			ev.data = append(ev.data, value...)
			hasData = true
		case "id":
			if id, err := strconv.ParseInt(string(value), 10, 64); err == nil && id >= 0 {
				e.id = id
			}
		}
	}
}

// line returns one line without its end, at most limit bytes long.
func (e *eventReader) line(limit int) ([]byte, error) {
	var out []byte
	for {
		b, err := e.r.ReadByte()
		if err != nil {
			return nil, err
		}
		if e.skipLF {
			e.skipLF = false
			if b == '\n' {
				continue
			}
		}
		switch b {
		case '\r':
			e.skipLF = true
			return out, nil
		case '\n':
			return out, nil
		}
		if len(out) >= limit {
			return nil, errEventTooLong
		}
		out = append(out, b)
	}
}
