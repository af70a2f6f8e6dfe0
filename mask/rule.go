package mask

import (
	"math"
	"regexp"
	"strings"
	"sync"
)

// rule recognises one sort of credential.
type rule struct {
	id    string
	regex string
	// group is the capture group that holds the secret; 0: the first that is not empty, else all.
	group int
	// entropy is what the secret must exceed, in bits a character; 0: any.
	entropy float64
	// keywords, in lower case, of which a text must hold one.
	keywords []string
	allowed  []allowed
	// anywhere: the rule holds for a text without a run that looks random as well.
	anywhere bool
}

// allowed lists what is no credential although it looks like one.
type allowed struct {
	target    string // "match", "line"; empty: the secret
	regexes   []string
	stopWords []string
}

// The end of a secret, as the library has it, and as prose has it: a sentence goes on after it.
const (
	codeEnd  = `(?:[\x60'"\s;]|\\[nr]|$)`
	proseEnd = `(?:[\x60'"\s;,.:!?)\]}<>|&]|\\[nr]|$)`
)

// assignment begins the rules of the form name = secret, which the scanner tries near the name alone.
const assignment = `[\w.-]{0,50}?`

// compiled is a rule whose expressions are compiled when it first has something to look at: all of
// them would take tens of megabytes.
type compiled struct {
	*rule
	assigns bool
	short   bool // its keywords are too common to say anything outside a run that looks random

	once    sync.Once
	find    *regexp.Regexp
	exclude []*regexp.Regexp // in the order of allowed; nil where one has no expressions
}

func compileLater(r *rule) *compiled {
	c := &compiled{rule: r, short: len(r.keywords) > 0}
	c.assigns = strings.HasPrefix(strings.TrimPrefix(r.regex, "(?i)"), assignment)
	for _, k := range r.keywords {
		c.short = c.short && len(k) <= 3
	}
	return c
}

func (c *compiled) prepare() {
	c.once.Do(func() {
		c.find = regexp.MustCompile(strings.ReplaceAll(c.regex, codeEnd, proseEnd))
		for _, a := range c.allowed {
			c.exclude = append(c.exclude, a.compile())
		}
	})
}

func (a *allowed) compile() *regexp.Regexp {
	if len(a.regexes) == 0 {
		return nil
	}
	return regexp.MustCompile("(?:" + strings.Join(a.regexes, ")|(?:") + ")")
}

var globalExclude = sync.OnceValue(globalAllowed.compile)

// span is a part of a text, in bytes.
type span struct{ from, to int }

// match appends the secrets that the rule finds in text[from:to].
func (c *compiled) match(text string, from, to int, found []span) []span {
	c.prepare()
	for _, m := range c.find.FindAllStringSubmatchIndex(text[from:to], -1) {
		s := secretOf(m, c.group)
		s.from, s.to = s.from+from, s.to+from
		// What goes on behind the end of the part that was looked at belongs to it.
		for s.to == to && to < len(text) && !space(text[to]) {
			to++
			s.to++
		}
		whole := span{m[0] + from, m[1] + from}
		secret := text[s.from:s.to]
		if secret == "" || strings.Contains(secret, Mark) || c.entropy > 0 && entropy(secret) <= c.entropy {
			continue
		}
		if permits(&globalAllowed, globalExclude(), text, whole, s) {
			continue
		}
		excused := false
		for i := range c.allowed {
			excused = excused || permits(&c.allowed[i], c.exclude[i], text, whole, s)
		}
		if !excused {
			found = append(found, s)
		}
	}
	return found
}

func secretOf(m []int, group int) span {
	if group > 0 && len(m) > 2*group+1 && m[2*group] >= 0 {
		return span{m[2*group], m[2*group+1]}
	}
	for i := 2; i+1 < len(m); i += 2 {
		if m[i] >= 0 && m[i+1] > m[i] {
			return span{m[i], m[i+1]}
		}
	}
	return span{m[0], m[1]}
}

func permits(a *allowed, exclude *regexp.Regexp, text string, whole, secret span) bool {
	if exclude != nil {
		t := secret
		switch a.target {
		case "match":
			t = whole
		case "line":
			t = lineOf(text, whole)
		}
		if exclude.MatchString(text[t.from:t.to]) {
			return true
		}
	}
	if len(a.stopWords) > 0 {
		lower := strings.ToLower(text[secret.from:secret.to])
		for _, w := range a.stopWords {
			if strings.Contains(lower, w) {
				return true
			}
		}
	}
	return false
}

// lineReach bounds how much of a long line an exception looks at, on both sides of what was found.
const lineReach = 200

func lineOf(text string, s span) span {
	from, to := max(0, s.from-lineReach), min(len(text), s.to+lineReach)
	if i := strings.LastIndexByte(text[from:s.from], '\n'); i >= 0 {
		from += i + 1
	}
	if i := strings.IndexByte(text[s.to:to], '\n'); i >= 0 {
		to = s.to + i
	}
	return span{from, to}
}

// entropy is Shannon's, in bits a byte, as the library counts it.
func entropy(s string) float64 {
	var counts [256]int
	for i := range len(s) {
		counts[s[i]]++
	}
	sum := 0.0
	for _, n := range counts {
		if n > 0 {
			f := float64(n) / float64(len(s))
			sum -= f * math.Log2(f)
		}
	}
	return sum
}
