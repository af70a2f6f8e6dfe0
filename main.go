// Command signalbox is the desktop app: the center with its tray, toasts, sounds and windows.
//
// This package is wiring. It owns the flags, the single instance, and the order of starting and
// stopping; it decides no rule. The center, the bridge and the tray run from the start; the windows run
// in a process of their own, this same program started with --window, that begins when a window is
// first wanted and ends when the last one is closed. So a machine without OpenGL, a crash of the
// graphics or a closed window costs the center nothing.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// appID names the app to the desktop; FyneApp.toml and the packaging have the same.
const appID = "io.signalbox.Signalbox"

// version is set when it is linked.
var version = "dev"

// options are the flags.
type options struct {
	home, listen string
	hidden       bool
	version      bool
	window       bool // this is the process of the windows

	logs *logSink // nil: nowhere but where the logger writes
}

// Exit codes. 2 is that of a wrong flag.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return exitDone
	}
	if err != nil {
		return exitUsage
	}
	if o.version {
		fmt.Fprintln(stdout, "signalbox", version)
		return exitDone
	}
	level := new(slog.LevelVar)
	if !o.window { // those of the windows come through the center's process
		o.logs = newLogSink(stderr)
		defer o.logs.close()
		stderr = o.logs
	}
	logger := slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))
	// Libraries that log by themselves are seen when everything is.
	log.SetFlags(0)
	log.SetOutput(slog.NewLogLogger(logger.Handler(), slog.LevelDebug).Writer())
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if o.window {
		return runPane(ctx, logger)
	}
	if runtime.GOOS == "darwin" {
		return runInOne(ctx, o, logger, level, stderr, fyneToolkit)
	}
	return runDesktop(ctx, o, logger, level, stderr)
}

// parse reads the flags; what is wrong has been said on w.
func parse(args []string, w io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("signalbox", flag.ContinueOnError)
	f.SetOutput(w)
	f.StringVar(&o.home, "home", "", "data `directory`; default: SIGNALBOX_HOME, or the platform's own folder")
	f.StringVar(&o.listen, "listen", "", "`address` of the bridge; default: as configured, or 127.0.0.1:8377")
	f.BoolVar(&o.hidden, "hidden", false, "start in the tray, without a window")
	f.BoolVar(&o.version, "version", false, "print the version")
	f.BoolVar(&o.window, "window", false, "internal: show the windows of a running center")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		fmt.Fprintf(w, "signalbox: unexpected argument %q\n", f.Arg(0))
		return o, errors.New("usage")
	}
	return o, nil
}
