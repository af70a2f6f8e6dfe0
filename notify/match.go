package notify

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
	var out []string
	EachToken(r, func(word []byte) { out = append(out, string(word)) })
	slices.Sort(out)
	return slices.Compact(out)
}

// EachToken calls f with the words of r that can be searched, in the order of the text and as often as
// they come. A word is valid during the call only, so that who knows it already makes nothing of it.
func EachToken(r *Record, f func(word []byte)) {
	var room [2 * maxToken]byte
	word := eachToken(room[:0], r.Title, f)
	word = eachToken(word, r.Body, f)
	word = eachToken(word, r.Sender, f)
	for _, l := range r.Lines {
		word = eachToken(word, l, f)
	}
}

// maxToken bounds a word, in bytes; a longer one is cut, in the index and in the query alike.
const maxToken = 64

// Tokens splits text into the words that can be searched: runs of letters and digits, in lower case,
// each once, sorted. Characters of scripts that write no spaces are words of their own.
func Tokens(text string) []string {
	var out []string
	eachToken(nil, text, func(word []byte) { out = append(out, string(word)) })
	slices.Sort(out)
	return slices.Compact(out)
}

// eachToken calls f with the words of a text. It puts them together in word, which it returns empty, for
// the next text.
func eachToken(word []byte, text string, f func(word []byte)) []byte {
	word = word[:0]
	end := func() {
		if len(word) > 0 {
			f(cutToken(word))
			word = word[:0]
		}
	}
	for i, r := range text {
		switch {
		case r < utf8.RuneSelf:
			c := byte(r)
			switch {
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
				word = append(word, c)
			case c >= 'A' && c <= 'Z':
				word = append(word, c|0x20)
			default:
				end()
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			end()
			word = append(word, text[i:i+utf8.RuneLen(r)]...)
			end()
		case unicode.IsLetter(r), unicode.IsDigit(r), unicode.Is(unicode.Mn, r) && len(word) > 0:
			word = utf8.AppendRune(word, unicode.ToLower(r))
		default:
			end()
		}
	}
	end()
	return word
}

// cutToken cuts a word at a whole character.
func cutToken(word []byte) []byte {
	if len(word) <= maxToken {
		return word
	}
	i := maxToken
	for i > 0 && word[i]&0xC0 == 0x80 {
		i--
	}
	return word[:i]
}
