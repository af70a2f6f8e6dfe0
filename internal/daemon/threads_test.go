package daemon

import (
	"runtime"
	"testing"
)

func TestMoreThreads(t *testing.T) {
	t.Setenv("GOMAXPROCS", "")
	before := runtime.GOMAXPROCS(0)
	defer runtime.SetDefaultGOMAXPROCS()
	runtime.GOMAXPROCS(1)
	done := MoreThreads()
	if got := runtime.GOMAXPROCS(0); got != leastThreads {
		t.Errorf("%d at once, want %d", got, leastThreads)
	}
	if done(); runtime.GOMAXPROCS(0) != before {
		t.Errorf("%d at once afterwards, want %d as before", runtime.GOMAXPROCS(0), before)
	}

	runtime.GOMAXPROCS(leastThreads + 1)
	done = MoreThreads()
	if got := runtime.GOMAXPROCS(0); got != leastThreads+1 {
		t.Errorf("%d at once where there were more", got)
	}
	if done(); runtime.GOMAXPROCS(0) != leastThreads+1 {
		t.Error("what was not changed was set back")
	}

	t.Setenv("GOMAXPROCS", "2") // the owner's word
	runtime.GOMAXPROCS(2)
	if MoreThreads()(); runtime.GOMAXPROCS(0) != 2 {
		t.Errorf("%d at once, want the owner's 2", runtime.GOMAXPROCS(0))
	}
}
