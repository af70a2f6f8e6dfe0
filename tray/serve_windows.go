package tray

import (
	"context"
	"runtime"

	"fyne.io/systray"
)

// Serve runs the tray until ctx ends, with a message loop of its own on a thread of its own: on the
// toolkit's thread an open menu would stop the window.
func (t *Tray) Serve(ctx context.Context) error {
	t.beforeStart()
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if err := safely(func() {
			systray.Run(func() {
				t.ready()
				t.setStatus(Status{Available: true})
			}, nil)
		}); err != nil {
			t.opt.Logger.Warn("tray", "cause", err)
			t.setStatus(Status{Problem: "the tray could not be started"})
		}
	}()
	t.pump(ctx)
	_ = safely(systray.Quit)
	<-done
	return nil
}
