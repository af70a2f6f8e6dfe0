package main

import (
	"strconv"
	"strings"
	"time"
)

// ticks is how the kernel counts the start of processes, the same on every processor that we build for.
const ticks = time.Second / 100

// processAge is how long this process has been there. On a machine that is overloaded, starting it may have taken longer
// than all that it does.
func processAge() time.Duration {
	stat := string(readSmall("/proc/self/stat"))
	i := strings.LastIndexByte(stat, ')') // the name in brackets may hold anything
	if i < 0 {
		return 0
	}
	f := strings.Fields(stat[i+1:])
	up := strings.Fields(string(readSmall("/proc/uptime")))
	if len(f) < 20 || len(up) == 0 {
		return 0
	}
	started, err1 := strconv.ParseInt(f[19], 10, 64)
	since, err2 := strconv.ParseFloat(up[0], 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return max(0, time.Duration(since*float64(time.Second))-time.Duration(started)*ticks)
}
