package widgets

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"github.com/rivo/uniseg"

	"signalbox/ui/vm"
)

// measure is the width of a text in one line.
func measure(s string, size float32, style fyne.TextStyle) float32 {
	return fyne.MeasureText(s, size, style).Width
}

// keycap makes a key of the character before it, which no font of the toolkit can draw: it is the character that says something.
var keycap = strings.NewReplacer("\uFE0F\u20E3", "", "\u20E3", "")

// drawable is a text without what would be drawn as an empty box.
func drawable(s string) string { return keycap.Replace(s) }

// textLine is a line that was broken: what it says, how far in it begins, whether it is of a heading, and its tone, if any.
type textLine struct {
	text    string
	in      float32
	heading bool
	tone    vm.Tone
}

// wrap breaks s into lines of at most width, at most most of them (0: any number); what does not fit
// ends in an ellipsis. Breaks are after spaces and hyphens, between CJK characters, and within a word that is wider than
// a line. forms are those of the paragraphs, which are plain beyond them: a heading is bold, an item goes on behind its
// bullet. cut reports that something was left out.
func wrap(s string, forms []vm.LineForm, size float32, style fyne.TextStyle, width float32, most int) (lines []textLine, cut bool) {
	if s == "" {
		return []textLine{{}}, false
	}
	if width < size {
		width = size
	}
	s = strings.ReplaceAll(s, "\t", "    ")
	i := 0
	for para := range strings.SplitSeq(s, "\n") {
		if most > 0 && len(lines) == most {
			cut = true
			break
		}
		var form vm.LineForm
		if i < len(forms) {
			form = forms[i]
		}
		i++
		own := style
		own.Bold = own.Bold || form.Heading
		bullet, in := "", float32(0)
		if form.Hang > 0 && form.Hang < len(para) && !vm.RightToLeft(para) {
			bullet = para[:form.Hang]
			in = measure(bullet, size, own)
		}
		if in > width/2 { // there is no room to hang
			bullet, in = "", 0
		}
		for k, l := range wrapLine(para[len(bullet):], size, own, max(width-in, size)) {
			if k == 0 {
				lines = append(lines, textLine{bullet + l, 0, form.Heading, form.Tone})
			} else {
				lines = append(lines, textLine{l, in, form.Heading, form.Tone})
			}
		}
	}
	if most > 0 && len(lines) > most {
		lines, cut = lines[:most], true
	}
	if cut && len(lines) > 0 {
		last := &lines[len(lines)-1]
		style.Bold = style.Bold || last.heading
		last.text = ellipsis(last.text+"…", size, style, width-last.in)
	}
	return lines, cut
}

func wrapLine(s string, size float32, style fyne.TextStyle, width float32) (lines []string) {
	if s == "" {
		return []string{""}
	}
	// Most texts fit; one measurement says so.
	if len(s) < 200 && measure(s, size, style) <= width {
		return []string{s}
	}
	space := measure(" ", size, style)
	var line strings.Builder
	used, gap := float32(0), 0
	flush := func() {
		lines = append(lines, line.String())
		line.Reset()
		used, gap = 0, 0
	}
	for _, w := range pieces(s, style.Monospace) {
		if w == " " {
			gap++
			continue
		}
		ww := measure(w, size, style)
		lead := float32(gap) * space
		if used > 0 && used+lead+ww > width {
			flush()
			lead = 0
		}
		for range gap {
			line.WriteByte(' ')
		}
		gap = 0
		used += lead
		if ww <= width-used || ww <= width && used == 0 {
			line.WriteString(w)
			used += ww
			continue
		}
		// A word wider than a line is broken where it must be, between graphemes.
		g := uniseg.NewGraphemes(w)
		for g.Next() {
			cw := measure(g.Str(), size, style)
			if used+cw > width && used > 0 {
				flush()
			}
			line.WriteString(g.Str())
			used += cw
		}
	}
	if line.Len() > 0 || len(lines) == 0 {
		flush()
	}
	return lines
}

// pieces splits a line where it may break: single spaces stand for themselves. Code does not break at
// hyphens, so that none looks like one that was added.
func pieces(s string, code bool) []string {
	var out []string
	start := 0
	for i, r := range s {
		end := i + utf8.RuneLen(r)
		switch {
		case r == utf8.RuneError:
		case r == ' ' || r == '\t':
			if i > start {
				out = append(out, s[start:i])
			}
			out = append(out, " ")
			start = end
		case r == '-' || r == '/' || r == '\u2014':
			// Between letters only: "-rf" and "--force" stay whole.
			if i > start && (r == '/' || !code) && wordBefore(s[start:i]) {
				out = append(out, s[start:end])
				start = end
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			if i > start {
				out = append(out, s[start:i])
			}
			out = append(out, s[i:end])
			start = end
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

func wordBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// ellipsis cuts s to width; what is cut ends in "…".
func ellipsis(s string, size float32, style fyne.TextStyle, width float32) string {
	if measure(s, size, style) <= width {
		return s
	}
	s = strings.TrimSuffix(s, "…")
	var ends []int
	g := uniseg.NewGraphemes(s)
	for g.Next() {
		_, to := g.Positions()
		ends = append(ends, to)
	}
	lo, hi := 0, len(ends)
	for lo < hi {
		mid := (lo + hi + 1) / 2
		if measure(strings.TrimRight(s[:ends[mid-1]], " ")+"…", size, style) <= width {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if lo == 0 {
		return "…"
	}
	return strings.TrimRight(s[:ends[lo-1]], " ") + "…"
}
