package setup

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"signalbox/internal/pattern"
)

// hookEvent is one event that is hooked.
type hookEvent struct {
	name    string
	since   string // version that has it; empty: all
	hold    bool   // may hold the agent for an answer
	matcher string // which tools or kinds; empty: the agent's way to say all
	async   bool   // the agent need not wait at all
}

var claudeHooks = []hookEvent{
	{name: "SessionStart"},
	{name: "SessionEnd"},
	{name: "UserPromptSubmit"},
	{name: "Notification"},
	{name: "PermissionRequest", since: "2.0.45", hold: true, matcher: "*"},
	{name: "PermissionDenied", since: "2.1.89", matcher: "*"},
	{name: "PostToolUse", matcher: "*", async: true},
	{name: "PostToolUseFailure", since: "2.1.27", matcher: "*", async: true},
	{name: "Elicitation", since: "2.1.76", hold: true},
	{name: "ElicitationResult", since: "2.1.76"},
	{name: "Stop"},
	{name: "StopFailure", since: "2.1.78"},
	{name: "SubagentStop"},
}

// claudeTargets is the settings file of Claude Code. Its exec form needs no shell.
func claudeTargets(o Options) []Target {
	path := filepath.Join(o.settings("claude"), "settings.json")
	if o.Project != "" {
		path = filepath.Join(o.Project, ".claude", "settings.local.json") // the owner's own: it names his program
	}
	var list []entry
	for _, e := range claudeHooks {
		if e.since != "" && !atLeast(o.Version, e.since) {
			continue
		}
		h := ordered{{"type", "command"}}
		if args := o.Arguments("claude", e.hold); atLeast(o.Version, "2.1.139") {
			h = append(h, ordered{{"command", o.Program}, {"args", args}}...)
		} else {
			h = append(h, [2]any{"command", o.unixLine(args)})
		}
		h = append(h, [2]any{"timeout", int(o.timeout(e.hold).Seconds())})
		if e.async && atLeast(o.Version, "2.1.139") {
			h = append(h, [2]any{"async", true})
		}
		list = append(list, entry{[]string{"hooks", e.name}, group(e, h)})
	}
	return []Target{jsonTarget(path, list)}
}

// group is a matcher with its hooks.
func group(e hookEvent, h ordered) ordered {
	g := ordered{}
	if e.matcher != "" {
		g = append(g, [2]any{"matcher", e.matcher})
	}
	return append(g, [2]any{"hooks", []any{h}})
}

var codexHooks = []hookEvent{
	{name: "SessionStart"},
	{name: "UserPromptSubmit"},
	{name: "PermissionRequest", hold: true},
	{name: "PostToolUse"},
	{name: "Stop"},
	{name: "SubagentStop"},
}

// codexTargets are the hooks of Codex and, as these wait for the owner's trust, its older notify program.
func codexTargets(o Options) []Target {
	root := o.settings("codex")
	var list []entry
	for _, e := range codexHooks {
		h := ordered{{"type", "command"}, {"command", o.line(o.Arguments("codex", e.hold))}, {"timeout", int(o.timeout(e.hold).Seconds())}}
		list = append(list, entry{[]string{"hooks", e.name}, group(e, h)})
	}
	hooks := jsonTarget(filepath.Join(root, "hooks.json"), list)
	hooks.Note = "Codex runs hooks only once they are trusted: open /hooks in Codex and trust them."
	targets := []Target{hooks}
	if o.Project == "" {
		targets = append(targets, Target{
			Path:  filepath.Join(root, "config.toml"),
			Add:   func(text []byte) (Edit, error) { return codexNotify(text, o) },
			Strip: func(text []byte) ([]byte, error) { return dropLines(text, tagArg), nil },
		})
	}
	return targets
}

var aiderKeys = pattern.Lazy(`(?m)^notifications(-command)?[ \t]*:`)

// codexNotify puts the notify program first: a key of the top level must stand before any table.
func codexNotify(text []byte, o Options) (Edit, error) {
	var before map[string]any
	if err := toml.Unmarshal(text, &before); err != nil {
		return Edit{}, err
	}
	if _, set := before["notify"]; set {
		return Edit{}, ErrNotOurs // Codex has room for one program only
	}
	var quoted []string
	command := append([]string{o.Program}, o.Arguments("codex", false)...)
	for _, a := range command {
		quoted = append(quoted, tomlText(a))
	}
	newline := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		newline = "\r\n"
	}
	e := Edit{Text: append([]byte(nil), text...)}
	at := 0
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		at = 3
	}
	e.insert(at, "notify = ["+strings.Join(quoted, ", ")+"]"+newline)
	var after struct {
		Notify []string `toml:"notify"`
	}
	if err := toml.Unmarshal(e.Text, &after); err != nil || !slices.Equal(after.Notify, command) {
		return Edit{}, errors.Join(errors.New("the edit would break the file"), err)
	}
	return e, nil
}

// tomlText is a text in TOML: as it is where that is possible, which keeps Windows' paths readable.
func tomlText(s string) string {
	if strings.Contains(s, `\`) && !strings.ContainsAny(s, "'\n\r\t") {
		return "'" + s + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + `"`
}

// dropLines takes out the lines that contain a mark.
func dropLines(text []byte, mark string) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		if !bytes.Contains(line, []byte(mark)) {
			out = append(out, line...)
		}
	}
	return out
}

// geminiTargets is the settings file of the Gemini CLI. Its limits are in milliseconds.
func geminiTargets(o Options) []Target {
	var list []entry
	for _, e := range []hookEvent{{name: "SessionStart"}, {name: "SessionEnd"}, {name: "BeforeAgent"}, {name: "AfterAgent"}, {name: "BeforeTool", matcher: "*"}, {name: "AfterTool", matcher: "*"}, {name: "Notification"}} {
		h := ordered{{"name", Tag}, {"type", "command"}, {"command", o.line(o.Arguments("gemini", false))}, {"timeout", (5 * time.Second).Milliseconds()}}
		list = append(list, entry{[]string{"hooks", e.name}, group(e, h)})
	}
	t := jsonTarget(filepath.Join(o.settings("gemini"), "settings.json"), list)
	t.Note = "/hooks panel in Gemini CLI shows whether hooks are enabled; if not, enable them in /settings (Enable Hooks System)."
	return []Target{t}
}

// cursorTargets is the hooks file of Cursor. Commands are held only when told to: its hooks run for every one.
func cursorTargets(o Options) []Target {
	events := []hookEvent{{name: "sessionStart"}, {name: "sessionEnd"}, {name: "beforeSubmitPrompt"}, {name: "stop"}, {name: "subagentStop"}, {name: "preToolUse", matcher: "ask_question"}}
	if o.Wait > 0 {
		events = append(events, hookEvent{name: "beforeShellExecution", hold: true}, hookEvent{name: "beforeMCPExecution", hold: true},
			hookEvent{name: "afterShellExecution"}, hookEvent{name: "afterMCPExecution"})
	}
	var list []entry
	for _, e := range events {
		h := ordered{{"command", o.line(o.Arguments("cursor", e.hold))}}
		if e.matcher != "" {
			h = append(h, [2]any{"matcher", e.matcher})
		}
		h = append(h, [2]any{"timeout", int(o.timeout(e.hold).Seconds())})
		list = append(list, entry{[]string{"hooks", e.name}, h})
	}
	return []Target{jsonTarget(filepath.Join(o.settings("cursor"), "hooks.json"), list, [2]string{`"version"`, "1"})}
}

// copilotTargets is a hooks file of its own for the Copilot CLI. With camelCase names the payloads do not say their
// event, so the command line does. It runs no shell.
func copilotTargets(o Options) []Target {
	path := filepath.Join(o.settings("copilot"), "hooks", Tag+".json")
	if o.Project != "" {
		path = filepath.Join(o.Project, ".github", "hooks", Tag+".json")
	}
	hooks := ordered{}
	for _, e := range []hookEvent{{name: "sessionStart"}, {name: "sessionEnd"}, {name: "userPromptSubmitted"}, {name: "postToolUse"}, {name: "postToolUseFailure"},
		{name: "permissionRequest", hold: true}, {name: "agentStop"}, {name: "subagentStop"}, {name: "errorOccurred"}, {name: "notification"}} {
		h := ordered{{"type", "command"}, {"exec", o.Program}, {"args", o.Arguments("copilot", e.hold, "--event="+e.name)}, {"timeoutSec", int(o.timeout(e.hold).Seconds())}}
		hooks = append(hooks, [2]any{e.name, []any{h}})
	}
	return []Target{whole(path, ordered{{"version", 1}, {"hooks", hooks}})}
}

// vsCodeTargets is a hooks file of its own for the agent of VS Code, which has them in projects only.
func vsCodeTargets(o Options) []Target {
	if o.Project == "" {
		return nil
	}
	events := []hookEvent{{name: "SessionStart"}, {name: "UserPromptSubmit"}, {name: "Stop"}, {name: "SubagentStop"}}
	if o.Wait > 0 {
		events = append(events, hookEvent{name: "PreToolUse", hold: true}, hookEvent{name: "PostToolUse"})
	}
	hooks := ordered{}
	for _, e := range events {
		h := ordered{{"type", "command"}, {"command", o.line(o.Arguments("vscode", e.hold))}, {"timeout", int(o.timeout(e.hold).Seconds())}}
		hooks = append(hooks, [2]any{e.name, []any{h}})
	}
	t := whole(filepath.Join(o.Project, ".github", "hooks", Tag+"-vscode.json"), ordered{{"hooks", hooks}})
	t.Note = "Needs hooks to be switched on in VS Code (a preview feature)."
	return []Target{t}
}

func whole(path string, content ordered) Target {
	text, err := style{"\n", "  "}.render(content, 0)
	if err != nil {
		return Target{Path: path, Add: func([]byte) (Edit, error) { return Edit{}, err }}
	}
	return wholeTarget(path, text+"\n")
}

// aiderTargets is the configuration of Aider: two lines at its end. Aider has no form without a shell.
func aiderTargets(o Options) []Target {
	path := o.settings("aider")
	return []Target{{
		Path: path,
		Add: func(text []byte) (Edit, error) {
			if aiderKeys().Match(text) {
				return Edit{}, ErrNotOurs
			}
			newline := "\n"
			if bytes.Contains(text, []byte("\r\n")) {
				newline = "\r\n"
			}
			piece := ""
			if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
				piece = newline
			}
			command := strings.ReplaceAll(o.line(o.Arguments("aider", false)), "'", "''")
			piece += "notifications: true # " + tagArg + newline + "notifications-command: '" + command + "'" + newline
			e := Edit{Text: append([]byte(nil), text...)}
			e.insert(len(text), piece)
			return e, nil
		},
		Strip: func(text []byte) ([]byte, error) { return dropLines(text, tagArg), nil },
	}}
}
