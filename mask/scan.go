package mask

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// Mark stands where a credential stood.
const Mark = "••••"

// scanner holds the rules behind an index of their keywords.
type scanner struct {
	rules []*compiled
	// known marks the pairs of bytes that a keyword begins with.
	known [1 << 16 / 64]uint64
	words map[uint16][]keyword
}

type keyword struct {
	text  string
	rules []int
}

var theScanner = sync.OnceValue(func() *scanner {
	s := &scanner{words: map[uint16][]keyword{}}
	of := map[string][]int{}
	add := func(rules []rule) {
		for i := range rules {
			for _, k := range rules[i].keywords {
				of[k] = append(of[k], len(s.rules))
			}
			s.rules = append(s.rules, compileLater(adapted(&rules[i])))
		}
	}
	add(ownRules)
	add(libraryRules)
	for k, rules := range of {
		p := uint16(k[0])<<8 | uint16(k[1])
		s.known[p/64] |= 1 << (p % 64)
		s.words[p] = append(s.words[p], keyword{k, rules})
	}
	return s
})

// adapted is a rule of the library as messages need it. Programs name things by random keys that open
// nothing, and need them back as they were: UUIDs, the member "key" of their own objects, cache keys and
// the like. The rules for services whose keys are UUIDs stay.
func adapted(r *rule) *rule {
	if r.id != "generic-api-key" {
		return r
	}
	next := *r
	next.allowed = append(slices.Clip(next.allowed),
		allowed{regexes: []string{`^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$`}},
		allowed{target: "match", regexes: []string{`^key\\?["']\s*:`,
			`(?i)^(?:cache|dedup|request|idempotency|session|public|primary|foreign|sort|partition|object|storage|lock|event|message)[ _.-]?key`}})
	return &next
}

// Text returns s with every credential replaced by Mark, and whether there was one. A text with a
// credential comes back cleaned (S6) as well: characters that are not seen could otherwise hide it here
// and be gone when it is shown.
func Text(s string) (string, bool) {
	m := masker{}
	return m.mask(s)
}

// masked is s with Mark in the place of what was found, and whether anything was.
func masked(s string, found []span) (string, bool) {
	if len(found) == 0 {
		return s, false
	}
	var b strings.Builder
	end := 0
	for _, f := range found {
		b.WriteString(s[end:f.from])
		b.WriteString(Mark)
		end = f.to
	}
	b.WriteString(s[end:])
	return b.String(), true
}

// begunFrom is how much of the beginning of a credential counts as some of it, in bytes: less says of what sort it is.
const begunFrom = 16

// begun returns where s has the beginning of a credential and was cut there: it ends, or goes on with an ellipsis.
func begun(s string, credentials []string) (found []span) {
	for _, c := range credentials {
		for at := 0; len(c) > begunFrom; {
			i := strings.Index(s[at:], c[:begunFrom])
			if i < 0 {
				break
			}
			from := at + i
			at = from + begunFrom
			for at < len(s) && at-from < len(c) && s[at] == c[at-from] {
				at++
			}
			if rest := strings.TrimPrefix(s[at:], " "); at-from < len(c) && (rest == "" || strings.HasPrefix(rest, "…")) {
				found = append(found, span{from, at})
			}
		}
	}
	return merge(found)
}

// How much of the text a rule of the form name = secret can reach before and after its name.
const (
	reachBefore = 64
	reachAfter  = 384
)

// secrets returns the credentials in text, in order and without overlaps.
func secrets(text string) []span {
	random := looksRandom(text)
	if !random && !strings.Contains(text, "://") && !strings.Contains(text, "-----") &&
		!strings.Contains(text, "curl") && !containsFold(text, "authorization") {
		return nil
	}
	sc := theScanner()
	var found []span
	var tried map[int]bool
	windows := windows{}
	lower := lowerASCII(text)
	for i := 0; i+1 < len(lower); i++ {
		p := uint16(lower[i])<<8 | uint16(lower[i+1])
		if sc.known[p/64]&(1<<(p%64)) == 0 {
			continue
		}
		for _, k := range sc.words[p] {
			if !strings.HasPrefix(lower[i:], k.text) {
				continue
			}
			for _, n := range k.rules {
				r := sc.rules[n]
				if !random && !r.anywhere && k.text != "curl" {
					continue
				}
				if r.assigns {
					found = windows.add(text, n, i, i+len(k.text), sc, found)
					continue
				}
				if tried[n] || r.short && !looksRandom(runAround(text, i)) {
					continue
				}
				if tried == nil {
					tried = map[int]bool{}
				}
				tried[n] = true
				found = r.match(text, 0, len(text), found)
			}
		}
	}
	for n, w := range windows {
		found = sc.rules[n].match(text, w.from, w.to, found)
	}
	return merge(found)
}

// windows are the parts of the text that rules of the form name = secret have yet to look at, by rule.
// Those that overlap are joined, so that no text is looked at again for each name in it.
type windows map[int]span

// add takes up that the name of rule n stands at text[from:to], and has the rule look at what is behind.
func (w windows) add(text string, n, from, to int, sc *scanner, found []span) []span {
	open, ok := w[n]
	if ok && to+reachAfter/2 <= open.to {
		return found
	}
	start, end, near := reach(text, from, to)
	switch {
	case !near:
	case ok && start <= open.to:
		w[n] = span{open.from, end}
	default:
		if ok {
			found = sc.rules[n].match(text, open.from, open.to, found)
		}
		w[n] = span{start, end}
	}
	return found
}

// reach returns the part of the text in which a secret can be assigned to the name text[from:to];
// ok is false when nothing is assigned near it.
func reach(text string, from, to int) (start, end int, ok bool) {
	near := text[to:min(len(text), to+27)]
	if !strings.ContainsAny(near, "=>:|?,") {
		return 0, 0, false
	}
	start, end = max(0, from-reachBefore), min(len(text), to+reachAfter)
	return start, end, looksRandom(text[to:end])
}

// runAround is the run of characters without white space around position i, as far as it matters.
func runAround(text string, i int) string {
	const far = 200
	from, to := i, i
	for from > 0 && i-from < far && !space(text[from-1]) {
		from--
	}
	for to < len(text) && to-i < far && !space(text[to]) {
		to++
	}
	return text[from:to]
}

// looksRandom reports whether text holds a run without white space that could be a credential: at
// least ten characters, eight different ones, a digit among them, or long and of mixed case. Every
// credential that the rules know does, those marked anywhere apart; hardly any prose does.
func looksRandom(text string) bool {
	var low, high uint64
	n, upper, lower, digit := 0, 0, 0, false
	for i := 0; i <= len(text); i++ {
		if i < len(text) && !space(text[i]) {
			c := text[i]
			n++
			switch {
			case c >= '0' && c <= '9':
				digit = true
			case c >= 'a' && c <= 'z':
				lower++
			case c >= 'A' && c <= 'Z':
				upper++
			}
			if c < 64 {
				low |= 1 << c
			} else {
				high |= 1 << (c % 64)
			}
			continue
		}
		if n >= 10 && (digit || n >= 24 && upper > 3 && lower > 3) && bits.OnesCount64(low)+bits.OnesCount64(high) >= 8 {
			return true
		}
		n, upper, lower, digit, low, high = 0, 0, 0, false, 0, 0
	}
	return false
}

func space(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// lowerASCII keeps every position, which strings.ToLower does not.
func lowerASCII(s string) string {
	for i := range len(s) {
		if c := s[i]; c >= 'A' && c <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// merge puts spans in order and joins those that overlap.
func merge(spans []span) []span {
	if len(spans) < 2 {
		return spans
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	out := spans[:1]
	for _, s := range spans[1:] {
		if last := &out[len(out)-1]; s.from < last.to {
			last.to = max(last.to, s.to)
		} else {
			out = append(out, s)
		}
	}
	return out
}
