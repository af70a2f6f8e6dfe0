package setup

import (
	"bytes"
	"cmp"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// Tag marks what is ours in a file of an agent: every entry carries it in its command.
const Tag = "signalbox"

// tagArg is how the command line carries it.
const tagArg = "--tag=" + Tag

// Ours reports whether an element is one of ours.
func Ours(element []byte) bool {
	return bytes.Contains(element, []byte(tagArg)) && !bytes.Contains(element, []byte(`"hooks"`))
}

// Options are how an agent is set up.
type Options struct {
	// Program is the absolute path of sigbox.
	Program string
	// Home is the owner's home directory.
	Home string
	// Project, when set, is the directory of the one project that is set up; else all of the owner's are.
	Project string
	// Wait is how long a hook may hold the agent for an answer; 0: not at all.
	Wait time.Duration
	// Version is the agent's version, as 2.1.332; empty: the newest. Events that it does not know are left out.
	Version string
	// Connection is the id of the connection that the hook uses; empty: the agent's own.
	Connection string
	// SubAgents says that what sub-agents tell is shown as well.
	SubAgents bool
	// DataDir is the center's data directory, where it is not the platform's own; empty: it is.
	DataDir string
	// System is the operating system whose shell reads command lines, as GOOS names it; empty: this one.
	System string
	// Env looks up the environment for places that an agent lets move; nil: none.
	Env func(string) string
}

// Target is one file of an agent.
type Target struct {
	Path string
	// Whole says that the file is ours alone.
	Whole bool
	// Add makes the file with our entries in it. text is the file as it is, without ours; nil when there is none.
	Add func(text []byte) (Edit, error)
	// Strip takes our entries out of a file of which the pieces are not known any more.
	Strip func(text []byte) ([]byte, error)
	// Note is what the owner has to do besides; empty: nothing.
	Note string
}

// agentsTargets is where each agent keeps its hooks.
var agentsTargets = map[string]func(Options) []Target{
	"claude":   claudeTargets,
	"codex":    codexTargets,
	"gemini":   geminiTargets,
	"cursor":   cursorTargets,
	"copilot":  copilotTargets,
	"opencode": openCodeTargets,
	"aider":    aiderTargets,
	"vscode":   vsCodeTargets,
}

// Targets are the files of an agent; ok is false for one that cannot be set up.
func Targets(agent string, o Options) (targets []Target, ok bool) {
	make, ok := agentsTargets[agent]
	if !ok {
		return nil, false
	}
	if o.Env == nil {
		o.Env = func(string) string { return "" }
	}
	return make(o), true
}

// DefaultWait is how long an agent is held when nothing else is said. Claude Code and OpenCode go on showing their own
// prompt meanwhile, so that waiting costs nothing. Codex and Copilot show it only after the hook, so they wait a
// moment only. The others run their hooks for every command, asked for or not: they are held only when told to.
func DefaultWait(agent string) time.Duration {
	switch agent {
	case "claude", "opencode":
		return 590 * time.Second
	case "codex", "copilot":
		return 45 * time.Second
	}
	return 0
}

// CanHold reports whether an agent's hooks can wait for the owner's answer, wherever it works.
func CanHold(agent string) bool { return DefaultWait(agent) > 0 || agent == "cursor" }

// grace is what a hook's own limit has beyond the wait.
const grace = 10 * time.Second

// Arguments are what the agent calls the program with. hold says that this event may hold the agent.
func (o Options) Arguments(agent string, hold bool, more ...string) []string {
	a := []string{"hook", agent}
	if o.DataDir != "" {
		a = append(a, "--home="+o.DataDir)
	}
	if o.Connection != "" && o.Connection != agent {
		a = append(a, "--connection="+o.Connection)
	}
	if hold && o.Wait > 0 {
		a = append(a, "--wait="+o.Wait.String())
	}
	if o.SubAgents {
		a = append(a, "--sub-agents")
	}
	a = append(a, more...)
	return append(a, tagArg)
}

// timeout is the agent's own limit of a hook.
func (o Options) timeout(hold bool) time.Duration {
	if hold && o.Wait > 0 {
		return o.Wait + grace
	}
	return 5 * time.Second
}

// line is a command line for agents that have no other form and hand it to the system's shell.
func (o Options) line(args []string) string {
	if !o.windows() {
		return quoted(quotePOSIX, o.Program, args)
	}
	// PowerShell takes a line that begins with a quote for a text. It and cmd.exe read quotes within a path alike.
	parts := strings.Split(o.Program, `\`)
	for i, p := range parts {
		if p != "" {
			parts[i] = quoteWindows(p)
		}
	}
	return strings.Join(parts, `\`) + " " + quoted(quoteWindows, args[0], args[1:])
}

// unixLine is a command line for an agent that hands it to a shell of Unix on every system: on Windows to that of Git.
func (o Options) unixLine(args []string) string {
	quote := quotePOSIX
	if o.windows() {
		quote = func(w string) string { return quotePOSIX(strings.ReplaceAll(w, `\`, "/")) }
	}
	return quoted(quote, o.Program, args)
}

func (o Options) windows() bool { return cmp.Or(o.System, runtime.GOOS) == "windows" }

func quoted(quote func(string) string, program string, args []string) string {
	words := []string{quote(program)}
	for _, w := range args {
		words = append(words, quote(w))
	}
	return strings.Join(words, " ")
}

// plain reports whether no shell takes a character for anything but itself.
func plain(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_./:=-", r)
}

// quotePOSIX quotes a word for the shells of Unix: in double quotes, which are easier to read, where nothing is special in
// them, else in single ones.
func quotePOSIX(w string) string {
	special := func(r rune) bool { return !plain(r) }
	switch {
	case w != "" && !strings.ContainsFunc(w, special):
		return w
	case !strings.ContainsAny(w, "\"\\$`!"):
		return `"` + w + `"`
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// quoteWindows quotes a word as programs of Windows split their command line.
func quoteWindows(w string) string {
	special := func(r rune) bool { return !plain(r) && r != '\\' && r != '~' && !unicode.IsLetter(r) }
	if w != "" && !strings.ContainsFunc(w, special) {
		return w
	}
	var b strings.Builder
	b.WriteByte('"')
	slashes := 0 // those before a quote count as escapes
	for _, r := range w {
		if r == '"' {
			b.WriteString(strings.Repeat(`\`, slashes+1))
		}
		b.WriteRune(r)
		if slashes++; r != '\\' {
			slashes = 0
		}
	}
	b.WriteString(strings.Repeat(`\`, slashes) + `"`)
	return b.String()
}

// ordered is an object in a fixed order.
type ordered [][2]any

func (o ordered) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := compact(m[0])
		if err != nil {
			return nil, err
		}
		value, err := compact(m[1])
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func compact(v any) ([]byte, error) {
	s, err := style{}.render(v, 0)
	return []byte(s), err
}

// atLeast compares versions such as 2.1.89; an empty or unreadable one is the newest.
func atLeast(version, want string) bool {
	v := strings.Split(strings.TrimPrefix(version, "v"), ".")
	for i, w := range strings.Split(want, ".") {
		if i >= len(v) {
			return version == ""
		}
		have, err := strconv.Atoi(v[i])
		if err != nil {
			return true
		}
		need, _ := strconv.Atoi(w)
		if have != need {
			return have > need
		}
	}
	return true
}

// place is where an agent keeps its settings: relative to the home directory, or to a project, and moved by a variable.
type place struct{ path, variable string }

var places = map[string]place{
	"claude":   {".claude", "CLAUDE_CONFIG_DIR"},
	"codex":    {".codex", "CODEX_HOME"},
	"opencode": {".opencode", "OPENCODE_CONFIG_DIR"},
	"copilot":  {".copilot", "COPILOT_HOME"},
	"gemini":   {".gemini", ""},
	"cursor":   {".cursor", ""},
	"vscode":   {".vscode", ""},
	"aider":    {".aider.conf.yml", ""}, // a file
}

// settings is where an agent keeps its settings: the project's, or the owner's, which a variable may move.
func (o Options) settings(agent string) string {
	in := places[agent]
	switch {
	case o.Project != "":
		return filepath.Join(o.Project, in.path)
	case in.variable != "" && o.Env(in.variable) != "":
		return o.Env(in.variable)
	case agent == "opencode": // it follows the convention of the desktop
		return filepath.Join(cmp.Or(o.Env("XDG_CONFIG_HOME"), filepath.Join(o.Home, ".config")), "opencode")
	}
	return filepath.Join(o.Home, in.path)
}

// jsonTarget is a JSON file with our entries in arrays.
func jsonTarget(path string, list []entry, base ...[2]string) Target {
	return Target{
		Path: path,
		Add: func(text []byte) (Edit, error) {
			return appendAll(text, list, base...)
		},
		Strip: func(text []byte) ([]byte, error) { return Strip(text, Ours) },
	}
}

// wholeTarget is a file that is ours alone.
func wholeTarget(path, content string) Target {
	return Target{
		Path: path, Whole: true,
		Add: func(text []byte) (Edit, error) {
			if len(text) > 0 && !bytes.Contains(text, []byte(Tag)) {
				return Edit{}, ErrNotOurs
			}
			return Edit{Text: []byte(content), Inserted: []Piece{{Text: content}}}, nil
		},
		Strip: func(text []byte) ([]byte, error) {
			if !bytes.Contains(text, []byte(tagArg)) {
				return nil, ErrNotOurs
			}
			return nil, nil
		},
	}
}
