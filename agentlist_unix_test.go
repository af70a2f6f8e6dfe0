//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The command line sets agents up for the center that the windows belong to, whatever else the environment names.
func TestSetupIsForThisCenter(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\necho '{\"notes\":[\"'\"$*|$SIGNALBOX_HOME|$SIGNALBOX_URL|$SIGNALBOX_TOKEN\"'\"]}'\n"
	if err := os.WriteFile(filepath.Join(dir, "sigbox"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("SIGNALBOX_HOME", "/elsewhere")
	t.Setenv("SIGNALBOX_URL", "http://127.0.0.1:1")
	t.Setenv("SIGNALBOX_TOKEN", "x")
	if got, err := (setupAgents{"/here"}).setup(t.Context(), "claude", true); err != nil || got != "setup claude --json --remove|/here||" {
		t.Errorf("got %q, %v", got, err)
	}
}
