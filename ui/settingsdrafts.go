package ui

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2/widget"

	"signalbox/notify"
	"signalbox/ui/widgets"
)

// drafts are what the owner wrote or chose on the pages and has not saved, by field. A page that is made anew, by a
// change of the center or of appearance, has them again.
type drafts map[string]string

// forget drops the drafts of the fields whose names begin so.
func (d drafts) forget(prefix string) {
	for k := range d {
		if strings.HasPrefix(k, prefix) {
			delete(d, k)
		}
	}
}

// entry is an entry whose text is kept until it is saved; usual is what stands there at first.
func (d drafts) entry(key, usual string) *widgets.Entry {
	e := widgets.NewEntry()
	if text, ok := d[key]; ok {
		usual = text
	}
	e.SetText(usual)
	e.OnChanged = func(text string) { d[key] = text }
	return e
}

// check is a box whose state is kept.
func (d drafts) check(key, label string) *widget.Check {
	c := widget.NewCheck(label, nil)
	c.Checked = d[key] != ""
	c.OnChanged = func(on bool) {
		delete(d, key)
		if on {
			d[key] = "on"
		}
	}
	return c
}

// choice is a choice that is kept, by its key and not by its words; the first is the usual one.
func choice[K ~string](d drafts, key string, keys []K, words []string) *widgets.Select {
	s := widgets.NewSelect(words, nil)
	s.SetSelectedIndex(max(slices.Index(keys, K(d[key])), 0))
	s.OnChanged = func(string) { d[key] = string(keys[max(s.SelectedIndex(), 0)]) }
	return s
}

// several is a group of boxes of which the ticked ones are kept, by their keys.
func several(d drafts, key string, keys, words []string) *widget.CheckGroup {
	g := widget.NewCheckGroup(words, nil)
	for _, k := range strings.Fields(d[key]) {
		if i := slices.Index(keys, k); i >= 0 {
			g.Selected = append(g.Selected, words[i])
		}
	}
	g.OnChanged = func(chosen []string) {
		var on []string
		for i, w := range words {
			if slices.Contains(chosen, w) {
				on = append(on, keys[i])
			}
		}
		d[key] = strings.Join(on, " ")
	}
	return g
}

// shows is what the page that is open shows of the center, but for what moves in its place: it is made anew when that
// changed, and else left alone, with whatever is being pressed on it.
func (s *settingsWindow) shows() any {
	snap := s.u.snap
	if snap == nil {
		return nil
	}
	switch s.page {
	case "connections":
		type line struct {
			id, label, colour string
			presence          notify.Presence
			open, revoked     bool
		}
		var lines []line
		for _, c := range snap.Connections {
			lines = append(lines, line{c.ID, c.Label, c.Color, c.Presence, c.Open, c.Revoked})
		}
		return lines
	case "told":
		return snap.Settings.Subscriptions
	case "rules":
		var names []string
		for _, c := range snap.Connections {
			names = append(names, c.ID, c.Label)
		}
		return []any{snap.Settings.Rules, names}
	case "quiet":
		until := snap.Settings.QuietUntil
		if !until.After(s.u.now()) {
			until = time.Time{}
		}
		return []any{until.UnixNano(), snap.Settings.QuietHours}
	}
	return nil
}

// refreshed follows a change of the center on pages that show its state.
func (s *settingsWindow) refreshed() {
	if s.page == s.waits {
		s.fill()
		return
	}
	if s.win.Canvas().Focused() == nil && !reflect.DeepEqual(s.shows(), s.shown) {
		s.fill()
		return
	}
	moved := false
	for _, follow := range s.moving {
		moved = follow() || moved
	}
	if moved {
		s.pane.Relayout()
	}
}
