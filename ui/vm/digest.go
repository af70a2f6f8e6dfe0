package vm

import (
	"strings"

	"signalbox/notify"
)

// Digests remembers what a card shows of a record's texts, which is costly to read and changes only
// with the record. The zero value is empty and ready; a nil one remembers nothing.
type Digests struct{ by map[string]digest }

type digest struct {
	change             int64
	text, code, prompt string
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
	d.text = Plain(body, textLimit)
	if d.text != "" && strings.Contains(r.Title, d.text) {
		d.text = "" // the title says it
	}
	if lines := strings.Join(r.Lines, "\n"); lines != "" {
		d.text = cut(strings.TrimLeft(d.text+"\n"+lines, "\n"), textLimit)
	}
	if codes := Codes(body); len(codes) > 0 {
		d.code = cut(codes[0], codeLimit)
	}
	if in := r.Interaction; in != nil && !Says(r, in.Prompt) {
		prompt := Markdown(in.Prompt)
		d.prompt = Plain(prompt, textLimit)
		if codes := Codes(prompt); len(codes) > 0 && d.code == "" {
			d.code = cut(codes[0], codeLimit)
		}
	}
	return d
}

// Says reports whether title, body or fields say a prompt already.
func Says(r *notify.Record, prompt string) bool {
	prompt = strings.TrimSpace(prompt)
	return prompt == "" || repeats(r) || strings.Contains(r.Title, prompt) || strings.Contains(r.Body, prompt)
}
