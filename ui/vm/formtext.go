package vm

import (
	"slices"
	"strings"

	"signalbox/notify"
)

// FormText is what the text of an item says of the fields of its answer. The zero value says nothing.
type FormText struct {
	// Notes are what the choices of a field mean, by field id and choice.
	Notes map[string]map[string]string
	// Said is the field whose label the title says already; empty: none.
	Said string
}

// FormTextOf reads what the body of r says of its choices: agents list each as an item, "choice: what it means", under the
// question that is the label of its field.
func FormTextOf(r *notify.Record) FormText {
	t := FormText{Notes: map[string]map[string]string{}}
	in := r.Interaction
	if in == nil || len(in.Fields) == 0 {
		return t
	}
	if first := in.Fields[0]; first.Label != "" && strings.HasPrefix(bareQuestion(r.Title), bareQuestion(first.Label)) {
		t.Said = first.ID
	}
	under := ""
	for _, b := range Markdown(r.Body) {
		text := strings.TrimSpace(SpansText(b.Spans))
		if b.Kind != BlockItem {
			for _, f := range in.Fields {
				if f.Label == text {
					under = f.ID
				}
			}
			continue
		}
		for _, f := range in.Fields {
			if under != "" && f.ID != under {
				continue
			}
			for _, choice := range f.Choices {
				if note, ok := strings.CutPrefix(text, choice+": "); ok && choice != "" {
					if t.Notes[f.ID] == nil {
						t.Notes[f.ID] = map[string]string{}
					}
					t.Notes[f.ID][choice] = note
				}
			}
		}
	}
	return t
}

// NextField is the index of the field that is gone on to from one; how many there are, behind the last. Who made a choice
// needs none in which something else could be said in its place: agents put it behind the field, with its id and a dash.
func NextField(fields []notify.Field, from string, chosen bool) int {
	next := slices.IndexFunc(fields, func(f notify.Field) bool { return f.ID == from }) + 1
	for chosen && next < len(fields) && strings.HasPrefix(fields[next].ID, from+"-") && !fields[next].Required {
		next++
	}
	return next
}
