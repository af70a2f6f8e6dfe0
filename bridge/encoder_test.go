package bridge

import (
	"bytes"
	"strings"
	"testing"

	"signalbox/notify"
)

// What is kept encoded has a bound: a large change is written for the streams that ask for it, and let go.
func TestEncodedIsBounded(t *testing.T) {
	e := newEncoder(nil)
	change := func(seq int64, size int) *notify.Change {
		return &notify.Change{Seq: seq, Name: notify.EvCreated, Record: &notify.Record{ID: "r", Content: notify.Content{Title: strings.Repeat("x", size)}}}
	}
	for seq := range int64(3 * encodedKept) {
		e.data(change(seq, 300<<10))
	}
	held := func() (n int) {
		for _, one := range e.slots {
			if one != nil {
				n += len(one.data)
			}
		}
		return n
	}
	if n := held(); n > encodedKept*encodedMost {
		t.Errorf("%d bytes are kept", n)
	}
	small := change(1, 10)
	if first, again := e.data(small), e.data(small); &first[0] != &again[0] {
		t.Error("a small change is written twice")
	}
	if large := change(2, 300<<10); !bytes.Equal(e.data(large), e.data(large)) {
		t.Error("a large change is written in two ways")
	}
}
