package agents

import (
	"fmt"
	"testing"
)

// What an environment said is never taken for an option or a command.
//
// Proves: S4
func TestWays(t *testing.T) {
	for _, c := range []struct {
		name, system string
		terminal     Terminal
		want         string
	}{
		{"tmux in a window", "linux", Terminal{TmuxPane: "%5", TmuxSocket: "/tmp/tmux-1000/default", Window: "94371842"},
			"[{tmux [[tmux -S /tmp/tmux-1000/default select-window -t %5] [tmux -S /tmp/tmux-1000/default select-pane -t %5] [tmux -S /tmp/tmux-1000/default switch-client -t %5]]} " +
				"{wmctrl [[wmctrl -i -a 0x5a00002]]} {xdotool [[xdotool windowactivate 94371842]]}]"},
		{"editor", "windows", Terminal{Editor: "vscode", Window: "7"}, "[{code [[code /src/kiosk]]}]"},
		{"mac", "darwin", Terminal{Program: "iTerm.app", Window: "7"}, "[{application [[open -a iTerm]]}]"},
		{"wezterm", "linux", Terminal{Program: "WezTerm", Session: "3"}, "[{wezterm [[wezterm cli activate-pane --pane-id 3]]}]"},
		{"elsewhere", "linux", Terminal{TmuxPane: "%5", Remote: "ssh"}, "[]"},
		{"hostile", "linux", Terminal{TmuxPane: "-t", Window: "--help", Session: "$(x)", Program: "kitty"}, "[]"},
		{"nothing", "linux", Terminal{}, "[]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := fmt.Sprint(c.terminal.Ways(c.system, Place{Cwd: "/src/kiosk"})); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
