package vm

import (
	"reflect"
	"slices"
	"time"

	"signalbox/notify"
)

// Revisions remembers the content of the records that the owner has in front of them, so that a card
// can say what a new revision changed. It holds at most maxRemembered records.
type Revisions struct {
	last  map[string]*notify.Record
	marks map[string]Mark
}

const maxRemembered = 2000

// Mark says what the newest revision changed, and when.
type Mark struct {
	Revision int
	At       time.Time
	Parts    []Msg // title, text, … in the order of a card; empty: not known
}

// Note compares fresh records with those remembered and remembers them.
func (v *Revisions) Note(fresh []*notify.Record) {
	if v.last == nil {
		v.last, v.marks = map[string]*notify.Record{}, map[string]Mark{}
	}
	for _, r := range fresh {
		old := v.last[r.ID]
		if old != nil && r.Revision > old.Revision {
			parts := Changed(&old.Content, &r.Content)
			if m, ok := v.marks[r.ID]; ok && !r.Read {
				parts = union(m.Parts, parts) // not read since: the marks add up
			}
			v.marks[r.ID] = Mark{r.Revision, r.ContentAt, parts}
		}
		v.last[r.ID] = r
	}
	if len(v.last) > maxRemembered {
		keep := map[string]bool{}
		for _, r := range fresh {
			keep[r.ID] = true
		}
		for id := range v.last {
			if !keep[id] {
				delete(v.last, id)
				delete(v.marks, id)
			}
		}
	}
}

// Last is the record as it was last noted; nil when it never was.
func (v *Revisions) Last(id string) *notify.Record { return v.last[id] }

// MarkOf is the mark of r's revision; ok is false for a first revision. Where the change itself was not
// seen, the mark has no parts.
func (v *Revisions) MarkOf(r *notify.Record) (Mark, bool) {
	if r.Revision < 2 {
		return Mark{}, false
	}
	if m, ok := v.marks[r.ID]; ok && m.Revision == r.Revision {
		return m, true
	}
	return Mark{Revision: r.Revision, At: r.ContentAt}, true
}

func union(a, b []Msg) []Msg {
	out := slices.Clone(a)
	for _, m := range b {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// Changed names the parts in which two contents differ, in the order of a card.
func Changed(a, b *notify.Content) []Msg {
	var out []Msg
	add := func(differs bool, key Msg) {
		if differs {
			out = append(out, key)
		}
	}
	add(a.Title != b.Title, M("part.title"))
	add(a.Severity != b.Severity || a.Kind != b.Kind, M("part.severity"))
	add(a.Body != b.Body, M("part.text"))
	add(!slices.Equal(a.Lines, b.Lines), M("part.lines"))
	add(!reflect.DeepEqual(a.Progress, b.Progress), M("part.progress"))
	add(!reflect.DeepEqual(a.Interaction, b.Interaction), M("part.question"))
	add(!reflect.DeepEqual(a.Actions, b.Actions), M("part.actions"))
	add(!reflect.DeepEqual(a.Attachments, b.Attachments) || !reflect.DeepEqual(a.Links, b.Links), M("part.attachments"))
	add(!reflect.DeepEqual(a.Report, b.Report), M("part.report"))
	return out
}
