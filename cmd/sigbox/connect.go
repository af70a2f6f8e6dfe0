package main

import (
	"fmt"
	"io"
	"path/filepath"

	"signalbox/client"
)

// connectCmd registers a connection, keeps its token, and uses it from then on.
type connectCmd struct {
	Label string `arg:"" help:"What people read."`
	ID    string `name:"id" help:"Id of the connection (default: made of the label)."`
	Color string `help:"#RRGGBB."`
	Print bool   `help:"Print the token, for a script of another machine."`
	Reuse bool   `default:"true" negatable:"" help:"A connection that is there already, by its id or, of those registered here, by its label, gets a new token."`
}

func (c *connectCmd) Run(a *app) error {
	center, err := a.owner()
	if err != nil {
		return err
	}
	var known string
	if c.Reuse {
		if known, err = c.known(a, center); err != nil {
			return err
		}
	}
	s := stored{ID: known, Label: c.Label}
	if known == "" {
		s, err = a.register(a.ctx, center, who{id: c.ID, label: c.Label, color: c.Color})
	} else if s.Token, err = center.RotateToken(a.ctx, known); err == nil {
		err = writePrivateJSON(a.storedPath(s.ID), s)
	}
	if err != nil {
		return err
	}
	if err := writePrivate(filepath.Join(a.home(), connectionsDir, defaultFile), []byte(s.ID+"\n")); err != nil {
		return err
	}
	out := map[string]string{"id": s.ID, "label": s.Label, "token_file": a.storedPath(s.ID)}
	if c.Print {
		out["token"] = s.Token
	}
	return a.result(out, func(w io.Writer) {
		if c.Print {
			fmt.Fprintln(w, s.Token)
			return
		}
		fmt.Fprintf(w, "Connected as %s. sigbox uses it from now on; its token is kept.\n", s.ID)
	})
}

// known is the connection that is meant and there already; empty: there is none.
func (c *connectCmd) known(a *app, center *client.Client) (string, error) {
	list, err := center.Connections(a.ctx)
	if err != nil {
		return "", err
	}
	for _, one := range list {
		var s stored
		if c.ID == one.ID {
			return one.ID, nil
		}
		if c.ID != "" {
			continue
		}
		// Another's connection of the same label keeps its token.
		if found, err := readJSON(a.storedPath(one.ID), &s); err == nil && found && s.ID == one.ID && s.Label == c.Label {
			return one.ID, nil
		}
	}
	return "", nil
}
