//go:build unix && !darwin

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/adrg/xdg"
)

// loginFile is the desktop's autostart entry.
func loginFile() string {
	xdg.Reload() // the environment may have changed since the library looked
	return filepath.Join(xdg.ConfigHome, "autostart", appID+".desktop")
}

// startsAtLogin reports whether the app starts with the session.
func startsAtLogin() (bool, error) {
	b, err := os.ReadFile(loginFile())
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && !strings.Contains(string(b), "\nHidden=true"), err
}

// setStartsAtLogin writes or removes the entry.
func setStartsAtLogin(on bool) error {
	file := loginFile()
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
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(loginEntry(exe)), 0o600)
}

// loginEntry is the text of the entry. In Exec, reserved characters stand in double quotes, where four
// of them are escaped, and a percent sign is doubled.
func loginEntry(exe string) string {
	quoted := strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`, `%`, `%%`).Replace(exe)
	return "[Desktop Entry]\nType=Application\nName=Signalbox\nIcon=" + appID + "\nExec=\"" + quoted + "\" --hidden\nX-GNOME-Autostart-enabled=true\n"
}
