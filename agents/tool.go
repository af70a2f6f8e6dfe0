package agents

import (
	"cmp"
	"fmt"
	"net/url"
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
	add("- ", f.text("old_string", "old_str", "oldString"))
	add("+ ", f.text("new_string", "new_str", "newString", "new_source", "content", "file_text"))
	if len(out) > maxEdit {
		out = append(out[:maxEdit], fmt.Sprintf("… and %d lines more", len(out)-maxEdit))
	}
	return strings.Join(out, "\n")
}

// wants is the title of a permission, and the text of what is asked for in full. The title says what would be done, never what
// the model says that it is for: leave is given by it.
func (c *call) wants() (title, full string) {
	if command := c.command(); command != "" {
		return "Run " + commandLine(command), code(command)
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
	file := in.text("file_path", "notebook_path", "absolute_path", "path", "filePath", "fileName", "target_file")
	verb := toolVerb(c.tool)
	switch {
	case file != "" && verb != "":
		return verb + " " + c.Place.within(file), code(strings.TrimSpace(file + "\n" + in.edit()))
	case in.text("url") != "":
		return "fetch " + source(in.text("url")), code(in.text("url"))
	case verb == "search" && in.text("query", "pattern") != "":
		return "search for " + headline(in.text("query", "pattern"), maxHeadline), code(in.text("query", "pattern"))
	}
	name := c.tool
	if server, tool, ok := mcpTool(c.tool); ok {
		name = tool + " of " + server
	}
	if len(in) > 0 {
		full = code(canonicalFields(in))
	}
	if file != "" {
		return "use " + name + " on " + c.Place.within(file), full
	}
	return "use " + cmp.Or(name, "a tool"), full
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
