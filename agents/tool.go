package agents

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// setTool notes which tool the call is about, and names it: the same tool with the same input in the same thread is
// the same call. input is an object, or an object as text.
func (c *call) setTool(tool string, input jsontext.Value) {
	c.tool = tool
	if s, ok := scalar(input); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
		if v := jsontext.Value(s); v.IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)) {
			input = v
		}
	}
	if len(input) > 0 && input.Kind() == '{' {
		c.input, _ = decodeObject(input)
		c.rawInput = input
	}
	if tool != "" {
		c.rawCall = digest(c.thread, fold(tool), canonical(input))
	}
}

// toolClass is the class of items that a tool makes.
func toolClass(tool string) Class {
	switch fold(tool) {
	case "askuserquestion", "askquestion":
		return Question
	case "exitplanmode":
		return Planned
	}
	return Permission
}

// maxEdit bounds, in lines, what is shown of a change to a file.
const maxEdit = 60

// edit is the change that a tool wants to make to a file, as lines taken out and put in: nobody can
// decide about a change from the name of the file alone.
func (f fields) edit() string {
	var out []string
	add := func(mark, text string) {
		if text == "" {
			return
		}
		for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
			out = append(out, mark+line)
		}
	}
	add("- ", f.text(oldNames...))
	add("+ ", f.text(newNames...))
	if len(out) > maxEdit {
		out = append(out[:maxEdit], fmt.Sprintf("… and %d lines more", len(out)-maxEdit))
	}
	return strings.Join(out, "\n")
}

// wants is the title of a permission, and the text of what is asked for in full. The title says what would be done, never what
// the model says that it is for: leave is given by it. What the tool is given besides is in the text, too.
func (c *call) wants() (title, full string) {
	if command := c.command(); command != "" {
		return "Run " + commandLine(command), c.with(code(command), "command", "cmd", "script", "description", "timeout")
	}
	what, full := c.deed()
	return "Wants to " + what, full
}

// command is the command line that a tool is about to run; empty: it runs none. What a server's tool calls a command may be
// anything.
func (c *call) command() string {
	if _, _, ok := mcpTool(c.tool); ok {
		return ""
	}
	return cmp.Or(strings.TrimSpace(c.input.text("command", "cmd", "script")), strings.Join(c.input.texts("command"), " "))
}

// deed says what a tool that runs no command is about to do, as it follows "wants to", and the text of it in full.
func (c *call) deed() (what, full string) {
	in := c.input
	file := in.text(fileNames...)
	server, tool, foreign := mcpTool(c.tool)
	verb := toolVerb(c.tool)
	switch {
	case foreign: // its members mean what its server wants
	case file != "" && verb != "":
		shown := code(strings.TrimSpace(file + "\n" + in.edit()))
		if in.edit() != "" {
			shown = strings.Replace(shown, "\n", "diff\n", 1)
		}
		return verb + " " + c.Place.within(file), c.with(shown, editNames...)
	case in.text("url") != "":
		return "fetch " + source(in.text("url")), c.with(code(in.text("url")), "url")
	case verb == "search" && in.text("query", "pattern") != "":
		return "search for " + headline(in.text("query", "pattern"), maxHeadline), c.with(code(in.text("query", "pattern")), "query", "pattern")
	}
	name := cmp.Or(c.tool, "a tool")
	if foreign {
		name = tool + " of " + server
	}
	if full = c.with(""); full == "" && len(in) > 0 {
		full = code(canonicalFields(in))
	}
	if file != "" {
		name += " on " + c.Place.within(file)
	}
	return "use " + name, full
}

// fileNames are what tools call the file that they are about; editNames are what an edit shows.
var (
	fileNames = []string{"file_path", "notebook_path", "absolute_path", "path", "filePath", "fileName", "target_file"}
	editNames = append(slices.Clip(slices.Concat(fileNames, oldNames)), newNames...)
	oldNames  = []string{"old_string", "old_str", "oldString"}
	newNames  = []string{"new_string", "new_str", "newString", "new_source", "content", "file_text"}
)

// with is text and, below it, what else the tool is given: a member a line, in the agent's own spelling and order, but
// for what is off; of a server's tool nobody knows what is so anyway. Those in text already are named.
func (c *call) with(text string, named ...string) string {
	var out []string
	_, _, foreign := mcpTool(c.tool)
	for _, m := range members(c.rawInput) {
		off := m.value.Kind() == 'n' || m.value.Kind() == 'f' && !foreign
		if off || slices.ContainsFunc(named, func(n string) bool { return fold(n) == fold(m.name) }) {
			continue
		}
		s, ok := scalar(m.value)
		if !ok {
			_ = m.value.Compact() // what cannot be made compact stays as it is
			s = m.value.String()
		}
		if strings.Contains(s, "\n") {
			s = "\n  " + strings.ReplaceAll(strings.TrimRight(s, "\n"), "\n", "\n  ")
		} else {
			s = " " + s
		}
		out = append(out, m.name+":"+s)
	}
	if len(out) == 0 {
		return text
	}
	return strings.TrimSpace(text + "\n\n" + code(strings.Join(out, "\n")))
}

// source says where an address leads, without the address: that is told in full, once.
func source(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		return "from " + u.Host
	}
	return "an address"
}

// mcpTool splits the name of a server's tool, as mcp__server__tool.
func mcpTool(name string) (server, tool string, ok bool) {
	rest, ok := strings.CutPrefix(name, "mcp__")
	if !ok {
		return "", "", false
	}
	return strings.Cut(rest, "__")
}

func toolVerb(tool string) string {
	switch f := fold(tool); {
	case strings.Contains(f, "edit") || f == "replace" || strings.Contains(f, "patch"):
		return "change"
	case strings.Contains(f, "write") || strings.Contains(f, "create"):
		return "write"
	case strings.Contains(f, "delete"):
		return "delete"
	case strings.Contains(f, "read") || f == "view":
		return "read"
	case strings.Contains(f, "search") || strings.Contains(f, "grep") || strings.Contains(f, "glob"):
		return "search"
	}
	return ""
}

// canonicalFields is an object again, of what was read of it.
func canonicalFields(f fields) string {
	m := map[string]jsontext.Value{}
	for k, v := range f {
		m[k] = v
	}
	return canonical(jsontext.Value(encode(m)))
}
