//go:build unix

package main

import (
	"os"
	"runtime"
	"strconv"
	"strings"
)

// terminalPath is the terminal that the hook's agent runs in; empty where it has none. A hook's own input and output
// are pipes, so on Linux its ancestors are asked as well.
func terminalPath() string {
	if runtime.GOOS != "linux" {
		return ""
	}
	pid := os.Getpid()
	for range 8 {
		for _, fd := range []string{"0", "1", "2"} {
			p, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/fd/" + fd)
			if err == nil && (strings.HasPrefix(p, "/dev/pts/") || strings.HasPrefix(p, "/dev/tty")) {
				return p
			}
		}
		if pid = parentOf(pid); pid <= 1 {
			break
		}
	}
	return ""
}

// parentOf reads a process's parent; 0: unknown.
func parentOf(pid int) int {
	stat := string(readSmall("/proc/" + strconv.Itoa(pid) + "/stat"))
	// The name in brackets may hold anything, brackets and spaces too.
	i := strings.LastIndexByte(stat, ')')
	if i < 0 {
		return 0
	}
	f := strings.Fields(stat[i+1:])
	if len(f) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(f[1])
	if err != nil {
		return 0
	}
	return parent
}
