package vm

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// BlockKind is the form of a block of text.
type BlockKind string

// The blocks. An image is never a block: it becomes a link with its text, and nothing is fetched.
const (
	BlockText    BlockKind = "text"
	BlockHeading BlockKind = "heading"
	BlockItem    BlockKind = "item"
	BlockQuote   BlockKind = "quote"
	BlockCode    BlockKind = "code"
	BlockRule    BlockKind = "rule"
	BlockTable   BlockKind = "table"
)

// Block is a paragraph, a heading, a list item, code, …
type Block struct {
	Kind   BlockKind
	Level  int    // of a heading, 1 to 6; of an item, its depth from 0
	Bullet string // of an item: "•" or "3."
	Spans  []Span // of text, headings, items and quotes
	Code   string // of code
	Diff   bool   // of code: lines are taken out and put in
	Rows   [][]string
}

// Span is a run of text with one look.
type Span struct {
	Text               string
	Bold, Italic, Code bool
	// Link is where the span leads; empty: nowhere. It has not been checked: see Link.
	Link string
	// Image: the span stands for an image, which is not fetched.
	Image bool
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough))

// Markdown reads CommonMark into blocks. Raw HTML is text.
func Markdown(s string) []Block {
	src := []byte(s)
	doc := markdown.Parser().Parse(text.NewReader(src))
	r := &reader{src: src}
	r.blocks(doc, 0, false)
	return r.out
}

type reader struct {
	src []byte
	out []Block
}

func (r *reader) blocks(parent ast.Node, depth int, quote bool) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		r.block(n, depth, quote)
	}
}

func (r *reader) block(n ast.Node, depth int, quote bool) {
	kind := BlockText
	if quote {
		kind = BlockQuote
	}
	switch n := n.(type) {
	case *ast.Heading:
		r.out = append(r.out, Block{Kind: BlockHeading, Level: n.Level, Spans: r.spans(n, Span{})})
	case *ast.ThematicBreak:
		r.out = append(r.out, Block{Kind: BlockRule})
	case *ast.Blockquote:
		r.blocks(n, depth, true)
	case *ast.List:
		at := n.Start
		for item := n.FirstChild(); item != nil; item = item.NextSibling() {
			bullet := "•"
			if n.IsOrdered() {
				bullet = strconv.Itoa(at) + "."
				at++
			}
			r.item(item, depth, bullet)
		}
	case *ast.FencedCodeBlock:
		language := string(n.Language(r.src))
		r.out = append(r.out, Block{Kind: BlockCode, Code: r.lines(n), Diff: language == "diff" || language == "patch"})
	case *ast.CodeBlock:
		r.out = append(r.out, Block{Kind: BlockCode, Code: r.lines(n)})
	case *ast.HTMLBlock:
		raw := r.lines(n)
		if n.HasClosure() {
			raw = strings.TrimRight(raw+"\n"+string(n.ClosureLine.Value(r.src)), "\n")
		}
		r.out = append(r.out, Block{Kind: kind, Spans: []Span{{Text: raw}}})
	case *extast.Table:
		r.table(n)
	default:
		if spans := r.spans(n, Span{}); len(spans) > 0 {
			r.out = append(r.out, Block{Kind: kind, Spans: spans})
		}
	}
}

func (r *reader) item(item ast.Node, depth int, bullet string) {
	first := true
	for n := item.FirstChild(); n != nil; n = n.NextSibling() {
		switch n.(type) {
		case *ast.Paragraph, *ast.TextBlock:
			b := Block{Kind: BlockItem, Level: depth, Spans: r.spans(n, Span{})}
			if first {
				b.Bullet = bullet
			}
			r.out = append(r.out, b)
		default:
			if first && n.Kind() != ast.KindList {
				r.out = append(r.out, Block{Kind: BlockItem, Level: depth, Bullet: bullet})
			}
			r.block(n, depth+1, false)
		}
		first = false
	}
}

func (r *reader) table(n *extast.Table) {
	var rows [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, SpansText(r.spans(cell, Span{})))
		}
		rows = append(rows, cells)
	}
	r.out = append(r.out, Block{Kind: BlockTable, Rows: rows})
}

func (r *reader) lines(n ast.Node) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		b.Write(seg.Value(r.src))
	}
	return strings.TrimRight(b.String(), "\n")
}

func (r *reader) spans(parent ast.Node, look Span) []Span {
	var out []Span
	add := func(s Span) {
		if s.Text == "" {
			return
		}
		if n := len(out); n > 0 {
			last := out[n-1]
			last.Text = ""
			same := s
			same.Text = ""
			if last == same {
				out[n-1].Text += s.Text
				return
			}
		}
		out = append(out, s)
	}
	with := func(s string) Span { l := look; l.Text = s; return l }
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			s := string(n.Segment.Value(r.src))
			if !n.IsRaw() {
				s = unescape(s)
			}
			add(with(s))
			if n.HardLineBreak() {
				add(with("\n"))
			} else if n.SoftLineBreak() {
				add(with(" "))
			}
		case *ast.String:
			add(with(string(n.Value)))
		case *ast.Emphasis:
			l := look
			if n.Level >= 2 {
				l.Bold = true
			} else {
				l.Italic = true
			}
			for _, s := range r.spans(n, l) {
				add(s)
			}
		case *ast.CodeSpan:
			l := look
			l.Code = true
			for _, s := range r.spans(n, l) {
				add(s)
			}
		case *ast.Link:
			l := look
			l.Link = string(n.Destination)
			for _, s := range r.spans(n, l) {
				add(s)
			}
		case *ast.AutoLink:
			l := with(string(n.Label(r.src)))
			l.Link = string(n.URL(r.src))
			add(l)
		case *ast.Image:
			l := look
			l.Link, l.Image = string(n.Destination), true
			inner := SpansText(r.spans(n, Span{}))
			if inner == "" {
				inner = l.Link
			}
			l.Text = inner
			add(l)
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				seg := n.Segments.At(i)
				add(with(string(seg.Value(r.src))))
			}
		default:
			for _, s := range r.spans(n, look) {
				add(s)
			}
		}
	}
	return out
}

// unescape takes the backslashes and the entities out of a run of Markdown text.
func unescape(s string) string {
	if !strings.ContainsAny(s, `\&`) {
		return s
	}
	return string(util.UnescapePunctuations(util.ResolveNumericReferences(util.ResolveEntityNames([]byte(s)))))
}

// SpansText is the text of spans without their look.
func SpansText(spans []Span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.Text)
	}
	return b.String()
}

// Plain is the text of Markdown as one run of at most limit characters, for a card: blocks become
// sentences apart, code is left out (Codes has it), and of a table each row is a line.
func Plain(blocks []Block, limit int) string {
	s, _ := excerpt(blocks, limit, false)
	return s
}

// excerpt is Plain, and whether text was left out. Code is in it, further in, where code says so; else it is shown apart.
func excerpt(blocks []Block, limit int, code bool) (text string, more bool) {
	var parts []string
	n := 0
	for _, b := range blocks {
		if n >= limit {
			more = true
			break
		}
		s := ""
		switch b.Kind {
		case BlockRule:
		case BlockCode:
			if code {
				s = "    " + strings.ReplaceAll(strings.TrimRight(b.Code, "\n"), "\n", "\n    ")
			}
		case BlockTable:
			rows := make([]string, len(b.Rows))
			for i, row := range b.Rows {
				rows[i] = strings.Join(row, " · ")
			}
			s = strings.Join(rows, "\n")
		case BlockItem:
			s = strings.Repeat("  ", b.Level) + strings.TrimSpace(b.Bullet+" "+SpansText(b.Spans))
		default:
			s = SpansText(b.Spans)
		}
		if strings.TrimSpace(s) != "" {
			parts = append(parts, s)
			n += len(s)
		}
	}
	whole := strings.Join(parts, "\n")
	text = cut(whole, limit)
	return text, more || text != whole
}

// Codes are the code blocks of Markdown, in order.
func Codes(blocks []Block) []string {
	var out []string
	for _, b := range blocks {
		if b.Kind == BlockCode && strings.TrimSpace(b.Code) != "" {
			out = append(out, b.Code)
		}
	}
	return out
}

// isDiff reports whether the code that is shown of blocks, the first, is a diff.
func isDiff(blocks []Block) bool {
	i := slices.IndexFunc(blocks, func(b Block) bool { return b.Kind == BlockCode && strings.TrimSpace(b.Code) != "" })
	return i >= 0 && blocks[i].Diff
}

// DiffForms are the forms of the lines of a diff: what is put in has one tone, what is taken out another, beside their signs.
func DiffForms(code string) []LineForm {
	var out []LineForm
	for s := range strings.SplitSeq(code, "\n") {
		var l LineForm
		switch {
		case strings.HasPrefix(s, "+"):
			l.Tone = ToneSuccess
		case strings.HasPrefix(s, "-"):
			l.Tone = ToneError
		}
		out = append(out, l)
	}
	return out
}

// cut shortens s to limit characters, with an ellipsis in place of what is lost.
func cut(s string, limit int) string {
	n := 0
	for i := range s {
		if n == limit {
			return strings.TrimRight(s[:i], " \n") + "…"
		}
		n++
	}
	return s
}

// RightToLeft reports whether text reads from the right: its first letter decides.
func RightToLeft(s string) bool {
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko):
			return true
		case unicode.IsLetter(r):
			return false
		}
	}
	return false
}
