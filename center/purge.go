package center

import (
	"context"
	"sync"

	"signalbox/notify"
)

// purgeSlice is how many records of a purged connection are looked up at once.
const purgeSlice = 500

// purges are the connections whose records are being removed.
type purges struct {
	mu      sync.Mutex // protects running
	running map[string]chan struct{}
	all     sync.WaitGroup
}

func (p *purges) wait() { p.all.Wait() }

// purge removes the records of a revoked connection and then itself, in slices. The channel is closed
// when that ended. What a stop of the center leaves is taken up at its next start, and what a failure
// leaves by ResumePurges.
func (c *Center) purge(connection string) <-chan struct{} {
	p := &c.purges
	p.mu.Lock()
	defer p.mu.Unlock()
	if done, ok := p.running[connection]; ok {
		return done
	}
	done := make(chan struct{})
	if p.running == nil {
		p.running = map[string]chan struct{}{}
	}
	c.closing.RLock()
	closed := c.closed
	if !closed {
		p.all.Add(1)
	}
	c.closing.RUnlock()
	if closed {
		close(done)
		return done
	}
	p.running[connection] = done
	go func() {
		defer p.all.Done()
		defer close(done)
		if err := c.purgeAll(connection); err != nil && notify.CodeOf(err) != notify.CodeUnavailable {
			c.log.Error("purge stopped", "connection", connection, "error", err)
		}
		p.mu.Lock()
		delete(p.running, connection)
		p.mu.Unlock()
	}()
	return done
}

// ResumePurges goes on with the purges that an earlier run began, or that failed in this one.
func (c *Center) ResumePurges() {
	var begun []string
	c.mu.Lock()
	for connection := range c.live.Connections() {
		if connection.Purging {
			begun = append(begun, connection.ID)
		}
	}
	c.mu.Unlock()
	for _, id := range begun {
		c.purge(id)
	}
}

func (c *Center) purgeAll(connection string) error {
	ctx := context.Background() // ended by Close: Do refuses then
	for {
		page, err := c.storage.Query(ctx, notify.Filter{Connections: []string{connection}, IncludeSilent: true}, notify.Cursor{}, purgeSlice)
		if err != nil {
			return err
		}
		if len(page.Records) == 0 {
			_, err := c.do(ctx, notify.Center, notify.RemoveConnection{ID: connection})
			return err
		}
		ids := make([]string, len(page.Records))
		for i, r := range page.Records {
			ids[i] = r.ID
		}
		if _, err := c.Prune(ctx, ids); err != nil {
			return err
		}
	}
}
