package watchdog

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"signalbox/notify"
)

// Key is the key of the item, in the session that fell silent.
const Key = "signalbox.silence"

// Center is what the service needs of the center.
type Center interface {
	Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error)
	Connections() []notify.ConnectionView
	Sessions(connection string) []notify.SessionView
	Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error)
}

// Feed yields the changes of the center in order, as center.Feed does.
type Feed interface {
	Next(ctx context.Context) (notify.Change, error)
	Close()
}

// Config is what Serve needs. Nothing of it may be nil but Logger, Load and Save.
type Config struct {
	Center Center
	// Subscribe opens the change feed from now on.
	Subscribe func() (Feed, error)
	Now       func() time.Time
	// Load and Save keep what was learned over a restart; nil: it is learned anew each time.
	Load   func() map[string][]time.Duration
	Save   func(map[string][]time.Duration)
	Logger *slog.Logger
}

// Serve watches until ctx ends, and returns nil then. It returns an error when the feed cannot be had.
func Serve(ctx context.Context, cfg Config) error {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	var learned map[string][]time.Duration
	if cfg.Load != nil {
		learned = cfg.Load()
	}
	t := NewTracker(learned)
	if cfg.Save != nil {
		defer func() { cfg.Save(t.Pauses()) }()
	}
	for {
		err := watch(ctx, cfg, t)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// watch follows one feed; nil means that the feed was cut and another one is to be opened.
func watch(ctx context.Context, cfg Config, t *Tracker) error {
	feed, err := cfg.Subscribe()
	if err != nil {
		return fmt.Errorf("open the change feed: %w", err)
	}
	defer feed.Close()
	if err := resume(ctx, cfg, t); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	changes := make(chan notify.Change)
	go func() {
		defer close(changes)
		for {
			c, err := feed.Next(ctx)
			if err != nil {
				return
			}
			select {
			case changes <- c:
			case <-ctx.Done():
				return
			}
		}
	}()
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		var due <-chan time.Time // nil while nobody works
		if next := t.Next(); !next.IsZero() {
			timer.Reset(max(0, next.Sub(cfg.Now())))
			due = timer.C
		}
		select {
		case c, ok := <-changes:
			if !ok {
				return nil
			}
			if ref, over := t.Heard(c, cfg.Now()); over {
				settle(ctx, cfg, ref)
			}
		case <-due:
			for _, s := range t.Due(cfg.Now()) {
				raise(ctx, cfg, s)
			}
		}
	}
}

// resume takes up the sessions that work already, and settles what ended since the feed before was cut.
func resume(ctx context.Context, cfg Config, t *Tracker) error {
	raised := t.Restart()
	for _, c := range cfg.Center.Connections() {
		for _, s := range cfg.Center.Sessions(c.ID) {
			if s.State != notify.SessionWorking || s.Ended {
				continue
			}
			page, err := cfg.Center.Query(ctx, notify.Filter{
				Connections: []string{c.ID}, Sessions: []string{s.ID}, Statuses: []notify.Status{notify.Pending},
				Tags: []string{tag},
			}, notify.Cursor{}, 1)
			if err != nil {
				return fmt.Errorf("look for earlier silences: %w", err)
			}
			t.Resume(s.Ref(), cfg.Now(), len(page.Records) > 0)
		}
	}
	for _, ref := range raised {
		if !t.Works(ref) {
			settle(ctx, cfg, ref)
		}
	}
	return nil
}

const tag = "silence"

func raise(ctx context.Context, cfg Config, s Silence) {
	_, err := cfg.Center.Do(ctx, notify.Center, notify.Publish{
		Connection: s.Ref.Connection, Session: s.Ref.Session, Key: Key,
		Content: notify.Content{
			Kind: notify.KindStatus, Severity: notify.SeverityInfo,
			Title: fmt.Sprintf("Nothing heard for %d minutes", int(s.For.Minutes())),
			Body:  "It said that it works. It may be thinking, or stuck in its terminal.",
			Tags:  []string{tag},
		},
	})
	if err != nil {
		cfg.Logger.Warn("silence not raised", "connection", s.Ref.Connection, "error", err)
	}
}

func settle(ctx context.Context, cfg Config, ref notify.SessionRef) {
	_, err := cfg.Center.Do(ctx, notify.Center, notify.Resolve{
		Target: notify.Target{Connection: ref.Connection, Session: ref.Session, Key: Key},
		Reason: "heard of again",
	})
	// The owner may have dismissed it meanwhile.
	if code := notify.CodeOf(err); err != nil && code != notify.CodeNotFound && code != notify.CodeTerminal {
		cfg.Logger.Warn("silence not resolved", "connection", ref.Connection, "error", err)
	}
}
