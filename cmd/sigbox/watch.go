package main

import (
	"fmt"

	"signalbox/bridge/wire"
)

// watchCmd follows what happens.
type watchCmd struct {
	After int64    `default:"-1" help:"Start after this change (default: from now on)."`
	Event []string `help:"Only events of these names, as created or answered."`
	Own   bool     `help:"Only the chosen connection's, with its own token."`
	Count int      `help:"Stop after so many; 0: never."`
}

func (c *watchCmd) Run(a *app) error {
	center, err := a.owner()
	connection := ""
	if c.Own {
		center, connection, err = a.producer()
	}
	if err != nil {
		return err
	}
	wanted := map[string]bool{}
	for _, e := range c.Event {
		wanted[e] = true
	}
	seen := 0
	for ev, err := range center.Events(a.ctx, connection, c.After) {
		if err != nil {
			return err
		}
		if len(wanted) > 0 && !wanted[ev.Name] {
			continue
		}
		if a.cli.JSON {
			if err := a.printJSON(ev); err != nil {
				return err
			}
		} else if line := eventLine(ev); line != "" {
			if _, err := fmt.Fprintln(a.stdout, line); err != nil {
				return err
			}
		}
		if seen++; c.Count > 0 && seen >= c.Count {
			return nil
		}
	}
	return nil
}

// eventLine is an event as a person reads it; empty for one that says nothing to a person.
func eventLine(ev wire.StreamEvent) string {
	at := ev.At.Local().Format("15:04:05")
	switch {
	case ev.Notification != nil:
		n := *ev.Notification
		line := fmt.Sprintf("%s  %-12s  %s  %s", at, ev.Name, source(n), clean(n.Title))
		if n.Outcome != nil && n.Outcome.Reason != "" {
			line += "  (" + clean(n.Outcome.Reason) + ")"
		}
		if ev.Action != nil {
			line += "  [" + clean(ev.Action.ID) + "]"
		}
		return line
	case ev.Session != nil:
		return fmt.Sprintf("%s  %-12s  %s  %s", at, ev.Name, clean(ev.Session.Title), clean(ev.Session.State))
	case ev.Connection != nil:
		return fmt.Sprintf("%s  %-12s  %s  %s", at, ev.Name, clean(ev.Connection.Label), ev.Connection.Presence)
	case ev.Name == wire.StreamReset:
		return at + "  changes were missed: load anew"
	}
	return ""
}
