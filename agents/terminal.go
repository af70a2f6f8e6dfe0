package agents

import (
	"cmp"
	"strings"
)

// TerminalFrom reads the identity of the terminal from an environment. tty is the path of the controlling terminal,
// empty when there is none.
func TerminalFrom(env func(string) string, tty string) Terminal {
	t := Terminal{
		Program:  name(env("TERM_PROGRAM")),
		Window:   name(env("WINDOWID")),
		TTY:      name(tty),
		TmuxPane: name(env("TMUX_PANE")),
		Screen:   name(env("STY")),
		Display:  cmp.Or(name(env("WAYLAND_DISPLAY")), name(env("DISPLAY"))),
	}
	// TMUX is socket,pid,session-index; only the socket stays true while panes move.
	t.TmuxSocket, _, _ = strings.Cut(name(env("TMUX")), ",")
	if z := name(env("ZELLIJ_SESSION_NAME")); z != "" {
		t.Zellij = z + "/" + name(env("ZELLIJ_PANE_ID"))
	}
	for _, v := range []string{"ITERM_SESSION_ID", "TERM_SESSION_ID", "WT_SESSION", "KITTY_WINDOW_ID", "WEZTERM_PANE", "KONSOLE_DBUS_SESSION", "GHOSTTY_RESOURCES_DIR"} {
		if s := name(env(v)); s != "" {
			t.Session = s
			break
		}
	}
	if t.Program == "" {
		for v, program := range map[string]string{"KITTY_WINDOW_ID": "kitty", "WEZTERM_PANE": "WezTerm", "WT_SESSION": "Windows Terminal", "KONSOLE_DBUS_SESSION": "konsole"} {
			if env(v) != "" {
				t.Program = program
			}
		}
	}
	switch {
	case env("CURSOR_TRACE_ID") != "":
		t.Editor = "cursor"
	case env("VSCODE_INJECTION") != "" || env("VSCODE_IPC_HOOK_CLI") != "" || env("VSCODE_PID") != "" || t.Program == "vscode":
		t.Editor = "vscode"
	case env("ZED_TERM") != "":
		t.Editor = "zed"
	case strings.Contains(env("TERMINAL_EMULATOR"), "JetBrains"):
		t.Editor = "jetbrains"
	case env("INSIDE_EMACS") != "":
		t.Editor = "emacs"
	}
	switch {
	case env("SSH_CONNECTION") != "":
		t.Remote = "ssh"
	case env("WSL_DISTRO_NAME") != "":
		t.Remote = "wsl"
	case env("REMOTE_CONTAINERS") != "" || env("DEVCONTAINER") != "" || env("CODESPACES") != "":
		t.Remote = "container"
	}
	return t
}

// name bounds what an environment says about itself.
func name(s string) string { return oneLine(s, 200) }
