package main

import (
	"context"
	"time"

	"signalbox/notify"
	"signalbox/tray"
	"signalbox/ui/vm"
)

const (
	// trayItems bounds what the menu is chosen from beside what waits.
	trayItems = 200
	// trayGap is the least time between two looks at the center.
	trayGap = 250 * time.Millisecond
	// trayAge is how often the ages of what waits are brought up to date; nothing waits, nothing ticks.
	trayAge = time.Minute
)

// followTray keeps the menu as the center is, until ctx ends.
func (k *desktop) followTray(ctx context.Context) error {
	for ctx.Err() == nil {
		feed, err := k.d.Center.Subscribe(-1)
		if err != nil {
			return err
		}
		changes := make(chan struct{}, 1)
		changes <- struct{}{}
		lost := make(chan struct{})
		go func() {
			defer close(lost)
			for {
				if _, err := feed.Next(ctx); err != nil {
					return // the state is read anew, and a new feed opened
				}
				select {
				case changes <- struct{}{}:
				default:
				}
			}
		}()
		k.drawTray(ctx, changes, lost)
		feed.Close()
		<-lost
	}
	return nil
}

func (k *desktop) drawTray(ctx context.Context, changes, lost <-chan struct{}) {
	var shift <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-lost:
			return
		case <-changes:
		case <-k.redraw:
		case <-shift:
		}
		in, next := k.trayInput(ctx)
		k.tray.Update(tray.Model(in))
		shift = nil
		if next > 0 {
			shift = time.After(next)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(trayGap):
		}
	}
}

// trayInput reads what the menu is made of, and in how long it changes by itself; 0: never.
func (k *desktop) trayInput(ctx context.Context) (tray.Input, time.Duration) {
	now := time.Now()
	c := k.d.Center
	in := tray.Input{
		Counts: c.Attention().Counts, Connections: map[string]*notify.Connection{}, Sessions: map[notify.SessionRef]string{}, Rules: k.d.Rules(),
		QuietUntil: quietUntil(c.Settings(), now), Problem: k.problem(), Now: now, Words: k.words.get().tray,
	}
	for _, v := range c.Connections() {
		in.Connections[v.ID] = v.Connection
	}
	pending := []notify.Status{notify.Pending}
	seen := map[string]bool{}
	for _, f := range []notify.Filter{{Statuses: pending, Kinds: []notify.Kind{notify.KindInteraction}}, {Statuses: pending}} {
		page, err := c.Query(ctx, f, notify.Cursor{}, trayItems)
		if err != nil {
			k.log.Debug("tray items not read", "err", err)
			continue
		}
		for _, r := range page.Records {
			if !seen[r.ID] {
				seen[r.ID] = true
				in.Items = append(in.Items, r)
				if v, ok := c.Session(r.Ref()); ok && r.Session != "" && in.Connections[r.Connection] != nil {
					in.Sessions[r.Ref()] = vm.SessionLabel(v.Session, in.Connections[r.Connection].Label)
				}
			}
		}
	}
	next := time.Duration(0)
	take := func(t time.Time) {
		if d := t.Sub(now); d > 0 && (next == 0 || d < next) {
			next = d
		}
	}
	if in.Counts.Waiting > 0 {
		next = trayAge
	}
	take(in.QuietUntil)
	for _, r := range in.Items {
		take(r.SnoozeUntil)
		take(r.Retention.Deadline)
		take(r.DismissibleAfter)
	}
	return in, min(next, trayAge) // timers stand still while the machine sleeps
}

// quietUntil is until when it is quiet, by hand or by schedule; zero: it isn't.
func quietUntil(s notify.Settings, now time.Time) time.Time {
	until, quiet := notify.QuietAt(s, now)
	if !quiet {
		return time.Time{}
	}
	return until
}
