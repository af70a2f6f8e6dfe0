package bridge

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/go-json-experiment/json"

	"signalbox/internal/private"
	"signalbox/notify"
)

const (
	callbackFirst = time.Second // the wait after a first failure; it doubles
	callbackMost  = 5 * time.Minute
	// callbacksFile keeps, for each connection, up to which change its callback
	// has been told, so that a restart repeats little and loses nothing.
	callbacksFile = "callbacks.json"
)

// callbacks tells the connections that asked for it, in order and at least once,
// of what became of their items without their own doing: answers, dismissals,
// invoked actions, timeouts. Each connection has its own reader of the change
// feed, so one that does not answer holds nobody up.
type callbacks struct {
	s    *Server
	post poster

	mu      sync.Mutex // protects what follows
	told    map[string]int64
	readers map[string]*callbackReader
}

// callbackReader tells one connection. It ends when the address or the token
// that it was started for is not the connection's any more.
type callbackReader struct {
	to     destination
	cancel context.CancelFunc
	done   chan struct{}
}

// runCallbacks keeps a reader for every connection with a callback address,
// until ctx ends.
func (s *Server) runCallbacks(ctx context.Context) {
	c := &callbacks{s: s, post: newPoster(func() bool { return s.live.Load().AllowRemoteURLs }), told: map[string]int64{}, readers: map[string]*callbackReader{}}
	c.load(ctx)
	defer c.stop()
	s.follow(ctx, -1, func() {
		for _, v := range s.cfg.Center.Connections() {
			c.fit(ctx, v.Connection)
		}
	}, func(change *notify.Change) error {
		switch {
		case change.Connection == nil:
		case change.Removed:
			c.forget(ctx, change.Connection.ID)
		default:
			c.fit(ctx, change.Connection)
		}
		return nil
	})
}

// fit starts, replaces or ends the reader of a connection as it is now.
func (c *callbacks) fit(ctx context.Context, conn *notify.Connection) {
	to := destination{url: conn.CallbackURL, key: string(conn.TokenHash)}
	if conn.Revoked {
		to = destination{}
	}
	c.mu.Lock()
	running := c.readers[conn.ID]
	c.mu.Unlock()
	if running != nil && running.to == to || running == nil && to.url == "" {
		return
	}
	if running != nil {
		running.cancel()
		<-running.done
	}
	c.mu.Lock()
	delete(c.readers, conn.ID)
	if to.url == "" {
		c.mu.Unlock()
		return
	}
	after, known := c.told[conn.ID]
	if !known {
		after = conn.Change // what happened before it asked is not told
	}
	readCtx, cancel := context.WithCancel(ctx)
	reader := &callbackReader{to: to, cancel: cancel, done: make(chan struct{})}
	c.readers[conn.ID] = reader
	c.mu.Unlock()
	if !known {
		c.reached(ctx, conn.ID, after)
	}
	go func() {
		defer close(reader.done)
		c.read(readCtx, conn.ID, to, after)
	}()
}

// stop ends all readers.
func (c *callbacks) stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.readers {
		r.cancel()
	}
	for _, r := range c.readers {
		c.mu.Unlock() // a reader that ends notes how far it came
		<-r.done
		c.mu.Lock()
	}
}

// forget ends the reader of a connection that is gone, and its place.
func (c *callbacks) forget(ctx context.Context, id string) {
	c.fit(ctx, &notify.Connection{ID: id, Revoked: true})
	c.mu.Lock()
	delete(c.told, id)
	c.mu.Unlock()
	c.save(ctx)
}

// read tells one connection of its changes until ctx ends.
func (c *callbacks) read(ctx context.Context, id string, to destination, after int64) {
	c.s.follow(ctx, after, nil, func(change *notify.Change) error {
		if !tellsCallback(change, id) {
			return nil
		}
		if err := c.tell(ctx, id, to, change); err != nil {
			return err
		}
		c.reached(ctx, id, change.Seq)
		return nil
	})
}

// tellsCallback says whether a change is one that a connection hears of by
// callback: it is about its own item and not its own doing.
func tellsCallback(c *notify.Change, id string) bool {
	if c.Record == nil || c.Record.Connection != id || c.By == id {
		return false
	}
	switch c.Name {
	case notify.EvAnswered, notify.EvDismissed, notify.EvAction, notify.EvExpired, notify.EvCancelled, notify.EvResolved:
		return true
	}
	return false
}

// tell posts a change until it is taken, or ctx ends.
func (c *callbacks) tell(ctx context.Context, id string, to destination, change *notify.Change) error {
	data := c.s.encoder.data(change)
	for wait := callbackFirst; ; wait = min(2*wait, callbackMost) {
		err := c.post.send(ctx, to, change.Seq, string(change.Name), data)
		if err == nil {
			c.s.metrics.callback("taken")
			if change.Name == notify.EvAnswered {
				c.s.deliver(ctx, notify.Center, change.Record)
			}
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.s.metrics.callback("failed")
		c.s.log.LogAttrs(ctx, slog.LevelInfo, "bridge: callback not taken, trying again",
			slog.String("connection", id), slog.Duration("in", wait), slog.String("error", safeError(err)))
		pause(ctx, wait)
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// reached notes up to where a connection has been told.
func (c *callbacks) reached(ctx context.Context, id string, seq int64) {
	c.mu.Lock()
	c.told[id] = seq
	c.mu.Unlock()
	c.save(ctx)
}

func (c *callbacks) file() string { return filepath.Join(c.s.cfg.Dir, callbacksFile) }

// load reads the places. Without them a connection is told from now on.
func (c *callbacks) load(ctx context.Context) {
	if c.s.cfg.Dir == "" {
		return
	}
	b, err := os.ReadFile(c.file())
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err == nil {
		err = json.Unmarshal(b, &c.told)
	}
	if err == nil && c.told == nil { // null
		err = errors.New("no object")
	}
	if err != nil {
		c.told = map[string]int64{}
		c.s.log.LogAttrs(ctx, slog.LevelWarn, "bridge: where callbacks were is lost", slog.Any("error", err))
	}
	// A store that was restored from a snapshot may be behind: go on from there.
	for id, seq := range c.told {
		c.told[id] = min(seq, c.s.cfg.Center.Sequence())
	}
}

// save writes the places. A place that is not written repeats callbacks, which
// is what at least once allows.
func (c *callbacks) save(ctx context.Context) {
	if c.s.cfg.Dir == "" {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	b, err := json.Marshal(c.told, json.Deterministic(true))
	if err == nil {
		err = private.Replace(c.file(), b)
	}
	if err != nil {
		c.s.log.LogAttrs(ctx, slog.LevelWarn, "bridge: where callbacks are is not kept", slog.Any("error", err))
	}
}
