package daemon

import (
	"os"
	"runtime"
)

// leastThreads is how many goroutines run at once while tables are merged; with as many cores nothing is changed.
const leastThreads = 8

// MoreThreads lets more goroutines run at once than there are cores, until the function that it returns is called, where
// the cores are few and GOMAXPROCS does not say what the owner wants. It is not for two at a time.
//
// Go takes turns in the order in which one came, of up to 10 ms each. A merge of tables has a dozen goroutines that
// compute, so on two cores one who publishes waited a hundred milliseconds and more for each turn. The system is fairer:
// it lets run first who slept most. It costs a little more than Go's own turns, so it is for that time only.
func MoreThreads() (done func()) {
	if os.Getenv("GOMAXPROCS") != "" || runtime.GOMAXPROCS(0) >= leastThreads {
		return func() {}
	}
	runtime.GOMAXPROCS(leastThreads)
	return runtime.SetDefaultGOMAXPROCS
}
