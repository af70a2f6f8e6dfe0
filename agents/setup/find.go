package setup

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// Machine is what Find looks at. A desktop is started with a short PATH, so where programs usually are is asked as well.
type Machine struct {
	// System is the operating system, as GOOS names it.
	System string
	// Home is the owner's home directory; empty: not known.
	Home string
	// Env looks up the environment; nil: none.
	Env func(string) string
	// LookPath finds a program on the path; empty: it is not there.
	LookPath func(name string) string
	// Glob lists the files and folders of a pattern.
	Glob func(pattern string) []string
}

// Here is this machine, with the environment of a process.
func Here(env func(string) string) Machine {
	home := env("HOME")
	if home == "" {
		home, _ = os.UserHomeDir()
	}
	return Machine{
		System: runtime.GOOS, Home: home, Env: env,
		LookPath: func(name string) string {
			path, err := exec.LookPath(name)
			if err != nil {
				return ""
			}
			return path
		},
		Glob: func(pattern string) []string {
			found, _ := filepath.Glob(pattern)
			return found
		},
	}
}

// Found is what there is of an agent.
type Found struct {
	// Program is the path of its program; empty: none was found.
	Program string
	// Folder is the folder that it keeps its settings in; empty: there is none.
	Folder string
}

// programs are what the agents' own programs are called, where that is not their name here.
var programs = map[string]string{"cursor": "cursor-agent", "vscode": "code"}

// Program is what an agent's own program is called.
func Program(agent string) string {
	if p := programs[agent]; p != "" {
		return p
	}
	return agent
}

// usualPlaces are where package managers and installers put programs, relative to the home directory or absolute.
var usualPlaces = []string{
	".local/bin", "bin", ".npm-global/bin", ".npm/bin", ".bun/bin", ".volta/bin", ".deno/bin", ".cargo/bin", ".opencode/bin", ".claude/local",
	".asdf/shims", ".local/share/mise/shims", ".local/share/pnpm", "Library/pnpm", ".nvm/versions/node/*/bin", ".local/share/fnm/node-versions/*/installation/bin",
	".local/pipx/venvs/*/bin", "/opt/homebrew/bin", "/usr/local/bin", "/home/linuxbrew/.linuxbrew/bin", "/snap/bin",
	"/Applications/Visual Studio Code.app/Contents/Resources/app/bin", "/Applications/Cursor.app/Contents/Resources/app/bin",
}

// Find looks for an agent: its program, and the folder of its settings, which it makes when it is first used.
func Find(agent string, m Machine) (f Found) {
	env := m.Env
	if env == nil {
		env = func(string) string { return "" }
	}
	program := Program(agent)
	f.Program = m.LookPath(program)
	names := []string{program}
	var dirs []string
	if m.System == "windows" {
		names = []string{program + ".exe", program + ".cmd"}
		for _, dir := range [][2]string{{"APPDATA", "npm"}, {"LOCALAPPDATA", "pnpm"}, {"LOCALAPPDATA", "Programs/Microsoft VS Code/bin"}, {"USERPROFILE", ".local/bin"}, {"USERPROFILE", "scoop/shims"}} {
			if base := env(dir[0]); base != "" {
				dirs = append(dirs, filepath.Join(base, filepath.FromSlash(dir[1])))
			}
		}
	} else {
		for _, dir := range usualPlaces {
			switch {
			case strings.HasPrefix(dir, "/"):
				dirs = append(dirs, dir)
			case m.Home != "":
				dirs = append(dirs, filepath.Join(m.Home, dir))
			}
		}
	}
	for i := 0; f.Program == "" && i < len(dirs)*len(names); i++ {
		if found := m.Glob(filepath.Join(dirs[i/len(names)], names[i%len(names)])); len(found) > 0 {
			f.Program = found[len(found)-1] // of several versions the newest
		}
	}
	// Without a home directory, or with a variable that is none, nothing is looked for beside where we happen to be.
	if folder := (Options{Home: m.Home, Env: env}).settings(agent); filepath.IsAbs(folder) && len(m.Glob(folder)) > 0 {
		f.Folder = folder
	}
	return f
}
