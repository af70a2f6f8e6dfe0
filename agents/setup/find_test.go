package setup

import (
	"path/filepath"
	"slices"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		agent   string
		onPath  map[string]string
		files   []string
		env     map[string]string
		want    Found
		windows bool
	}{
		"on the path":               {agent: "claude", onPath: map[string]string{"claude": "/usr/bin/claude"}, want: Found{Program: "/usr/bin/claude"}},
		"by another name":           {agent: "cursor", onPath: map[string]string{"cursor-agent": "/usr/bin/cursor-agent"}, want: Found{Program: "/usr/bin/cursor-agent"}},
		"npm's global folder":       {agent: "gemini", files: []string{"/h/.npm-global/bin/gemini"}, want: Found{Program: "/h/.npm-global/bin/gemini"}},
		"the newest of nvm's":       {agent: "codex", files: []string{"/h/.nvm/versions/node/v20/bin/codex", "/h/.nvm/versions/node/v22/bin/codex"}, want: Found{Program: "/h/.nvm/versions/node/v22/bin/codex"}},
		"Homebrew":                  {agent: "opencode", files: []string{"/opt/homebrew/bin/opencode"}, want: Found{Program: "/opt/homebrew/bin/opencode"}},
		"its settings alone":        {agent: "claude", files: []string{"/h/.claude"}, want: Found{Folder: "/h/.claude"}},
		"OpenCode's settings":       {agent: "opencode", files: []string{"/h/.config/opencode"}, want: Found{Folder: "/h/.config/opencode"}},
		"settings moved":            {agent: "codex", files: []string{"/elsewhere"}, env: map[string]string{"CODEX_HOME": "/elsewhere"}, want: Found{Folder: "/elsewhere"}},
		"Copilot's moved":           {agent: "copilot", files: []string{"/h/.copilot", "/elsewhere"}, env: map[string]string{"COPILOT_HOME": "/elsewhere"}, want: Found{Folder: "/elsewhere"}},
		"OpenCode's moved":          {agent: "opencode", files: []string{"/elsewhere"}, env: map[string]string{"OPENCODE_CONFIG_DIR": "/elsewhere"}, want: Found{Folder: "/elsewhere"}},
		"settings moved, not there": {agent: "codex", files: []string{"/h/.codex"}, env: map[string]string{"CODEX_HOME": "/elsewhere"}},
		"nothing":                   {agent: "aider"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Find(c.agent, Machine{System: "linux", Home: "/h", Env: func(n string) string { return c.env[n] }, LookPath: func(n string) string { return c.onPath[n] },
				Glob: func(pattern string) (out []string) {
					for _, f := range c.files {
						if ok, _ := filepath.Match(pattern, f); ok {
							out = append(out, f)
						}
					}
					slices.Sort(out)
					return out
				}})
			if got != c.want {
				t.Errorf("found %+v, want %+v", got, c.want)
			}
		})
	}
}
