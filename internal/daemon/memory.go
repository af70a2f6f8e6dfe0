package daemon

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// The bounds of the memory limit, in bytes.
const (
	// memoryLeast is enough for a center with a few pending items, and little enough for one at rest.
	memoryLeast = 64 << 20
	// memoryBeside is left for what is no heap: stacks, the collector's own, what is yet to be given back.
	memoryBeside = 32 << 20
)

// memoryLimit is the limit for a heap of which so much is in use. The collector lets a heap double
// before it runs again; a limit below that would have it run all the time while pending items gather.
func memoryLimit(live uint64) int64 {
	return max(memoryLeast, int64(min(live, math.MaxInt64/4))*5/2+memoryBeside)
}

// memoryKeeper lets the collector run sooner than it would by itself: without a desktop, what a burst
// leaves behind is most of the memory. What is pending stays in memory, so the limit follows what each
// collection leaves, up and down. It costs nothing between collections.
type memoryKeeper struct {
	mu    sync.Mutex // protects ended and the limit of the process
	ended bool
	// followed is called after each collection; nil: nobody asks.
	followed func()
}

// collected is an object that nothing refers to, so that each collection finds it.
type collected struct{ keeper *memoryKeeper }

// keepMemory starts a keeper; nil where GOMEMLIMIT says what the owner wants. stop ends it.
func keepMemory(followed func()) *memoryKeeper {
	if os.Getenv("GOMEMLIMIT") != "" {
		return nil
	}
	k := &memoryKeeper{followed: followed}
	debug.SetMemoryLimit(memoryLimit(liveHeap()))
	runtime.SetFinalizer(&collected{k}, (*collected).follow)
	return k
}

// follow is called when a collection has found c.
func (c *collected) follow() {
	k := c.keeper
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.ended {
		return
	}
	debug.SetMemoryLimit(memoryLimit(liveHeap()))
	runtime.SetFinalizer(c, (*collected).follow)
	if k.followed != nil {
		k.followed()
	}
}

// stop ends the keeper and takes the limit away. A nil keeper has nothing to end.
func (k *memoryKeeper) stop() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !k.ended {
		k.ended = true
		debug.SetMemoryLimit(math.MaxInt64)
	}
}

// liveHeap is what the latest collection left, in bytes.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// KeepMemory does for a process without a daemon what one without a desktop does for its own: it lets the
// collector run in time. The caller calls stop.
func KeepMemory() (stop func()) { return keepMemory(nil).stop }
