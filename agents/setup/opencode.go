package setup

import (
	_ "embed"
	"encoding/json"
	"path/filepath"
	"strings"
)

//go:embed opencode_plugin.js
var openCodePlugin string

// openCodeTargets is a plugin file of its own: it hands the events that matter to the hook, and the owner's answers
// to OpenCode.
func openCodeTargets(o Options) []Target {
	config := o.Env("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(o.Home, ".config")
	}
	path := filepath.Join(config, "opencode", "plugin", Tag+".js")
	if d := o.Env("OPENCODE_CONFIG_DIR"); d != "" {
		path = filepath.Join(d, "plugin", Tag+".js")
	}
	if o.Project != "" {
		path = filepath.Join(o.Project, ".opencode", "plugin", Tag+".js")
	}
	quoted := func(args []string) string {
		b, _ := json.Marshal(append([]string{o.Program}, args...))
		return string(b)
	}
	content := strings.NewReplacer(
		`["SIGBOX_HOLD"]`, quoted(o.args("opencode", true)),
		`["SIGBOX"]`, quoted(o.args("opencode", false)),
	).Replace(openCodePlugin)
	return []Target{wholeTarget(path, content)}
}
