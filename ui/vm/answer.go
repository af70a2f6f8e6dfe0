package vm

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/notify"
)

// Draft is an answer in the making: what stands in the fields, as typed.
type Draft struct {
	Option  string
	Comment string
	// Values are the texts of fields by id; of a choice of several one line each; of a boolean "true"
	// or "false". A field that is not there was not touched.
	Values map[string]string
}

// NewDraft starts an answer with the defaults of what was asked.
func NewDraft(in *notify.Interaction) Draft {
	d := Draft{Values: map[string]string{}}
	if in == nil {
		return d
	}
	d.Option = in.DefaultOption
	for _, f := range in.Fields {
		if v, ok := fieldText(f.Default); ok {
			d.Values[f.ID] = v
		}
	}
	return d
}

// fieldText writes a JSON value as it is typed.
func fieldText(raw notify.RawJSON) (string, bool) {
	if len(raw) == 0 {
		return "", false
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		return strings.TrimSpace(string(raw)), true
	case []any:
		var lines []string
		for _, x := range v {
			if s, ok := x.(string); ok {
				lines = append(lines, s)
			}
		}
		return strings.Join(lines, "\n"), true
	}
	return "", false
}

// Answer turns a draft into an answer. What cannot be a value of its type is passed on as text, so
// that the rules of the center say what is wrong with it.
func (d Draft) Answer(in *notify.Interaction) notify.Answer {
	a := notify.Answer{Option: d.Option, Comment: strings.TrimSpace(d.Comment)}
	for _, f := range in.Fields {
		v, ok := d.Values[f.ID]
		if !ok || f.Type != notify.FieldText && strings.TrimSpace(v) == "" {
			continue
		}
		if a.Fields == nil {
			a.Fields = map[string]notify.RawJSON{}
		}
		a.Fields[f.ID] = fieldValue(f, v)
	}
	return a
}

func fieldValue(f notify.Field, v string) notify.RawJSON {
	t := strings.TrimSpace(v)
	switch f.Type {
	case notify.FieldNumber, notify.FieldInteger:
		if _, err := strconv.ParseFloat(t, 64); err == nil && json.Unmarshal([]byte(t), new(float64)) == nil {
			return notify.RawJSON(t)
		}
	case notify.FieldBoolean:
		if t == "true" || t == "false" {
			return notify.RawJSON(t)
		}
	case notify.FieldChoices:
		return quoted(splitLines(v))
	case notify.FieldText:
		return quoted(v)
	}
	return quoted(t)
}

func quoted(v any) notify.RawJSON {
	b, err := json.Marshal(v)
	if err != nil {
		return notify.RawJSON("null")
	}
	return b
}

func splitLines(s string) []string {
	out := []string{}
	for l := range strings.SplitSeq(s, "\n") {
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
		}
	}
	return out
}

// Problems are what the center would say about an answer: by field id, and for "option" and "comment". The very
// rules of the center decide, on a state of this one record.
func Problems(r *notify.Record, a notify.Answer, now time.Time) map[string]string {
	state := notify.NewMemory()
	state.Load(0, nil, nil, []*notify.Record{r}, nil, notify.Settings{})
	_, err := notify.Decide(state, notify.Rules{}, notify.Command{At: now, By: notify.Owner,
		Op: notify.AnswerOp{ID: r.ID, Expect: r.Seen(), Answer: a}})
	return FieldProblems(err)
}

// AnswerOf turns a draft into an answer to r, and says what is wrong with it. What was begun in a field does not hold back an
// option that skips them.
func AnswerOf(r *notify.Record, d Draft, now time.Time) (notify.Answer, map[string]string) {
	a := d.Answer(r.Interaction)
	problems := Problems(r, a, now)
	for _, o := range r.Interaction.Options {
		if o.ID != a.Option || !o.SkipsFields {
			continue
		}
		for id := range problems {
			delete(a.Fields, id)
		}
		problems = Problems(r, a, now)
	}
	return a, problems
}

// FieldProblems sorts the fields of a refused answer; the sentence of another refusal is under "". No
// error is no problem.
func FieldProblems(err error) map[string]string {
	out := map[string]string{}
	if err == nil {
		return out
	}
	e, ok := AsError(err)
	if !ok || len(e.Fields) == 0 {
		out[""] = Sentence(err)
		return out
	}
	for _, f := range e.Fields {
		name := strings.TrimPrefix(f.Field, "/answer/")
		name = strings.NewReplacer("~1", "/", "~0", "~").Replace(strings.TrimPrefix(name, "fields/"))
		if _, there := out[name]; !there {
			out[name] = f.Detail
		}
	}
	return out
}

// Answered says what an answer was, and where: the session, or the agent where it belongs to none.
func Answered(s *Snapshot, r *notify.Record, a notify.Answer) (what Msg, where string) {
	what = M("answer.sent")
	if r.Interaction != nil {
		for _, o := range r.Interaction.Options {
			if o.ID == a.Option {
				what = MA("answer.done", OrID(o.Label, o.ID))
			}
		}
	}
	return what, WhereOf(s, r)
}

// WhereOf names the session of r, or its agent where it belongs to none. s nil: nothing is known but ids.
func WhereOf(s *Snapshot, r *notify.Record) string {
	if s == nil {
		return r.Connection
	}
	where := s.ConnectionLabel(r.Connection)
	if r.Session != "" {
		where = WithoutAgent(s.SessionTitle(r.Ref()), where)
	}
	return where
}

// shortTitle is how much of a title a short word says.
const shortTitle = 32

// Short is the start of a title, for a place that has little room.
func Short(title string) string { return cut(title, shortTitle) }
