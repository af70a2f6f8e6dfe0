package agents

import (
	"cmp"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxHeadline bounds, in characters, what a title quotes of a command, a message or a plan.
const maxHeadline = 80

// headline makes one line of s, cut between two words where it is longer than n characters.
func headline(s string, n int) string {
	s = oneLine(s, len(s)+1)
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	s = cutRunes(s, n-2)
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRight(s, " ") + " …"
}

// shellWord is a word of a shell in which nothing runs.
const shellWord = `(?:[^\s'"\\$` + "`" + `&|;<>()]|\$\w+|\$\{\w+\}|'[^']*'|"(?:[^"\\$` + "`" + `]|\$\w+|\$\{\w+\})*")`

// preparation is what a script begins with and nothing is done by: options of the shell, where it runs, its variables. It ends
// where the next command begins.
var preparation = regexp.MustCompile(`^(?:set\s+[-+][a-zA-Z]+(?:\s+[-+a-zA-Z]+)*|cd(?:\s+` + shellWord + `+)?` +
	`|(?:export\s+)?\w+=` + shellWord + `*(?:\s+\w+=` + shellWord + `*)*)(?:\s*\|\|\s*exit(?:\s+\d+)?)?\s*(?:&&|;|(?:\s#.*)?$)\s*`)

// commandLine is the first line of a command that does something, with an ellipsis where more follows. What prepares it is
// passed over, and a comment in front: that says of it what its author likes.
func commandLine(command string) string {
	var first string
	for line := range strings.Lines(command) {
		line = strings.TrimSpace(line)
		for n := -1; first == "" && n != len(line); {
			n = len(line)
			line = line[len(preparation.FindString(line)):]
		}
		switch {
		case line == "" || first == "" && strings.HasPrefix(line, "#"):
		case first == "":
			first = strings.TrimSpace(strings.TrimSuffix(line, `\`))
		default:
			return strings.TrimSuffix(headline(first, maxHeadline-2), " …") + " …"
		}
	}
	return headline(cmp.Or(first, command), maxHeadline)
}

// sentence is how a message in Markdown begins: its first sentence that is more than a word or two, else its first
// heading; empty: it says nothing.
func sentence(markdown string) string {
	heading, text := opening(markdown)
	return headline(cmp.Or(firstSentence(text), heading), maxHeadline)
}

// failure is the title of what failed, with the reason where the agent gives one.
func failure(title, reason string) string {
	if s := sentence(reason); s != "" {
		return title + ": " + s
	}
	return title
}

// planTitle is the title of a plan: its first heading that says more than that it is one, else its first sentence.
func planTitle(plan string) string {
	heading, text := opening(plan)
	said := headline(cmp.Or(heading, firstSentence(text)), maxHeadline)
	switch {
	case said == "":
		return "Plan to approve"
	case strings.HasPrefix(strings.ToLower(said), "plan"):
		return said
	}
	return "Plan: " + said
}

// opening is the first heading and the first paragraph of a text in Markdown, without its marks. Code is passed over, and
// so is a heading that says no more than that a plan or a summary follows.
func opening(markdown string) (heading, text string) {
	fence := ""
	for line := range strings.Lines(cutRunes(markdown, maxDetail)) {
		line = strings.TrimSpace(line)
		mark := line[:len(line)-len(strings.TrimLeft(line, "`~"))]
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case len(mark) >= 3:
			fence = mark
		case strings.HasPrefix(line, "#"):
			if text != "" {
				return heading, text
			}
			if h := plainLine(strings.TrimLeft(line, "#")); heading == "" && !bare(h) {
				heading = h
			}
		case strings.IndexFunc(line, unicode.IsLetter) < 0:
			if text != "" {
				return heading, text
			}
		case text != "" && listMark(line) != "":
			return heading, text
		default:
			text = strings.TrimSpace(text + " " + plainLine(line))
		}
	}
	return heading, text
}

// listMark is what a line of a list begins with; empty: it is none.
func listMark(line string) string {
	number := strings.TrimLeft(line, "0123456789")
	if n := len(line) - len(number); n > 0 && (strings.HasPrefix(number, ". ") || strings.HasPrefix(number, ") ")) {
		return line[:n+2]
	}
	for _, mark := range []string{"- ", "* ", "+ "} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// bare reports whether a heading only names what is below it.
func bare(heading string) bool {
	switch strings.TrimRight(fold(heading), ":") {
	case "", "plan", "theplan", "implementationplan", "summary", "overview", "context", "done", "result", "results":
		return true
	}
	return false
}

// plainLine is a line of Markdown without the marks of lists, quotes and emphasis.
func plainLine(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "> ")
	s = strings.TrimPrefix(s, listMark(s))
	return strings.TrimSpace(strings.NewReplacer("**", "", "__", "", "`", "").Replace(s))
}

// firstSentence is a text up to the end of its first sentence that is not too short to say anything.
func firstSentence(s string) string {
	const short = 20 // characters
	runes := []rune(s)
	for i, r := range runes {
		next, after := rune(' '), rune(0)
		if i+1 < len(runes) {
			next = runes[i+1]
		}
		if i+2 < len(runes) {
			after = runes[i+2]
		}
		switch {
		case i+1 < short:
		case strings.ContainsRune("。！？", r),
			strings.ContainsRune(".!?", r) && next == ' ' && !unicode.IsLower(after): // "e.g. this" goes on
			return string(runes[:i+1])
		}
	}
	return s
}

// within is a file as titles name it: from the directory of the work where it is there, else by its whole path, which says
// that it is elsewhere. A long path is cut in its middle.
func (p Place) within(file string) string {
	const most = 60 // characters
	file = strings.ReplaceAll(file, `\`, "/")
	if path.IsAbs(file) || len(file) > 1 && file[1] == ':' {
		file = path.Clean(file)
		for _, dir := range []string{p.Cwd, p.Root} {
			dir = strings.TrimRight(strings.ReplaceAll(dir, `\`, "/"), "/")
			if rest, ok := strings.CutPrefix(file, dir+"/"); ok && dir != "" {
				file = rest
				break
			}
		}
	}
	file = oneLine(file, maxTitle)
	if utf8.RuneCountInString(file) <= most {
		return file
	}
	begin, end := cutRunes(file, 20), path.Base(file)
	if i := strings.LastIndexByte(begin, '/'); i >= 0 {
		begin = begin[:i+1]
	}
	return begin + "…/" + oneLine(end, most-22)
}
