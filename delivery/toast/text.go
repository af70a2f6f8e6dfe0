package toast

import (
	"bytes"
	"encoding/xml"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"signalbox/notify"
)

// Limits of what is handed to a notification service, in characters. Longer text is cut with "…".
const (
	MaxTitle = 200
	MaxBody  = 500
	MaxLabel = 40
)

// clean makes s fit to be shown: what content is cleaned of (S6), and also every character that reorders what stands around
// it, cut to a number of characters. Where lines are kept, "\n" stays.
func clean(s string, limit int, lines bool) string {
	if lines {
		s = strings.ReplaceAll(notify.CleanText(s), "\t", " ")
	} else {
		s = notify.CleanLine(s)
	}
	s = strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) || !xmlChar(r) {
			return -1
		}
		return r
	}, s))
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit-1]) + "…"
	}
	return s
}

// fits reports whether nothing of s is cut.
func fits(s string, limit int) bool { return clean(s, limit, true) == clean(s, len(s)+1, true) }

// xmlChar reports what XML 1.0 allows; daemons that read markup use an XML parser.
func xmlChar(r rune) bool {
	return r == '\n' || r == '\t' || r >= 0x20 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000 && r <= 0x10ffff
}

// label makes a button's text: toolkits read "&" and "_" as the mark of a mnemonic and show an empty
// or a changed button, so both go.
func label(s string) string {
	s = strings.NewReplacer("&", "+", "_", " ").Replace(s)
	return clean(s, MaxLabel, false)
}

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

// escapeMarkup makes text stand for itself in a body that is read as markup.
func escapeMarkup(s string) string { return markup.Replace(s) }

// neutralDash keeps a text that begins with a dash from being taken for an option by a helper
// program: the dash becomes a hyphen of the same look.
func neutralDash(s string) string {
	if strings.HasPrefix(s, "-") {
		return "\u2010" + s[1:]
	}
	return s
}

// windowsXML is the toast document for the Windows Runtime. Text is written by an XML encoder, so
// that nothing in it can end an element; it is given to the COM interface alone, never to PowerShell.
func windowsXML(title, body string) string {
	var b bytes.Buffer
	b.WriteString(`<toast duration="short"><visual><binding template="ToastGeneric">`)
	for _, s := range []string{title, body} {
		if s == "" {
			continue
		}
		b.WriteString("<text>")
		xml.EscapeText(&b, []byte(s)) // a bytes.Buffer does not fail
		b.WriteString("</text>")
	}
	b.WriteString(`</binding></visual><audio silent="true"/></toast>`)
	return b.String()
}

// plainQuoted reports whether Go quoting leaves s as it is. beeep's fallback on macOS builds an
// AppleScript with %q; only a text that needs no quoting may come near it.
func plainQuoted(s string) bool { return strconv.Quote(s) == `"`+s+`"` }

// appleScript is the command that shows a toast on macOS with the text as arguments of a fixed script.
func appleScript(title, body string) []string {
	return []string{
		"/usr/bin/osascript",
		"-e", "on run argv",
		"-e", "display notification (item 2 of argv) with title (item 1 of argv)",
		"-e", "end run",
		"--", title, body,
	}
}
