package agents

import "strconv"

// ActionTerminal is the action by which the owner goes to where an agent runs. Whoever shows items carries it out,
// by the item's data.
const ActionTerminal = "terminal"

// Way is one way to bring an agent's place to the front: commands that are run one after the other, without a shell.
// Each way is worth trying whatever became of the others: a pane is chosen in its multiplexer, and the window that
// shows it is raised.
type Way struct {
	Name     string
	Commands [][]string
}

// Ways are the ways to go to a terminal on a system (as GOOS names it). A pane is named by its id and its server, so
// that it is found where it is now, whatever showed it when the agent started.
func (t Terminal) Ways(system string, p Place) []Way {
	var ways []Way
	add := func(name string, commands ...[]string) { ways = append(ways, Way{name, commands}) }
	if t.Remote == "ssh" || t.Remote == "container" {
		return nil // it is on another machine
	}
	if t.TmuxPane != "" && t.TmuxPane[0] == '%' {
		tmux := []string{"tmux"}
		if t.TmuxSocket != "" {
			tmux = append(tmux, "-S", t.TmuxSocket)
		}
		run := func(args ...string) []string { return append(append([]string(nil), tmux...), args...) }
		add("tmux", run("select-window", "-t", t.TmuxPane), run("select-pane", "-t", t.TmuxPane), run("switch-client", "-t", t.TmuxPane))
	}
	if n, err := strconv.Atoi(t.Session); err == nil && n >= 0 {
		switch t.Program {
		case "WezTerm":
			add("wezterm", []string{"wezterm", "cli", "activate-pane", "--pane-id", strconv.Itoa(n)})
		case "kitty":
			add("kitty", []string{"kitten", "@", "focus-window", "--match", "id:" + strconv.Itoa(n)})
		}
	}
	switch system {
	case "darwin":
		if app := map[string]string{"iTerm.app": "iTerm", "Apple_Terminal": "Terminal", "ghostty": "Ghostty", "WezTerm": "WezTerm", "kitty": "kitty"}[t.Program]; app != "" {
			add("application", []string{"open", "-a", app})
		}
	case "windows":
	default:
		if id, err := strconv.ParseUint(t.Window, 10, 32); err == nil && id > 0 {
			window := "0x" + strconv.FormatUint(id, 16)
			add("wmctrl", []string{"wmctrl", "-i", "-a", window})
			add("xdotool", []string{"xdotool", "windowactivate", strconv.FormatUint(id, 10)})
		}
	}
	if program := map[string]string{"vscode": "code", "cursor": "cursor", "zed": "zed"}[t.Editor]; program != "" && p.Cwd != "" && p.Cwd[0] != '-' {
		add(program, []string{program, p.Cwd})
	}
	return ways
}
