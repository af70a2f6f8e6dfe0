package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"signalbox/agents"
)

// gotoCmd brings the terminal to the front that an item came from.
type gotoCmd struct {
	ID     string `arg:"" help:"Id of the notification."`
	DryRun bool   `help:"Only print the commands."`
}

// gotoLimit bounds each command.
const gotoLimit = 5 * time.Second

func (c *gotoCmd) Run(a *app) error {
	center, err := a.owner()
	if err != nil {
		return err
	}
	n, err := center.Get(a.ctx, c.ID)
	if err != nil {
		return err
	}
	d, ours := agents.DataOf(&n)
	if !ours {
		return &exitError{exitRefused, errors.New("it did not come from an agent's hook")}
	}
	ways := d.Terminal.Ways(runtime.GOOS, d.Place)
	if len(ways) == 0 {
		return &exitError{exitRefused, errors.New("where it runs is not known, or is on another machine")}
	}
	if c.DryRun {
		return a.result(ways, func(w io.Writer) {
			for _, way := range ways {
				for _, command := range way.Commands {
					fmt.Fprintln(w, command)
				}
			}
		})
	}
	var went []string
	var failed error
	for _, way := range ways {
		if err := goBy(a.ctx, way); err != nil {
			failed = errors.Join(failed, err)
		} else {
			went = append(went, way.Name)
		}
	}
	if len(went) == 0 {
		return &exitError{exitRefused, failed}
	}
	return a.result(map[string][]string{"went": went}, func(w io.Writer) { fmt.Fprintln(w, "went by", went) })
}

// whyNot is what a program said of its failure, in its first line.
func whyNot(said string, err error) error {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if line = cutTo(clean(line), 200); line == "" {
		return err
	}
	return errors.New(line)
}

// goBy runs a way's commands. It is gone when the first of them works: the rest makes it better.
func goBy(ctx context.Context, way agents.Way) error {
	for i, command := range way.Commands {
		path, err := exec.LookPath(command[0])
		if err != nil {
			return fmt.Errorf("%s: %s is not there", way.Name, command[0])
		}
		cctx, cancel := context.WithTimeout(ctx, gotoLimit)
		cmd := exec.CommandContext(cctx, path, command[1:]...)
		var said strings.Builder
		cmd.Stderr = &said
		cmd.WaitDelay = time.Second // an editor that it started may keep it open
		if err = cmd.Run(); errors.Is(err, exec.ErrWaitDelay) {
			err = nil // it ended well
		}
		cancel()
		if err != nil && i == 0 {
			return fmt.Errorf("%s: %w", way.Name, whyNot(said.String(), err))
		}
	}
	return nil
}
