package store

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"signalbox/notify"
)

// Every value starts with the number of its form, so that a later version can read both. Objects
// are JSON, which costs about 6 µs a record either way, less than the disk; what lists read by the
// hundred thousand (entries, the head of a record or a change) is binary in front of it.
const form1 = 1

// codecOptions write what omitempty always meant (false and 0 are left out), nil slices as null
// (notify.Subscription.Events tells nil from empty), and text as it came: what may be in it was
// decided where it entered.
var codecOptions = json.JoinOptions(
	json.FormatNilSliceAsNull(true),
	jsonv1.FormatDurationAsNano(true),
	jsonv1.OmitEmptyWithLegacySemantics(true),
	jsontext.AllowDuplicateNames(true),
	jsontext.AllowInvalidUTF8(true),
)

func encodeJSON(v any) ([]byte, error) {
	b, err := json.Marshal(v, codecOptions)
	if err != nil {
		return nil, fmt.Errorf("encode value: %w", err)
	}
	return append([]byte{form1}, b...), nil
}

func decodeJSON(b []byte, v any) error {
	b, err := checkForm(b)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, v, codecOptions); err != nil {
		return fmt.Errorf("decode value: %w", err)
	}
	return nil
}

func checkForm(b []byte) ([]byte, error) {
	if len(b) == 0 || b[0] != form1 {
		return nil, fmt.Errorf("decode value: unknown form")
	}
	return b[1:], nil
}

// recordHead is what a commit must know of the record as it was.
type recordHead struct {
	updated, created int64
	pending          bool
	occurrence       int
}

const recordHeadSize = 1 + 8 + 8 + 1 + 8

func headOf(r *notify.Record) recordHead {
	return recordHead{instant(r.UpdatedAt), instant(r.CreatedAt), r.Status == notify.Pending, r.Occurrence}
}

// encodeRecord returns the value of a record's row; the part after recordHeadSize is its JSON.
func encodeRecord(r *notify.Record) ([]byte, error) {
	h := headOf(r)
	b := make([]byte, 0, 1024)
	b = append(b, form1)
	b = binary.BigEndian.AppendUint64(b, uint64(h.updated))
	b = binary.BigEndian.AppendUint64(b, uint64(h.created))
	b = append(b, bit(h.pending))
	b = binary.BigEndian.AppendUint64(b, uint64(h.occurrence))
	row := bytes.NewBuffer(b)
	if err := json.MarshalWrite(row, r, codecOptions); err != nil {
		return nil, fmt.Errorf("encode record: %w", err)
	}
	return row.Bytes(), nil
}

func decodeHead(b []byte) (h recordHead, err error) {
	if len(b) < recordHeadSize || b[0] != form1 {
		return h, fmt.Errorf("decode record: unknown form")
	}
	h.updated = int64(binary.BigEndian.Uint64(b[1:]))
	h.created = int64(binary.BigEndian.Uint64(b[9:]))
	h.pending = b[17] == 1
	h.occurrence = int(binary.BigEndian.Uint64(b[18:]))
	return h, nil
}

func decodeRecord(b []byte) (*notify.Record, error) {
	if len(b) < recordHeadSize || b[0] != form1 {
		return nil, fmt.Errorf("decode record: unknown form")
	}
	return decodeRecordJSON(b[recordHeadSize:])
}

func decodeRecordJSON(b []byte) (*notify.Record, error) {
	r := new(notify.Record)
	if err := json.Unmarshal(b, r, codecOptions); err != nil {
		return nil, fmt.Errorf("decode record: %w", err)
	}
	return r, nil
}

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// The words of an entry, by number. Append only: the numbers are on disks.
var (
	scopeWords    = []string{"", string(notify.ScopeApplication), string(notify.ScopeSession)}
	statusWords   = []string{"", string(notify.Pending), string(notify.Dismissed), string(notify.Resolved), string(notify.Expired)}
	severityWords = []string{"", string(notify.SeverityInfo), string(notify.SeveritySuccess), string(notify.SeverityWarning), string(notify.SeverityError), string(notify.SeverityCritical)}
	kindWords     = []string{"", string(notify.KindNotice), string(notify.KindProgress), string(notify.KindStatus), string(notify.KindInteraction), string(notify.KindReport)}
)

// appendWord writes the number of s, or a word that has none in full.
func appendWord(b []byte, words []string, s string) []byte {
	for i, w := range words {
		if w == s {
			return append(b, byte(i))
		}
	}
	return appendString(append(b, 0xFF), s)
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// reader takes values apart; the first failure sticks.
type reader struct {
	b   []byte
	bad bool
}

func (r *reader) bytes(n int) []byte {
	if r.bad || n < 0 || n > len(r.b) {
		r.bad = true
		return nil
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) byte() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) int64() int64 {
	if b := r.bytes(8); b != nil {
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

func (r *reader) string() string {
	n, used := binary.Uvarint(r.b)
	if used <= 0 || n > math.MaxInt32 {
		r.bad = true
		return ""
	}
	r.b = r.b[used:]
	return string(r.bytes(int(n)))
}

func (r *reader) word(words []string) string {
	i := r.byte()
	if i == 0xFF {
		return r.string()
	}
	if int(i) >= len(words) {
		r.bad = true
		return ""
	}
	return words[i]
}

// encodeEntry returns the value of a record's time row.
func encodeEntry(r *notify.Record) []byte {
	b := make([]byte, 0, 32+len(r.Connection)+len(r.Session))
	b = append(b, form1)
	b = appendWord(b, scopeWords, string(r.Scope))
	b = appendWord(b, statusWords, string(r.Status))
	b = appendWord(b, severityWords, string(r.Severity))
	b = appendWord(b, kindWords, string(r.Kind))
	b = append(b, bit(r.Read)|bit(r.Silent)<<1)
	b = binary.BigEndian.AppendUint64(b, uint64(instant(r.EndedAt)))
	b = binary.BigEndian.AppendUint64(b, uint64(instant(r.Retention.Deadline)))
	b = appendString(b, r.Connection)
	return appendString(b, r.Session)
}

func decodeEntry(key, value []byte) (e notify.Entry, err error) {
	updated, parts, err := parseTimeTexts(key, 1)
	if err != nil {
		return e, err
	}
	r := reader{b: value}
	if r.byte() != form1 {
		return e, fmt.Errorf("decode entry: unknown form")
	}
	e.ID, e.UpdatedAt = parts[0], instantTime(updated)
	e.Scope = notify.Scope(r.word(scopeWords))
	e.Status = notify.Status(r.word(statusWords))
	e.Severity = notify.Severity(r.word(severityWords))
	e.Kind = notify.Kind(r.word(kindWords))
	flags := r.byte()
	e.Read, e.Silent = flags&1 != 0, flags&2 != 0
	e.EndedAt, e.Deadline = instantTime(r.int64()), instantTime(r.int64())
	e.Connection = r.string()
	e.Session = r.string()
	if r.bad {
		return e, fmt.Errorf("decode entry: cut short")
	}
	return e, nil
}

// What a logged change holds.
const (
	objNone = iota
	objRecord
	objConnection
	objSession
	objInvalidation
	objSettings
)

// encodeChange returns the value of a change's row. was is where the record was in the order of
// lists before the change, and 0 where it was not; the search index needs it to follow the log.
// record is the record's JSON, when there is one.
func encodeChange(c *notify.Change, was int64, record []byte) ([]byte, error) {
	b := make([]byte, 0, 64+len(record))
	b = append(b, form1, bit(c.Removed)|bit(c.Quiet)<<1)
	b = binary.BigEndian.AppendUint64(b, uint64(instant(c.At)))
	b = binary.BigEndian.AppendUint64(b, uint64(was))
	b = appendString(b, string(c.Name))
	b = appendString(b, c.By)
	b = appendString(b, c.Action)
	var obj any
	switch {
	case c.Record != nil:
		return append(append(b, objRecord), record...), nil
	case c.Connection != nil:
		b, obj = append(b, objConnection), c.Connection
	case c.Session != nil:
		b, obj = append(b, objSession), c.Session
	case c.Invalidation != nil:
		b, obj = append(b, objInvalidation), c.Invalidation
	case c.Settings != nil:
		b, obj = append(b, objSettings), c.Settings
	default:
		return append(b, objNone), nil
	}
	j, err := json.Marshal(obj, codecOptions)
	if err != nil {
		return nil, fmt.Errorf("encode change: %w", err)
	}
	return append(b, j...), nil
}

func decodeChange(seq int64, value []byte) (c notify.Change, was int64, err error) {
	r := reader{b: value}
	if r.byte() != form1 {
		return c, 0, fmt.Errorf("decode change: unknown form")
	}
	flags := r.byte()
	c.Seq, c.Removed, c.Quiet = seq, flags&1 != 0, flags&2 != 0
	c.At = instantTime(r.int64())
	was = r.int64()
	c.Name = notify.EventName(r.string())
	c.By = r.string()
	c.Action = r.string()
	kind := r.byte()
	if r.bad {
		return c, 0, fmt.Errorf("decode change: cut short")
	}
	switch kind {
	case objNone:
	case objRecord:
		c.Record, err = decodeRecordJSON(r.b)
	case objConnection:
		c.Connection = new(notify.Connection)
		err = json.Unmarshal(r.b, c.Connection, codecOptions)
	case objSession:
		c.Session = new(notify.Session)
		err = json.Unmarshal(r.b, c.Session, codecOptions)
	case objInvalidation:
		c.Invalidation = new(notify.Invalidation)
		err = json.Unmarshal(r.b, c.Invalidation, codecOptions)
	case objSettings:
		c.Settings = new(notify.Settings)
		err = json.Unmarshal(r.b, c.Settings, codecOptions)
	default:
		err = fmt.Errorf("unknown object %d", kind)
	}
	if err != nil {
		return c, 0, fmt.Errorf("decode change: %w", err)
	}
	return c, was, nil
}

// stateRow is the one row that every commit rewrites.
type stateRow struct {
	seq     int64 // the newest change
	first   int64 // the oldest change kept; seq+1 when none is
	records int64 // how many records there are
	at      int64 // when the newest change was made
}

func (s stateRow) encode() []byte {
	b := append(make([]byte, 0, 33), form1)
	for _, n := range []int64{s.seq, s.first, s.records, s.at} {
		b = binary.BigEndian.AppendUint64(b, uint64(n))
	}
	return b
}

func decodeState(b []byte) (stateRow, error) {
	r := reader{b: b}
	if r.byte() != form1 {
		return stateRow{}, fmt.Errorf("decode state: unknown form")
	}
	s := stateRow{r.int64(), r.int64(), r.int64(), r.int64()}
	if r.bad {
		return stateRow{}, fmt.Errorf("decode state: cut short")
	}
	return s, nil
}

// slim is what the log keeps of a record that was pruned: which one it was, and no content, so that
// what retention removed is gone (R4), and pruning does not write what it removes once more.
func slim(r *notify.Record) *notify.Record {
	return &notify.Record{
		ID: r.ID, Connection: r.Connection, Scope: r.Scope, Session: r.Session, Key: r.Key,
		Occurrence: r.Occurrence, Revision: r.Revision, Status: r.Status, Outcome: nil,
		Content:   notify.Content{Kind: r.Kind, Severity: r.Severity, Silent: r.Silent},
		CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt, ContentAt: r.ContentAt, EndedAt: r.EndedAt, Change: r.Change,
	}
}
