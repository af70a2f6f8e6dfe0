package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/BurntSushi/toml"
	"gopkg.in/yaml.v3"
)

var existing = map[string]string{
	"settings.json":       "{\n  \"model\": \"m\",\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"say done\"}]}]\n  }\n}\n",
	"settings.local.json": "{\"permissions\": {\"allow\": []}}",
	"hooks.json":          "{\n\t\"version\": 1,\n\t\"hooks\": {}\n}\n",
	"config.toml":         "# mine\nmodel = \"m\"\n\n[tui]\nnotifications = true\nnotify = 3\n",
	".aider.conf.yml":     "# mine\nmodel: m\nread:\n  - a.md",
}

func options(project bool) Options {
	o := Options{Program: "/opt/signal box/sigbox", Home: "/home/u", Wait: time.Minute}
	if project {
		o.Project = "/src/kiosk"
	}
	return o
}

// Every agent's files: what is written can be read by the agent, says what is ours, and comes out again byte for byte.
func TestTargets(t *testing.T) { // T64
	for agent := range agentsTargets {
		for _, project := range []bool{false, true} {
			targets, ok := Targets(agent, options(project))
			if !ok || len(targets) == 0 && (project || agent != "vscode") {
				t.Fatalf("%s: no targets", agent)
			}
			for _, target := range targets {
				base := filepath.Base(target.Path)
				texts := map[string]string{"absent": "", "there": existing[base], "windows": strings.ReplaceAll(existing[base], "\n", "\r\n")}
				if target.Whole {
					texts = map[string]string{"absent": ""}
				}
				for name, text := range texts {
					t.Run(agent+"/"+base+"/"+name, func(t *testing.T) {
						e, err := target.Add([]byte(text))
						if err != nil {
							t.Fatal(err)
						}
						readable(t, base, e.Text)
						if !bytes.Contains(e.Text, []byte(tagArg)) {
							t.Errorf("not tagged:\n%s", e.Text)
						}
						back, ok := Undo(e.Text, e.Inserted)
						if !ok || string(back) != text {
							t.Errorf("ok %v, got back %q, want %q", ok, back, text)
						}
						stripped, err := target.Strip(e.Text)
						if err != nil || bytes.Contains(stripped, []byte(tagArg)) {
							t.Errorf("strip: %v\n%s", err, stripped)
						}
					})
				}
			}
		}
	}
}

func readable(t *testing.T, base string, text []byte) {
	t.Helper()
	var err error
	switch filepath.Ext(base) {
	case ".json":
		var v map[string]any
		err = json.Unmarshal(text, &v)
	case ".toml":
		var v struct {
			Notify []string `toml:"notify"`
		}
		if _, err = toml.Decode(string(text), &v); err == nil && (len(v.Notify) != 4 || v.Notify[0] != "/opt/signal box/sigbox") {
			t.Errorf("notify is %q", v.Notify)
		}
	case ".yml":
		v := map[string]any{}
		if err = yaml.Unmarshal(text, &v); err == nil && (v["notifications"] != true || v["notifications-command"] != `"/opt/signal box/sigbox" hook aider --tag=signalbox`) {
			t.Errorf("got %v", v)
		}
	}
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}

// What the owner has set himself is left alone.
func TestNotOurs(t *testing.T) {
	for _, c := range []struct{ agent, base, text string }{
		{"codex", "config.toml", "notify = [\"say\"]\n"},
		{"codex", "config.toml", "model = 1\n \"notify\" = [\"say\"]\n[t]\n"},
		// Lines that begin with a bracket, and are no tables.
		{"codex", "config.toml", "args = [\n  [\"a\"],\n]\nnotify = [\"mine\"]\n"},
		{"codex", "config.toml", "developer_instructions = \"\"\"\n[Note] be brief\n\"\"\"\nnotify = [\"mine\"]\n"},
		{"aider", ".aider.conf.yml", "notifications-command: say\n"},
		{"copilot", "signalbox.json", "{}"},
	} {
		targets, _ := Targets(c.agent, options(false))
		for _, target := range targets {
			if filepath.Base(target.Path) == c.base {
				if _, err := target.Add([]byte(strings.ReplaceAll(c.text, "signalbox", "x"))); !errors.Is(err, ErrNotOurs) {
					t.Errorf("%s: %v", c.agent, err)
				}
			}
		}
	}
}

// A key that only looks like ours is none, and a file that Codex could not read is left alone.
func TestCodexNotify(t *testing.T) {
	for text, want := range map[string]bool{
		"model = \"m\"\n": true,
		"text = \"\"\"\nnotify = [\"in a text\"]\n\"\"\"\n": true,
		"[tui]\nnotify = 3\n":                               true,
		"\xef\xbb\xbfmodel = \"m\"\n":                       true,
		"model = \n":                                        false,
		"[notify]\na = 1\n":                                 false,
	} {
		e, err := codexNotify([]byte(text), options(false))
		if (err == nil) != want {
			t.Errorf("%q: %v", text, err)
		}
		if err == nil {
			readable(t, "config.toml", e.Text)
		}
	}
}

// What is written for a shell to run comes out of the shell as it went in.
func TestLine(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Log("no shell here: the lines are only compared")
	}
	for _, program := range []string{
		"/opt/sigbox", "/opt/signal box/sigbox", "/home/a$b/sig|box", "/home/a`id`/sigbox", "/home/it's/sigbox", `/home/a"b/sigbox`, `/home/a\b/sigbox`,
		"/home/a#b<c>d*e?f[g]h{i,j}/~sigbox", "/home/a;b&c!d/sigbox", "/home/müller/sigbox", `/home/$'"\`, "/home/a\nb", "",
	} {
		line := Options{Program: program, System: "linux"}.line([]string{"hook", "claude", "--home=" + program})
		if shell == "" {
			continue
		}
		out, err := exec.Command(shell, "-c", `printf '%s\0' `+line).Output()
		if want := program + "\x00hook\x00claude\x00--home=" + program + "\x00"; err != nil || string(out) != want {
			t.Errorf("%s: %q, want %q, %v", line, out, want, err)
		}
	}
	for _, c := range []struct{ system, program, want string }{
		{"linux", "/opt/sigbox", "/opt/sigbox hook"},
		{"darwin", "/opt/signal box/sigbox", `"/opt/signal box/sigbox" hook`},
		{"linux", "/opt/a$b", "'/opt/a$b' hook"},
		{"windows", `C:\Users\me\sigbox.exe`, `C:\Users\me\sigbox.exe hook`},
		// PowerShell takes a line that begins with a quote for a text; it and cmd.exe read quotes within a path alike.
		{"windows", `C:\Program Files\sigbox.exe`, `C:\"Program Files"\sigbox.exe hook`},
		{"windows", `C:\Program Files (x86)\a&b\sigbox.exe`, `C:\"Program Files (x86)"\"a&b"\sigbox.exe hook`},
		{"windows", `\\server\my share\sigbox.exe`, `\\server\"my share"\sigbox.exe hook`},
		{"windows", `C:\Users\Jörg Ä\sigbox.exe`, `C:\Users\"Jörg Ä"\sigbox.exe hook`},
	} {
		if got := (Options{Program: c.program, System: c.system}).line([]string{"hook"}); got != c.want {
			t.Errorf("%s: %s, want %s", c.system, got, c.want)
		}
	}
	o := Options{Program: `C:\sigbox.exe`, System: "windows"}
	if got, want := o.line([]string{"hook", `--home=C:\My Data\`}), `C:\sigbox.exe hook "--home=C:\My Data\\"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// Claude Code that has no form without a shell runs its hooks by a shell of Unix on Windows, too.
func TestClaudeOfOldVersionsOnWindows(t *testing.T) {
	targets, _ := Targets("claude", Options{Program: `C:\Program Files\sigbox.exe`, Home: "/home/u", System: "windows", Version: "2.0.40", DataDir: `D:\my data`})
	e, err := targets[0].Add(nil)
	if want := `"\"C:/Program Files/sigbox.exe\" hook claude \"--home=D:/my data\" --tag=signalbox"`; err != nil || !bytes.Contains(e.Text, []byte(want)) {
		t.Errorf("%v, got %s", err, e.Text)
	}
}

func TestClaudeOfOldVersions(t *testing.T) {
	o := options(false)
	o.Version = "2.0.40"
	targets, _ := Targets("claude", o)
	e, err := targets[0].Add(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, unknown := range []string{"PermissionRequest", "StopFailure", "Elicitation", `"args"`, `"async"`} {
		if bytes.Contains(e.Text, []byte(unknown)) {
			t.Errorf("%s is written for a version that does not know it", unknown)
		}
	}
	if !bytes.Contains(e.Text, []byte(`"\"/opt/signal box/sigbox\" hook claude --tag=signalbox"`)) {
		t.Errorf("got %s", e.Text)
	}
	for _, c := range []struct {
		version, want string
		ok            bool
	}{{"", "2.1.139", true}, {"2.1.139", "2.1.139", true}, {"2.1.99", "2.1.139", false}, {"3.0", "2.1.139", true}, {"2.1", "2.1.1", false}, {"dev", "2.1.1", true}} {
		if atLeast(c.version, c.want) != c.ok {
			t.Errorf("%s at least %s: not %v", c.version, c.want, c.ok)
		}
	}
}

// The plugin is a module that Node can read; its names of commands are filled in.
func TestOpenCodePlugin(t *testing.T) {
	targets, _ := Targets("opencode", Options{Program: `C:\Program Files\sigbox.exe`, Home: "/home/u", Wait: time.Minute})
	e, err := targets[0].Add(nil)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(e.Text, []byte("SIGBOX")) || !bytes.Contains(e.Text, []byte(`["C:\\Program Files\\sigbox.exe","hook","opencode","--wait=1m0s","--tag=signalbox"]`)) {
		t.Errorf("got %s", e.Text[:600])
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Log("no node here: the plugin is not run")
		return
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"package.json": `{"type":"module"}`,
		"plugin.js":    strings.ReplaceAll(string(e.Text), `"C:\\Program Files\\sigbox.exe","hook","opencode"`, `"`+node+`","hook.cjs"`),
		// The hook of this test notes what it is told, and answers a permission.
		"hook.cjs": `const fs = require("fs"); const t = fs.readFileSync(0, "utf8"); fs.appendFileSync("told", t + "\n")
			if (t.includes("permission.asked")) process.stdout.write(JSON.stringify({method: "POST", path: "/permission/per_8/reply", body: {reply: "once"}}))`,
		"run.js": `import { Signalbox } from "./plugin.js"
			let answered
			const done = new Promise((r) => { answered = r })
			const client = { session: { get: async () => ({ data: { parentID: "ses_1" } }) }, _client: { post: async (o) => { console.log(JSON.stringify(o)); answered() } } }
			const hooks = await Signalbox({ client, directory: process.cwd(), serverUrl: new URL("http://127.0.0.1:1") })
			await hooks.event({ event: { type: "lsp.updated", properties: {} } })
			await hooks.event({ event: { type: "permission.asked", properties: { id: "per_8", sessionID: "ses_2" } } })
			await done`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(node, "run.js")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(`"url":"/permission/per_8/reply","body":{"reply":"once"}`)) {
		t.Fatalf("%v\n%s", err, out)
	}
	told, err := os.ReadFile(filepath.Join(dir, "told"))
	if err != nil || strings.Count(string(told), "\n") != 1 || !bytes.Contains(told, []byte(`"parent":"ses_1"`)) {
		t.Errorf("told %q, %v", told, err)
	}
}
