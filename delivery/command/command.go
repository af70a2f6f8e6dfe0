// Package command tells by running a program that the owner configured.
//
// It owns the process: its arguments, its limits, its end. It promises that no shell is involved, that
// the text of an announcement is never an argument or part of one (it goes to standard input as JSON,
// and the plain names of things into the environment), and that time and output are bounded. It never
// retries; its caller does.
package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"
	"unicode/utf8"
)

// Config is one program.
type Config struct {
	// Argv is the program, by name or path, and its arguments, as given.
	Argv  []string
	Limit time.Duration // 0: 10 s
	// Env is the environment, as "name=value"; nil: this process's.
	Env []string
}

// maxOutput bounds what is kept of what the program says, in bytes; the rest is read and thrown away.
const maxOutput = 4 << 10

// Validate says what is wrong with c.
func (c Config) Validate() error {
	if len(c.Argv) == 0 || strings.TrimSpace(c.Argv[0]) == "" {
		return errors.New("names no program")
	}
	for _, a := range c.Argv {
		if strings.ContainsRune(a, 0) {
			return errors.New("holds a zero byte")
		}
	}
	return nil
}

// Run starts the program with payload as JSON on its standard input and waits for it. An exit status
// other than 0 is an error that holds the beginning of what the program said.
func (c Config) Run(ctx context.Context, payload any) error {
	if err := c.Validate(); err != nil {
		return err
	}
	in, err := json.Marshal(payload)
	if err != nil {
		return fmt.Errorf("encode: %w", err)
	}
	limit := c.Limit
	if limit <= 0 {
		limit = 10 * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.Argv[0], c.Argv[1:]...)
	cmd.Env = c.Env
	cmd.Stdin = bytes.NewReader(append(in, '\n'))
	var out bounded
	cmd.Stdout, cmd.Stderr = &out, &out
	// A child of the program that keeps the output open is not waited for.
	cmd.WaitDelay = 500 * time.Millisecond
	ownGroup(cmd)
	err = cmd.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("did not end within %v", limit)
	case errors.Is(err, exec.ErrWaitDelay):
		return nil
	case errors.Is(err, exec.ErrNotFound):
		return errors.New("the program was not found")
	}
	if said := out.String(); said != "" {
		return fmt.Errorf("%w: %s", err, said)
	}
	return err
}

// bounded keeps the first maxOutput bytes.
type bounded struct{ b []byte }

func (w *bounded) Write(p []byte) (int, error) {
	w.b = append(w.b, p[:min(len(p), maxOutput-len(w.b))]...)
	return len(p), nil
}

// String is the first line of it, fit to be shown.
func (w *bounded) String() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(w.b)), "\n")
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError {
			return -1
		}
		return r
	}, line)
	if len(line) > 200 {
		line = strings.ToValidUTF8(line[:200], "") + "…"
	}
	return line
}
