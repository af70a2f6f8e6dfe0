package vm

import (
	"regexp"
	"strings"

	"signalbox/notify"
)

// Digests remembers what a card shows of a record's texts, which is costly to read and changes only
// with the record. The zero value is empty and ready; a nil one remembers nothing.
type Digests struct{ by map[string]digest }

type digest struct {
	change             int64
	text, code, prompt string
	lines              []LineForm
	more, diff         bool
	whole              int
}

// maxDigests bounds the memory; beyond it everything is read anew.
const maxDigests = 4000

func (m *Digests) of(r *notify.Record) digest {
	if m == nil {
		return digestOf(r)
	}
	if d, ok := m.by[r.ID]; ok && d.change == r.Change {
		return d
	}
	if m.by == nil || len(m.by) >= maxDigests {
		m.by = map[string]digest{}
	}
	d := digestOf(r)
	m.by[r.ID] = d
	return d
}

func digestOf(r *notify.Record) digest {
	d := digest{change: r.Change}
	body := Markdown(r.Body)
	in := r.Interaction
	plans := in != nil && in.Plans() // its code is a part of the text
	d.text, d.more = excerpt(body, textLimit, plans)
	if d.text != "" && strings.Contains(r.Title, d.text) {
		d.text = "" // the title says it
	}
	if in != nil {
		if line, rest, _ := strings.Cut(d.text, "\n"); sameQuestion(line, r.Title) {
			d.text = strings.TrimLeft(rest, "\n")
		}
	}
	switch {
	case in == nil:
		d.text = notify.BehindTitle(d.text, r.Title)
	case plans:
		d.text = wholeLines(beneath(d.text, r.Title))
	case len(in.Fields) == 0:
		d.text = unsaid(d.text, r)
	}
	if lines := strings.Join(r.Lines, "\n"); lines != "" {
		whole := strings.TrimLeft(d.text+"\n"+lines, "\n")
		d.text = cut(whole, textLimit)
		d.more = d.more || d.text != whole
	}
	if said := described(in); said != "" {
		d.text = strings.TrimLeft(d.text+"\n"+said, "\n")
	}
	if codes := Codes(body); len(codes) > 0 && !plans {
		d.code, d.diff = cut(codes[0], codeLimit), isDiff(body)
		d.more = d.more || len(codes) > 1 || d.code != codes[0]
	}
	if in != nil && !Says(r, in.Prompt) {
		prompt := Markdown(in.Prompt)
		var more bool
		d.prompt, more = excerpt(prompt, textLimit, plans)
		d.more = d.more || more
		if codes := Codes(prompt); len(codes) > 0 && !plans {
			if d.code == "" {
				d.code, d.diff = cut(codes[0], codeLimit), isDiff(prompt)
			}
			d.more = d.more || d.code != codes[0] || len(codes) > 1
		}
	}
	d.lines = linesOf(d.text, body)
	texts := append([]string{r.Body}, r.Lines...)
	if in != nil {
		texts = append(texts, in.Prompt)
	}
	for _, text := range texts {
		for l := range strings.SplitSeq(text, "\n") {
			if l = strings.TrimSpace(l); strings.Trim(l, "|-: ") != "" && !strings.HasPrefix(l, "```") {
				d.whole++
			}
		}
	}
	return d
}

// linesOf tells the form of each line of a text that was made of blocks; nil: all are plain.
func linesOf(text string, blocks []Block) []LineForm {
	headings := map[string]bool{}
	for _, b := range blocks {
		if b.Kind == BlockHeading || b.Kind == BlockText && bold(b.Spans) { // a question of several is a line in bold
			headings[SpansText(b.Spans)] = true
		}
	}
	var out []LineForm
	plain := true
	for s := range strings.SplitSeq(text, "\n") {
		l := LineForm{Heading: headings[s], Hang: len(bullet.FindString(s))}
		if l.Heading {
			l.Hang = 0
		}
		plain = plain && l == LineForm{}
		out = append(out, l)
	}
	if plain {
		return nil
	}
	return out
}

// bold reports whether all that is said by spans is bold.
func bold(spans []Span) bool {
	for _, s := range spans {
		if !s.Bold && strings.TrimSpace(s.Text) != "" {
			return false
		}
	}
	return len(spans) > 0
}

// bullet is what a list item begins with.
var bullet = regexp.MustCompile(`^ *(•|\d{1,4}\.) `)

// sameQuestion reports whether a line of a question's body is its title, with or without the word that it asks.
func sameQuestion(line, title string) bool {
	return bareQuestion(line) != "" && bareQuestion(line) == bareQuestion(title)
}

// bareQuestion is a title without the word that it asks.
func bareQuestion(s string) string {
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(s), "Asks:"))
}

// beneath is a text without the lines at its head that its title says.
func beneath(text, title string) string {
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		if !strings.Contains(title, strings.TrimSpace(line)) {
			break
		}
		text = rest
	}
	return text
}

// wholeLines ends a text that was cut at the end of a line, not in the middle of a step.
func wholeLines(s string) string {
	if i := strings.LastIndexByte(s, '\n'); i > 0 && strings.HasSuffix(s, "…") {
		return s[:i] + "\n…"
	}
	return s
}

// unsaid is a text without the lines that the title says already, or that the options say themselves.
func unsaid(text string, r *notify.Record) string {
	var out []string
	for l := range strings.SplitSeq(text, "\n") {
		line := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(l), "•"))
		said := line != "" && strings.Contains(r.Title, line)
		for _, o := range r.Interaction.Options {
			said = said || o.Label != "" && (line == o.Label || strings.HasPrefix(line, o.Label+":"))
		}
		if !said {
			out = append(out, l)
		}
	}
	return strings.Trim(strings.Join(out, "\n"), "\n")
}

// described are the options of a question that say more than their button, each whole.
func described(in *notify.Interaction) string {
	if in == nil || in.Kind != "question" || len(in.Fields) > 0 {
		return ""
	}
	var out []string
	for _, o := range in.Options {
		if o.Description != "" {
			out = append(out, OrID(o.Label, o.ID)+" — "+o.Description)
		}
	}
	return strings.Join(out, "\n")
}

// Says reports whether title, body or fields say a prompt already.
func Says(r *notify.Record, prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return prompt == "" || repeats(r) || strings.Contains(r.Title, prompt) || strings.Contains(r.Body, prompt)
}
