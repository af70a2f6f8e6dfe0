package toast

import (
	"context"
	"os/exec"
	"time"

	"github.com/gen2brain/beeep"
)

// New returns the sender of this system: beeep, whose fallback writes the text into an AppleScript, for
// text that means nothing there, and for all other text a fixed script with the text as arguments.
func New(opt Options) Sender {
	beeep.AppName = opt.AppName
	return NewPlain(func(title, body string) error {
		if plainQuoted(title) && plainQuoted(body) {
			return beeep.Notify(title, body, opt.Icon)
		}
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		argv := appleScript(title, body)
		return exec.CommandContext(ctx, argv[0], argv[1:]...).Run()
	}, opt.Limit, opt.Logger)
}
