package agents

import (
	"cmp"
	"net/url"
	"strings"
	"time"
)

// MaxPayload is how much of a payload is worth reading, in bytes. A longer one is cut there and read as far as it
// goes.
const MaxPayload = 8 << 20

// Input is one call of an agent's hook.
type Input struct {
	// Agent is the agent's name, as in Agents.
	Agent string
	// Event is the event's name where the payload does not carry it (Copilot with camelCase events, Aider); the
	// payload's own name wins. May be empty.
	Event string
	// Payload is what the agent handed over, at most MaxPayload bytes. May be empty, cut or broken.
	Payload []byte
	// At is when the agent called; of a replayed call, when it called first.
	At time.Time
	// Wait is how long the hook may hold the agent for an answer; 0: not at all.
	Wait time.Duration
	// Place is where the agent works; what is unknown is empty.
	Place Place
	// Terminal is how to get back to where the agent runs; zero: unknown.
	Terminal Terminal
	// SubAgents says that the owner wants to see what sub-agents tell, too (A10).
	SubAgents bool
	// System is the operating system, as GOOS names it; empty: a Unix with X11.
	System string
	// Session is the session's id where the payload has none (Aider). May be empty.
	Session string
}

// Place is where an agent works.
type Place struct {
	Cwd      string `json:"cwd,omitzero"`      // absolute directory
	Root     string `json:"root,omitzero"`     // top of the working tree; empty: no repository
	Project  string `json:"project,omitzero"`  // name of the repository, or of the directory
	Branch   string `json:"branch,omitzero"`   // empty: no repository, or detached
	Worktree string `json:"worktree,omitzero"` // name of a linked worktree; empty: the main one
}

const maxURL = 2000 // bytes; a session with a longer one goes without

// URL is the address of the place: of the working tree's top, or the directory, with the branch behind a #, and of a linked
// worktree with its project, which the path does not say. Empty where the directory is not known.
func (p Place) URL() string {
	dir := strings.ReplaceAll(cmp.Or(p.Root, p.Cwd), `\`, "/")
	if len(dir) > 1 && dir[1] == ':' {
		dir = "/" + dir // C:/src
	}
	if !strings.HasPrefix(dir, "/") || strings.HasPrefix(dir, "//") {
		return ""
	}
	u := url.URL{Scheme: "file", Path: dir, Fragment: p.Branch}
	if p.Worktree != "" {
		u.RawQuery = url.Values{"project": {p.Project}}.Encode()
	}
	if s := u.String(); len(s) <= maxURL {
		return s
	}
	return ""
}

// Label is how a place is called on a chip: project and branch, and of a linked worktree its name between them, unless that
// says no more than the branch does.
func (p Place) Label() string {
	switch {
	case p.Project == "":
		return ""
	case p.Worktree != "" && fold(p.Worktree) == fold(strings.ReplaceAll(p.Branch, "/", "-")):
		return p.Project + " ⑂ " + p.Branch
	case p.Worktree != "" && p.Branch != "":
		return p.Project + " ⑂ " + p.Worktree + " (" + p.Branch + ")"
	case p.Worktree != "":
		return p.Project + " ⑂ " + p.Worktree
	case p.Branch != "":
		return p.Project + " (" + p.Branch + ")"
	}
	return p.Project
}

// Terminal is how to get back to where an agent runs. A pane of a multiplexer is named by its id and server, and is
// looked up again when the owner goes there, because what shows it may have changed.
type Terminal struct {
	Program    string `json:"program,omitzero"`     // TERM_PROGRAM, as "vscode" or "iTerm.app"
	Session    string `json:"session,omitzero"`     // the terminal's own id of the tab
	Window     string `json:"window,omitzero"`      // X11 window id
	TTY        string `json:"tty,omitzero"`         // as /dev/pts/3
	TmuxPane   string `json:"tmux_pane,omitzero"`   // as %5
	TmuxSocket string `json:"tmux_socket,omitzero"` // path of the server's socket
	Screen     string `json:"screen,omitzero"`      // GNU screen's STY
	Zellij     string `json:"zellij,omitzero"`      // session and pane, as work/4
	Editor     string `json:"editor,omitzero"`      // vscode, cursor, zed, jetbrains or emacs
	Remote     string `json:"remote,omitzero"`      // ssh, wsl or container
	Display    string `json:"display,omitzero"`     // DISPLAY or WAYLAND_DISPLAY
}

// Directory is where a payload says that the agent works; empty: it doesn't say.
func Directory(payload []byte) string {
	f, _ := decodeObject(payload)
	if o := f.object("payload", "event"); o != nil && f.text("directory") == "" {
		f = o
	}
	if d := f.text("cwd", "directory"); d != "" {
		return d
	}
	if roots := f.texts("workspace_roots"); len(roots) > 0 {
		return roots[0]
	}
	info := f.object("properties").object("info")
	return info.text("directory")
}
