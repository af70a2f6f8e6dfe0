package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

func loginFile() (string, error) {
	home, err := os.UserHomeDir()
	return filepath.Join(home, "Library", "LaunchAgents", appID+".plist"), err
}

// startsAtLogin reports whether the app starts with the session.
func startsAtLogin() (bool, error) {
	file, err := loginFile()
	if err != nil {
		return false, err
	}
	_, err = os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// setStartsAtLogin writes or removes the launch agent; the system reads it at the next login.
func setStartsAtLogin(on bool) error {
	file, err := loginFile()
	if err != nil {
		return err
	}
	if !on {
		if err := os.Remove(file); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	var b bytes.Buffer
	b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0"><dict><key>Label</key><string>` + appID + `</string><key>ProgramArguments</key><array><string>`)
	if err := xml.EscapeText(&b, []byte(exe)); err != nil {
		return err
	}
	b.WriteString("</string><string>--hidden</string></array><key>RunAtLoad</key><true/></dict></plist>\n")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, b.Bytes(), 0o600)
}
