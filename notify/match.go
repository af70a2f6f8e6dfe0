package notify

import (
	"slices"
	"strings"
	"unicode"
)

// Match says whether a list with this filter contains r. It is the definition: a store that answers
// from an index must agree with it.
func (f Filter) Match(r *Record) bool {
	if r.Silent && !f.IncludeSilent {
		return false
	}
	event := ""
	if r.Event != nil {
		event = r.Event.Type
	}
	switch {
	case !among(f.Connections, r.Connection), !among(f.Scopes, r.Scope), !among(f.Sessions, r.Session),
		!among(f.Statuses, r.Status), !among(f.Severities, r.Severity), !among(f.Kinds, r.Kind),
		!among(f.Events, event):
		return false
	case len(f.Tags) > 0 && !slices.ContainsFunc(f.Tags, func(t string) bool { return slices.Contains(r.Tags, t) }):
		return false
	case !f.Since.IsZero() && r.UpdatedAt.Before(f.Since), !f.Until.IsZero() && !r.UpdatedAt.Before(f.Until):
		return false
	case f.Read != nil && *f.Read != r.Read:
		return false
	}
	return f.Text == "" || MatchText(r, f.Text)
}

// among reports whether v is one of the values; no values: any is.
func among[T comparable](values []T, v T) bool {
	return len(values) == 0 || slices.Contains(values, v)
}

// MatchText reports whether every word of a query begins a word of r's title, body, lines or sender,
// without regard to case. A query without a word matches all.
func MatchText(r *Record, query string) bool {
	words := Tokens(query)
	if len(words) == 0 {
		return true
	}
	have := RecordTokens(r)
	for _, w := range words {
		if !slices.ContainsFunc(have, func(t string) bool { return strings.HasPrefix(t, w) }) {
			return false
		}
	}
	return true
}

// RecordTokens are the words of r that can be searched, each once, in order. An index keeps these.
func RecordTokens(r *Record) []string {
	var b strings.Builder
	b.Grow(len(r.Title) + len(r.Body) + len(r.Sender) + 64)
	for _, s := range [...]string{r.Title, r.Body, r.Sender} {
		b.WriteString(s)
		b.WriteByte('\n')
	}
	for _, l := range r.Lines {
		b.WriteString(l)
		b.WriteByte('\n')
	}
	return Tokens(b.String())
}

// maxToken bounds a word, in bytes; a longer one is cut, in the index and in the query alike.
const maxToken = 64

// Tokens splits text into the words that can be searched: runs of letters and digits, in lower case,
// each once, sorted. Characters of scripts that write no spaces are words of their own.
func Tokens(text string) []string {
	var out []string
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, cutToken(word.String()))
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end()
			out = append(out, string(r))
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r) && word.Len() > 0:
			word.WriteRune(unicode.ToLower(r))
		default:
			end()
		}
	}
	end()
	slices.Sort(out)
	return slices.Compact(out)
}

// cutToken cuts a word at a whole character.
func cutToken(s string) string {
	if len(s) <= maxToken {
		return s
	}
	i := maxToken
	for i > 0 && s[i]&0xC0 == 0x80 {
		i--
	}
	return s[:i]
}
