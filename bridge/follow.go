package bridge

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"signalbox/center"
	"signalbox/notify"
)

// followAgain is how long to wait before a feed that failed is tried again.
const followAgain = time.Second

// follow calls each with every change after that one, in order, until ctx ends
// or the center closes; after < 0: from now on. A reader that was too slow joins
// again: after its last change, or, with after < 0, at the newest. joined, when
// given, is called at each joining, before any change: to look at the state, of
// which some changes may have been missed.
func (s *Server) follow(ctx context.Context, after int64, joined func(), each func(*notify.Change) error) {
	for ctx.Err() == nil {
		feed, err := s.cfg.Center.Subscribe(after)
		if err != nil {
			return // the center is closing
		}
		if joined != nil {
			joined()
		}
		for err == nil {
			var change notify.Change
			change, err = feed.Next(ctx)
			switch {
			case errors.Is(err, center.ErrReset):
				s.log.LogAttrs(ctx, slog.LevelWarn, "bridge: some changes are not kept any more")
				err = nil
			case err == nil:
				if err = each(&change); err == nil && after >= 0 {
					after = change.Seq
				}
			}
		}
		feed.Close()
		switch {
		case ctx.Err() != nil || errors.Is(err, center.ErrClosed):
			return
		case errors.Is(err, center.ErrSlow):
			continue
		}
		s.log.LogAttrs(ctx, slog.LevelWarn, "bridge: change feed failed, joining again", slog.Any("error", err))
		pause(ctx, followAgain)
	}
}

// pause waits, or less when ctx ends.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
