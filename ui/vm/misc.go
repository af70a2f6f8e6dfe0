package vm

import (
	"strings"

	"signalbox/notify"
)

// Shortcut is a line of the shortcut sheet.
type Shortcut struct {
	Keys string
	Does Msg
}

// Shortcuts are the keys of the rail on a system, by its Go name. tr writes what stands on a key.
func Shortcuts(system string, tr func(Msg) string) []Shortcut {
	ctrl := tr(M("keyname.ctrl")) + " "
	if system == "darwin" {
		ctrl = "⌘ "
	}
	return []Shortcut{
		{"↓ ↑  j k", M("key.move")},
		{"n", M("key.next")},
		{"1 – 9", M("key.press")},
		{tr(M("keyname.enter")), M("key.open")},
		{tr(M("keyname.space")) + "  " + tr(M("keyname.page")) + " ↓ ↑", M("key.page")},
		{"d  " + tr(M("keyname.delete")), M("key.dismiss")},
		{"u", M("key.undo")},
		{"a", M("key.aside")},
		{"s", M("key.snooze")},
		{"m", M("key.mute")},
		{"x", M("key.mark")},
		{"/  " + ctrl + "F", M("key.search")},
		{"h  " + ctrl + "H", M("key.history")},
		{ctrl + ",", M("key.settings")},
		{ctrl + "W", M("key.close")},
		{"Esc", M("key.escape")},
		{"Tab", M("key.tab")},
		{"→", M("key.side")},
		{"?", M("key.sheet")},
	}
}

// CopyText is an item as text for the clipboard.
func CopyText(r *notify.Record) string {
	parts := []string{r.Title}
	if r.Body != "" {
		parts = append(parts, "", r.Body)
	}
	if len(r.Lines) > 0 {
		parts = append(parts, "")
		parts = append(parts, r.Lines...)
	}
	return strings.Join(parts, "\n")
}

// MissingView is how a missing part is told.
type MissingView struct {
	Tone Tone
	Icon string
	Text Msg
}

// MissingText words a missing part: what does not work, and what still does.
func MissingText(part, detail string) MissingView {
	v := MissingView{ToneWarning, "warning", MA("missing.other", detail)}
	switch part {
	case "tray":
		v.Text, v.Tone, v.Icon = M("missing.tray"), ToneInfo, "info"
	case "bus":
		v.Text = M("missing.bus")
	case "notifications":
		v.Text = M("missing.notifications")
	case "store":
		v = MissingView{ToneError, "error", MA("missing.store", detail)}
	case "bridge":
		v = MissingView{ToneError, "offline", MA("missing.bridge", detail)}
	case "config":
		v.Text = MA("missing.config", detail)
	}
	return v
}

// SortedBy puts those for which first holds before the others; else the order stays.
func SortedBy[T any](list []T, first func(T) bool) []T {
	out := make([]T, 0, len(list))
	for _, want := range []bool{true, false} {
		for _, v := range list {
			if first(v) == want {
				out = append(out, v)
			}
		}
	}
	return out
}
