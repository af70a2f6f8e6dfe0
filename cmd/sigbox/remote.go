package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"signalbox/bridge/wire"
	"signalbox/client"
)

// stored is a connection that was registered here.
type stored struct {
	ID    string `json:"id"`
	Label string `json:"label,omitzero"`
	Token string `json:"token"`
}

func (a *app) storedPath(id string) string {
	return filepath.Join(a.home(), connectionsDir, fileName(id)+".json")
}

// unreachable reports whether an error says that no center answers.
func unreachable(err error) bool {
	return errors.Is(err, client.ErrUnreachable) || errors.Is(err, context.DeadlineExceeded)
}

// discover finds the center. token is shown to it; empty: the owner's, or that of the environment.
func (a *app) discover(ctx context.Context, token string) (*client.Client, error) {
	c, err := client.Discover(ctx, client.Environment{Dir: a.home(), Transport: a.transport, Getenv: func(name string) string {
		if name == client.EnvToken && token != "" {
			return token
		}
		return a.env(name)
	}})
	if errors.Is(err, client.ErrNoToken) {
		return nil, &exitError{exitUsage, err}
	}
	return c, err
}

// owner is a client that may do everything.
func (a *app) owner() (*client.Client, error) { return a.discover(a.ctx, "") }

// who is the connection that a call is made for.
type who struct {
	id, label, color string
}

// defaultConnection is used when nothing was ever connected.
var defaultConnection = who{id: "sigbox", label: "Command line"}

// chosen is the connection that was named, or that was connected last.
func (a *app) chosen() who {
	if id := cmp.Or(a.cli.Connection, a.env("SIGNALBOX_CONNECTION")); id != "" {
		return who{id: id, label: id}
	}
	if b, err := os.ReadFile(filepath.Join(a.home(), connectionsDir, defaultFile)); err == nil {
		if id := strings.TrimSpace(string(b)); id != "" {
			return who{id: id, label: id}
		}
	}
	return defaultConnection
}

// as is a client for a connection: with the connection's own token, where it was registered here, else with the
// owner's, registering it when the center does not know it yet. With an address or a token in the environment, these
// are used as they are.
func (a *app) as(ctx context.Context, w who) (*client.Client, string, error) {
	if a.env(client.EnvToken) != "" {
		c, err := a.discover(ctx, "")
		if err == nil {
			err = introduce(ctx, c, w)
		}
		return c, w.id, err
	}
	var s stored
	found, err := readJSON(a.storedPath(w.id), &s)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", fmt.Errorf("read the token of %s: %w", w.id, err)
	}
	if found && s.Token != "" {
		c, err := a.discover(ctx, s.Token)
		return c, s.ID, err
	}
	c, err := a.discover(ctx, "")
	if err != nil {
		return nil, "", err
	}
	if _, err := c.Connection(ctx, w.id); client.Code(err) != wire.CodeNotFound {
		return c, w.id, err
	}
	made, err := a.register(ctx, c, w)
	if err != nil {
		return nil, "", err
	}
	c.Close()
	c, err = a.discover(ctx, made.Token)
	return c, made.ID, err
}

// introduce makes a connection that the center does not know yet, where the token may do that.
func introduce(ctx context.Context, c *client.Client, w who) error {
	if _, err := c.Connection(ctx, w.id); client.Code(err) != wire.CodeNotFound {
		return err
	}
	_, err := c.CreateConnection(ctx, wire.ConnectionCreate{ID: w.id, Label: w.label, Color: w.color})
	if client.Code(err) == wire.CodeForbidden {
		return fmt.Errorf("the token is another connection's: name it by --connection or SIGNALBOX_CONNECTION: %w", err)
	}
	return err
}

// register makes a connection and keeps its token.
func (a *app) register(ctx context.Context, c *client.Client, w who) (stored, error) {
	made, err := c.CreateConnection(ctx, wire.ConnectionCreate{ID: w.id, Label: w.label, Color: w.color})
	if err != nil {
		return stored{}, err
	}
	s := stored{ID: made.Connection.ID, Label: made.Connection.Label, Token: made.Token}
	if err := writePrivateJSON(a.storedPath(s.ID), s); err != nil {
		return s, fmt.Errorf("keep the token: %w", err)
	}
	return s, nil
}

// producer is a client for the chosen connection.
func (a *app) producer() (*client.Client, string, error) { return a.as(a.ctx, a.chosen()) }
