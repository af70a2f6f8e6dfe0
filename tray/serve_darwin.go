package tray

import "context"

// Serve only waits: on macOS the tray lives in the toolkit's loop, see External.
func (t *Tray) Serve(ctx context.Context) error {
	<-ctx.Done()
	return nil
}
