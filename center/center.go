package center

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"signalbox/notify"
)

// Config is what a center is made of.
type Config struct {
	// Storage keeps the state. The center uses it until Close and does not close it.
	Storage Storage
	Clock   Clock         // nil: SystemClock
	NewID   func() string // fresh ids, in order; nil: UUIDv7
	// Mask takes credentials out of a content and names the fields (S2); nil: none is taken out.
	Mask func(*notify.Content) []string
	// Rules are the limits at the start; SetRules changes them.
	Rules  notify.Rules
	Logger *slog.Logger // nil: nothing is logged
}

// The bounds of a group of commands that is committed as one, and of the queue before it.
const (
	groupCommands = 256
	groupBytes    = 1 << 20
	queueLength   = 1024
)

// Center is the one door to the state. Its methods are safe for concurrent use.
type Center struct {
	storage Storage
	clock   Clock
	newID   func() string
	mask    func(*notify.Content) []string
	log     *slog.Logger
	rules   atomic.Pointer[notify.Rules]

	queue    chan *call
	reload   chan chan error
	ring     *ring
	tokens   tokenTable
	waiters  waiters
	stopping chan struct{} // closed by Close, after the removals ended
	stopped  chan struct{} // closed when the writer has ended
	once     sync.Once
	stats    stats
	asked    atomic.Int64  // when a command came last that was no removal, in nanoseconds
	pruning  chan struct{} // holds one who removes
	ending   chan struct{} // closed by Close, before it waits for anybody
	closing  sync.RWMutex  // held for reading while a call is put into the queue
	closed   bool          // protected by closing
	purges   purges

	// mu protects live and reads, also for reading: the live state keeps counts that it brings up to
	// date when asked. It is never held over a commit.
	mu    sync.Mutex
	live  *notify.Memory // what is pending, and the parties; only the writer applies changes
	reads reads
}

// call is one command on its way through the writer.
type call struct {
	command notify.Command
	bytes   int
	done    chan answer // has room for the one answer
}

type answer struct {
	result notify.Result
	err    error
}

// Open loads the state and starts the writer. What came due while no center ran is done before it
// returns. The caller closes it.
func Open(ctx context.Context, config Config) (*Center, error) {
	c := &Center{
		storage: config.Storage, clock: config.Clock, newID: config.NewID, mask: config.Mask, log: config.Logger,
		queue:    make(chan *call, queueLength),
		reload:   make(chan chan error),
		stopping: make(chan struct{}), stopped: make(chan struct{}),
		pruning: make(chan struct{}, 1), ending: make(chan struct{}),
	}
	if c.clock == nil {
		c.clock = SystemClock{}
	}
	if c.newID == nil {
		c.newID = func() string { return uuid.Must(uuid.NewV7()).String() }
	}
	if c.mask == nil {
		c.mask = func(*notify.Content) []string { return nil }
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.SetRules(config.Rules)
	c.reads.storage = config.Storage
	c.ring = newRing(0)
	if err := c.load(ctx); err != nil {
		c.ring.close()
		return nil, err
	}
	w := &writer{Center: c, alarm: c.clock.Alarm(), back: true}
	w.tick()
	go w.run()
	c.ResumePurges()
	return c, nil
}

// load fills the live state from the storage. Feeds learn by ErrReset that theirs is void.
func (c *Center) load(ctx context.Context) error {
	s, err := c.storage.Load(ctx)
	if err != nil {
		return unavailable(err)
	}
	live := notify.NewLive(&c.reads)
	live.Load(s.Sequence, s.Connections, s.Sessions, s.Pending, s.Invalidations, s.Settings)
	c.mu.Lock()
	c.live = live
	c.tokens.rebuild(live)
	c.mu.Unlock()
	c.ring.restart(s.Sequence)
	c.waiters.wakeAll()
	return nil
}

// Reload takes up what the storage holds now, after it was opened again or put back behind the center:
// every feed gets ErrReset once.
func (c *Center) Reload(ctx context.Context) error {
	done := make(chan error, 1)
	select {
	case c.reload <- done:
	case <-c.stopped:
		return notify.Errorf(notify.CodeUnavailable, "The center is closing.")
	case <-ctx.Done():
		return ctx.Err()
	}
	err := <-done
	if err == nil {
		c.ResumePurges()
	}
	return err
}

// SetRules replaces the limits for the commands decided from now on.
func (c *Center) SetRules(r notify.Rules) { c.rules.Store(&r) }

// Do decides one command and returns after its changes are durable and visible to every reader. A
// refusal is a *notify.Error. The end of ctx ends the waiting, not a command that was taken already:
// an error then says nothing about whether it happened.
func (c *Center) Do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error) {
	c.asked.Store(c.clock.Now().UnixNano())
	op, masked := c.masked(op)
	result, err := c.do(ctx, by, op)
	if err != nil {
		return notify.Result{}, err
	}
	if len(masked) > 0 {
		result.Masked = masked
	}
	if revoke, ok := op.(notify.RevokeConnection); ok && revoke.Purge {
		select {
		case <-c.purge(revoke.ID):
		case <-ctx.Done(): // it goes on without the caller
		}
	}
	return result, nil
}

func (c *Center) do(ctx context.Context, by notify.Actor, op notify.Op) (notify.Result, error) {
	one := &call{command: notify.Command{At: c.now(), By: by, IDs: c.ids(op), Op: op}, bytes: opWeight(op), done: make(chan answer, 1)}
	if err := c.enqueue(ctx, one); err != nil {
		return notify.Result{}, err
	}
	select {
	case a := <-one.done:
		return a.result, a.err
	case <-ctx.Done():
		return notify.Result{}, ctx.Err()
	}
}

func (c *Center) enqueue(ctx context.Context, one *call) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	c.closing.RLock()
	defer c.closing.RUnlock()
	if c.closed {
		return notify.Errorf(notify.CodeUnavailable, "The center is closing.")
	}
	select {
	case c.queue <- one:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Center) now() time.Time { return c.clock.Now().UTC().Truncate(time.Millisecond) }

// ids makes the ids that a command may need.
func (c *Center) ids(op notify.Op) []string {
	n := 0
	switch op := op.(type) {
	case notify.Publish:
		n = 1
	case notify.Batch:
		n = len(op.Ops)
	case notify.Import:
		for _, r := range op.Records {
			if r.ID == "" {
				n++
			}
		}
	}
	if n == 0 {
		return nil
	}
	ids := make([]string, n)
	for i := range ids {
		ids[i] = c.newID()
	}
	return ids
}

// Close refuses new commands, finishes those that were taken, ends all feeds and waits, and returns
// when nothing of the center runs any more. The storage stays open.
func (c *Center) Close() error {
	c.once.Do(func() {
		c.closing.Lock()
		c.closed = true
		c.closing.Unlock()
		close(c.ending)
		c.purges.wait()
		close(c.stopping)
	})
	<-c.stopped
	return nil
}
