//go:build linux

package rig

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Usage is what a program and the children in its group have used.
type Usage struct {
	CPU       time.Duration // since their start, to a hundredth of a second
	Resident  int64         // bytes in memory now, shared pages counted for each
	Processes int
}

// Usage measures the program and what it started.
func (p *Process) Usage() Usage {
	p.r.t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		p.r.fail(err.Error())
	}
	var u Usage
	for _, s := range stats {
		b, err := os.ReadFile(s)
		if err != nil {
			continue // it ended meanwhile
		}
		// The name is in parentheses and may hold anything; the numbers follow the last one.
		i := strings.LastIndexByte(string(b), ')')
		f := strings.Fields(string(b[i+1:]))
		if i < 0 || len(f) < 22 || f[2] != strconv.Itoa(p.Pid()) {
			continue
		}
		ticks := func(n int) int64 { v, _ := strconv.ParseInt(f[n], 10, 64); return v } // the kernel writes numbers
		u.CPU += time.Duration(ticks(11)+ticks(12)) * (time.Second / 100)
		u.Resident += ticks(21) * int64(os.Getpagesize())
		u.Processes++
	}
	return u
}

// String is for the log of a test.
func (u Usage) String() string {
	return fmt.Sprintf("%v CPU, %d MiB resident, %d processes", u.CPU, u.Resident>>20, u.Processes)
}
