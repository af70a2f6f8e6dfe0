package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"signalbox/client"
	"signalbox/internal/daemon"
)

// serveCmd runs the center without a desktop.
type serveCmd struct {
	Listen    string   `placeholder:"ADDR" help:"Where the bridge listens (default: as configured, else 127.0.0.1:8377)."`
	RateLimit *float64 `placeholder:"N" help:"Changes a second for each connection; 0: no limit."`
	Log       string   `default:"info" enum:"debug,info,warn,error" help:"debug, info, warn or error."`
	Ready     string   `placeholder:"FILE" help:"Write the address to this file once the bridge listens."`
}

func (c *serveCmd) Run(a *app) error {
	var level slog.LevelVar
	if err := level.UnmarshalText([]byte(c.Log)); err != nil {
		return usage("--log: %v", err)
	}
	var handler slog.Handler = slog.NewTextHandler(a.stderr, &slog.HandlerOptions{Level: &level})
	if a.cli.JSON {
		handler = slog.NewJSONHandler(a.stderr, &slog.HandlerOptions{Level: &level})
	}
	d, err := daemon.Start(a.ctx, daemon.Options{
		Home: a.home(), Listen: c.Listen, RateLimit: c.RateLimit, Version: version, Logger: slog.New(handler), Now: a.now,
	})
	if err != nil {
		return err
	}
	if err := c.announce(a, d); err != nil {
		return errors.Join(err, d.Close())
	}
	select {
	case <-a.ctx.Done():
	case err = <-d.Failed():
	}
	return errors.Join(err, d.Close())
}

// findable waits until a client can find the center: it is announced by the goroutine that serves it.
func (a *app) findable() error {
	ctx, cancel := context.WithTimeout(a.ctx, 10*time.Second)
	defer cancel()
	for {
		c, err := client.Discover(ctx, client.Environment{Dir: a.home(), Getenv: func(string) string { return "" }})
		if err == nil {
			c.Close()
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (c *serveCmd) announce(a *app, d *daemon.Daemon) error {
	if err := a.findable(); err != nil {
		if a.ctx.Err() != nil {
			return err
		}
		// A full disk, say: the center answers who knows the address, and is found when there is room.
		fmt.Fprintln(a.stderr, "sigbox: clients do not find the center yet:", err)
	}
	if c.Ready != "" {
		if err := os.WriteFile(c.Ready, []byte(d.URL()+"\n"), 0o600); err != nil {
			return fmt.Errorf("write %s: %w", filepath.Base(c.Ready), err)
		}
	}
	return a.result(map[string]string{"url": d.URL(), "home": d.Dir, "version": version}, func(w io.Writer) {
		fmt.Fprintf(w, "Signalbox listens on %s (data in %s)\n", d.URL(), d.Dir)
	})
}
