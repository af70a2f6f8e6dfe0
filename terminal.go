package main

import (
	"context"
	"errors"
	"strings"
	"time"

	"signalbox/agents"
	"signalbox/center"
	"signalbox/notify"
)

// terminalLimit bounds a run of sigbox goto.
const terminalLimit = 20 * time.Second

// followTerminals carries out "Go to its terminal", whoever the owner chose it by: window, tray, toast
// or bridge. It ends with ctx.
func (k *desktop) followTerminals(ctx context.Context) error {
	for {
		feed, err := k.d.Center.Subscribe(-1)
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		err = k.goWhereAsked(ctx, feed)
		feed.Close()
		if ctx.Err() != nil {
			return nil
		}
		k.log.Info("feed of actions reopened", "err", err)
	}
}

func (k *desktop) goWhereAsked(ctx context.Context, feed *center.Feed) error {
	for {
		c, err := feed.Next(ctx)
		if err != nil {
			return err
		}
		if id, asked := terminalOf(c); asked {
			// The way there runs programs of the desktop; it holds up nothing else.
			k.wg.Go(func() {
				if err := k.goTo(ctx, id); err != nil {
					k.log.Warn("its terminal cannot be gone to", "notification", id, "err", err)
				}
			})
		}
	}
}

// terminalOf reports whether a change is the owner's wish to go to an item's terminal.
func terminalOf(c notify.Change) (id string, asked bool) {
	if c.Name != notify.EvAction || c.Action != agents.ActionTerminal || c.Record == nil || c.By != notify.Owner.Name() {
		return "", false
	}
	return c.Record.ID, true
}

// goTo goes there by the command line, which knows the terminals.
func (k *desktop) goTo(ctx context.Context, id string) error {
	ctx, cancel := context.WithTimeout(ctx, terminalLimit)
	defer cancel()
	cmd, err := commandLine(ctx, k.d.Dir, "goto", id)
	if err != nil {
		return err
	}
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Run(); err != nil {
		return errors.Join(err, errors.New(strings.TrimSpace(said.String())))
	}
	return nil
}
