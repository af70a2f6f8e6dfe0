package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/adrg/xdg"

	"signalbox/agents"
	"signalbox/agents/setup"
	"signalbox/internal/pattern"
	"signalbox/ui"
)

// setupLimit bounds a run of sigbox setup.
const setupLimit = 30 * time.Second

// setupAgents lists and connects agents for a data directory, by the command line, which owns how that is done.
type setupAgents struct{ home string }

func (s setupAgents) list(context.Context) ([]ui.Agent, error) {
	var out []ui.Agent
	here := setup.Here(os.Getenv)
	for _, a := range agents.Agents {
		// A desktop is started with a short path: where programs usually are counts too, and so does a folder of settings.
		found := setup.Find(a.Name, here)
		receipt, err := os.ReadFile(s.receipt(a.Name))
		out = append(out, ui.Agent{ID: a.Name, Name: a.Label, Program: setup.Program(a.Name), Installed: found != (setup.Found{}), Connected: err == nil,
			Holds: setup.CanHold(a.Name), Hold: heldFor(receipt)})
	}
	return out, nil
}

// receipt is where sigbox setup keeps what it wrote for an agent.
func (s setupAgents) receipt(agent string) string {
	return filepath.Join(s.home, "setup", agent+".json")
}

var waitArgument = pattern.Lazy(`--wait=([0-9hms.]+)`)

// heldFor is how long the hooks that a receipt tells of may hold their agent; 0: not at all.
func heldFor(receipt []byte) time.Duration {
	m := waitArgument().FindSubmatch(receipt)
	if m == nil {
		return 0
	}
	d, err := time.ParseDuration(string(m[1]))
	if err != nil {
		return 0
	}
	return d
}

// hold sets how long an agent may be held, and leaves the rest of how it was connected as it is.
func (s setupAgents) hold(ctx context.Context, agent string, d time.Duration) error {
	receipt, err := os.ReadFile(s.receipt(agent))
	if err != nil {
		return err
	}
	more := []string{"--wait=" + d.String()}
	if bytes.Contains(receipt, []byte("--sub-agents")) {
		more = append(more, "--sub-agents")
	}
	_, err = s.run(ctx, agent, more...)
	return err
}

// setup connects an agent, or disconnects it, and says what was done.
func (s setupAgents) setup(ctx context.Context, agent string, undo bool) (string, error) {
	if undo {
		return s.run(ctx, agent, "--remove")
	}
	return s.run(ctx, agent)
}

// run runs sigbox setup, and says what it did.
func (s setupAgents) run(ctx context.Context, agent string, more ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, setupLimit)
	defer cancel()
	cmd, err := commandLine(ctx, s.home, append([]string{"setup", agent, "--json"}, more...)...)
	if err != nil {
		return "", err
	}
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		return "", errors.New(strings.TrimSpace(string(exit.Stderr)))
	}
	if err != nil {
		return "", err
	}
	var report struct {
		Files []struct{ Path, Did string }
		Notes []string
	}
	if err := json.Unmarshal(out, &report); err != nil {
		return "", fmt.Errorf("read what sigbox setup did: %w", err)
	}
	var lines []string
	for _, f := range report.Files {
		lines = append(lines, f.Path+": "+f.Did)
	}
	return strings.Join(append(lines, report.Notes...), "\n"), nil
}

// commandLine is a run of sigbox for the center of a data directory, whatever other one the environment names.
func commandLine(ctx context.Context, home string, args ...string) (*exec.Cmd, error) {
	program, err := sigbox()
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = append(os.Environ(), "SIGNALBOX_HOME="+home, "SIGNALBOX_URL=", "SIGNALBOX_TOKEN=")
	cmd.WaitDelay = time.Second // what it started may keep its output open
	return cmd, nil
}

// sigbox finds the command line: beside this program, or on the path.
func sigbox() (string, error) {
	name := "sigbox"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if exe, err := os.Executable(); err == nil {
		if p := filepath.Join(filepath.Dir(exe), name); isFile(p) {
			return p, nil
		}
	}
	p, err := exec.LookPath(name)
	if err != nil {
		return "", errors.New("sigbox was found neither beside this program nor on the path")
	}
	return p, nil
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// readFile reads at most limit bytes of a regular file; a longer one is an error, and so is what could
// block, such as a pipe.
func readFile(path string, limit int64) ([]byte, error) {
	if !isFile(path) {
		return nil, errors.New("is no file")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(b)) > limit {
		return nil, fmt.Errorf("is longer than %d bytes", limit)
	}
	return b, err
}

// saveFile makes a new file, the owner's alone. One that exists is not touched.
func saveFile(path string) (io.WriteCloser, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
}

// saveDir is where files that the owner saves are proposed to go.
func saveDir() string {
	for _, dir := range []string{xdg.UserDirs.Download, xdg.Home} {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}
