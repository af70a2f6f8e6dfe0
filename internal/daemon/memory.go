package daemon

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// The bounds of the memory limit, in bytes.
const (
	// memoryLeast is enough for a center with a few pending items, and little enough for one at rest.
	memoryLeast = 64 << 20
	// memoryBeside is left for what is no heap: stacks, the collector's own, what is yet to be given back. The limit
	// counts that, too, and some of it grows with the heap: memoryShare is that part of what is in use.
	memoryBeside = 16 << 20
	memoryShare  = 8
	// memoryBusy, allocated since the last collection, says that somebody was at work.
	memoryBusy = 16 << 20
)

// memoryQuiet is how long after work nothing was collected when it has become quiet.
const memoryQuiet = 10 * time.Second

// memoryLimit is the limit for a heap of which so much is in use. The collector lets a heap double
// before it runs again; a limit below that would have it run all the time while pending items gather. Where much
// of what is in use lies scattered among what is not, it runs sooner.
func memoryLimit(live uint64) int64 {
	use := int64(min(live, math.MaxInt64/4))
	return max(memoryLeast, 2*use+use/memoryShare+memoryBeside)
}

// memoryKeeper lets the collector run sooner than it would by itself: without a desktop, what a burst
// leaves behind is most of the memory. What is pending stays in memory, so the limit follows what each
// collection leaves, up and down. When it has become quiet, what is not in use is given back, once. It costs
// nothing between collections.
type memoryKeeper struct {
	mu    sync.Mutex // protects ended and the limit of the process
	ended bool
	quiet *time.Timer // runs out when it has become quiet after work
	// allocated is how much was, at the last collection, since the process began.
	allocated uint64
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
	k.quiet = time.AfterFunc(memoryQuiet, k.release)
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
	before := k.allocated
	if k.allocated = heap("/gc/heap/allocs:bytes"); k.allocated-before >= memoryBusy {
		k.quiet.Reset(memoryQuiet)
	}
	if k.followed != nil {
		k.followed()
	}
}

// release gives back what is not in use. Much of what the last collection left may be so since: nobody
// else would look for a while.
func (k *memoryKeeper) release() {
	k.mu.Lock()
	ended := k.ended
	k.mu.Unlock()
	if !ended {
		debug.FreeOSMemory()
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
		k.quiet.Stop()
		debug.SetMemoryLimit(math.MaxInt64)
	}
}

// liveHeap is what the latest collection left, in bytes.
func liveHeap() uint64 { return heap("/gc/heap/live:bytes") }

// heap is a figure of the runtime; 0 where it does not tell.
func heap(name string) uint64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// KeepMemory does for a process without a daemon what one without a desktop does for its own: it lets the
// collector run in time. The caller calls stop.
func KeepMemory() (stop func()) { return keepMemory(nil).stop }
