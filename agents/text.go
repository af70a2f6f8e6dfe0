package agents

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of the bridge that texts are cut to, so that a long text is never a refused publication.
const (
	maxTitle  = 200      // characters
	maxBody   = 16 << 10 // bytes
	maxLine   = 500      // characters
	maxLines  = 50
	maxLabel  = 120 // characters of an option or field
	maxDetail = 4 << 10
)

// oneLine makes one line of s, of at most n characters, the last an ellipsis when it was cut.
func oneLine(s string, n int) string {
	var b strings.Builder
	count, space := 0, false
	for _, r := range s {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = b.Len() > 0
			continue
		}
		if r == utf8.RuneError {
			r = '�'
		}
		if space {
			if count++; count < n {
				b.WriteByte(' ')
			}
			space = false
		}
		if count++; count > n {
			return cutRunes(b.String(), n-1) + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}

// cutRunes returns the first n characters of s.
func cutRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// cut bounds s to n bytes at a character's boundary, with an ellipsis where it was cut.
func cut(s string, n int) string {
	s = strings.ToValidUTF8(s, "�")
	if len(s) <= n {
		return s
	}
	i := n - len("…")
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return s[:i] + "…"
}

// code makes a Markdown code block of s that nothing in s can close.
func code(s string) string {
	s = strings.TrimRight(cut(s, maxDetail), "\n")
	longest, run := 2, 0
	for _, r := range s {
		if r == '`' {
			if run++; run > longest {
				longest = run
			}
		} else {
			run = 0
		}
	}
	fence := strings.Repeat("`", longest+1)
	return fence + "\n" + s + "\n" + fence
}

// identifier makes a safe name of an agent's id: the id itself where it is short and printable, else its digest.
func identifier(id string) string {
	if len(id) > 128 {
		return digest(id)
	}
	for i := 0; i < len(id); i++ {
		if id[i] <= ' ' || id[i] >= 0x7f {
			return digest(id)
		}
	}
	return id
}

// digest names what it is given: 80 bits of its SHA-256. The parts are told apart from each other.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0xff}) // never part of valid UTF-8
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// fold makes names comparable without regard to case and separators.
func fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c >= 'A' && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		case c == '_' || c == '-' || c == '.' || c == ' ':
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
