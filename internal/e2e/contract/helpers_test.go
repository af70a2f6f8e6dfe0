package contract

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// runSigbox runs the real command line to its end and returns what it printed.
func runSigbox(t *testing.T, env []string, args ...string) (string, error) {
	t.Helper()
	return runSigboxIn(t, env, "", args...)
}

func runSigboxIn(t *testing.T, env []string, stdin string, args ...string) (string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, sigbox, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	return string(out), err
}
