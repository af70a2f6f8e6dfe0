package store

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"signalbox/notify"
)

// The key layout, version 1. Keys are built and parsed in this file and nowhere else.
//
//	m NAME                                  schema: format number · state: see stateRow ·
//	                                        journal: see journal.go · filler: see rotate
//	r ID                                    a record, terminal or pending
//	t UPDATED ID                            its entry: what lists and plans need to know (notify.Entry)
//	p CREATED ID                            set while the record is pending; empty
//	s CONNECTION SCOPE SESSION KEY          the newest occurrence of a key (L4)
//	e CONNECTION SESSION TYPE OCCURRENCE    the record of an event's occurrence (A2); kept when it is pruned, not when its connection is removed
//	i CONNECTION KEY                        the receipt of an idempotency key
//	j AT CONNECTION KEY                     receipts by age; empty
//	c ID                                    a connection
//	n CONNECTION ID                         a session
//	v CONNECTION ID                         an invalidation (E2)
//	g                                       the settings
//	l SEQ                                   a logged change
//	d PROVIDER TYPE OCCURRENCE              a delivery (A3)
//	D AT PROVIDER TYPE OCCURRENCE           deliveries by time; empty
//	R RECORD AT PROVIDER TYPE OCCURRENCE    deliveries by record; empty
//	q RETRYAT PROVIDER TYPE OCCURRENCE      failed deliveries by when they are due; empty
//	b PART                                  a commit too big for one transaction (journal.go)
//
// UPDATED, CREATED, AT and RETRYAT are instants: 8 bytes of nanoseconds, big-endian, with the sign
// turned, so that they sort by time. SEQ is 8 bytes and PART 4 bytes, big-endian. All others are
// texts, ended by 00 00, with 00 within a text written 00 FF; so keys of several texts sort as the
// texts do, whatever they hold, and no key starts like Badger's own ("!badger!").
const (
	pfxMeta         = 'm'
	pfxRecord       = 'r'
	pfxTime         = 't'
	pfxPending      = 'p'
	pfxSlot         = 's'
	pfxTold         = 'e'
	pfxReceipt      = 'i'
	pfxReceiptAge   = 'j'
	pfxConnection   = 'c'
	pfxSession      = 'n'
	pfxInvalidation = 'v'
	pfxSettings     = 'g'
	pfxChange       = 'l'
	pfxDelivery     = 'd'
	pfxDeliveryTime = 'D'
	pfxDeliveryRec  = 'R'
	pfxRetry        = 'q'
	pfxJournal      = 'b'
)

var (
	keySchema   = []byte("mschema")
	keyState    = []byte("mstate")
	keyFiller   = []byte("mfiller")
	keySettings = []byte{pfxSettings}
)

func appendText(b []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		b = append(b, s[i])
		if s[i] == 0 {
			b = append(b, 0xFF)
		}
	}
	return append(b, 0, 0)
}

func takeText(b []byte) (s string, rest []byte, err error) {
	var out []byte
	for i := 0; i < len(b); i++ {
		if b[i] != 0 {
			out = append(out, b[i])
			continue
		}
		if i+1 >= len(b) {
			break
		}
		switch b[i+1] {
		case 0:
			return string(out), b[i+2:], nil
		case 0xFF:
			out = append(out, 0)
			i++
		default:
			return "", nil, fmt.Errorf("key: stray byte after 00")
		}
	}
	return "", nil, fmt.Errorf("key: text without end")
}

var (
	minInstant = time.Unix(0, math.MinInt64)
	maxInstant = time.Unix(0, math.MaxInt64)
)

// instant is t in nanoseconds; what lies outside of 1677 to 2262 is moved to the edge.
func instant(t time.Time) int64 {
	switch {
	case t.Before(minInstant):
		return math.MinInt64
	case t.After(maxInstant):
		return math.MaxInt64
	}
	return t.UnixNano()
}

// instantTime is the time of an instant; the edges are the zero time and the last instant.
func instantTime(n int64) time.Time {
	if n == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

func appendInstant(b []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(n)^(1<<63))
}

func takeInstant(b []byte) (n int64, rest []byte, err error) {
	if len(b) < 8 {
		return 0, nil, fmt.Errorf("key: short instant")
	}
	return int64(binary.BigEndian.Uint64(b) ^ (1 << 63)), b[8:], nil
}

func textKey(prefix byte, parts ...string) []byte {
	n := 1
	for _, p := range parts {
		n += len(p) + 2
	}
	b := append(make([]byte, 0, n), prefix)
	for _, p := range parts {
		b = appendText(b, p)
	}
	return b
}

func timeTextKey(prefix byte, at int64, parts ...string) []byte {
	b := appendInstant([]byte{prefix}, at)
	for _, p := range parts {
		b = appendText(b, p)
	}
	return b
}

// parseTexts parses a key of n texts.
func parseTexts(key []byte, n int) ([]string, error) {
	return takeTexts(key[1:], n)
}

func takeTexts(b []byte, n int) ([]string, error) {
	out := make([]string, n)
	var err error
	for i := range out {
		if out[i], b, err = takeText(b); err != nil {
			return nil, err
		}
	}
	if len(b) != 0 {
		return nil, fmt.Errorf("key: %d bytes too many", len(b))
	}
	return out, nil
}

// parseTimeTexts parses a key of an instant and n texts.
func parseTimeTexts(key []byte, n int) (at int64, parts []string, err error) {
	at, rest, err := takeInstant(key[1:])
	if err != nil {
		return 0, nil, err
	}
	parts, err = takeTexts(rest, n)
	return at, parts, err
}

func recordKey(id string) []byte { return textKey(pfxRecord, id) }

func timeKey(updated int64, id string) []byte    { return timeTextKey(pfxTime, updated, id) }
func pendingKey(created int64, id string) []byte { return timeTextKey(pfxPending, created, id) }

func slotKey(s notify.Slot) []byte {
	return textKey(pfxSlot, s.Connection, string(s.Scope), s.Session, s.Key)
}

func toldKey(e notify.EventRef) []byte {
	return textKey(pfxTold, e.Connection, e.Session, e.Type, e.Occurrence)
}

func receiptKey(connection, key string) []byte { return textKey(pfxReceipt, connection, key) }

func receiptAgeKey(at int64, connection, key string) []byte {
	return timeTextKey(pfxReceiptAge, at, connection, key)
}

func connectionKey(id string) []byte               { return textKey(pfxConnection, id) }
func sessionKey(connection, id string) []byte      { return textKey(pfxSession, connection, id) }
func invalidationKey(connection, id string) []byte { return textKey(pfxInvalidation, connection, id) }

func changeKey(seq int64) []byte {
	return binary.BigEndian.AppendUint64([]byte{pfxChange}, uint64(seq))
}

func parseChangeKey(key []byte) (int64, error) {
	if len(key) != 9 || key[0] != pfxChange {
		return 0, fmt.Errorf("key: not a change")
	}
	return int64(binary.BigEndian.Uint64(key[1:])), nil
}

func journalKey(part uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte{pfxJournal}, part)
}

func deliveryKey(d notify.Delivery) []byte {
	return textKey(pfxDelivery, d.Provider, d.EventType, d.Occurrence)
}

func deliveryTimeKey(d notify.Delivery) []byte {
	return timeTextKey(pfxDeliveryTime, instant(d.At), d.Provider, d.EventType, d.Occurrence)
}

func retryKey(d notify.Delivery) []byte {
	return timeTextKey(pfxRetry, instant(d.RetryAt), d.Provider, d.EventType, d.Occurrence)
}

func deliveryRecordKey(d notify.Delivery) []byte {
	b := appendInstant(textKey(pfxDeliveryRec, d.RecordID), instant(d.At))
	return appendText(appendText(appendText(b, d.Provider), d.EventType), d.Occurrence)
}

func parseDeliveryRecordKey(key []byte) (record string, at int64, parts []string, err error) {
	record, rest, err := takeText(key[1:])
	if err != nil {
		return "", 0, nil, err
	}
	if at, rest, err = takeInstant(rest); err != nil {
		return "", 0, nil, err
	}
	parts, err = takeTexts(rest, 3)
	return record, at, parts, err
}
