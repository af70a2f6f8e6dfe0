package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"signalbox/bridge/wire"
)

// surroundings are what the program has from its process; tests give others.
type surroundings struct {
	args           []string
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string
	now            func() time.Time
	program        func() (string, error)
	age            func() time.Duration // of the process; nil: not known
	transport      http.RoundTripper    // to the center; nil: the client's own
}

// Exit codes, as documented.
const (
	exitDone        = 0
	exitRefused     = 1
	exitUsage       = 2
	exitUnreachable = 3
	exitCancelled   = 4
	exitTimedOut    = 5
)

// exitError ends the program with a code; silent when it has been told already.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage is a mistake in how the program was called.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// app is one run of the program.
type app struct {
	surroundings
	ctx context.Context
	cli *cli
}

// cli is the command line.
type cli struct {
	Home       string `placeholder:"DIR" help:"Data directory of the center (default: $SIGNALBOX_HOME, else the platform's own)."`
	JSON       bool   `name:"json" help:"Print results, and errors, as JSON."`
	Connection string `short:"c" placeholder:"ID" help:"Connection to use (default: $SIGNALBOX_CONNECTION, else the one that was connected last)."`

	Notify   notifyCmd   `cmd:"" help:"Publish a notification."`
	Progress progressCmd `cmd:"" help:"Show progress; reads a pipe for lines with NN% or n/m."`
	Ask      askCmd      `cmd:"" help:"Ask the owner and wait for the answer."`
	Answer   answerCmd   `cmd:"" help:"Answer as the owner, where there is no window."`
	Goto     gotoCmd     `cmd:"" help:"Bring the terminal to the front that an item came from."`
	Resolve  resolveCmd  `cmd:"" help:"Resolve what was published: its reason is gone."`
	Dismiss  dismissCmd  `cmd:"" help:"Dismiss the revision of a notification that is current now."`
	List     listCmd     `cmd:"" help:"List notifications."`
	Watch    watchCmd    `cmd:"" help:"Follow what happens, a line each."`
	Rail     railCmd     `cmd:"" help:"Show what a fresh view presents."`
	Connect  connectCmd  `cmd:"" help:"Register a connection and keep its token."`
	Hook     hookCmd     `cmd:"" help:"What agents call: reads an event on stdin."`
	Setup    setupCmd    `cmd:"" help:"Connect an agent by its own configuration."`
	MCP      mcpCmd      `cmd:"" name:"mcp" help:"Serve the Model Context Protocol on stdin and stdout."`
	Serve    serveCmd    `cmd:"" help:"Run the center and the bridge without a desktop."`
	Doctor   doctorCmd   `cmd:"" help:"Check the whole chain."`
	Backup   backupCmd   `cmd:"" help:"Write a snapshot of the store."`
	Restore  restoreCmd  `cmd:"" help:"Restore a snapshot of the store."`
	Export   exportCmd   `cmd:"" help:"Write all notifications as JSON lines."`
	Import   importCmd   `cmd:"" help:"Read notifications as JSON lines."`
	Version  versionCmd  `cmd:"" help:"Print the version."`
}

// run is the whole program: arguments in, an exit code out.
func run(ctx context.Context, s surroundings) int {
	if c, ok := quickHook(s.args); ok {
		a := &app{surroundings: s, ctx: ctx, cli: c}
		return a.report(c.Hook.Run(a))
	}
	var c cli
	a := &app{surroundings: s, ctx: ctx, cli: &c}
	exited := -1
	parser, err := kong.New(&c,
		kong.Name("sigbox"), kong.Description("Signalbox on the command line: who needs you, and what to answer."),
		kong.Writers(s.stdout, s.stderr), kong.Exit(func(code int) { exited = code }), kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Bind(a))
	if err != nil {
		fmt.Fprintln(s.stderr, "sigbox:", err)
		return exitUsage
	}
	args := s.args
	if len(args) == 0 {
		args = []string{"--help"}
	}
	k, err := parser.Parse(args)
	if exited >= 0 {
		return exited
	}
	if err != nil {
		if agent, ok := hookAgent(args); ok {
			// A hook that was written for another version must not stop its agent either.
			fmt.Fprintln(s.stderr, "sigbox:", cleanLines(err.Error()))
			if text := silence(agent); text != "" {
				fmt.Fprintln(s.stdout, text)
			}
			return exitDone
		}
		return a.report(&exitError{exitUsage, err})
	}
	return a.report(k.Run())
}

// report tells an error and makes the exit code of it.
func (a *app) report(err error) int {
	if err == nil {
		return exitDone
	}
	code := exitRefused
	var exit *exitError
	var problem *wire.Problem
	switch {
	case errors.As(err, &exit):
		code = exit.code
	case errors.As(err, &problem):
	case unreachable(err):
		code = exitUnreachable
	}
	text := err.Error()
	if text == "" {
		return code
	}
	if a.cli.JSON {
		out := map[string]any{"error": text, "exit": code}
		if problem != nil {
			out["problem"] = problem
		}
		a.printJSON(out)
	}
	fmt.Fprintln(a.stderr, "sigbox:", cleanLines(text)) // it may repeat an argument
	return code
}

// printJSON prints one value on a line.
func (a *app) printJSON(v any) error { return writeJSON(a.stdout, v) }

// writeJSON writes one value on a line. What a terminal would take for a command, or would turn text around, is escaped:
// a producer's data is stored as it was given.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeHidden(b.Bytes()))
	return err
}

// escapeHidden escapes the controls and direction marks that JSON allows as they are. They can only stand in its strings.
func escapeHidden(b []byte) []byte {
	if !bytes.ContainsFunc(b, misleads) {
		return b
	}
	out := make([]byte, 0, len(b)+64)
	for _, r := range string(b) {
		if misleads(r) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// misleads reports whether a character acts on a terminal, or makes text look other than it is. A line's end does not.
func misleads(r rune) bool {
	return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// cleanLines is clean for a text of several lines.
func cleanLines(s string) string {
	return strings.Map(func(r rune) rune {
		if misleads(r) {
			return -1
		}
		return r
	}, s)
}

// result prints a value as JSON, or as the text made of it.
func (a *app) result(v any, text func(io.Writer)) error {
	if a.cli.JSON {
		return a.printJSON(v)
	}
	text(a.stdout)
	return nil
}

type versionCmd struct{}

func (versionCmd) Run(a *app) error {
	return a.result(map[string]string{"version": version}, func(w io.Writer) { fmt.Fprintln(w, "sigbox", version) })
}
