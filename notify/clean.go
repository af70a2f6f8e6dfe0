package notify

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean removes from text what could make it pretend to be something else (S6): terminal escapes,
// control characters, direction overrides and isolates, and other characters that are not seen.
// Newlines and tabs stay; joiners and variation selectors stay, since emoji and several scripts need
// them. Invalid UTF-8 becomes U+FFFD. Cleaning twice gives the same as cleaning once.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s))
	flag := false // inside an emoji tag sequence, which spells a flag
	var open int  // before this index no escape that holds a string ends
	for i := 0; i < len(s); {
		if n := escapeLen(s, i, &open); n > 0 {
			i += n
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch {
		case r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			r = '\n'
		case r == '\n' || r == '\t':
		case r >= 0xE0020 && r <= 0xE007F:
			if !flag {
				continue
			}
		case hidden(r):
			continue
		}
		flag = r == '\U0001F3F4' || flag && r >= 0xE0020 && r < 0xE007F
		b.WriteRune(r)
	}
	return b.String()
}

// CleanLine cleans text that is shown in one row: line breaks and tabs become single spaces, and
// space at both ends goes.
func CleanLine(s string) string {
	s = Clean(s)
	if strings.ContainsAny(s, "\n\t") {
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\t' }), " ")
	}
	return strings.TrimSpace(s)
}

// CleanText cleans text of several lines: blank lines at both ends go.
func CleanText(s string) string { return strings.TrimRight(strings.TrimLeft(Clean(s), "\n"), " \t\n") }

// plain reports whether there is nothing to clean, which is so for nearly all text.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7F || c < 0x20 && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// hidden reports whether a character is not seen but does something, or does nothing at all.
func hidden(r rune) bool {
	switch {
	case r == '\u200C' || r == '\u200D': // joiners: emoji families, Persian, Indic scripts
		return false
	case unicode.Is(unicode.Cc, r):
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069: // overrides, embeddings, isolates
		return true
	case r == 0x200B, r == 0x2060, r == 0xFEFF, r == 0x00AD, r == 0x180E, r == 0x061C:
		return true
	case r >= 0x2061 && r <= 0x2064, r >= 0x206A && r <= 0x206F, r >= 0xFFF9 && r <= 0xFFFB:
		return true
	case r >= 0xE0000 && r <= 0xE01EF && !(r >= 0xE0100): // tags; variation selectors stay
		return true
	case r == 0x115F, r == 0x1160, r == 0x3164, r == 0xFFA0: // fillers that look like nothing
		return true
	}
	return false
}

// escapeLen is the length of the terminal escape that begins at i; 0: there is none. An escape that
// does not end takes the introducer alone, so that no text is lost with it. open remembers how far an
// end was looked for in vain, so that many beginnings without an end cost no more than one.
func escapeLen(s string, i int, open *int) int {
	rest := s[i:]
	intro, kind := 0, byte(0)
	switch {
	case rest[0] == 0x1B && len(rest) == 1:
		return 1
	case rest[0] == 0x1B:
		intro, kind = 2, rest[1]
	case rest[0] == 0xC2 && len(rest) >= 2: // the one-character forms of the same, in UTF-8
		switch rest[1] {
		case 0x9B:
			intro, kind = 2, '['
		case 0x90, 0x98, 0x9D, 0x9E, 0x9F:
			intro, kind = 2, ']'
		default:
			return 0
		}
	default:
		return 0
	}
	switch kind {
	case '[':
		return csiLen(rest, intro)
	case ']', 'P', 'X', '^', '_':
		if i < *open {
			return intro
		}
		n, ended := stringLen(rest, intro)
		if !ended {
			*open = i + n
			return intro
		}
		return n
	}
	if kind >= 0x20 && kind <= 0x2F { // ESC with intermediates, such as a character set
		n := 1
		for n < len(rest) && rest[n] >= 0x20 && rest[n] <= 0x2F {
			n++
		}
		if n < len(rest) && rest[n] >= 0x30 && rest[n] <= 0x7E {
			return n + 1
		}
		return 1
	}
	if kind >= 0x30 && kind <= 0x7E {
		return 2
	}
	return 1
}

// csiLen is the length of a control sequence: parameters, intermediates, one final byte.
func csiLen(s string, i int) int {
	start := i
	for i < len(s) && s[i] >= 0x20 && s[i] <= 0x3F {
		i++
	}
	if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7E {
		return i + 1
	}
	return start
}

// stringLen is the length of an escape that holds a string, with its terminator. It does not go
// beyond the row; where it doesn't end there, ended is false.
func stringLen(s string, i int) (n int, ended bool) {
	for ; i < len(s); i++ {
		switch {
		case s[i] == 0x07:
			return i + 1, true
		case s[i] == 0x1B && i+1 < len(s) && s[i+1] == '\\', s[i] == 0xC2 && i+1 < len(s) && s[i+1] == 0x9C:
			return i + 2, true
		case s[i] == '\n':
			return i, false
		}
	}
	return i, false
}

// oneGrapheme reports whether s is one user-perceived character, by the parts of the Unicode rule
// that icons need: combining marks, variation selectors, skin tones, joined emoji, flags, keycaps.
func oneGrapheme(s string) bool {
	rs := []rune(s)
	if len(rs) == 0 || len(rs) > 32 || extends(rs[0]) || rs[0] == '\u200D' || unicode.IsSpace(rs[0]) || unicode.IsControl(rs[0]) {
		return false
	}
	regional := func(r rune) bool { return r >= 0x1F1E6 && r <= 0x1F1FF }
	i := 1
	if regional(rs[0]) && len(rs) > 1 && regional(rs[1]) {
		i = 2
	}
	for ; i < len(rs); i++ {
		switch {
		case extends(rs[i]):
		case rs[i] == '\u200D' && i+1 < len(rs) && !extends(rs[i+1]) && rs[i+1] > 0xFF:
			i++ // the joined character
		case rs[i] == '\u200D' && i+1 == len(rs):
		default:
			return false
		}
	}
	return true
}

// extends reports whether a character belongs to the one before it.
func extends(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc) || // variation selectors are Mn
		r >= 0x1F3FB && r <= 0x1F3FF || r >= 0xE0020 && r <= 0xE007F || r == '\u200C'
}
