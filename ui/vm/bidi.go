package vm

import (
	"slices"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// Run is a part of a line whose characters all read in one direction. Start and End are its bytes.
type Run struct {
	Start, End int
	RTL        bool
}

// direction classes of the Unicode bidirectional algorithm, as many as a line without embeddings needs: those are
// removed where text enters (S6).
type bidiClass byte

const (
	bidiNeutral   bidiClass = iota
	bidiLeft                // letters that read from the left
	bidiRight               // letters that read from the right
	bidiNumber              // digits: they keep their order within text that reads from the right
	bidiSeparator           // between two digits it belongs to them
	bidiSign                // next to a digit it belongs to it
)

// VisualRuns are the runs of a line from left to right, as they are seen; rtl says that the line as a whole reads
// from the right. The toolkit shapes a run rightly, but puts the runs of a text in the order of its bytes.
func VisualRuns(line string, rtl bool) []Run {
	if !rtl && !HasRightToLeft(line) {
		return []Run{{0, len(line), false}}
	}
	classes, at := classesOf(line)
	levels := levelsOf(classes, rtl, []rune(line))
	var runs []Run
	var depth []int
	for i, l := range levels {
		end := len(line)
		if i+1 < len(at) {
			end = at[i+1]
		}
		if n := len(runs); n > 0 && depth[n-1] == l {
			runs[n-1].End = end
			continue
		}
		runs, depth = append(runs, Run{at[i], end, l%2 == 1}), append(depth, l)
	}
	for l := 2; l >= 1; l-- { // from the deepest level on, what is at least so deep is turned around
		for i := 0; i < len(runs); i++ {
			j := i
			for j < len(runs) && depth[j] >= l {
				j++
			}
			slices.Reverse(runs[i:j])
			slices.Reverse(depth[i:j])
			i = max(i, j)
		}
	}
	return runs
}

// HasRightToLeft reports whether some of the text reads from the right.
func HasRightToLeft(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0xd6 { // the first byte of what is at least U+0590
			for _, r := range s[i:] {
				if rightToLeft(r) {
					return true
				}
			}
			return false
		}
	}
	return false
}

func rightToLeft(r rune) bool {
	p, _ := bidi.LookupRune(r)
	return p.Class() == bidi.R || p.Class() == bidi.AL
}

// classesOf are the classes of a line's characters, and where each begins. The library knows the classes; what it makes
// of them it tells as directions only, and a number within text that reads from the right needs its depth.
func classesOf(line string) (classes []bidiClass, at []int) {
	for i, r := range line {
		c := bidiNeutral
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.L:
			c = bidiLeft
		case bidi.R, bidi.AL:
			c = bidiRight
		case bidi.EN, bidi.AN:
			c = bidiNumber
		case bidi.CS, bidi.ES:
			c = bidiSeparator
		case bidi.ET:
			c = bidiSign
		case bidi.NSM: // a mark goes with its letter
			if len(classes) > 0 {
				c = classes[len(classes)-1]
			}
		}
		classes, at = append(classes, c), append(at, i)
	}
	for i, c := range classes {
		near := func(k int) bool { return k >= 0 && k < len(classes) && classes[k] == bidiNumber }
		switch {
		case c == bidiSeparator && near(i-1) && near(i+1), c == bidiSign && (near(i-1) || near(i+1)):
			classes[i] = bidiNumber
		case c == bidiSeparator, c == bidiSign:
			classes[i] = bidiNeutral
		}
	}
	return classes, at
}

// levelsOf are the depths of embedding: even reads from the left, odd from the right.
func levelsOf(classes []bidiClass, rtl bool, runes []rune) []int {
	base, outer := 0, bidiLeft
	if rtl {
		base, outer = 1, bidiRight
	}
	strong := outer
	for i, c := range classes { // digits after what reads from the left are part of it
		switch c {
		case bidiLeft, bidiRight:
			strong = c
		case bidiNumber:
			if strong == bidiLeft {
				classes[i] = bidiLeft
			}
		}
	}
	return levelsFrom(classes, outer, base, runes)
}

// brackets gives a pair of brackets the direction of what they hold: the line's own if any of it is that, else
// that of what they hold if what stands before reads so too.
func brackets(classes []bidiClass, outer bidiClass, runes []rune) {
	var open []int
	for i, r := range runes {
		if classes[i] != bidiNeutral {
			continue
		}
		if closes[r] != 0 {
			open = append(open, i)
			continue
		}
		for k := len(open) - 1; k >= 0; k-- {
			if closes[runes[open[k]]] != r {
				continue
			}
			from := open[k]
			open = open[:k]
			same, other := false, false
			for _, c := range classes[from+1 : i] {
				if c == bidiNumber {
					c = bidiRight
				}
				same = same || c == outer
				other = other || c != outer && c != bidiNeutral
			}
			c := outer
			if !same && other {
				for j := from - 1; j >= 0; j-- {
					if b := classes[j]; b != bidiNeutral {
						if b == bidiNumber {
							b = bidiRight
						}
						c = b
						break
					}
				}
			}
			if same || other {
				classes[from], classes[i] = c, c
			}
			break
		}
	}
}

var closes = map[rune]rune{'(': ')', '[': ']', '{': '}', '<': '>', '«': '»'}

var mirrors = func() map[rune]rune {
	m := map[rune]rune{}
	for a, b := range closes {
		m[a], m[b] = b, a
	}
	return m
}()

// RightPieces are the parts, from left to right, of a text that reads from the right: a text's own ends are no
// letters to the toolkit, which would leave them where they are; so they are turned around here.
func RightPieces(s string) []string {
	runes := []rune(s)
	first, last := -1, -1
	for i, r := range runes {
		if rightToLeft(r) || unicode.Is(unicode.Mn, r) {
			if first < 0 {
				first = i
			}
			last = i
		}
	}
	if first < 0 {
		return []string{mirrored(runes)}
	}
	var out []string
	if last+1 < len(runes) {
		out = append(out, mirrored(runes[last+1:]))
	}
	out = append(out, string(runes[first:last+1]))
	if first > 0 {
		out = append(out, mirrored(runes[:first]))
	}
	return out
}

func mirrored(runes []rune) string {
	out := make([]rune, 0, len(runes))
	for i := len(runes) - 1; i >= 0; i-- {
		r := runes[i]
		if m, ok := mirrors[r]; ok {
			r = m
		}
		out = append(out, r)
	}
	return string(out)
}

// levelsFrom gives neutrals the direction that both of their sides have, or the line's own, and counts the depths.
func levelsFrom(classes []bidiClass, outer bidiClass, base int, runes []rune) []int {
	brackets(classes, outer, runes)
	side := func(i int) bidiClass { // digits stand for what reads from the right beside a neutral
		if i < 0 || i >= len(classes) {
			return outer
		}
		if classes[i] == bidiNumber {
			return bidiRight
		}
		return classes[i]
	}
	for i := 0; i < len(classes); i++ {
		if classes[i] != bidiNeutral {
			continue
		}
		j := i
		for j < len(classes) && classes[j] == bidiNeutral {
			j++
		}
		c := outer
		if before := side(i - 1); before == side(j) {
			c = before
		}
		for ; i < j; i++ {
			classes[i] = c
		}
		i--
	}
	levels := make([]int, len(classes))
	for i, c := range classes {
		switch {
		case c == bidiRight:
			levels[i] = 1
		case c == bidiNumber, base == 1:
			levels[i] = 2
		}
	}
	return levels
}
