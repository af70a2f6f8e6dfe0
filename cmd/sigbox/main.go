// Command sigbox is Signalbox on the command line: what agents' hooks, scripts and people without the window call,
// and, as sigbox serve, the same center without a desktop.
//
// It is static and needs no cgo. It promises its exit codes (0 done, 1 refused by the center, 2 wrong usage, 3 the
// center cannot be reached; of ask, 4 cancelled and 5 timed out), a stdout that holds results alone, and that a hook
// never fails, blocks or talks to its agent but by a decision.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// version is set by the linker.
var version = "dev"

func main() {
	os.Exit(start())
}

// start runs the program with the process's own surroundings.
func start() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	if _, ok := hookAgent(os.Args[1:]); ok {
		// An agent that does not read any more must not end its hook, which has to say so (I9): the write fails instead.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	}
	return run(ctx, surroundings{
		args: os.Args[1:], stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		env: os.Getenv, now: time.Now, program: executable, age: processAge,
	})
}

// executable is the path that an agent is told to run.
func executable() (string, error) { return os.Executable() }
