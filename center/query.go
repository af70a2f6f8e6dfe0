package center

import (
	"context"
	"io"

	"signalbox/notify"
)

// The queries see every change whose command was answered, and none that is not durable.

// Record finds a record, pending or terminal. An unknown id is CodeNotFound.
func (c *Center) Record(_ context.Context, id string) (*notify.Record, error) {
	c.mu.Lock()
	c.reads.off = true // the storage is read without the lock
	r, ok := c.live.Record(id)
	c.reads.off = false
	c.mu.Unlock()
	if ok {
		return r, nil
	}
	r, ok, err := c.storage.Record(id)
	switch {
	case err != nil:
		return nil, unavailable(err)
	case !ok:
		return nil, notify.Errorf(notify.CodeNotFound, "There is no such notification.")
	}
	return r, nil
}

// Query lists the records that match, newest first, after the cursor.
func (c *Center) Query(ctx context.Context, f notify.Filter, after notify.Cursor, limit int) (notify.Page, error) {
	return c.storage.Query(ctx, f, after, limit)
}

// Rail is what a fresh view presents now: the application items, and those of the session focus (P1).
func (c *Center) Rail(focus notify.SessionRef) notify.Rail {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live.Rail(focus, now)
}

// Focus is the active session; zero: none.
func (c *Center) Focus() notify.SessionRef { return c.Settings().Focus }

// Settings are what the owner decided about being told.
func (c *Center) Settings() notify.Settings {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live.Settings()
}

// Attention is the badge, in constant time.
func (c *Center) Attention() notify.Attention {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live.Attention(now)
}

// Connections lists the connections in the order of their creation.
func (c *Center) Connections() []notify.ConnectionView {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live.ConnectionViews(now)
}

// Connection finds a connection.
func (c *Center) Connection(id string) (notify.ConnectionView, bool) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live.ConnectionView(id, now)
}

// Sessions lists the sessions of a connection.
func (c *Center) Sessions(connection string) []notify.SessionView {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live.SessionViews(connection, now)
}

// Session finds a session.
func (c *Center) Session(ref notify.SessionRef) (notify.SessionView, bool) {
	now := c.now()
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.live.SessionView(ref, now)
}

// Invalidations lists what consumers of a connection have yet to reload (E2).
func (c *Center) Invalidations(connection string) []*notify.Invalidation {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []*notify.Invalidation
	for i := range c.live.Invalidations(connection) {
		all = append(all, i)
	}
	return all
}

// Backup streams a snapshot of everything.
func (c *Center) Backup(ctx context.Context, w io.Writer) error { return c.storage.Backup(ctx, w) }
