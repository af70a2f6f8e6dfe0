package bridge

import (
	"sync"

	"github.com/go-json-experiment/json"

	"signalbox/bridge/wire"
	"signalbox/notify"
)

// encodedKept is how many changes are kept encoded, of encodedMost bytes at most.
// Streams that keep up read the same few.
const (
	encodedKept = 256
	encodedMost = 64 << 10
)

// encoder writes each change once for all streams. What a change shows beside
// its record (counts, presence) is as it is when the first of them asks.
type encoder struct {
	center Center

	mu    sync.Mutex // protects slots
	slots [encodedKept]*encoded
}

type encoded struct {
	seq  int64
	once sync.Once
	data []byte
}

func newEncoder(c Center) *encoder { return &encoder{center: c} }

// data returns the JSON of a change.
func (e *encoder) data(c *notify.Change) []byte {
	e.mu.Lock()
	at := c.Seq % encodedKept
	one := e.slots[at]
	if one == nil || one.seq != c.Seq {
		one = &encoded{seq: c.Seq}
		e.slots[at] = one
	}
	e.mu.Unlock()
	one.once.Do(func() {
		// The wire's shapes always encode: what came in as JSON went through them.
		one.data, _ = json.Marshal(e.streamData(c))
	})
	if len(one.data) > encodedMost {
		e.mu.Lock()
		if e.slots[at] == one {
			e.slots[at] = nil
		}
		e.mu.Unlock()
	}
	return one.data
}

// streamData tells a change in the wire's shape.
func (e *encoder) streamData(c *notify.Change) wire.StreamData {
	d := wire.StreamData{Change: c.Seq, At: wire.At(c.At)}
	switch {
	case c.Record != nil:
		n := toRecord(c.Record)
		d.Notification = &n
		if c.Action != "" {
			d.Action = &wire.ActionInvoked{ID: c.Action, Revision: c.Record.Revision}
		}
	case c.Connection != nil:
		v, ok := e.center.Connection(c.Connection.ID)
		if !ok {
			v.Presence = notify.Revoked // it was purged
		}
		v.Connection = c.Connection
		one := toConnection(v)
		d.Connection = &one
	case c.Session != nil:
		v := notify.SessionView{Session: c.Session}
		for _, known := range e.center.Sessions(c.Session.Connection) {
			if known.ID == c.Session.ID {
				v.Waiting, v.Unread, v.Needs = known.Waiting, known.Unread, known.Needs
			}
		}
		one := toSession(v)
		d.Session = &one
	case c.Invalidation != nil:
		one := toInvalidation(c.Invalidation)
		d.Invalidation = &one
	default:
		one := toAttention(e.center.Attention())
		d.Attention = &one
	}
	d.Removed = c.Removed
	return d
}

// connectionOf is whose change it is; "" is the owner's alone.
func connectionOf(c *notify.Change) string {
	switch {
	case c.Record != nil:
		return c.Record.Connection
	case c.Connection != nil:
		return c.Connection.ID
	case c.Session != nil:
		return c.Session.Connection
	case c.Invalidation != nil:
		return c.Invalidation.Connection
	}
	return ""
}
