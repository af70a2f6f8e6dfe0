package daemon

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// TestMemoryLimit proves that the limit is more than twice what is in use, and the least one for a center at
// rest.
func TestMemoryLimit(t *testing.T) {
	for _, c := range []struct {
		name string
		live uint64
		want int64
	}{
		{"nothing yet", 0, 64 << 20},
		{"at rest", 12 << 20, 64 << 20},
		{"many pending", 104 << 20, 237 << 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := memoryLimit(c.live); got != c.want {
				t.Errorf("got %d MiB, want %d", got>>20, c.want>>20)
			}
		})
	}
	for live := uint64(1); live < 1<<62; live *= 3 {
		if got := memoryLimit(live); got < 0 || live < 1<<60 && uint64(got) < 2*live+live/memoryShare {
			t.Errorf("%d for %d in use", got, live)
		}
	}
}

// TestMemoryKeeper proves that the limit follows what is in use up and down, and goes with the keeper.
func TestMemoryKeeper(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	followed := make(chan struct{}, 1)
	k := keepMemory(func() {
		select {
		case followed <- struct{}{}:
		default:
		}
	})
	defer k.stop()
	collect := func(until func(limit int64) bool) {
		t.Helper()
		deadline := time.After(20 * time.Second)
		for {
			runtime.GC()
			select {
			case <-followed:
			case <-deadline:
				t.Fatalf("the limit stays at %d MiB", debug.SetMemoryLimit(-1)>>20)
			}
			if until(debug.SetMemoryLimit(-1)) {
				return
			}
		}
	}
	collect(func(limit int64) bool { return limit < 200<<20 })
	pending := make([]byte, 200<<20)
	collect(func(limit int64) bool { return limit >= 400<<20 })
	runtime.KeepAlive(pending)
	pending = nil
	collect(func(limit int64) bool { return limit < 200<<20 })
	k.stop()
	runtime.GC()
	runtime.GC()
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("a limit of %d MiB stays behind", got>>20)
	}
	if t.Setenv("GOMEMLIMIT", "1GiB"); keepMemory(nil) != nil {
		t.Error("GOMEMLIMIT is not the last word")
	}
	(*memoryKeeper)(nil).stop()
}

// TestMemoryIsGivenBack proves that what a burst left behind goes when it has become quiet, and that this is
// not done again and again.
func TestMemoryIsGivenBack(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	followed := make(chan struct{}, 8)
	k := keepMemory(func() { followed <- struct{}{} })
	defer k.stop()
	burst := make([][]byte, 64)
	for i := range burst {
		burst[i] = make([]byte, 1<<20)
	}
	runtime.KeepAlive(burst)
	burst = nil
	k.release()
	<-followed
	var left runtime.MemStats
	runtime.ReadMemStats(&left)
	if unused := left.HeapIdle - left.HeapReleased; unused > 16<<20 {
		t.Errorf("%d MiB are not given back", unused>>20)
	}
	k.quiet.Stop()
	k.release()
	<-followed
	if k.quiet.Stop() {
		t.Error("it is tried again although nobody was at work")
	}
}

// TestMemoryLimitLeavesTheCollectorAlone proves on the runtime itself that the heap may double under the limit,
// though that counts what is no heap, too.
func TestMemoryLimitLeavesTheCollectorAlone(t *testing.T) {
	t.Setenv("GOMEMLIMIT", "")
	followed := make(chan struct{}, 64)
	k := keepMemory(func() { followed <- struct{}{} })
	defer k.stop()
	pending := make([]*[48]byte, 4<<20) // small ones: what the runtime needs beside them is most
	for i := range pending {
		pending[i] = new([48]byte)
	}
	for range 3 { // the limit follows a collection, and the next one has its goal by it
		for len(followed) > 0 {
			<-followed
		}
		runtime.GC()
		<-followed
	}
	live, goal := heap("/gc/heap/live:bytes"), heap("/gc/heap/goal:bytes")
	t.Logf("live %d MiB, goal %d MiB, limit %d MiB", live>>20, goal>>20, debug.SetMemoryLimit(-1)>>20)
	if goal < 2*live {
		t.Errorf("the collector runs at %d MiB with %d MiB in use", goal>>20, live>>20)
	}
	runtime.KeepAlive(pending)
}
