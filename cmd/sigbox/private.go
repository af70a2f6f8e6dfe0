package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"signalbox/client"
	"signalbox/internal/private"
)

// Folders and files in the data directory that belong to the command line.
const (
	connectionsDir = "connections" // a file for each connection that was registered here, with its token
	defaultFile    = "default"     // the id of the one that was connected last
	seenDir        = "seen"        // what came from which agent, for doctor
	spoolDir       = "spool"       // calls that could not be delivered yet
	turnsDir       = "turns"       // when the turns that run began, and which sessions a hook is at
	setupDir       = "setup"       // what was put into agents' files, and which agents the owner opted out of
)

// home is the data directory.
func (a *app) home() string {
	if a.cli.Home != "" {
		return a.cli.Home
	}
	return client.DataDir(a.env)
}

// writePrivate replaces a file in one step, readable by the owner only, making its folders.
func writePrivate(path string, b []byte) error {
	return writeFile(path, b, 0o600)
}

// writeFile replaces a file in one step, with a mode, making its folders.
func writeFile(path string, b []byte, mode fs.FileMode) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return private.ReplaceMode(path, b, mode)
}

// writePrivateJSON writes a value as a private file.
func writePrivateJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return writePrivate(path, append(b, '\n'))
}

// readJSON reads a value; false when there is no such file. A damaged one is an error.
func readJSON(path string, v any) (bool, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, json.Unmarshal(b, v)
}

// fileName makes a safe file name of an id.
func fileName(id string) string {
	var b strings.Builder
	last := true // whether the one before was safe: a run of others becomes one
	for _, r := range id {
		safe := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r)
		if safe {
			b.WriteRune(r)
		} else if last {
			b.WriteByte('_')
		}
		last = safe
	}
	s := b.String()
	if len(s) > 60 {
		s = s[:60]
	}
	if s == "" || s[0] == '.' {
		s = "_" + s
	}
	return s
}
