package winlink

import (
	"bytes"
	"context"
	"io"
	"testing"

	"signalbox/notify"
)

// said is a line whose other end has said something and listens to nothing.
type said struct{ io.Reader }

func (said) Write(b []byte) (int, error) { return len(b), nil }
func (said) Close() error                { return nil }

// Whatever comes over a line ends it at worst.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		"{\"id\":1,\"method\":\"settings\"}\n", "{\"id\":1,\"cancel\":true}\n{\"id\":1}\n", "{\"id\":2,\"method\":\"no such\",\"data\":[1]}\n", "{", "\n", "null\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l := New(said{bytes.NewReader(b)})
		_ = l.Serve(context.Background())
		<-l.Done()
	})
}

// A command that is read is one of those that a window may send.
func FuzzOp(f *testing.F) {
	f.Add("Dismiss", []byte(`{"ID":"a","Expect":{"Expect":true,"Revision":3}}`))
	f.Add("AnswerOp", []byte(`{"ID":"a","Answer":{"Option":"yes"}}`))
	f.Add("Tick", []byte(`{}`))
	f.Add("Publish", []byte(`null`))
	f.Fuzz(func(t *testing.T, name string, op []byte) {
		got, err := command{Name: name, Op: op}.decode()
		if err != nil {
			return
		}
		if _, err := encodeOp(notify.Owner, got); err != nil {
			t.Fatalf("%s was read and cannot be sent: %v", name, err)
		}
	})
}
