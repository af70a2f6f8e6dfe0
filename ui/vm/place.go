package vm

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"signalbox/notify"
)

// maxTabs bounds the tabs: a producer that invents tags must not flood the strip.
const maxTabs = 12

// front is what the rail shows when no place is chosen: everything but the snoozed and the muted.
var front notify.Place

func placeLabel(p notify.Place) Msg {
	switch p.Kind {
	case notify.PlaceWaiting:
		return M("place.waiting")
	case notify.PlaceErrors:
		return M("place.errors")
	case notify.PlaceGeneral:
		return M("place.general")
	case notify.PlaceMuted:
		return M("place.muted")
	case notify.PlaceSnoozed:
		return M("place.snoozed")
	}
	return M("place.all")
}

func placeRank(p notify.Place) int {
	return slices.Index([]notify.PlaceKind{notify.PlaceNone, notify.PlaceWaiting, notify.PlaceErrors, notify.PlacePanel, notify.PlaceTag,
		notify.PlaceGeneral, notify.PlaceMuted, notify.PlaceSnoozed}, p.Kind)
}

func tabs(counts map[notify.Place]*Tab, chosen notify.Place) []Tab {
	all := Tab{Label: placeLabel(front)}
	list := []Tab{}
	if counts[chosen] == nil && chosen != front {
		counts[chosen] = &Tab{Place: chosen} // what is chosen stays, even when its last item goes
	}
	named := 0
	for p, t := range counts {
		if p.Front() {
			all.Count += t.Count
			all.Unread += t.Unread
		}
		t.Label, t.Name, t.Urgent = placeLabel(p), p.Name, p.Kind == notify.PlaceWaiting
		list = append(list, *t)
	}
	slices.SortFunc(list, func(a, b Tab) int {
		return cmp.Or(cmp.Compare(placeRank(a.Place), placeRank(b.Place)), strings.Compare(a.Place.Name, b.Place.Name))
	})
	out := []Tab{all}
	for _, t := range list {
		if t.Name != "" {
			if named++; named > maxTabs && t.Place != chosen {
				continue
			}
		}
		out = append(out, t)
	}
	for i := range out {
		out[i].Chosen = out[i].Place == chosen
	}
	return out
}

// MatchText reports whether every word of query begins a word of r's title, body, lines or sender,
// without regard to case, as a search of the history does. No words match everything.
func MatchText(r *notify.Record, query string) bool {
	want := words(query)
	if len(want) == 0 {
		return true
	}
	have := words(strings.Join(append([]string{r.Title, r.Body, r.Sender}, r.Lines...), " "))
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) }) {
			return false
		}
	}
	return true
}

func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
