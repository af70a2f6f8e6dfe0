package main

import (
	"context"
	"io"
	"log/slog"
	"net"

	"signalbox/internal/winlink"
)

// runInOne runs center and windows in one process, as macOS asks for: its tray lives in the loop of
// the toolkit, on the main goroutine, for as long as the app runs. The line between the two is in
// memory, so that everything else is the same.
func runInOne(ctx context.Context, o options, logger *slog.Logger, level *slog.LevelVar, stderr io.Writer, kit toolkit) int {
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	k := newDesktop(o, logger, quit)
	center, windows := net.Pipe()
	p := newRoom(winlink.New(windows), logger, kit, false)
	lineEnded := make(chan struct{})
	k.win = newWindows(k, func() (io.ReadWriteCloser, func() error, error) {
		return center, func() error { <-lineEnded; return nil }, nil
	})
	running := make(chan struct{})
	code := make(chan int, 1)
	go func() {
		c := k.run(ctx, level, stderr, func() { close(running) })
		code <- c
		quit()
	}()
	select {
	case <-running:
	case c := <-code:
		return c
	}
	go func() {
		// The line outlives ctx: over it the windows are told to end.
		_ = p.line.Serve(context.WithoutCancel(ctx))
		close(lineEnded)
	}()
	// Reaching for the windows once opens the line, although none is shown yet.
	go func() { _, _, _ = k.win.get(ctx) }()
	if err := p.prepare(ctx); err != nil {
		logger.Error("the windows cannot be made", "err", err)
		_ = p.line.Close() // nobody is there who could be told to end
		quit()
		return <-code
	}
	start, end := k.tray.External(ctx)
	p.onStart, p.onEnd = start, end
	p.run()
	_ = p.line.Close() // the windows have ended, which their end says
	quit()
	return <-code
}
