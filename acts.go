package main

import (
	"context"
	"time"

	"signalbox/bridge/wire"
	"signalbox/delivery/toast"
	"signalbox/notify"
	"signalbox/tray"
)

// actLimit bounds what a click sets in motion.
const actLimit = 10 * time.Second

// command does what a line of the tray asks for. It returns at once.
func (k *desktop) command(c tray.Command) {
	k.wg.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), showLimit)
		defer cancel()
		switch c.Verb {
		case tray.ShowWindow:
			_ = k.show(ctx, wire.ViewRail, "") // told by the tray itself
		case tray.ShowItem:
			_ = k.show(ctx, wire.ViewRail, c.ID)
		case tray.ShowHistory:
			_ = k.show(ctx, wire.ViewHistory, "")
		case tray.ShowSettings:
			_ = k.show(ctx, wire.ViewSettings, "")
		case tray.Dismiss:
			k.owner(ctx, notify.Dismiss{ID: c.ID, Expect: c.Expect})
		case tray.SetAside:
			k.owner(ctx, notify.SetAside{ID: c.ID})
		case tray.Answer:
			k.owner(ctx, notify.AnswerOp{ID: c.ID, Expect: c.Expect, Answer: notify.Answer{Option: c.Option}})
		case tray.DismissAll:
			for _, s := range c.Items {
				k.owner(ctx, notify.Dismiss{ID: s.ID, Expect: s.Expect})
			}
		case tray.Quiet:
			k.owner(ctx, notify.SetSettings{QuietUntil: &c.Until})
		case tray.Quit:
			k.quit()
		}
	})
}

// act does what a toast asks for. It returns at once.
func (k *desktop) act(a toast.Act) {
	k.log.Info("a toast was used", "act", string(a.Kind), "notification", a.RecordID)
	k.wg.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), showLimit)
		defer cancel()
		switch a.Kind {
		case toast.ActOpen:
			_ = k.show(ctx, wire.ViewRail, a.RecordID)
		case toast.ActAnswer:
			k.owner(ctx, notify.AnswerOp{ID: a.RecordID, Expect: notify.Expecting(a.Revision, time.Time{}), Answer: notify.Answer{Option: a.Option}})
		case toast.ActDismiss, toast.ActClosed:
			if a.RecordID != "" {
				k.putAway(ctx, a)
			}
		}
	})
}

// putAway dismisses the revision that a toast showed; what waits is set aside instead, because closing
// a card never answers and never denies (I7).
func (k *desktop) putAway(ctx context.Context, a toast.Act) {
	r, err := k.d.Center.Record(ctx, a.RecordID)
	if err != nil || r.Status.Terminal() {
		return
	}
	if r.Waiting() {
		k.owner(ctx, notify.SetAside{ID: r.ID})
		return
	}
	k.owner(ctx, notify.Dismiss{ID: r.ID, Expect: notify.Expecting(a.Revision, r.UpdatedAt)})
}

// owner sends a command of the owner's. What the center refuses was not current any more, and the menu
// or the toast changes by itself.
func (k *desktop) owner(ctx context.Context, op notify.Op) {
	ctx, cancel := context.WithTimeout(ctx, actLimit)
	defer cancel()
	if _, err := k.d.Center.Do(ctx, notify.Owner, op); err != nil {
		k.log.Info("a click was refused", "code", string(notify.CodeOf(err)))
	}
}
