package daemon

import (
	"context"
	"log/slog"
	"time"

	"signalbox/bridge"
	"signalbox/delivery"
	"signalbox/internal/config"
)

// Options are what the command line and the surrounding program say. All may be zero.
type Options struct {
	Home      string   // the data directory; empty: see Home
	Listen    string   // where the bridge listens; empty: as configured
	RateLimit *float64 // changes a second and connection, 0 for no limit; nil: as configured
	Version   string
	Logger    *slog.Logger   // nil: nothing is logged
	Level     *slog.LevelVar // is set to the configured level; nil: it isn't
	Now       func() time.Time
	// Desktop is what the bridge shows windows by; nil: there are none.
	Desktop bridge.Desktop
	// Lenient starts with the default settings where config.toml cannot be used, and tells it as a
	// problem; otherwise that is an error of Start.
	Lenient bool
	// Attach adds consumers to the center before the bridge listens. What it starts it ends in a
	// function given to Daemon.OnClose.
	Attach func(context.Context, *Daemon) error
	// Reloaded is called with settings that changed, one call at a time; nil: nobody is told.
	Reloaded func(config.Config)
	// Looking reports whether the owner looks at the window of the active session; nil: being the active
	// one counts as that.
	Looking func() bool
	// Words are the texts of announcements in the owner's language; nil: English.
	Words func() delivery.Words
	// ListsChanged is called when lists that a connection offers for reloading became old, or current again; it
	// must not block. nil: nobody is told.
	ListsChanged func(connection string)
	// Problem is called when the list of Daemon.Problems changed; nil: nobody is told.
	Problem func()

	// storeRetry is how often a store that was not open is tried again; 0: the store's own default.
	storeRetry time.Duration
	// storeWithin is how long Start waits for the store to open; 0: the store's own default; negative: until it has.
	storeWithin time.Duration
}
