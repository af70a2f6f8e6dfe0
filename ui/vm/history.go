package vm

import (
	"bytes"
	"encoding/json" // a record's durations have their form in notify, which is made for this package
	"slices"
	"strings"
	"time"

	"signalbox/notify"
)

// Span of time that the history is narrowed to.
type TimeSpan string

// The spans.
const (
	AnyTime   TimeSpan = ""
	LastHour  TimeSpan = "hour"
	Today     TimeSpan = "today"
	LastWeek  TimeSpan = "week"
	LastMonth TimeSpan = "month"
)

// HistoryFilter is what the filter bar says. Empty members select all.
type HistoryFilter struct {
	Scope      notify.Scope    `json:"scope,omitempty"`
	Status     notify.Status   `json:"status,omitempty"`
	Severity   notify.Severity `json:"severity,omitempty"`
	Time       TimeSpan        `json:"time,omitempty"`
	Connection string          `json:"connection,omitempty"`
	Session    string          `json:"session,omitempty"`
	Tag        string          `json:"tag,omitempty"`
	Text       string          `json:"text,omitempty"`
}

// Zero reports whether nothing is narrowed.
func (f HistoryFilter) Zero() bool { return f == HistoryFilter{} }

// Filter is the query. The beginning of a span is fixed by now, so a list keeps its bounds while it
// is scrolled.
func (f HistoryFilter) Filter(now time.Time) notify.Filter {
	q := notify.Filter{Text: strings.TrimSpace(f.Text)}
	if f.Scope != "" {
		q.Scopes = []notify.Scope{f.Scope}
	}
	if f.Status != "" {
		q.Statuses = []notify.Status{f.Status}
	}
	if f.Severity != "" {
		q.Severities = []notify.Severity{f.Severity}
	}
	if f.Connection != "" {
		q.Connections = []string{f.Connection}
	}
	if f.Session != "" {
		q.Sessions = []string{f.Session}
	}
	if t := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(f.Tag)), "#"); t != "" {
		q.Tags = []string{t}
	}
	y, m, d := now.Date()
	switch f.Time {
	case LastHour:
		q.Since = now.Add(-time.Hour)
	case Today:
		q.Since = time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	case LastWeek:
		q.Since = time.Date(y, m, d-6, 0, 0, 0, 0, now.Location())
	case LastMonth:
		q.Since = time.Date(y, m-1, d, 0, 0, 0, 0, now.Location())
	}
	q.Since = q.Since.UTC()
	if f.Time == AnyTime {
		q.Since = time.Time{}
	}
	return q
}

// SavedFilter is a filter with a name.
type SavedFilter struct {
	Name   string        `json:"name"`
	Filter HistoryFilter `json:"filter"`
}

// SaveFilter puts a filter under a name, in place of an older one of that name; at most 30 are kept.
func SaveFilter(list []SavedFilter, name string, f HistoryFilter) []SavedFilter {
	name = strings.TrimSpace(name)
	if name == "" {
		return list
	}
	out := slices.DeleteFunc(slices.Clone(list), func(s SavedFilter) bool { return s.Name == name })
	out = append(out, SavedFilter{name, f})
	if len(out) > 30 {
		out = out[len(out)-30:]
	}
	return out
}

// HistoryRow is a compact row of the history.
type HistoryRow struct {
	ID       string
	Sign     Sign
	Title    string
	Sub      string // the start of the text
	Chip     ChipView
	Session  string
	Status   Msg
	Active   bool
	Answer   string // what was answered, where it was a question
	When     string // when it happened
	Changed  string // when it was last changed, by which the list is ordered; empty: at no other time
	Revision int
	Day      string // 2026-03-10; a new day starts a group
}

// HistoryRowOf turns a record into a row.
func HistoryRowOf(r *notify.Record, s *Snapshot, now time.Time) HistoryRow {
	row := HistoryRow{ID: r.ID, Sign: SignOf(r), Title: r.Title, Chip: *s.ChipOf(r.Connection), Status: StatusWord(r.Status),
		Active: r.Status == notify.Pending, When: Stamp(now, happened(r)), Revision: r.Revision,
		Day: r.UpdatedAt.In(now.Location()).Format("2006-01-02")}
	if changed := Stamp(now, r.UpdatedAt); changed != row.When && r.UpdatedAt.After(happened(r)) {
		row.Changed = changed
	}
	if r.Session != "" {
		row.Session = s.SessionTitle(r.Ref())
	}
	row.Sub = cut(strings.ReplaceAll(Plain(Markdown(firstPart(r.Body, 600)), 160), "\n", " · "), 160)
	if row.Sub == "" && len(r.Lines) > 0 {
		row.Sub = cut(r.Lines[0], 160)
	}
	if r.Waiting() {
		row.Status = M("status.waiting")
	}
	if r.Outcome != nil {
		row.Status = OutcomeWord(r.Outcome.Kind)
		row.Answer = AnswerText(r)
	}
	return row
}

// happened is when a record said what it says: reading it, muting it and the like do not move it.
func happened(r *notify.Record) time.Time {
	if r.ContentAt.IsZero() {
		return r.CreatedAt
	}
	return r.ContentAt
}

func firstPart(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// AnswerText is the answer of an interaction in the words that the owner pressed.
func AnswerText(r *notify.Record) string {
	if r.Outcome == nil || r.Outcome.Answer == nil {
		return ""
	}
	a := r.Outcome.Answer
	text := a.Option
	if r.Interaction != nil {
		for _, o := range r.Interaction.Options {
			if o.ID == a.Option {
				text = OrID(o.Label, o.ID)
			}
		}
	}
	if a.Comment != "" {
		if text != "" {
			text += ": "
		}
		text += a.Comment
	}
	return text
}

// Paging is the state of an endless list: pages follow each other until the end, and an answer for
// an older question is dropped.
type Paging struct {
	Records  []*notify.Record
	Next     notify.Cursor
	Done     bool
	Busy     bool
	Failed   error
	Question int // rises with each new filter
	Since    time.Time
	byID     map[string]int
}

// PageSize is how many records are asked for at once.
const PageSize = 100

// Restart begins anew with another filter. The old rows stay until the first page arrives.
func (p *Paging) Restart(now time.Time) int {
	p.Question++
	p.Next, p.Done, p.Busy, p.Failed, p.Since = notify.Cursor{}, false, true, nil, now
	return p.Question
}

// More begins the next page. ok is false when there is none, or it is on its way.
func (p *Paging) More() (question int, after notify.Cursor, ok bool) {
	if p.Done || p.Busy || p.Failed != nil {
		return 0, notify.Cursor{}, false
	}
	p.Busy = true
	return p.Question, p.Next, true
}

// Got takes a page. It reports whether the page belonged to what is asked now.
func (p *Paging) Got(question int, after notify.Cursor, page notify.Page, err error) bool {
	if question != p.Question {
		return false
	}
	p.Busy = false
	if err != nil {
		p.Failed = err
		return true
	}
	if after == (notify.Cursor{}) {
		p.Records, p.byID = nil, map[string]int{}
	}
	for _, r := range page.Records {
		if _, there := p.byID[r.ID]; there {
			continue // it changed and moved while the list was read
		}
		p.byID[r.ID] = len(p.Records)
		p.Records = append(p.Records, r)
	}
	p.Next = page.Next
	p.Done = page.Next == (notify.Cursor{})
	return true
}

// Newer takes the newest page again: what is new comes above the rows that are there, which keep their places, whatever
// was read or changed of them meanwhile. It reports whether it could: not where the page leaves a gap to those rows, or
// another question is asked by now.
func (p *Paging) Newer(question int, page notify.Page) bool {
	fresh := []*notify.Record{}
	for _, r := range page.Records {
		if !p.Replace(r) {
			fresh = append(fresh, r)
		}
	}
	if question != p.Question || len(fresh) == len(page.Records) && page.Next != (notify.Cursor{}) {
		return false
	}
	p.Records = append(fresh, p.Records...)
	for i, r := range p.Records {
		p.byID[r.ID] = i
	}
	return true
}

// Retry clears a failure.
func (p *Paging) Retry() { p.Failed = nil }

// Replace puts a changed record in the place of its older self; it reports whether it is in the list.
func (p *Paging) Replace(r *notify.Record) bool {
	i, ok := p.byID[r.ID]
	if ok {
		p.Records[i] = r
	}
	return ok
}

// Index is the place of a record in the list; -1: it is not there.
func (p *Paging) Index(id string) int {
	if i, ok := p.byID[id]; ok {
		return i
	}
	return -1
}

// Export writes records as JSON lines, one record each, in their order.
func Export(records []*notify.Record) ([]byte, error) {
	var b bytes.Buffer
	for _, r := range records {
		line, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}
