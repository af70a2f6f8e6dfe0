package daemon

import (
	"context"

	"signalbox/bridge"
	"signalbox/internal/config"
)

// startDelivery starts the announcements.
func (d *Daemon) startDelivery(context.Context) error { return nil }

// providers is who can be asked to try an announcement; nil: nobody.
func (d *Daemon) providers() bridge.Providers { return nil }

// reconfigure passes changed settings on to the bridge.
func (d *Daemon) reconfigure(c config.Config) {
	d.bridge.Reconfigure(d.live(c))
}
