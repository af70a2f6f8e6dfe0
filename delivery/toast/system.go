//go:build !windows && !darwin

package toast

import "github.com/gen2brain/beeep"

// New returns the sender of this system.
func New(opt Options) Sender {
	beeep.AppName = opt.AppName
	if opt.Fallback == nil {
		// Reached only while no daemon is there. beeep then tries helper programs, with the text as
		// arguments of theirs, never through a shell.
		opt.Fallback = func(title, body string) error { return beeep.Notify(title, body, opt.Icon) }
	}
	return NewBus(opt)
}
