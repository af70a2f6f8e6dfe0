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
	path := filepath.Join(o.settings("opencode"), "plugin", Tag+".js")
	quoted := func(args []string) string {
		b, _ := json.Marshal(append([]string{o.Program}, args...))
		return string(b)
	}
	content := strings.NewReplacer(
		`["SIGBOX_HOLD"]`, quoted(o.Arguments("opencode", true)),
		`["SIGBOX"]`, quoted(o.Arguments("opencode", false)),
	).Replace(openCodePlugin)
	return []Target{wholeTarget(path, content)}
}
