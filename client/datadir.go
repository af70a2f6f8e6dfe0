package client

import (
	"path/filepath"

	"github.com/adrg/xdg"
)

// Names of the environment by which a client is told where the center is.
const (
	EnvURL   = "SIGNALBOX_URL"
	EnvToken = "SIGNALBOX_TOKEN"
	EnvHome  = "SIGNALBOX_HOME"
)

// DataDir is the data directory: SIGNALBOX_HOME, else the platform's own folder
// for application data with "signalbox" in it. It need not exist.
func DataDir(getenv func(string) string) string {
	if dir := getenv(EnvHome); dir != "" {
		return dir
	}
	return filepath.Join(xdg.DataHome, "signalbox")
}
