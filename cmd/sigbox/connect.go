package main

import (
	"fmt"
	"io"
	"path/filepath"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// connectCmd registers a connection, keeps its token, and uses it from then on.
type connectCmd struct {
	Label string `arg:"" help:"What people read."`
	ID    string `name:"id" help:"Id of the connection (default: made of the label)."`
	Color string `help:"#RRGGBB."`
	Print bool   `help:"Print the token, for a script of another machine."`
	Reuse bool   `default:"true" negatable:"" help:"A connection that is there already gets a new token."`
}

func (c *connectCmd) Run(a *app) error {
	center, err := a.owner()
	if err != nil {
		return err
	}
	s, err := a.register(a.ctx, center, who{id: c.ID, label: c.Label, color: c.Color})
	if err != nil && c.Reuse && client.Code(err) == wire.CodeInvalidField && c.ID != "" {
		if known, kerr := center.Connection(a.ctx, c.ID); kerr == nil {
			token, rerr := center.RotateToken(a.ctx, known.ID)
			if rerr != nil {
				return rerr
			}
			s = stored{ID: known.ID, Label: known.Label, Token: token}
			err = writePrivateJSON(a.storedPath(s.ID), s)
		}
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
