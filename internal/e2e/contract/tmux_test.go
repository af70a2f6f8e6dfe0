//go:build linux && e2e

package contract

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The owner is taken to the very pane that an agent asks from, in a real tmux, from whatever the client shows; a pane
// that is gone is said to be gone.
func TestGotoRealTmux(t *testing.T) {
	dir := t.TempDir()
	s := start(t)
	socket := filepath.Join(dir, "tmux.sock")
	tmux := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("tmux", append([]string{"-S", socket, "-f", "/dev/null"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %s: %v: %s", args[0], err, out)
		}
		return strings.TrimSpace(string(out))
	}
	tmux("new-session", "-d", "-s", "here", "-x", "80", "-y", "24", "sh")
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", socket, "kill-server").Run() })
	tmux("new-session", "-d", "-s", "there", "-x", "80", "-y", "24", "sh")
	tmux("new-window", "-t", "there", "-n", "agent", "sh")
	tmux("split-window", "-t", "there:agent", "sh")
	pane := tmux("display-message", "-p", "-t", "there:agent.0", "#{pane_id}")
	tmux("select-window", "-t", "there:0") // it is not what its session shows
	event := filepath.Join(dir, "event.json")
	if err := os.WriteFile(event, []byte(`{"session_id":"s","prompt_id":"1","hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{"command":"make"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	tmux("send-keys", "-t", pane, "'"+sigbox+"' hook claude --home='"+s.home+"' <'"+event+"'", "Enter")

	// A person who looks at the other session.
	client := exec.Command("script", "-qfc", "tmux -S '"+socket+"' attach -t here", "/dev/null")
	client.Env = append(os.Environ(), "TERM=xterm")
	if _, err := client.StdinPipe(); err != nil { // at the end of its input it would end the shell that it shows
		t.Fatal(err)
	}
	if err := client.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Process.Kill(); _ = client.Wait() })
	shown := func() string { return tmux("list-clients", "-F", "#{session_name} #{pane_id}") }
	if !until(10*time.Second, func() bool { return strings.HasPrefix(shown(), "here ") }) {
		t.Fatalf("no client: %q", shown())
	}
	var id string
	if !until(10*time.Second, func() bool {
		list, _ := s.owner("GET", "/v1/notifications?session=s", nil).get("notifications").([]any)
		if len(list) == 1 {
			id = str(list[0].(map[string]any)["id"])
		}
		return id != ""
	}) {
		t.Fatal("the hook told nothing")
	}
	if out, err := runSigbox(t, nil, "goto", id, "--home", s.home); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if got, want := shown(), "there "+pane; got != want {
		t.Errorf("the client shows %q, want %q", got, want)
	}
	tmux("kill-session", "-t", "there")
	if out, err := runSigbox(t, nil, "goto", id, "--home", s.home); err == nil || !strings.Contains(out, "can't find pane") {
		t.Errorf("a pane that is gone: %v: %s", err, out)
	}
}
